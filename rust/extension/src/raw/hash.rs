//! The engine's hashes of keys.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use godot::meta::ToGodot;
use godot::sys;

use super::create::string;
use super::entries::Entries;
use super::interface::{ARRAY, DICTIONARY, INT, NODE_PATH, STRING, STRING_NAME};
use super::view::{View, lossy_text, members, name_address, payload, type_of, view};

/// Returns the hash of a key that is not a container, and whether the key is text: similar strings have close hashes, and all
/// others have well-distributed ones.
#[inline]
pub(crate) fn hash_of_key(key: &Variant) -> (u32, bool) {
    match type_of(key) {
        INT if known().ints => {
            // SAFETY: an int.
            (of_int(unsafe { payload::<u64>(key, INT).read() }), false)
        }
        STRING => match view(key) {
            View::String(chars) if known().texts => (of_chars(chars), true),
            _ => (hash(key), true),
        },
        // The engine stores the hash of a name, and compares names by address.
        variant_type => (hash(key), variant_type == STRING_NAME),
    }
}

/// Types of keys: one and all after it.
#[derive(Clone, Copy)]
pub(crate) struct CountedTypes(usize);

impl CountedTypes {
    pub(crate) const NONE: Self = Self(usize::MAX);
    pub(crate) const PATHS_AND_CONTAINERS: Self = Self(NODE_PATH);
    pub(crate) const ALL: Self = Self(0);

    #[inline(always)]
    pub(crate) fn contain(self, key: &Variant) -> bool {
        type_of(key) >= self.0
    }

    #[inline(always)]
    pub(crate) const fn is_any(self) -> bool {
        self.0 != Self::NONE.0
    }

    #[inline(always)]
    pub(crate) const fn are_all(self) -> bool {
        self.0 == Self::ALL.0
    }
}

/// Returns whether a key is a container or a packed array.
#[inline]
pub(crate) fn is_container(key: &Variant) -> bool {
    type_of(key) >= DICTIONARY
}

/// Returns the engine's hash of a value.
#[inline]
pub(crate) fn hash(value: &Variant) -> u32 {
    // SAFETY: a live Variant; the function only reads. It returns the 32 bits of the hash as an int.
    let hash = unsafe { sys::interface_fn!(variant_hash)(value.var_sys()) };
    hash as u32
}

/// Returns the engine's hash of text.
pub(crate) fn hash_of_text(text: &str) -> u32 {
    if known().texts { text.chars().fold(TEXT_SEED, with_char) } else { hash(&string(text).into_variant()) }
}

/// Returns the engine's hash of the characters of a String.
pub(crate) fn hash_of_chars(chars: &[u32]) -> u32 {
    if known().texts { of_chars(chars) } else { hash(&string(&lossy_text(chars)).into_variant()) }
}

/// Returns the identity of a live StringName: the address of its data in the engine.
#[inline]
pub(crate) fn name_identity(name: &Variant) -> u64 {
    if type_of(name) != STRING_NAME {
        return 0;
    }
    // SAFETY: a payload of the type, which lives as long as the Variant.
    name_address(unsafe { &*payload::<StringName>(name, STRING_NAME) })
}

/// Returns the work of hashing a key: one unit for each value, and one for each eight bytes or characters. Stops counting
/// soon after `most`. Calls `on_path` for each `NodePath`.
pub(crate) fn weight(key: &Variant, most: u64, on_path: &mut dyn FnMut(&Variant)) -> u64 {
    let mut weight = 0;
    weigh(key, most, DEEPEST, &mut weight, on_path);
    weight
}

/// The number of levels of a key that the engine hashes.
const DEEPEST: usize = 101;

fn weigh(value: &Variant, most: u64, levels: usize, weight: &mut u64, on_path: &mut dyn FnMut(&Variant)) {
    *weight += 1 + size(value) / 8;
    match type_of(value) {
        _ if *weight > most || levels == 0 => {}
        NODE_PATH => on_path(value),
        ARRAY => members(value).iter().for_each(|member| weigh(member, most, levels - 1, weight, on_path)),
        DICTIONARY => {
            let mut entries = Entries::of(value);
            while let Some((key, value)) = entries.next() {
                weigh(key, most, levels - 1, weight, on_path);
                weigh(value, most, levels - 1, weight, on_path);
            }
        }
        _ => {}
    }
}

fn size(value: &Variant) -> u64 {
    let size = match view(value) {
        View::String(chars) => chars.len(),
        View::Bytes(bytes) => bytes.len(),
        View::Int32(numbers) => size_of_val(numbers),
        View::Int64(numbers) => size_of_val(numbers),
        View::Float32(numbers) => size_of_val(numbers),
        View::Float64(numbers) => size_of_val(numbers),
        View::PackedReals(_, numbers) => size_of_val(numbers),
        View::Strings(strings) => strings.iter().map(|text| 8 + super::view::chars(text).len()).sum(),
        _ => 0,
    };
    size as u64
}

/// Which of the engine's hash functions equal those in this file.
struct Known {
    ints: bool,
    texts: bool,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let ints = (0..64).map(|bit| 1_i64 << bit).flat_map(|int| [int, !int, int ^ 0x5DEE_CE66_D123_4567]);
        let long = "long text ".repeat(50);
        let texts = ["", "a", "b@", "aaa", "text", "item_123", "é中😀", &long];
        Known {
            ints: ints.into_iter().all(|int| of_int(int.cast_unsigned()) == hash(&int.to_variant())),
            texts: texts.into_iter().all(|text| {
                let chars: Vec<u32> = text.chars().map(u32::from).collect();
                of_chars(&chars) == hash(&string(text).into_variant())
            }),
        }
    })
}

/// Thomas Wang's hash of 64 bits to 32.
const fn of_int(int: u64) -> u32 {
    let mut value = (!int).wrapping_add(int << 18);
    value ^= value >> 31;
    value = value.wrapping_mul(21);
    value ^= value >> 11;
    value = value.wrapping_add(value << 6);
    (value ^ value >> 22) as u32
}

const TEXT_SEED: u32 = 5381;

fn with_char(hash: u32, char: char) -> u32 {
    hash.wrapping_mul(33).wrapping_add(u32::from(char))
}

/// Bernstein's hash, four characters at a time.
fn of_chars(chars: &[u32]) -> u32 {
    let (fours, rest) = chars.as_chunks::<4>();
    let hash = fours.iter().fold(TEXT_SEED, |hash, [a, b, c, d]| {
        let (first, second) = (a.wrapping_mul(33).wrapping_add(*b), c.wrapping_mul(33).wrapping_add(*d));
        hash.wrapping_mul(33 * 33 * 33 * 33).wrapping_add(first.wrapping_mul(33 * 33)).wrapping_add(second)
    });
    rest.iter().fold(hash, |hash, char| hash.wrapping_mul(33).wrapping_add(*char))
}
