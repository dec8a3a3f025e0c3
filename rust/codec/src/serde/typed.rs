//! Typed containers for `#[serde(with = "varbytes::typed")]`.
//!
//! A `Vec` is an `Array` and a map is a `Dictionary` without types, unless their field says otherwise. With this module
//! they declare the types of their members. Both forms are read into both. Other formats have a plain sequence or map.
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
//!
//! The field is a `Vec`, `Box<[T]>`, `[T; N]`, `VecDeque`, `Cow<[T]>`, `BTreeSet`, `HashSet`, `BTreeMap` or `HashMap`, or
//! one of these in an `Option`, which is null if it is `None`. [`Typed`] does the same in keys and in other containers. The
//! members, also as `Box`, `&T` and `Cow`:
//!
//! | Rust | Godot |
//! |---|---|
//! | `bool`, integers, `f32` and `f64` | `bool`, `int`, `float` |
//! | `String`, `&str`, `char`, `Text` | `String` |
//! | the values of [`variant`](mod@crate::variant), vectors and matrices of glam, [`Godot`](crate::math::Godot) of those of mint | the same type |
//! | [`Variant`](crate::Variant) | no type, as in `Dictionary[String, Variant]` |
//! | sequences, arrays, tuples, [`Typed`] of them | `Array` |
//! | maps, [`Typed`] of them | `Dictionary` |
//! | [`Packed`](crate::packed::Packed) | the packed array |
//! | [`FullObject`](crate::FullObject), also in `Option` | the class that [`Class`] declares |
//! | your own type that implements [`Member`] | as it declares |

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use crate::VariantType;
use crate::serde::error::is_own;
use crate::serde::names;
use crate::serde::untyped::Untyped;

/// A type that can be a member of a typed container.
///
/// [The module](self) has an example.
pub trait Member: Serialize {
    /// The type as which it is written; `Nil` if it has any type, so that the container is not typed.
    const TYPE: VariantType;

    /// The class of objects, or the `res://` path of their script. [`Class`] sets it for a
    /// [`FullObject`](crate::FullObject).
    const CLASS: Option<&'static str> = None;
}

/// Properties of objects of a class, for typed containers of [`FullObject`](crate::FullObject).
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use varbytes::FullObject;
/// use varbytes::typed::Class;
///
/// #[derive(Serialize, Deserialize)]
/// struct Timer {
///     wait_time: f64,
/// }
///
/// impl Class for Timer {
///     const CLASS: &'static str = "Timer";
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct Level {
///     #[serde(with = "varbytes::typed")]
///     timers: Vec<FullObject<Timer>>,
/// }
///
/// let level = varbytes::to_variant(&Level { timers: vec![] })?;
/// assert_eq!(level["timers"].to_string(), "Array[Timer]([])");
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
pub trait Class {
    /// The class of which the objects are, or from which their classes inherit; or the `res://` path of their script.
    const CLASS: &'static str;
}

/// A container of members that can be typed.
///
/// ```
/// use serde::{Serialize, Serializer};
/// use varbytes::VariantType;
/// use varbytes::typed::Container;
///
/// /// Names without repetitions.
/// struct Names(Vec<String>);
///
/// impl Container for Names {
///     const TYPE: VariantType = VariantType::Array;
///
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
    /// The type of the container: `Array` or `Dictionary`.
    const TYPE: VariantType;

    /// Writes the container with its types. Other formats receive the container alone.
    ///
    /// # Errors
    /// Those of the serializer.
    fn serialize_typed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
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
    // This crate's deserializer passes over the types by itself.
    if is_own::<D::Error>() { C::deserialize(deserializer) } else { C::deserialize(Untyped(deserializer)) }
}

/// A container that is written with its types, for keys and other containers.
///
/// ```
/// use varbytes::typed::Typed;
///
/// let rows = varbytes::to_variant(&[Typed(vec![1, 2]), Typed(vec![])])?;
/// assert_eq!(rows.to_string(), "[Array[int]([1, 2]), Array[int]([])]");
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Typed<C>(pub C);

impl<C> From<C> for Typed<C> {
    fn from(container: C) -> Self {
        Self(container)
    }
}

impl<C: Container> Serialize for Typed<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_typed(serializer)
    }
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for Typed<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(Self)
    }
}

/// Writes a container, or the values of a dictionary, with the type of its members.
pub(super) fn serialize_members<T: Member, S: Serializer>(
    container: &(impl Serialize + ?Sized),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match T::CLASS {
        None => serializer.serialize_newtype_struct(names::typed_member(T::TYPE), container),
        Some(class) => serializer.serialize_newtype_struct(names::TYPED_CLASS, &OfClass(class, container)),
    }
}

/// A container with the class of its members.
struct OfClass<'c, C: ?Sized>(&'static str, &'c C);

impl<C: Serialize + ?Sized> Serialize for OfClass<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(self.0, self.1)
    }
}
