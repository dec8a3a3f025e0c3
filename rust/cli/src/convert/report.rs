//! The report of losses, as text or JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Seek, Write, copy};

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;
use tempfile::SpooledTempFile;
use varbytes::escape::{Escaped, MESSAGE_LENGTH, json as escape_json, shortened};
use varbytes::migrate::Migrated;

use crate::answer::shown;
use crate::fault::{Described, RecordFault};

use super::NotExact;
use super::destination::{Incomplete, Made, in_temporary_folder};
use super::told::Told;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Text
    #[value(alias = "human")]
    Text,
    /// JSON, one object per line
    Json,
}

/// Up to this many bytes of the report are kept in memory.
const IN_MEMORY: usize = 1 << 20;

/// The maximum length of a path in a text line.
const PATH_SHOWN: usize = 160;

/// The kind of loss for bytes after the value of a record.
const TRAILING: &str = "trailing_bytes";

pub struct Report {
    form: Form,
    /// Whether the input is records.
    records: bool,
    /// How many more losses are listed; the others are only counted.
    left: usize,
    /// The lines of the listed losses. They are stored because the summary comes first but is known last.
    lines: SpooledTempFile,
    summary: Summary,
    failure: Option<Failure>,
    /// Whether a part of the output was written before the failure.
    is_incomplete: bool,
    made: Made,
}

#[derive(Default, Serialize)]
struct Summary {
    records: u64,
    bytes_read: u64,
    bytes_written: u64,
    losses: BTreeMap<&'static str, u64>,
    /// The losses without a line.
    unlisted: BTreeMap<&'static str, u64>,
    backup: Option<String>,
    /// How many other hard links still lead to the original.
    #[serde(skip_serializing_if = "is_zero")]
    other_links: u64,
}

#[derive(Serialize)]
struct Line<'l> {
    record: Option<u64>,
    /// The offset of the record in the input.
    offset: u64,
    path: &'l str,
    kind: &'l str,
    what: &'l str,
    why: &'l str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Failure {
    Record(Described),
    Other { kind: &'static str, message: String },
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Record(described) => &described.message,
            Self::Other { message, .. } => message,
        })
    }
}

impl Summary {
    fn count(&mut self, kind: &'static str, count: u64) {
        *self.losses.entry(kind).or_default() += count;
    }
}

impl Report {
    /// Creates a report that lists the first `max_losses` losses.
    pub fn new(form: Form, records: bool, max_losses: usize) -> Self {
        let lines = SpooledTempFile::new(IN_MEMORY);
        Self {
            form,
            records,
            left: max_losses,
            lines,
            summary: Summary::default(),
            failure: None,
            is_incomplete: false,
            made: Made::default(),
        }
    }

    /// Returns the number of losses so far.
    pub fn losses(&self) -> u64 {
        self.summary.losses.values().sum()
    }

    /// Adds the losses of a record, or of the only value.
    pub fn losses_of<T>(&mut self, record: u64, offset: u64, converted: &Migrated<T>) -> Result<()> {
        for loss in &converted.losses {
            self.line(record, offset, &shown(loss.path()), loss.kind().name(), loss.what(), loss.kind().reason())?;
        }
        for (kind, count) in &converted.unlisted {
            self.summary.count(kind.name(), *count);
            *self.summary.unlisted.entry(kind.name()).or_default() += count;
        }
        Ok(())
    }

    /// Adds a loss for bytes after the value of a record.
    pub fn trailing(&mut self, record: u64, offset: u64, count: usize) -> Result<()> {
        let what = format!("{count} bytes after the value are dropped");
        self.line(record, offset, "$", TRAILING, &what, "the engine ignores them, and --drop-trailing was given")
    }

    /// Counts a converted value.
    pub fn value(&mut self, read: usize, written: usize) {
        self.summary.records += 1;
        self.summary.bytes_read += read as u64;
        self.summary.bytes_written += written as u64;
    }

    /// Sets what was made of the input.
    pub fn made(&mut self, made: Made) {
        // JSON has no other names than those in UTF-8.
        self.summary.backup = made.backup.as_ref().map(|backup| backup.to_string_lossy().into_owned());
        self.summary.other_links = made.other_links;
        self.made = made;
    }

