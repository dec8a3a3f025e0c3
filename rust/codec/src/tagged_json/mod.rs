//! Tagged JSON: a lossless text form of values.
//!
//! Every value is an object `{"type": T, "value": V}`. `T` is the Godot 4 name of its type. 64-bit integers are decimal
//! strings. Reals are their IEEE 754 bits as hexadecimal digits, most significant first: 8 digits in single and 16 in
//! double precision. Components are in wire order. An empty packed array of vectors in double precision has no digits to
//! show that, so `"precision": "double"` is beside its `value`. Text without it is read too, in single precision.
//!
//! Text is read up to a depth of 65,536 JSON lists and objects, which are 32,768 arrays; deeper text is refused.
//!
//! ```
//! use varbytes::{Decoder, Variant, tagged_json};
//!
//! let text = r#"{"type":"Array","value":[{"type":"float","value":"3ff8000000000000"}]}"#;
//! let value = tagged_json::from_str(text)?;
//! assert_eq!(value, Variant::from(vec![Variant::from(1.5)]));
//! assert_eq!(tagged_json::to_string(&value), text);
//!
//! // Decoding into text needs no tree.
//! let bytes = varbytes::encode(&value)?;
//! assert_eq!(tagged_json::decode(&Decoder::new(), &bytes)?.value, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod godot2;
mod leaf;
mod output;
mod read;
mod tape;
mod write;

pub use read::{Error, from_slice, from_str};
pub use write::{TaggedJsonBuilder, decode, to_string};
