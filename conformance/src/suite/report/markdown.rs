//! The report in Markdown.

use std::fmt::Write as _;

use super::{Report, Score};

/// Writes the report. Writing to a string cannot fail.
pub fn write(report: &Report, shown: usize, worse: Option<&[String]>) -> String {
    let mut text = String::new();
    let origins = report.origins.join(", ");
    let _ = writeln!(text, "## Conformance with {}\n", report.engine);
    let _ = writeln!(text, "{}. Vectors: {origins}. Seed {}.\n", report.summary(), report.seed);
    for note in &report.notes {
        let _ = writeln!(text, "{note}\n");
    }
    if let Some(worse) = worse {
        let _ = writeln!(text, "Worse than the baseline: {} cases.\n", worse.len());
        for id in worse {
            let _ = writeln!(text, "- {}", code(id));
        }
        let _ = writeln!(text);
    }
    if !report.findings.is_empty() {
        let _ = writeln!(text, "| class | number | why it matters |\n|---|---:|---|");
        for (class, count) in report.classes() {
            let _ = writeln!(text, "| {class} | {count} | {} |", class.explanation());
        }
        let _ = writeln!(text);
    }
    for group in report.groups() {
        let first = group[0];
        let _ = writeln!(
            text,
            "<details><summary>{}: {} of {}, {} cases (FORMAT.md, {})</summary>\n",
            first.class,
            first.direction,
            first.subject,
            group.len(),
            first.section
        );
        for finding in group.iter().take(shown) {
            let _ = writeln!(text, "- {}", code(&finding.vector));
            for (label, content) in [
                ("input", &finding.shown_input()),
                (finding.judge_label(), &finding.expected),
                (&report.checked, &finding.found),
                ("difference", &finding.difference),
            ] {
                let _ = writeln!(text, "  - {label}: {}", code(content));
            }
            if let Some(rule) = &finding.rule {
                let _ = writeln!(text, "  - rule: {}", code(rule));
            }
        }
        if group.len() > shown {
            let _ = writeln!(text, "- and {} more", group.len() - shown);
        }
        let _ = writeln!(text, "\n</details>\n");
    }
    let _ = writeln!(text, "| | decode | encode |\n|---|---:|---:|");
    for (subject, decode, encode) in report.rows() {
        let _ = writeln!(text, "| {subject} | {} | {} |", cell(decode), cell(encode));
    }
    for (reason, count) in report.skipped_by_reason() {
        let _ = writeln!(text, "\nSkipped: {count} cases, {}.", code(reason));
    }
    text
}

fn cell(score: Score) -> String {
    if score.wrong > 0 { format!("**{score}**") } else { score.to_string() }
}

/// Quotes text of a codec as code, with more backquotes than it has.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    format!("{fence} {text} {fence}")
}
