//! Packets that are one short packed array of numbers, vectors or colors. They are read and written without the codec, and read into the
//! array that an earlier value has left, if there is one: to create an array takes longer than to copy a few elements.

use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU32, Ordering};

use godot::builtin::Variant;
use godot::sys;

use super::create::{from_type_over, scalar};
use super::engine::engine;
use super::interface::BYTES;
use super::new_bytes::{EMPTY, resize};
use super::new_value::NewValue;
use super::view::{elements, first_element, owns_nothing, payload, type_of};

/// The bytes of an element of each packed array, from `PackedByteArray` on. 0 for strings, which differ in size.
pub(crate) const ELEMENT_SIZES: [u8; 10] = [1, 4, 8, 4, 8, 0, 8, 12, 16, 16];

/// The bytes of a header and a count.
const BEFORE: usize = 8;

/// The most bytes of elements. Longer arrays are read and written in another way.
const MOST: usize = 4 << 10;

/// The elements of a packed array that is a packet.
pub(crate) struct PackedNumbers<'b> {
    variant_type: usize,
    count: usize,
    elements: &'b [u8],
    /// The number of bytes of the value.
    pub(crate) length: usize,
}

impl<'b> PackedNumbers<'b> {
    /// Returns the array of a packet, or `None` for any other value and for long arrays. Bytes after the value do not matter.
    #[inline(always)]
    pub(super) fn of_packet(packet: &'b [u8]) -> Option<Self> {
        let (&[id, 0, 0, 0, count @ ..], rest) = packet.split_first_chunk::<BEFORE>()? else { return None };
        let variant_type = usize::from(id);
        let size = usize::from(*ELEMENT_SIZES.get(variant_type.wrapping_sub(BYTES))?);
        let count = u32::from_le_bytes(count) as usize;
        let bytes = count.checked_mul(size).filter(|bytes| size > 0 && *bytes <= MOST)?;
        let padded = bytes.next_multiple_of(4);
        let elements = rest.get(..padded)?.get(..bytes)?;
        let is_known = cfg!(target_endian = "little") && engine().layout.packed_length.is_some();
        is_known.then_some(Self { variant_type, count, elements, length: BEFORE + padded })
    }

    /// Returns the content of a value, or `None` for any other value and for long arrays.
    #[inline(always)]
    pub(crate) fn of_value(value: &'b Variant) -> Option<Self> {
        let variant_type = type_of(value);
        let size = usize::from(*ELEMENT_SIZES.get(variant_type.wrapping_sub(BYTES))?);
        if size == 0 || cfg!(target_endian = "big") {
            return None;
        }
        // SAFETY: a packed array, whose elements have so many bytes each. They live as long as the value.
        let (count, elements) = unsafe {
            let first_bytes = elements::<u8>(payload(value, variant_type))?;
            let bytes = first_bytes.len().checked_mul(size).filter(|bytes| *bytes <= MOST)?;
            (first_bytes.len(), std::slice::from_raw_parts(first_bytes.as_ptr(), bytes))
        };
        Some(Self { variant_type, count, elements, length: BEFORE + elements.len().next_multiple_of(4) })
    }

    /// Writes the array into a space of its length.
    #[inline(always)]
    pub(crate) fn copy_to(&self, space: &mut [u8]) {
        let Some((before, rest)) = space.split_first_chunk_mut::<BEFORE>() else { return };
        *before = (self.variant_type as u64 | (self.count as u64) << 32).to_le_bytes();
        if let Some((place, padding)) = rest.split_at_mut_checked(self.elements.len()) {
            place.copy_from_slice(self.elements);
            padding.fill(0);
        }
    }

    /// Writes the array over another value. Returns false, and leaves that or an empty array, if there is no memory for it.
    ///
    /// # Safety
    /// A Variant must be there.
    #[inline(always)]
    pub(super) unsafe fn write_over(&self, place: *mut Variant) -> bool {
        // SAFETY: by the caller. Nothing else refers to the place of a result.
        let place = unsafe { &mut *place };
        if self.overwrite(place) {
            return true;
        }
        if owns_nothing(place) {
            return self.create_over(place);
        }
        // Not before the elements were copied: the old value could be the packet, if a caller passes one variable for both.
        let Some(made) = self.create() else { return false };
        *place = made.into_variant();
        true
    }

