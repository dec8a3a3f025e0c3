//! Compares a report with an earlier one: only what became worse fails.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::case::GENERATED;
use super::report::{Report, Skipped};

/// The severity of a case: `None` if it is right, then skipped, then the findings from the least serious to the most.
fn ranks(report: &Report) -> BTreeMap<&str, u8> {
    let skipped = report.skipped.iter().map(|skipped| (&*skipped.id, 1));
    let found = report.findings.iter().map(|finding| (&*finding.id, u8::MAX - finding.class as u8));
    skipped.chain(found).collect()
}

/// Reads a report that was written with `--report json`.
///
/// # Errors
/// If it cannot be read, or is about another engine.
pub fn load(path: &Path, engine: &str) -> Result<Report> {
    let text = fs::read(path).with_context(|| format!("cannot read the baseline {}", path.display()))?;
    let report: Report = serde_json::from_slice(&text)
        .with_context(|| format!("{} is not a report of this command in JSON", path.display()))?;
    ensure!(report.engine == engine, "the baseline {} is about {}, not {engine}", path.display(), report.engine);
    Ok(report)
}

/// Returns the cases that are worse than in the baseline, in the report's order. A case that the baseline does not know
/// was right; only damaged packets that are skipped do not count if they are of another seed.
#[must_use]
pub fn worse(baseline: &Report, report: &Report) -> Vec<String> {
    let before = ranks(baseline);
    let is_worse = |id: &str, rank: u8| rank > before.get(id).copied().unwrap_or_default();
    let now = ranks(report);
    let counts = |skipped: &&Skipped| baseline.seed == report.seed || skipped.subject != GENERATED;
    let ids = report.findings.iter().map(|finding| &finding.id);
    let ids = ids.chain(report.skipped.iter().filter(counts).map(|skipped| &skipped.id));
    ids.filter(|id| is_worse(id, now.get(id.as_str()).copied().unwrap_or_default())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipping(seed: u64, subject: &str, ids: &[&str]) -> Report {
        let skipped: Vec<_> =
            ids.iter().map(|id| serde_json::json!({"id": id, "subject": subject, "reason": "Color"})).collect();
        let report = serde_json::json!({
            "version": "", "command": "", "checked": "codec", "engine": "", "origins": [], "seed": seed, "seconds": 0.0,
            "left_out": 0, "scores": {}, "findings": [], "skipped": skipped,
        });
        serde_json::from_value(report).unwrap()
    }

    #[test]
    fn a_skipped_packet_of_another_seed_is_not_worse() {
        let baseline = skipping(1, GENERATED, &["decode damaged/1/5"]);
        assert!(worse(&baseline, &skipping(2, GENERATED, &["decode damaged/2/7"])).is_empty());
        assert_eq!(worse(&baseline, &skipping(1, GENERATED, &["decode damaged/1/6"])), ["decode damaged/1/6"]);
        assert_eq!(worse(&baseline, &skipping(2, "Color", &["decode a/Color"])), ["decode a/Color"]);
    }
}
