//! Typed containers for `#[serde(with = "varbytes::typed")]`.
//!
//! A `Vec` is an `Array` and a map is a `Dictionary` without types, unless their field says otherwise. With this module
//! they declare the types of their members. Both forms are read into both.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use serde::{Deserialize, Serialize};
//! use varbytes::typed::Member;
//! use varbytes::VariantType;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Item {
//!     name: String,
//! }
//!
//! impl Member for Item {
//!     const TYPE: VariantType = VariantType::Dictionary;
//! }
//!
//! #[derive(Serialize, Deserialize)]
//! struct Player {
//!     #[serde(with = "varbytes::typed")]
//!     items: Vec<Item>,
//!     #[serde(with = "varbytes::typed")]
//!     scores: BTreeMap<String, i64>,
//! }
//!
//! let player = Player { items: vec![Item { name: "axe".into() }], scores: BTreeMap::new() };
//! let written = varbytes::to_variant(&player)?;
//! assert_eq!(written["items"].to_string(), "Array[Dictionary]([{\n\"name\": \"axe\"\n}])");
//! assert_eq!(written["scores"].to_string(), "Dictionary[String, int]({})");
//! # Ok::<(), varbytes::EncodeError>(())
//! ```

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use crate::VariantType;
use crate::serde::names;
use crate::variant::*;

/// A type that can be a member of a typed container.
///
/// [The module](self) has an example.
pub trait Member: Serialize {
    /// The type as which it is written.
    const TYPE: VariantType;
}

macro_rules! members {
    ($($type:ident: $($member:ty),*;)*) => {$($(
        impl Member for $member {
            const TYPE: VariantType = VariantType::$type;
        }
    )*)*};
}

members! {
    Bool: bool;
    Int: i8, u8, i16, u16, i32, u32, i64, u64, isize, usize;
    Float: f32, f64;
    String: String, &str, Text, char;
    Dictionary: Dictionary;
    Array: Array;
    Vector2: Vector2; Vector2i: Vector2i; Rect2: Rect2; Rect2i: Rect2i; Vector3: Vector3; Vector3i: Vector3i;
    Transform2D: Transform2D; Vector4: Vector4; Vector4i: Vector4i; Plane: Plane; Quaternion: Quaternion; AABB: AABB;
    Basis: Basis; Transform3D: Transform3D; Projection: Projection; Color: Color;
}

impl<T: Serialize> Member for Vec<T> {
    const TYPE: VariantType = VariantType::Array;
}

impl<K: Serialize, V: Serialize> Member for BTreeMap<K, V> {
    const TYPE: VariantType = VariantType::Dictionary;
}

#[cfg(feature = "std")]
impl<K: Serialize, V: Serialize, S> Member for std::collections::HashMap<K, V, S> {
    const TYPE: VariantType = VariantType::Dictionary;
}

/// A container of members that can be typed.
///
/// ```
/// use serde::{Serialize, Serializer};
/// use varbytes::typed::Container;
///
/// /// Names without repetitions.
/// struct Names(Vec<String>);
///
/// impl Container for Names {
///     fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         self.0.serialize_typed(serializer)
///     }
/// }
///
/// #[derive(Serialize)]
/// struct Team {
///     #[serde(serialize_with = "varbytes::typed::serialize")]
///     names: Names,
/// }
///
/// let team = varbytes::to_variant(&Team { names: Names(vec!["Ada".into()]) })?;
/// assert_eq!(team["names"].to_string(), r#"Array[String](["Ada"])"#);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
pub trait Container {
    /// Writes the container with its types. Other formats receive the container alone.
    ///
    /// # Errors
    /// Those of the serializer.
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

impl<T: Member> Container for [T] {
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(names::typed_member(T::TYPE), self)
    }
}

impl<T: Member> Container for Vec<T> {
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize_typed(serializer)
    }
}

impl<T: Member> Container for Box<[T]> {
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize_typed(serializer)
    }
}

impl<C: Container + ?Sized> Container for &C {
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize_typed(serializer)
    }
}

/// The values of a map, inside of the type of its keys.
struct Values<'m, M>(&'m M, VariantType);

impl<M: Serialize> Serialize for Values<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(names::typed_member(self.1), self.0)
    }
}

impl<K: Member, V: Member> Container for BTreeMap<K, V> {
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(names::typed_member(K::TYPE), &Values(self, V::TYPE))
    }
}

#[cfg(feature = "std")]
impl<K: Member, V: Member, H> Container for std::collections::HashMap<K, V, H> {
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(names::typed_member(K::TYPE), &Values(self, V::TYPE))
    }
}

/// Writes a container with its types.
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Scores {
///     #[serde(serialize_with = "varbytes::typed::serialize", deserialize_with = "varbytes::typed::deserialize")]
///     points: Vec<u32>,
/// }
///
/// let scores = varbytes::to_variant(&Scores { points: vec![7] })?;
/// assert_eq!(scores["points"].to_string(), "Array[int]([7])");
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
///
/// # Errors
/// Those of the serializer, and one for a member of another type than the declared one.
pub fn serialize<C: Container, S: Serializer>(container: &C, serializer: S) -> Result<S::Ok, S::Error> {
    container.serialize_typed(serializer)
}

/// Reads a container with or without types.
///
/// [`serialize`] has an example.
///
/// # Errors
/// Those of the deserializer.
pub fn deserialize<'de, C: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<C, D::Error> {
    C::deserialize(deserializer)
}
