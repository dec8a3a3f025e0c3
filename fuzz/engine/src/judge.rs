//! An engine that judges the codec on batches of inputs.

use std::ops::Range;

use anyhow::{Context, Result};
use varbytes::build::ObjectPolicy;
use varbytes::variant::ContainerType;
use varbytes::{DecodeErrorKind, Precision, Variant, VariantType};
use varbytes_conformance::check::Setting;
use varbytes_conformance::compare;
use varbytes_conformance::damage::Packet;
use varbytes_conformance::differential::Comparison;
use varbytes_conformance::engine::{ConnectionError, locate};
use varbytes_conformance::judge::Verdict;
use varbytes_conformance::live::{Batch, Live};
use varbytes_conformance::recipe::{self, Components};
use varbytes_conformance::reference::{Reference, Running};
use varbytes_fuzz_properties::any_value;

use crate::input::EngineInput;

/// Maximum number of questions in a batch, and their maximum total length.
const QUESTIONS: usize = 256;
const BYTES: usize = 1 << 20;

/// Maximum number of containers that wrap a value. A fuzzer tends to go deeper, which takes most of the time; vectors
/// and `roundtrip` cover the full depth.
const WRAPPINGS: usize = 8;

/// The property to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Reading bytes.
    Decode,
    /// Writing a value.
    Encode,
}

/// A disagreement between the codec and the engine.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The input that shows it; several if the engine died and the cause is not known.
    pub inputs: Vec<Vec<u8>>,
    /// The difference.
    pub what: String,
}

/// An engine with its pending questions.
#[derive(Debug)]
pub struct Judge {
    target: Target,
    running: Running,
    setting: Setting,
    live: Live,
    batch: Batch,
    waiting: Vec<Waiting>,
    // A shared buffer, because a fuzzer reports memory kept by an input as a leak.
    kept: Vec<u8>,
    comparison: Comparison,
}

/// An input whose question is in the batch, and the codec's answer, both as ranges in the buffer.
#[derive(Clone, Debug)]
struct Waiting {
    input: Range<usize>,
    /// 0 if the codec refuses it.
    used: usize,
    written: Range<usize>,
}

/// The codec's answer to an input.
struct Said {
    used: usize,
    written: Vec<u8>,
}

impl Judge {
    /// Starts an engine on this machine; `None` if it is not found.
    ///
    /// # Errors
    /// If it is found but does not start.
    pub fn start(reference: Reference, target: Target) -> Result<Option<Self>> {
        let Some(engine) = locate(reference.package)? else { return Ok(None) };
        let running = Running::new(reference, engine)?;
        let live = Live::start(&running).with_context(|| format!("Godot {}", running.engine.version))?;
        let setting = Setting::of(&running.engine.version, running.profile(), Precision::Single);
        Ok(Some(Self {
            target,
            running,
            setting,
            live,
            batch: Batch::with_capacity(2 * BYTES),
            waiting: Vec::with_capacity(QUESTIONS),
            kept: Vec::with_capacity(2 * BYTES),
            comparison: Comparison::default(),
        }))
    }

    /// The engine.
    #[must_use]
    pub const fn running(&self) -> &Running {
        &self.running
    }

    /// Returns the results of all questions.
    #[must_use]
    pub const fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    /// Runs the codec on an input and adds the question for the engine to the batch. Inputs without a question are
    /// skipped.
    pub fn add(&mut self, input: &[u8]) {
        let Some(said) = self.question(input) else { return };
        let start = self.kept.len();
        self.kept.extend_from_slice(input);
        let end = self.kept.len();
        self.kept.extend_from_slice(&said.written);
        self.waiting.push(Waiting { input: start..end, used: said.used, written: end..self.kept.len() });
    }

