//! Arrays, Dictionaries and PackedByteArrays in the engine's own form.

use std::mem::{ManuallyDrop, MaybeUninit};

use godot::builtin::{PackedByteArray, Variant};

use super::create::from_type;
use super::engine::engine;
use super::interface::{ARRAY, DICTIONARY};
use super::new_value::NewValue;
use super::view::{elements, payload, type_of};

/// An `Array` or a `Dictionary` as one pointer. The types of the bindings have more fields.
#[repr(transparent)]
pub(super) struct Container<const TYPE: usize>(*const u8);

impl<const TYPE: usize> Container<TYPE> {
    const INDEX: usize = {
        assert!(TYPE == ARRAY || TYPE == DICTIONARY);
        TYPE - DICTIONARY
    };

    /// Creates an empty container with one reference.
    #[inline]
    pub(super) fn new() -> Self {
        let mut container = MaybeUninit::<Self>::uninit();
        // SAFETY: the default constructor of the type, which is one pointer.
        unsafe {
            engine().interface.construct[Self::INDEX](container.as_mut_ptr().cast(), std::ptr::null());
            container.assume_init()
        }
    }

    /// Returns another reference to the container in a Variant of the type.
    pub(super) fn shared(variant: &Variant) -> Self {
        let mut container = MaybeUninit::<Self>::uninit();
        // SAFETY: the copy constructor of the type, and a payload of it.
        unsafe {
            let held = payload::<u8>(variant, TYPE);
            engine().interface.copy[Self::INDEX](container.as_mut_ptr().cast(), [held.cast()].as_ptr());
            container.assume_init()
        }
    }

    /// Returns the address for the engine's functions.
    #[inline]
    pub(super) fn address(&mut self) -> *mut u8 {
        (&raw mut *self).cast()
    }

    /// Returns the container as a value.
    #[inline]
    pub(super) fn into_value(self) -> NewValue {
        let layout = &engine().layout;
        // SAFETY: a payload of the type. The official interface copies it; otherwise the value takes ownership.
        unsafe {
            if layout.assembled && layout.in_place[TYPE] {
                NewValue::of_parts(TYPE, ManuallyDrop::new(self).0 as u64)
            } else {
                from_type(TYPE, (&raw const self).cast()).into()
            }
        }
    }
}

impl<const TYPE: usize> Drop for Container<TYPE> {
    fn drop(&mut self) {
        // SAFETY: the destructor of the type.
        unsafe { engine().interface.destroy[Self::INDEX](self.address().cast()) };
    }
}

/// Returns the address of an Array or a Dictionary in the engine, which is unique while it lives, or 0 for another value.
pub(crate) fn address(container: &Variant) -> usize {
    match type_of(container) {
        // SAFETY: a payload of the type, which is one pointer.
        variant_type @ (ARRAY | DICTIONARY) => unsafe { payload::<usize>(container, variant_type).read() },
        _ => 0,
    }
}

/// Returns the bytes of a PackedByteArray.
#[inline]
pub(crate) fn bytes(array: &PackedByteArray) -> &[u8] {
    let place: *const PackedByteArray = array;
    // SAFETY: a packed array of bytes.
    unsafe { elements(place.cast()) }.unwrap_or_else(|| array.as_slice())
}
