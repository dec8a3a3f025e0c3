//! Checks any build of an engine: what it reads and writes is compared with what its profile says.
//!
//! The engine is asked about the packets of the vectors and about damaged packets. So a fork needs no vectors of its own.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use varbytes::{Architecture, Precision, Profile, Variant};

use super::case::{Case, Direction, Expected, NON_CANONICAL, Suite};
use super::process::{ProcessLimits, Reply};
use super::report::{Finding, Report};
use super::section::Sections;
use super::verdict::{self, Verdict};
use super::{Settings, case};
use crate::check::Setting;
use crate::compare;
use crate::damage::Packet;
use crate::differential;
use crate::engine::RunError;
use crate::judge;

/// What is known about a build.
#[derive(Clone, Debug)]
pub struct Build {
    /// Its version, as it prints it.
    pub version: String,
    /// The profile that it is compared with.
    pub profile: Profile,
    /// Whether it is a release build, as exported games are.
    pub is_release: bool,
    /// The processor architecture that it is built for, on which conversions depend (11.3 of FORMAT.md).
    pub architecture: Architecture,
    /// The set of vectors whose packets it gets: `godot-4.6` or `godot-3.6`.
    pub packets_of: &'static str,
    /// The seed of the damaged packets.
    pub seed: u64,
    /// The number of damaged packets.
    pub packets: usize,
}

/// A packet with the name of its vector.
struct Question {
    name: String,
    subject: String,
    packet: Packet,
}

/// Something that reads packets as an engine does.
pub type Ask<'a> = dyn FnMut(&[Packet]) -> Result<Vec<judge::Verdict>> + 'a;

/// Asks an engine about all packets, and compares its answers with its profile.
///
/// # Errors
/// If the engine's run fails.
pub fn check_engine(root: &Path, build: &Build, ask: &mut Ask<'_>) -> Result<Report> {
    let begin = Instant::now();
    let precision = precision(build, ask)?;
    let settings = Settings {
        command: build.version.clone(),
        engine: format!("{}{}", build.profile.name(), if precision == Precision::Double { "-double" } else { "" }),
        skip: Vec::new(),
        objects: true,
        limits: ProcessLimits { time: std::time::Duration::ZERO, memory: 0 },
        seed: build.seed,
        packets: build.packets,
    };
    let mut suite = Suite::load(root, build.packets_of)?;
    let questions = questions(&mut suite, build);
    suite.setting = Setting {
        profile: build.profile,
        precision,
        release_build: build.is_release,
        architecture: build.architecture,
        undefined_padding: Setting::padding_of(build.profile),
    };
    let sections = Sections::parse(&fs::read_to_string(root.join("rust/codec/FORMAT.md")).context("FORMAT.md")?);
    let packets: Vec<Packet> = questions.iter().map(|question| question.packet.clone()).collect();
    let (answers, crashes) = answers(&packets, ask)?;

    let mut report = Report::new(&settings, &suite);
    report.checked = "engine".to_owned();
    report.origins = vec![format!("the profile {}", build.profile.name())];
    for (Question { name, subject, packet }, answer) in questions.iter().zip(&answers) {
        let Some(mut expected) = differential::comparable(&suite.setting, packet) else {
            report.left_out += 1;
            continue;
        };
        if let (Precision::Double, Ok(decoded)) = (precision, &mut expected) {
            compare::widen(&mut decoded.value);
        }
        let decode = suite.decoding(name, subject, packet, expected.as_ref().map_err(ToString::to_string));
        let found = match answer {
            Ok(found) => found,
            Err(how) => {
                let judged = verdict::judge(&suite.setting, &decode, &Reply::Ended(how.clone()));
                add(&mut report, &sections, &decode, judged);
                continue;
            }
        };
        let judged = verdict::judge(&suite.setting, &decode, &Reply::Line(line(found)?.into_bytes()));
        let is_read = judged == Verdict::Right && found.used > 0;
        add(&mut report, &sections, &decode, judged);
        if let (true, Ok(decoded)) = (is_read, expected) {
            let encode = encoding(&suite, name, subject, packet, decoded.value);
            if let Some(encode) = encode {
                let written = format!("{{\"ok\":\"{}\"}}", hex::encode(&found.rewritten));
                let judged = verdict::judge(&suite.setting, &encode, &Reply::Line(written.into_bytes()));
                add(&mut report, &sections, &encode, judged);
            }
        }
    }
    let alone = answers.iter().filter(|answer| answer.is_err()).count();
    if crashes > 0 && alone == 0 {
        report.notes.push(format!(
            "The engine crashed in {crashes} runs with many packets, but on none of them alone: an earlier packet damages its \
             memory."
        ));
    }
    report.sort();
    report.seconds = begin.elapsed().as_secs_f64();
    Ok(report)
}

