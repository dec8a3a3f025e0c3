//! Runs one target for a time.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::addon::Addon;
use crate::targets::{Runs, Target};
use crate::tools::cargo_fuzz;
use crate::{files, fuzz_folder, seeds};

/// A target stops after this many findings, because more are usually the same.
const MOST_FINDINGS: usize = 5;

/// Options that let libFuzzer try more inputs per second. It finds as many edges in as many executions without
/// reweighing its inputs after each one, without looking for shorter ones, and without reloading the corpus.
const FASTER: [&str; 3] = ["-entropic=0", "-reduce_inputs=0", "-reload=0"];

/// The same for `AddressSanitizer`: without the stacks of allocations and the check for use after return, which matter
/// for `unsafe` code. To analyse a finding, run it again without these options.
const ADDRESS_SANITIZER: &str = "detect_stack_use_after_return=0:malloc_context_size=0:quarantine_size_mb=1";

/// Executions per attempt to minimise a finding.
const MINIMISING: &str = "3000";

/// Longer inputs are not added to the committed corpus.
const LONGEST_COMMITTED: u64 = 40;

/// The result of running a target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Number of executions.
    pub executions: u64,
    /// Duration.
    pub seconds: f64,
    /// Number of edges reached, of the codec and the engine together.
    pub coverage: u64,
    /// Number of the engine's edges among them, and of all of its edges, if its core is in the process.
    pub engine_edges: Option<(u64, u64)>,
    /// Number of inputs that reach them.
    pub corpus: u64,
    /// Inputs for which the property does not hold.
    pub findings: Vec<Finding>,
    /// The message of a panic or a sanitizer, before its finding is known.
    pub(crate) failure: Vec<String>,
    /// Whether the next line may belong to it.
    pub(crate) reads_failure: bool,
}

/// An input for which a property does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The file with the input, minimised if possible.
    pub input: PathBuf,
    /// What failed.
    pub message: String,
}

impl Outcome {
    /// Returns the number of the codec's edges.
    #[must_use]
    pub fn codec_edges(&self) -> u64 {
        self.coverage.saturating_sub(self.engine_edges.map_or(0, |(reached, _)| reached))
    }

    /// Parses a line of libFuzzer: `#4096 pulse cov: 812 ft: 1970 corp: 230/9Kb …`.
    fn read(&mut self, line: &str) {
        let after = |name: &str| line.split_once(name).map(|(_, rest)| rest.trim_start());
        let number = |text: &str| text.split(|other: char| !other.is_ascii_digit()).next()?.parse::<u64>().ok();
        if let Some(executions) = line.strip_prefix('#').and_then(number) {
            self.executions = executions;
        }
        if let Some(executions) = after("stat::number_of_executed_units:").and_then(number) {
            self.executions = executions;
        }
        if let Some((reached, all)) = after("edges of the engine:").and_then(|text| text.split_once(" of ")) {
            self.engine_edges = number(reached).zip(number(all));
        }
        let begins = line.contains(" panicked at ") || line.contains("ERROR: ");
        let is_of_stack = ["note: ", "stack backtrace:", "==", " "].iter().any(|start| line.starts_with(start));
        // The signal that a panic ends with is not part of its message.
        self.reads_failure = if self.failure.is_empty() { begins } else { self.reads_failure && !is_of_stack };
        if self.reads_failure {
            self.failure.push(line.to_owned());
        }
        if let Some(input) = after("Test unit written to ") {
            let message = mem::take(&mut self.failure).join("\n");
            self.findings.push(Finding { input: PathBuf::from(input), message });
        }
        self.coverage = after(" cov: ").and_then(number).unwrap_or(self.coverage);
        self.corpus = after(" corp: ").and_then(number).unwrap_or(self.corpus);
    }
}

/// Runs a target for a time, starting from every vector, and minimises findings. `tell` gets the progress.
///
/// Continues after a finding. `addon` is needed for a target that runs inside an engine.
///
/// # Errors
/// If the target cannot be run, or ends early without a finding.
pub fn run(target: &Target, addon: Option<&Addon>, time: Duration, tell: impl Fn(&Outcome)) -> Result<Outcome> {
    let (name, longest) = (target.name, target.longest);
    let working = target.working();
    let mut inputs = seeds::inputs(name)?;
    // Cut inputs would be of little use.
    inputs.retain(|input| input.len() <= longest);
    {
        // Targets that run at the same time may share a folder.
        static WRITING: Mutex<()> = Mutex::new(());
        let _writing = WRITING.lock();
        seeds::write(&working, &inputs)?;
    }
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
            run_once(target, addon, &[&working, &committed], &[&limit], |part| tell(&sum(&total, part)))?;
        if !success && part.findings.is_empty() {
            bail!("{} ended without a finding:\n{}", target.label(), last.join("\n"));
        }
        let known = total.findings.len();
        total = sum(&total, &part);
        // Without removing it, the finding would be a seed of the next run and fail again.
        if !success && total.findings.len() == known {
            break;
        }
    }
    total.seconds = started.elapsed().as_secs_f64();
    for finding in &mut total.findings {
        finding.input = minimised(target, addon, &finding.input)?;
    }
    Ok(total)
}

