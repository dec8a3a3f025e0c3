//! cargo-fuzz and the nightly toolchain that it needs, installed where they are missing.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use varbytes_conformance::engine::{Progress, fetch, locate};
use varbytes_conformance::reference::Reference;
use varbytes_fuzz_engine::input::ENGINES;

use crate::fuzz_folder;

/// How targets are built. Without telling libFuzzer what is compared with what, they are a quarter faster and find as
/// much: what is worth comparing with is in the dictionary.
pub const BUILD: [&str; 1] = ["--no-trace-compares"];

/// `cargo fuzz` with these arguments, in the nightly toolchain.
///
/// By `rustup run`: within a command that cargo started, `cargo` may be one toolchain's own, which knows no `+nightly`.
#[must_use]
pub fn cargo_fuzz(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "fuzz"]).args(arguments).current_dir(fuzz_folder());
    command
}

/// Installs what is missing, and builds the targets that cargo-fuzz runs where some are to be run.
///
/// # Errors
/// When something cannot be installed or built.
pub fn prepare(with_targets: bool) -> Result<()> {
    if !succeeds(Command::new("rustup").args(["run", "nightly", "rustc", "--version"])) {
        // Updating rustup itself is no matter of ours, and fails where a distribution installed it.
        let mut install = Command::new("rustup");
        run(install.args(["toolchain", "install", "nightly", "--profile", "minimal", "--no-self-update"]))?;
    }
    if !succeeds(&mut cargo_fuzz(&["--version"])) {
        // There may be no other toolchain than this one. It does little itself, so it need not be optimized.
        let mut install = Command::new("rustup");
        run(install.args(["run", "nightly", "cargo", "install", "cargo-fuzz", "--locked", "--debug"]))?;
    }
    if with_targets { run(cargo_fuzz(&["build"]).args(BUILD)) } else { Ok(()) }
}

/// Fetches the engines that targets ask, where they are missing.
///
/// # Errors
/// When one cannot be had.
pub fn fetch_engines() -> Result<()> {
    for Reference { package, .. } in ENGINES {
        if locate(package)?.is_none() {
            fetch(package, &mut Progress::stderr())?;
        }
    }
    Ok(())
}

/// The versions of the toolchain and of cargo-fuzz.
///
/// # Errors
/// When one cannot be asked.
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
