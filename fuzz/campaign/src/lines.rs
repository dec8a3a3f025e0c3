//! The lines of the engine's `marshalls.cpp` that no input reaches.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use varbytes_fuzz_engine_core::{Core, Flavour, Options, build, llvm_tool};

use crate::files;
use crate::run::committed;
use crate::targets::{Runs, TARGETS, Target};
use crate::tools::cargo_fuzz;

/// The file of the engine that reads and writes packets.
const FILE: &str = "core/io/marshalls.cpp";

/// A line that no input reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
}

/// Runs every input of the targets `core_…`, committed and working, with a core that counts lines. Returns the lines that
/// are never reached, and the number of lines with code.
///
/// # Errors
/// If the core cannot be built, a target cannot be run, or LLVM's tools fail.
pub fn unreached(core: &Core) -> Result<(Vec<Line>, usize)> {
    let library = build(core, Flavour::Lines, Options::default())?;
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    for target in TARGETS.into_iter().filter(|target| target.runs == Runs::WithCore) {
        run(&Target { core: Some((*core, Flavour::Lines)), ..target }, folder.path())?;
    }
    let profiles = files(folder.path())?;
    ensure!(!profiles.is_empty(), "no target has written counters of lines");
    let merged = folder.path().join("merged.profdata");
    let mut merge = Command::new(llvm_tool("llvm-profdata")?);
    let status = merge.args(["merge", "-sparse"]).args(&profiles).arg("-o").arg(&merged).status()?;
    ensure!(status.success(), "llvm-profdata failed ({status})");
    let mut export = Command::new(llvm_tool("llvm-cov")?);
    export.args(["export", "-format=lcov"]).arg(&library).arg(format!("-instr-profile={}", merged.display()));
    let output = export.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "llvm-cov failed ({})", output.status);
    let counts = String::from_utf8_lossy(&output.stdout);
    let (path, counts) = of_file(&counts).with_context(|| format!("llvm-cov does not name {FILE}"))?;
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    let text: Vec<&str> = text.lines().map(str::trim).collect();
    let line = |number: usize| Line { number, text: text.get(number - 1).copied().unwrap_or_default().to_owned() };
    let is_code = |line: &Line| !line.text.starts_with("//") && line.text.chars().any(char::is_alphanumeric);
    let unreached = counts.iter().filter(|(number, count)| *count == 0 && *number > 0);
    Ok((unreached.map(|(number, _)| line(*number)).filter(is_code).collect(), counts.len()))
}

/// Returns the path of [`FILE`] in a report in the format of lcov, and the number and the count of each line with code.
fn of_file(report: &str) -> Option<(&str, Vec<(usize, u64)>)> {
    let mut records = report.split("end_of_record").map(str::trim);
    let record = records.find(|record| record.lines().any(|line| line.starts_with("SF:") && line.ends_with(FILE)))?;
    let path = record.lines().find_map(|line| line.strip_prefix("SF:"))?;
    let counts = record.lines().filter_map(|line| {
        let (number, count) = line.strip_prefix("DA:")?.split_once(',')?;
        Some((number.parse().ok()?, count.parse().ok()?))
    });
    Some((path, counts.collect()))
}

/// Runs the inputs of a target, which writes a profile into `folder`.
fn run(target: &Target, folder: &std::path::Path) -> Result<()> {
    let mut command = cargo_fuzz(&["run", target.name]);
    command.args(target.build_options());
    let folders = [target.working(), committed(target.name)];
    command.args(folders.iter().filter(|folder| folder.is_dir())).args(["--", "-runs=0"]);
    command.envs(target.environment()).env("LLVM_PROFILE_FILE", folder.join(format!("{}.profraw", target.name)));
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    ensure!(status.success(), "{} failed ({status})", target.label());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_file() {
        let report = "SF:/a/core/variant.cpp\nDA:1,5\nend_of_record\nSF:/a/core/io/marshalls.cpp\nDA:7,0\nDA:8,3\nend_of_record\n";
        assert_eq!(of_file(report), Some(("/a/core/io/marshalls.cpp", vec![(7, 0), (8, 3)])));
    }
}
