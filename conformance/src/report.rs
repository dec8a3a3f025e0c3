//! Runs all checks of all vectors, and shows them in tables.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};
use maud::{Markup, html};
use varbytes::VariantType;

use crate::check::Setting;
use crate::compare::Difference;
use crate::derived::DerivedSet;
use crate::differential::Comparison;
use crate::divergences::Divergences;
use crate::reference::Reference;
use crate::suite;
use crate::suite::case::Direction;
use crate::suite::report::Score;
use crate::suite::report::html::{cell, describe_group, page};
use crate::vectors::{CAPTURED, Canonical, Captured, CapturedRewritten, VectorSet};

/// The row of the live comparison.
const DAMAGED: &str = "damaged packets, live";

/// The rows after the rows of types, in the order of the table.
const KINDS: [&str; 4] = ["accepted, not canonical", "rejected bytes", "refused values", DAMAGED];

/// The results of one group of vectors, in up to two directions.
#[derive(Debug, Default)]
pub struct Row {
    /// The number of cases.
    pub cases: usize,
    /// How many agree when encoded, and the total.
    pub encode: Option<(usize, usize)>,
    /// How many agree when decoded, and the total.
    pub decode: Option<(usize, usize)>,
    /// How many differ as listed in the known divergences.
    pub known: BTreeSet<String>,
    /// The first unexpected difference.
    pub first: Option<String>,
}

/// An engine whose vectors are checked.
#[derive(Debug)]
pub struct Run {
    /// The name for `--engine`.
    pub name: &'static str,
    /// Its version, such as `4.6.3`.
    pub version: String,
    /// Where it was found, or why its committed vectors are checked instead.
    pub origin: String,
}

/// The results of the vectors of an engine, by row.
#[derive(Debug)]
pub struct Column {
    run: Run,
    profile: &'static str,
    rows: BTreeMap<String, Row>,
}

/// The results of a file of vectors from an engine that is not run here.
#[derive(Debug)]
struct FileRow {
    file: String,
    profile: String,
    origin: &'static str,
    row: Row,
}

