//! Conversions from Rust values.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::godot2::{Image, InputEvent};
use super::math::{
    AABB, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2, Vector2i,
    Vector3, Vector3i, Vector4, Vector4i,
};
use super::node_path::{NodePath, Signal};
use super::owned::{Array, Dictionary, Object, ObjectData, Variant};
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
    String: &str, String, Text;
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
