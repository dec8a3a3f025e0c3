//! The same logical document as a value of another format.
//!
//! Packed arrays become arrays, except bytes if the format has a type for them. Vectors become arrays of their
//! components, objects become maps of class and properties, and names and paths become text.

use varbytes::Variant;
use varbytes::variant::{Object, PackedReals, Reals, Text};

/// A value of another format.
pub(super) trait Other: From<bool> + From<i64> + From<f32> + From<f64> + for<'t> From<&'t str> {
    fn nil() -> Self;
    fn bytes(bytes: &[u8]) -> Self;
    fn array(elements: Vec<Self>) -> Self;
    fn map(entries: Vec<(Self, Self)>) -> Self;
}

/// Converts `value` to the other format.
///
/// # Panics
/// For types that are not in any document.
pub(super) fn convert<T: Other>(value: &Variant) -> T {
    match value {
        Variant::Nil => T::nil(),
        Variant::Bool(value) => (*value).into(),
        Variant::Int(value) => (*value).into(),
        Variant::Float(value) => (*value).into(),
        Variant::String(text) => text.as_str().into(),
        Variant::StringName(name) => name.as_str().into(),
        Variant::NodePath(path) => path.to_string().as_str().into(),
        Variant::Color(color) => array(color.to_array()),
        Variant::Array(array) => T::array(array.elements().iter().map(convert).collect()),
        Variant::Dictionary(dictionary) => {
            T::map(dictionary.entries().iter().map(|(key, value)| (convert(key), convert(value))).collect())
        }
        Variant::Object(Object::Data(data)) => {
            let properties = data.properties.iter().map(|(name, value)| (T::from(name.as_str()), convert(value)));
            T::map([("class".into(), data.class.as_str().into())].into_iter().chain(properties).collect())
        }
        Variant::PackedByteArray(bytes) => T::bytes(bytes),
        Variant::PackedInt32Array(elements) => array(elements.iter().map(|element| i64::from(*element))),
        Variant::PackedInt64Array(elements) => array(elements.iter().copied()),
        Variant::PackedFloat32Array(elements) => array(elements.iter().copied()),
        Variant::PackedFloat64Array(elements) => array(elements.iter().copied()),
        Variant::PackedStringArray(elements) => array(elements.iter().map(Text::as_str)),
        Variant::PackedColorArray(elements) => array(elements.iter().map(|color| array::<T, _>(color.to_array()))),
        Variant::PackedVector2Array(elements) => vectors(elements),
        Variant::PackedVector3Array(elements) => vectors(elements),
        Variant::PackedVector4Array(elements) => vectors(elements),
        reals => match reals.as_reals() {
            Some(Reals::Single(components)) => array(components.iter().copied()),
            Some(Reals::Double(components)) => array(components.iter().copied()),
            None => panic!("unexpected type {}", reals.variant_type()),
        },
    }
}

fn array<T: Other, E: Into<T>>(elements: impl IntoIterator<Item = E>) -> T {
    T::array(elements.into_iter().map(E::into).collect())
}

fn vectors<T: Other, const N: usize>(elements: &PackedReals<N>) -> T {
    match elements {
        PackedReals::Single(elements) => array(elements.iter().map(|element| array::<T, _>(*element))),
        PackedReals::Double(elements) => array(elements.iter().map(|element| array::<T, _>(*element))),
    }
}
