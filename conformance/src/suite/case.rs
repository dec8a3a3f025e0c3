//! The questions to a codec: vectors of one engine, and packets damaged from a seed.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use varbytes::variant::{Visit, Walk};
use varbytes::{Decoded, Precision, Profile, Variant, VariantType, tagged_json};

use crate::check::Setting;
use crate::compare::{self, UndefinedPadding};
use crate::damage::{Packet, damaged};
use crate::derived::DerivedSet;
use crate::differential;
use crate::divergences::Divergences;
use crate::reference::Reference;
use crate::vectors::{CAPTURED, Canonical, NonCanonical, Refused, Rejected, VectorSet, load_manifest};

/// The subject of cases that have no type: bytes that are read but would be written differently.
pub const NON_CANONICAL: &str = "accepted, not canonical";
/// Bytes that must be refused.
pub const REJECTED: &str = "rejected bytes";
/// Values that must be refused.
pub const REFUSED: &str = "refused values";
/// Damaged packets.
pub const GENERATED: &str = "damaged packets";

/// The groups of cases that have no type, in the order of reports.
pub const GROUPS: [&str; 4] = [NON_CANONICAL, REJECTED, REFUSED, GENERATED];

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Bytes to a value.
    Decode,
    /// A value to bytes.
    Encode,
}

impl fmt::Display for Direction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Decode => "decode",
            Self::Encode => "encode",
        })
    }
}

/// The right answer.
#[derive(Clone, Debug)]
pub enum Expected {
    /// This value, from this number of bytes.
    Value(Variant, usize),
    /// An error, for this reason.
    Rejection(String),
    /// These bytes, except at offsets that the engine leaves undefined; and the value they are for.
    Bytes(Vec<u8>, Vec<usize>, Variant),
    /// An error, for this reason.
    Refusal(String),
}

/// A question and the right answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The vector with its file, such as `godot-4.6/int/0`; for a damaged packet, the seed and its number.
    pub vector: String,
    /// What is asked.
    pub direction: Direction,
    /// The type, or the group of cases without a type.
    pub subject: String,
    /// Whether full objects are allowed.
    pub objects: bool,
    /// The line for the codec.
    pub line: String,
    /// The right answer.
    pub expected: Expected,
    /// All types that the value or the bytes are known to contain.
    pub types: BTreeSet<VariantType>,
    /// Whether `varbytes` gave the right answer, and not an engine.
    pub is_generated: bool,
}

impl Case {
    /// The name in reports and baselines, unique in a suite.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{} {}", self.direction, self.vector)
    }
}

/// All questions about one engine.
#[derive(Debug)]
pub struct Suite {
    /// The name that was asked for.
    pub name: String,
    /// The engine to read and write as.
    pub setting: Setting,
    /// Where the right answers come from, such as `Godot 4.6.3`.
    pub origins: Vec<String>,
    /// The questions.
    pub cases: Vec<Case>,
    /// Vectors that are not asked about, because the result depends on what only an engine knows or is an engine bug.
    pub left_out: usize,
    packets: Vec<Packet>,
}

impl Suite {
    /// Returns the names of all suites.
    ///
    /// # Errors
    /// If the vectors cannot be read.
    pub fn names(root: &Path) -> Result<Vec<String>> {
        let references = Reference::ALL.iter().map(|reference| reference.name.to_owned());
        let captured = CAPTURED.iter().map(|captured| {
            let double = if captured.setting()?.precision == Precision::Double { "-double" } else { "" };
            Ok(format!("{}{double}", captured.setting()?.profile))
        });
        let derived = DerivedSet::load_from(&vectors(root))?.into_iter().map(|set| set.profile.name().to_owned());
        let mut names = references.map(Ok).chain(captured).collect::<Result<Vec<_>>>()?;
        names.extend(derived);
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        Ok(names)
    }

    /// Reads the suite of an engine: the vectors of a running engine that is named like this, or all vectors of a
    /// profile. With `-double` after the name, those of a double-precision build.
    ///
    /// # Errors
    /// If there are no vectors for this engine, or they are malformed.
    pub fn load(root: &Path, name: &str) -> Result<Self> {
        let unknown = || {
            let names = Self::names(root).unwrap_or_default().join(", ");
            format!("there are no vectors for the engine `{name}`; there are some for {names}")
        };
        let (bare, precision) = match name.strip_suffix("-double") {
            Some(bare) => (bare, Precision::Double),
            None => (name, Precision::Single),
        };
        let reference = Reference::from_name(name);
        let profile = match &reference {
            Some(reference) => Profile::from_name(&load_manifest(&vectors(root).join(reference.name))?.profile)?,
            None => Profile::from_name(bare).with_context(unknown)?,
        };
        let setting = Setting { profile, precision, ..Setting::NEWEST };
        let mut suite = Self {
            name: name.to_owned(),
            setting,
            origins: Vec::new(),
            cases: Vec::new(),
            left_out: 0,
            packets: Vec::new(),
        };
        for reference in Reference::ALL {
            suite.add_reference(root, reference)?;
        }
        for captured in &CAPTURED {
            let setting = captured.setting()?;
            if (setting.profile, setting.precision) == (profile, precision) {
                suite.setting.undefined_padding = setting.undefined_padding;
                let known = Divergences::load_from(root, captured.file)?;
                let vectors = captured.load_from(&vectors(root))?;
                let file = captured.file.trim_end_matches(".jsonl");
                suite.origins.push(format!("{file} ({})", captured.origin()));
                for vector in vectors {
                    suite.add_canonical(file, vector.value()?.variant_type().name(), &vector, &known)?;
                }
            }
        }
        for set in DerivedSet::load_from(&vectors(root))? {
            if set.profile == profile && precision == Precision::Single {
                suite.add_derived(&set)?;
            }
        }
        if suite.cases.is_empty() {
            bail!(unknown());
        }
        Ok(suite)
    }

