//! New packed arrays, which are filled in place.

use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU32, Ordering};

use godot::builtin::{Color, PackedArray, PackedByteArray, Variant, Vector2, Vector3, Vector4};
use godot::meta::{PackedElement, ToGodot};
use godot::sys;

use super::container::bytes;
use super::create::{from_type_over, scalar};
use super::engine::engine;
use super::interface::BYTES;
use super::memory::note_refusal;
use super::new_value::NewValue;
use super::unfilled::resize_unfilled;
use super::view::{first_element, payload, type_of};

/// Puts a packed array of `size` elements, which `write` fills completely, in place of `out`. It is empty if there is no memory for
/// them; `write` is not called then.
// Filled within the Variant: to put an array into a Variant copies it, with its reference count.
#[inline(always)]
pub(crate) fn put_packed<T>(out: &mut Variant, size: usize, write: impl FnOnce(&mut [T]))
where
    T: PackedElement,
    PackedArray<T>: ToGodot,
{
    put_empty::<T>(out);
    if size == 0 {
        return write(&mut []);
    }
    let variant_type = T::VARIANT_TYPE.ord as usize;
    // SAFETY: the payload is the array, in the engine's own form as the bindings keep it, which has one reference: that of the Variant.
    // If it could be resized, it has that many elements, one after the other.
    unsafe {
        let array: *mut PackedArray<T> = engine().interface.payload[variant_type](out.var_sys_mut()).cast();
        let is_unfilled = variant_type == BYTES && resize_unfilled(&mut *array.cast(), size);
        if !is_unfilled && !resize(array.cast(), variant_type, size) {
            return note_refusal();
        }
        if engine().layout.packed_length.is_some() {
            write(std::slice::from_raw_parts_mut(first_element(array.cast()).cast_mut().cast(), size));
        } else {
            write((*array).as_mut_slice());
        }
    }
}

/// Puts bytes into the PackedByteArray of a Variant if no other Variant has it. Returns whether that was done. To create an array, and
/// to free the old one, takes longer than to write a small packet.
#[inline(always)]
pub(crate) fn overwrite(array: &mut Variant, bytes: &[u8]) -> bool {
    let Some((place, size)) = own_bytes(array).filter(|_| !bytes.is_empty()) else { return false };
    // SAFETY: no other thread can use the array. The engine copies elements that are shared, by a script in another language,
    // before it returns their address for writing.
    unsafe {
        if size != bytes.len() && !resize(place, BYTES, bytes.len()) {
            return false;
        }
        let first = sys::interface_fn!(packed_byte_array_operator_index)(place.cast(), 0);
        first.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    true
}

/// Returns whether a value is a PackedByteArray that [`overwrite`] can use if no other Variant has it.
#[inline(always)]
pub(crate) fn is_reusable(value: &Variant) -> bool {
    type_of(value) == BYTES && engine().layout.packed_references.is_some()
}

/// Returns the number of bytes if the value is a PackedByteArray that no other Variant has, or `None`.
pub(crate) fn size_of_own_bytes(value: &Variant) -> Option<usize> {
    own_bytes(value).map(|(_, size)| size)
}

/// Returns the address of the array and its number of bytes if the value is a PackedByteArray that no other Variant has.
#[inline(always)]
fn own_bytes(value: &Variant) -> Option<(*mut u8, usize)> {
    let before = engine().layout.packed_references.filter(|_| type_of(value) == BYTES)?;
    // SAFETY: verified when the library was loaded: this is the number of Variants that have the array. If there is no other, no
    // other thread can use it.
    unsafe {
        let place = payload::<u8>(value, BYTES).cast_mut();
        let references = (*place.sub(before).cast::<AtomicU32>()).load(Ordering::Acquire);
        (references == 1).then(|| (place, bytes(&*place.cast::<PackedByteArray>()).len()))
    }
}

/// A packed array without elements, in the engine's own form, if the layout is as assumed.
pub(super) const EMPTY: [usize; 2] = [0; 2];

/// Puts an empty packed array in place of `out`.
#[inline(always)]
fn put_empty<T: PackedElement>(out: &mut Variant)
where
    PackedArray<T>: ToGodot,
{
    if engine().layout.packed_length.is_some() {
        // SAFETY: verified when the library was loaded.
        unsafe { from_type_over(T::VARIANT_TYPE.ord as usize, EMPTY.as_ptr().cast(), out) };
    } else {
        *out = PackedArray::<T>::new().to_variant();
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
    let mut value = ManuallyDrop::new(scalar::null());
    put_packed(&mut value, size, write);
    // SAFETY: the Variant is not used again.
    unsafe { NewValue::taken(&value) }
}

/// The elements of a packed array that consist of numbers.
///
/// # Safety
/// All bytes must be numbers of the size [`NUMBER`](Self::NUMBER), in wire order, and any bytes must be valid.
pub(crate) unsafe trait OfNumbers: Copy + PackedElement {
    /// The bytes of a number.
    const NUMBER: usize;
}

macro_rules! of_numbers {
    ($($element:ty: $number:ty),*) => {
        $(
            // SAFETY: a number, or contiguous numbers.
            unsafe impl OfNumbers for $element {
                const NUMBER: usize = size_of::<$number>();
            }
        )*
    };
}
of_numbers!(u8: u8, i32: i32, i64: i64, f32: f32, f64: f64, Vector2: f32, Vector3: f32, Vector4: f32, Color: f32);

/// Returns a packed array of the elements on the wire.
pub(crate) fn packed_of_wire<T: OfNumbers>(wire: &[u8]) -> NewValue
where
    PackedArray<T>: ToGodot,
{
    packed(wire.len() / size_of::<T>(), |elements: &mut [T]| {
        let size = size_of_val(elements);
        // SAFETY: the elements are numbers without padding, for which any bytes are valid.
        let bytes = unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast::<u8>(), size) };
        bytes.copy_from_slice(&wire[..size]);
        if cfg!(target_endian = "big") {
            bytes.chunks_exact_mut(T::NUMBER).for_each(<[u8]>::reverse);
        }
    })
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
