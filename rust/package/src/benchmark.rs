//! Runs the addon's benchmark, compares the ratios with their targets, and draws them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use plotters::prelude::*;
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

/// What was measured for one kind of file: medians in microseconds per record, of whole passes from opening to closing the file.
#[derive(Debug, Deserialize)]
pub struct FileCase {
    name: String,
    records: u64,
    /// The number of bytes of each value.
    bytes: u64,
    /// Whether both write the same bytes.
    same: bool,
    /// `store_var`, the same with a flush after each record, `VarBytesFile.store`, the same with `buffered`, `try_store` in both
    /// ways, and `store_many`.
    store: [f64; 7],
    /// `get_var`, `VarBytesFile.next`, `next_into` and `next_many`.
    read: [f64; 4],
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
    Column { name: "new result", index: 4, target: |group, _| Some(if group == "whole objects" { 0.7 } else { 0.8 }) },
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

/// The lowest ratios that were measured, by case and direction. The same code has other ratios on another machine.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Record(BTreeMap<String, [f64; 2]>);

/// The most that a ratio may fall below the record.
const GREATEST_FALL: f64 = 1.0 / 3.0;

/// A ratio this many times the recorded one is that of faster code, and not of another machine.
const FASTER_CODE: f64 = 2.0;

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

/// Reads the files of a benchmark that [`cases`] has read.
///
/// # Errors
/// Returns an error if the bytes of a file differ from the built-in's.
pub fn files(output: &RunOutput) -> Result<Vec<FileCase>> {
    let lines = output.stdout.lines().filter_map(|line| line.strip_prefix("FILE "));
    let files: Vec<FileCase> = lines
        .map(|line| serde_json::from_str(line).with_context(|| format!("the benchmark printed {line}")))
        .collect::<Result<_>>()?;
    for file in &files {
        ensure!(file.same, "{}: the bytes differ from those of the built-in", file.name);
    }
    Ok(files)
}

/// Returns the table of files. `<` marks a ratio below its target.
#[must_use]
pub fn files_table(files: &[FileCase]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "case",
        "records",
        "bytes",
        "store_var",
        "with flush",
        "store / flush",
        "try_store / flush",
        "buffered store",
        "buffered try_store",
        "store_many",
        "get_var",
        "next",
        "next_into",
        "next_many",
    ]);
    let ratio = |built_in: f64, ours: f64, target: f64| {
        let ratio = built_in / ours;
        format!("{ratio:.2}{}", if ratio < target { " <" } else { "" })
    };
    for FileCase { name, records, bytes, store, read: [get_var, next, next_into, next_many], .. } in files {
        let [plain, flushed, store, store_buffered, try_store, try_store_buffered, store_many] = store;
        table.add_row([
            name.clone(),
            records.to_string(),
            bytes.to_string(),
            format!("{plain:.2} µs"),
            format!("{flushed:.2} µs"),
            ratio(*flushed, *store, 1.0),
            ratio(*flushed, *try_store, 1.0),
            ratio(*plain, *store_buffered, 1.5),
            ratio(*plain, *try_store_buffered, 1.5),
            ratio(*plain, *store_many, 1.5),
            format!("{get_var:.2} µs"),
            ratio(*get_var, *next, 1.0),
            ratio(*get_var, *next_into, 1.0),
            ratio(*get_var, *next_many, 1.0),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
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
    /// Returns the record after a further run.
    #[must_use]
    pub fn after(&self, cases: &[Case]) -> Self {
        let ratios = cases.iter().map(|case| {
            let recorded = self.0.get(&case.name);
            let ratio = |decodes| {
                let now = (case.ratio(decodes, 1) * 100.0).round() / 100.0;
                let then = recorded.map(|recorded| recorded[usize::from(decodes)]);
                then.filter(|then| now < then * FASTER_CODE).map_or(now, |then| then.min(now))
            };
            (case.name.clone(), [false, true].map(ratio))
        });
        Self(ratios.collect())
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is not a record", path.display()))
    }

    /// Returns the ratios that fell by more than a third in every one of several runs, one line each.
    #[must_use]
    pub fn fallen(&self, runs: &[Vec<Case>]) -> Vec<String> {
        let mut fallen = Vec::new();
        for case in runs.first().into_iter().flatten() {
            let Some(recorded) = self.0.get(&case.name) else {
                fallen.push(format!("{} is not in the record", case.name));
                continue;
            };
            for (decodes, direction) in [(false, "encode"), (true, "decode")] {
                let measured = runs.iter().flatten().filter(|other| other.name == case.name);
                let now = measured.map(|case| case.ratio(decodes, 1)).fold(0.0, f64::max);
                let then = recorded[usize::from(decodes)];
                if now < then * (1.0 - GREATEST_FALL) {
                    fallen.push(format!("{}, {direction}: {now:.2}, recorded {then:.2}", case.name));
                }
            }
        }
        fallen
    }
}

/// Draws the ratios of all cases: bars that begin at the built-in's 1.0.
///
/// # Errors
/// Returns an error if the picture cannot be written.
pub fn draw(cases: &[Case], path: &Path) -> Result<()> {
    const ROW: usize = 22;
    const FONT: (&str, i32) = ("sans-serif", 12);
    const BARS: [(&str, bool, RGBColor, f64); 2] =
        [("encode", false, RGBColor(0x1B, 0x6C, 0xA8), 0.02), ("decode", true, RGBColor(0xE6, 0x9F, 0x00), -0.38)];
    let rows = cases.len();
    let area = SVGBackend::new(path, (1000, u32::try_from(ROW * rows + 100)?)).into_drawing_area();
    area.fill(&WHITE).map_err(drawn)?;
    #[expect(clippy::cast_precision_loss, reason = "few rows")]
    let top = rows as f64 - 0.5;
    let mut chart = ChartBuilder::on(&area)
        .caption("time of the built-in / time of VarBytes, in an exported game", ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(30)
        .y_label_area_size(290)
        .build_cartesian_2d((0.25_f64..16.0).log_scale(), -0.5..top)
        .map_err(drawn)?;
    let name = |row: &f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a row, from the top")]
        let index = (top - row.round()).floor() as usize;
        cases.get(index).map_or_else(String::new, |case| case.name.clone())
    };
    chart
        .configure_mesh()
        .y_labels(rows + 1)
        .y_label_formatter(&name)
        .label_style(FONT)
        .light_line_style(WHITE)
        .draw()
        .map_err(drawn)?;
    for (direction, decodes, colour, offset) in BARS {
        let bars = cases.iter().enumerate().map(|(index, case)| {
            #[expect(clippy::cast_precision_loss, reason = "few rows")]
            let bottom = (rows - 1 - index) as f64 + offset;
            Rectangle::new([(1.0, bottom), (case.ratio(decodes, 1), bottom + 0.36)], colour.filled())
        });
        chart
            .draw_series(bars)
            .map_err(drawn)?
            .label(direction)
            .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 14, y + 4)], colour.filled()));
    }
    let built_in = PathElement::new([(1.0, -0.5), (1.0, top)], BLACK.stroke_width(1));
    chart.draw_series(std::iter::once(built_in)).map_err(drawn)?;
    let mut legend = chart.configure_series_labels();
    let legend = legend.position(SeriesLabelPosition::LowerRight).label_font(FONT);
    legend.background_style(WHITE.mix(0.8)).border_style(BLACK).draw().map_err(drawn)?;
    area.present().map_err(drawn)
}

/// Converts an error of drawing, which borrows its subject.
fn drawn(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("cannot draw: {error}")
}

/// Replaces the results in a page, which are between two marks.
///
/// # Errors
/// Returns an error if the page has no such marks, or cannot be written.
pub fn write_page(path: &Path, results: &str) -> Result<()> {
    const MARKS: [&str; 2] = ["<!-- results -->\n", "<!-- end of results -->\n"];
    let page = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parts = page.split_once(MARKS[0]).and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?.1)));
    let (before, after) = parts.with_context(|| format!("{} has no marks for the results", path.display()))?;
    let page = format!("{before}{}\n{results}\n{}{after}", MARKS[0], MARKS[1]);
    std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))
}
