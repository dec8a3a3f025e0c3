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
    ($($(#[$doc:meta])* $value:ty => $variant:ident,)*) => {
        $($(#[$doc])* impl From<$value> for Variant {
            fn from(value: $value) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

from! {
    bool => Bool,
    i8 => Int,
    u8 => Int,
    i16 => Int,
    u16 => Int,
    i32 => Int,
    u32 => Int,
    i64 => Int,
    f32 => Float,
    f64 => Float,
    &str => String,
    String => String,
    Text => String,
    Vector2 => Vector2,
    Vector2i => Vector2i,
    Rect2 => Rect2,
    Rect2i => Rect2i,
    Vector3 => Vector3,
    Vector3i => Vector3i,
    Transform2D => Transform2D,
    Vector4 => Vector4,
    Vector4i => Vector4i,
    Plane => Plane,
    Quaternion => Quaternion,
    AABB => AABB,
    Basis => Basis,
    Transform3D => Transform3D,
    Projection => Projection,
    Color => Color,
    NodePath => NodePath,
    Object => Object,
    Signal => Signal,
    Dictionary => Dictionary,
    /// Creates an untyped `Dictionary` of the entries, in order.
    Vec<(Self, Self)> => Dictionary,
    Array => Array,
    /// Creates an untyped `Array` of the values. Vectors of numbers and strings become packed arrays.
    Vec<Self> => Array,
    Vec<u8> => PackedByteArray,
    Vec<i32> => PackedInt32Array,
    Vec<i64> => PackedInt64Array,
    Vec<f32> => PackedFloat32Array,
    Vec<f64> => PackedFloat64Array,
    Vec<Text> => PackedStringArray,
    Vec<Color> => PackedColorArray,
    Image => Image,
    InputEvent => InputEvent,
    Vec<Vector2i> => PackedVector2iArray,
    Vec<Vector3i> => PackedVector3iArray,
    Vec<Vector4i> => PackedVector4iArray,
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
