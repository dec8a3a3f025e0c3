//! Programs that talk to several engine versions.
//!
//! Packets do not say which engine wrote them, and the same bytes can mean different values: type 21 is a
//! `PoolIntArray` in Godot 3 and a `StringName` in Godot 4. So a program has to know the version, from a setting or
//! from a message that the peers exchange first. A [`Profile`](crate::Profile) is a version, and its name is text for
//! such a setting.
//!
//! ```
//! use varbytes::variant::Vector4i;
//! use varbytes::{Decoder, Encoder, Profile, variant};
//!
//! /// A peer, and the version that it has told.
//! struct Peer {
//!     profile: Profile,
//! }
//!
//! impl Peer {
//!     fn new(version: &str) -> Result<Self, varbytes::UnknownProfile> {
//!         Ok(Self { profile: version.parse()? }) // "3.6.2", "godot-4.2.1", "redot-4.3", ...
//!     }
//! }
//!
//! /// Reads what one peer has sent, and writes it for another.
//! fn relay(packet: &[u8], from: &Peer, to: &Peer) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
//!     let value = Decoder::untrusted(packet).profile(from.profile).decode(packet)?;
//!     Ok(Encoder::new().profile(to.profile).encode(&value)?)
//! }
//!
//! let (old, new) = (Peer::new("3.6.2")?, Peer::new("godot-4.6.3")?);
//! let packet = [21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0];
//! assert_eq!(varbytes::decode(&relay(&packet, &old, &new)?)?, variant!(vec![99i32]));
//!
//! // What the other version does not have is an error with its path.
//! let size = Vector4i::new(1, 2, 3, 4);
//! let packet = Encoder::new().profile(new.profile).encode(&variant!({"size": size}))?;
//! let error = relay(&packet, &new, &old).unwrap_err();
//! assert_eq!(error.to_string(), r#"Vector4i does not exist in this engine version, path $["size"]"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values that the other version does not have
//!
//! A [`Migration`](crate::migrate::Migration) replaces them by the closest value and reports each loss:
//!
//! ```
//! use varbytes::migrate::Migration;
//! use varbytes::variant::Vector4i;
//! use varbytes::{Decoder, Profile, variant};
//!
//! let save = varbytes::encode(&variant!({"size": Vector4i::new(1, 2, 3, 4), "name": "Ada"}))?;
//! let migrated = Migration::new(Profile::NEWEST, "3.6".parse()?).migrate_bytes(&save)?;
//! for loss in &migrated.losses {
//!     println!("{loss}");
//! }
//! assert_eq!(migrated.losses[0].path().to_string(), r#"$["size"]"#);
//! assert_eq!(Decoder::new().profile("3.6".parse()?).decode(&migrated.value)?["name"], "Ada");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Files with many records are converted by the command `varbytes convert --records`, in place and with a backup.
//!
//! # Double precision
//!
//! An engine built with `precision=double` writes the components of vectors in 8 bytes. Decoding keeps them:
//! [`x`](crate::variant::Vector3::x) rounds to `f32`, [`to_f64_array`](crate::variant::Vector3::to_f64_array) does not. To
//! write for such a build, set the [`precision`](crate::Encoder::precision) of the encoder; every vector is then
//! written in 8 bytes for each component:
//!
//! ```
//! use varbytes::variant::Vector3;
//! use varbytes::{Encoder, Precision};
//!
//! let position = Vector3::new(1.0, 2.0, 3.0).into();
//! assert_eq!(Encoder::new().encode(&position)?.len(), 16);
//! assert_eq!(Encoder::new().precision(Precision::Double).encode(&position)?.len(), 28);
//! # Ok::<(), varbytes::EncodeError>(())
//! ```
//!
//! # What differs
//!
//! [`format`](mod@crate::format) describes each version, with a table of all profiles. Most programs meet these differences:
//!
//! | between | differs |
//! |---|---|
//! | 3 and 4 | the ids of types; Godot 3 has no `StringName`, `Vector4`, `Callable`, `PackedInt64Array` |
//! | 4.2 and 4.3 | `PackedVector4Array`, typed arrays, scripts of full objects |
//! | 4.3 and 4.4 | typed dictionaries |
//! | ordinary builds and `precision=double` | 4 or 8 bytes for each component |
