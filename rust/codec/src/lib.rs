// Links to repository pages point to the modules with the same text. The first definition of a link takes effect.
#![doc = "[FORMAT.md]: crate::format\n[ERRATA.md]: crate::errata\n"]
#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

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
mod inspect;
mod limits;
pub mod migrate;
mod options;
mod path;
mod path_text;
mod profile;
mod read;
pub mod record;
pub mod rpc;
#[cfg(feature = "serde")]
mod serde;
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
#[cfg(all(feature = "serde", feature = "mint"))]
pub use self::serde::foreign as math;
#[cfg(feature = "serde")]
pub use self::serde::{FullObject, from_bytes, from_variant, packed, to_bytes, to_variant, typed};
#[cfg(all(feature = "serde", feature = "std"))]
pub use self::serde::{from_reader, to_writer};
pub use decoder::{Decoded, Decoder};
pub use encoder::Encoder;
pub use error::{Category, DecodeError, DecodeErrorKind, EncodeError, EncodeErrorKind};
pub use inspect::{inspect, inspect_to};
pub use limits::Limits;
pub use path::{Path, Step};
pub use path_text::ParsePathError;
pub use profile::{MemberCoercion, Precision, Profile, UnknownProfile};
#[doc(hidden)]
pub use stack::Stack;
#[doc(hidden)]
pub use types::utf32;
pub use variant::Variant;
pub use variant_type::VariantType;

/// Decodes the value at the start of `bytes`, as `bytes_to_var` of the newest supported engine does.
///
/// Full objects are refused. Use [`Decoder`] to change the settings.
///
/// # Errors
/// Any [`DecodeErrorKind`], with offset and path.
pub fn decode(bytes: &[u8]) -> Result<Variant, DecodeError> {
    Decoder::new().decode(bytes)
}

/// Encodes `value`, as `var_to_bytes` of the newest supported engine does.
///
/// Full objects are refused. Use [`Encoder`] to change the settings.
///
/// # Errors
/// Any [`EncodeErrorKind`], with the path to the part of the value at fault.
pub fn encode(value: &Variant) -> Result<Vec<u8>, EncodeError> {
    Encoder::new().encode(value)
}
