//! Values of several numbers of 32 bits that are written where they belong. Those of four numbers or more do not fit in a
//! [`NewValue`].

use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use godot::builtin::Variant;
use varbytes::{InPlace, Profile, VariantType};

use super::create::{from_type_over, from_words, scalar};
use super::engine::engine;
use super::layout::assemble;
use super::new_value::{LazyVariant, NewValue};
use super::view::{owns_nothing, payload, type_of};

/// How many numbers a value of each type has, or 0 for other types.
const COUNTS: [u8; 32] = {
    let mut counts = [0; 32];
    let mut id = 0;
    while id < counts.len() {
        let variant_type = Profile::NEWEST.types()[id];
        counts[id] = (variant_type.real_components() + variant_type.integer_components()) as u8;
        id += 1;
    }
    counts[VariantType::Color as usize] = 4;
    counts
};

/// The bytes of a value that is a vector or consists of several, as many as its type has.
pub(crate) struct WireNumbers<'b> {
    pub(super) variant_type: usize,
    pub(super) bytes: &'b [u8],
}

impl<'b> WireNumbers<'b> {
    /// Returns the value of a packet, or `None` if it is any other. Bytes after the value do not matter.
    #[inline(always)]
    pub(super) fn of_packet(bytes: &'b [u8]) -> Option<Self> {
        let (header, rest) = bytes.split_first_chunk()?;
        let variant_type = u32::from_le_bytes(*header) as usize;
        let count = usize::from(*COUNTS.get(variant_type)?);
        if count == 0 { None } else { Some(Self { variant_type, bytes: rest.get(..4 * count)? }) }
    }

    /// Returns the content of a value, or `None` if it is any other.
    #[inline(always)]
    pub(crate) fn of_value(value: &'b Variant) -> Option<Self> {
        let variant_type = type_of(value);
        let count = usize::from(*COUNTS.get(variant_type)?);
        if count == 0 || cfg!(target_endian = "big") {
            return None;
        }
        // SAFETY: the engine stores these types as that many numbers of 32 bits, in wire order.
        let bytes = unsafe { std::slice::from_raw_parts(payload(value, variant_type), 4 * count) };
        Some(Self { variant_type, bytes })
    }

    /// The number of bytes with which the value is written.
    #[inline(always)]
    pub(crate) const fn length(&self) -> usize {
        4 + self.bytes.len()
    }

    /// Writes the value into a space of its size.
    #[inline(always)]
    pub(crate) fn copy_to(&self, space: &mut [u8]) {
        let Some((header, rest)) = space.split_first_chunk_mut() else { return };
        *header = (self.variant_type as u32).to_le_bytes();
        // The usual sizes are copied without a call.
        match self.bytes.len() {
            8 => copy_chunk::<8>(self.bytes, rest),
            12 => copy_chunk::<12>(self.bytes, rest),
            16 => copy_chunk::<16>(self.bytes, rest),
            _ => rest.copy_from_slice(self.bytes),
        }
    }

    /// # Panics
    /// Panics if the type has another number of bytes.
    #[inline(always)]
    pub(crate) fn new(variant_type: VariantType, bytes: &'b [u8]) -> Self {
        let count = COUNTS[variant_type as usize];
        assert!(count != 0 && bytes.len() == 4 * usize::from(count));
        Self { variant_type: variant_type as usize, bytes }
    }

    /// Writes the value over another one.
    ///
    /// # Safety
    /// A Variant must be there.
    #[inline(always)]
    pub(super) unsafe fn write_over(&self, place: *mut Variant) {
        // SAFETY: by the caller. The engine stores these types as that many numbers, in wire order, at most 16.
        unsafe {
            match self.in_place() {
                Some(words) if owns_nothing(&*place) => place.write(assemble(self.variant_type, words)),
                _ => self.by_engine_over(place),
            }
        }
    }

    /// Writes the value over another one, which it returns if it must be dropped.
    #[inline(always)]
    pub(crate) fn replace(&self, value: &mut Variant) -> LazyVariant {
        // What values of these types own is not shared with other Variants, and used again for the same type.
        let stays = owns_nothing(value) || type_of(value) == self.variant_type;
        let old = if stays { scalar::null() } else { std::mem::replace(value, scalar::null()) };
        // SAFETY: a live Variant.
        unsafe { self.write_over(value) };
        LazyVariant::new(old)
    }

