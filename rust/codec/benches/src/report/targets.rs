//! Targets, and whether they are reached.

use super::results::Results;
use super::tables::markdown;
use crate::implementations::{Operation, names};

/// A target in one case.
pub struct Target {
    /// What is measured, and in which case.
    pub what: String,
    /// What was measured.
    pub measured: f64,
    /// The target value.
    pub aim: f64,
    /// Whether less is better.
    pub at_most: bool,
}

impl Target {
    fn at_least(what: String, measured: f64, aim: f64) -> Self {
        Self { what, measured, aim, at_most: false }
    }

    fn at_most(what: String, measured: f64, aim: f64) -> Self {
        Self { what, measured, aim, at_most: true }
    }

    /// The reached share of the target; 1 or more means reached.
    #[must_use]
    pub fn reached(&self) -> f64 {
        if !self.at_most {
            return self.measured / self.aim;
        }
        // A target of zero is either reached or not.
        if self.aim == 0.0 { f64::from(u8::from(self.measured == 0.0)) } else { self.aim / self.measured }
    }
}

/// The documents on which each of the other formats should be slower.
const AGAINST_FORMATS: [&str; 7] = ["save", "save-by-id", "packet", "dictionary", "unsorted", "ascii", "unicode"];

/// The documents on which decoding by two other formats should be slower.
const AGAINST_FORMATS_DECODED: [&str; 2] = ["nested", "scene"];

/// Packed arrays that are copied as one block. Strings are not: each is an allocation.
const COPIED: &str = "packed-";
const NOT_COPIED: &str = "packed-strings";

/// Returns every target, the most missed one first.
#[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
pub(super) fn targets(results: &Results) -> Vec<Target> {
    let mut targets = Vec::new();
    for document in &results.documents {
        let name = &document.name;
        for operation in [Operation::Encode, Operation::Decode] {
            if let Some(times) = document.times_ours(operation, names::PEER) {
                targets.push(Target::at_least(format!("{name}, {}: × the peer", operation.name()), times, 3.0));
            }
            for format in names::FORMATS.iter().filter(|_| AGAINST_FORMATS.contains(&name.as_str())) {
                if let Some(times) = document.times_ours(operation, format) {
                    targets.push(Target::at_least(format!("{name}, {}: × {format}", operation.name()), times, 1.0));
                }
            }
        }
        for format in
            [names::MESSAGE_PACK, names::JSON].iter().filter(|_| AGAINST_FORMATS_DECODED.contains(&name.as_str()))
        {
            if let Some(times) = document.times_ours(Operation::Decode, format) {
                targets.push(Target::at_least(format!("{name}, decode: × {format}"), times, 1.0));
            }
        }
        if name.starts_with(COPIED)
            && name != NOT_COPIED
            && let Some(rate) = document.times_ours(Operation::Decode, names::MEMCPY)
        {
            targets.push(Target::at_least(format!("{name}, decode: rate of memcpy"), rate, 0.8));
        }
        for (operation, most) in [(Operation::Encode, 1.0), (Operation::EncodeInto, 0.0)] {
            if let Some(ours) = document.of(operation, names::VARBYTES) {
                let what = format!("{name}, {}: allocations", operation.name());
                targets.push(Target::at_most(what, ours.memory.allocations as f64, most));
            }
        }
        if name.starts_with(COPIED)
            && let Some(ours) = document.of(Operation::DecodeBorrowed, names::VARBYTES)
        {
            // The views of a PackedStringArray are in one allocation, of 16 bytes each; other arrays need none.
            let views = if name == NOT_COPIED { 1.0 } else { 0.0 };
            let what = format!("{name}, decode-borrowed: allocations");
            targets.push(Target::at_most(what, ours.memory.allocations as f64, views));
        }
        if let (Some(ours), Some(without)) =
            (document.of(Operation::Decode, names::VARBYTES), document.of(Operation::Decode, names::UNSEARCHED))
        {
            let what = format!("{name}, decode: time × without search for duplicate keys");
            targets.push(Target::at_most(what, ours.nanoseconds / without.nanoseconds, 1.1));
        }
    }
    if let Some(save) = results.document("save") {
        if let Some(check) = save.of(Operation::Check, names::VARBYTES) {
            targets.push(Target::at_least("save, check: GB/s".to_owned(), check.rate() / 1e9, 1.5));
        }
        if let Some(decode) = save.of(Operation::Decode, names::VARBYTES) {
            let kept = decode.memory.kept as f64;
            let what = "save, decode: tree × the smallest";
            targets.push(Target::at_most(what.to_owned(), kept / save.smallest as f64, 1.5));
            let what = "save, decode: tree × the smallest with short text inline";
            targets.push(Target::at_most(what.to_owned(), kept / save.smallest_inline as f64, 1.5));
        }
    }
    for compared in &results.structs {
        for (format, times) in compared.others() {
            let case = &compared.case;
            match format {
                "bincode" => targets.push(Target::at_most(format!("{case}: time × {format}"), 1.0 / times, 2.0)),
                "postcard" => {}
                _ => targets.push(Target::at_least(format!("{case}: × {format}"), times, 1.0)),
            }
        }
    }
    for compared in &results.look_ups {
        for (map, times) in compared.others() {
            targets.push(Target::at_most(format!("look-up, {}: time × {map}", compared.case), 1.0 / times, 2.0));
        }
    }
    targets.sort_by(|left, right| left.reached().total_cmp(&right.reached()));
    targets
}

pub(super) fn table(results: &Results) -> String {
    let rows: Vec<Vec<String>> = targets(results)
        .iter()
        .map(|target| {
            let reached = if target.reached() >= 1.0 { "yes" } else { "**no**" };
            let sign = if target.at_most { "≤" } else { "≥" };
            let aim = format!("{sign} {}", target.aim);
            vec![target.what.clone(), format!("{:.2}", target.measured), aim, reached.to_owned()]
        })
        .collect();
    markdown(&["target", "measured", "aim", "reached"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(measured: f64, aim: f64, at_most: bool) -> bool {
        Target { what: String::new(), measured, aim, at_most }.reached() >= 1.0
    }

    #[test]
    fn what_is_aimed_at_is_reached_by_the_aim_itself_and_by_better() {
        assert!(reached(3.0, 3.0, false) && reached(4.0, 3.0, false) && !reached(2.9, 3.0, false));
        assert!(reached(1.5, 1.5, true) && reached(1.0, 1.5, true) && !reached(1.6, 1.5, true));
    }

    #[test]
    fn no_allocation_at_all_is_reached_by_none_alone() {
        assert!(reached(0.0, 0.0, true) && !reached(1.0, 0.0, true));
    }
}
