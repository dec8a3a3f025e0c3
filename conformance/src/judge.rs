//! A running engine's verdict on packets.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::value::RawValue;
use varbytes::{Variant, tagged_json};

use crate::damage::Packet;
use crate::reference::Running;

/// What an engine says of a packet.
#[derive(Debug, Deserialize)]
pub struct Verdict {
    /// Bytes the value takes; 0 where the packet is rejected.
    pub used: usize,
    /// What the engine writes for the value it read.
    #[serde(default, with = "hex::serde")]
    pub rewritten: Vec<u8>,
    value: Option<Box<RawValue>>,
}

impl Verdict {
    /// That of an engine which was not asked to describe what it read.
    #[must_use]
    pub const fn new(used: usize, rewritten: Vec<u8>) -> Self {
        Self { used, rewritten, value: None }
    }

    /// The value the engine read, as it described it when asked; `None` for a rejected packet, and where it was not.
    ///
    /// # Errors
    /// When the description is not tagged JSON.
    pub fn value(&self) -> Result<Option<Variant>> {
        self.value.as_ref().map(|text| tagged_json::from_str(text.get()).map_err(Into::into)).transpose()
    }
}

#[derive(Deserialize)]
struct Completion {
    complete: bool,
    cases: usize,
}

/// Has the engine read every packet, in one run.
///
/// # Errors
/// When the run fails in any way, or the answers are not one for each packet and a last line that says so.
pub fn verdicts(engine: &Running, packets: &[Packet]) -> Result<Vec<Verdict>> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (input, output) = (folder.path().join("packets.txt"), folder.path().join("verdicts.jsonl"));
    let mut text = String::new();
    for packet in packets {
        writeln!(text, "{} {}", u8::from(packet.objects), hex::encode(&packet.bytes))?;
    }
    fs::write(&input, text).with_context(|| format!("cannot write {}", input.display()))?;
    let arguments = vec!["--input".into(), input.into(), "--output".into(), output.clone().into()];
    engine.run("judge.gd", arguments, &mut |_| ()).context("the judge")?;
    let answers = fs::read_to_string(&output).with_context(|| format!("cannot read {}", output.display()))?;
    let mut lines: Vec<&str> = answers.lines().collect();
    let end: Completion = serde_json::from_str(lines.pop().unwrap_or_default()).context("the judge's last line")?;
    if !end.complete || end.cases != packets.len() || lines.len() != packets.len() {
        bail!("the judge answered {} of {} packets", lines.len(), packets.len());
    }
    let parse = |(index, line)| serde_json::from_str(line).with_context(|| format!("verdict {}", index + 1));
    lines.into_iter().enumerate().map(parse).collect()
}