    /// Returns whether the batch is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= QUESTIONS || self.batch.size().max(self.kept.len()) >= BYTES
    }

    fn question(&mut self, input: &[u8]) -> Option<Said> {
        let input = EngineInput::read(input)?;
        match self.target {
            Target::Decode => {
                let packet = packet(&self.setting, &input)?;
                let said = read(&self.setting, &packet);
                self.batch.read(&packet.bytes, packet.objects, said.used);
                Some(said)
            }
            Target::Encode => {
                let value = value(&self.setting, &input)?;
                let mut ingredients = Vec::new();
                recipe::write(&value, self.setting.profile, &mut ingredients);
                self.batch.write(&ingredients, input.objects);
                let written = expected(&self.setting, value, input.objects);
                Some(Said { used: written.len(), written })
            }
        }
    }

    /// Sends the batch to the engine, and returns the disagreements.
    ///
    /// # Errors
    /// If the engine died and cannot be restarted.
    pub fn ask(&mut self) -> Result<Vec<Fault>> {
        if self.batch.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.live.ask(&self.batch);
        self.batch.clear();
        let waiting: Vec<Waiting> = self.waiting.drain(..).collect();
        let faults = match answer {
            Ok(verdicts) => self.compare(&waiting, &verdicts)?,
            Err(error) => vec![self.failing_inputs(&waiting, &error)?],
        };
        self.kept.clear();
        Ok(faults)
    }

    fn compare(&mut self, waiting: &[Waiting], verdicts: &[Verdict]) -> Result<Vec<Fault>> {
        let mut faults = Vec::new();
        for (asked, verdict) in waiting.iter().zip(verdicts) {
            if verdict.used == asked.used && verdict.rewritten == self.kept[asked.written.clone()] {
                self.comparison.packets += 1;
                self.comparison.accepted += usize::from(verdict.used > 0);
                continue;
            }
            let input = &self.kept[asked.input.clone()];
            if let Some(what) = difference(self.target, &self.setting, input, verdict, &mut self.comparison)? {
                let what = format!("Godot {}: {what}", self.running.engine.version);
                faults.push(Fault { inputs: vec![input.to_vec()], what });
            }
        }
        Ok(faults)
    }

    /// Asks a new engine about each input separately, to find the one on which the last engine died.
    fn failing_inputs(&mut self, waiting: &[Waiting], error: &ConnectionError) -> Result<Fault> {
        let inputs: Vec<Vec<u8>> = waiting.iter().map(|asked| self.kept[asked.input.clone()].to_vec()).collect();
        self.live = Live::start(&self.running)?;
        for input in &inputs {
            self.batch.clear();
            self.question(input);
            if let Err(error) = self.live.ask(&self.batch) {
                self.batch.clear();
                self.live = Live::start(&self.running)?;
                let what = format!("Godot {}: {error}", self.running.engine.version);
                return Ok(Fault { inputs: vec![input.clone()], what });
            }
        }
        self.batch.clear();
        let what = format!("Godot {}, but not on any single input: {error}", self.running.engine.version);
        Ok(Fault { inputs, what })
    }
}

/// Returns a disagreement between the engine and the codec, if their written bytes do not already agree.
fn difference(
    target: Target,
    setting: &Setting,
    input: &[u8],
    verdict: &Verdict,
    comparison: &mut Comparison,
) -> Result<Option<String>> {
    let Some(input) = EngineInput::read(input) else { return Ok(None) };
    match target {
        Target::Decode => {
            let Some(packet) = packet(setting, &input) else { return Ok(None) };
            let difference = comparison.add(setting, &packet, verdict)?;
            Ok(difference.map(|difference| {
                let allowed = if packet.objects { "with" } else { "without" };
                format!("{difference}: {} ({allowed} objects)", hex::encode(&packet.bytes))
            }))
        }
        Target::Encode => {
            comparison.packets += 1;
            comparison.accepted += usize::from(verdict.used > 0);
            let Some(value) = value(setting, &input) else { return Ok(None) };
            let shown = format!("{value:?}");
            let difference = setting.writes("value", value, input.objects, &verdict.rewritten);
            Ok(difference.map(|difference| format!("{difference}: {shown}")))
        }
    }
}

