//! New packed arrays, which are filled in place.

use godot::builtin::{PackedArray, PackedByteArray, Variant};
use godot::meta::{PackedElement, ToGodot};
use godot::sys;

use super::container::first_byte;
use super::create::from_type_over;
use super::engine::engine;
use super::interface::BYTES;
use super::memory::note_refusal;
use super::new_value::NewValue;
use super::view::type_of;

/// Puts a PackedByteArray of `size` bytes, which `write` fills completely, in place of `out`. It is empty if there is no memory for
/// them; `write` is not called then.
// Filled within the Variant: to put an array into a Variant copies it, with its reference count.
#[inline(always)]
pub(crate) fn put_packed_bytes(out: &mut Variant, size: usize, write: impl FnOnce(&mut [u8])) {
    /// An array without elements, in the engine's own form.
    const EMPTY: [usize; 2] = [0; 2];
    let is_verified = engine().layout.packed_length.is_some();
    if is_verified {
        // SAFETY: verified when the library was loaded.
        unsafe { from_type_over(BYTES, EMPTY.as_ptr().cast(), out) };
    } else {
        *out = PackedByteArray::new().to_variant();
    }
    if size == 0 {
        return write(&mut []);
    }
    // SAFETY: the payload is the array, which has one reference: that of the Variant. If it could be resized, it has that many
    // elements, one after the other.
    unsafe {
        let array = engine().interface.payload[BYTES](out.var_sys_mut());
        if !resize(array.cast(), BYTES, size) {
            return note_refusal();
        }
        let first = match is_verified {
            true => first_byte(&*array.cast()).cast_mut(),
            false => sys::interface_fn!(packed_byte_array_operator_index)(array.cast(), 0),
        };
        write(std::slice::from_raw_parts_mut(first, size));
    }
}

/// Returns the array in a Variant, or an empty one.
pub(crate) fn byte_array(variant: &Variant) -> PackedByteArray {
    variant.try_to().unwrap_or_default()
}

/// Returns a packed array of `size` elements that `write` fills. It is empty if there is no memory for them.
pub(crate) fn packed<T>(size: usize, write: impl FnOnce(&mut [T])) -> NewValue
where
    T: Copy + PackedElement,
    PackedArray<T>: ToGodot,
{
    let mut value = PackedArray::<T>::new().to_variant();
    let variant_type = type_of(&value);
    // SAFETY: the payload is the array, which has one reference: that of the value.
    unsafe {
        let array = engine().interface.payload[variant_type](value.var_sys_mut());
        if resize(array.cast(), variant_type, size) {
            write((*array.cast::<PackedArray<T>>()).as_mut_slice());
        } else {
            note_refusal();
        }
    }
    value.into()
}

/// Resizes a container at a payload. Returns false if there is no memory for it.
///
/// # Safety
/// The payload must be of that type.
pub(super) unsafe fn resize(container: *mut u8, variant_type: usize, size: usize) -> bool {
    let size = size as i64;
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    // The engine's `OK` is 0.
    let mut error = 1_i64;
    if let Some(method) = engine().interface.resize[variant_type] {
        // SAFETY: the method takes an int and returns an int.
        unsafe { method(container.cast(), arguments.as_ptr(), (&raw mut error).cast(), 1) };
    }
    error == 0
}
