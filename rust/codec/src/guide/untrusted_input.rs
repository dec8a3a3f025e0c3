//! Bytes from others: what the decoder guarantees, and what remains for you.
//!
//! [`Decoder::untrusted`](crate::Decoder::untrusted) is the decoder for them. It bounds time and memory by the length of the
//! packet and makes members have the type that their container declares. Three things remain:
//!
//! 1. Limit the length of packets, before they are in memory: see [`servers`](super::servers).
//! 2. Check what values mean: ranges, lengths, text that is shown.
//! 3. Decide about full objects, if you allow them at all.
//!
//! # Check what values mean
//!
//! A number can be NaN or infinite, and text can have control characters. Check each when it is read, so that no other
//! part of the program meets it. The error has the path of the field.
//!
//! ```
//! use serde::{Deserialize, Deserializer, de::Error};
//! use varbytes::variant::Vector2;
//! use varbytes::{Decoder, variant};
//!
//! #[derive(Deserialize)]
//! struct Move {
//!     #[serde(deserialize_with = "name")]
//!     name: String,
//!     #[serde(deserialize_with = "step")]
//!     step: Vector2,
//! }
//!
//! fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
//!     let name = String::deserialize(deserializer)?;
//!     let is_valid = (1..=20).contains(&name.chars().count()) && name.chars().all(char::is_alphanumeric);
//!     if is_valid { Ok(name) } else { Err(D::Error::custom("a name has 1 to 20 letters and digits")) }
//! }
//!
//! fn step<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vector2, D::Error> {
//!     let step = Vector2::deserialize(deserializer)?;
//!     let is_valid = step.x().hypot(step.y()) <= 1.0; // false for NaN
//!     if is_valid { Ok(step) } else { Err(D::Error::custom("a step is at most 1 long")) }
//! }
//!
//! let packet = varbytes::encode(&variant!({"name": "Ada", "step": Vector2::new(f32::NAN, 0.0)}))?;
//! let error = Decoder::untrusted(&packet).deserialize::<Move>(&packet).err().unwrap();
//! assert_eq!(error.to_string(), r#"a step is at most 1 long, at offset 44 (0x2c), path $["step"]"#);
//! # Ok::<(), varbytes::EncodeError>(())
//! ```
//!
//! Messages of errors are safe to log: text from packets is [escaped](crate::escape) and shortened in them. Escape
//! other text before you log it.
//!
//! # Lower limits
//!
//! The preset allows 64 bytes of memory per byte, plus 4096. Set lower limits if you know your packets. Branch on the
//! [`Category`](crate::Category) of an error:
//!
//! ```
//! use varbytes::{Category, Decoder, Limits, variant};
//!
//! let packet = varbytes::encode(&variant!([[[[["deep"]]]]]))?;
//! let limits = Limits::untrusted(packet.len()).depth(3).memory(10_000);
//! let error = Decoder::untrusted(&packet).limits(limits).decode(&packet).unwrap_err();
//! let answer = match error.category() {
//!     Category::Limit | Category::NotAllowed => "drop this peer",
//!     Category::Mismatch => "tell this peer what you expect",
//!     _ => "ignore this packet",
//! };
//! assert_eq!(answer, "drop this peer");
//! # Ok::<(), varbytes::EncodeError>(())
//! ```
//!
//! # Only what an engine writes
//!
//! [`strict`](crate::Decoder::strict) also refuses packets that no engine of this version writes: bytes after the value,
//! duplicate keys, padding that is not zero. Use it to compare or sign bytes, and if you know the version of every
//! peer. Peers of other versions write other bytes for the same value.
//!
//! # Full objects
//!
//! An engine that reads full objects creates them, and **loads the script** that the property `script` names, which
//! runs its code. This crate does neither: objects are refused unless [`objects`](crate::Decoder::objects) allows them,
//! and then they are data. It does check that a script is null or a path in `res://`, as the engine does, and not
//! which.
//!
//! So a server that relays packets to games has to decide about each class, script and property before it does:
//!
//! ```
//! use varbytes::build::ObjectPolicy;
//! use varbytes::variant::ObjectData;
//! use varbytes::{DecodeErrorKind, Decoder, Encoder, Variant};
//!
//! /// Items of the game, and nothing else.
//! struct OnlyItems;
//!
//! fn refuse(reason: String) -> Result<(), DecodeErrorKind> {
//!     Err(DecodeErrorKind::Refused { reason: reason.into() })
//! }
//!
//! impl ObjectPolicy for OnlyItems {
//!     fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
//!         if class == "Resource" { Ok(()) } else { refuse(format!("class {class}")) }
//!     }
//!
//!     fn property(&mut self, _: &str, _: Option<&str>, property: &str) -> Result<(), DecodeErrorKind> {
//!         if ["script", "name", "count"].contains(&property) { Ok(()) } else { refuse(format!("property {property}")) }
//!     }
//!
//!     fn script(&mut self, _: &str, path: &str) -> Result<(), DecodeErrorKind> {
//!         if path == "res://item.gd" { Ok(()) } else { refuse(format!("script {path}")) }
//!     }
//! }
//!
//! /// Returns a packet to relay, if games may read it.
//! fn checked(packet: &[u8]) -> Result<&[u8], varbytes::DecodeError> {
//!     let decoded = Decoder::untrusted(packet).objects(true).check_with(packet, OnlyItems)?;
//!     Ok(&packet[..decoded.consumed])
//! }
//!
//! let with_script = |script: &str| {
//!     let object = ObjectData { class: "Resource".into(), properties: vec![("script".into(), script.into())] };
//!     Encoder::new().objects(true).encode(&Variant::from(object)).unwrap()
//! };
//! assert!(checked(&with_script("res://item.gd")).is_ok());
//! let error = checked(&with_script("res://editor_tool.gd")).unwrap_err();
//! assert_eq!(error.to_string(), "script res://editor_tool.gd, at offset 32 (0x20), path $.script");
//! ```
