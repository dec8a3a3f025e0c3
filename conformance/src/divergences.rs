//! Known divergences from the engine, with the reason.
//!
//! The lists are in `divergences/`, one file per set of vectors. A listed vector must differ: if it no longer does,
//! that is a failure, so the lists stay current. Engine bugs are described for the engine's developers, with the
//! shortest input, and a running engine must still show them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::damage::Packet;
use crate::engine::RunError;
use crate::judge;
use crate::reference::Running;

/// The content of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    known_to_engine: Vec<Knowledge>,
    bugs: Vec<Bug>,
}

/// A difference that depends on what only the engine knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Knowledge {
    /// The reason.
    reason: String,
    /// The vectors that show it.
    vectors: Vec<String>,
}

/// An engine bug: bytes that are read and written again do not come back, or come back although they should not, or crash
/// the engine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    /// The bug in one sentence.
    pub title: String,
    /// The version of the engine.
    pub seen_on: String,
    /// Whether reading and writing allow objects.
    pub objects: bool,
    /// The shortest known bytes that show it.
    #[serde(with = "hex::serde")]
    pub input: Vec<u8>,
    /// The bytes that the engine writes for the value; empty if it cannot read the input.
    #[serde(with = "hex::serde")]
    pub engine_writes: Vec<u8>,
    /// Whether the engine crashes instead.
    #[serde(default)]
    pub crashes: bool,
    /// The bytes that it should write, which the codec writes with types enforced; empty if they are the input.
    #[serde(default, with = "hex::serde")]
    pub should_write: Vec<u8>,
    /// What the engine does.
    pub does: String,
    /// What it should do.
    pub should: String,
    /// The cause in its sources, and the issue, if there is one.
    pub cause: String,
    /// A script that shows it without the codec.
    pub gdscript: Vec<String>,
    /// The vectors that show it.
    pub vectors: Vec<String>,
}

/// All known differences of one set.
#[derive(Debug, Default)]
pub struct Divergences {
    reasons: BTreeMap<String, String>,
    bugs: Vec<Bug>,
}

impl Divergences {
    /// The folder of all lists.
    #[must_use]
    pub fn folder() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("divergences")
    }

    /// Returns the file of a set of vectors. It does not exist if nothing differs.
    #[must_use]
    pub fn file(set: &str) -> PathBuf {
        let name = set.rsplit('/').next().unwrap_or(set);
        Self::folder().join(format!("{}.json", name.trim_end_matches(".jsonl")))
    }

    /// Reads the lists of a set of vectors.
    ///
    /// # Errors
    /// If the file cannot be read or is malformed.
    pub fn load(set: &str) -> Result<Self> {
        Self::read(&Self::file(set))
    }

    /// Reads the lists of a set of vectors in another copy of the repository.
    ///
    /// # Errors
    /// The same as [`load`](Self::load).
    pub fn load_from(root: &Path, set: &str) -> Result<Self> {
        let file = Self::file(set);
        Self::read(&root.join("conformance/divergences").join(file.file_name().unwrap_or_default()))
    }

    fn read(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let Lists { known_to_engine, bugs } =
            serde_json::from_slice(&text).with_context(|| format!("{} is malformed", path.display()))?;
        let known = known_to_engine.iter().map(|Knowledge { reason, vectors }| (reason, vectors));
        let reasons = known.chain(bugs.iter().map(|bug| (&bug.title, &bug.vectors)));
        let reasons =
            reasons.flat_map(|(reason, vectors)| vectors.iter().map(move |vector| (vector.clone(), reason.clone())));
        Ok(Self { reasons: reasons.collect(), bugs })
    }

    /// Returns why a vector is known to differ, or `None` if it is not listed.
    #[must_use]
    pub fn reason(&self, vector: &str) -> Option<&str> {
        self.reasons.get(vector).map(String::as_str)
    }

    /// Returns the listed vectors.
    pub fn vectors(&self) -> impl Iterator<Item = &str> {
        self.reasons.keys().map(String::as_str)
    }

    /// Returns the listed engine bugs.
    #[must_use]
    pub fn bugs(&self) -> &[Bug] {
        &self.bugs
    }

    /// Asks a running engine about the input of every bug. Returns a message for each bug that it no longer shows.
    ///
    /// # Errors
    /// If the engine's run fails.
    pub fn bugs_not_shown(&self, running: &Running) -> Result<Vec<String>> {
        let (crashes, others): (Vec<&Bug>, Vec<&Bug>) = self.bugs.iter().partition(|bug| bug.crashes);
        let packet = |bug: &Bug| Packet { bytes: bug.input.clone(), objects: bug.objects };
        let mut not_shown = Vec::new();
        if !others.is_empty() {
            let packets: Vec<Packet> = others.iter().map(|bug| packet(bug)).collect();
            let answers = others.iter().zip(judge::verdicts(running, &packets)?);
            let different = answers.filter(|(bug, verdict)| bug.engine_writes != verdict.rewritten);
            not_shown.extend(
                different.map(|(bug, verdict)| format!("{}: now writes {}", bug.title, hex::encode(verdict.rewritten))),
            );
        }
        // Each crash ends an engine.
        for bug in crashes {
            match judge::verdicts(running, &[packet(bug)]) {
                Err(error) if matches!(error.downcast_ref(), Some(RunError::Crashed { .. })) => {}
                Err(error) => return Err(error),
                Ok(_) => not_shown.push(format!("{}: the engine survives", bug.title)),
            }
        }
        Ok(not_shown)
    }
}
