//! What a successful call returns.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;

/// The content of a successful result.
pub(crate) struct Outcome {
    pub(crate) value: Variant,
    /// The number of bytes that the value takes.
    pub(crate) used: usize,
    /// What another engine's format could not hold exactly; one line each.
    pub(crate) losses: Vec<String>,
}

impl Outcome {
    /// A value in the running engine's format.
    pub(crate) fn new(value: Variant, used: usize) -> Self {
        Self { value, used, losses: Vec::new() }
    }

    /// The success of a call that returns no value.
    pub(crate) fn done() -> Self {
        Self::new(Variant::nil(), 0)
    }
}

/// The bytes of a value.
pub(crate) struct Encoded {
    pub(crate) bytes: PackedByteArray,
    /// What another engine's format could not hold exactly; one line each.
    pub(crate) losses: Vec<String>,
}

impl From<PackedByteArray> for Encoded {
    fn from(bytes: PackedByteArray) -> Self {
        Self { bytes, losses: Vec::new() }
    }
}

impl From<Encoded> for Outcome {
    fn from(encoded: Encoded) -> Self {
        Self { value: encoded.bytes.to_variant(), used: encoded.bytes.len(), losses: encoded.losses }
    }
}
