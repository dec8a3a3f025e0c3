//! Writing what the engine keeps in another form than a tree does.

use godot::builtin::GString;
use varbytes::variant::Reals;
use varbytes::write::{Sink, Writer};
use varbytes::{EncodeErrorKind, VariantType};

use crate::raw::chars;

/// A `String` from UTF-32.
#[inline]
pub(crate) fn string<S: Sink>(writer: &mut Writer<'_, S>, text: &[u32]) -> Result<(), EncodeErrorKind> {
    writer.string_utf32(text)
}

/// A `StringName` from UTF-32.
pub(crate) fn string_name<S: Sink>(writer: &mut Writer<'_, S>, text: &[u32]) -> Result<(), EncodeErrorKind> {
    writer.string_name_utf32(text)
}

/// A `PackedStringArray`.
pub(crate) fn packed_strings<S: Sink>(writer: &mut Writer<'_, S>, strings: &[GString]) -> Result<(), EncodeErrorKind> {
    writer.packed_strings_utf32(strings.iter().map(chars))
}

/// A packed array of vectors or colours from all of their components.
pub(crate) fn packed_reals<S: Sink>(
    writer: &mut Writer<'_, S>,
    variant_type: VariantType,
    components: &[f32],
) -> Result<(), EncodeErrorKind> {
    writer.packed_reals(variant_type, Reals::Single(components))
}
