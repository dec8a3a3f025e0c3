//! The same logical document as a value of another format.
//!
//! Packed arrays become arrays, but for bytes where the format has such; vectors become arrays of their components, objects
//! maps of class and properties, names and paths text.

use varbytes::Variant;
use varbytes::variant::{Object, Reals};

/// A value of another format.
pub(super) trait Other: Sized {
    fn nil() -> Self;
    fn bool(value: bool) -> Self;
    fn int(value: i64) -> Self;
    fn float(value: f64) -> Self;
    fn single(value: f32) -> Self;
    fn text(text: &str) -> Self;
    fn bytes(bytes: &[u8]) -> Self;
    fn array(elements: Vec<Self>) -> Self;
    fn map(entries: Vec<(Self, Self)>) -> Self;
}

/// The value of another format that stands for `value`.
///
/// # Panics
/// For types that no document has.
pub(super) fn convert<T: Other>(value: &Variant) -> T {
    match value {
        Variant::Nil => T::nil(),
        Variant::Bool(value) => T::bool(*value),
        Variant::Int(value) => T::int(*value),
        Variant::Float(value) => T::float(*value),
        Variant::String(text) | Variant::StringName(text) => T::text(text),
        Variant::NodePath(path) => T::text(&path.to_string()),
        Variant::Color(color) => singles(&color.to_array()),
        Variant::Array(array) => T::array(array.elements().iter().map(convert).collect()),
        Variant::Dictionary(dictionary) => {
            T::map(dictionary.entries().iter().map(|(key, value)| (convert(key), convert(value))).collect())
        }
        Variant::Object(Object::Data(data)) => {
            let properties = data.properties.iter().map(|(name, value)| (T::text(name), convert(value)));
            T::map([(T::text("class"), T::text(&data.class))].into_iter().chain(properties).collect())
        }
        Variant::PackedByteArray(bytes) => T::bytes(bytes),
        Variant::PackedInt32Array(elements) => {
            T::array(elements.iter().map(|element| T::int(i64::from(*element))).collect())
        }
        Variant::PackedInt64Array(elements) => T::array(elements.iter().map(|element| T::int(*element)).collect()),
        Variant::PackedFloat32Array(elements) => singles(elements),
        Variant::PackedFloat64Array(elements) => T::array(elements.iter().map(|element| T::float(*element)).collect()),
        Variant::PackedStringArray(elements) => T::array(elements.iter().map(|element| T::text(element)).collect()),
        Variant::PackedColorArray(elements) => {
            T::array(elements.iter().map(|color| singles(&color.to_array())).collect())
        }
        Variant::PackedVector2Array(elements) => vectors(elements),
        Variant::PackedVector3Array(elements) => vectors(elements),
        Variant::PackedVector4Array(elements) => vectors(elements),
        reals => match reals.as_reals() {
            Some(Reals::Single(components)) => singles(components),
            _ => unimplemented!("no document has {:?}", reals.variant_type()),
        },
    }
}

fn singles<T: Other>(components: &[f32]) -> T {
    T::array(components.iter().map(|component| T::single(*component)).collect())
}

fn vectors<T: Other, const N: usize>(elements: &varbytes::variant::PackedReals<N>) -> T {
    match elements {
        varbytes::variant::PackedReals::Single(elements) => {
            T::array(elements.iter().map(|element| singles(element)).collect())
        }
        varbytes::variant::PackedReals::Double(_) => unimplemented!("no document has vectors of 8 bytes"),
    }
}
