//! Shortens damaged packets on which a codec fails, as long as it fails in the same way.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::case::{Case, Direction, GENERATED, Suite};
use super::process::Codec;
use super::report::Finding;
use super::verdict::{self, Class, Verdict};

/// How many findings of a class are shortened.
const SHORTENED: usize = 3;

/// How long all of it may take.
const BUDGET: Duration = Duration::from_secs(30);

/// Shortens the packets of the first findings of each class.
pub fn shrink(suite: &Suite, codec: &mut Codec, findings: &mut [Finding]) -> Result<()> {
    let begin = Instant::now();
    let mut done: BTreeMap<Class, usize> = BTreeMap::new();
    for finding in findings.iter_mut().filter(|finding| finding.subject == GENERATED) {
        let count = done.entry(finding.class).or_default();
        *count += 1;
        if *count <= SHORTENED && begin.elapsed() < BUDGET {
            shorten(suite, codec, finding, begin)?;
        }
    }
    Ok(())
}

fn shorten(suite: &Suite, codec: &mut Codec, finding: &mut Finding, begin: Instant) -> Result<()> {
    let original = finding.input.clone();
    let objects = finding.objects;
    let arguments = suite.arguments(Direction::Decode, objects);
    // A hang or a crash costs a process for each candidate.
    let one_by_one = matches!(finding.class, Class::Crash | Class::Hang | Class::Memory);
    while begin.elapsed() < BUDGET {
        let Ok(bytes) = hex::decode(&finding.input) else { return Ok(()) };
        let candidates: Vec<Case> = candidates(&bytes)
            .iter()
            .filter_map(|candidate| suite.generated(&finding.vector, candidate, objects))
            .collect();
        let mut shorter = None;
        for chunk in candidates.chunks(if one_by_one { 1 } else { candidates.len().max(1) }) {
            let lines: Vec<&str> = chunk.iter().map(|case| &*case.line).collect();
            let replies = codec.ask(&arguments, &lines, &mut |_| ())?;
            shorter = chunk.iter().zip(&replies).find_map(|(case, reply)| {
                match verdict::judge(&suite.setting, case, reply) {
                    Verdict::Wrong(fault) if fault.class == finding.class => Some((case.line.clone(), fault)),
                    _ => None,
                }
            });
            if shorter.is_some() || begin.elapsed() >= BUDGET {
                break;
            }
        }
        let Some((line, fault)) = shorter else { break };
        finding.input = line;
        finding.set(fault);
    }
    if finding.input.len() < original.len() {
        finding.shortened_from = Some(original.len() / 2);
    }
    Ok(())
}

/// Returns simpler packets, shortest first: without parts, then with words and bytes set to zero.
fn candidates(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut candidates = Vec::new();
    let mut size = bytes.len().next_power_of_two() / 2;
    while size >= 1 {
        for start in (0..bytes.len()).step_by(size) {
            let end = (start + size).min(bytes.len());
            candidates.push([&bytes[..start], &bytes[end..]].concat());
        }
        size /= 2;
    }
    for size in [4, 1] {
        for start in (0..bytes.len()).step_by(size) {
            let end = (start + size).min(bytes.len());
            if bytes[start..end].iter().any(|byte| *byte != 0) {
                let mut zeroed = bytes.to_vec();
                zeroed[start..end].fill(0);
                candidates.push(zeroed);
            }
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_is_shorter_or_has_more_zeros() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let simpler = |candidate: &[u8]| {
            let zeros = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == 0).count();
            candidate.len() < bytes.len() || zeros(candidate) > zeros(&bytes)
        };
        assert!(candidates(&bytes).iter().all(|candidate| simpler(candidate)));
        assert!(candidates(&bytes).iter().any(|candidate| candidate == &bytes[..8]));
    }
}
