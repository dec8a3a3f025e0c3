//! Coercion of the members of typed containers, as the engine does it.
//!
//! Supports every pair of types that `Variant.can_convert_strict` allows. Results match Godot 4.6.3 bit for bit, and depend on how
//! it was built ([`EngineBuild`]). If a result depends on something that is not in the bytes, coercion fails instead of guessing.

mod color;
mod color_names;
mod geometry;
pub(crate) mod member;
mod nested_text;
pub(crate) mod node_path;
mod number;
mod packed;
mod real;
mod rotation;
mod text;

pub(crate) use real::Real;

use crate::error::DecodeErrorKind;
use crate::variant::Object;
use crate::{Architecture, Precision, Variant, VariantType, work};

/// Properties of an engine build that affect coerced values.
///
/// ```
/// use varbytes::build::EngineBuild;
///
/// let build = EngineBuild::default();
/// assert_eq!((build.precision, build.is_release), (None, false));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineBuild {
    /// The precision of its components, if known.
    pub precision: Option<Precision>,
    /// Whether it is a release build: an export template without debugging, used by exported games.
    pub is_release: bool,
    /// The processor architecture that it is built for.
    pub architecture: Architecture,
}

impl EngineBuild {
    fn is_double(self) -> bool {
        self.precision == Some(Precision::Double)
    }
}

/// Coerces a value as Godot 4.6 does (`Variant` constructors), for the pairs of types that `Variant.can_convert_strict`
/// allows. The engine drops no member of these pairs.
///
/// A double-precision engine has 8-byte components, whatever the packet contains. If the precision of the engine is not
/// known, components keep the size they have on the wire.
pub(crate) fn convert(value: Variant, to: VariantType, build: EngineBuild) -> Result<Variant, DecodeErrorKind> {
    work::add_bytes_of(|| value.content_size());
    let from = value.variant_type();
    convert_exactly(value, to, build).ok_or(DecodeErrorKind::UnsupportedCoercion { from, to })
}

/// Returns the total length of the members of an array as text, as a `PackedStringArray` stores them.
pub(super) fn length_of_members(value: &Variant, build: EngineBuild) -> Result<usize, DecodeErrorKind> {
    let Variant::Array(array) = value else { return Ok(0) };
    let (from, to) = (VariantType::Array, VariantType::PackedStringArray);
    let length = nested_text::length_of_texts(array.elements(), build);
    length.ok_or(DecodeErrorKind::UnsupportedCoercion { from, to })
}

/// Returns `None` if the engine's result is not known exactly.
fn convert_exactly(value: Variant, to: VariantType, build: EngineBuild) -> Option<Variant> {
    Some(match (value, to) {
        (Variant::Int(value), VariantType::Bool) => Variant::Bool(value != 0),
        (Variant::Float(value), VariantType::Bool) => Variant::Bool(value != 0.0),
        (Variant::Bool(value), VariantType::Int) => Variant::Int(i64::from(value)),
        (Variant::Float(value), VariantType::Int) => Variant::Int(build.architecture.to_i64(value)),
        (Variant::Bool(value), VariantType::Float) => Variant::Float(f64::from(u8::from(value))),
        #[expect(clippy::cast_precision_loss, reason = "rounding to the nearest is what the engine does")]
        (Variant::Int(value), VariantType::Float) => Variant::Float(value as f64),
        (Variant::StringName(text), VariantType::String) => Variant::String(*text),
        (Variant::NodePath(path), VariantType::String) => Variant::String(node_path::to_text(&path).into()),
        (Variant::String(text), VariantType::StringName) => Variant::StringName(text.into()),
        (Variant::String(text), VariantType::NodePath) => Variant::from(node_path::parse(&text)),
        (Variant::Int(number), VariantType::Color) => Variant::Color(color::from_int(number)),
        (Variant::String(text), VariantType::Color) => Variant::Color(color::from_text(&text)),
        (Variant::Object(Object::Null | Object::Id(_)), VariantType::RID) => Variant::RID(0),
        // The engine calls the object's `get_rid`, whose result is not in the bytes.
        (Variant::Object(Object::Data(_)), VariantType::RID) => return None,
        (Variant::Array(array), to) => return packed::from_array(array.elements(), to, build),
        (packed, VariantType::Array) => Variant::Array(packed::to_array(packed)?),
        (basis @ Variant::Basis(_), VariantType::Quaternion) => {
            return rotation::quaternion_of_basis(&basis, build);
        }
        (quaternion @ Variant::Quaternion(_), to) => return rotation::from_quaternion(&quaternion, to, build),
        (value, to) => return geometry::convert(&value, to, build),
    })
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;

    use super::*;

    fn converted(value: impl Into<Variant>, to: VariantType) -> Variant {
        convert(value.into(), to, EngineBuild::default()).unwrap()
    }

    // Expected values: observed on 4.6.3.

    #[test]
    fn a_float_is_true_unless_it_is_a_zero() {
        assert_eq!(converted(f64::NAN, VariantType::Bool), Variant::Bool(true));
        assert_eq!(converted(5e-324, VariantType::Bool), Variant::Bool(true));
        assert_eq!(converted(-0.0, VariantType::Bool), Variant::Bool(false));
    }

    #[test]
    fn an_int_above_2_to_the_53_is_rounded_to_a_float() {
        assert_eq!(converted(9_007_199_254_740_993_i64, VariantType::Float), Variant::Float(9_007_199_254_740_992.0));
    }

    #[test]
    fn string_and_string_name_hold_the_same_text() {
        assert_eq!(converted("a:b", VariantType::StringName), Variant::StringName("a:b".into()));
        assert_eq!(converted(Variant::StringName("a".into()), VariantType::String), Variant::from("a"));
    }

    #[test]
    fn an_object_id_has_no_rid() {
        assert_eq!(converted(Object::Id(7), VariantType::RID), Variant::RID(0));
        assert_eq!(converted(Object::Null, VariantType::RID), Variant::RID(0));
    }

    #[test]
    fn the_rid_of_a_full_object_is_not_known() {
        let object = Variant::Object(Object::Data(Box::default()));
        let unsupported = DecodeErrorKind::UnsupportedCoercion { from: VariantType::Object, to: VariantType::RID };
        assert_eq!(convert(object, VariantType::RID, EngineBuild::default()), Err(unsupported));
    }
}
