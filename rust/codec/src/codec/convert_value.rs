//! The conversions between values that the engine makes for members of typed containers.

use alloc::string::ToString;

use crate::error::DecodeErrorKind;
use crate::{Variant, VariantType};

/// The value as Godot 4.6 converts it (`Variant` constructors), for the pairs that
/// `Variant.can_convert_strict` allows.
pub(super) fn convert(value: Variant, to: VariantType) -> Result<Variant, DecodeErrorKind> {
    let from = value.variant_type();
    match (value, to) {
        (Variant::Bool(value), VariantType::Int) => Ok(Variant::Int(i64::from(value))),
        (Variant::Bool(value), VariantType::Float) => Ok(Variant::Float(f64::from(u8::from(value)))),
        (Variant::Int(value), VariantType::Bool) => Ok(Variant::Bool(value != 0)),
        (Variant::String(text), VariantType::StringName) => Ok(Variant::StringName(text)),
        (Variant::StringName(text), VariantType::String) => Ok(Variant::String(text)),
        (Variant::NodePath(path), VariantType::String) => Ok(Variant::String(path.to_string())),
        _ => Err(DecodeErrorKind::UnsupportedConversion { from, to }),
    }
}