    fn add_reference(&mut self, root: &Path, reference: Reference) -> Result<()> {
        let folder = vectors(root).join(reference.name);
        let manifest = load_manifest(&folder)?;
        let setting = Setting::of_manifest(&manifest)?;
        if (setting.profile, setting.precision) != (self.setting.profile, self.setting.precision) {
            return Ok(());
        }
        self.setting.undefined_padding = setting.undefined_padding;
        self.origins.push(format!("Godot {}", manifest.version));
        let known = Divergences::load_from(root, reference.name)?;
        let set = VectorSet::load(&folder)?;
        for (subject, vectors) in &set.canonical {
            for vector in vectors {
                self.add_canonical(reference.name, subject, vector, &known)?;
            }
        }
        for vector in &set.non_canonical {
            self.add_non_canonical(reference.name, vector, &known)?;
        }
        for vector in &set.rejected {
            self.add_rejected(reference.name, vector, &known);
        }
        for vector in &set.refused {
            self.add_refused(reference.name, vector, &known)?;
        }
        self.packets.extend(set.packets());
        Ok(())
    }

    /// Returns whether a vector is asked about, and counts it if not.
    fn asks(&mut self, name: &str, known: &Divergences) -> bool {
        let asks = known.reason(name).is_none();
        self.left_out += usize::from(!asks);
        asks
    }

    fn add_canonical(&mut self, file: &str, subject: &str, vector: &Canonical, known: &Divergences) -> Result<()> {
        if !self.asks(&vector.name, known) {
            return Ok(());
        }
        let (bytes, objects) = (&vector.bytes, vector.full_objects);
        let mut value = vector.value()?;
        if self.setting.profile.has_shared_bit()
            && let Ok(decoded) = self.setting.decoder(objects).decode(bytes)
        {
            compare::order_entries_as(&mut value, &decoded);
        }
        let name = format!("{file}/{}", vector.name);
        self.add_decoding(&name, subject, objects, bytes, Expected::Value(value.clone(), bytes.len()));
        self.add_encoding(&name, subject, objects, value, Some(bytes.clone()), "");
        Ok(())
    }

    fn add_non_canonical(&mut self, file: &str, vector: &NonCanonical, known: &Divergences) -> Result<()> {
        if self.asks(&vector.name, known) {
            let expected = Expected::Value(vector.value()?, vector.used);
            let name = format!("{file}/{}", vector.name);
            self.add_decoding(&name, NON_CANONICAL, vector.allow_objects, &vector.bytes, expected);
        }
        Ok(())
    }

    fn add_rejected(&mut self, file: &str, vector: &Rejected, known: &Divergences) {
        if self.asks(&vector.name, known) {
            let expected = Expected::Rejection(vector.reason.clone());
            let name = format!("{file}/{}", vector.name);
            self.add_decoding(&name, REJECTED, vector.allow_objects, &vector.bytes, expected);
        }
    }

    fn add_refused(&mut self, file: &str, vector: &Refused, known: &Divergences) -> Result<()> {
        if let Some(value) = vector.value()?
            && self.asks(&vector.name, known)
        {
            let name = format!("{file}/{}", vector.name);
            self.add_encoding(&name, REFUSED, vector.full_objects, value, None, &vector.reason);
        }
        Ok(())
    }

    fn add_derived(&mut self, set: &DerivedSet) -> Result<()> {
        let file = set.file.trim_end_matches(".jsonl");
        self.origins.push(format!("{file} (derived, not observed)"));
        for vector in &set.vectors {
            let (bytes, value) = set.parse(vector)?;
            let name = format!("{file}/{}", vector.name);
            let subject = value.as_ref().map_or("", |value| value.variant_type().name());
            if let Some(value) = value.clone().filter(|_| vector.is_written()) {
                let subject = if bytes.is_some() { subject } else { REFUSED };
                self.add_encoding(&name, subject, vector.full_objects, value, bytes.clone(), &vector.source);
            }
            if let Some(bytes) = bytes.filter(|_| vector.is_read()) {
                let used = vector.used.unwrap_or(bytes.len());
                let subject = if value.is_some() { subject } else { REJECTED };
                let expected =
                    value.map_or(Expected::Rejection(vector.source.clone()), |value| Expected::Value(value, used));
                self.add_decoding(&name, subject, vector.full_objects, &bytes, expected);
            }
        }
        Ok(())
    }

