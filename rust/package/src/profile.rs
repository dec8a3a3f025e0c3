//! Profiles the calls that are slower than their targets: which part of their time is spent in this library, and which in the
//! engine.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::Engine;

use crate::benchmark::{Miss, page_table};

/// The profiler of Linux.
const PERF: &str = "perf";

/// The time after which a game is in the loop that is profiled, in milliseconds.
const START: u32 = 1500;

/// How long the game repeats the call, from its own start on, in seconds.
const SECONDS: &str = "3";

/// The part of the time that is spent in each program file.
#[derive(Debug, Default, PartialEq)]
struct Shares {
    /// This library.
    library: f64,
    /// The engine.
    engine: f64,
    /// The C library and the kernel, which both call.
    system: f64,
}

/// Checks that the profiler is installed.
///
/// # Errors
/// Returns an error if it is not.
pub fn require_profiler() -> Result<()> {
    which::which(PERF).map(drop).context("a profile needs the command perf; in Debian: apt-get install linux-perf")
}

/// Profiles one call after the other. `run` runs the game that an engine is, with these arguments. Returns a table.
///
/// # Errors
/// Returns an error if a call cannot be profiled.
pub fn table(
    misses: &[Miss],
    engine: &Engine,
    run: &mut dyn FnMut(&Engine, Vec<OsString>) -> Result<()>,
) -> Result<String> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let data = folder.path().join("perf.data");
    let mut recorded = engine.clone();
    let options = ["record", "-q", "-e", "cpu-clock", "-F", "2000", "-D", &START.to_string(), "-o"];
    let command = std::iter::once(PERF).chain(options).map(OsString::from);
    recorded.launcher.splice(..0, command.chain([data.clone().into(), "--".into()]));
    let header = ["case", "", "call", "ratio", "target", "library", "engine", "system", "ratio without the library"];
    let mut table = page_table(header, 3);
    for Miss { case, direction, call: (call, index), ratio, target } in misses {
        let only = format!("{direction}/{index}");
        let arguments = ["--benchmark", "--case", case, "--only", &only, "--seconds", SECONDS];
        run(&recorded, arguments.map(OsString::from).into())?;
        let Shares { library, engine, system } = shares(&data).with_context(|| format!("{case}, {only}"))?;
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        table.add_row([
            case.clone(),
            (*direction).to_owned(),
            (*call).to_owned(),
            format!("{ratio:.2}"),
            target.to_string(),
            percent(library),
            percent(engine),
            percent(system),
            format!("{:.2}", ratio / (1.0 - library)),
        ]);
    }
    Ok(table.to_string())
}

/// Reads a profile.
fn shares(data: &Path) -> Result<Shares> {
    let options = ["report", "-q", "--stdio", "--sort", "dso", "-F", "overhead,dso", "-t", ";", "-i"];
    let output = Command::new(PERF).args(options).arg(data).output().context("cannot start perf")?;
    ensure!(output.status.success(), "perf failed: {}", String::from_utf8_lossy(&output.stderr));
    parse(&String::from_utf8_lossy(&output.stdout))
}

fn parse(report: &str) -> Result<Shares> {
    let mut shares = Shares::default();
    for line in report.lines() {
        let Some((percent, file)) = line.trim().split_once('%') else { continue };
        let share = percent.trim().parse::<f64>().with_context(|| format!("perf printed {line}"))? / 100.0;
        let place = match file.trim_start_matches(';') {
            file if file.contains("libvarbytes") => &mut shares.library,
            file if file.contains("godot") => &mut shares.engine,
            _ => &mut shares.system,
        };
        *place += share;
    }
    let Shares { library, engine, system } = shares;
    ensure!(library > 0.0 && (0.97..1.03).contains(&(library + engine + system)), "perf has no samples:\n{report}");
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_added_by_program_file() {
        let report = "    50.00%;libvarbytes.linux.release.x86_64.so\n    30.00%;godot-template-release\n\
                      \x20   15.00%;libc.so.6\n     5.00%;[kernel.kallsyms]\n";
        let shares = parse(report).unwrap();
        assert!((shares.library - 0.5).abs() < 1e-9 && (shares.system - 0.2).abs() < 1e-9, "{shares:?}");
    }

    #[test]
    fn a_profile_without_the_library_is_an_error() {
        assert!(parse("   100.00%;godot-template-release\n").is_err());
        assert!(parse("").is_err());
    }
}
