//! Vectors: bytes and values that an engine wrote, accepted, rejected or refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use varbytes::{Precision, Profile, Variant, tagged_json};

use crate::check::Setting;
use crate::compare::UndefinedPadding;
use crate::damage::Packet;
use crate::reference::Reference;
use crate::vectors_folder;

/// The newest engine's vectors in the folder of all.
pub const GODOT_4: &str = Reference::GODOT_4.name;

/// Vectors captured from an engine that no package archive carries.
#[derive(Clone, Copy, Debug)]
pub struct Captured {
    /// The file in the folder of all vectors.
    pub file: &'static str,
    profile: &'static str,
    precision: Precision,
    undefined_padding: UndefinedPadding,
}

/// All captured vectors.
pub const CAPTURED: [Captured; 4] = [
    Captured {
        file: "captured/godot-4.4-double.jsonl",
        profile: "godot-4.4",
        precision: Precision::Double,
        undefined_padding: UndefinedPadding::OfNodePaths,
    },
    Captured {
        file: "captured/godot-4.2.jsonl",
        profile: "godot-4.2",
        precision: Precision::Single,
        undefined_padding: UndefinedPadding::OfNodePaths,
    },
    Captured {
        file: "captured/godot-1-generation.jsonl",
        profile: "godot-1",
        precision: Precision::Single,
        undefined_padding: UndefinedPadding::All,
    },
    Captured {
        file: "captured/pandemonium-5.3.jsonl",
        profile: "pandemonium-5.3",
        precision: Precision::Single,
        undefined_padding: UndefinedPadding::OfNodePaths,
    },
];

impl Captured {
    /// Reads a file of [`Rewritten`].
    ///
    /// # Errors
    /// When a line is no vector; the message names file and line.
    pub fn load_rewritten(&self) -> Result<Vec<Rewritten>> {
        load_lines(&vectors_folder().join(self.file))
    }

    /// As which engine to read and write them.
    ///
    /// # Errors
    /// When the engine has no profile.
    pub fn setting(&self) -> Result<Setting> {
        let profile = Profile::from_name(self.profile)?;
        Ok(Setting { profile, precision: self.precision, undefined_padding: self.undefined_padding })
    }

    /// Reads them.
    ///
    /// # Errors
    /// When a line is no vector; the message names file and line.
    pub fn load(&self) -> Result<Vec<Canonical>> {
        load_lines(&vectors_folder().join(self.file))
    }
}

/// What an engine that no package archive carries writes for bytes that it converts on reading.
pub const CAPTURED_REWRITTEN: Captured = Captured {
    file: "captured/godot-4.6-double.jsonl",
    profile: "godot-4.6.3",
    precision: Precision::Double,
    undefined_padding: UndefinedPadding::None,
};

/// Bytes that an engine reads, and what it writes for the value that it read.
#[derive(Debug, Deserialize)]
pub struct Rewritten {
    /// A name that no other vector of its file has.
    pub name: String,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    /// Bytes that the engine says the value takes.
    pub used: usize,
    /// What the engine writes.
    #[serde(with = "hex::serde")]
    pub rewritten: Vec<u8>,
}

/// What an engine writes for a value; reading it gives the value back.
#[derive(Debug, Deserialize)]
pub struct Canonical {
    /// A name that no other vector has.
    pub name: String,
    /// Whether it was written with full objects.
    pub full_objects: bool,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    value: Box<RawValue>,
}

/// Bytes that an engine reads although it would not write them.
#[derive(Debug, Deserialize)]
pub struct NonCanonical {
    /// A name that no other vector has.
    pub name: String,
    /// Whether objects were allowed.
    pub allow_objects: bool,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    /// Bytes that the engine says the value takes.
    pub used: usize,
    value: Box<RawValue>,
    /// What the engine writes for the value it read.
    #[serde(with = "hex::serde")]
    pub rewritten: Vec<u8>,
}

/// Bytes that an engine does not read.
#[derive(Debug, Deserialize)]
pub struct Rejected {
    /// A name that no other vector has.
    pub name: String,
    /// Whether objects were allowed.
    pub allow_objects: bool,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    /// What is wrong with them.
    pub reason: String,
}

/// A value that an engine does not write.
#[derive(Debug, Deserialize)]
pub struct Refused {
    /// A name that no other vector has.
    pub name: String,
    /// Whether it was to be written with full objects.
    pub full_objects: bool,
    value: Box<RawValue>,
    /// How many containers are nested in each other, where writing that down would be long.
    nest: Option<usize>,
    container: Option<String>,
    innermost: Option<Box<RawValue>>,
    /// Why the engine refuses it.
    pub reason: String,
}

impl Canonical {
    /// The value, as the engine described it when asked.
    ///
    /// # Errors
    /// When the description is not tagged JSON.
    pub fn value(&self) -> Result<Variant> {
        tagged_json::from_str(self.value.get()).with_context(|| format!("the value of vector {}", self.name))
    }
}

impl NonCanonical {
    /// The value that the engine read, as it described it when asked.
    ///
    /// # Errors
    /// When the description is not tagged JSON.
    pub fn value(&self) -> Result<Variant> {
        tagged_json::from_str(self.value.get()).with_context(|| format!("the value of vector {}", self.name))
    }
}

