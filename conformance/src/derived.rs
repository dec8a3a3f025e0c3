//! Derived vectors: facts from the sources of engines that cannot be run here.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::value::RawValue;
use varbytes::{Path, Profile, Variant, tagged_json};

use crate::check::Setting;
use crate::compare::{self, Difference, Mask};
use crate::damage::Packet;
use crate::vectors::{files, load_lines};
use crate::vectors_folder;

/// The vectors derived for one engine.
#[derive(Debug)]
pub struct DerivedSet {
    /// The file in the folder of all vectors.
    pub file: String,
    /// The engine's profile.
    pub profile: Profile,
    /// The derived vectors.
    pub vectors: Vec<Derived>,
}

/// A value or bytes that an engine writes, reads or refuses according to its sources.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derived {
    /// A name that is unique in the file.
    pub name: String,
    /// The source that it follows from.
    pub source: String,
    /// Whether full objects are allowed.
    #[serde(default)]
    pub full_objects: bool,
    /// The bytes; without them, the value must be refused.
    hex: Option<String>,
    /// The value; without it, the bytes must be rejected.
    value: Option<Box<RawValue>>,
    #[serde(default)]
    direction: Direction,
    /// The number of bytes that the value takes, if not all.
    pub used: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Direction {
    #[default]
    Both,
    Read,
    Write,
}

/// The result of a vector: `None` for a direction that does not apply.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The result of writing the value.
    pub encode: Option<Option<Difference>>,
    /// The result of reading the bytes.
    pub decode: Option<Option<Difference>>,
}

impl DerivedSet {
    /// Reads all sets.
    ///
    /// # Errors
    /// If a file is not named after a profile, or a line is malformed.
    pub fn load_all() -> Result<Vec<Self>> {
        Self::load_from(&vectors_folder())
    }

    /// Reads all sets in another folder of vectors.
    ///
    /// # Errors
    /// The same as [`load_all`](Self::load_all).
    pub fn load_from(vectors: &std::path::Path) -> Result<Vec<Self>> {
        let load = |path: std::path::PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let profile = Profile::from_name(&stem)?;
            ensure!(profile.name() == stem, "{} is not the name of a profile", path.display());
            Ok(Self { file: format!("derived/{stem}.jsonl"), profile, vectors: load_lines(&path)? })
        };
        files(&vectors.join("derived"))?.into_iter().map(load).collect()
    }

    /// Returns the bytes of every vector that has bytes.
    ///
    /// # Errors
    /// If a vector has invalid hexadecimal.
    pub fn packets(&self) -> Result<Vec<Packet>> {
        let packet = |vector: &Derived| {
            let bytes = hex::decode(vector.hex.as_ref()?);
            Some(bytes.map(|bytes| Packet { bytes, objects: vector.full_objects }))
        };
        self.vectors.iter().filter_map(packet).map(|packet| Ok(packet?)).collect()
    }

    /// Checks the codec against one of its vectors.
    ///
    /// # Errors
    /// If the vector is malformed.
    pub fn check(&self, vector: &Derived) -> Result<Outcome> {
        let setting = Setting { profile: self.profile, ..Setting::NEWEST };
        let (bytes, value) = self.parse(vector)?;
        let mut outcome = Outcome::default();
        if let Some(value) = value.as_ref().filter(|_| vector.is_written()) {
            outcome.encode = Some(vector.encode(&setting, value, bytes.as_deref()));
        }
        if let Some(bytes) = bytes.as_ref().filter(|_| vector.is_read()) {
            outcome.decode = Some(vector.decode(&setting, bytes, value.as_ref()));
        }
        Ok(outcome)
    }

    /// Returns the bytes and the value of a vector; one of them may be missing.
    ///
    /// # Errors
    /// If the vector is malformed.
    pub fn parse(&self, vector: &Derived) -> Result<(Option<Vec<u8>>, Option<Variant>)> {
        let context = || format!("vector {} of {}", vector.name, self.file);
        let bytes = vector.hex.as_ref().map(hex::decode).transpose().with_context(context)?;
        let value = vector.value.as_ref().map(|text| tagged_json::from_str(text.get())).transpose();
        let value = value.with_context(context)?;
        if bytes.is_none() && value.is_none() {
            bail!("{} has neither bytes nor a value", context());
        }
        Ok((bytes, value))
    }
}

impl Derived {
    /// Returns whether it says how bytes are read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.direction != Direction::Write
    }

    /// Returns whether it says how a value is written.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.direction != Direction::Read
    }

    fn encode(&self, setting: &Setting, value: &Variant, bytes: Option<&[u8]>) -> Option<Difference> {
        let encoder = setting.encoder(self.full_objects);
        match bytes {
            Some(bytes) => compare::encoding(&encoder, &self.name, value, bytes, Mask::default()),
            None => {
                let bytes = encoder.encode(value).ok()?;
                Some(self.differs(format!("written as {}, but the engine refuses it", hex::encode(bytes))))
            }
        }
    }

    fn decode(&self, setting: &Setting, bytes: &[u8], value: Option<&Variant>) -> Option<Difference> {
        let decoder = setting.decoder(self.full_objects);
        match value {
            Some(value) => {
                let used = self.used.unwrap_or(bytes.len());
                setting.decodes_to(&decoder, &self.name, bytes, value, used)
            }
            None => {
                let value = decoder.decode_prefix(bytes).ok()?.value;
                Some(self.differs(format!("read as {value:?}, but the engine rejects it")))
            }
        }
    }

    fn differs(&self, what: String) -> Difference {
        Difference { name: self.name.clone(), what, path: Path::default() }
    }
}
