//! Runs the addon's benchmark, compares the ratios with their targets, and draws them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use serde::{Deserialize, Serialize};
use varbytes_conformance::engine::RunOutput;

use crate::suites::ends_with;

/// What was measured for one value: medians in microseconds per call.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// The name of the case.
    pub name: String,
    /// Its group, which decides its targets.
    pub group: String,
    /// The number of bytes of the packet.
    pub bytes: u64,
    /// Whether both write the same bytes.
    pub same: bool,
    encode: Times,
    decode: Times,
}

/// The built-in, its replacement, the call with safe defaults, the same with options and a policy, and the call that creates a
/// result.
type Times = [f64; 5];

/// A measured way to call this library, with the least ratio of the built-in's time to its own.
struct Column {
    name: &'static str,
    index: usize,
    target: fn(group: &str, decodes: bool) -> Option<f64>,
}

const COLUMNS: [Column; 4] = [
    Column { name: "function", index: 1, target: |group, decodes| Some(target(group, decodes)) },
    Column { name: "try", index: 2, target: |group, _| (group != "whole objects").then_some(0.8) },
    Column { name: "try with options", index: 3, target: |_, _| Some(0.7) },
    Column { name: "new result", index: 4, target: |_, _| None },
];

/// Returns the target of the functions that replace the built-ins.
fn target(group: &str, decodes: bool) -> f64 {
    match (group, decodes) {
        ("packed arrays", _) => 0.95,
        ("fixed-size types", _) => 1.5,
        ("text", _) => 1.2,
        ("text beyond ASCII", _) => 1.1,
        ("dictionaries", false) => 1.4,
        ("dictionaries", true) => 1.1,
        _ => 1.0,
    }
}

/// The ratios of the cases that are checked at each change, by case and direction.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Record(BTreeMap<String, [f64; 2]>);

/// The most that a ratio may fall below the record.
const GREATEST_FALL: f64 = 1.0 / 3.0;

/// Reads the output of the benchmark.
///
/// # Errors
/// Returns an error if it did not finish, or if the bytes of a case differ from the built-in's.
pub fn cases(output: &RunOutput) -> Result<Vec<Case>> {
    ends_with(output, "VARBYTES BENCHMARK DONE")?;
    let lines = output.stdout.lines().filter_map(|line| line.strip_prefix("CASE "));
    let cases: Vec<Case> = lines
        .map(|line| serde_json::from_str(line).with_context(|| format!("the benchmark printed {line}")))
        .collect::<Result<_>>()?;
    ensure!(!cases.is_empty(), "the benchmark has no cases");
    for case in &cases {
        ensure!(case.same, "{}: the bytes differ from those of the built-in", case.name);
    }
    Ok(cases)
}

impl Case {
    fn ratio(&self, decodes: bool, index: usize) -> f64 {
        let times = if decodes { &self.decode } else { &self.encode };
        times[0] / times[index]
    }
}

/// Returns the table of ratios: a number of 1 or more is as fast as the built-in or faster. `<` marks a ratio below its target.
#[must_use]
pub fn table(cases: &[Case]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let mut header = vec!["case".to_owned(), "bytes".to_owned()];
    for direction in ["encode", "decode"] {
        header.push(format!("{direction}: built-in"));
        header.extend(COLUMNS.iter().map(|column| column.name.to_owned()));
    }
    table.set_header(header);
    for case in cases {
        let mut row = vec![case.name.clone(), case.bytes.to_string()];
        for decodes in [false, true] {
            let built_in = if decodes { case.decode[0] } else { case.encode[0] };
            row.push(format!("{built_in:.2} µs"));
            row.extend(COLUMNS.iter().map(|column| {
                let ratio = case.ratio(decodes, column.index);
                let misses = (column.target)(&case.group, decodes).is_some_and(|target| ratio < target);
                format!("{ratio:.2}{}", if misses { " <" } else { "" })
            }));
        }
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

/// Returns the ratios that are below their targets, one line each.
#[must_use]
pub fn misses(cases: &[Case]) -> String {
    let mut text = String::new();
    for case in cases {
        for (decodes, direction) in [(false, "encode"), (true, "decode")] {
            for column in &COLUMNS {
                let ratio = case.ratio(decodes, column.index);
                if let Some(target) = (column.target)(&case.group, decodes).filter(|target| ratio < *target) {
                    let _ = writeln!(text, "{}, {direction}, {}: {ratio:.2} of {target}", case.name, column.name);
                }
            }
        }
    }
    text
}

impl Record {
    /// Creates a record of the cases.
    #[must_use]
    pub fn of(cases: &[Case]) -> Self {
        let rounded = |ratio: f64| (ratio * 100.0).round() / 100.0;
        let ratios = |case: &Case| [false, true].map(|decodes| rounded(case.ratio(decodes, 1)));
        Self(cases.iter().map(|case| (case.name.clone(), ratios(case))).collect())
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is not a record", path.display()))
    }

    /// Returns the ratios that fell by more than a third, one line each.
    #[must_use]
    pub fn fallen(&self, cases: &[Case]) -> Vec<String> {
        let mut fallen = Vec::new();
        for case in cases {
            let Some(recorded) = self.0.get(&case.name) else {
                fallen.push(format!("{} is not in the record", case.name));
                continue;
            };
            for (decodes, direction) in [(false, "encode"), (true, "decode")] {
                let (now, then) = (case.ratio(decodes, 1), recorded[usize::from(decodes)]);
                if now < then * (1.0 - GREATEST_FALL) {
                    fallen.push(format!("{}, {direction}: {now:.2}, recorded {then:.2}", case.name));
                }
            }
        }
        fallen
    }
}
