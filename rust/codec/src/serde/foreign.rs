//! Vectors and matrices of the crates mint and glam, for `#[serde(with = "varbytes::math")]`.
//!
//! Types of mint do not implement serde's traits, or are written as arrays. With this module they are written as Godot's
//! types, also in `Option`, `Vec`, `Box<[T]>`, `[T; N]`, `VecDeque`, `BTreeSet`, `HashSet`, and as keys and values of
//! `BTreeMap` and `HashMap`, in any combination; the other keys and values are text, numbers or types of this crate.
//! [`Godot`] does the same in tuples, enums and containers of other types.
//!
//! Types of glam are written as Godot's types without this module, too. Their matrices in double precision need it in
//! flattened fields and in internally tagged and untagged enums, see [`from_bytes`](crate::from_bytes).
//!
#![cfg_attr(feature = "mint", doc = "```")]
#![cfg_attr(not(feature = "mint"), doc = "```ignore")]
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

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

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
#[cfg_attr(feature = "mint", doc = "```")]
#[cfg_attr(not(feature = "mint"), doc = "```ignore")]
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
