//! What is known to differ from the engine, with the reason.
//!
//! The lists are in `divergences/` beside the sources, a file for each set of vectors. A vector on one must
//! differ: one that no longer does is itself a failure, so no list can go stale. What is the engine's own bug is
//! described for its developers, with the shortest input, and a running engine must show it still.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::damage::Packet;
use crate::judge;
use crate::reference::Running;

/// What the file of a set holds.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    known_to_engine: Vec<Knowledge>,
    bugs: Vec<Bug>,
}

/// A difference because the engine knows more than the bytes say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Knowledge {
    /// Why it differs.
    reason: String,
    /// The vectors that show it.
    vectors: Vec<String>,
}

/// A bug of the engine itself, by which a value that is read and written does not come back as the bytes it was, or
/// does although it should not.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    /// What is wrong, in a sentence.
    pub title: String,
    /// The version of the engine.
    pub seen_on: String,
    /// Whether the input is read, and its value written, with objects.
    pub objects: bool,
    /// The shortest bytes known that show it.
    #[serde(with = "hex::serde")]
    pub input: Vec<u8>,
    /// What the engine writes for the value it reads of them; empty where it does not read them.
    #[serde(with = "hex::serde")]
    pub engine_writes: Vec<u8>,
    /// What it should write, which is what the codec writes with types enforced; empty where that is the input.
    #[serde(default, with = "hex::serde")]
    pub should_write: Vec<u8>,
    /// What the engine does.
    pub does: String,
    /// What it should do.
    pub should: String,
    /// Where in its sources that comes from, and the issue, if there is one.
    pub cause: String,
    /// The lines of a script that shows it without the codec.
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

    /// The file of a set of vectors. There is none where nothing differs.
    #[must_use]
    pub fn file(set: &str) -> PathBuf {
        let name = set.rsplit('/').next().unwrap_or(set);
        Self::folder().join(format!("{}.json", name.trim_end_matches(".jsonl")))
    }

    /// Reads the lists of a set of vectors.
    ///
    /// # Errors
    /// When the file cannot be read or is of another form.
    pub fn load(set: &str) -> Result<Self> {
        let path = Self::file(set);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let Lists { known_to_engine, bugs } =
            serde_json::from_slice(&text).with_context(|| format!("{} is of another form", path.display()))?;
        let known = known_to_engine.iter().map(|Knowledge { reason, vectors }| (reason, vectors));
        let reasons = known.chain(bugs.iter().map(|bug| (&bug.title, &bug.vectors)));
        let reasons =
            reasons.flat_map(|(reason, vectors)| vectors.iter().map(move |vector| (vector.clone(), reason.clone())));
        Ok(Self { reasons: reasons.collect(), bugs })
    }

    /// Why a vector is known to differ, `None` where it is not.
    #[must_use]
    pub fn reason(&self, vector: &str) -> Option<&str> {
        self.reasons.get(vector).map(String::as_str)
    }

    /// The vectors on the lists.
    pub fn vectors(&self) -> impl Iterator<Item = &str> {
        self.reasons.keys().map(String::as_str)
    }

    /// Those of them that are bugs of the engine.
    #[must_use]
    pub fn bugs(&self) -> &[Bug] {
        &self.bugs
    }

    /// Asks a running engine about the input of every bug; gives what it says of those that it does not show any more.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub fn bugs_not_shown(&self, running: &Running) -> Result<Vec<String>> {
        if self.bugs.is_empty() {
            return Ok(Vec::new());
        }
        let packets: Vec<Packet> =
            self.bugs.iter().map(|bug| Packet { bytes: bug.input.clone(), objects: bug.objects }).collect();
        let answers = self.bugs.iter().zip(judge::verdicts(running, &packets)?);
        let others = answers.filter(|(bug, verdict)| bug.engine_writes != verdict.rewritten);
        Ok(others
            .map(|(bug, verdict)| format!("{}: now writes {}", bug.title, hex::encode(verdict.rewritten)))
            .collect())
    }
}