/// The results of all checks.
#[derive(Debug, Default)]
pub struct Report {
    columns: Vec<Column>,
    /// The builds that were compared with a profile.
    builds: Vec<(&'static str, suite::report::Report)>,
    /// The builds that could not be run, and why.
    missing: Vec<(&'static str, String)>,
    files: Vec<FileRow>,
}

impl Row {
    fn of(cases: usize) -> Self {
        Self { cases, ..Self::default() }
    }

    /// Counts one outcome, unless it is a known difference.
    fn count(&mut self, direction: Direction, name: &str, difference: Option<Difference>, known: &Divergences) {
        if difference.is_some() && known.reason(name).is_some() {
            self.known.insert(name.to_owned());
            return;
        }
        let (agreeing, all) = match direction {
            Direction::Encode => self.encode.get_or_insert_default(),
            Direction::Decode => self.decode.get_or_insert_default(),
        };
        *all += 1;
        match difference {
            None => *agreeing += 1,
            Some(difference) => drop(self.first.get_or_insert_with(|| difference.to_string())),
        }
    }

    fn canonical(vectors: &[Canonical], setting: &Setting, known: &Divergences) -> Result<Self> {
        let mut row = Self::of(vectors.len());
        for vector in vectors {
            row.count(Direction::Encode, &vector.name, setting.encodes(vector)?, known);
            row.count(Direction::Decode, &vector.name, setting.decodes(vector)?, known);
        }
        Ok(row)
    }
}

impl Column {
    /// Checks every vector of an engine in both directions.
    ///
    /// # Errors
    /// If a vector is malformed.
    pub fn check(run: Run, set: &VectorSet, setting: &Setting, known: &Divergences) -> Result<Self> {
        let mut rows = BTreeMap::new();
        for (subject, vectors) in &set.canonical {
            rows.insert(subject.clone(), Row::canonical(vectors, setting, known)?);
        }
        let mut non_canonical = Row::of(set.non_canonical.len());
        for vector in &set.non_canonical {
            non_canonical.count(Direction::Decode, &vector.name, setting.decodes_non_canonical(vector)?, known);
            non_canonical.count(Direction::Encode, &vector.name, setting.rewrites(vector), known);
        }
        let mut rejected = Row::of(set.rejected.len());
        for vector in &set.rejected {
            rejected.count(Direction::Decode, &vector.name, setting.rejects(vector), known);
        }
        let mut refused = Row::of(set.refused.len());
        for vector in &set.refused {
            match setting.refuses(vector)? {
                Some(difference) => refused.count(Direction::Encode, &vector.name, difference, known),
                // This value cannot exist outside an engine, so there is nothing to check.
                None => refused.cases -= 1,
            }
        }
        rows.extend(KINDS.map(str::to_owned).into_iter().zip([non_canonical, rejected, refused]));
        Ok(Self { run, profile: setting.profile.name(), rows })
    }

    /// Adds the comparison of damaged packets.
    pub fn add_comparison(&mut self, comparison: &Comparison) {
        let agreeing = comparison.packets - comparison.disagreements.len();
        let first = comparison.disagreements.first();
        let row = Row {
            decode: Some((agreeing, comparison.packets)),
            first: first.map(|(packet, difference)| format!("{packet}: {difference}")),
            ..Row::of(comparison.packets)
        };
        self.rows.insert(DAMAGED.to_owned(), row);
    }

    /// Returns the listed divergences that do not differ, or do not exist.
    #[must_use]
    pub fn stale(&self, known: &Divergences) -> Vec<String> {
        let differs = |name: &str| self.rows.values().any(|row| row.known.contains(name));
        known.vectors().filter(|name| !differs(name)).map(str::to_owned).collect()
    }
}

impl Report {
    /// Returns whether everything agrees.
    #[must_use]
    pub fn is_green(&self) -> bool {
        self.differences().is_empty()
    }

    /// Adds an engine.
    pub fn add(&mut self, column: Column) {
        self.columns.push(column);
    }

    /// Adds a build that was compared with a profile, for the page.
    pub fn add_build(&mut self, name: &'static str, compared: suite::report::Report) {
        self.builds.push((name, compared));
    }

    /// Adds a build that could not be run, for the page.
    pub fn add_missing(&mut self, name: &'static str, why: String) {
        self.missing.push((name, why));
    }

    /// Checks vectors of an engine that is not run here. Returns the listed divergences that do not differ.
    ///
    /// # Errors
    /// If a vector is malformed.
    pub fn check_captured(&mut self, captured: &Captured) -> Result<Vec<String>> {
        let known = Divergences::load(captured.file)?;
        let setting = captured.setting()?;
        let row = Row::canonical(&captured.load()?, &setting, &known)?;
        let stale = known.vectors().filter(|name| !row.known.contains(*name)).map(str::to_owned).collect();
        self.add_file(captured.file, setting.profile.name(), captured.origin(), row);
        Ok(stale)
    }

    /// Checks captured conversions of an engine that is not run here.
    ///
    /// # Errors
    /// If a vector is malformed.
    pub fn check_rewritten(&mut self, captured: &CapturedRewritten) -> Result<()> {
        let (setting, vectors) = (captured.setting()?, captured.load()?);
        let mut row = Row::of(vectors.len());
        for vector in &vectors {
            let difference = setting.reads_and_rewrites(vector);
            row.count(Direction::Decode, &vector.name, difference, &Divergences::default());
        }
        self.add_file(captured.file, setting.profile.name(), "captured", row);
        Ok(())
    }

    /// Checks derived vectors.
    ///
    /// # Errors
    /// If a vector is malformed.
    pub fn check_derived(&mut self, set: &DerivedSet) -> Result<()> {
        let none = Divergences::default();
        let mut row = Row::of(set.vectors.len());
        for vector in &set.vectors {
            let outcome = set.check(vector)?;
            if let Some(difference) = outcome.encode {
                row.count(Direction::Encode, &vector.name, difference, &none);
            }
            if let Some(difference) = outcome.decode {
                row.count(Direction::Decode, &vector.name, difference, &none);
            }
        }
        self.add_file(&set.file, set.profile.name(), "derived, not observed", row);
        Ok(())
    }

    fn add_file(&mut self, file: &str, profile: &str, origin: &'static str, row: Row) {
        self.files.push(FileRow { file: file.to_owned(), profile: profile.to_owned(), origin, row });
    }

    /// Returns the first difference of every group of vectors that has one.
    #[must_use]
    pub fn differences(&self) -> Vec<String> {
        let columns = self.columns.iter().flat_map(|column| {
            let rows = column.rows.iter();
            rows.filter_map(|(subject, row)| {
                Some(format!("{}, {subject}: {}", column.run.version, row.first.as_ref()?))
            })
        });
        let files = self.files.iter();
        let files = files.filter_map(|file| Some(format!("{}: {}", file.file, file.row.first.as_ref()?)));
        columns.chain(files).collect()
    }

    /// Returns the table with a row for each type and two columns for each engine, one per direction.
    #[must_use]
    pub fn engines_table(&self, colors: bool) -> String {
        let headings = self.columns.iter().flat_map(|column| {
            ["encode exact", "decode exact"].map(|direction| format!("{}\n{direction}", column.run.version))
        });
        let mut table = table(colors, std::iter::once("type".to_owned()).chain(headings));
        let types = VariantType::ALL.iter().map(|variant_type| variant_type.name());
        for subject in types.chain(KINDS) {
            let rows: Vec<_> = self.columns.iter().map(|column| column.rows.get(subject)).collect();
            if rows.iter().any(Option::is_some) {
                let cells = rows
                    .into_iter()
                    .flat_map(|row| [row.and_then(|row| row.encode), row.and_then(|row| row.decode)].map(share));
                table.add_row(std::iter::once(Cell::new(subject)).chain(cells));
            }
        }
        let known = self.columns.iter().flat_map(|column| {
            let known: usize = column.rows.values().map(|row| row.known.len()).sum();
            [right(Cell::new("")), right(Cell::new(known))]
        });
        table.add_row(std::iter::once(Cell::new("known to differ")).chain(known));
        let sums = self.columns.iter().flat_map(|column| {
            [sum(column.rows.values().map(|row| row.encode)), sum(column.rows.values().map(|row| row.decode))]
        });
        table.add_row(std::iter::once(bold("all")).chain(sums));
        table.to_string()
    }

    /// Returns the table with a row for each file from an engine that is not run here.
    #[must_use]
    pub fn files_table(&self, colors: bool) -> String {
        let headings = ["file", "profile", "origin", "encode exact", "decode exact", "known to differ"];
        let mut table = table(colors, headings.map(str::to_owned));
        for FileRow { file, profile, origin, row } in &self.files {
            let known = if row.known.is_empty() { String::new() } else { row.known.len().to_string() };
            table.add_row([
                Cell::new(file),
                Cell::new(profile),
                Cell::new(origin),
                share(row.encode),
                share(row.decode),
                right(Cell::new(known)),
            ]);
        }
        table.to_string()
    }
}

impl Report {
    /// Returns the results as a page for a browser: engines, types, other vectors by file, what is known to differ, and the
    /// rules of `format`, the text of FORMAT.md. `verdict` is its first line.
    ///
    /// # Errors
    /// If a list of divergences is malformed.
    pub fn page(&self, format: &str, verdict: &str) -> Result<String> {
        let mut known = Vec::new();
        let sets = Reference::ALL.map(|reference| reference.name).into_iter().chain(CAPTURED.map(|set| set.file));
        for set in sets {
            let divergences = Divergences::load(set)?;
            let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
            for vector in divergences.vectors() {
                let reason = divergences.reason(vector).unwrap_or_default();
                *reasons.entry(reason.to_owned()).or_default() += 1;
            }
            known.push((set, reasons));
        }
        known.retain(|(_, reasons)| !reasons.is_empty());
        let differences = self.differences();
        let content = html! {
            p { (verdict) }
            @if !differences.is_empty() {
                h2 { "Differences" }
                ul { @for difference in &differences { li { code { (difference) } } } }
            }
            h2 { "Engines" }
            (self.engines())
            h2 { "Vectors by type" }
            (self.types())
            @if !self.builds.is_empty() {
                h2 { "Other builds by type" }
                p { "What each build reads, and how it writes it, compared with its profile." }
                (self.builds_by_type())
                @for (name, report) in &self.builds {
                    @if !report.findings.is_empty() { h3 { (name) } }
                    @for note in &report.notes { p { (note) } }
                    @for group in report.groups() { (describe_group(&report.checked, &group)) }
                }
            }
            h2 { "Vectors of other engines" }
            div.scroll { table {
                tr { @for heading in ["file", "profile", "origin", "encode exact", "decode exact", "known to differ"] {
                    th { (heading) }
                } }
                @for FileRow { file, profile, origin, row } in &self.files {
                    tr {
                        td { (file) } td { (profile) } td { (origin) }
                        (share_cell(row.encode)) (share_cell(row.decode)) td.score { (row.known.len()) }
                    }
                }
            } }
            h2 { "Known to differ" }
            @for (set, reasons) in &known {
                h3 { (set) }
                ul { @for (reason, count) in reasons { li { (count) @if *count == 1 { " vector: " } @else { " vectors: " } (reason) } } }
            }
            h2 { "Rules" }
            table {
                tr { th { "rule" } th { "value" } th { "profiles" } }
                @for row in rules(format) { tr { @for cell in row { td { (cell) } } } }
            }
        };
        Ok(page("Conformance of varbytes", &content))
    }

    /// Every engine by name, with its sums.
    fn engines(&self) -> Markup {
        html! {
            div.scroll { table {
                tr { @for heading in ["engine", "version", "compared with", "notes", "encode", "decode"] { th { (heading) } } }
                @for Column { run, profile, rows } in &self.columns {
                    tr {
                        td { (run.name) } td { "Godot " (run.version) } td { (profile) } td { (run.origin) }
                        (share_cell(Some(total(rows.values().map(|row| row.encode)))))
                        (share_cell(Some(total(rows.values().map(|row| row.decode)))))
                    }
                }
                @for (name, report) in &self.builds {
                    tr {
                        td { (name) } td { "Godot " (report.command) } td { (report.engine) } td { "run in " (format!("{:.0} s", report.seconds)) }
                        (cell(report.total_of(Direction::Encode))) (cell(report.total_of(Direction::Decode)))
                    }
                }
                @for (name, why) in &self.missing {
                    tr { td { (name) } td colspan="5" { "not run: " (why) } }
                }
            } }
        }
    }

    fn types(&self) -> Markup {
        let types = VariantType::ALL.iter().map(|variant_type| variant_type.name());
        let subjects: Vec<&str> = types
            .chain(KINDS)
            .filter(|subject| self.columns.iter().any(|column| column.rows.contains_key(*subject)))
            .collect();
        html! {
            div.scroll { table {
                tr { th rowspan="2" { "type" } @for column in &self.columns { th colspan="2" { (column.run.name) } } }
                tr { @for _ in &self.columns { th { "encode exact" } th { "decode exact" } } }
                @for subject in subjects {
                    tr {
                        td { (subject) }
                        @for column in &self.columns {
                            @let row = column.rows.get(subject);
                            (share_cell(row.and_then(|row| row.encode)))
                            (share_cell(row.and_then(|row| row.decode)))
                        }
                    }
                }
            } }
        }
    }

    fn builds_by_type(&self) -> Markup {
        let types = VariantType::ALL.iter().map(|variant_type| variant_type.name());
        let rows: Vec<_> = self.builds.iter().map(|(_, report)| report.rows()).collect();
        let scores = |subject: &str| -> Vec<[Score; 2]> {
            let scores = rows.iter().map(|rows| {
                let row = rows.iter().find(|(name, ..)| *name == subject);
                row.map_or([Score::default(); 2], |(_, decode, encode)| [*encode, *decode])
            });
            scores.collect()
        };
        let subjects = types.chain(suite::case::GROUPS).map(|subject| (subject, scores(subject)));
        html! {
            div.scroll { table {
                tr { th rowspan="2" { "type" } @for (name, _) in &self.builds { th colspan="2" { (name) } } }
                tr { @for _ in &self.builds { th { "encode" } th { "decode" } } }
                @for (subject, scores) in subjects.filter(|(_, scores)| scores.iter().flatten().any(|score| score.asked() > 0)) {
                    tr { td { (subject) } @for [encode, decode] in scores { (cell(encode)) (cell(decode)) } }
                }
            } }
        }
    }
}

/// Returns the rows of the table of rules in FORMAT.md.
fn rules(format: &str) -> Vec<Vec<String>> {
    let table = format.split("<!-- generated: rules -->").nth(1).unwrap_or_default();
    let table = table.split("<!-- end -->").next().unwrap_or_default();
    let rows = table.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|')).skip(2);
    rows.map(|row| row.split('|').map(|cell| cell.trim().replace('`', "")).collect()).collect()
}

fn share_cell(share: Option<(usize, usize)>) -> Markup {
    let score =
        share.map_or_else(Score::default, |(right, all)| Score { right, wrong: all - right, ..Score::default() });
    cell(score)
}

fn table(colors: bool, headings: impl IntoIterator<Item = String>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    if !colors {
        table.force_no_tty();
        table.set_width(150);
    }
    table.set_header(headings);
    table
}

fn share(share: Option<(usize, usize)>) -> Cell {
    right(match share {
        None => Cell::new("–"),
        Some((agreeing, all)) => {
            Cell::new(format!("{agreeing}/{all}")).fg(if agreeing == all { Color::Green } else { Color::Red })
        }
    })
}

fn sum(shares: impl Iterator<Item = Option<(usize, usize)>>) -> Cell {
    let (agreeing, all) = total(shares);
    right(bold(&format!("{agreeing}/{all}")))
}

fn total(shares: impl Iterator<Item = Option<(usize, usize)>>) -> (usize, usize) {
    shares.flatten().fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1))
}

fn right(cell: Cell) -> Cell {
    cell.set_alignment(CellAlignment::Right)
}

fn bold(text: &str) -> Cell {
    Cell::new(text).add_attribute(Attribute::Bold)
}
