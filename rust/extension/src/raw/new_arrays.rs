//! New Arrays for packets that have many of them.
//!
//! The constructor of the interface copies the Array that it has created, with its reference count: two atomic operations. But the
//! engine gives a new member of an `Array[Array]` its initial value, which is an empty Array, in place (`Array::resize` in
//! `core/variant/array.cpp` of Godot 4.4 to 4.6). So the Arrays are taken from such an Array.

use std::ptr::null_mut;

use godot::builtin::Variant;
use varbytes::VariantType;

use super::container::Container;
use super::create::scalar;
use super::engine::engine;
use super::fill::{ArrayFill, TypedBy, first_member, set_typed};
use super::interface::ARRAY;
use super::kept::{Kept, Taken};
use super::layout::PAYLOAD;
use super::new_bytes::resize;

/// How many Arrays of a packet the constructor creates first.
const FIRST: usize = 8;
/// How many are then created at once.
const AT_ONCE: usize = 64;

/// Those that were created and not used yet.
static SHARED: Kept<Unused> = Kept::new();

/// Creates the Arrays of a packet.
pub(crate) struct NewArrays {
    created: usize,
    /// `None` before the first that is not created by the constructor.
    unused: Option<Taken<Unused>>,
}

impl NewArrays {
    pub(crate) const NONE: Self = Self { created: 0, unused: None };

    /// Begins an Array, as [`ArrayFill::new`] does.
    #[inline(always)]
    pub(crate) fn begin(&mut self, size: usize, member_type: Option<VariantType>) -> ArrayFill {
        let unused = self.unused.as_mut().and_then(|unused| unused.next());
        ArrayFill::of(unused.unwrap_or_else(|| self.create()), size, member_type)
    }

    /// Keeps those that were not used for the next packet.
    #[inline]
    pub(crate) fn finish(&mut self) {
        self.unused = None;
    }

    #[inline(never)]
    fn create(&mut self) -> Container<ARRAY> {
        self.created += 1;
        if self.created > FIRST && can_take() {
            let unused = self.unused.get_or_insert_with(|| SHARED.take_or(Unused::none));
            if let Some(array) = unused.next().or_else(|| unused.more()) {
                return array;
            }
        }
        Container::new()
    }
}

/// Empty Arrays that nothing refers to.
struct Unused {
    /// The `Array[Array]` that has them as members. Those that were taken are null.
    source: Container<ARRAY>,
    /// The next member and the end.
    next: *mut Variant,
    end: *mut Variant,
}

// SAFETY: nothing else refers to the Arrays, and only one thread at a time has them.
unsafe impl Send for Unused {}

impl Unused {
    fn none() -> Self {
        let mut source = Container::new();
        set_typed(&mut source, &TypedBy::Builtin(VariantType::Array));
        Self { source, next: null_mut(), end: null_mut() }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Container<ARRAY>> {
        if self.next == self.end {
            return None;
        }
        // SAFETY: a member of `source`, which has the only reference to an Array. It is null from here on, so the reference has one owner.
        unsafe {
            let array = self.next.byte_add(PAYLOAD).cast::<Container<ARRAY>>().read();
            scalar::nil().write_to(self.next);
            self.next = self.next.add(1);
            Some(array)
        }
    }

    /// Creates more after all were taken, and returns the first one.
    fn more(&mut self) -> Option<Container<ARRAY>> {
        let source = self.source.address();
        (self.next, self.end) = (null_mut(), null_mut());
        // SAFETY: an Array, to which this is the only reference.
        unsafe {
            if resize(source, ARRAY, 0) && resize(source, ARRAY, AT_ONCE) {
                self.next = first_member(source);
                self.end = self.next.add(AT_ONCE);
            }
        }
        self.next()
    }
}

/// Returns whether Arrays can be taken from an `Array[Array]`.
fn can_take() -> bool {
    let layout = &engine().layout;
    layout.initial_arrays && layout.assembled && layout.in_place[ARRAY]
}
