// Links of the README point into this documentation. The first definition of a link takes effect.
#![doc = "[FORMAT.md]: crate::format\n[ERRATA.md]: crate::errata\n[`Profile`]: Profile\n[`Limits`]: Limits"]
#![doc = "[`Category`]: Category\n[`migrate::Migration`]: migrate::Migration\n[`build::Builder`]: build::Builder"]
#![doc = "[`Decoder::decode_borrowed`]: Decoder::decode_borrowed\n[`variant::VariantRef`]: variant::VariantRef"]
#![doc = "[`record`]: record\n[`rpc`]: rpc\n[`stream::StreamDecoder`]: stream::StreamDecoder"]
#![doc = "[`write::Writer`]: write::Writer\n"]
#![cfg_attr(
    all(feature = "serde", feature = "std", feature = "tokio", feature = "tagged-json"),
    doc = "[guide]: guide\n[servers]: guide::servers\n[saves]: guide::saves\n[`from_bytes`]: from_bytes",
    doc = "[untrusted input]: guide::untrusted_input\n[engine versions]: guide::engine_versions",
    doc = "[`to_bytes`]: to_bytes\n[`from_reader`]: from_reader\n[`to_writer`]: to_writer",
    doc = "[`Decoder::deserialize`]: Decoder::deserialize\n[`Encoder::serialize`]: Encoder::serialize",
    doc = "[`record::RecordCodec`]: record::RecordCodec\n[`tagged_json`]: tagged_json\n"
)]
// The examples of the README need this feature.
#![cfg_attr(any(feature = "serde", not(doctest)), doc = include_str!("../README.md"))]
#![no_std]
// Labels of features on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod architecture;
pub mod build;
mod coerce;
mod decoder;
mod encoder;
mod error;
#[cfg(doc)]
#[doc = "[`FORMAT.md`]: crate::format\n"]
#[doc = include_str!("../ERRATA.md")]
pub mod errata {}
pub mod escape;
mod float;
#[cfg(doc)]
#[doc = "[`ERRATA.md`]: crate::errata\n"]
#[doc = include_str!("../FORMAT.md")]
pub mod format {}
#[cfg(all(doc, feature = "serde", feature = "std"))]
pub mod guide;
mod inspect;
mod limits;
pub mod migrate;
mod options;
mod parts;
mod path;
mod path_text;
mod profile;
mod read;
pub mod record;
pub mod rpc;
#[cfg(feature = "serde")]
mod serde;
mod single;
mod stack;
pub mod stream;
#[cfg(feature = "tagged-json")]
pub mod tagged_json;
mod types;
pub mod variant;
mod variant_type;
mod wire;
#[cfg(feature = "count-work")]
#[doc(hidden)]
pub mod work;
#[cfg(not(feature = "count-work"))]
mod work;
pub mod write;

use alloc::vec::Vec;

#[cfg(feature = "serde")]
pub use self::serde::foreign as math;
#[cfg(feature = "serde")]
pub use self::serde::{FullObject, from_bytes, from_variant, packed, to_bytes, to_variant, typed};
#[cfg(all(feature = "serde", feature = "std"))]
pub use self::serde::{from_reader, to_writer};
pub use architecture::{Architecture, UnknownArchitecture};
pub use decoder::{Decoded, Decoder};
pub use encoder::Encoder;
pub use error::{Category, DecodeError, DecodeErrorKind, EncodeError, EncodeErrorKind};
pub use inspect::{inspect, inspect_to};
pub use limits::Limits;
#[doc(hidden)]
pub use parts::{Beginning, Entry, ObjectMembers, ObjectsBeginning, Parts};
pub use path::{Path, Step};
pub use path_text::ParsePathError;
pub use profile::{MemberCoercion, Precision, Profile, UnknownProfile};
#[doc(hidden)]
pub use read::known_names::KnownNames;
#[doc(hidden)]
pub use single::{InPlace, NumberBytes, Single};
#[doc(hidden)]
pub use stack::Stack;
#[doc(hidden)]
pub use types::utf32;
#[doc(inline)]
pub use variant::Variant;
pub use variant_type::VariantType;

/// Decodes the value at the start of `bytes`, as `bytes_to_var` of the newest supported engine does.
///
/// Full objects are refused. Use [`Decoder`] to change the settings.
///
/// ```
/// // What a script writes with var_to_bytes(true).
/// assert_eq!(varbytes::decode(&[1, 0, 0, 0, 1, 0, 0, 0])?, true);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
///
/// # Errors
/// Any [`DecodeErrorKind`], with offset and path.
#[doc(alias = "bytes_to_var")]
pub fn decode(bytes: &[u8]) -> Result<Variant, DecodeError> {
    const { &Decoder::new() }.decode(bytes)
}

/// Encodes `value`, as `var_to_bytes` of the newest supported engine does.
///
/// Full objects are refused. Use [`Encoder`] to change the settings.
///
/// ```
/// assert_eq!(varbytes::encode(&true.into())?, [1, 0, 0, 0, 1, 0, 0, 0]);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
///
/// # Errors
/// Any [`EncodeErrorKind`], with the path to the part of the value at fault.
#[doc(alias = "var_to_bytes")]
pub fn encode(value: &Variant) -> Result<Vec<u8>, EncodeError> {
    Encoder::new().encode(value)
}
