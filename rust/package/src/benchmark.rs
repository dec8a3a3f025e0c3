//! Runs the addon's benchmark, compares the ratios with their targets, and draws them.

use std::collections::BTreeMap;
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
    /// `get_var`, `VarBytesFile.next`, `next_into`, `try_next` and `next_many`.
    read: [f64; 5],
}

/// The built-in, its replacement, the call with safe defaults, the same with options and a policy, and the call that creates a
/// result.
type Times = [f64; 5];

/// A measured ratio that is below its target.
#[derive(Debug)]
pub struct Miss {
    /// The name of the case.
    pub case: String,
    /// `encode`, `decode`, `store` or `read`.
    pub direction: &'static str,
    /// The measured way to call this library, and its index in the benchmark.
    pub call: (&'static str, usize),
    /// The time of the built-in divided by that of this library.
    pub ratio: f64,
    /// What the ratio should be at least.
    pub target: f64,
}

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

/// A measured call of `VarBytesFile`, what it is compared with, and the least ratio.
struct FileColumn {
    direction: &'static str,
    name: &'static str,
    index: usize,
    other: usize,
    target: f64,
}

const fn file_column(
    direction: &'static str,
    name: &'static str,
    [index, other]: [usize; 2],
    target: f64,
) -> FileColumn {
    FileColumn { direction, name, index, other, target }
}

const FILE_COLUMNS: [FileColumn; 9] = [
    file_column("store", "store / flush", [2, 1], 1.0),
    file_column("store", "try_store / flush", [4, 1], 1.0),
    file_column("store", "buffered store", [3, 0], 1.5),
    file_column("store", "buffered try_store", [5, 0], 1.5),
    file_column("store", "store_many", [6, 0], 1.5),
    file_column("read", "next", [1, 0], 1.0),
    file_column("read", "next_into", [2, 0], 1.0),
    file_column("read", "try_next", [3, 0], 1.0),
    file_column("read", "next_many", [4, 0], 1.0),
];

impl FileCase {
    fn ratio(&self, column: &FileColumn) -> f64 {
        let times: &[f64] = if column.direction == "store" { &self.store } else { &self.read };
        times[column.other] / times[column.index]
    }
}

/// Returns a ratio for a table. `<` marks one below its target.
fn shown(ratio: f64, target: Option<f64>) -> String {
    format!("{ratio:.2}{}", if target.is_some_and(|target| ratio < target) { " <" } else { "" })
}

/// Returns an empty table for a page, with numbers in all columns after the first `texts`.
pub(crate) fn page_table<T: Into<String>>(header: impl IntoIterator<Item = T>, texts: usize) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header(header.into_iter().map(T::into));
    for column in table.column_iter_mut().skip(texts) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Returns the table of files. `<` marks a ratio below its target.
#[must_use]
pub fn files_table(files: &[FileCase]) -> String {
    let (stores, reads) = FILE_COLUMNS.split_at(5);
    let names = |columns: &'static [FileColumn]| columns.iter().map(|column| column.name);
    let header = ["case", "records", "bytes", "store_var", "with flush"].into_iter();
    let mut table = page_table(header.chain(names(stores)).chain(["get_var"]).chain(names(reads)), 1);
    for file in files {
        let ratios = |columns: &'static [FileColumn]| {
            columns.iter().map(|column| shown(file.ratio(column), Some(column.target)))
        };
        let FileCase { name, records, bytes, store, read, .. } = file;
        let mut row = vec![name.clone(), records.to_string(), bytes.to_string()];
        row.extend(store[..2].iter().map(|time| format!("{time:.2} µs")));
        row.extend(ratios(stores));
        row.push(format!("{:.2} µs", read[0]));
        row.extend(ratios(reads));
        table.add_row(row);
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
    let mut header = vec!["case".to_owned(), "bytes".to_owned()];
    for direction in ["encode", "decode"] {
        header.push(format!("{direction}: built-in"));
        header.extend(COLUMNS.iter().map(|column| column.name.to_owned()));
    }
    let mut table = page_table(header, 1);
    for case in cases {
        let mut row = vec![case.name.clone(), case.bytes.to_string()];
        for decodes in [false, true] {
            let built_in = if decodes { case.decode[0] } else { case.encode[0] };
            row.push(format!("{built_in:.2} µs"));
            row.extend(
                COLUMNS
                    .iter()
                    .map(|column| shown(case.ratio(decodes, column.index), (column.target)(&case.group, decodes))),
            );
        }
        table.add_row(row);
    }
    table.to_string()
}

/// Returns the ratios that are below their targets.
#[must_use]
pub fn misses(cases: &[Case], files: &[FileCase]) -> Vec<Miss> {
    let mut misses = Vec::new();
    for case in cases {
        for (decodes, direction) in [(false, "encode"), (true, "decode")] {
            for column in &COLUMNS {
                let ratio = case.ratio(decodes, column.index);
                if let Some(target) = (column.target)(&case.group, decodes).filter(|target| ratio < *target) {
                    let call = (column.name, column.index);
                    misses.push(Miss { case: case.name.clone(), direction, call, ratio, target });
                }
            }
        }
    }
    for file in files {
        for column in &FILE_COLUMNS {
            let FileColumn { direction, name, index, target, .. } = *column;
            let ratio = file.ratio(column);
            if ratio < target {
                misses.push(Miss { case: file.name.clone(), direction, call: (name, index), ratio, target });
            }
        }
    }
    misses
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
