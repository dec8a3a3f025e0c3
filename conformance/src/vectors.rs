//! Vectors: bytes and values that an engine wrote, accepted, rejected or refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use varbytes::{Architecture, Precision, Profile, Variant, tagged_json};

use crate::check::Setting;
use crate::compare::UndefinedPadding;
use crate::damage::Packet;
use crate::reference::Reference;
use crate::vectors_folder;

/// The folder of the newest engine's vectors.
pub const GODOT_4: &str = Reference::GODOT_4.name;

/// Vectors of an engine that no package archive carries: captured from it, or found in public files that it wrote.
#[derive(Clone, Copy, Debug)]
pub struct Captured {
    /// The file in the folder of all vectors.
    pub file: &'static str,
    profile: &'static str,
    precision: Precision,
    undefined_padding: UndefinedPadding,
}

/// All captured vectors, and those seen in public.
pub const CAPTURED: [Captured; 10] = [
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
    Captured::public("public/godot-2.1.jsonl", "godot-2.1", UndefinedPadding::All),
    Captured::public("public/godot-3.1.jsonl", "godot-3.1", UndefinedPadding::OfNodePaths),
    Captured::public("public/godot-4.0.jsonl", "godot-4.0", UndefinedPadding::OfNodePaths),
    Captured::public("public/godot-4.3.jsonl", "godot-4.3", UndefinedPadding::OfNodePaths),
    Captured::public("public/godot-4.4.jsonl", "godot-4.4", UndefinedPadding::OfNodePaths),
    Captured::public("public/godot-4.7.jsonl", "godot-4.7", UndefinedPadding::None),
];

impl Captured {
    const fn public(file: &'static str, profile: &'static str, undefined_padding: UndefinedPadding) -> Self {
        Self { file, profile, precision: Precision::Single, undefined_padding }
    }

    /// How the bytes were got, as reports name it.
    #[must_use]
    pub fn origin(&self) -> &'static str {
        if self.file.starts_with("public/") { "seen in public" } else { "captured" }
    }

    /// Returns the setting of the engine to read and write them as.
    ///
    /// # Errors
    /// If the engine has no profile.
    pub fn setting(&self) -> Result<Setting> {
        let profile = Profile::from_name(self.profile)?;
        let Self { precision, undefined_padding, .. } = *self;
        Ok(Setting { profile, precision, undefined_padding, ..Setting::NEWEST })
    }

    /// Reads them.
    ///
    /// # Errors
    /// If a line is malformed; the message has the file and line.
    pub fn load(&self) -> Result<Vec<Canonical>> {
        self.load_from(&vectors_folder())
    }

    /// Reads them from another folder of vectors.
    ///
    /// # Errors
    /// The same as [`load`](Self::load).
    pub fn load_from(&self, vectors: &Path) -> Result<Vec<Canonical>> {
        load_lines(&vectors.join(self.file))
    }
}

/// Captured conversions, which depend on how an engine was built.
#[derive(Clone, Copy, Debug)]
pub struct CapturedRewritten {
    /// The file in the folder of all vectors.
    pub file: &'static str,
    profile: &'static str,
    precision: Precision,
    release_build: bool,
    architecture: Architecture,
}

/// All captured conversions.
pub const CAPTURED_REWRITTEN: [CapturedRewritten; 4] = [
    CapturedRewritten {
        file: "captured/godot-4.6-double.jsonl",
        profile: "godot-4.6.3",
        precision: Precision::Double,
        release_build: false,
        architecture: Architecture::X86_64,
    },
    CapturedRewritten {
        file: "captured/godot-4.6-release.jsonl",
        profile: "godot-4.6.3",
        precision: Precision::Single,
        release_build: true,
        architecture: Architecture::X86_64,
    },
    CapturedRewritten {
        file: "captured/godot-4.6-web.jsonl",
        profile: "godot-4.6.0",
        precision: Precision::Single,
        release_build: true,
        architecture: Architecture::Wasm32,
    },
    CapturedRewritten {
        file: "captured/godot-4.6-arm64.jsonl",
        profile: "godot-4.6.3",
        precision: Precision::Single,
        release_build: false,
        architecture: Architecture::Arm64,
    },
];

impl CapturedRewritten {
    /// Reads them.
    ///
    /// # Errors
    /// If a line is malformed; the message has the file and line.
    pub fn load(&self) -> Result<Vec<Rewritten>> {
        load_lines(&vectors_folder().join(self.file))
    }

    /// Returns the setting of the engine to read and write them as.
    ///
    /// # Errors
    /// If the engine has no profile.
    pub fn setting(&self) -> Result<Setting> {
        let profile = Profile::from_name(self.profile)?;
        let Self { precision, release_build, architecture, .. } = *self;
        Ok(Setting { profile, precision, release_build, architecture, ..Setting::NEWEST })
    }
}

/// Bytes that an engine reads, and the bytes that it writes for their value.
#[derive(Debug, Deserialize)]
pub struct Rewritten {
    /// A name that is unique in the file.
    pub name: String,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    /// Bytes that the value takes, according to the engine.
    pub used: usize,
    /// The bytes that the engine writes.
    #[serde(with = "hex::serde")]
    pub rewritten: Vec<u8>,
}

/// A value and the bytes that an engine writes for it. Reading them returns the value.
#[derive(Debug, Deserialize)]
pub struct Canonical {
    /// A unique name.
    pub name: String,
    /// Whether it was written with full objects.
    pub full_objects: bool,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    value: Box<RawValue>,
}

