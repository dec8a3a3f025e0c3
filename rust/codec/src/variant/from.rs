//! Conversions from Rust values.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::{
    AABB, Array, Basis, Color, Dictionary, Image, InputEvent, NodePath, Object, ObjectData, Plane, Projection,
    Quaternion, Rect2, Rect2i, Signal, Text, Transform2D, Transform3D, Variant, Vector2, Vector2i, Vector3, Vector3i,
    Vector4, Vector4i,
};

macro_rules! from_payload {
    ($($payload:ty => $variant:ident,)*) => {
        $(impl From<$payload> for Variant {
            fn from(value: $payload) -> Self {
                Self::$variant(value)
            }
        })*
    };
}

from_payload! {
    bool => Bool,
    i64 => Int,
    f64 => Float,
    Text => String,
    Vector2 => Vector2,
    Vector2i => Vector2i,
    Rect2i => Rect2i,
    Vector3 => Vector3,
    Vector3i => Vector3i,
    Vector4i => Vector4i,
    Color => Color,
    Object => Object,
    Dictionary => Dictionary,
    Array => Array,
}

macro_rules! from_boxed_payload {
    ($($payload:ident,)*) => {
        $(impl From<$payload> for Variant {
            fn from(value: $payload) -> Self {
                Self::$payload(Box::new(value))
            }
        })*
    };
}

from_boxed_payload! {
    Rect2,
    Transform2D,
    Vector4,
    Plane,
    Quaternion,
    AABB,
    Basis,
    Transform3D,
    Projection,
    NodePath,
    Signal,
    Image,
    InputEvent,
}

macro_rules! from_elements {
    ($($element:ty => $variant:ident,)*) => {
        $(impl From<Vec<$element>> for Variant {
            fn from(elements: Vec<$element>) -> Self {
                Self::$variant(elements.into())
            }
        })*
    };
}

from_elements! {
    u8 => PackedByteArray,
    i32 => PackedInt32Array,
    i64 => PackedInt64Array,
    f32 => PackedFloat32Array,
    f64 => PackedFloat64Array,
    Text => PackedStringArray,
    Color => PackedColorArray,
    Vector2i => PackedVector2iArray,
    Vector3i => PackedVector3iArray,
    Vector4i => PackedVector4iArray,
}

macro_rules! from_integer {
    ($($integer:ty,)*) => {
        $(impl From<$integer> for Variant {
            fn from(value: $integer) -> Self {
                Self::Int(i64::from(value))
            }
        })*
    };
}

from_integer! { i8, u8, i16, u16, i32, u32, }

impl From<()> for Variant {
    fn from((): ()) -> Self {
        Self::Nil
    }
}

impl From<&str> for Variant {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Variant {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<Vec<String>> for Variant {
    fn from(texts: Vec<String>) -> Self {
        Self::PackedStringArray(texts.into_iter().map(Text::from).collect())
    }
}

impl From<f32> for Variant {
    fn from(value: f32) -> Self {
        Self::Float(f64::from(value))
    }
}

impl From<ObjectData> for Variant {
    fn from(data: ObjectData) -> Self {
        Self::Object(Object::Data(Box::new(data)))
    }
}

/// Creates an untyped `Array` of the values. Vectors of numbers and strings become packed arrays.
impl From<Vec<Self>> for Variant {
    fn from(elements: Vec<Self>) -> Self {
        Self::Array(elements.into())
    }
}

/// Creates an untyped `Dictionary` of the entries, in order.
impl From<Vec<(Self, Self)>> for Variant {
    fn from(entries: Vec<(Self, Self)>) -> Self {
        Self::Dictionary(entries.into())
    }
}
