//! The rules of the format, once.
//!
//! Each family of types has a file with reading and writing side by side. Reading drives a [`Builder`],
//! writing is a [`Writer`], and what is built or where bytes go is no matter of the rules.

mod ahead;
mod array;
mod borrow;
mod builder;
mod check;
mod container;
mod conversion_cost;
mod convert;
mod convert_value;
mod costs;
mod cursor;
mod decode;
mod dictionary;
mod encode;
mod first_generation;
mod keys;
mod math;
mod object;
mod old_utf8;
mod opening;
mod options;
mod packed;
mod place;
mod read_plain;
mod reader;
mod scalar;
mod sink;
mod stream;
mod text;
mod tree;
pub mod utf32;
mod write_plain;
mod write_tree;
mod writer;

pub use ahead::Ascii;
pub(crate) use ahead::ShortText;
pub use borrow::{BorrowBuilder, OpenArrayRef, OpenDictionaryRef, StringsRef};
pub use builder::{Builder, DuplicateKeys, EngineBuild};
pub use check::{Check, CheckedObject, ObjectPolicy};
pub use costs::MemoryCosts;
pub use decode::{Decoded, Decoder};
pub use encode::Encoder;
pub(crate) use keys::{equal_keys, equal_names};
pub use packed::PackedNumbers;
pub use sink::{Length, SHORT_TEXT, Sink};
pub use stream::{Piece, StreamDecoder};
pub use tree::{OpenArray, OpenDictionary, TreeBuilder};
pub use writer::Writer;
