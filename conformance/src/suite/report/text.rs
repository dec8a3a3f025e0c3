//! The report for a terminal.

use std::fmt::Write as _;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, CellAlignment, Table};

use super::{Finding, Report};

/// Writes the report. Writing to a string cannot fail.
pub fn write(report: &Report, shown: usize, worse: Option<&[String]>) -> String {
    let mut text = String::new();
    let mut class = None;
    for group in report.groups() {
        let first = group[0];
        if class != Some(first.class) {
            class = Some(first.class);
            let count = report.classes().get(&first.class).copied().unwrap_or_default();
            let _ = writeln!(
                text,
                "{}: {count}. {}.",
                capitalized(&first.class.to_string()),
                capitalized(first.class.explanation())
            );
        }
        let _ = writeln!(
            text,
            "  {} of {}, {} case{}; FORMAT.md, {}",
            first.direction,
            first.subject,
            group.len(),
            if group.len() == 1 { "" } else { "s" },
            first.section
        );
        for finding in group.iter().take(shown) {
            describe(&mut text, report, finding);
        }
        if group.len() > shown {
            let _ = writeln!(text, "    … and {} more", group.len() - shown);
        }
    }
    let _ = writeln!(text, "{}", table(report));
    for (reason, count) in report.skipped_by_reason() {
        let _ = writeln!(text, "Skipped: {count} cases, {reason}.");
    }
    for note in &report.notes {
        let _ = writeln!(text, "{note}");
    }
    if report.left_out > 0 {
        let _ = writeln!(
            text,
            "Not asked: {} vectors whose result depends on what only an engine knows, or is an engine bug.",
            report.left_out
        );
    }
    if let Some(worse) = worse {
        let _ = writeln!(text, "Worse than the baseline: {} cases.", worse.len());
        for id in worse {
            let _ = writeln!(text, "  {id}");
        }
    }
    let origins = report.origins.join(", ");
    let _ = writeln!(
        text,
        "{} ({origins}), seed {}: {}. {:.1} s.",
        report.engine,
        report.seed,
        report.summary(),
        report.seconds
    );
    text
}

fn describe(text: &mut String, report: &Report, finding: &Finding) {
    let objects = if finding.objects { ", with objects" } else { "" };
    let _ = writeln!(text, "    {}{objects}", finding.vector);
    let shortened = finding.shortened_from.map_or_else(String::new, |bytes| format!(" (shortened from {bytes} bytes)"));
    let _ = writeln!(text, "      input     {}{shortened}", finding.shown_input());
    let _ = writeln!(text, "      {:<9} {}", finding.judge_label(), finding.expected);
    let _ = writeln!(text, "      {:<9} {}", report.checked, finding.found);
    let _ = writeln!(text, "      difference {}", finding.difference);
    if let Some(rule) = &finding.rule {
        let _ = writeln!(text, "      rule      {rule}");
    }
}

impl Finding {
    /// Returns the name for the right side.
    #[must_use]
    pub fn judge_label(&self) -> &str {
        match &*self.judge {
            "varbytes" | "profile" => &self.judge,
            _ => "engine",
        }
    }
}

fn table(report: &Report) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["", "decode", "encode"]);
    for (subject, decode, encode) in report.rows() {
        let right = |score: String| Cell::new(score).set_alignment(CellAlignment::Right);
        table.add_row([Cell::new(subject), right(decode.to_string()), right(encode.to_string())]);
    }
    table
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
