//! Vectors and matrices of the crate mint, for `#[serde(with = "varbytes::math")]`.
//!
//! Mint has no names for its types in serde, so they would be written as arrays. With this module they are written as
//! Godot's types, also in `Option` and `Vec`. [`Godot`] does the same in keys and in other containers.
//!
//! Types of glam need neither, only glam's feature `serde`.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use serde::{Deserialize, Serialize};
//! use varbytes::math::Godot;
//! use varbytes::variant::{Vector2i, Vector3};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Map {
//!     #[serde(with = "varbytes::math")]
//!     start: mint::Vector3<f32>,
//!     tiles: BTreeMap<Godot<mint::Vector2<i32>>, String>,
//! }
//!
//! let tiles = BTreeMap::from([(Godot([4, 2].into()), "wall".to_owned())]);
//! let map = varbytes::to_variant(&Map { start: [1.0, 2.0, 3.0].into(), tiles })?;
//! assert_eq!(map["start"], Vector3::new(1.0, 2.0, 3.0));
//! assert_eq!(map["tiles"][Vector2i::new(4, 2)], "wall");
//! # Ok::<(), varbytes::EncodeError>(())
//! ```

use alloc::vec::Vec;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use crate::variant::{
    Basis, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// A type that is written as one of Godot's types, or a container of such types.
///
/// ```
/// use serde::{Deserialize, Deserializer, Serialize, Serializer};
/// use varbytes::math::{Godot, Math};
/// use varbytes::variant::Vector2;
///
/// /// A vector of another library.
/// struct Point(f32, f32);
///
/// impl Math for Point {
///     fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         Vector2::new(self.0, self.1).serialize(serializer)
///     }
///
///     fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
///         Vector2::deserialize(deserializer).map(|vector| Self(vector.x(), vector.y()))
///     }
/// }
///
/// assert_eq!(varbytes::to_variant(&Godot(Point(1.0, 2.0)))?, Vector2::new(1.0, 2.0));
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
pub trait Math: Sized {
    /// Writes the value as Godot's type.
    ///
    /// # Errors
    /// Those of the serializer.
    fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads the value from Godot's type.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Writes a value as Godot's type.
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Player {
///     #[serde(serialize_with = "varbytes::math::serialize", deserialize_with = "varbytes::math::deserialize")]
///     position: mint::Vector2<f32>,
/// }
///
/// let player = varbytes::to_variant(&Player { position: [1.0, 2.0].into() })?;
/// assert_eq!(player["position"].to_string(), "Vector2(1, 2)");
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
///
/// # Errors
/// Those of the serializer.
pub fn serialize<T: Math, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.serialize_math(serializer)
}

/// Reads a value from Godot's type.
///
/// [`serialize`] has an example.
///
/// # Errors
/// Those of the deserializer.
pub fn deserialize<'de, T: Math, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize_math(deserializer)
}

/// A vector or matrix of another crate that is written as Godot's type, for keys and containers.
///
/// [The module](self) has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Godot<T>(pub T);

impl<T> From<T> for Godot<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Math> Serialize for Godot<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_math(serializer)
    }
}

impl<'de, T: Math> Deserialize<'de> for Godot<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize_math(deserializer).map(Self)
    }
}

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

impl<T: Math> Math for Vec<T> {
    fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Borrowed))
    }

    fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<Godot<T>>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|Godot(value)| value).collect())
    }
}

macro_rules! math {
    ($($godot:ident: $($foreign:ident<$number:ty>)*;)*) => {$($(
        impl Math for mint::$foreign<$number> {
            fn serialize_math<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $godot::from(*self).serialize(serializer)
            }

            fn deserialize_math<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $godot::deserialize(deserializer).map(Self::from)
            }
        }
    )*)*};
}

math! {
    Vector2: Vector2<f32> Vector2<f64> Point2<f32> Point2<f64>;
    Vector2i: Vector2<i32> Point2<i32>;
    Vector3: Vector3<f32> Vector3<f64> Point3<f32> Point3<f64>;
    Vector3i: Vector3<i32> Point3<i32>;
    Vector4: Vector4<f32> Vector4<f64>;
    Vector4i: Vector4<i32>;
    Quaternion: Quaternion<f32> Quaternion<f64>;
    Transform2D: ColumnMatrix2x3<f32> ColumnMatrix2x3<f64>;
    Basis: ColumnMatrix3<f32> ColumnMatrix3<f64> RowMatrix3<f32> RowMatrix3<f64>;
    Transform3D: ColumnMatrix3x4<f32> ColumnMatrix3x4<f64>;
    Projection: ColumnMatrix4<f32> ColumnMatrix4<f64>;
}
