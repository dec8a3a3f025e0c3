//! `cargo conformance`: from a running engine to a table.

use std::fs;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use varbytes::{Precision, Profile};
use varbytes_conformance::check::Setting;
use varbytes_conformance::damage::damaged;
use varbytes_conformance::divergences::Divergences;
use varbytes_conformance::engine::{Engine, EnginePackage, Progress, fetch, locate};
use varbytes_conformance::report::Report;
use varbytes_conformance::vectors::{CAPTURED, GODOT_4, Manifest, VectorSet, load_lines, load_manifest};
use varbytes_conformance::{differential, generate, stage_generator, vectors_folder};

/// Has a running Godot write reference bytes and holds the codec to every one of them.
///
/// The engine is the one `GDRUST_GODOT_BIN` names, else godot4 or godot on PATH, else Debian's package, which
/// is fetched into a cache folder without touching the system. Where no engine can be had, the committed
/// vectors are checked.
#[derive(Parser)]
#[command(name = "cargo conformance", version)]
struct Arguments {
    /// Fail where no engine can be had.
    #[arg(long)]
    require_engine: bool,
    /// Replace the committed vectors by what the engine has just written.
    #[arg(long)]
    update: bool,
    /// How many damaged packets to ask the engine and the codec about.
    #[arg(long, default_value_t = 20_000, value_name = "COUNT")]
    packets: usize,
    /// The seed of the damage; from the clock where none is given.
    #[arg(long)]
    seed: Option<u64>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("conformance: there are differences");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("conformance: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let started = Instant::now();
    let mut report = Report::default();
    let divergences = Divergences::load()?;
    let committed = vectors_folder().join(GODOT_4);
    let mut agree = true;
    match engine(arguments.require_engine)? {
        None => {
            let manifest = load_manifest(&committed)?;
            println!("No engine: checking the committed vectors, which Godot {} wrote.", manifest.version);
            let profile = Profile::from_name(&manifest.profile)?;
            let setting = Setting { profile, ..Setting::NEWEST };
            report.check(&VectorSet::load(&committed)?, &setting, &divergences)?;
        }
        Some(engine) => agree = check_live(&engine, arguments, &committed, &divergences, &mut report)?,
    }
    for (file, profile, precision) in CAPTURED {
        let setting = Setting { profile, precision, mask_padding: true };
        report.check_captured(file, &load_lines(&vectors_folder().join(file))?, &setting)?;
    }
    println!("{}", report.table(stdout().is_terminal()));
    for stale in stale_divergences(&committed, &divergences)? {
        println!("{stale} is listed as a known divergence and does not differ any more.");
        agree = false;
    }
    let verdict = if agree && report.is_green() { "All agree" } else { "NOT all agree" };
    println!("{verdict}. {:.1} s.", started.elapsed().as_secs_f64());
    Ok(agree && report.is_green())
}

/// An engine on this machine, or one fetched for the purpose; `None` where none can be had.
fn engine(required: bool) -> Result<Option<Engine>> {
    if let Some(engine) = locate(EnginePackage::GODOT_4)? {
        return Ok(Some(engine));
    }
    match fetch(EnginePackage::GODOT_4, &mut Progress::stderr()) {
        Ok(engine) => Ok(Some(engine)),
        Err(error) if required => Err(error).context("no engine can be had, and --require-engine asks for one"),
        Err(error) => {
            println!("No engine can be had: {:#}.", anyhow::Error::from(error));
            Ok(None)
        }
    }
}

fn check_live(
    engine: &Engine,
    arguments: &Arguments,
    committed: &Path,
    divergences: &Divergences,
    report: &mut Report,
) -> Result<bool> {
    let (profile, covered) = generate::profile_of(engine);
    println!("Godot {} ({}), read and written as {profile}.", engine.version, engine.origin);
    if !covered {
        println!("NOTICE: this engine is newer than any known here; the newest profile has to do.");
    }
    let project = stage_generator()?;
    let fresh = tempfile::tempdir().context("cannot make a temporary folder")?;
    let bar = spinner("the engine writes vectors");
    let manifest =
        generate::vectors(engine, project.path(), fresh.path(), &mut |line| bar.set_message(line.to_owned()))?;
    bar.set_message("checking the vectors");
    let set = VectorSet::load(fresh.path())?;
    let precision = if manifest.precision == "double" { Precision::Double } else { Precision::Single };
    let setting = Setting::of(engine, precision);
    report.check(&set, &setting, divergences)?;
    bar.set_message("the engine reads damaged packets");
    let seed = arguments.seed.unwrap_or_else(seed_from_clock);
    let packets = damaged(&set.packets(), seed, arguments.packets);
    let comparison = differential::compare(engine, project.path(), &setting, &packets)?;
    report.add_comparison(&comparison);
    bar.finish_and_clear();
    println!("{} vectors written by the engine.", set.len());
    println!(
        "{} damaged packets from seed {seed}: both read {}; {} name classes or scripts that only an engine knows, \
         {} show a known divergence.",
        comparison.packets, comparison.accepted, comparison.known_to_engine, comparison.known_divergences
    );
    for (packet, difference) in comparison.disagreements.iter().take(20) {
        println!("  {packet}: {difference}");
    }
    compare_with_committed(&manifest, committed, fresh.path(), arguments.update)
}

/// Whether what the engine wrote is what is committed, where both are of one version.
fn compare_with_committed(manifest: &Manifest, committed: &Path, fresh: &Path, update: bool) -> Result<bool> {
    if update {
        replace(committed, fresh)?;
        println!("The committed vectors are replaced.");
        return Ok(true);
    }
    let known = load_manifest(committed)?;
    if (&known.version, &known.precision) != (&manifest.version, &manifest.precision) {
        println!("The committed vectors are those of Godot {}, so the two are not compared.", known.version);
        return Ok(true);
    }
    let differences = generate::differences(committed, fresh)?;
    if differences.is_empty() {
        println!("They equal the committed ones.");
        return Ok(true);
    }
    println!("They differ from the committed ones in {} places:", differences.len());
    differences.iter().take(20).for_each(|difference| println!("  {difference}"));
    println!("If that is meant, `cargo conformance --update` replaces the committed ones.");
    Ok(false)
}

/// Puts a folder of vectors in the place of another, which is moved out of the way first and back on failure.
fn replace(committed: &Path, fresh: &Path) -> Result<()> {
    let manifest = load_manifest(fresh)?;
    let new = committed.with_extension("new");
    let old = committed.with_extension("old");
    let _ = fs::remove_dir_all(&new);
    let _ = fs::remove_dir_all(&old);
    fs::create_dir_all(new.join("canonical"))?;
    for name in manifest.files.keys().map(String::as_str).chain(["manifest.json"]) {
        fs::copy(fresh.join(name), new.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    if committed.exists() {
        fs::rename(committed, &old).context("cannot move the committed vectors away")?;
    }
    if let Err(error) = fs::rename(&new, committed) {
        fs::rename(&old, committed).context("cannot move the committed vectors back")?;
        bail!("cannot replace the committed vectors: {error}");
    }
    let _ = fs::remove_dir_all(&old);
    Ok(())
}

/// The vectors on the list of known divergences that do not differ.
fn stale_divergences(committed: &Path, divergences: &Divergences) -> Result<Vec<String>> {
    let set = VectorSet::load(committed)?;
    let setting = Setting::NEWEST;
    let mut differing = Vec::new();
    for vector in &set.degenerate {
        if setting.decodes_degenerate(vector)?.is_some() || setting.rewrites(vector).is_some() {
            differing.push(vector.name.as_str());
        }
    }
    let rejected = set.rejected.iter().filter(|vector| setting.rejects(vector).is_some());
    differing.extend(rejected.map(|vector| vector.name.as_str()));
    Ok(divergences.vectors().filter(|name| !differing.contains(name)).map(str::to_owned).collect())
}

fn spinner(message: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(message);
    bar.set_style(ProgressStyle::default_spinner());
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs() % 1_000_000_000
}
