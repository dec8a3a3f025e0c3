//! The types and containers that `varbytes::math` takes.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use crate::Variant;
use crate::serde::error::into_array;
use crate::serde::foreign::{Godot, Math};
#[cfg(any(feature = "glam", feature = "mint"))]
use crate::serde::typed_types::members;
use crate::variant::*;

/// Writes a borrowed value.
struct Borrowed<'v, T>(&'v T);

impl<T: Math> Serialize for Borrowed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_math(serializer)
    }
}

impl<T: Math> Math for Option<T> {
    fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Borrowed).serialize(serializer)
    }

    fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<Godot<T>>::deserialize(deserializer).map(|value| value.map(|Godot(value)| value))
    }
}

macro_rules! sequences {
    ($([$($generics:tt)*] $sequence:ty;)*) => {$(
        impl<$($generics)*> Math for $sequence {
            fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter().map(Borrowed))
            }

            fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let values = Vec::<Godot<T>>::deserialize(deserializer)?;
                Ok(values.into_iter().map(|Godot(value)| value).collect())
            }
        }
    )*};
}

sequences! {
    [T: Math] Vec<T>;
    [T: Math] Box<[T]>;
    [T: Math] VecDeque<T>;
    [T: Math + Ord] BTreeSet<T>;
}

#[cfg(feature = "std")]
sequences! {
    [T: Math + Eq + core::hash::Hash, H: core::hash::BuildHasher + Default] std::collections::HashSet<T, H>;
}

impl<T: Math, const N: usize> Math for [T; N] {
    fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Borrowed))
    }

    fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        into_array(Vec::<T>::deserialize_math(deserializer)?)
    }
}

macro_rules! maps {
    ($([$($generics:tt)*] $map:ty => $read:ty;)*) => {$(
        impl<$($generics)*> Math for $map {
            fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.iter().map(|(key, value)| (Borrowed(key), Borrowed(value))))
            }

            fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let entries = <$read>::deserialize(deserializer)?;
                Ok(entries.into_iter().map(|(Godot(key), Godot(value))| (key, value)).collect())
            }
        }
    )*};
}

maps! {
    [K: Math + Ord, V: Math] BTreeMap<K, V> => BTreeMap<Godot<K>, Godot<V>>;
}

#[cfg(feature = "std")]
maps! {
    [K: Math + Eq + core::hash::Hash, V: Math, H: core::hash::BuildHasher + Default]
        std::collections::HashMap<K, V, H> => std::collections::HashMap<Godot<K>, Godot<V>, H>;
}

macro_rules! themselves {
    ($($type:ty),*) => {$(
        impl Math for $type {
            fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.serialize(serializer)
            }

            fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::deserialize(deserializer)
            }
        }
    )*};
}

themselves! {
    bool, i8, u8, i16, u16, i32, u32, i64, u64, isize, usize, f32, f64, char, String, Box<str>, Text, NodePath, Variant,
    Array, Dictionary, Vector2, Vector2i, Rect2, Rect2i, Vector3, Vector3i, Transform2D, Vector4, Vector4i, Plane,
    Quaternion, AABB, Basis, Transform3D, Projection, Color
}

#[cfg(any(feature = "glam", feature = "mint"))]
macro_rules! math {
    ($($godot:ident: $($foreign:ty),*;)*) => {$($(
        members! { $godot: Godot<$foreign>; }

        impl Math for $foreign {
            fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $godot::from(*self).serialize(serializer)
            }

            fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $godot::deserialize(deserializer).map(Self::from)
            }
        }
    )*)*};
}

#[cfg(feature = "mint")]
mod of_mint {
    use mint::{ColumnMatrix2x3, ColumnMatrix3, ColumnMatrix3x4, ColumnMatrix4, Point2, Point3, RowMatrix3};

    use super::*;

    math! {
        Vector2: mint::Vector2<f32>, mint::Vector2<f64>, Point2<f32>, Point2<f64>;
        Vector2i: mint::Vector2<i32>, Point2<i32>;
        Vector3: mint::Vector3<f32>, mint::Vector3<f64>, Point3<f32>, Point3<f64>;
        Vector3i: mint::Vector3<i32>, Point3<i32>;
        Vector4: mint::Vector4<f32>, mint::Vector4<f64>;
        Vector4i: mint::Vector4<i32>;
        Quaternion: mint::Quaternion<f32>, mint::Quaternion<f64>;
        Transform2D: ColumnMatrix2x3<f32>, ColumnMatrix2x3<f64>;
        Basis: ColumnMatrix3<f32>, ColumnMatrix3<f64>, RowMatrix3<f32>, RowMatrix3<f64>;
        Transform3D: ColumnMatrix3x4<f32>, ColumnMatrix3x4<f64>;
        Projection: ColumnMatrix4<f32>, ColumnMatrix4<f64>;
    }
}

#[cfg(feature = "glam")]
mod of_glam {
    use glam::{
        Affine2, Affine3A, DAffine2, DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat3,
        Mat3A, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4,
    };

    use super::*;

    macro_rules! with_types {
        ($then:ident) => {
            $then! {
                Vector2: Vec2, DVec2;
                Vector2i: IVec2;
                Vector3: Vec3, Vec3A, DVec3;
                Vector3i: IVec3;
                Vector4: Vec4, DVec4;
                Vector4i: IVec4;
                Quaternion: Quat, DQuat;
                Transform2D: Affine2, DAffine2;
                Basis: Mat3, Mat3A, DMat3;
                Transform3D: Affine3A, DAffine3;
                Projection: Mat4, DMat4;
            }
        };
    }

    with_types! { math }
    // They are Godot's types without `Godot`, too.
    with_types! { members }
}
