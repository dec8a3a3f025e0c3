//! Creates the engine's values from those that the codec has read and that contain no others.

use godot::builtin::PackedByteArray;
use varbytes::Single;

use super::packed::packed_array;
use crate::raw::{self, LazyVariant, NewValue, WireNumbers, scalar};

/// Creates a value. `array` is the one that contains the packet, if it is known.
#[inline(always)]
pub(super) fn value_of(single: Single<'_>, array: Option<&PackedByteArray>) -> NewValue {
    match single {
        Single::Nil => scalar::nil(),
        Single::Bool(value) => scalar::bool(value),
        Single::Int(value) => scalar::int(value),
        Single::Float(value) => scalar::float(value),
        Single::Ascii(text) => text_of_ascii(text),
        Single::NotAscii(text) => text_of_utf8(text),
        Single::AsciiName(text) => raw::name_of_ascii(text),
        Single::NotAsciiName(text) => name_of_utf8(text),
        Single::Numbers(variant_type, bytes) => WireNumbers::new(variant_type, bytes).into_value(),
        Single::Rid(id) => raw::rid(id),
        Single::Packed(variant_type, elements) => packed_array(variant_type, elements, false, array),
    }
}

/// Creates a key, which is dropped by a few instructions if it is a number.
#[inline(always)]
pub(super) fn key_of(key: Single<'_>) -> LazyVariant {
    LazyVariant::new(match key {
        // A value of four numbers does not fit in two words.
        Single::Numbers(variant_type, bytes) => WireNumbers::new(variant_type, bytes).into_variant(),
        key => value_of(key, None).into_variant(),
    })
}

/// Returns the text. If the bytes are not UTF-8, notes that the value is not complete.
#[inline(never)]
fn text_of_utf8(text: &[u8]) -> NewValue {
    raw::string_of_utf8(text).unwrap_or_else(|| {
        raw::note_refusal();
        // Still text: the engine would print an error about another type in a typed container.
        raw::string_of_ascii(b"")
    })
}

/// Returns the name. If the bytes are not UTF-8, notes that the value is not complete.
#[inline(never)]
pub(super) fn name_of_utf8(text: &[u8]) -> NewValue {
    raw::string_name(str::from_utf8(text).unwrap_or_else(|_| {
        raw::note_refusal();
        ""
    }))
}

// Not inlined, so that numbers need no space for its state.
#[inline(never)]
fn text_of_ascii(text: &[u8]) -> NewValue {
    raw::string_of_ascii(text)
}