/// Bytes that an engine reads but would not write.
#[derive(Debug, Deserialize)]
pub struct NonCanonical {
    /// A unique name.
    pub name: String,
    /// Whether objects were allowed.
    pub allow_objects: bool,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    /// Bytes that the value takes, according to the engine.
    pub used: usize,
    value: Box<RawValue>,
    /// The bytes that the engine writes for the value.
    #[serde(with = "hex::serde")]
    pub rewritten: Vec<u8>,
}

/// Bytes that an engine does not read.
#[derive(Debug, Deserialize)]
pub struct Rejected {
    /// A unique name.
    pub name: String,
    /// Whether objects were allowed.
    pub allow_objects: bool,
    /// The bytes.
    #[serde(with = "hex::serde", rename = "hex")]
    pub bytes: Vec<u8>,
    /// The reason.
    pub reason: String,
}

/// A value that an engine does not write.
#[derive(Debug, Deserialize)]
pub struct Refused {
    /// A unique name.
    pub name: String,
    /// Whether full objects were allowed.
    pub full_objects: bool,
    value: Box<RawValue>,
    /// The number of nested containers, if the value would be too long to write out.
    nest: Option<usize>,
    container: Option<String>,
    innermost: Option<Box<RawValue>>,
    /// The reason.
    pub reason: String,
}

impl Canonical {
    /// Returns the value as the engine described it.
    ///
    /// # Errors
    /// If the description is not tagged JSON.
    pub fn value(&self) -> Result<Variant> {
        tagged_json::from_str(self.value.get()).with_context(|| format!("the value of vector {}", self.name))
    }
}

impl NonCanonical {
    /// Returns the value that the engine read, as the engine described it.
    ///
    /// # Errors
    /// If the description is not tagged JSON.
    pub fn value(&self) -> Result<Variant> {
        tagged_json::from_str(self.value.get()).with_context(|| format!("the value of vector {}", self.name))
    }
}

impl Refused {
    /// Returns the value, or `None` if it cannot exist outside an engine: one that holds itself, or an object that only
    /// the engine refuses because of its class.
    ///
    /// # Errors
    /// If the description is not tagged JSON.
    pub fn value(&self) -> Result<Option<Variant>> {
        let read = |text: &RawValue| {
            tagged_json::from_str(text.get()).with_context(|| format!("the value of vector {}", self.name))
        };
        let (Some(levels), Some(container)) = (self.nest, &self.container) else {
            return if self.value.get() == "null" { Ok(None) } else { read(&self.value).map(Some) };
        };
        // The innermost level is an empty container unless another value is given.
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
                other => bail!("vector {} nests {other}, which is not a container", self.name),
            });
        }
        Ok(value)
    }
}

/// The engine that wrote a set of vectors, and the command to write it again.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct Manifest {
    /// The version the engine reports, such as `4.6.3`.
    pub version: String,
    /// The engine's name for its build.
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
    /// Canonical vectors by type.
    pub canonical: BTreeMap<String, Vec<Canonical>>,
    /// Non-canonical bytes.
    pub non_canonical: Vec<NonCanonical>,
    /// Rejected bytes.
    pub rejected: Vec<Rejected>,
    /// Refused values.
    pub refused: Vec<Refused>,
}

impl VectorSet {
    /// Reads the set in a folder.
    ///
    /// # Errors
    /// If a file is missing, has a different number of vectors than its manifest says, or has a malformed line; the
    /// message has the file and line.
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

    /// Returns the number of vectors.
    #[must_use]
    pub fn len(&self) -> usize {
        let canonical: usize = self.canonical.values().map(Vec::len).sum();
        canonical + self.non_canonical.len() + self.rejected.len() + self.refused.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of every vector that has bytes.
    #[must_use]
    pub fn packets(&self) -> Vec<Packet> {
        let canonical = self.canonical.values().flatten().map(|vector| (&*vector.bytes, vector.full_objects));
        let non_canonical = self.non_canonical.iter().map(|vector| (&*vector.bytes, vector.allow_objects));
        let rejected = self.rejected.iter().map(|vector| (&*vector.bytes, vector.allow_objects));
        let packets = canonical.chain(non_canonical).chain(rejected);
        packets.map(|(bytes, objects)| Packet { bytes: bytes.to_vec(), objects }).collect()
    }
}

/// Reads the manifest of a folder.
///
/// # Errors
/// If it is missing or malformed.
pub fn load_manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join("manifest.json");
    let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is not a manifest", path.display()))
}

/// Reads a file with one vector per line.
///
/// # Errors
/// If it cannot be read, is empty, or has a malformed line; the message has the file and line.
pub fn load_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let vectors = parse_lines(path)?;
    if vectors.is_empty() {
        bail!("{} has no vectors", path.display());
    }
    Ok(vectors)
}

/// Reads a file with the number of vectors that its manifest says. It may be empty: Godot 3.2 refuses no values.
fn load_counted<T: DeserializeOwned>(folder: &Path, manifest: &Manifest, file: &str) -> Result<Vec<T>> {
    let path = folder.join(file);
    let counted = manifest.files.get(file).with_context(|| format!("{} is not in the manifest", path.display()))?;
    let vectors = parse_lines(&path)?;
    if vectors.len() != *counted {
        bail!("{} has {} vectors, but its manifest says {counted}", path.display(), vectors.len());
    }
    Ok(vectors)
}

fn parse_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parse =
        |(index, line)| serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), index + 1));
    text.lines().enumerate().map(parse).collect()
}

/// Returns the vector files of a folder, sorted by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    Ok(paths)
}
