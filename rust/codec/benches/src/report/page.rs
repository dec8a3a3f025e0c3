//! Writes the results into the README, between its markers.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

use super::results::Results;
use super::{plot, tables, targets};
use crate::curve::Curve;
use crate::folder;
use crate::implementations::Operation;
use crate::streaming::{ALLOWED, Streamed};

const BEGIN: &str = "<!-- Written by `cargo benchmark` from here … -->\n";
const END: &str = "<!-- … to here. -->\n";

/// Content of the page besides the results of the documents.
pub struct Extras {
    /// The tools and the machine.
    pub conditions: String,
    /// Cost over size.
    pub curves: Vec<Curve>,
    /// Records larger than memory.
    pub records: Streamed,
    /// A value larger than memory.
    pub members: Streamed,
    /// Instructions of a case with and without the search for duplicate keys.
    pub key_search: Vec<(String, u64, u64)>,
}

/// Returns all measurements as a Markdown table.
#[must_use]
pub fn full_table(results: &Results) -> String {
    tables::full(results)
}

/// Writes the results into the README, and the plots and the full table beside it.
///
/// # Errors
/// If a file cannot be written, or the README lacks the markers.
pub fn write_page(results: &Results, extras: &Extras) -> Result<()> {
    plot::documents(results, &folder().join("documents.svg"))?;
    plot::curves(&extras.curves, &folder().join("curve.svg"))?;
    let full = format!(
        "# All measurements\n\n{}\n\nBytes refer to the implementation's own format. \"cannot\" is followed by the reason.\n\n{}",
        extras.conditions,
        full_table(results)
    );
    fs::write(folder().join("RESULTS.md"), full).context("cannot write RESULTS.md")?;

    let path = folder().join("README.md");
    let readme = fs::read_to_string(&path).context("cannot read the README")?;
    let (before, rest) = readme.split_once(BEGIN).context("the README lacks the marker where results begin")?;
    let (_, after) = rest.split_once(END).context("the README lacks the marker where results end")?;
    let text = format!("{before}{BEGIN}{}{END}{after}", body(results, extras));
    fs::write(&path, text).context("cannot write the README")
}

fn body(results: &Results, extras: &Extras) -> String {
    let mut text = format!("\n{}\n\n## Targets\n\n{}", extras.conditions, targets::table(results));
    text += "\n## Documents\n\nTimes are for this crate. The columns of other implementations show how many times as long they take.\n";
    text += "\n![nanoseconds per value](documents.svg)\n";
    for (operation, title) in [
        (Operation::Encode, "Encode, into a new buffer"),
        (Operation::EncodeInto, "Encode, into a given buffer"),
        (Operation::Decode, "Decode, owned"),
        (Operation::DecodeBorrowed, "Decode, borrowed"),
        (Operation::Check, "Check only"),
    ] {
        text += &format!("\n### {title}\n\n{}", tables::operation_table(results, operation));
    }
    text += &format!(
        "\n## Rust types, by serde\n\nTimes are for this crate; the other columns show how many times as long the same \
         derives take in other formats.\n\n{}\n## Look-ups of 10,000 keys\n\n{}",
        tables::compared("Rust type", &results.structs),
        tables::compared("keys", &results.look_ups),
    );
    text += &format!("\n## Cost over size\n\n![nanoseconds per byte](curve.svg)\n\n{}", curve_table(&extras.curves));
    text += &format!("\n## Duplicate keys\n\n{}", key_table(&extras.key_search));
    text += &format!(
        "\n## Larger than memory\n\nThrough a pipe, with {} MiB of address space:\n\n- `varbytes convert --records` read \
         and converted records, one at a time: {}.\n- `StreamDecoder` read one Array, member by member: {}.\n\n",
        ALLOWED >> 20,
        shown(extras.records),
        shown(extras.members)
    );
    text
}

#[expect(clippy::cast_precision_loss, reason = "shown with few digits")]
fn shown(Streamed { bytes, time }: Streamed) -> String {
    let rate = tables::rate(bytes as f64 / time.as_secs_f64());
    format!("{} in {} ({rate})", plot::size(bytes as f64), seconds(time))
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn curve_table(curves: &[Curve]) -> String {
    let sizes: Vec<f64> = curves.first().map_or_else(Vec::new, |curve| curve.points.iter().map(|it| it.0).collect());
    let mut header = vec!["ns/byte at".to_owned()];
    header.extend(sizes.iter().map(|bytes| plot::size(*bytes)));
    header.push("slowest / fastest from 1 MB".to_owned());
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = curves
        .iter()
        .map(|curve| {
            let mut row = vec![curve.name.clone()];
            row.extend(curve.points.iter().map(|point| format!("{:.3}", point.1)));
            let spread =
                if curve.looks_at_every_byte() { format!("{:.2}", curve.spread(1e6)) } else { "–".to_owned() };
            row.push(spread);
            row
        })
        .collect();
    tables::markdown(&header, &rows)
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn key_table(counts: &[(String, u64, u64)]) -> String {
    let rows: Vec<Vec<String>> = counts
        .iter()
        .map(|(name, with, without)| {
            let ratio = *with as f64 / *without as f64;
            vec![name.clone(), with.to_string(), without.to_string(), format!("{ratio:.2}")]
        })
        .collect();
    tables::markdown(&["instructions", "with the search", "without", "ratio"], &rows)
}
