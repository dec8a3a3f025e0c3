//! Tools for the saves of a game: load, store, edit.
//!
//! `store_var` of a `FileAccess` writes a record: the length of the value in 4 bytes, then the value. A file can have
//! any number of them. A game that calls `store_buffer(var_to_bytes(save))` writes the value alone: use
//! [`from_bytes`](crate::from_bytes) and [`to_bytes`](crate::to_bytes) for it.
//!
//! Files of `open_compressed` begin with `GCPF`, and those of `open_encrypted_with_pass` with `GDEC`. The game has to
//! write them without compression and encryption first.
//!
//! # Load and store
//!
//! ```
//! use std::fs::{self, File};
//! use std::io::{self, BufReader};
//! use std::path::Path;
//!
//! use serde::{Deserialize, Serialize};
//! use varbytes::variant::Vector2i;
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Save {
//!     player: String,
//!     level: u32,
//!     /// Saves of earlier versions of the game do not have it.
//!     #[serde(default)]
//!     opened_chests: Vec<Vector2i>,
//! }
//!
//! fn load(path: &Path) -> io::Result<Save> {
//!     let save = varbytes::from_reader(BufReader::new(File::open(path)?))?;
//!     save.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
//! }
//!
//! /// Replaces a save once the new one is complete.
//! fn store(path: &Path, save: &Save) -> io::Result<()> {
//!     let new = path.with_extension("new");
//!     let mut file = File::create(&new)?;
//!     varbytes::to_writer(&mut file, save)?;
//!     file.sync_all()?;
//!     fs::rename(new, path)
//! }
//!
//! # let path = &std::env::temp_dir().join(format!("varbytes-guide-{}.save", std::process::id()));
//! store(path, &Save { player: "Ada".into(), level: 3, opened_chests: vec![[4, 2].into()] })?;
//! let mut save = load(path)?;
//! save.level += 1;
//! store(path, &save)?;
//! assert_eq!(load(path)?, save);
//! # fs::remove_file(path)?;
//! # Ok::<(), io::Error>(())
//! ```
//!
//! The game reads it with `FileAccess.open("user://game.save", FileAccess.READ).get_var()` as a `Dictionary`. It is
//! written for the newest engine; [`engine_versions`](super::engine_versions) has the others.
//!
//! # Edit any save
//!
//! A tool for saves of any game reads values of any type, and finds a part by a path, as errors show it. Full objects
//! stay data: they are written back as they were.
//!
//! ```
//! use varbytes::record::{Framing, RecordReader, RecordWriter};
//! use varbytes::{Encoder, Path, Variant, variant};
//!
//! /// Changes a value in the records of a file.
//! fn edit(file: &[u8], path: &Path, new: &Variant) -> std::io::Result<Vec<u8>> {
//!     let framing = Framing::new(1 << 30);
//!     let mut edited = RecordWriter::new(Vec::new(), framing).encoder(Encoder::new().objects(true));
//!     let mut records = RecordReader::new(file, framing).objects(true);
//!     while let Some(mut record) = records.read()? {
//!         if let Some(value) = record.at_mut(path) {
//!             *value = new.clone();
//!         }
//!         edited.write(&record)?;
//!     }
//!     Ok(edited.into_inner())
//! }
//!
//! let mut file = Vec::new();
//! varbytes::to_writer(&mut file, &variant!({"player": {"name": "Ada", "items": ["axe", "bow"]}}))?;
//! let file = edit(&file, &r#"$["player"]["items"][1]"#.parse()?, &"sword".into())?;
//! let save: Variant = varbytes::from_reader(&file[..])?.unwrap();
//! assert_eq!(save, variant!({"player": {"name": "Ada", "items": ["axe", "sword"]}}));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Packed arrays and typed containers
//!
//! A `Vec` is an untyped `Array`. A script with typed variables needs the declared type: `#[serde(with = ...)]` on the
//! field selects it.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use serde::{Deserialize, Serialize};
//! use varbytes::variant;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Level {
//!     #[serde(with = "varbytes::packed")]
//!     heights: Vec<f32>, // PackedFloat32Array
//!     #[serde(with = "varbytes::typed")]
//!     names: Vec<String>, // Array[String]
//!     #[serde(with = "varbytes::typed")]
//!     scores: BTreeMap<String, i64>, // Dictionary[String, int]
//!     #[serde(with = "serde_bytes")]
//!     thumbnail: Vec<u8>, // PackedByteArray
//! }
//!
//! let scores = BTreeMap::from([("Ada".to_owned(), 9001)]);
//! let level = Level { heights: vec![0.5], names: vec!["Ada".into()], scores, thumbnail: vec![0xFF] };
//! let save = varbytes::to_variant(&level)?;
//! assert_eq!(save["heights"], variant!(vec![0.5f32]));
//! assert_eq!(save["names"].to_string(), r#"Array[String](["Ada"])"#);
//! assert_eq!(save["scores"].to_string(), "Dictionary[String, int]({\n\"Ada\": 9001\n})");
//! assert_eq!(save["thumbnail"].as_bytes(), Some(&[0xFF][..]));
//! # Ok::<(), varbytes::EncodeError>(())
//! ```
