//! One target, run for a time.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::addon::Addon;
use crate::targets::Target;
use crate::tools::{BUILD, cargo_fuzz};
use crate::{files, fuzz_folder, seeds};

/// A target is given up after so many findings: more would most often be the same.
const MOST_FINDINGS: usize = 5;

/// How libFuzzer tries more inputs in a second. It finds as many edges in as many executions when it does not weigh its
/// inputs anew after each, nor looks for a shorter one to put in the place of each, and nobody else adds any.
const FASTER: [&str; 3] = ["-entropic=0", "-reduce_inputs=0", "-reload=0"];

/// The same for `AddressSanitizer`: what it keeps to tell whose memory was misused, and the search for uses of a stack
/// that is gone, are for code that is `unsafe`. A finding is explained by running it again without this.
const ADDRESS_SANITIZER: &str = "detect_stack_use_after_return=0:malloc_context_size=0:quarantine_size_mb=1";

/// Executions in which a finding has to become smaller; then it is tried again.
const MINIMISING: &str = "3000";

/// What came of running a target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Inputs that were tried.
    pub executions: u64,
    /// How long it ran.
    pub seconds: f64,
    /// Edges of the program that were reached.
    pub coverage: u64,
    /// Inputs that reach them.
    pub corpus: u64,
    /// Inputs for which the property does not hold, made small where that could be done.
    pub findings: Vec<PathBuf>,
}

impl Outcome {
    /// Takes what libFuzzer says in a line: `#4096 pulse cov: 812 ft: 1970 corp: 230/9Kb …`.
    fn read(&mut self, line: &str) {
        let after = |name: &str| line.split_once(name).map(|(_, rest)| rest.trim_start());
        let number = |text: &str| text.split(|other: char| !other.is_ascii_digit()).next()?.parse::<u64>().ok();
        if let Some(executions) = line.strip_prefix('#').and_then(number) {
            self.executions = executions;
        }
        if let Some(executions) = after("stat::number_of_executed_units:").and_then(number) {
            self.executions = executions;
        }
        if let Some(finding) = after("Test unit written to ") {
            self.findings.push(PathBuf::from(finding));
        }
        self.coverage = after(" cov: ").and_then(number).unwrap_or(self.coverage);
        self.corpus = after(" corp: ").and_then(number).unwrap_or(self.corpus);
    }
}

/// Runs a target for a time, from every vector, and minimises what it finds; `tell` hears how far it is.
///
/// After a finding it goes on. What runs inside an engine is given with it.
///
/// # Errors
/// When the target cannot be run, or ends early without a finding.
pub fn run(target: &Target, addon: Option<&Addon>, time: Duration, tell: impl Fn(&Outcome)) -> Result<Outcome> {
    let Target { name, longest, .. } = *target;
    let working = fuzz_folder().join("working").join(name);
    let mut inputs = seeds::inputs(name)?;
    // Cut off, they would be of little use.
    inputs.retain(|input| input.len() <= longest);
    seeds::write(&working, &inputs)?;
    let committed = committed(name);
    let started = Instant::now();
    let mut total = Outcome::default();
    loop {
        let left = time.saturating_sub(started.elapsed());
        if left < Duration::from_secs(1) || total.findings.len() >= MOST_FINDINGS {
            break;
        }
        let limit = format!("-max_total_time={}", left.as_secs());
        let (part, success, last) =
            run_once(target, addon, &[&working, &committed], &limit, |part| tell(&sum(&total, part)))?;
        if !success && part.findings.is_empty() {
            bail!("{name} ended without a finding:\n{}", last.join("\n"));
        }
        let known = total.findings.len();
        total = sum(&total, &part);
        // The same finding once more is one of the inputs it starts from, and would come up each time.
        if !success && total.findings.len() == known {
            break;
        }
    }
    total.seconds = started.elapsed().as_secs_f64();
    total.findings = total.findings.iter().map(|finding| minimised(name, addon, finding)).collect::<Result<_>>()?;
    Ok(total)
}

/// Runs every input of the committed corpus through a target, and no others.
///
/// # Errors
/// When the target cannot be run, ends without a finding, or has no such inputs.
pub fn replay(target: &Target, addon: Option<&Addon>, tell: impl Fn(&Outcome)) -> Result<Outcome> {
    let committed = committed(target.name);
    let inputs = files(&committed)?.len();
    let started = Instant::now();
    let (mut outcome, success, last) = run_once(target, addon, &[&committed], "-runs=0", tell)?;
    // After a finding it does not go on.
    let complete = success && outcome.executions >= inputs as u64 && inputs > 0;
    if !complete && outcome.findings.is_empty() {
        bail!("{} ended without a finding, and without all of {inputs} inputs:\n{}", target.name, last.join("\n"));
    }
    outcome.seconds = started.elapsed().as_secs_f64();
    Ok(outcome)
}

