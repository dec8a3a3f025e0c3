//! The tables of the report.

use super::results::{Compared, DocumentResults, Measured, Results};
use crate::implementations::{Operation, names};

/// Returns a Markdown table; the columns after the first are numbers.
pub(super) fn markdown(header: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let mut text = line(&mut header.iter().copied());
    let rule: Vec<_> = header.iter().enumerate().map(|(index, _)| if index == 0 { "---" } else { "---:" }).collect();
    text += &line(&mut rule.into_iter());
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

/// Returns the table of one operation: this crate, and how many times as long the others take.
pub(super) fn operation_table(results: &Results, operation: Operation) -> String {
    let others = [names::PEER, names::MESSAGE_PACK, names::CIBORIUM, names::JSON, names::MEMCPY];
    let others: Vec<&str> = others
        .into_iter()
        .filter(|other| results.documents.iter().any(|it| it.of(operation, other).is_some()))
        .collect();
    let mut header = vec!["document", "time", "bytes/s", "ns/value", "allocations", "peak bytes"];
    header.extend(&others);
    let rows: Vec<Vec<String>> = results
        .documents
        .iter()
        .filter_map(|document| {
            let ours = document.of(operation, names::VARBYTES)?;
            let mut row = vec![document.title.clone()];
            row.extend(numbers(document, ours));
            row.extend(others.iter().map(|other| match document.times_ours(operation, other) {
                Some(times) => format!("{times:.2}"),
                None => "cannot".to_owned(),
            }));
            Some(row)
        })
        .collect();
    markdown(&header, &rows)
}

/// Returns a table of the time of this crate, and how many times as long the others take.
pub(super) fn compared(what: &str, rows: &[Compared]) -> String {
    let mut header = vec![what];
    header.extend(rows.iter().take(1).flat_map(|row| row.times.iter().map(|(name, _)| *name)));
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let ours = row.times.iter().take(1).map(|(_, nanoseconds)| time(*nanoseconds));
            let others = row.others().map(|(_, times)| format!("{times:.2}"));
            [row.case.clone()].into_iter().chain(ours).chain(others).collect()
        })
        .collect();
    markdown(&header, &rows)
}

/// Returns the table of all measurements, and of operations that cannot be measured.
pub(super) fn full(results: &Results) -> String {
    let header = [
        "document",
        "operation",
        "implementation",
        "own bytes",
        "time",
        "own bytes/s",
        "ns/value",
        "allocations",
        "peak bytes",
        "× varbytes",
        "× memcpy",
    ];
    let mut rows = Vec::new();
    for document in &results.documents {
        for operation in Operation::ALL {
            for implementation in names::ALL {
                let beginning = [document.name.clone(), operation.name().to_owned(), implementation.to_owned()];
                if let Some(measured) = document.of(operation, implementation) {
                    let mut row = beginning.to_vec();
                    row.push(measured.memory.bytes.to_string());
                    row.extend(numbers(document, measured));
                    for base in [names::VARBYTES, names::MEMCPY] {
                        let base = document.of(operation, base);
                        row.push(base.map_or_else(String::new, |base| {
                            format!("{:.2}", measured.nanoseconds / base.nanoseconds)
                        }));
                    }
                    rows.push(row);
                } else if let Some(reason) = document.reason(operation, implementation) {
                    let mut row = beginning.to_vec();
                    row.push(format!("cannot: {reason}"));
                    row.resize(header.len(), String::new());
                    rows.push(row);
                }
            }
        }
    }
    markdown(&header, &rows)
}

/// Time, bytes per second, nanoseconds per value, allocations and peak bytes.
#[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
fn numbers(document: &DocumentResults, measured: &Measured) -> [String; 5] {
    [
        time(measured.nanoseconds),
        rate(measured.rate()),
        format!("{:.2}", measured.nanoseconds / document.values as f64),
        measured.memory.allocations.to_string(),
        measured.memory.peak.to_string(),
    ]
}

/// Formats a time in a suitable unit.
pub(super) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.1} ns"),
        ..1e6 => format!("{:.2} µs", nanoseconds / 1e3),
        ..1e9 => format!("{:.2} ms", nanoseconds / 1e6),
        _ => format!("{:.2} s", nanoseconds / 1e9),
    }
}

/// Bytes per second, in powers of 1000.
pub(super) fn rate(bytes: f64) -> String {
    if bytes < 1e9 { format!("{:.0} MB/s", bytes / 1e6) } else { format!("{:.2} GB/s", bytes / 1e9) }
}
