//! All checks of a set of vectors, and the table that shows them.

use anyhow::Result;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, Table};
use varbytes::VariantType;

use crate::check::Setting;
use crate::compare::Difference;
use crate::differential::Comparison;
use crate::divergences::Divergences;
use crate::vectors::{Canonical, VectorSet};

/// One line of the table: what was checked, in up to two directions.
#[derive(Debug, Default)]
pub struct Row {
    /// The type, or the kind of vectors.
    pub subject: String,
    /// How many cases there are.
    pub cases: usize,
    /// How many agree when encoded, of how many.
    pub encode: Option<(usize, usize)>,
    /// How many agree when decoded, of how many.
    pub decode: Option<(usize, usize)>,
    /// How many are on the list of known divergences.
    pub known: usize,
    /// The first that does not agree.
    pub first: Option<String>,
}

/// What the checks found.
#[derive(Debug, Default)]
pub struct Report {
    /// In the order in which they are shown.
    pub rows: Vec<Row>,
}

impl Report {
    /// Whether everything agrees.
    #[must_use]
    pub fn is_green(&self) -> bool {
        self.rows.iter().all(|row| row.first.is_none())
    }

    /// Checks every vector of a set in both directions.
    ///
    /// # Errors
    /// When a vector is no vector.
    pub fn check(&mut self, set: &VectorSet, setting: &Setting, divergences: &Divergences) -> Result<()> {
        let mut families: Vec<_> = set.canonical.iter().collect();
        families.sort_by_key(|(name, _)| VariantType::from_name(name));
        for (subject, vectors) in families {
            self.rows.push(canonical(subject, vectors, setting)?);
        }
        let known = |name: &String| divergences.reason(name).is_some();
        let mut degenerate = Row::named("accepted, not canonical", set.degenerate.len());
        degenerate.known = set.degenerate.iter().filter(|vector| known(&vector.name)).count();
        for vector in &set.degenerate {
            degenerate.count(Direction::Decode, &vector.name, setting.decodes_degenerate(vector)?, divergences);
            degenerate.count(Direction::Encode, &vector.name, setting.rewrites(vector), divergences);
        }
        let mut rejected = Row::named("rejected bytes", set.rejected.len());
        rejected.known = set.rejected.iter().filter(|vector| known(&vector.name)).count();
        for vector in &set.rejected {
            rejected.count(Direction::Decode, &vector.name, setting.rejects(vector), divergences);
        }
        let mut refused = Row::named("refused values", set.refused.len());
        for vector in &set.refused {
            match setting.refuses(vector)? {
                Some(difference) => refused.count(Direction::Encode, &vector.name, difference, divergences),
                // Such a value cannot be made outside an engine, so there is nothing to check.
                None => refused.cases -= 1,
            }
        }
        self.rows.extend([degenerate, rejected, refused]);
        Ok(())
    }

    /// Adds the vectors captured from an engine that is not run here.
    ///
    /// # Errors
    /// When a vector is no vector.
    pub fn check_captured(&mut self, name: &str, vectors: &[Canonical], setting: &Setting) -> Result<()> {
        self.rows.push(canonical(name, vectors, setting)?);
        Ok(())
    }

    /// Adds what the engine and the codec said of the same damaged packets.
    pub fn add_comparison(&mut self, comparison: &Comparison) {
        let agreeing = comparison.packets - comparison.disagreements.len();
        let first = comparison.disagreements.first();
        self.rows.push(Row {
            subject: "damaged packets, live".to_owned(),
            cases: comparison.packets,
            encode: None,
            decode: Some((agreeing, comparison.packets)),
            known: 0,
            first: first.map(|(packet, difference)| format!("{packet}: {difference}")),
        });
    }

    /// The table, with colours where they can be seen.
    #[must_use]
    pub fn table(&self, colors: bool) -> String {
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
        if !colors {
            table.force_no_tty();
            table.set_width(150);
        }
        table.set_header(["type", "cases", "encode exact", "decode exact", "known to differ", "first difference"]);
        let color = |cell: Cell, good: bool| if good { cell.fg(Color::Green) } else { cell.fg(Color::Red) };
        for row in &self.rows {
            let share = |share: Option<(usize, usize)>| match share {
                None => Cell::new("–"),
                Some((agreeing, all)) => color(Cell::new(format!("{agreeing}/{all}")), agreeing == all),
            };
            let right = |cell: Cell| cell.set_alignment(CellAlignment::Right);
            table.add_row([
                Cell::new(&row.subject),
                right(Cell::new(row.cases)),
                right(share(row.encode)),
                right(share(row.decode)),
                right(Cell::new(if row.known == 0 { String::new() } else { row.known.to_string() })),
                Cell::new(row.first.as_deref().unwrap_or("")).fg(Color::Red),
            ]);
        }
        let sum = |direction: fn(&Row) -> Option<(usize, usize)>| {
            let sums = self.rows.iter().filter_map(direction);
            let (agreeing, all) = sums.fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
            Cell::new(format!("{agreeing}/{all}")).set_alignment(CellAlignment::Right).add_attribute(Attribute::Bold)
        };
        table.add_row([
            Cell::new("all").add_attribute(Attribute::Bold),
            Cell::new(self.rows.iter().map(|row| row.cases).sum::<usize>())
                .set_alignment(CellAlignment::Right)
                .add_attribute(Attribute::Bold),
            sum(|row| row.encode),
            sum(|row| row.decode),
            Cell::new(self.rows.iter().map(|row| row.known).sum::<usize>()).set_alignment(CellAlignment::Right),
            Cell::new(""),
        ]);
        table.to_string()
    }
}

fn canonical(subject: &str, vectors: &[Canonical], setting: &Setting) -> Result<Row> {
    let none = Divergences::default();
    let mut row = Row::named(subject, vectors.len());
    for vector in vectors {
        row.count(Direction::Encode, &vector.name, setting.encodes(vector)?, &none);
        row.count(Direction::Decode, &vector.name, setting.decodes(vector)?, &none);
    }
    Ok(row)
}

#[derive(Clone, Copy)]
enum Direction {
    Encode,
    Decode,
}

impl Row {
    fn named(subject: &str, cases: usize) -> Self {
        Self { subject: subject.to_owned(), cases, ..Self::default() }
    }

    /// Counts one outcome, unless the vector is known to differ.
    fn count(&mut self, direction: Direction, name: &str, difference: Option<Difference>, divergences: &Divergences) {
        if divergences.reason(name).is_some() {
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
}
