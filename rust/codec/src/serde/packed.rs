//! Packed arrays for `#[serde(with = "varbytes::packed")]`.
//!
//! A `Vec` is an `Array` unless its field says otherwise. With this module it is the packed array of its elements, also
//! if it is empty. Both forms are read into both. Other formats have a sequence.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use varbytes::Variant;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Curve {
//!     #[serde(with = "varbytes::packed")]
//!     points: Vec<[f32; 2]>,
//! }
//!
//! let bytes = varbytes::to_bytes(&Curve { points: vec![[0.0, 1.0]] })?;
//! let Variant::Dictionary(curve) = varbytes::decode(&bytes)? else { unreachable!() };
//! assert_eq!(curve.get("points"), Some(&Variant::PackedVector2Array(vec![[0.0f32, 1.0]].into())));
//! assert_eq!(varbytes::from_bytes::<Curve>(&bytes)?.points, [[0.0, 1.0]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The field is a `Vec`, `Box<[T]>`, `[T; N]`, `VecDeque` or `Cow<[T]>`, or one of these in an `Option`, which is null if it
//! is `None`. [`Packed`] does the same in keys and in other containers. The elements:
//!
//! | Rust | Godot |
//! |---|---|
//! | `u8` | `PackedByteArray` |
//! | `i8`, `i16`, `u16`, `i32` | `PackedInt32Array` |
//! | `u32`, `i64`, `u64`, `isize`, `usize` | `PackedInt64Array` |
//! | `f32` | `PackedFloat32Array` |
//! | `f64` | `PackedFloat64Array` |
//! | `String`, `&str`, `Box<str>`, `Cow<str>`, `char`, `Text` | `PackedStringArray` |
//! | `Vector2`, `[f32; 2]`, `(f32, f32)`, `Vec2` of glam, `Vector2` and `Point2` of mint, each also of `f64` | `PackedVector2Array` |
//! | the same of 3 and 4 numbers; `Vec3A` of glam | `PackedVector3Array`, `PackedVector4Array` |
//! | `Color` | `PackedColorArray` |
//! | `Vector2i`, `IVec2` of glam, `Vector2<i32>` and `Point2<i32>` of mint; the same of 3 and 4 numbers | `PackedVector2iArray` and so on, which only Pandemonium has |
//! | your own type that implements [`PackedElement`] | as it declares |
//!
//! No element of a packed array is null, so this does not compile:
//!
//! ```compile_fail,E0277
//! #[derive(serde::Serialize)]
//! struct Curve {
//!     #[serde(serialize_with = "varbytes::packed::serialize")]
//!     points: Vec<Option<f32>>,
//! }
//! ```

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use crate::VariantType;
pub use crate::serde::packed_element::PackedElement;

/// A sequence that can be written as a packed array.
///
/// ```
/// use serde::{Serialize, Serializer};
/// use varbytes::VariantType;
/// use varbytes::packed::PackedSequence;
///
/// /// Numbers in order.
/// struct Sorted(Vec<i32>);
///
/// impl PackedSequence for Sorted {
///     const ARRAY: VariantType = VariantType::PackedInt32Array;
///
///     fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         self.0.serialize_packed(serializer)
///     }
/// }
///
/// #[derive(Serialize)]
/// struct Scores {
///     #[serde(serialize_with = "varbytes::packed::serialize")]
///     points: Sorted,
/// }
///
/// let scores = varbytes::to_variant(&Scores { points: Sorted(vec![1, 2]) })?;
/// assert_eq!(scores["points"], varbytes::variant!(vec![1i32, 2]));
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
pub trait PackedSequence {
    /// The type of the packed array.
    const ARRAY: VariantType;

    /// Writes the sequence as a packed array. Other formats receive a sequence.
    ///
    /// # Errors
    /// Those of the serializer.
    fn serialize_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A sequence that can be read from a packed array.
///
/// ```
/// use serde::{Deserialize, Deserializer};
/// use varbytes::packed::FromPacked;
///
/// /// Numbers in order.
/// struct Sorted(Vec<i32>);
///
/// impl<'de> FromPacked<'de> for Sorted {
///     fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
///         let mut numbers = Vec::deserialize_packed(deserializer)?;
///         numbers.sort();
///         Ok(Self(numbers))
///     }
/// }
///
/// #[derive(Deserialize)]
/// struct Scores {
///     #[serde(deserialize_with = "varbytes::packed::deserialize")]
///     points: Sorted,
/// }
///
/// let scores: Scores = varbytes::from_variant(&varbytes::variant!({"points": vec![2i32, 1]}))?;
/// assert_eq!(scores.points.0, [1, 2]);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
pub trait FromPacked<'de>: Sized {
    /// Reads the sequence from a packed array or any other sequence.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn deserialize_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Writes a sequence as a packed array. Other formats receive a sequence.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use varbytes::VariantType;
///
/// #[derive(Serialize, Deserialize)]
/// struct Curve {
///     #[serde(serialize_with = "varbytes::packed::serialize", deserialize_with = "varbytes::packed::deserialize")]
///     points: Vec<[f32; 2]>,
/// }
///
/// let curve = varbytes::to_variant(&Curve { points: vec![] })?;
/// assert_eq!(curve["points"].variant_type(), VariantType::PackedVector2Array);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
///
/// # Errors
/// Those of the serializer.
pub fn serialize<T: PackedSequence, S: Serializer>(sequence: &T, serializer: S) -> Result<S::Ok, S::Error> {
    sequence.serialize_packed(serializer)
}

/// Reads a packed array or an `Array`.
///
/// [`serialize`] has an example. A field that is an `Option` also needs `#[serde(default)]` if its key can be missing.
///
/// # Errors
/// Those of the deserializer, and one for another number of elements than an array has.
pub fn deserialize<'de, T: FromPacked<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::deserialize_packed(deserializer)
}

/// A sequence that is written as a packed array, for keys and containers.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use varbytes::packed::Packed;
/// use varbytes::variant;
///
/// let curves = BTreeMap::from([("jump", Packed(vec![0.0f32, 1.0]))]);
/// assert_eq!(varbytes::to_variant(&curves)?, variant!({"jump": vec![0.0f32, 1.0]}));
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed<T>(pub T);

impl<T> From<T> for Packed<T> {
    fn from(sequence: T) -> Self {
        Self(sequence)
    }
}

impl<T: PackedSequence> Serialize for Packed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_packed(serializer)
    }
}

impl<'de, T: FromPacked<'de>> Deserialize<'de> for Packed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize_packed(deserializer).map(Self)
    }
}