/// Returns the packet of a question.
fn packet(setting: &Setting, input: &EngineInput) -> Option<Packet> {
    let packet = Packet { bytes: input.bytes.to_vec(), objects: input.objects };
    (!packet.objects || is_harmless(setting, &packet.bytes)).then_some(packet)
}

/// Returns the codec's answer to a packet.
fn read(setting: &Setting, packet: &Packet) -> Said {
    match setting.decoder(packet.objects).decode_prefix(&packet.bytes) {
        Ok(decoded) => Said { used: decoded.used, written: expected(setting, decoded.value, packet.objects) },
        Err(_) => Said { used: 0, written: Vec::new() },
    }
}

/// Returns the value of a question.
fn value(setting: &Setting, input: &EngineInput) -> Option<Variant> {
    let value = any_value(input.bytes, setting.profile, input.objects, WRAPPINGS)?;
    Some(recipe::makeable(value, setting.profile, input.objects, Components::OfScripts))
}

/// Returns the bytes expected for a value; no bytes if it is refused.
fn expected(setting: &Setting, mut value: Variant, objects: bool) -> Vec<u8> {
    if objects {
        compare::replace_ids_by_objects(&mut value);
    }
    setting.encoder(objects).encode(&value).unwrap_or_default()
}

/// Returns whether the engine only creates objects of classes with fast setters. Setters of some classes may never
/// return.
fn is_harmless(setting: &Setting, bytes: &[u8]) -> bool {
    #[derive(Default)]
    struct Harmful(bool);

    impl ObjectPolicy for Harmful {
        fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
            self.0 |= !HARMLESS.contains(&class);
            Ok(())
        }

        fn script(&mut self, _: &str, _: &str) -> Result<(), DecodeErrorKind> {
            self.0 = true;
            Ok(())
        }

        fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
            self.0 |= matches!(container_type, ContainerType::Script(_));
            Ok(())
        }
    }

    let mut harmful = Harmful::default();
    // Even if it is refused, the part before counts.
    let refused = setting.decoder(true).check_with(bytes, &mut harmful).is_err();
    !(harmful.0 || refused && shows_harm(setting, bytes))
}

const HARMLESS: [&str; 3] = ["RefCounted", "Resource", "EncodedObjectAsID"];

/// Returns whether refused bytes contain anything that looks like another class or a script. The engine may read more
/// than the codec: it sets one property after the other before it notices that announced properties are missing.
fn shows_harm(setting: &Setting, bytes: &[u8]) -> bool {
    const BY_ID: u32 = 1 << 16;
    let object = setting.profile.type_id(VariantType::Object).map(u32::from);
    let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let class_at = |at: usize| {
        word(at).filter(|header| Some(header & 0xFF) == object && header & BY_ID == 0)?;
        let length = usize::try_from(word(at + 4)?).ok()?;
        let name = bytes.get(at + 8..)?.get(..length)?.split(|byte| *byte == 0).next()?;
        let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        is_name.then_some(name)
    };
    let names_class = (0..bytes.len()).step_by(4).filter_map(class_at);
    let mut others = names_class.filter(|name| !HARMLESS.iter().any(|class| class.as_bytes() == *name));
    others.next().is_some() || bytes.windows(6).any(|window| window == b"script")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object that announces seven properties and has one.
    fn object(class: &str) -> Vec<u8> {
        let mut bytes = vec![24, 0, 0, 0];
        for text in [class, "point_count"] {
            bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
            bytes.extend(text.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            if text == class {
                bytes.extend([7, 0, 0, 0]);
            }
        }
        [&bytes[..], &[2, 0, 0, 0, 0, 0, 0x70, 0]].concat()
    }

    // Found by fuzzing: a Curve of seven million points took longer than the engine's time limit.
    #[test]
    fn an_object_that_the_engine_reads_further_than_the_codec_is_skipped() {
        assert!(!is_harmless(&Setting::NEWEST, &object("Curve")));
        assert!(is_harmless(&Setting::NEWEST, &object("RefCounted")));
    }
}