    /// Returns the array, or `None` if there is no memory for it.
    pub(crate) fn create(&self) -> Option<NewValue> {
        let mut made = ManuallyDrop::new(scalar::null());
        if !self.create_over(&mut made) {
            drop(ManuallyDrop::into_inner(made));
            return None;
        }
        // SAFETY: the Variant is not used again.
        Some(unsafe { NewValue::taken(&made) })
    }

    #[inline(always)]
    fn create_over(&self, place: &mut Variant) -> bool {
        // SAFETY: verified when the library was loaded: an array without elements. The payload is then that array, which only the Variant
        // has, and it has so many elements, one after the other, if it could be resized.
        unsafe {
            from_type_over(self.variant_type, EMPTY.as_ptr().cast(), place);
            if self.count == 0 {
                return true;
            }
            let array = payload::<u8>(place, self.variant_type).cast_mut();
            if !resize(array, self.variant_type, self.count) {
                return false;
            }
            let first = first_element(array).cast_mut();
            first.copy_from_nonoverlapping(self.elements.as_ptr(), self.elements.len());
        }
        true
    }

    /// Writes the elements into a packed array of the same type, if no other Variant has it and if the packet is not in it. Returns whether
    /// that was done.
    #[inline(always)]
    pub(crate) fn overwrite(&self, value: &mut Variant) -> bool {
        if type_of(value) != self.variant_type || self.count == 0 {
            return false;
        }
        let Some(before) = engine().layout.packed_references else { return false };
        // SAFETY: verified when the library was loaded: the number before the array is that of the Variants that have it. If there is no
        // other, no other thread can use the array.
        unsafe {
            let array = payload::<u8>(value, self.variant_type).cast_mut();
            let references = (*array.sub(before).cast::<AtomicU32>()).load(Ordering::Acquire);
            references == 1 && self.overwrite_own(array)
        }
    }

    /// Does the same with an array that only one Variant has.
    ///
    /// # Safety
    /// There must be such an array, of this type.
    #[inline(always)]
    unsafe fn overwrite_own(&self, array: *mut u8) -> bool {
        // SAFETY: by the caller. The engine copies elements that are shared before it returns their address for writing. If they were those
        // of the packet, they would be changed while they are read.
        unsafe {
            let old = first_element(array);
            if old.is_null() || old.wrapping_add(BEFORE) == self.elements.as_ptr() {
                return false;
            }
            let has_size = elements::<u8>(array).is_some_and(|old| old.len() == self.count);
            if !has_size && !resize(array, self.variant_type, self.count) {
                return false;
            }
            first_for_writing(array, self.variant_type)
                .copy_from_nonoverlapping(self.elements.as_ptr(), self.elements.len());
        }
        true
    }
}

/// Returns the address of the first element, of an array that has some, for writing.
///
/// # Safety
/// There must be a packed array of numbers of that type.
#[inline(always)]
unsafe fn first_for_writing(array: *mut u8, variant_type: usize) -> *mut u8 {
    let array = array.cast();
    // SAFETY: by the caller.
    unsafe {
        match variant_type - BYTES {
            0 => sys::interface_fn!(packed_byte_array_operator_index)(array, 0),
            1 => sys::interface_fn!(packed_int32_array_operator_index)(array, 0).cast(),
            2 => sys::interface_fn!(packed_int64_array_operator_index)(array, 0).cast(),
            3 => sys::interface_fn!(packed_float32_array_operator_index)(array, 0).cast(),
            4 => sys::interface_fn!(packed_float64_array_operator_index)(array, 0).cast(),
            6 => sys::interface_fn!(packed_vector2_array_operator_index)(array, 0).cast(),
            7 => sys::interface_fn!(packed_vector3_array_operator_index)(array, 0).cast(),
            8 => sys::interface_fn!(packed_color_array_operator_index)(array, 0).cast(),
            _ => sys::interface_fn!(packed_vector4_array_operator_index)(array, 0).cast(),
        }
    }
}
