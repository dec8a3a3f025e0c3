//! `cargo fuzz-campaign`: runs every fuzz target for a time and prints a table.

use std::fs;
use std::io::{IsTerminal, stderr};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets::UTF8_FULL_CONDENSED};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use varbytes_fuzz_campaign::addon::Addon;
use varbytes_fuzz_campaign::run::{self, Finding, Outcome, replay};
use varbytes_fuzz_campaign::targets::{Runs, TARGETS, Target};
use varbytes_fuzz_campaign::{dictionary, fuzz_folder, lines, record, seeds, tools};
use varbytes_fuzz_engine_core::Core;

/// Run every fuzz target for a time, starting from every committed vector, and print a table
///
/// Installs the nightly toolchain and cargo-fuzz if they are missing. Findings are minimised and stored in
/// `fuzz/artifacts`. Inputs with new coverage are stored in `fuzz/working`, where the next campaign continues.
#[derive(Parser)]
#[command(name = "cargo fuzz-campaign", version)]
struct Arguments {
    /// Minutes per target
    #[arg(long, default_value_t = 30, value_name = "NUMBER")]
    minutes: u64,
    /// Seconds per target, instead of minutes
    #[arg(long, conflicts_with = "minutes", value_name = "NUMBER")]
    seconds: Option<u64>,
    /// Targets to run; the default is all
    #[arg(long, num_args = 1.., value_name = "NAME", value_parser = PossibleValuesParser::new(TARGETS.map(|target| target.name)))]
    targets: Vec<String>,
    /// Targets not to run
    #[arg(long, num_args = 1.., value_name = "NAME", value_parser = PossibleValuesParser::new(TARGETS.map(|target| target.name)))]
    except: Vec<String>,
    /// Cores beside the targets `core_…`, such as godot-4.6.3/sanitized; the default is all that `cargo engine-core` has
    /// built
    #[arg(long, num_args = 1.., value_name = "CORE")]
    cores: Vec<String>,
    /// Number of targets to run in parallel
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    jobs: usize,
    /// Only run each input of the committed corpora once
    #[arg(long, conflicts_with_all = ["minutes", "seconds"])]
    replay: bool,
    /// Add the executions of the targets `core_…` to the sums in RESULTS.md
    #[arg(long)]
    record: bool,
    /// Only minimise the corpora in `fuzz/working`, and add short inputs beside a core to the committed corpora
    #[arg(long, conflicts_with_all = ["minutes", "seconds", "replay"])]
    minimise_corpus: bool,
    /// Only print the lines of the engine's marshalls.cpp that no input of the targets `core_…` reaches
    #[arg(long)]
    unreached_lines: bool,
    /// Only rebuild the committed corpora, the dictionary and the options
    #[arg(long)]
    update_corpus: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = if arguments.update_corpus {
        update_corpus().map(|()| true)
    } else if arguments.unreached_lines {
        print_unreached_lines().map(|()| true)
    } else {
        campaign(&arguments)
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fuzz-campaign: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn update_corpus() -> Result<()> {
    fs::create_dir_all(fuzz_folder().join("options")).context("cannot create the folder of options")?;
    for target in TARGETS {
        seeds::write(&fuzz_folder().join("corpus").join(target.name), &seeds::committed(target.name)?)?;
        if target.runs == Runs::Alone {
            fs::write(target.options_file(), target.options()).context("cannot write options")?;
        }
    }
    fs::write(fuzz_folder().join("godot.dict"), dictionary::text()).context("cannot write the dictionary")
}

fn print_unreached_lines() -> Result<()> {
    let core = &Core::ALL[0];
    tools::prepare(&[])?;
    let (lines, with_code) = lines::unreached(core)?;
    for line in &lines {
        println!("{:5}  {}", line.number, line.text);
    }
    println!("{} of {with_code} lines of marshalls.cpp of {} are not reached", lines.len(), core.name);
    Ok(())
}

/// Returns whether there are no findings.
fn campaign(arguments: &Arguments) -> Result<bool> {
    let time = arguments.seconds.map_or(Duration::from_secs(60 * arguments.minutes), Duration::from_secs);
    let time = if arguments.replay { Duration::ZERO } else { time };
    let is_in = |names: &[String], target: &Target| names.iter().any(|name| name == target.name);
    let is_named = |target: &Target| {
        (arguments.targets.is_empty() || is_in(&arguments.targets, target)) && !is_in(&arguments.except, target)
    };
    let mut targets: Vec<Target> = Vec::new();
    for target in TARGETS.into_iter().filter(is_named) {
        if target.runs != Runs::WithCore {
            targets.push(target);
            continue;
        }
        let with_cores = target.with_cores(&arguments.cores)?;
        if with_cores.is_empty() {
            eprintln!("NOT RUN: {} needs the core of an engine; `cargo engine-core` builds it", target.name);
        }
        targets.extend(with_cores);
    }
    let runs = |runs| targets.iter().any(|target| target.runs == runs);
    tools::prepare(&targets)?;
    if runs(Runs::AskingEngines) || runs(Runs::InsideEngine) {
        tools::fetch_engines()?;
    }
    let addon = if runs(Runs::InsideEngine) { Some(Addon::prepare()?) } else { None };
    if arguments.minimise_corpus {
        for target in &targets {
            let (before, after) = run::minimise_corpus(target, addon.as_ref())?;
            println!("{}: {before} inputs, {after} after minimising", target.label());
        }
        return Ok(true);
    }
    let bars = MultiProgress::new();
    let waiting = Mutex::new(targets.iter().copied().enumerate());
    let outcomes = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..arguments.jobs.clamp(1, targets.len()) {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().ok().and_then(|mut waiting| waiting.next());
                    let Some((index, target)) = next else { break };
                    let addon = addon.as_ref().filter(|_| target.runs == Runs::InsideEngine);
                    // The cores of a target share its time.
                    let cores = targets.iter().filter(|other| other.name == target.name).count();
                    let share = time / u32::try_from(cores).unwrap_or(1);
                    let outcome = run_with_progress(&target, addon, share, &bars);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.push((index, target.label(), outcome));
                    }
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_default();
    outcomes.sort_by_key(|(index, ..)| *index);
    // An error in one target does not affect the results of the others.
    let (mut ran, mut all_ran) = (Vec::new(), true);
    for (_, target, outcome) in outcomes {
        match outcome {
            Ok(outcome) => ran.push((target, outcome)),
            Err(error) => {
                eprintln!("{target} did not finish: {error:#}");
                all_ran = false;
            }
        }
    }
    let how =
        if arguments.replay { "the committed corpora".to_owned() } else { format!("{} s per target", time.as_secs()) };
    println!("{}\n{}, {how}.", table(&ran), tools::versions()?);
    if arguments.record {
        println!("The sums are in {}.", record::add(&ran)?.display());
    }
    for (target, outcome) in &ran {
        for Finding { input, message } in &outcome.findings {
            let bytes = fs::read(input).with_context(|| format!("cannot read {}", input.display()))?;
            println!("{target} fails for {}\n{message}\nThe input is {}.", input.display(), hex::encode(bytes));
        }
    }
    Ok(all_ran && ran.iter().all(|(_, outcome)| outcome.findings.is_empty()))
}

fn run_with_progress(target: &Target, addon: Option<&Addon>, time: Duration, bars: &MultiProgress) -> Result<Outcome> {
    let style = ProgressStyle::with_template("{prefix:>34} {elapsed_precise} {bar:30} {msg}")?;
    let bar = bars.add(ProgressBar::new(time.as_secs()).with_style(style).with_prefix(target.label()));
    let said = Mutex::new(Instant::now());
    let tell = |outcome: &Outcome| {
        let Outcome { executions, engine_edges, corpus, findings, .. } = outcome;
        let edges = outcome.codec_edges();
        let of_engine = engine_edges.map(|(reached, _)| format!(" and {reached} of the engine")).unwrap_or_default();
        let findings = findings.len();
        let message =
            format!("{executions} executions, {edges} edges{of_engine}, corpus {corpus}, {findings} findings");
        bar.set_position(bar.elapsed().as_secs());
        // Prints progress for readers of a log.
        if let (false, Ok(mut said)) = (stderr().is_terminal(), said.lock())
            && said.elapsed() > Duration::from_secs(10)
        {
            eprintln!("{}: {message}", target.label());
            *said = Instant::now();
        }
        bar.set_message(message);
    };
    let outcome = if time.is_zero() { replay(target, addon, tell) } else { run::run(target, addon, time, tell) };
    bar.finish();
    outcome
}

fn table(outcomes: &[(String, Outcome)]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(["target", "executions", "executions/s", "edges", "engine's edges", "corpus", "findings"]);
    for (target, outcome) in outcomes {
        let Outcome { executions, seconds, engine_edges, corpus, findings, .. } = outcome;
        let of_engine = engine_edges.map_or_else(|| "-".to_owned(), |(reached, all)| format!("{reached} of {all}"));
        #[expect(clippy::cast_precision_loss, reason = "shown without decimals")]
        let rate = format!("{:.0}", *executions as f64 / seconds);
        let numbers = [executions.to_string(), rate, outcome.codec_edges().to_string(), of_engine, corpus.to_string()];
        let cells = [target.clone()].into_iter().chain(numbers).chain([findings.len().to_string()]);
        table.add_row(cells);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
