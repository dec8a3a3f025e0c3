//! The sums of all campaigns beside the core of an engine, in `RESULTS.md`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::fuzz_folder;
use crate::run::Outcome;

const HEADING: &str =
    "| target | core | executions | edges of the codec | edges of the engine |\n|---|---|---:|---:|---:|\n";

/// Adds outcomes to the table in `RESULTS.md`: executions are summed, edges replaced if there are more.
///
/// # Errors
/// If the file cannot be read or written, or has no such table.
pub fn add(outcomes: &[(String, Outcome)]) -> Result<PathBuf> {
    let path = fuzz_folder().join("RESULTS.md");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let new = with_sums(&text, outcomes)?;
    fs::write(&path, new).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// A row of the table.
struct Row {
    target: String,
    core: String,
    executions: u64,
    codec_edges: u64,
    engine_edges: String,
}

impl Row {
    fn parse(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [target, core, executions, codec_edges, engine_edges] = cells[..] else { return None };
        Some(Self {
            target: target.to_owned(),
            core: core.to_owned(),
            executions: number(executions)?,
            codec_edges: number(codec_edges)?,
            engine_edges: engine_edges.to_owned(),
        })
    }

    fn add(&mut self, outcome: &Outcome) {
        self.executions += outcome.executions;
        if let Some((reached, all)) = outcome.engine_edges {
            let earlier = self.engine_edges.split(' ').next().and_then(number).unwrap_or_default();
            if reached >= earlier {
                self.engine_edges = format!("{} of {}", grouped(reached), grouped(all));
            }
            self.codec_edges = self.codec_edges.max(outcome.codec_edges());
        }
    }

    fn line(&self) -> String {
        let Self { target, core, executions, codec_edges, engine_edges } = self;
        format!("| {target} | {core} | {} | {} | {engine_edges} |\n", grouped(*executions), grouped(*codec_edges))
    }
}

fn with_sums(text: &str, outcomes: &[(String, Outcome)]) -> Result<String> {
    let start = text.find(HEADING).context("RESULTS.md has no table of sums")? + HEADING.len();
    let lines = text[start..].split_inclusive('\n').take_while(|line| line.starts_with('|'));
    let end = start + lines.clone().map(str::len).sum::<usize>();
    let mut rows: Vec<Row> = lines.clone().filter_map(|line| Row::parse(line.trim_end())).collect();
    ensure!(rows.len() == lines.count(), "a row of the table in RESULTS.md cannot be read");
    for (label, outcome) in outcomes {
        let Some((target, core)) = label.split_once(' ') else { continue };
        let target = format!("`{target}`");
        let known = rows.iter().position(|row| row.target == target && row.core == core);
        let at = known.unwrap_or_else(|| {
            rows.push(Row {
                target,
                core: core.to_owned(),
                executions: 0,
                codec_edges: 0,
                engine_edges: String::new(),
            });
            rows.len() - 1
        });
        rows[at].add(outcome);
    }
    let table: String = rows.iter().map(Row::line).collect();
    Ok([&text[..start], &table, &text[end..]].concat())
}

/// Returns a number with separated thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

fn number(text: &str) -> Option<u64> {
    text.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_summed_and_edges_only_grow() {
        let row = "| `core_decode` | a/fast | 1,000 | 20 | 30 of 90 |\n";
        let text = format!("before\n\n{HEADING}{row}\nafter\n");
        let outcome =
            |edges| Outcome { executions: 2500, coverage: 70, engine_edges: Some((edges, 90)), ..Outcome::default() };
        let outcomes = [("core_decode a/fast".to_owned(), outcome(25)), ("core_decode b/fast".to_owned(), outcome(40))];
        let sums =
            "| `core_decode` | a/fast | 3,500 | 45 | 30 of 90 |\n| `core_decode` | b/fast | 2,500 | 30 | 40 of 90 |\n";
        assert_eq!(with_sums(&text, &outcomes).unwrap(), format!("before\n\n{HEADING}{sums}\nafter\n"));
    }
}
