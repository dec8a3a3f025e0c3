//! Tagged JSON: a lossless text form of values.
//!
//! Every value is an object `{"type": T, "value": V}`. `T` is the Godot 4 name of its type. 64-bit integers are decimal
//! strings. Reals are their IEEE 754 bits as hexadecimal digits, most significant first: 8 digits in single and 16 in
//! double precision. Components are in wire order. An empty packed array of vectors in double precision has no digits to
//! show that, so `"precision": "double"` is beside its `value`. Text without it is read too, in single precision.
//!
//! Reading also accepts JSON numbers, for text that was written by hand or changed by another program, such as Godot's
//! `JSON`, which turns `3` into `3.0`. For an integer of any width, the number must not have a fractional part: `3`, `3.0`
//! and `3e0` are the same. For a real, it is rounded to the width of the real. A number does not show that width: it is
//! single in types that have both, unless another component has 16 hexadecimal digits or `"precision": "double"` is beside
//! the `value`.
//!
//! ```
//! use varbytes::tagged_json::from_str;
//!
//! let by_hand = from_str(r#"{"type":"Vector2","value":[1.5,-2]}"#)?;
//! assert_eq!(by_hand, from_str(r#"{"type":"Vector2","value":["3fc00000","c0000000"]}"#)?);
//! # Ok::<(), varbytes::tagged_json::Error>(())
//! ```
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
