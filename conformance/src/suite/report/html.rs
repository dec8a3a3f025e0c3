//! The report as a page for a browser, without any other file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Finding, Report, Score};

/// The style of all pages.
pub const STYLE: &str = "
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #151b23);
  --good: light-dark(#dafbe1, #12351d); --part: light-dark(#fff8c5, #3a2f0b); --bad: light-dark(#ffebe9, #4a1a1c); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 95rem; padding: 0 1rem; }
p, ul, details { max-width: 70rem; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { border: 1px solid var(--line); padding: .25rem .6rem; }
th { background: var(--soft); text-align: left; } td.score { text-align: right; font-variant-numeric: tabular-nums; }
.good { background: var(--good); } .part { background: var(--part); } .bad { background: var(--bad); }
.none { color: gray; } code { overflow-wrap: anywhere; } details { border: 1px solid var(--line); margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .3rem 0 1rem; }
dt { color: gray; } dd { margin: 0; } .scroll { overflow-x: auto; }
";

/// Writes a page.
#[must_use]
pub fn page(title: &str, content: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { h1 { (title) } (content) }
        }
    }
    .into_string()
}

/// Writes the report.
pub fn write(report: &Report, worse: Option<&[String]>) -> String {
    let title = format!("Conformance with {}", report.engine);
    page(
        &title,
        &html! {
            p { (report.summary()) "." }
            dl {
                dt { (report.checked) } dd { code { (report.command) } }
                dt { "vectors" } dd { (report.origins.join(", ")) }
                dt { "seed" } dd { (report.seed) }
                dt { "duration" } dd { (format!("{:.1} s", report.seconds)) }
                dt { "version" } dd { "varbytes-conformance " (report.version) }
            }
            @for note in &report.notes { p { (note) } }
            @if let Some(worse) = worse {
                p { "Worse than the baseline: " (worse.len()) " cases." }
                ul { @for id in worse { li { code { (id) } } } }
            }
            @if !report.findings.is_empty() {
                h2 { "Findings" }
                table {
                    tr { th { "class" } th { "number" } th { "why it matters" } }
                    @for (class, count) in report.classes() {
                        tr { td { (class) } td.score { (count) } td { (class.explanation()) } }
                    }
                }
                @for group in report.groups() { (describe_group(&report.checked, &group)) }
            }
            h2 { "Types" }
            table {
                tr { th { "" } th { "decode" } th { "encode" } }
                @for (subject, decode, encode) in report.rows() {
                    tr { td { (subject) } (cell(decode)) (cell(encode)) }
                }
            }
            @if !report.skipped.is_empty() {
                h2 { "Skipped" }
                ul { @for (reason, count) in report.skipped_by_reason() { li { (count) " cases: " (reason) } } }
            }
            @if report.left_out > 0 {
                p { (report.left_out) " vectors are not asked about, because their result depends on what only an engine \
                    knows, or is an engine bug." }
            }
        },
    )
}

/// Describes findings that likely have one cause; `checked` is what was checked.
#[must_use]
pub fn describe_group(checked: &str, group: &[&Finding]) -> Markup {
    let first = group[0];
    html! {
        details {
            summary {
                b { (first.class) } ": " (first.direction) " of " (first.subject) ", " (group.len()) " cases, FORMAT.md "
                (first.section)
            }
            @for finding in group {
                h4 { code { (finding.vector) } @if finding.objects { " with objects" } }
                dl {
                    dt { "input" } dd {
                        code { (finding.shown_input()) }
                        @if let Some(bytes) = finding.shortened_from { " shortened from " (bytes) " bytes" }
                    }
                    dt { (finding.judge_label()) } dd { code { (finding.expected) } }
                    dt { (checked) } dd { code { (finding.found) } }
                    dt { "difference" } dd { (finding.difference) }
                    @if let Some(rule) = &finding.rule { dt { "rule" } dd { (rule) } }
                }
            }
        }
    }
}

/// A cell with a score.
#[must_use]
pub fn cell(score: Score) -> Markup {
    html! { td .score .(color(score)) { (score) } }
}

/// The name of the colour of a score.
#[must_use]
pub fn color(score: Score) -> &'static str {
    match score {
        Score { right: 0, wrong: 0, .. } => "none",
        Score { wrong: 0, .. } => "good",
        Score { right: 0, .. } => "bad",
        _ => "part",
    }
}
