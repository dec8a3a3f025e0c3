//! Reading and writing Rust types that implement serde's traits. `de` reads them from a packet and `ser` writes them;
//! `variant_de`, `variant_ser`, `math` and `values` implement serde's traits for the types of this crate.

mod access;
mod buffered;
mod capture;
mod de;
mod error;
mod expected;
mod fields;
mod floats;
pub mod foreign;
mod foreign_types;
mod forward;
mod handover;
mod labelled;
mod leaves;
mod math;
mod members;
mod methods;
mod names;
mod numbers;
mod object;
pub mod packed;
mod packed_element;
mod packed_sequence;
mod raw;
mod reader;
mod ser;
mod skip;
mod texts;
pub mod typed;
mod typed_types;
mod untyped;
mod value_writer;
mod values;
mod variant_de;
mod variant_ser;

use alloc::vec::Vec;

use serde_core::de::{Deserialize, DeserializeOwned};
use serde_core::ser::Serialize;

pub use self::object::FullObject;
use crate::{DecodeError, Decoder, EncodeError, Encoder, Variant};

/// Reads a Rust value from the bytes of `var_to_bytes`, without a tree in between.
///
/// Fields of type `&str` and `&[u8]` borrow from `bytes`. Bytes after the value are ignored. Use
/// [`Decoder::deserialize`] for other engine versions, strict reading and limits.
///
/// | Rust | Godot |
/// |---|---|
/// | structs, maps | `Dictionary`; a struct also from the properties of an `Object` |
/// | sequences, tuples, arrays | `Array`, packed arrays, and types made of numbers, such as `Vector3` |
/// | integers, floats | `int`; for floats also `float` |
/// | `String`, `&str`, `char` | `String`, `StringName`; owned also `NodePath` |
/// | `()`, `None` | `null` |
/// | `&[u8]`, `serde_bytes::ByteBuf` | `PackedByteArray` |
/// | enums | as in `serde_json`: a `String` for a variant without content, otherwise a `Dictionary` |
/// | [`Variant`] | every type |
/// | `Array`, `Dictionary`, `Text`, `NodePath`, `Signal`, `Object`, `ObjectData`, `PackedReals` and the math types of [`variant`](mod@crate::variant), vectors and matrices of glam, those of mint by [`math`](crate::math) | the same type |
/// | sequences and maps by [`typed`](crate::typed) | typed `Array` and `Dictionary` |
/// | sequences by [`packed`](crate::packed) | packed arrays |
/// | [`FullObject`](crate::FullObject) | a full `Object` |
///
/// An integer that an `i64` cannot hold, such as a `u64` above `i64::MAX`, is an error when it is written. A `&[u8]` or a
/// `Vec<u8>` without `#[serde(with = "serde_bytes")]` is written as an `Array`, as serde presents it, and then a `&[u8]`
/// cannot be read. Vectors of other libraries, such as nalgebra, are read from Godot's types, but written as arrays.
///
/// A struct ignores fields that it does not have, and keys that are not text. If a dictionary has a key twice, the last
/// value counts, as in Godot, but the earlier one must be of the right type too. Only maps that keep all entries see
/// both. Members that do not fit the declared type of their container are converted or left out as in Godot. A packet
/// with such a key or member is decoded into a tree first, and its text cannot be borrowed. Values in values are read up
/// to 128 levels deep; a [`Variant`] and what is not read may be deeper. Structs are read fastest if the keys are exactly
/// their fields, in order.
///
/// serde reads flattened fields and the content of internally tagged and untagged enums into a buffer that has no Godot
/// types. A [`Variant`] keeps the types made of numbers in single precision there, but a `StringName` becomes a `String`, a
/// typed array an `Array`, and so on: its implementation of `Deserialize` lists them. A matrix of glam in double precision
/// needs `#[serde(with = "varbytes::math")]`, or it is read transposed, and a plain array receives the rows of a matrix as
/// columns. The buffer calls itself human-readable: a type that asks for that, such as `IpAddr`, is written in its binary
/// form, and cannot be read from the buffer. That is so in every binary format. The path of an error ends at the value
/// that was buffered.
///
/// A tuple struct with the name and the number of fields of a glam type, such as `Vec3`, is taken for that type.
///
/// Other formats receive plain numbers, sequences and maps, and these types are read from them. Formats that do not
/// describe themselves, such as bincode, hold the vectors of this crate in single precision only, and no [`Variant`].
///
/// ```
/// use serde::Deserialize;
/// use varbytes::variant;
///
/// #[derive(Deserialize)]
/// struct Player<'a> {
///     name: &'a str,
///     hp: i32,
/// }
///
/// // What a script writes with var_to_bytes({"name": "Ada", "hp": 10}).
/// let bytes = varbytes::encode(&variant!({"name": "Ada", "hp": 10}))?;
/// let player: Player = varbytes::from_bytes(&bytes)?;
/// assert_eq!((player.name, player.hp), ("Ada", 10));
///
/// let bytes = varbytes::encode(&variant!({"name": "Ada", "hp": "ten"}))?;
/// let error = varbytes::from_bytes::<Player>(&bytes).err().unwrap();
/// assert_eq!(error.to_string(), r#"expected i32, found String, at offset 44 (0x2c), path $["hp"]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`DecodeErrorKind`](crate::DecodeErrorKind), with offset and path.
#[doc(alias = "from_slice")]
pub fn from_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, DecodeError> {
    const { &Decoder::new() }.deserialize(bytes)
}

