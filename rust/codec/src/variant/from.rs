//! Conversions from Rust values.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::{boxed::Box, string::String, vec::Vec};
use core::num::TryFromIntError;

use super::godot2::{Image, InputEvent};
use super::math::{
    AABB, Basis, Color, Components, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use super::node_path::{NodePath, Signal};
use super::owned::{Array, Dictionary, Object, ObjectData, Variant};
use super::packed::PackedReals;
use super::text::Text;

macro_rules! from {
    ($($variant:ident: $($(#[$doc:meta])* $value:ty),*;)*) => {
        $($($(#[$doc])* impl From<$value> for Variant {
            fn from(value: $value) -> Self {
                Self::$variant(value.into())
            }
        })*)*
    };
}

macro_rules! from_content {
    ($($variant:ident)*) => {
        from! { $($variant: $variant;)* }

        $(impl From<&$variant> for Variant {
            fn from(value: &$variant) -> Self {
                value.clone().into()
            }
        })*
    };
}

from_content! {
    Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane Quaternion AABB Basis Transform3D
    Projection Color NodePath Object Signal Dictionary Array Image InputEvent
}

from! {
    Bool: bool;
    Int: i8, u8, i16, u16, i32, u32, i64;
    Float: f32, f64;
    String: &str, String, Text, &String, &Text;
    Dictionary:
        /// Creates an untyped `Dictionary` of the entries, in order.
        Vec<(Self, Self)>;
    Array:
        /// Creates an untyped `Array` of the values. Vectors of numbers and strings become packed arrays.
        Vec<Self>;
    PackedByteArray: Vec<u8>;
    PackedInt32Array: Vec<i32>;
    PackedInt64Array: Vec<i64>;
    PackedFloat32Array: Vec<f32>;
    PackedFloat64Array: Vec<f64>;
    PackedStringArray: Vec<Text>;
    PackedColorArray: Vec<Color>;
    PackedVector2iArray: Vec<Vector2i>;
    PackedVector3iArray: Vec<Vector3i>;
    PackedVector4iArray: Vec<Vector4i>;
}

impl From<&Self> for Variant {
    fn from(value: &Self) -> Self {
        value.clone()
    }
}

macro_rules! from_references {
    ($($value:ty),*) => {$(
        impl From<&$value> for Variant {
            fn from(value: &$value) -> Self {
                Self::from(*value)
            }
        }
    )*};
}

from_references!(bool, i8, u8, i16, u16, i32, u32, i64, usize, isize, f32, f64, char, &str);

/// Becomes a `PackedByteArray`.
impl From<&Vec<u8>> for Variant {
    fn from(bytes: &Vec<u8>) -> Self {
        bytes.as_slice().into()
    }
}

/// Becomes a `PackedByteArray`.
impl<const N: usize> From<&[u8; N]> for Variant {
    fn from(bytes: &[u8; N]) -> Self {
        bytes.as_slice().into()
    }
}

macro_rules! widened {
    ($($value:ty: $variant:ident;)*) => {$(
        #[doc = concat!("Becomes a `", stringify!($variant), "`.")]
        impl From<Vec<$value>> for Variant {
            fn from(values: Vec<$value>) -> Self {
                Self::$variant(values.into_iter().map(Into::into).collect())
            }
        }
    )*};
}

widened! {
    i8: PackedInt32Array;
    i16: PackedInt32Array;
    u16: PackedInt32Array;
    u32: PackedInt64Array;
}

impl From<()> for Variant {
    fn from((): ()) -> Self {
        Self::Nil
    }
}

impl From<Vec<String>> for Variant {
    fn from(texts: Vec<String>) -> Self {
        Self::PackedStringArray(texts.into_iter().map(Text::from).collect())
    }
}

impl From<ObjectData> for Variant {
    fn from(data: ObjectData) -> Self {
        Self::Object(Object::Data(Box::new(data)))
    }
}

macro_rules! too_large {
    ($($value:ty),*) => {$(
        /// # Errors
        /// If the number does not fit into 64 bits with a sign.
        impl TryFrom<$value> for Variant {
            type Error = TryFromIntError;

            fn try_from(value: $value) -> Result<Self, TryFromIntError> {
                i64::try_from(value).map(Self::Int)
            }
        }
    )*};
}

too_large!(u64, i128, u128);

/// # Panics
/// If the number is greater than `i64::MAX`, which no length of a collection is.
impl From<usize> for Variant {
    fn from(value: usize) -> Self {
        Self::Int(value.try_into().expect("a usize up to i64::MAX"))
    }
}

impl From<isize> for Variant {
    fn from(value: isize) -> Self {
        Self::Int(value as i64)
    }
}

/// Text of one character.
impl From<char> for Variant {
    fn from(value: char) -> Self {
        Self::from(&*value.encode_utf8(&mut [0; 4]))
    }
}

impl From<Cow<'_, str>> for Variant {
    fn from(text: Cow<'_, str>) -> Self {
        Self::String(text.into_owned().into())
    }
}

/// `None` becomes `Nil`.
impl<T: Into<Self>> From<Option<T>> for Variant {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nil, Into::into)
    }
}

/// Becomes a `PackedByteArray`.
impl From<&[u8]> for Variant {
    fn from(bytes: &[u8]) -> Self {
        Self::PackedByteArray(bytes.into())
    }
}

macro_rules! slices {
    ($($element:ty: $variant:ident;)*) => {$(
        #[doc = concat!("Becomes a `", stringify!($variant), "`.")]
        impl From<&[$element]> for Variant {
            fn from(elements: &[$element]) -> Self {
                Self::$variant(elements.into())
            }
        }
    )*};
}

slices! {
    i32: PackedInt32Array;
    i64: PackedInt64Array;
    f32: PackedFloat32Array;
    f64: PackedFloat64Array;
}

/// The same as from a `Vec` of the elements.
impl<T, const N: usize> From<[T; N]> for Variant
where
    Vec<T>: Into<Self>,
{
    fn from(elements: [T; N]) -> Self {
        Vec::from(elements).into()
    }
}

/// Becomes a `PackedStringArray`.
impl From<Vec<&str>> for Variant {
    fn from(texts: Vec<&str>) -> Self {
        Self::PackedStringArray(texts.into_iter().map(Text::from).collect())
    }
}

macro_rules! arrays {
    ($($value:ty),*) => {$(
        #[doc = "Becomes an `Array`: there is no packed array of these values."]
        impl From<Vec<$value>> for Variant {
            fn from(values: Vec<$value>) -> Self {
                Self::Array(values.into_iter().collect())
            }
        }
    )*};
}

arrays!(bool, Dictionary, Array, Vec<Self>);

macro_rules! packed_reals {
    ($($variant:ident: $vector:ident, $count:literal;)*) => {$(
        impl From<Vec<[f32; $count]>> for Variant {
            fn from(vectors: Vec<[f32; $count]>) -> Self {
                Self::$variant(vectors.into())
            }
        }

        /// In single precision if every vector is.
        impl From<Vec<$vector>> for Variant {
            fn from(vectors: Vec<$vector>) -> Self {
                let single = |vector: &$vector| match &vector.0 {
                    Components::Single(components) => Some(*components),
                    Components::Double(_) => None,
                };
                let singles: Option<Vec<_>> = vectors.iter().map(single).collect();
                Self::$variant(match singles {
                    Some(singles) => singles.into(),
                    None => PackedReals::from_f64_vec(vectors.iter().map($vector::to_f64_array).collect()),
                })
            }
        }
    )*};
}

packed_reals! {
    PackedVector2Array: Vector2, 2;
    PackedVector3Array: Vector3, 3;
    PackedVector4Array: Vector4, 4;
}

impl<K: Into<Self>, V: Into<Self>> From<BTreeMap<K, V>> for Variant {
    fn from(entries: BTreeMap<K, V>) -> Self {
        Self::Dictionary(entries.into_iter().collect())
    }
}

/// In the order in which the map returns its entries, which differs between runs.
#[cfg(feature = "std")]
impl<K: Into<Self>, V: Into<Self>, S> From<std::collections::HashMap<K, V, S>> for Variant {
    fn from(entries: std::collections::HashMap<K, V, S>) -> Self {
        Self::Dictionary(entries.into_iter().collect())
    }
}

impl<K: Into<Self>, V: Into<Self>> FromIterator<(K, V)> for Variant {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::Dictionary(entries.into_iter().collect())
    }
}
