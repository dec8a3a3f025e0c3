//! What a call reads, and what it returns if it succeeds.

use std::ops::Range;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;

use crate::raw::{bytes, scalar};

/// Bytes to read.
#[derive(Clone, Copy)]
pub(crate) struct Packet<'p> {
    pub(crate) bytes: &'p [u8],
    /// The number of bytes before them, which errors add to their offsets.
    pub(crate) base: usize,
    /// The array that contains the bytes, if it is known.
    pub(crate) array: Option<&'p PackedByteArray>,
    /// Whether the fast path has been tried.
    pub(crate) is_tried: bool,
}

impl<'p> Packet<'p> {
    /// All bytes of an array.
    pub(crate) fn whole(array: &'p PackedByteArray) -> Self {
        Self { bytes: bytes(array), base: 0, array: Some(array), is_tried: false }
    }

    /// Bytes that `base` others precede.
    pub(crate) const fn part(bytes: &'p [u8], base: usize) -> Self {
        Self { bytes, base, array: None, is_tried: false }
    }

    /// Some of the bytes, which must be in the packet.
    pub(crate) fn part_of(self, part: Range<usize>) -> Self {
        Self { base: self.base + part.start, bytes: &self.bytes[part], ..self }
    }
}

/// The content of a successful result.
pub(crate) struct Outcome {
    pub(crate) value: Variant,
    /// The number of bytes that the value takes.
    pub(crate) used: usize,
    /// What was lost: what another engine's format could not hold exactly, what scripts of objects did not accept, and listed objects that
    /// became ids. One line each.
    pub(crate) losses: Vec<String>,
}

impl Outcome {
    /// A value in the running engine's format.
    pub(crate) fn new(value: Variant, used: usize) -> Self {
        Self { value, used, losses: Vec::new() }
    }

    /// A value of this size was written.
    pub(crate) fn written(size: usize, losses: Vec<String>) -> Self {
        Self { losses, ..Self::new(scalar::null(), size) }
    }

    /// The success of a call that returns no value.
    pub(crate) fn done() -> Self {
        Self::new(Variant::nil(), 0)
    }
}

/// Returns the first 1000 losses, and a line with the number of the others.
pub(crate) fn up_to_most(mut lines: Vec<String>) -> Vec<String> {
    const MOST: usize = 1000;
    if lines.len() > MOST {
        let count = lines.len() - MOST;
        lines.truncate(MOST);
        lines.push(format!("{count} more"));
    }
    lines
}

/// The bytes of a value.
pub(crate) struct Encoded {
    pub(crate) bytes: PackedByteArray,
    /// What another engine's format could not hold exactly, and listed objects that became ids; one line each.
    pub(crate) losses: Vec<String>,
}

impl From<Encoded> for Outcome {
    fn from(encoded: Encoded) -> Self {
        let used = encoded.bytes.len();
        Self { value: encoded.bytes.to_variant(), used, losses: encoded.losses }
    }
}

impl From<PackedByteArray> for Encoded {
    fn from(bytes: PackedByteArray) -> Self {
        Self { bytes, losses: Vec::new() }
    }
}