/// Runs only the inputs of the committed corpus through a target.
///
/// # Errors
/// If the target cannot be run, ends early without a finding, or has no inputs.
pub fn replay(target: &Target, addon: Option<&Addon>, tell: impl Fn(&Outcome)) -> Result<Outcome> {
    let committed = committed(target.name);
    let inputs = files(&committed)?.len();
    let started = Instant::now();
    let (mut outcome, success, last) = run_once(target, addon, &[&committed], &["-runs=0"], tell)?;
    // It does not continue after a finding.
    let complete = success && outcome.executions >= inputs as u64 && inputs > 0;
    if !complete && outcome.findings.is_empty() {
        bail!("{} ended without a finding before it ran all of the {inputs} inputs:\n{}", target.name, last.join("\n"));
    }
    outcome.seconds = started.elapsed().as_secs_f64();
    Ok(outcome)
}

/// Replaces the working corpus of a target by the inputs that together reach the same edges of the codec, and of the engine
/// beside it. For a target with a core, also adds such inputs of up to 40 bytes to the committed corpus.
/// Returns the numbers of inputs before and after.
///
/// # Errors
/// If the target cannot be run, or files cannot be written.
pub fn minimise_corpus(target: &Target, addon: Option<&Addon>) -> Result<(usize, usize)> {
    let (working, committed) = (target.working(), committed(target.name));
    // Missing until the first campaign.
    fs::create_dir_all(&working).with_context(|| format!("cannot create {}", working.display()))?;
    let before = files(&working)?;
    let merged =
        tempfile::tempdir_in(working.parent().unwrap_or(&working)).context("cannot create a temporary folder")?;
    merge(target, addon, &[merged.path(), &working, &committed], &["-merge=1"])?;
    if target.core.is_some() {
        let short = tempfile::tempdir().context("cannot create a temporary folder")?;
        for input in files(merged.path())? {
            if input.metadata().is_ok_and(|data| data.len() <= LONGEST_COMMITTED) {
                fs::copy(&input, short.path().join(input.file_name().unwrap_or_default()))?;
            }
        }
        merge(target, addon, &[&committed, short.path()], &["-set_cover_merge=1", "-use_counters=0"])?;
    }
    fs::remove_dir_all(&working).with_context(|| format!("cannot remove {}", working.display()))?;
    fs::rename(merged.keep(), &working).with_context(|| format!("cannot create {}", working.display()))?;
    Ok((before.len(), files(&working)?.len()))
}

/// Adds inputs with new coverage to the first folder.
fn merge(target: &Target, addon: Option<&Addon>, folders: &[&Path], options: &[&str]) -> Result<()> {
    fs::create_dir_all(folders[0]).with_context(|| format!("cannot create {}", folders[0].display()))?;
    let (_, success, last) = run_once(target, addon, folders, options, |_| ())?;
    if !success {
        bail!("the corpus of {} cannot be merged:\n{}", target.label(), last.join("\n"));
    }
    Ok(())
}

pub(crate) fn committed(target: &str) -> PathBuf {
    fuzz_folder().join("corpus").join(target)
}

fn sum(total: &Outcome, part: &Outcome) -> Outcome {
    let mut findings = total.findings.clone();
    findings.extend(part.findings.iter().filter(|finding| !total.findings.contains(finding)).cloned());
    Outcome {
        executions: total.executions + part.executions,
        coverage: total.coverage.max(part.coverage),
        corpus: total.corpus.max(part.corpus),
        engine_edges: part.engine_edges.or(total.engine_edges),
        seconds: total.seconds,
        findings,
        ..Outcome::default()
    }
}

