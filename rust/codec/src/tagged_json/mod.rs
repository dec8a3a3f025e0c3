//! Tagged JSON: a value as text, without loss.
//!
//! Every value is an object `{"type": T, "value": V}`, `T` being the Godot 4 name of its type. Integers of
//! 64 bits are decimal strings; reals are their IEEE 754 bits as hexadecimal digits, most significant
//! first, 8 of them in single and 16 in double precision; components stand in wire order.
//!
//! ```
//! use varbytes::{Decoder, Variant, tagged_json};
//!
//! let text = r#"{"type":"Array","value":[{"type":"float","value":"3ff8000000000000"}]}"#;
//! let value = tagged_json::from_str(text)?;
//! assert_eq!(value, Variant::from(vec![Variant::from(1.5)]));
//! assert_eq!(tagged_json::to_string(&value), text);
//!
//! // From bytes to text there is no need for a tree.
//! let bytes = varbytes::encode(&value)?;
//! assert_eq!(tagged_json::decode(&Decoder::new(), &bytes)?.value, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod godot2;
mod leaf;
mod output;
mod parts;
mod read;
mod tape;
mod write;

pub use read::{Error, from_slice, from_str};
pub use write::{TaggedJsonBuilder, decode, to_string};
