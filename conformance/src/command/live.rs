//! Compares the codec with running engines and prints a table.

use std::fs;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::{ProgressBar, ProgressStyle};
use varbytes_conformance::check::Setting;
use varbytes_conformance::damage::damaged;
use varbytes_conformance::derived::DerivedSet;
use varbytes_conformance::divergences::Divergences;
use varbytes_conformance::engine::{Engine, Progress, fetch, locate};
use varbytes_conformance::reference::{Reference, Running};
use varbytes_conformance::report::{Column, Report, Run};
use varbytes_conformance::suite::peers::{PEERS, matrix_page, matrix_picture};
use varbytes_conformance::vectors::{CAPTURED, CAPTURED_REWRITTEN, Manifest, VectorSet, load_manifest};
use varbytes_conformance::{differential, generate};

use crate::builds::{self, EXTRA};
use crate::check::Reporting;

/// Options of the comparison with running engines.
#[derive(Args)]
pub struct Arguments {
    /// Engine to run; can be repeated. The default is the first three, and `all` is all of them
    #[arg(long = "engine", value_name = "NAME", value_parser = PossibleValuesParser::new(names()))]
    engines: Vec<String>,
    /// Fail if an engine is not available
    #[arg(long)]
    require_engine: bool,
    /// Replace the committed vectors with what the engines write now
    #[arg(long)]
    update: bool,
    /// Number of damaged packets to compare for each engine
    #[arg(long, default_value_t = 20_000, value_name = "COUNT")]
    packets: usize,
    /// Seed of the damage; the default is taken from the clock
    #[arg(long)]
    seed: Option<u64>,
    /// Instead, install other codecs from their registries, check them, and write the matrix of the results
    #[arg(long)]
    peers: bool,
    #[command(flatten)]
    builds: builds::BuildArguments,
    #[command(flatten)]
    reporting: Reporting,
}

/// Returns the names of all engines.
fn names() -> Vec<&'static str> {
    let references = Reference::ALL.map(|reference| reference.name);
    references.into_iter().chain(EXTRA.map(|extra| extra.name)).chain([ALL]).collect()
}

/// The name that stands for all engines.
const ALL: &str = "all";

impl Arguments {
    fn references(&self) -> impl Iterator<Item = Reference> {
        Reference::ALL.into_iter().filter(|reference| self.engines.is_empty() || self.names(reference.name))
    }

    fn names(&self, engine: &str) -> bool {
        self.engines.iter().any(|name| name == engine || name == ALL)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(seed_from_clock)
    }
}

/// Runs the comparison. Returns whether everything agrees.
pub fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.peers {
        return check_peers();
    }
    if let Some(path) = &arguments.builds.godot {
        return builds::run(&arguments.builds, path, arguments.seed(), arguments.packets, &arguments.reporting);
    }
    let page = arguments.reporting.page()?;
    let started = Instant::now();
    let mut report = Report::default();
    let mut agree = true;
    for reference in arguments.references() {
        agree &= check_reference(reference, arguments, &mut report)?;
    }
    for extra in EXTRA.into_iter().filter(|extra| arguments.names(extra.name)) {
        let is_named = arguments.engines.iter().any(|name| name == extra.name);
        if let Some(how) = extra.missing()?.filter(|_| !is_named && !arguments.require_engine) {
            println!("{} was not run: {how}.", extra.name);
            report.add_missing(extra.name, how);
            continue;
        }
        match extra.run(arguments.seed(), arguments.packets) {
            Ok(compared) => {
                agree &= compared.findings.is_empty();
                report.add_build(extra.name, compared);
            }
            // The others are still compared and shown.
            Err(error) => {
                agree = false;
                println!("{} could not be compared: {error:#}.", extra.name);
                report.add_missing(extra.name, format!("{error:#}"));
            }
        }
    }
    for captured in &CAPTURED {
        agree &= none_stale(captured.file, &report.check_captured(captured)?);
    }
    CAPTURED_REWRITTEN.iter().try_for_each(|captured| report.check_rewritten(captured))?;
    for set in DerivedSet::load_all()? {
        report.check_derived(&set)?;
    }
    let colors = stdout().is_terminal();
    println!("{}\n{}", report.engines_table(colors), report.files_table(colors));
    for difference in report.differences() {
        println!("  {difference}");
    }
    agree &= report.is_green();
    let verdict = if agree { "All agree" } else { "NOT all agree" };
    let verdict = format!("{verdict}. {:.1} s.", started.elapsed().as_secs_f64());
    if let Some(path) = page {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let format = fs::read_to_string(repository.join("rust/codec/FORMAT.md")).context("cannot read FORMAT.md")?;
        let page = report.page(&format, &format!("{}. {verdict}", today()))?;
        fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("{verdict}");
    Ok(agree)
}

/// Checks the vectors that an engine writes now, or the committed ones.
fn check_reference(reference: Reference, arguments: &Arguments, report: &mut Report) -> Result<bool> {
    let known = Divergences::load(reference.name)?;
    let Some(engine) = engine(reference, arguments.require_engine || arguments.update)? else {
        let folder = reference.folder();
        let manifest = load_manifest(&folder)?;
        println!("Instead, the committed vectors are checked, written by Godot {}.", manifest.version);
        let setting = Setting::of_manifest(&manifest)?;
        let run = Run {
            name: reference.name,
            version: manifest.version,
            origin: "not run: the committed vectors".to_owned(),
        };
        let column = Column::check(run, &VectorSet::load(&folder)?, &setting, &known)?;
        let agree = none_stale(reference.name, &column.stale(&known));
        report.add(column);
        return Ok(agree);
    };
    check_live(&Running::new(reference, engine)?, arguments, &known, report)
}