/// What an engine read, or how it crashed.
type Answer = Result<judge::Verdict, String>;

/// Asks an engine. If it crashes, the packets at fault are searched for; their answer is how it crashed.
/// Returns the answers and the number of runs that crashed.
fn answers(packets: &[Packet], ask: &mut Ask<'_>) -> Result<(Vec<Answer>, usize)> {
    /// An engine that crashes more often is not usable.
    const CRASHES: usize = 100;
    let mut answers = Vec::with_capacity(packets.len());
    let mut open = vec![(0, packets.len())];
    let mut crashes = 0;
    while let Some((start, end)) = open.pop() {
        match ask(&packets[start..end]) {
            Ok(verdicts) => {
                ensure!(verdicts.len() == end - start, "{} answers to {} packets", verdicts.len(), end - start);
                answers.extend(verdicts.into_iter().map(Ok));
            }
            Err(error) if crashes < CRASHES => {
                let Some(RunError::Crashed { how, .. }) = error.downcast_ref() else { return Err(error) };
                crashes += 1;
                if end - start == 1 {
                    answers.push(Err(how.clone()));
                } else {
                    let middle = start + (end - start) / 2;
                    open.extend([(middle, end), (start, middle)]);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok((answers, crashes))
}

fn add(report: &mut Report, sections: &Sections, case: &Case, judged: Verdict) {
    match judged {
        Verdict::Right => report.right(case),
        Verdict::Skipped(reason) => report.skip(case, reason),
        Verdict::Wrong(fault) => report.wrong(case, Finding::new(case, fault, sections.rule(case), "profile")),
    }
}

/// Finds the precision of a build: a `Vector2` is written with 8 bytes for each component in double precision.
fn precision(build: &Build, ask: &mut Ask<'_>) -> Result<Precision> {
    let Some(id) = build.profile.type_id(varbytes::VariantType::Vector2) else { return Ok(Precision::Single) };
    let packet = Packet { bytes: [&[id][..], &[0; 11]].concat(), objects: false };
    let answers = ask(&[packet])?;
    Ok(match answers[0].rewritten.len() {
        20 => Precision::Double,
        _ => Precision::Single,
    })
}

/// Returns the packets of the vectors, and damaged ones.
fn questions(suite: &mut Suite, build: &Build) -> Vec<Question> {
    suite.generate(build.seed, build.packets);
    let decoding = suite.cases.iter().filter(|case| case.direction == Direction::Decode);
    decoding
        .filter_map(|case| {
            let packet = Packet { bytes: hex::decode(&case.line).ok()?, objects: case.objects };
            Some(Question { name: case.vector.clone(), subject: case.subject.clone(), packet })
        })
        .collect()
}

/// Returns an engine's answer as a line of the protocol.
fn line(found: &judge::Verdict) -> Result<String> {
    if found.used == 0 {
        return Ok("{\"error\":\"the engine rejects it\"}".to_owned());
    }
    let value = found.value_text().context("the engine did not describe the value")?;
    let mut line = String::new();
    write!(line, "{{\"ok\":{value},\"used\":{}}}", found.used)?;
    Ok(line)
}

/// Returns the question how the engine writes what it read, or `None` if that changes with every run.
fn encoding(suite: &Suite, name: &str, subject: &str, packet: &Packet, mut value: Variant) -> Option<Case> {
    if compare::holds_ids(&value) {
        return None;
    }
    let encoder = suite.setting.encoder(packet.objects);
    let bytes = encoder.encode(&value).ok()?;
    compare::forget_precision_of_empty(&mut value);
    let masked = compare::undefined_bytes(&encoder, &value, suite.setting.undefined_padding);
    let subject = if subject == case::GENERATED { case::GENERATED } else { subject };
    Some(Case {
        vector: name.to_owned(),
        direction: Direction::Encode,
        subject: if subject == case::REJECTED { NON_CANONICAL } else { subject }.to_owned(),
        objects: packet.objects,
        line: hex::encode(&packet.bytes),
        expected: Expected::Bytes(bytes, masked, value),
        types: std::collections::BTreeSet::new(),
        is_generated: true,
    })
}