fn committed(target: &str) -> PathBuf {
    fuzz_folder().join("corpus").join(target)
}

fn sum(total: &Outcome, part: &Outcome) -> Outcome {
    let mut findings = total.findings.clone();
    findings.extend(part.findings.iter().filter(|finding| !total.findings.contains(finding)).cloned());
    Outcome {
        executions: total.executions + part.executions,
        coverage: total.coverage.max(part.coverage),
        corpus: total.corpus.max(part.corpus),
        seconds: total.seconds,
        findings,
    }
}

/// Runs a target on the inputs of some folders until the limit is reached or it has found something; gives the last
/// lines it said too. What is new is put into the first folder.
fn run_once(
    target: &Target,
    addon: Option<&Addon>,
    folders: &[&Path],
    limit: &str,
    tell: impl Fn(&Outcome),
) -> Result<(Outcome, bool, Vec<String>)> {
    const LAST_LINES: usize = 20;
    let Target { name, longest, .. } = *target;
    let mut command = match addon {
        None => cargo_fuzz(&["run", name]),
        Some(addon) => in_engine(addon, name)?,
    };
    if addon.is_none() {
        command.args(BUILD).env("ASAN_OPTIONS", ADDRESS_SANITIZER);
    }
    command.args(folders).args(addon.is_none().then_some("--")).arg(limit);
    command.args(["-print_final_stats=1", "-timeout=20"]).arg(format!("-max_len={longest}"));
    command.arg(format!("-dict={}", fuzz_folder().join("godot.dict").display())).args(FASTER);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let child = child.as_mut().map_err(|error| anyhow::anyhow!("cannot run {name}: {error}"))?;
    let mut outcome = Outcome::default();
    let mut last = Vec::new();
    let mut lines = BufReader::new(child.stderr.take().context("its messages are piped")?);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        outcome.read(&text);
        tell(&outcome);
        last.push(text);
        if last.len() > LAST_LINES {
            last.remove(0);
        }
        line.clear();
    }
    let status = child.wait()?;
    Ok((outcome, status.success(), last))
}

/// The target in an engine, which puts its findings where cargo-fuzz does.
fn in_engine(addon: &Addon, target: &str) -> Result<Command> {
    let findings = fuzz_folder().join("artifacts").join(target);
    fs::create_dir_all(&findings).with_context(|| format!("cannot make {}", findings.display()))?;
    let mut command = addon.command();
    command.arg(format!("-artifact_prefix={}/", findings.display()));
    Ok(command)
}

/// The path of a smaller input that shows the same, or of the finding itself where there is none.
fn minimised(target: &str, addon: Option<&Addon>, finding: &Path) -> Result<PathBuf> {
    let folder = finding.parent().context("a finding is in a folder")?;
    let before: BTreeSet<PathBuf> = files(folder)?.into_iter().collect();
    // It ends with a failure as a matter of course; what counts is what it leaves.
    let mut command = match addon {
        None => cargo_fuzz(&["tmin", target, "--runs", MINIMISING]),
        Some(addon) => in_engine(addon, target)?,
    };
    match addon {
        None => command.args(BUILD),
        Some(_) => command.args(["-minimize_crash=1".to_owned(), format!("-runs={MINIMISING}")]),
    };
    command.arg(finding).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    // One of every size on the way.
    let mut smaller: Vec<PathBuf> = files(folder)?.into_iter().filter(|file| !before.contains(file)).collect();
    smaller.sort_by_key(|file| file.metadata().map_or(u64::MAX, |data| data.len()));
    for larger in smaller.iter().skip(1) {
        fs::remove_file(larger).with_context(|| format!("cannot remove {}", larger.display()))?;
    }
    Ok(smaller.into_iter().next().unwrap_or_else(|| finding.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_libfuzzer_says_on_its_way_is_read() {
        let mut outcome = Outcome::default();
        outcome.read("#4096\tpulse  cov: 812 ft: 1970 corp: 230/9Kb lim: 63 exec/s: 2048 rss: 60Mb");
        assert_eq!((outcome.executions, outcome.coverage, outcome.corpus), (4096, 812, 230));
    }

    #[test]
    fn what_libfuzzer_says_at_the_end_is_read_and_nothing_forgotten() {
        let mut outcome = Outcome { coverage: 812, corpus: 230, ..Outcome::default() };
        outcome.read("stat::number_of_executed_units: 31068");
        outcome.read("stat::peak_rss_mb:              409");
        assert_eq!((outcome.executions, outcome.coverage, outcome.corpus), (31068, 812, 230));
    }

    #[test]
    fn a_finding_counts_once() {
        let mut part = Outcome::default();
        part.read("artifact_prefix='/a/'; Test unit written to /a/crash-1");
        assert_eq!(part.findings, [PathBuf::from("/a/crash-1")]);
        assert_eq!(sum(&part, &part).findings, part.findings);
    }
}
