//! Installs cargo-fuzz and its nightly toolchain if they are missing.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Progress, fetch, locate};
use varbytes_conformance::reference::Reference;
use varbytes_fuzz_engine::input::ENGINES;

use crate::fuzz_folder;
use crate::targets::{Runs, Target};

/// Returns the command `cargo fuzz` with these arguments and the nightly toolchain.
///
/// Uses `rustup run`, because inside a command started by cargo, `cargo` may be a toolchain's own binary without
/// `+nightly`.
#[must_use]
pub fn cargo_fuzz(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz"]).args(arguments).current_dir(fuzz_folder());
    command
}

/// Installs missing tools, and builds the cargo-fuzz targets that will run.
///
/// # Errors
/// If a tool cannot be installed or a target cannot be built.
pub fn prepare(targets: &[Target]) -> Result<()> {
    if !succeeds(Command::new("rustup").args(["run", "nightly", "rustc", "--version"])) {
        // Does not update rustup itself, which fails if a distribution installed it.
        let mut install = Command::new("rustup");
        run(install.args(["toolchain", "install", "nightly", "--profile", "minimal", "--no-self-update"]))?;
    }
    if !succeeds(&mut cargo_fuzz(&["--version"])) {
        // There may be no other toolchain. cargo-fuzz does little work itself, so it is not optimized.
        let mut install = Command::new("rustup");
        run(install.args(["run", "nightly", "cargo", "install", "cargo-fuzz", "--locked", "--debug"]))?;
    }
    // All targets with the same options are built at once.
    let mut builds: Vec<&[&str]> = Vec::new();
    for target in targets.iter().filter(|target| target.runs != Runs::InsideEngine) {
        if !builds.contains(&target.build_options()) {
            builds.push(target.build_options());
            run(cargo_fuzz(&["build"]).args(target.build_options()))?;
        }
    }
    Ok(())
}

/// Fetches the engines of the targets if they are missing.
///
/// # Errors
/// If an engine is not available.
pub fn fetch_engines() -> Result<()> {
    for Reference { package, .. } in ENGINES {
        if locate(package)?.is_none() {
            fetch(package, &mut Progress::stderr())?;
        }
    }
    Ok(())
}

/// Returns the versions of the toolchain and of cargo-fuzz.
///
/// # Errors
/// If a version cannot be determined.
pub fn versions() -> Result<String> {
    let asked = |command: &mut Command| {
        let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
        Ok::<_, anyhow::Error>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let compiler = asked(Command::new("rustup").args(["run", "nightly", "rustc", "--version"]))?;
    Ok(format!("{compiler}, {}", asked(&mut cargo_fuzz(&["--version"]))?))
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?} failed: {status}");
    Ok(())
}
