//! Measures how much memory a call needs in addition to its result, as the kernel reports it.

use std::fmt::Write;

use anyhow::{Context, Result};
use varbytes_conformance::engine::Engine;

use crate::suites::{Project, ends_with};

/// The smallest result in KiB that is measured. The engine's own threads use up to this much.
const LEAST: u64 = 1 << 10;

/// Cases with at least this share of the result are marked.
const TARGET: f64 = 0.1;

/// Settings of the C library's allocator: it gets large blocks from the kernel and returns them at once. Otherwise memory that
/// was freed before a call could be used again without being measured.
const ALLOCATOR: [(&str, &str); 2] = [("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "131072")];

/// The growth of a process by a call, in KiB.
#[derive(Clone, Copy)]
struct Growth {
    /// The highest growth during the call.
    peak: u64,
    /// The growth after the call.
    after: u64,
}

/// Measures every case of the benchmark in both directions, each call in its own process. Returns a table.
///
/// # Errors
/// Returns an error if a measurement does not finish.
pub fn measure(project: &Project, engine: &Engine) -> Result<String> {
    let prepared = run(project, engine, &["--prepare"])?;
    let mut table = format!(
        "{:<27} {:<6} {:>11} | {:>15} {:>10} {:>7}\n",
        "case", "", "result KiB", "built-in beyond", "VarBytes", "share"
    );
    for line in prepared.lines().filter_map(|line| line.strip_prefix("CASE ")) {
        let mut words = line.splitn(3, ' ');
        let (index, _, name) = words
            .next()
            .zip(words.next())
            .zip(words.next())
            .map(|((a, b), c)| (a, b, c))
            .context("a case has no name")?;
        for direction in ["encode", "decode"] {
            let of = |by| growth(project, engine, index, direction, by);
            let (built_in, ours) = (of("built-in")?, of("VarBytes")?);
            // Both return the same value. Other memory that one of them keeps is not part of it.
            let result = built_in.after.min(ours.after);
            if result < LEAST {
                continue;
            }
            let beyond = |growth: Growth| growth.peak.saturating_sub(result);
            #[expect(clippy::cast_precision_loss, reason = "a share of two decimals")]
            let share = beyond(ours) as f64 / result as f64;
            let mark = if share < TARGET { "" } else { " <" };
            writeln!(
                table,
                "{name:<27} {direction:<6} {result:>11} | {:>15} {:>10} {:>5.1} %{mark}",
                beyond(built_in),
                beyond(ours),
                100.0 * share
            )?;
        }
    }
    Ok(table)
}

fn growth(project: &Project, engine: &Engine, index: &str, direction: &str, by: &str) -> Result<Growth> {
    let said = run(project, engine, &["--measure", index, "--direction", direction, "--by", by])?;
    let measured = said.lines().find_map(|line| line.strip_prefix("MEASURED "));
    let (peak, after) = measured.and_then(|numbers| numbers.split_once(' ')).context("nothing was measured")?;
    Ok(Growth { peak: peak.parse()?, after: after.parse()? })
}

fn run(project: &Project, engine: &Engine, arguments: &[&str]) -> Result<String> {
    let mut request = project.request("res://benchmark/memory.gd");
    request.arguments = arguments.iter().map(Into::into).collect();
    request.environment = ALLOCATOR.iter().map(|(name, value)| (name.into(), value.into())).collect();
    let output = engine.run(&request)?;
    ends_with(&output, "VARBYTES MEMORY DONE")?;
    Ok(output.stdout)
}
