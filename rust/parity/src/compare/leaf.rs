//! Compares values that do not contain others.

use godot::builtin::{
    Aabb, Basis, Callable, Color, GString, NodePath, Plane, Projection, Quaternion, Rect2, Rect2i, Rid, Signal,
    StringName, Transform2D, Transform3D, Variant, VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4,
    Vector4i,
};
use godot::prelude::*;

/// Returns whether two values of the type are the same.
pub(crate) fn same(variant_type: VariantType, left: &Variant, right: &Variant) -> bool {
    /// Equality by `==`, which is equality of the bits for these types.
    macro_rules! equal {
        ($type:ty) => {
            left.to::<$type>() == right.to::<$type>()
        };
    }
    /// Equality of the bits of floating-point components.
    macro_rules! bits {
        ($type:ty) => {
            left.to::<$type>().same_bits(&right.to())
        };
    }
    /// The same for every element of a packed array.
    macro_rules! packed_bits {
        ($type:ty) => {{
            let (left, right) = (left.to::<$type>(), right.to::<$type>());
            left.len() == right.len()
                && left.as_slice().iter().zip(right.as_slice()).all(|(left, right)| left.same_bits(right))
        }};
    }
    match variant_type {
        VariantType::NIL => true,
        VariantType::BOOL => equal!(bool),
        VariantType::INT => equal!(i64),
        VariantType::FLOAT => left.to::<f64>().to_bits() == right.to::<f64>().to_bits(),
        VariantType::STRING => equal!(GString),
        VariantType::STRING_NAME => equal!(StringName),
        VariantType::NODE_PATH => equal!(NodePath),
        VariantType::RID => equal!(Rid),
        VariantType::VECTOR2 => bits!(Vector2),
        VariantType::VECTOR2I => equal!(Vector2i),
        VariantType::RECT2 => bits!(Rect2),
        VariantType::RECT2I => equal!(Rect2i),
        VariantType::VECTOR3 => bits!(Vector3),
        VariantType::VECTOR3I => equal!(Vector3i),
        VariantType::TRANSFORM2D => bits!(Transform2D),
        VariantType::VECTOR4 => bits!(Vector4),
        VariantType::VECTOR4I => equal!(Vector4i),
        VariantType::PLANE => bits!(Plane),
        VariantType::QUATERNION => bits!(Quaternion),
        VariantType::AABB => bits!(Aabb),
        VariantType::BASIS => bits!(Basis),
        VariantType::TRANSFORM3D => bits!(Transform3D),
        VariantType::PROJECTION => bits!(Projection),
        VariantType::COLOR => bits!(Color),
        // The format does not store what a Callable calls.
        VariantType::CALLABLE => left.to::<Callable>().is_null() == right.to::<Callable>().is_null(),
        VariantType::SIGNAL => {
            let (left, right) = (left.to::<Signal>(), right.to::<Signal>());
            left.name() == right.name() && left.object_id() == right.object_id()
        }
        VariantType::PACKED_BYTE_ARRAY => equal!(PackedByteArray),
        VariantType::PACKED_INT32_ARRAY => equal!(PackedInt32Array),
        VariantType::PACKED_INT64_ARRAY => equal!(PackedInt64Array),
        VariantType::PACKED_STRING_ARRAY => equal!(PackedStringArray),
        VariantType::PACKED_FLOAT32_ARRAY => packed_bits!(PackedFloat32Array),
        VariantType::PACKED_FLOAT64_ARRAY => packed_bits!(PackedFloat64Array),
        VariantType::PACKED_VECTOR2_ARRAY => packed_bits!(PackedVector2Array),
        VariantType::PACKED_VECTOR3_ARRAY => packed_bits!(PackedVector3Array),
        VariantType::PACKED_VECTOR4_ARRAY => packed_bits!(PackedVector4Array),
        VariantType::PACKED_COLOR_ARRAY => packed_bits!(PackedColorArray),
        // This suite cannot compare values of an unknown type.
        _ => false,
    }
}

/// A type of floating-point components. `==` would treat 0 and -0 as equal and NaN as different from itself.
trait Bits {
    fn same_bits(&self, other: &Self) -> bool;
}

impl Bits for f32 {
    fn same_bits(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl Bits for f64 {
    fn same_bits(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl<T: Bits, const N: usize> Bits for [T; N] {
    fn same_bits(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(one, other)| one.same_bits(other))
    }
}

/// Compares the bits of all fields.
macro_rules! of_fields {
    ($($type:ty: $($field:ident)+;)+) => {
        $(impl Bits for $type {
            fn same_bits(&self, other: &Self) -> bool {
                $(self.$field.same_bits(&other.$field))&&+
            }
        })+
    };
}

of_fields! {
    Vector2: x y;
    Vector3: x y z;
    Vector4: x y z w;
    Quaternion: x y z w;
    Color: r g b a;
    Rect2: position size;
    Aabb: position size;
    Plane: normal d;
    Basis: rows;
    Projection: cols;
    Transform2D: a b origin;
    Transform3D: basis origin;
}