/// Writes a Rust value as the bytes of `var_to_bytes`, without a tree in between.
///
/// [`from_bytes`] has a table of the types. Structs become dictionaries with `String` keys. Use
/// [`Encoder::serialize`] for other engine versions and for `StringName` keys.
///
/// ```
/// use serde::Serialize;
/// use varbytes::variant::Vector2;
///
/// #[derive(Serialize)]
/// struct Player {
///     name: String,
///     position: Vector2,
/// }
///
/// let bytes = varbytes::to_bytes(&Player { name: "Ada".into(), position: [1.0, 2.0].into() })?;
/// let player = varbytes::decode(&bytes)?;
/// assert_eq!(player["name"], "Ada");
/// assert_eq!(player["position"], Vector2::new(1.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`EncodeErrorKind`](crate::EncodeErrorKind), with the path to the part of the value at fault.
#[doc(alias = "to_vec")]
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    Encoder::new().serialize(value)
}

/// Writes a Rust value as a record: its length in 4 bytes, then the bytes of [`to_bytes`], as `store_var` of a
/// `FileAccess` and `put_var` of a `StreamPeer` do.
///
/// ```
/// let mut file = Vec::new();
/// varbytes::to_writer(&mut file, &("score", 9001))?;
/// varbytes::to_writer(&mut file, &("score", 9002))?;
///
/// let mut reader = &file[..];
/// let mut scores = Vec::new();
/// while let Some((_, score)) = varbytes::from_reader::<(String, i32)>(&mut reader)? {
///     scores.push(score);
/// }
/// assert_eq!(scores, [9001, 9002]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of the writer, and [`EncodeError`] as an error of the kind `InvalidData`.
#[cfg(feature = "std")]
pub fn to_writer<T: Serialize + ?Sized>(writer: impl std::io::Write, value: &T) -> std::io::Result<()> {
    Encoder::new().serialize_record(writer, value)
}

/// Reads a record that [`to_writer`], `store_var` of a `FileAccess` or `put_var` of a `StreamPeer` wrote. Returns `None`
/// at the end of the input.
///
/// A record takes memory only for the bytes that the input has. For input from others, limit it with
/// [`Read::take`](std::io::Read::take).
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Score {
///     name: String,
///     points: u32,
/// }
///
/// // A file with store_var({"name": "Ada", "points": 7}).
/// let mut file = Vec::new();
/// varbytes::to_writer(&mut file, &varbytes::variant!({"name": "Ada", "points": 7}))?;
///
/// let mut reader = &file[..];
/// while let Some(Score { name, points }) = varbytes::from_reader(&mut reader)? {
///     assert_eq!((name.as_str(), points), ("Ada", 7));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of the reader, `UnexpectedEof` for a record that is cut off, and [`DecodeError`] as an error of the kind
/// `InvalidData`.
#[cfg(feature = "std")]
pub fn from_reader<T: DeserializeOwned>(reader: impl std::io::Read) -> std::io::Result<Option<T>> {
    Decoder::new().deserialize_record(reader)
}

/// Converts a Rust value to the [`Variant`] that Godot reads from its bytes.
///
/// ```
/// assert_eq!(varbytes::to_variant(&("hp", 10))?, varbytes::variant!(["hp", 10]));
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
///
/// # Errors
/// Those of [`to_bytes`].
#[doc(alias = "to_value")]
pub fn to_variant<T: Serialize + ?Sized>(value: &T) -> Result<Variant, EncodeError> {
    methods::to_variant(value)
}

/// Reads a Rust value from a [`Variant`].
///
/// ```
/// use varbytes::Variant;
///
/// let value = Variant::from(vec![Variant::from("hp"), 10.into()]);
/// assert_eq!(varbytes::from_variant::<(String, u8)>(&value)?, ("hp".to_owned(), 10));
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
///
/// # Errors
/// Those of [`from_bytes`], with an offset in the encoding of the value.
#[doc(alias = "from_value")]
pub fn from_variant<T: DeserializeOwned>(value: &Variant) -> Result<T, DecodeError> {
    methods::from_variant(value)
}
