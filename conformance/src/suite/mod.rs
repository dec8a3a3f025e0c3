//! Checks any codec against the vectors: a program that answers lines.
//!
//! [`check`] asks all questions of a [`Suite`] and returns a [`Report`].

pub mod baseline;
pub mod case;
pub mod engine;
pub mod peers;
pub mod process;
pub mod report;
mod section;
mod shrink;
pub mod verdict;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use varbytes::VariantType;

use case::{Case, Direction, Suite};
use process::{Codec, ProcessLimits};
use report::{Finding, Report};
use section::Sections;
use verdict::Verdict;

/// The settings of a check.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The command that starts the codec.
    pub command: String,
    /// The name of the suite.
    pub engine: String,
    /// Types that are not asked about.
    pub skip: Vec<VariantType>,
    /// Whether full objects are asked about.
    pub objects: bool,
    /// The limits of a process.
    pub limits: ProcessLimits,
    /// The seed of the damaged packets.
    pub seed: u64,
    /// The number of damaged packets.
    pub packets: usize,
}

/// Checks a codec. `root` is a copy of the repository's data, and `progress` gets the number of answers and of
/// questions.
///
/// # Errors
/// If the codec does not start or does not speak the protocol, or there are no vectors for the engine.
pub fn check(root: &Path, settings: &Settings, progress: &mut dyn FnMut(usize, usize)) -> Result<Report> {
    let begin = Instant::now();
    let mut suite = Suite::load(root, &settings.engine)?;
    suite.generate(settings.seed, settings.packets);
    let path = root.join("rust/codec/FORMAT.md");
    let sections = Sections::parse(&fs::read_to_string(&path).context("cannot read FORMAT.md")?);
    let mut codec = Codec::new(&settings.command, settings.limits)?;
    codec.greet(&suite.arguments(Direction::Decode, false), "00000000")?;

    let mut report = Report::new(settings, &suite);
    let cases = std::mem::take(&mut suite.cases);
    let (skipped, asked): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| skips(settings, case).is_some());
    for case in &skipped {
        report.skip(case, skips(settings, case).unwrap_or_default());
    }
    let total = asked.len();
    let mut known = 0;
    for (direction, objects) in
        [(Direction::Decode, false), (Direction::Decode, true), (Direction::Encode, false), (Direction::Encode, true)]
    {
        let cases: Vec<&Case> =
            asked.iter().filter(|case| (case.direction, case.objects) == (direction, objects)).collect();
        let lines: Vec<&str> = cases.iter().map(|case| &*case.line).collect();
        let arguments = suite.arguments(direction, objects);
        let replies = codec.ask(&arguments, &lines, &mut |answered| progress(known + answered, total))?;
        known += cases.len();
        for (case, reply) in cases.into_iter().zip(&replies) {
            match verdict::judge(&suite.setting, case, reply) {
                Verdict::Right => report.right(case),
                Verdict::Skipped(reason) => report.skip(case, reason),
                Verdict::Wrong(fault) => {
                    report.wrong(case, Finding::new(case, fault, sections.rule(case), &settings.engine));
                }
            }
        }
    }
    shrink::shrink(&suite, &mut codec, &mut report.findings)?;
    report.sort();
    report.seconds = begin.elapsed().as_secs_f64();
    Ok(report)
}

/// Returns why a case is not asked about.
fn skips(settings: &Settings, case: &Case) -> Option<String> {
    if case.objects && !settings.objects {
        return Some("full objects".to_owned());
    }
    let skip: BTreeSet<_> = settings.skip.iter().copied().collect();
    case.types.intersection(&skip).next().map(|variant_type| variant_type.name().to_owned())
}
