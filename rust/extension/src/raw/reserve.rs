//! Space for the entries of a new Dictionary.
//!
//! A Dictionary that grows moves all its entries to a larger table each time, and the interface has no function that reserves
//! space. But `Dictionary.assign` also gives a Dictionary the capacity of its argument, even if that is empty. So an empty
//! Dictionary of each capacity is kept. It has no table: until the first entry, a capacity is only a number
//! (`core/templates/hash_map.h` of Godot 4.4 to 4.6). Where this does not hold, the Dictionary grows.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use godot::meta::ToGodot;
use godot::sys;

use super::container::Container;
use super::engine::engine;
use super::interface::DICTIONARY;

/// The capacities of a Dictionary (`hash_table_size_primes` in `core/templates/hashfuncs.h`).
pub(crate) const CAPACITIES: [u32; 29] = [
    5,
    13,
    23,
    47,
    97,
    193,
    389,
    769,
    1543,
    3079,
    6151,
    12_289,
    24_593,
    49_157,
    98_317,
    196_613,
    393_241,
    786_433,
    1_572_869,
    3_145_739,
    6_291_469,
    12_582_917,
    25_165_843,
    50_331_653,
    100_663_319,
    201_326_611,
    402_653_189,
    805_306_457,
    1_610_612_741,
];

/// The capacity of a new Dictionary.
const FIRST: u32 = CAPACITIES[2];

/// Returns how many entries a Dictionary of that capacity has before it grows.
pub(crate) const fn most_entries(capacity: u32) -> usize {
    (capacity as u64 * 3 / 4) as usize
}

/// The empty Dictionaries, by the index of their capacity.
static EMPTY: [EmptyOfCapacity; CAPACITIES.len()] =
    [const { EmptyOfCapacity { was_wanted: AtomicBool::new(false), empty: OnceLock::new() } }; CAPACITIES.len()];

struct EmptyOfCapacity {
    /// Whether there was a Dictionary of this capacity before. The first one grows: it alone would not repay the time that it
    /// takes to create the empty one.
    was_wanted: AtomicBool,
    empty: OnceLock<Empty>,
}

struct Empty(Container<DICTIONARY>);

// SAFETY: it never changes, and the engine allows several threads to read a Dictionary that does not change.
unsafe impl Send for Empty {}
// SAFETY: as above.
unsafe impl Sync for Empty {}

/// Creates an empty Dictionary without types, with space for `count` entries if it can be reserved.
#[inline(always)]
pub(super) fn dictionary_with_space(count: usize) -> Container<DICTIONARY> {
    let mut dictionary = Container::new();
    if count > const { most_entries(FIRST) } {
        reserve(&mut dictionary, count);
    }
    dictionary
}

#[inline(never)]
fn reserve(dictionary: &mut Container<DICTIONARY>, count: usize) {
    let index = CAPACITIES.partition_point(|capacity| most_entries(*capacity) < count);
    let Some(of_capacity) = EMPTY.get(index) else { return };
    if of_capacity.was_wanted.load(Ordering::Relaxed) {
        assign(dictionary, &of_capacity.empty.get_or_init(|| empty(CAPACITIES[index - 1])).0);
    } else {
        of_capacity.was_wanted.store(true, Ordering::Relaxed);
    }
}

/// Creates an empty Dictionary of the capacity after `capacity`: one that has grown, and then lost its entries and its table.
#[cold]
fn empty(capacity: u32) -> Empty {
    let mut grown = Container::<DICTIONARY>::new();
    for key in 0..=most_entries(capacity) as i64 {
        // SAFETY: a Dictionary, and a live Variant.
        unsafe {
            sys::interface_fn!(dictionary_operator_index)(grown.address().cast(), key.to_variant().var_sys());
        }
    }
    let mut empty = Container::new();
    if let Some(clear) = engine().interface.dictionary_clear {
        // SAFETY: the method takes and returns nothing.
        unsafe { clear(grown.address().cast(), std::ptr::null(), std::ptr::null_mut(), 0) };
        assign(&mut empty, &grown);
    }
    Empty(empty)
}

/// Calls `Dictionary.assign`.
fn assign(dictionary: &mut Container<DICTIONARY>, other: &Container<DICTIONARY>) {
    let Some(assign) = engine().interface.dictionary_assign else { return };
    let other: *const Container<DICTIONARY> = other;
    // SAFETY: the method takes a Dictionary, which it does not change, and returns nothing.
    unsafe { assign(dictionary.address().cast(), [other.cast()].as_ptr(), std::ptr::null_mut(), 1) };
}
