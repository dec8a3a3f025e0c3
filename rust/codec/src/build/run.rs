//! Consecutive elements of an array that are read together.

use crate::VariantType;
use crate::wire::WORD;

/// Consecutive elements of an array, all of one type and size, as they are encoded.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct FixedRun<'a> {
    /// The type: `Nil`, `RID`, `Color`, a type made of reals or of integers, or `Object` for ids of objects.
    pub variant_type: VariantType,
    /// All of them, with their headers.
    pub bytes: &'a [u8],
    size: usize,
}

impl<'a> FixedRun<'a> {
    pub(crate) fn new(variant_type: VariantType, bytes: &'a [u8], size: usize) -> Self {
        Self { variant_type, bytes, size }
    }

    /// Returns the bytes of each element, without its header: reals and integers of 4 bytes, little-endian, in wire order.
    pub fn payloads(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.bytes.chunks_exact(self.size).map(|element| &element[WORD..])
    }

    /// Returns the bytes of each element, if it has `SIZE` of them with its header.
    #[must_use]
    pub fn elements<const SIZE: usize>(&self) -> &'a [[u8; SIZE]] {
        if SIZE == self.size { self.bytes.as_chunks().0 } else { &[] }
    }
}

/// A type whose values have one size, as the reader finds it.
#[derive(Clone, Copy)]
pub(crate) struct Fixed {
    pub(crate) header: u32,
    pub(crate) variant_type: VariantType,
    /// The number of bytes of a value after its header.
    pub(crate) size: usize,
    /// The memory that a value takes besides its slot.
    pub(crate) cost: usize,
}

impl Fixed {
    /// No type: no input is as long as its values.
    pub(crate) const NONE: Self = Self { header: u32::MAX, variant_type: VariantType::Nil, size: usize::MAX, cost: 0 };
}
