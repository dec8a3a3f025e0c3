//! What is known to differ from the engine, with the reason.
//!
//! The lists are in `divergences.json` beside the sources, one for each set of vectors. A vector on one must
//! differ: one that no longer does is itself a failure, so no list can go stale.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

/// One known difference.
#[derive(Debug, Deserialize)]
struct Divergence {
    /// Why it differs.
    reason: String,
    /// The vectors that show it.
    vectors: Vec<String>,
}

/// All known differences of one set, by vector.
#[derive(Debug, Default)]
pub struct Divergences {
    reasons: BTreeMap<String, String>,
}

impl Divergences {
    /// Reads the list of a set of vectors, which has none where nothing differs.
    ///
    /// # Errors
    /// When the file is missing or of another form.
    pub fn load(set: &str) -> Result<Self> {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("divergences.json");
        let text = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut lists: BTreeMap<String, Vec<Divergence>> =
            serde_json::from_slice(&text).with_context(|| format!("{} is of another form", path.display()))?;
        let entries = lists.remove(set).unwrap_or_default().into_iter().flat_map(|divergence| {
            divergence.vectors.into_iter().map(move |vector| (vector, divergence.reason.clone()))
        });
        Ok(Self { reasons: entries.collect() })
    }

    /// Why a vector is known to differ, `None` where it is not.
    #[must_use]
    pub fn reason(&self, vector: &str) -> Option<&str> {
        self.reasons.get(vector).map(String::as_str)
    }

    /// The vectors on the list.
    pub fn vectors(&self) -> impl Iterator<Item = &str> {
        self.reasons.keys().map(String::as_str)
    }

    /// How many vectors are on the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.reasons.len()
    }

    /// Whether nothing is known to differ.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reasons.is_empty()
    }
}
