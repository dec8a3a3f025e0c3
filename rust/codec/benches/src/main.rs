//! `cargo benchmark`: runs every measurement and writes the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use clap::Parser;
use clap::builder::PossibleValuesParser;
use varbytes_benches::documents::DOCUMENTS;
use varbytes_benches::instructions::{Case, UNSEARCHED, count, find_valgrind, versions};
use varbytes_benches::report::{Extras, Results, full_table, write_page};
use varbytes_benches::{DOCUMENTS_VARIABLE, curve, folder, streaming, working_folder};

/// Compares this crate with the peer crate, other formats and memcpy on the same documents, and writes the tables and
/// plots of rust/codec/benches/README.md.
#[derive(Parser)]
#[command(name = "cargo benchmark", version)]
struct Arguments {
    /// Seconds that criterion measures each task
    #[arg(long, default_value_t = 1.0, value_name = "NUMBER")]
    seconds: f64,
    /// Measure only these documents, and print the table instead of writing the page
    #[arg(long, num_args = 1.., value_name = "NAME", value_parser = PossibleValuesParser::new(DOCUMENTS.map(|document| document.name)))]
    documents: Vec<String>,
    /// Bytes of the largest document on the curve; its tree takes about four times as much memory
    #[arg(long, default_value_t = 1 << 30, value_name = "NUMBER")]
    largest: u64,
    /// Reuse allocations and times of the last run, and measure the rest
    #[arg(long, conflicts_with = "documents")]
    keep_times: bool,
    /// A sentence about the machine, for the page
    #[arg(long, default_value = "", value_name = "TEXT")]
    remark: String,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benchmark: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let working = working_folder();
    let criterion = working.join("criterion");
    let step = |number, name: &str| eprintln!("\n== {number}/5 {name}");
    let saved = working.join("allocations.jsonl");
    if !arguments.keep_times {
        // Results of an earlier run must not mix with this one.
        if working.exists() {
            fs::remove_dir_all(&working).context("cannot remove earlier results")?;
        }
        fs::create_dir_all(&criterion)?;
        step(1, "allocations");
        fs::write(&saved, allocations(&arguments.documents)?)?;
        step(2, "times");
        times(arguments, &criterion, "times")?;
        if arguments.documents.is_empty() {
            times(arguments, &criterion, "structs")?;
        }
    }
    let allocations = fs::read_to_string(&saved).context("there is no earlier run to reuse")?;
    let mut results = Results::read(&allocations, &criterion)?;
    if !arguments.documents.is_empty() {
        println!("{}", full_table(&results));
        return Ok(());
    }
    results.read_structs(&criterion)?;
    step(3, "cost over size");
    let curves = curve::measure(arguments.largest, |what| eprintln!("{what}"));
    step(4, "larger than memory");
    let records = streaming::records(&build("varbytes-cli", "varbytes")?)?;
    let members = streaming::members(&build("varbytes-benches", "stream-members")?, streaming::TOGETHER)?;
    step(5, "duplicate keys, in instructions");
    let valgrind = find_valgrind()?;
    let program = build("varbytes-benches", "instruction-case")?;
    let mut key_search = Vec::new();
    for (case, compared) in UNSEARCHED {
        let with = Case::named(compared).context("no such case")?;
        let counts = (count(&valgrind, &program, &with)?, count(&valgrind, &program, &case)?);
        key_search.push((compared.to_owned(), counts.0, counts.1));
    }
    let conditions = conditions(arguments, &valgrind)?;
    write_page(&results, &Extras { conditions, curves, records, members, key_search })?;
    eprintln!("\n{} is written.", folder().join("README.md").display());
    Ok(())
}

fn allocations(documents: &[String]) -> Result<String> {
    let program = build("varbytes-benches", "count-allocations")?;
    let output = with_documents(&mut Command::new(program), documents).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("count-allocations failed");
    }
    String::from_utf8(output.stdout).context("the output of count-allocations is not UTF-8")
}

fn times(arguments: &Arguments, criterion: &Path, bench: &str) -> Result<()> {
    let seconds = arguments.seconds.to_string();
    let warm_up = (arguments.seconds / 4.0).to_string();
    let mut command = cargo();
    command.args(["bench", "--quiet", "--package", "varbytes-benches", "--bench", bench, "--"]);
    command.args(["--noplot", "--sample-size", "10", "--measurement-time", &seconds, "--warm-up-time", &warm_up]);
    command.env("CRITERION_HOME", criterion);
    if !with_documents(&mut command, &arguments.documents).status()?.success() {
        bail!("the times could not be measured");
    }
    Ok(())
}

fn with_documents<'c>(command: &'c mut Command, documents: &[String]) -> &'c mut Command {
    if documents.is_empty() {
        command.env_remove(DOCUMENTS_VARIABLE)
    } else {
        command.env(DOCUMENTS_VARIABLE, documents.join(","))
    }
}

/// Builds a program of the workspace in release mode, beside this one.
fn build(package: &str, name: &str) -> Result<PathBuf> {
    let status = cargo().args(["build", "--release", "--quiet", "--package", package, "--bin", name]).status()?;
    if !status.success() {
        bail!("cannot build {name}");
    }
    Ok(std::env::current_exe()?.with_file_name(name))
}

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder());
    command
}

fn conditions(arguments: &Arguments, valgrind: &Path) -> Result<String> {
    let (valgrind, rustc, target) = versions(valgrind)?;
    let cores = thread::available_parallelism()?;
    let date = Command::new("date").args(["-u", "+%d %B %Y"]).output()?;
    let date = String::from_utf8_lossy(&date.stdout).trim().to_owned();
    let version = env!("CARGO_PKG_VERSION");
    let seconds = arguments.seconds;
    let conditions = format!(
        "{date}, varbytes {version}, {rustc}, {valgrind}, {target}, {cores} cores, {seconds} s per task. {}",
        arguments.remark
    );
    Ok(conditions.trim().to_owned())
}