    /// Says that the input was converted, and where the original is.
    pub fn success(&self) -> String {
        let kept = self.summary.backup.as_ref();
        let kept = kept.map(|backup| format!(", the original is kept as {}", Escaped(backup))).unwrap_or_default();
        format!("the input was converted{kept}, but there is no report")
    }

    /// Sets the failure.
    pub fn failed(&mut self, error: &anyhow::Error) {
        self.is_incomplete = error.is::<Incomplete>();
        self.failure = Some(match error.downcast_ref::<RecordFault>() {
            Some(fault) => Failure::Record(fault.describe()),
            None => Failure::Other {
                kind: if error.is::<NotExact>() { "not_exact" } else { "other" },
                message: shortened(format_args!("{error:#}"), MESSAGE_LENGTH).to_string(),
            },
        });
    }

    /// Writes the report.
    pub fn write(mut self, mut told: Told) -> Result<()> {
        let (first, last) = match (self.form, &self.failure) {
            (Form::Json, Some(error)) => (json("error", error), String::new()),
            (Form::Json, None) => (json("summary", &self.summary), String::new()),
            (Form::Text, None) => (self.summary_text(), String::new()),
            (Form::Text, Some(error)) => {
                let first = if self.losses() > 0 { self.summary_text() } else { String::new() };
                // The command prints the error last on standard error.
                let last = if told.is_standard_error() { String::new() } else { format!("varbytes: {error}") };
                (first, last)
            }
        };
        self.lines.rewind().context("cannot store the report")?;
        let output = &mut told.destination;
        let stored = line(output, &first).and_then(|()| copy(&mut self.lines, output));
        stored.and_then(|_| line(output, &last)).context("cannot store the report")?;
        told.finish(&self.made)
    }

    fn line(&mut self, record: u64, offset: u64, path: &str, kind: &'static str, what: &str, why: &str) -> Result<()> {
        self.summary.count(kind, 1);
        if self.left == 0 {
            *self.summary.unlisted.entry(kind).or_default() += 1;
            return Ok(());
        }
        self.left -= 1;
        let text = match self.form {
            Form::Text => {
                let path = shortened(path, PATH_SHOWN);
                let record = if self.records { format!("record {record}, ") } else { String::new() };
                shortened(format_args!("{record}{path}: {what}: {why}"), MESSAGE_LENGTH).to_string()
            }
            Form::Json => {
                let record = self.records.then_some(record);
                escape_json(serde_json::to_string(&Line { record, offset, path, kind, what, why })?)
            }
        };
        writeln!(self.lines, "{text}").map_err(|error| in_temporary_folder(&error)).context("cannot store the report")
    }

    fn summary_text(&self) -> String {
        let Summary { records, bytes_read, bytes_written, losses, backup, other_links, .. } = &self.summary;
        let values = match (self.records, records) {
            (false, _) => "1 value".to_owned(),
            (true, 1) => "1 record".to_owned(),
            (true, records) => format!("{records} records"),
        };
        let mut text = if self.failure.is_some() {
            let written = if self.is_incomplete { "the output is incomplete" } else { "nothing was written" };
            format!("varbytes: {written}; {values} converted before the error")
        } else {
            format!("varbytes: {values}, {bytes_read} bytes became {bytes_written}")
        };
        if let Some(backup) = backup {
            text.push_str(&format!(", the original is kept as {}", Escaped(backup)));
        }
        match other_links {
            0 => {}
            1 => text.push_str("; another hard link still leads to the original"),
            count => text.push_str(&format!("; {count} other hard links still lead to the original")),
        }
        match self.losses() {
            0 => text.push_str("; no losses"),
            count => {
                let kinds: Vec<String> = losses.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
                let noun = if count == 1 { "loss" } else { "losses" };
                text.push_str(&format!("; {count} {noun} ({})", kinds.join(", ")));
                if !self.summary.unlisted.is_empty() {
                    let listed = count - self.summary.unlisted.values().sum::<u64>();
                    text.push_str(&format!(", {listed} of them listed"));
                }
            }
        }
        text
    }
}

fn json(name: &str, value: &impl Serialize) -> String {
    // Serializing only strings and numbers cannot fail.
    escape_json(format!("{{\"{name}\":{}}}", serde_json::to_string(value).unwrap_or_default()))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Writes a line, unless it is empty.
fn line(output: &mut impl Write, text: &str) -> io::Result<()> {
    if text.is_empty() { Ok(()) } else { writeln!(output, "{text}") }
}