impl Refused {
    /// The value, or `None` where it cannot exist outside an engine: one that holds itself, or an object
    /// that only its class makes unwritable.
    ///
    /// # Errors
    /// When the description is not tagged JSON.
    pub fn value(&self) -> Result<Option<Variant>> {
        let read = |text: &RawValue| {
            tagged_json::from_str(text.get()).with_context(|| format!("the value of vector {}", self.name))
        };
        let (Some(levels), Some(container)) = (self.nest, &self.container) else {
            return if self.value.get() == "null" { Ok(None) } else { read(&self.value).map(Some) };
        };
        // The innermost level is an empty container unless something else is named.
        let mut value = None;
        if let Some(innermost) = self.innermost.as_deref().filter(|text| text.get() != "null") {
            value = Some(read(innermost)?);
        }
        for _ in 0..levels {
            value = Some(match container.as_str() {
                "Array" => Variant::from(value.into_iter().collect::<Vec<_>>()),
                "Dictionary" => {
                    Variant::from(value.into_iter().map(|value| (Variant::from("in"), value)).collect::<Vec<_>>())
                }
                other => bail!("vector {} nests {other}, which is no container", self.name),
            });
        }
        Ok(value)
    }
}

/// Who wrote a set of vectors, and how to write it again.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct Manifest {
    /// The version the engine reports, such as `4.6.3`.
    pub version: String,
    /// The engine's own word for its build.
    pub build: String,
    /// `single` or `double`.
    pub precision: String,
    /// The profile of the codec that covers it.
    pub profile: String,
    /// The command that writes the set again.
    pub command: String,
    /// Lines in each file.
    pub files: BTreeMap<String, usize>,
}

impl Manifest {
    /// The precision of the engine's build.
    #[must_use]
    pub fn precision(&self) -> Precision {
        if self.precision == "double" { Precision::Double } else { Precision::Single }
    }
}

/// All vectors of one engine.
#[derive(Debug)]
pub struct VectorSet {
    /// By the type they are about.
    pub canonical: BTreeMap<String, Vec<Canonical>>,
    /// Accepted, but not as written.
    pub non_canonical: Vec<NonCanonical>,
    /// Not accepted.
    pub rejected: Vec<Rejected>,
    /// Not written.
    pub refused: Vec<Refused>,
}

impl VectorSet {
    /// Reads the set in a folder.
    ///
    /// # Errors
    /// When a file is missing, holds another number of vectors than its manifest says, or has a line that is no
    /// vector; the message names file and line.
    pub fn load(folder: &Path) -> Result<Self> {
        let manifest = load_manifest(folder)?;
        let mut canonical = BTreeMap::new();
        for file in manifest.files.keys() {
            if let Some(name) = file.strip_prefix("canonical/").and_then(|name| name.strip_suffix(".jsonl")) {
                canonical.insert(name.to_owned(), load_counted(folder, &manifest, file)?);
            }
        }
        if canonical.is_empty() {
            bail!("there are no canonical vectors in {}", folder.display());
        }
        Ok(Self {
            canonical,
            non_canonical: load_counted(folder, &manifest, "non_canonical.jsonl")?,
            rejected: load_counted(folder, &manifest, "rejected.jsonl")?,
            refused: load_counted(folder, &manifest, "refused.jsonl")?,
        })
    }

    /// How many vectors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let canonical: usize = self.canonical.values().map(Vec::len).sum();
        canonical + self.non_canonical.len() + self.rejected.len() + self.refused.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of every vector that has some.
    #[must_use]
    pub fn packets(&self) -> Vec<Packet> {
        let canonical = self.canonical.values().flatten().map(|vector| (&*vector.bytes, vector.full_objects));
        let non_canonical = self.non_canonical.iter().map(|vector| (&*vector.bytes, vector.allow_objects));
        let rejected = self.rejected.iter().map(|vector| (&*vector.bytes, vector.allow_objects));
        let packets = canonical.chain(non_canonical).chain(rejected);
        packets.map(|(bytes, objects)| Packet { bytes: bytes.to_vec(), objects }).collect()
    }
}

/// The manifest in a folder.
///
/// # Errors
/// When it is missing or of another form.
pub fn load_manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join("manifest.json");
    let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is no manifest", path.display()))
}

/// Reads a file of one vector a line.
///
/// # Errors
/// When it cannot be read, is empty, or a line is no such vector; the message names file and line.
pub fn load_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let vectors = parse_lines(path)?;
    if vectors.is_empty() {
        bail!("{} holds no vector", path.display());
    }
    Ok(vectors)
}

/// Reads a file that holds as many vectors as a manifest says, be it none: Godot 3.2 refuses no value.
fn load_counted<T: DeserializeOwned>(folder: &Path, manifest: &Manifest, file: &str) -> Result<Vec<T>> {
    let path = folder.join(file);
    let counted = manifest.files.get(file).with_context(|| format!("{} is not in the manifest", path.display()))?;
    let vectors = parse_lines(&path)?;
    if vectors.len() != *counted {
        bail!("{} holds {} vectors, its manifest says {counted}", path.display(), vectors.len());
    }
    Ok(vectors)
}

fn parse_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parse =
        |(index, line)| serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), index + 1));
    text.lines().enumerate().map(parse).collect()
}

/// The files of a folder that hold vectors, in order of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    Ok(paths)
}