/// Finds an engine on this machine or fetches one; `None` if neither is possible.
fn engine(reference: Reference, required: bool) -> Result<Option<Engine>> {
    if let Some(engine) = locate(reference.package)? {
        return Ok(Some(engine));
    }
    match fetch(reference.package, &mut Progress::stderr()) {
        Ok(engine) => Ok(Some(engine)),
        Err(error) if required => {
            Err(error).with_context(|| format!("{} is required but not available", reference.package))
        }
        Err(error) => {
            println!("{} is not available: {:#}.", reference.package, anyhow::Error::from(error));
            Ok(None)
        }
    }
}

fn check_live(running: &Running, arguments: &Arguments, known: &Divergences, report: &mut Report) -> Result<bool> {
    let Running { reference, engine, .. } = running;
    let (profile, covered) = reference.profile(&engine.version);
    println!("Godot {} ({}), read and written as {profile}.", engine.version, engine.origin);
    if !covered {
        println!("  NOTICE: this engine is newer than the newest known profile, which is used.");
    }
    let fresh = tempfile::tempdir().context("cannot create a temporary folder")?;
    let bar = spinner("the engine writes vectors");
    let manifest = generate::vectors(running, fresh.path(), &mut |line| bar.set_message(line.to_owned()))?;
    bar.set_message("checking the vectors");
    let set = VectorSet::load(fresh.path())?;
    let setting = Setting::of(&engine.version, profile, manifest.precision());
    let run = Run { name: reference.name, version: manifest.version.clone(), origin: engine.origin.to_string() };
    let mut column = Column::check(run, &set, &setting, known)?;
    bar.set_message("the engine reads damaged packets");
    let seed = arguments.seed();
    let packets = damaged(&set.packets(), profile, seed, arguments.packets);
    let comparison = differential::compare(running, &setting, &packets)?;
    column.add_comparison(&comparison);
    bar.set_message("the engine shows its bugs");
    let not_shown = known.bugs_not_shown(running)?;
    bar.finish_and_clear();
    println!("  {} vectors written by the engine.", set.len());
    println!(
        "  {} damaged packets from seed {seed}: both read {}; {} name classes or scripts that only an engine knows, \
         {} show a known divergence.",
        comparison.packets, comparison.accepted, comparison.known_to_engine, comparison.known_divergences
    );
    for (packet, difference) in comparison.disagreements.iter().take(20) {
        println!("    {packet}: {difference}");
    }
    if !known.bugs().is_empty() {
        println!("  {} of {} listed engine bugs shown.", known.bugs().len() - not_shown.len(), known.bugs().len());
    }
    for bug in &not_shown {
        println!("    {bug}");
    }
    let stale = column.stale(known);
    report.add(column);
    let as_committed = compare_with_committed(&manifest, *reference, fresh.path(), arguments.update, &stale)?;
    Ok(as_committed && not_shown.is_empty())
}

/// Returns whether the fresh vectors equal the committed ones of the same version, and the known divergences still
/// differ.
fn compare_with_committed(
    manifest: &Manifest,
    reference: Reference,
    fresh: &Path,
    update: bool,
    stale: &[String],
) -> Result<bool> {
    let committed = reference.folder();
    if update {
        generate::replace(&committed, fresh)?;
        println!("  The committed vectors are replaced.");
        return Ok(none_stale(reference.name, stale));
    }
    let known = load_manifest(&committed)?;
    if (&known.version, &known.precision) != (&manifest.version, &manifest.precision) {
        println!("  The committed vectors are from Godot {}, so they are not compared.", known.version);
        return Ok(true);
    }
    let differences = generate::differences(&committed, fresh)?;
    if differences.is_empty() {
        println!("  They equal the committed ones.");
        return Ok(none_stale(reference.name, stale));
    }
    println!("  They differ from the committed ones in {} places:", differences.len());
    differences.iter().take(20).for_each(|difference| println!("    {difference}"));
    println!("  If this is intended, run `{}` to replace them.", manifest.command);
    Ok(false)
}

/// Returns whether every known divergence still differs, and prints those that do not.
fn none_stale(set: &str, stale: &[String]) -> bool {
    for name in stale {
        println!("{name} of {set} is listed as a known divergence but no longer differs.");
    }
    stale.is_empty()
}

fn spinner(message: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(message.to_owned());
    bar.set_style(ProgressStyle::default_spinner());
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs() % 1_000_000_000
}

/// Checks all published codecs that can be installed, and writes their matrix. Returns whether all could be.
fn check_peers() -> Result<bool> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().context("the repository")?;
    let mut reports = Vec::new();
    let mut all = true;
    for peer in PEERS {
        let bar = spinner(&format!("{} {}", peer.name, peer.version));
        let report = peer.check(&repository, &mut |answered, questions| {
            bar.set_message(format!("{} {}: {answered} of {questions} answers", peer.name, peer.version));
        });
        bar.finish_and_clear();
        match report {
            Ok(report) => {
                println!("{} {}, as {}: {}.", peer.name, peer.version, peer.engine, report.summary());
                reports.push((peer, report));
            }
            Err(error) => {
                all = false;
                println!("{} {} was not checked: {error:#}.", peer.name, peer.version);
            }
        }
    }
    let date = today();
    let folder = repository.join("conformance");
    fs::write(folder.join("peers.html"), matrix_page(&reports, &date)).context("cannot write peers.html")?;
    fs::write(folder.join("peers.svg"), matrix_picture(&reports, &date)).context("cannot write peers.svg")?;
    println!("The matrix is in conformance/peers.html and conformance/peers.svg.");
    Ok(all)
}

/// Returns the date of today, such as `2026-01-31`.
fn today() -> String {
    chrono::Utc::now().format("%Y-%m-%d").to_string()
}
