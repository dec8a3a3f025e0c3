//! The types of each engine generation, in the order of their ids.
//!
//! The id is the engine's own `Variant::Type` and changes with it.

use VariantType::{
    AABB, Array, Basis, Bool, Color, Dictionary, Float, Image, InputEvent, Int, Nil, NodePath, Object, PackedByteArray,
    PackedColorArray, PackedFloat32Array, PackedInt32Array, PackedStringArray, PackedTypedArray, PackedVector2Array,
    PackedVector2iArray, PackedVector3Array, PackedVector3iArray, PackedVector4Array, PackedVector4iArray, Plane,
    Projection, Quaternion, RID, Rect2, Rect2i, String, StringName, Transform2D, Transform3D, TypedArray, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

use crate::VariantType;

/// Godot since 4.3, Redot, Blazium.
pub(super) const GODOT_4_3: &[VariantType] = VariantType::ALL.split_at(39).0;

/// Godot 4.0 to 4.2: without `PackedVector4Array`, the last (pull request 85474).
pub(super) const GODOT_4_0: &[VariantType] = VariantType::ALL.split_at(38).0;

#[rustfmt::skip]
pub(super) const GODOT_3: &[VariantType] = &[
    Nil, Bool, Int, Float, String, Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, AABB, Basis, Transform3D,
    Color, NodePath, RID, Object, Dictionary, Array, PackedByteArray, PackedInt32Array, PackedFloat32Array,
    PackedStringArray, PackedVector2Array, PackedVector3Array, PackedColorArray,
];

/// Godot 1 and 2, and the documentation of "Mole".
#[rustfmt::skip]
pub(super) const GODOT_2: &[VariantType] = &[
    Nil, Bool, Int, Float, String, Vector2, Rect2, Vector3, Transform2D, Plane, Quaternion, AABB, Basis, Transform3D,
    Color, Image, NodePath, RID, Object, InputEvent, Dictionary, Array, PackedByteArray, PackedInt32Array,
    PackedFloat32Array, PackedStringArray, PackedVector2Array, PackedVector3Array, PackedColorArray,
];

/// Pandemonium 3.5 to 3.7: the order of Godot 3 with integer vectors and `StringName` inserted.
#[rustfmt::skip]
pub(super) const PANDEMONIUM_3_5: &[VariantType] = &[
    Nil, Bool, Int, Float, String, Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, Plane, Quaternion,
    AABB, Basis, Transform3D, Color, NodePath, RID, Object, StringName, Dictionary, Array, PackedByteArray,
    PackedInt32Array, PackedFloat32Array, PackedStringArray, PackedVector2Array, PackedVector2iArray,
    PackedVector3Array, PackedVector3iArray, PackedColorArray,
];

/// Pandemonium 3.8 to 4.9 (its commit e71e3ed).
#[rustfmt::skip]
pub(super) const PANDEMONIUM_3_8: &[VariantType] = &[
    Nil, Bool, Int, Float, String, Rect2, Rect2i, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i, Plane,
    Quaternion, AABB, Basis, Transform3D, Transform2D, Projection, Color, NodePath, RID, Object, StringName, Dictionary,
    Array, PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray, PackedVector2Array,
    PackedVector2iArray, PackedVector3Array, PackedVector3iArray, PackedVector4Array, PackedVector4iArray,
    PackedColorArray,
];

/// Pandemonium 5: two more types after `Array` (its commit 2efc190).
#[rustfmt::skip]
pub(super) const PANDEMONIUM_5: &[VariantType] = &[
    Nil, Bool, Int, Float, String, Rect2, Rect2i, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i, Plane,
    Quaternion, AABB, Basis, Transform3D, Transform2D, Projection, Color, NodePath, RID, Object, StringName, Dictionary,
    Array, TypedArray, PackedTypedArray, PackedByteArray, PackedInt32Array, PackedFloat32Array, PackedStringArray,
    PackedVector2Array, PackedVector2iArray, PackedVector3Array, PackedVector3iArray, PackedVector4Array,
    PackedVector4iArray, PackedColorArray,
];

/// The entry in [`ids`] of a type that does not exist.
pub(super) const NO_ID: u8 = u8::MAX;

/// The id of each type, by its index in [`VariantType::ALL`].
pub(super) const fn ids(types: &[VariantType]) -> [u8; VariantType::ALL.len()] {
    let mut ids = [NO_ID; VariantType::ALL.len()];
    let mut id: u8 = 0;
    while (id as usize) < types.len() {
        ids[types[id as usize] as usize] = id;
        id += 1;
    }
    ids
}