    /// Returns the words of a Variant's payload, or `None` if the value is longer or if that is not known of the engine.
    #[inline(always)]
    fn in_place(&self) -> Option<[u32; 4]> {
        let layout = &engine().layout;
        self.few().filter(|_| layout.assembled && layout.in_place[self.variant_type])
    }

    /// Returns the numbers, followed by zeroes, if there are up to four.
    #[inline(always)]
    fn few(&self) -> Option<[u32; 4]> {
        let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        match self.bytes.as_chunks().0 {
            [x, y] => Some([word(x), word(y), 0, 0]),
            [x, y, z] => Some([word(x), word(y), word(z), 0]),
            [x, y, z, w] => Some([x, y, z, w].map(word)),
            _ => None,
        }
    }

    /// Writes the value over another one, whatever the layout is. Also for a `RID`.
    ///
    /// # Safety
    /// As for [`write_over`](Self::write_over).
    #[inline(never)]
    pub(super) unsafe fn by_engine_over(&self, place: *mut Variant) {
        let mut words = [0; 16];
        words.iter_mut().zip(self.bytes.as_chunks().0).for_each(|(place, bytes)| *place = u32::from_le_bytes(*bytes));
        let components: *const u8 = words.as_ptr().cast();
        // SAFETY: as there.
        unsafe {
            if type_of(&*place) == self.variant_type {
                // The initial value of a typed container. It has as many bytes of its own.
                let target = payload::<u8>(&*place, self.variant_type).cast_mut();
                target.copy_from_nonoverlapping(components, self.bytes.len());
            } else {
                from_type_over(self.variant_type, components, place);
            }
        }
    }

    /// Returns the value as a Variant.
    #[inline(always)]
    pub(crate) fn into_variant(self) -> Variant {
        match self.in_place() {
            // SAFETY: as for `write_over`.
            Some(words) => unsafe { assemble(self.variant_type, words) },
            None => self.by_engine(),
        }
    }

    /// Returns the value as a Variant, whatever the layout is.
    #[inline(never)]
    fn by_engine(self) -> Variant {
        let mut value = Variant::nil();
        // SAFETY: a live Variant.
        unsafe { self.by_engine_over(&raw mut value) };
        value
    }

    /// Returns the value as two words, or on the heap if it has more than three numbers.
    #[inline(always)]
    pub(crate) fn into_value(self) -> NewValue {
        match self.few() {
            Some([x, y, z, _]) if self.bytes.len() <= 12 => from_words(self.variant_type, [x, y, z]),
            _ => self.into_variant().into(),
        }
    }
}

#[inline(always)]
fn copy_chunk<const SIZE: usize>(from: &[u8], to: &mut [u8]) {
    if let (Some(from), Some(to)) = (from.first_chunk::<SIZE>(), to.first_chunk_mut()) {
        *to = *from;
    }
}

/// Returns a value as a Variant, which does not have to be dropped, or `None` if the engine does not store it as expected.
#[inline(always)]
pub(crate) fn in_place(value: InPlace) -> Option<ManuallyDrop<Variant>> {
    if !is_in_place(value) {
        return None;
    }
    let [[first, second], [third, fourth]] =
        value.payload.map(|word| [(word & 0xFFFF_FFFF) as u32, (word >> 32) as u32]);
    // SAFETY: the payload is what the engine stores, as verified when the library was loaded. These types own nothing.
    Some(ManuallyDrop::new(unsafe { assemble(value.variant_type as usize, [first, second, third, fourth]) }))
}

/// Returns whether the engine stores a value as expected.
#[inline(always)]
pub(crate) fn is_in_place(value: InPlace) -> bool {
    let layout = &engine().layout;
    layout.assembled && (value.variant_type == VariantType::Nil || layout.in_place[value.variant_type as usize])
}

/// Writes a value over another one, word by word, as it was just written: avoids a store-forwarding stall.
///
/// # Safety
/// A Variant must be there, and [`is_in_place`] must be true.
#[inline(always)]
pub(super) unsafe fn write_in_place(place: NonNull<Variant>, value: InPlace) {
    let [first, second] = value.payload;
    // SAFETY: by the caller. A Variant is these three words, as verified when the library was loaded.
    unsafe {
        if !owns_nothing(place.as_ref()) {
            place.drop_in_place();
        }
        place.cast::<[u64; 3]>().write([value.variant_type as u64, first, second]);
    }
}
