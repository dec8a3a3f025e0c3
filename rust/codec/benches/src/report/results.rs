//! Combines criterion's times with the counted allocations.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{Line, Memory};
use crate::implementations::{Cannot, Operation, names};

/// All measurements, in the order of measuring.
#[derive(Debug, Default)]
pub struct Results {
    /// The documents.
    pub documents: Vec<DocumentResults>,
    /// Rust types, each to bytes and from bytes; empty if only some documents were measured.
    pub structs: Vec<Compared>,
    /// Look-ups of every key of 10,000 entries.
    pub look_ups: Vec<Compared>,
}

/// The times of one case in several implementations.
#[derive(Debug)]
pub struct Compared {
    /// The case.
    pub case: String,
    /// Each implementation and its nanoseconds, as in [`Measured`]. This crate is the first.
    pub times: Vec<(&'static str, f64)>,
}

impl Compared {
    /// Reads criterion's times of a case, whose benchmarks have the names that `benchmark` returns.
    fn read(
        case: String,
        implementations: &[&'static str],
        folder: &Path,
        benchmark: impl Fn(&str) -> String,
    ) -> Result<Self> {
        let time = |name: &&'static str| Ok((*name, fastest(&folder.join(benchmark(name)).join("new/sample.json"))?));
        Ok(Self { case, times: implementations.iter().map(time).collect::<Result<_>>()? })
    }

    /// Returns the other implementations, and how many times as long as this crate each takes.
    pub fn others(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let ours = self.times.first().map_or(f64::NAN, |(_, time)| *time);
        self.times.iter().skip(1).map(move |(name, time)| (*name, time / ours))
    }
}

/// The formats that Rust types are written in, and read from.
pub const STRUCT_FORMATS: [&str; 6] =
    [names::VARBYTES, "rmp-serde", names::CIBORIUM, names::JSON, "bincode", "postcard"];

/// The Rust types.
pub const STRUCTS: [&str; 3] = ["save", "packet", "snapshot"];

/// The measurements of one document.
#[derive(Debug)]
pub struct DocumentResults {
    /// The document's name.
    pub name: String,
    /// A description.
    pub title: String,
    /// The number of its values; see [`crate::documents::values`].
    pub values: usize,
    /// Bytes of the smallest tree, with every text behind a pointer.
    pub smallest: usize,
    /// The same, with short text inline.
    pub smallest_inline: usize,
    /// Operations that cannot be measured.
    pub cannot: Vec<Cannot>,
    /// Measured operations.
    pub measured: Vec<Measured>,
}

/// Time and memory of one task.
#[derive(Debug)]
pub struct Measured {
    /// The task and its memory.
    pub memory: Memory,
    /// Nanoseconds in the fastest of criterion's samples, because other load only makes a sample slower.
    pub nanoseconds: f64,
}

impl Measured {
    /// Bytes per second, in the implementation's own format.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
    pub fn rate(&self) -> f64 {
        self.memory.bytes as f64 / self.nanoseconds * 1e9
    }
}

/// Criterion's samples: the time of each, and its number of iterations.
#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

impl Results {
    /// Reads the measurements.
    ///
    /// # Errors
    /// If they cannot be read, or a time is missing.
    pub fn read(allocations: &str, criterion: &Path) -> Result<Self> {
        let mut documents: Vec<DocumentResults> = Vec::new();
        for line in allocations.lines() {
            match serde_json::from_str(line).with_context(|| format!("unexpected line: {line}"))? {
                Line::Document { document, title, values, smallest, smallest_inline, cannot } => {
                    let measured = Vec::new();
                    documents.push(DocumentResults {
                        name: document,
                        title,
                        values,
                        smallest,
                        smallest_inline,
                        cannot,
                        measured,
                    });
                }
                Line::Memory(memory) => {
                    let folder = criterion.join(&memory.document);
                    // Criterion makes one folder from a name with a slash.
                    let name = format!("{}_{}", memory.operation.name(), memory.implementation);
                    let nanoseconds = fastest(&folder.join(name).join("new/sample.json"))?;
                    let document = documents.last_mut().context("a task without a document")?;
                    document.measured.push(Measured { memory, nanoseconds });
                }
            }
        }
        Ok(Self { documents, ..Self::default() })
    }

    /// Reads the measurements of Rust types and of look-ups.
    ///
    /// # Errors
    /// If a time is missing.
    pub fn read_structs(&mut self, criterion: &Path) -> Result<()> {
        for name in STRUCTS {
            for (operation, shown) in [("encode", "to bytes"), ("decode", "from bytes")] {
                let case = format!("{name}, {shown}");
                let folder = criterion.join(format!("struct-{name}"));
                let benchmark = |format: &str| format!("{operation}_{format}");
                self.structs.push(Compared::read(case, &STRUCT_FORMATS, &folder, benchmark)?);
            }
        }
        for keys in ["text", "int"] {
            let benchmark = |map: &str| format!("{keys}_{map}");
            let folder = criterion.join("look-ups");
            self.look_ups.push(Compared::read(keys.to_owned(), &["Dictionary", "HashMap"], &folder, benchmark)?);
        }
        Ok(())
    }

    /// Returns the document with that name, if it was measured.
    #[must_use]
    pub fn document(&self, name: &str) -> Option<&DocumentResults> {
        self.documents.iter().find(|document| document.name == name)
    }
}

fn fastest(path: &Path) -> Result<f64> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}; was this task measured?", path.display()))?;
    let samples: Samples = serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
    let times = samples.times.iter().zip(&samples.iters).map(|(time, count)| time / count);
    times.min_by(f64::total_cmp).with_context(|| format!("no sample in {}", path.display()))
}

impl DocumentResults {
    /// Returns the measurement of an implementation.
    #[must_use]
    pub fn of(&self, operation: Operation, implementation: &str) -> Option<&Measured> {
        let mut measured = self.measured.iter();
        measured.find(|it| it.memory.operation == operation && it.memory.implementation == implementation)
    }

    /// Returns how many times as long as this crate another implementation takes.
    #[must_use]
    pub fn times_ours(&self, operation: Operation, implementation: &str) -> Option<f64> {
        let ours = self.of(operation, names::VARBYTES)?.nanoseconds;
        Some(self.of(operation, implementation)?.nanoseconds / ours)
    }

    /// Returns why an implementation does not support an operation.
    #[must_use]
    pub fn reason(&self, operation: Operation, implementation: &str) -> Option<&str> {
        let mut cannot = self.cannot.iter();
        let found = cannot.find(|it| it.operation == operation && it.implementation == implementation);
        found.map(|cannot| cannot.reason.as_str())
    }
}
