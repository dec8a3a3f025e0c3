//! Times of criterion beside what the program that counts allocations says.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{Line, Memory};
use crate::implementations::{Cannot, Operation, names};

/// Everything measured, in the order it was measured in.
#[derive(Debug, Default)]
pub struct Results {
    /// Document after document.
    pub documents: Vec<DocumentResults>,
}

/// What was measured of one document.
#[derive(Debug)]
pub struct DocumentResults {
    /// The document's name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Its nodes.
    pub nodes: usize,
    /// Bytes of the smallest tree that can hold it, with every text behind a pointer.
    pub smallest: usize,
    /// The same, with short text in the nodes.
    pub smallest_inline: usize,
    /// What cannot be done.
    pub cannot: Vec<Cannot>,
    /// What was done.
    pub measured: Vec<Measured>,
}

/// Time and memory of one task.
#[derive(Debug)]
pub struct Measured {
    /// Which task, and its memory.
    pub memory: Memory,
    /// Nanoseconds it takes, in the fastest of criterion's samples: what else a machine does makes nothing faster.
    pub nanoseconds: f64,
}

impl Measured {
    /// Bytes of the implementation's own format a second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
    pub fn rate(&self) -> f64 {
        self.memory.bytes as f64 / self.nanoseconds * 1e9
    }
}

/// Criterion's samples: the time of each, and how often the task was done in it.
#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

impl Results {
    /// Reads what was measured.
    ///
    /// # Errors
    /// When it cannot be read, or a time is missing.
    pub fn read(allocations: &str, criterion: &Path) -> Result<Self> {
        let mut documents: Vec<DocumentResults> = Vec::new();
        for line in allocations.lines() {
            match serde_json::from_str(line).with_context(|| format!("not what is expected: {line}"))? {
                Line::Document { document, title, nodes, smallest, smallest_inline, cannot } => {
                    let measured = Vec::new();
                    documents.push(DocumentResults {
                        name: document,
                        title,
                        nodes,
                        smallest,
                        smallest_inline,
                        cannot,
                        measured,
                    });
                }
                Line::Memory(memory) => {
                    let folder = criterion.join(&memory.document);
                    // Criterion makes one folder of a name with a slash in it.
                    let name = format!("{}_{}", memory.operation.name(), memory.implementation);
                    let nanoseconds = fastest(&folder.join(name).join("new/sample.json"))?;
                    let document = documents.last_mut().context("a task without a document")?;
                    document.measured.push(Measured { memory, nanoseconds });
                }
            }
        }
        Ok(Self { documents })
    }

    /// The document of that name, where it was measured.
    #[must_use]
    pub fn document(&self, name: &str) -> Option<&DocumentResults> {
        self.documents.iter().find(|document| document.name == name)
    }
}

fn fastest(path: &Path) -> Result<f64> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}: was that measured?", path.display()))?;
    let samples: Samples = serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
    let times = samples.times.iter().zip(&samples.iters).map(|(time, count)| time / count);
    times.min_by(f64::total_cmp).with_context(|| format!("no sample in {}", path.display()))
}

impl DocumentResults {
    /// What one implementation took.
    #[must_use]
    pub fn of(&self, operation: Operation, implementation: &str) -> Option<&Measured> {
        let mut measured = self.measured.iter();
        measured.find(|it| it.memory.operation == operation && it.memory.implementation == implementation)
    }

    /// How many times as long as this crate another implementation takes.
    #[must_use]
    pub fn times_ours(&self, operation: Operation, implementation: &str) -> Option<f64> {
        let ours = self.of(operation, names::VARBYTES)?.nanoseconds;
        Some(self.of(operation, implementation)?.nanoseconds / ours)
    }

    /// Why an implementation cannot do it.
    #[must_use]
    pub fn reason(&self, operation: Operation, implementation: &str) -> Option<&str> {
        let mut cannot = self.cannot.iter();
        let found = cannot.find(|it| it.operation == operation && it.implementation == implementation);
        found.map(|cannot| cannot.reason.as_str())
    }
}
