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
