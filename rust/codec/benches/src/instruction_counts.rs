//! `cargo instruction-counts`: compares the instructions of the fixed cases with the record.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets::UTF8_FULL_CONDENSED};
use varbytes_benches::instructions::{ALLOWED_GROWTH, CASES, Record, count, find_valgrind, versions};

/// Counts the instructions of ten fixed cases with callgrind and compares them with the record.
///
/// Fails if a count grew by more than 5 %. Counts do not depend on other load of the machine.
#[derive(Parser)]
#[command(name = "cargo instruction-counts", version)]
struct Arguments {
    /// Save these counts as the new record
    #[arg(long)]
    update: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("instruction-counts: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether no count has grown.
fn run(arguments: &Arguments) -> Result<bool> {
    let recorded = if arguments.update { None } else { Some(Record::read()?) };
    let valgrind = find_valgrind()?;
    let program = case_program()?;
    let mut instructions = BTreeMap::new();
    for (number, case) in CASES.iter().enumerate() {
        eprintln!("{:>2}/{} {}", number + 1, CASES.len(), case.name);
        instructions.insert(case.name.to_owned(), count(&valgrind, &program, case)?);
    }
    let (valgrind, rustc, target) = versions(&valgrind)?;
    let counted = Record { valgrind, rustc, target, instructions };
    let before = recorded.as_ref().map(|record| &record.instructions);
    println!("{}", table(&counted.instructions, before));
    let Some(recorded) = recorded else {
        counted.write()?;
        println!("Recorded, with {} and {}.", counted.valgrind, counted.rustc);
        return Ok(true);
    };
    let grown: Vec<&str> = CASES
        .iter()
        .map(|case| case.name)
        .filter(|name| growth(&counted.instructions, &recorded.instructions, name).is_none_or(|it| it > ALLOWED_GROWTH))
        .collect();
    if (&counted.valgrind, &counted.rustc, &counted.target) != (&recorded.valgrind, &recorded.rustc, &recorded.target) {
        println!(
            "Recorded with {}, {} on {}; counted with {}, {} on {}: this may explain part of the difference.",
            recorded.valgrind, recorded.rustc, recorded.target, counted.valgrind, counted.rustc, counted.target
        );
    }
    if grown.is_empty() {
        println!("Every case is within {:.0} % of its recorded instructions.", 100.0 * ALLOWED_GROWTH);
        return Ok(true);
    }
    println!("Slower than recorded: {}.", grown.join("; "));
    println!("If this is intended, run `cargo instruction-counts --update` and explain it in the commit message.");
    Ok(false)
}

/// Builds the program `instruction-case` beside this one.
fn case_program() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "build",
            "--profile=instruction-counts",
            "--quiet",
            "--package=varbytes-benches",
            "--no-default-features",
        ])
        .arg("--bin=instruction-case")
        .status()
        .context("cannot run cargo")?;
    if !status.success() {
        bail!("cannot build instruction-case");
    }
    Ok(std::env::current_exe()?.with_file_name("instruction-case"))
}

/// The relative growth of a case, or `None` if it is not in the record.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn growth(counted: &BTreeMap<String, u64>, recorded: &BTreeMap<String, u64>, name: &str) -> Option<f64> {
    Some(*counted.get(name)? as f64 / *recorded.get(name)? as f64 - 1.0)
}

fn table(counted: &BTreeMap<String, u64>, recorded: Option<&BTreeMap<String, u64>>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(["case", "instructions", "recorded", "change"]);
    for case in &CASES {
        let number = |counts: &BTreeMap<String, u64>| counts.get(case.name).map_or_else(String::new, u64::to_string);
        let before = recorded.map_or_else(String::new, number);
        let change = recorded.and_then(|recorded| growth(counted, recorded, case.name));
        let change = change.map_or_else(String::new, |change| format!("{:+.2} %", 100.0 * change));
        table.add_row([case.name.to_owned(), number(counted), before, change]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
