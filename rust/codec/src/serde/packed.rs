//! Packed arrays for `#[serde(with = "varbytes::packed")]`.
//!
//! A `Vec` is an `Array` unless its field says otherwise. With this module it is the packed array of its elements, also
//! if it is empty. Both forms are read into both.
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

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer, Error, IntoDeserializer, SeqAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::VariantType;
use crate::serde::error::is_own;
use crate::serde::names;
use crate::variant::{Color, Text, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i};

/// A type of which Godot has packed arrays.
///
/// ```
/// use serde::Serialize;
/// use varbytes::VariantType;
/// use varbytes::packed::PackedElement;
///
/// /// An element of a `PackedInt32Array`.
/// #[derive(Serialize)]
/// struct Tile(i32);
///
/// impl PackedElement for Tile {
///     const ARRAY: VariantType = VariantType::PackedInt32Array;
/// }
///
/// #[derive(Serialize)]
/// struct Map {
///     #[serde(with = "varbytes::packed")]
///     tiles: Vec<Tile>,
/// }
///
/// let map = varbytes::to_variant(&Map { tiles: vec![Tile(1), Tile(2)] })?;
/// assert_eq!(map["tiles"], varbytes::variant!(vec![1i32, 2]));
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
pub trait PackedElement: Serialize {
    /// The type of the packed array.
    const ARRAY: VariantType;
}

macro_rules! elements {
    ($($array:ident: $($element:ty),*;)*) => {$($(
        impl PackedElement for $element {
            const ARRAY: VariantType = VariantType::$array;
        }
    )*)*};
}

elements! {
    PackedByteArray: u8;
    PackedInt32Array: i8, i16, u16, i32;
    PackedInt64Array: u32, i64;
    PackedFloat32Array: f32;
    PackedFloat64Array: f64;
    PackedStringArray: String, &str, Text;
    PackedVector2Array: Vector2, [f32; 2], [f64; 2];
    PackedVector3Array: Vector3, [f32; 3], [f64; 3];
    PackedVector4Array: Vector4, [f32; 4], [f64; 4];
    PackedColorArray: Color;
    PackedVector2iArray: Vector2i;
    PackedVector3iArray: Vector3i;
    PackedVector4iArray: Vector4i;
}

/// A sequence of elements that Godot has packed arrays of.
///
/// ```
/// use varbytes::packed::PackedSequence;
///
/// assert_eq!(vec![1i32, 2].elements(), [1, 2]);
/// ```
pub trait PackedSequence {
    /// The type of the elements.
    type Element: PackedElement;

    /// Returns the elements.
    fn elements(&self) -> &[Self::Element];
}

impl<E: PackedElement> PackedSequence for Vec<E> {
    type Element = E;

    fn elements(&self) -> &[E] {
        self
    }
}

impl<E: PackedElement> PackedSequence for Box<[E]> {
    type Element = E;

    fn elements(&self) -> &[E] {
        self
    }
}

impl<E: PackedElement> PackedSequence for &[E] {
    type Element = E;

    fn elements(&self) -> &[E] {
        self
    }
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
    serializer.serialize_newtype_struct(names::of(T::Element::ARRAY), sequence.elements())
}

/// Reads a packed array or an `Array` into a `Vec` or a boxed slice.
///
/// [`serialize`] has an example.
///
/// # Errors
/// Those of the deserializer.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: PackedSequence + From<Vec<T::Element>>,
    T::Element: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_newtype_struct(names::of(T::Element::ARRAY), Elements(PhantomData)).map(T::from)
}

struct Elements<E>(PhantomData<E>);

impl<'de, E: PackedElement + Deserialize<'de>> Visitor<'de> for Elements<E> {
    type Value = Vec<E>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(E::ARRAY.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<E>, D::Error> {
        // Bytes in one of serde's buffers are no sequence.
        if E::ARRAY == VariantType::PackedByteArray && is_own::<D::Error>() {
            return deserializer.deserialize_bytes(self);
        }
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vec<E>, A::Error> {
        // At most 64 KiB before the elements are there.
        let limit = 0x1_0000 / size_of::<E>().max(1);
        let mut elements = Vec::with_capacity(access.size_hint().unwrap_or_default().min(limit));
        while let Some(element) = access.next_element()? {
            elements.push(element);
        }
        Ok(elements)
    }

    fn visit_bytes<R: Error>(self, bytes: &[u8]) -> Result<Vec<E>, R> {
        bytes.iter().map(|byte| E::deserialize((*byte).into_deserializer())).collect()
    }
}