/// Runs a target on the inputs of some folders, with other options of libFuzzer, to its end or a finding. Also returns its
/// last lines. New inputs are stored in the first folder.
fn run_once(
    target: &Target,
    addon: Option<&Addon>,
    folders: &[&Path],
    options: &[&str],
    tell: impl Fn(&Outcome),
) -> Result<(Outcome, bool, Vec<String>)> {
    const LAST_LINES: usize = 20;
    // An input that takes half of this time is a finding. With engines, an input may wait until they have started or
    // answered a batch of questions. An engine that hangs is found by the time that an answer may take.
    const SECONDS: u32 = 20;
    const SECONDS_WITH_ENGINES: u32 = 300;
    let Target { name, longest, runs, .. } = *target;
    let seconds = if runs == Runs::AskingEngines { SECONDS_WITH_ENGINES } else { SECONDS };
    let mut command = match addon {
        None => cargo_fuzz(&["run", name]),
        Some(addon) => in_engine(addon, name)?,
    };
    if addon.is_none() {
        command.args(target.build_options()).env("ASAN_OPTIONS", ADDRESS_SANITIZER);
    }
    command.envs(target.environment());
    command.args(folders).args(addon.is_none().then_some("--")).args(options);
    command.arg("-print_final_stats=1").arg(format!("-max_len={longest}"));
    command.args([format!("-timeout={seconds}"), format!("-report_slow_units={}", seconds / 2)]);
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

/// Returns the command of the target in an engine, which stores findings in the same folder as cargo-fuzz.
fn in_engine(addon: &Addon, target: &str) -> Result<Command> {
    let findings = fuzz_folder().join("artifacts").join(target);
    fs::create_dir_all(&findings).with_context(|| format!("cannot create {}", findings.display()))?;
    let mut command = addon.command();
    command.arg(format!("-artifact_prefix={}/", findings.display()));
    Ok(command)
}

/// Returns the path of a smaller input with the same failure, or of the finding itself.
fn minimised(target: &Target, addon: Option<&Addon>, finding: &Path) -> Result<PathBuf> {
    let folder = finding.parent().context("a finding is in a folder")?;
    let before: BTreeSet<PathBuf> = files(folder)?.into_iter().collect();
    // It always ends with a failure; only its output file matters.
    let mut command = match addon {
        None => cargo_fuzz(&["tmin", target.name, "--runs", MINIMISING]),
        Some(addon) => in_engine(addon, target.name)?,
    };
    command.envs(target.environment());
    match addon {
        None => command.args(target.build_options()),
        Some(_) => command.args(["-minimize_crash=1".to_owned(), format!("-runs={MINIMISING}")]),
    };
    command.arg(finding).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    // Removes the intermediate sizes.
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
    fn progress_of_libfuzzer_is_parsed() {
        let mut outcome = Outcome::default();
        outcome.read("#4096\tpulse  cov: 812 ft: 1970 corp: 230/9Kb lim: 63 exec/s: 2048 rss: 60Mb");
        assert_eq!((outcome.executions, outcome.coverage, outcome.corpus), (4096, 812, 230));
    }

    #[test]
    fn the_final_statistics_of_libfuzzer_are_parsed() {
        let mut outcome = Outcome { coverage: 812, corpus: 230, ..Outcome::default() };
        outcome.read("stat::number_of_executed_units: 31068");
        outcome.read("stat::peak_rss_mb:              409");
        assert_eq!((outcome.executions, outcome.coverage, outcome.corpus), (31068, 812, 230));
    }

    #[test]
    fn a_finding_counts_once() {
        let mut part = Outcome::default();
        part.read("artifact_prefix='/a/'; Test unit written to /a/crash-1");
        assert_eq!(part.findings, [Finding { input: "/a/crash-1".into(), message: String::new() }]);
        assert_eq!(sum(&part, &part).findings, part.findings);
    }

    #[test]
    fn a_finding_has_the_message_of_its_panic() {
        let mut outcome = Outcome::default();
        for line in [
            "thread '<unnamed>' (1) panicked at src/paths.rs:88:9:",
            "fast: 1",
            "slow: 2",
            "note: run with `RUST_BACKTRACE=1`",
            "    #0 0x1 in abort",
            "==1== ERROR: libFuzzer: deadly signal",
            "Test unit written to crash-1",
            "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1",
            "    #0 0x2 in read",
            "Test unit written to crash-2",
        ] {
            outcome.read(line);
        }
        let messages: Vec<_> = outcome.findings.iter().map(|finding| finding.message.as_str()).collect();
        let panic = "thread '<unnamed>' (1) panicked at src/paths.rs:88:9:\nfast: 1\nslow: 2";
        assert_eq!(messages, [panic, "==2==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1"]);
    }
}
