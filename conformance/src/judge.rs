//! A running engine's verdict on packets.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::value::RawValue;
use varbytes::{Variant, tagged_json};

use crate::damage::Packet;
use crate::reference::Running;

/// An engine's verdict on a packet.
#[derive(Debug, Deserialize)]
pub struct Verdict {
    /// Bytes that the value takes; 0 if the packet is rejected.
    pub used: usize,
    /// The bytes that the engine writes for the value.
    #[serde(default, with = "hex::serde")]
    pub rewritten: Vec<u8>,
    value: Option<Box<RawValue>>,
}

impl Verdict {
    /// Creates the verdict of an engine that did not describe the value.
    #[must_use]
    pub const fn new(used: usize, rewritten: Vec<u8>) -> Self {
        Self { used, rewritten, value: None }
    }

    /// Returns the engine's description of the value.
    #[must_use]
    pub fn value_text(&self) -> Option<&str> {
        self.value.as_deref().map(RawValue::get)
    }

    /// Returns the value as the engine described it; `None` for a rejected packet, or without a description.
    ///
    /// # Errors
    /// If the description is not tagged JSON.
    pub fn value(&self) -> Result<Option<Variant>> {
        self.value.as_ref().map(|text| tagged_json::from_str(text.get()).map_err(Into::into)).transpose()
    }
}

#[derive(Deserialize)]
struct Completion {
    complete: bool,
    cases: usize,
}

/// Lets the engine read every packet in one run.
///
/// # Errors
/// If the run fails, or the output is not one answer per packet and a last line that confirms this.
pub fn verdicts(engine: &Running, packets: &[Packet]) -> Result<Vec<Verdict>> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let (input, output) = (folder.path().join("packets.txt"), folder.path().join("verdicts.jsonl"));
    fs::write(&input, questions(packets)).with_context(|| format!("cannot write {}", input.display()))?;
    let arguments = vec!["--input".into(), input.into(), "--output".into(), output.clone().into()];
    engine.run("judge.gd", arguments, &mut |_| ()).context("the judge")?;
    let answers = fs::read_to_string(&output).with_context(|| format!("cannot read {}", output.display()))?;
    parse(&answers, packets.len())
}

/// Returns the judge's input: a line for each packet.
#[must_use]
pub fn questions(packets: &[Packet]) -> String {
    let mut text = String::new();
    for packet in packets {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {}", u8::from(packet.objects), hex::encode(&packet.bytes));
    }
    text
}

/// Parses the judge's output.
///
/// # Errors
/// If it is not one answer per packet and a last line that confirms this.
pub fn parse(answers: &str, packets: usize) -> Result<Vec<Verdict>> {
    let mut lines: Vec<&str> = answers.lines().collect();
    let end: Completion = serde_json::from_str(lines.pop().unwrap_or_default()).context("the judge's last line")?;
    if !end.complete || end.cases != packets || lines.len() != packets {
        bail!("the judge answered {} of {packets} packets", lines.len());
    }
    let parse = |(index, line)| serde_json::from_str(line).with_context(|| format!("verdict {}", index + 1));
    lines.into_iter().enumerate().map(parse).collect()
}