    fn add_decoding(&mut self, name: &str, subject: &str, objects: bool, bytes: &[u8], expected: Expected) {
        let types = match &expected {
            Expected::Value(value, _) => types(value),
            _ => bytes.first().and_then(|id| self.setting.profile.type_of_id(*id)).into_iter().collect(),
        };
        self.cases.push(Case {
            vector: name.to_owned(),
            direction: Direction::Decode,
            subject: subject.to_owned(),
            objects,
            line: hex::encode(bytes),
            expected,
            types,
            is_generated: false,
        });
    }

    fn add_encoding(
        &mut self,
        name: &str,
        subject: &str,
        objects: bool,
        value: Variant,
        bytes: Option<Vec<u8>>,
        reason: &str,
    ) {
        let (types, line) = (types(&value), tagged_json::to_string(&value));
        let expected = match bytes {
            None => Expected::Refusal(reason.to_owned()),
            Some(bytes) => {
                let masked = if self.setting.undefined_padding == UndefinedPadding::None {
                    Vec::new()
                } else {
                    let encoder = self.setting.encoder(objects);
                    compare::undefined_bytes(&encoder, &value, self.setting.undefined_padding)
                };
                Expected::Bytes(bytes, masked, value)
            }
        };
        self.cases.push(Case {
            vector: name.to_owned(),
            direction: Direction::Encode,
            subject: subject.to_owned(),
            objects,
            line,
            expected,
            types,
            is_generated: false,
        });
    }

    /// Adds packets that are damaged from a seed. The right answer is that of `varbytes`, which every run of
    /// `cargo conformance` compares with running engines on such packets. Packets whose result depends on what only an
    /// engine knows are left out.
    pub fn generate(&mut self, seed: u64, count: usize) {
        for (index, packet) in damaged(&self.packets, self.setting.profile, seed, count).into_iter().enumerate() {
            if let Some(case) = self.generated(&format!("damaged/{seed}/{index}"), &packet.bytes, packet.objects) {
                self.cases.push(case);
            }
        }
    }

    /// Returns the question about a packet, or `None` if it cannot be asked about.
    #[must_use]
    pub fn generated(&self, name: &str, bytes: &[u8], objects: bool) -> Option<Case> {
        let packet = Packet { bytes: bytes.to_vec(), objects };
        let expected = differential::comparable(&self.setting, &packet)?;
        Some(self.decoding(name, GENERATED, &packet, expected.as_ref().map_err(ToString::to_string)))
    }

    /// Returns the question about a packet whose right answer is given by `varbytes`.
    #[must_use]
    pub fn decoding(
        &self,
        name: &str,
        subject: &str,
        packet: &Packet,
        expected: Result<&Decoded<Variant>, String>,
    ) -> Case {
        let bytes = &packet.bytes;
        let types = match &expected {
            Ok(decoded) => types(&decoded.value),
            Err(_) => bytes.first().and_then(|id| self.setting.profile.type_of_id(*id)).into_iter().collect(),
        };
        let expected = match expected {
            Ok(decoded) => {
                let mut value = decoded.value.clone();
                compare::forget_precision_of_empty(&mut value);
                Expected::Value(value, decoded.used)
            }
            Err(error) => Expected::Rejection(error),
        };
        Case {
            vector: name.to_owned(),
            direction: Direction::Decode,
            subject: subject.to_owned(),
            objects: packet.objects,
            line: hex::encode(bytes),
            expected,
            types,
            is_generated: true,
        }
    }

    /// Returns the arguments that follow the codec's command.
    #[must_use]
    pub fn arguments(&self, direction: Direction, objects: bool) -> Vec<&'static str> {
        let mut arguments = match direction {
            Direction::Decode => vec!["decode", "--lines", "--engine", self.setting.profile.name()],
            Direction::Encode => vec!["encode", "--lines", "--engine", self.setting.profile.name()],
        };
        match (direction, self.setting.precision) {
            (Direction::Decode, Precision::Single) => arguments.push("--single"),
            (Direction::Encode, Precision::Double) => arguments.push("--double"),
            _ => {}
        }
        if objects {
            arguments.push("--objects");
        }
        arguments
    }
}

/// Returns the types in a value.
fn types(value: &Variant) -> BTreeSet<VariantType> {
    let mut types = BTreeSet::new();
    for visit in Walk::new(value) {
        if let Visit::Leaf(part) | Visit::Enter(part) = visit {
            types.insert(part.variant_type());
        }
    }
    types
}

fn vectors(root: &Path) -> std::path::PathBuf {
    root.join("conformance/vectors")
}
