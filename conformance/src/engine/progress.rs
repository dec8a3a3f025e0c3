//! Shows the progress of a fetch: a bar in a terminal, occasional lines elsewhere.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

/// The longest time without output if there is no terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Where the progress of [`fetch`](super::fetch()) is shown.
pub struct Progress {
    sink: Sink,
    stage: Option<Stage>,
}

enum Sink {
    Terminal,
    Lines,
    Nowhere,
}

/// One bar, or a series of lines.
struct Stage {
    what: String,
    bar: ProgressBar,
    unit: Unit,
    total: u64,
    quarters: u64,
    said: Instant,
}

/// The unit of a stage.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Bytes,
    Packages,
    Percent,
}

impl Progress {
    /// Shows progress on standard error: as bars in a terminal, otherwise as lines.
    #[must_use]
    pub fn stderr() -> Self {
        let terminal = io::stderr().is_terminal();
        Self::new(if terminal { Sink::Terminal } else { Sink::Lines })
    }

    /// Shows nothing.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(Sink::Nowhere)
    }

    fn new(sink: Sink) -> Self {
        Self { sink, stage: None }
    }

    /// Prints a permanent line.
    pub(super) fn say(&self, line: &str) {
        match (&self.sink, &self.stage) {
            (Sink::Nowhere, _) => {}
            (Sink::Terminal, Some(stage)) => stage.bar.suspend(|| eprintln!("{line}")),
            _ => eprintln!("{line}"),
        }
    }

    /// Starts a stage and ends the one before.
    pub(super) fn begin(&mut self, what: impl Into<String>, total: u64, unit: Unit) {
        self.end();
        let what = what.into();
        let bar = match self.sink {
            Sink::Terminal => {
                let template = match unit {
                    Unit::Bytes => {
                        "{msg} {wide_bar} {decimal_bytes:>9} of {decimal_total_bytes} {decimal_bytes_per_sec:>12} {eta:>4}"
                    }
                    Unit::Packages => "{msg} {wide_bar} {pos:>4} of {len} packages",
                    Unit::Percent => "{msg} {wide_bar} {pos:>3} %",
                };
                let style = ProgressStyle::with_template(template);
                let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
                let bar = ProgressBar::new(total).with_style(style).with_message(what.clone());
                // Drawn immediately and redrawn periodically, so that a wait does not look like a hang.
                bar.enable_steady_tick(Duration::from_millis(200));
                bar
            }
            Sink::Lines | Sink::Nowhere => ProgressBar::hidden(),
        };
        self.stage = Some(Stage { what, bar, unit, total, quarters: 0, said: Instant::now() });
    }

    /// Sets the progress of the stage.
    pub(super) fn set(&mut self, done: u64) {
        let Some(stage) = &mut self.stage else { return };
        let done = done.min(stage.total);
        stage.bar.set_position(done);
        if matches!(self.sink, Sink::Lines) {
            // Stages with a percentage take only a second or two.
            let quarters = match stage.unit {
                Unit::Percent => 0,
                _ => (done * 4).checked_div(stage.total).unwrap_or(0),
            };
            if quarters > stage.quarters || stage.said.elapsed() >= PLAIN_EVERY {
                stage.quarters = quarters;
                stage.said = Instant::now();
                eprintln!("{}", plain(&stage.what, done, stage.total, stage.unit));
            }
        }
    }

    /// Ends the stage and removes its bar.
    pub(super) fn end(&mut self) {
        if let Some(stage) = self.stage.take() {
            stage.bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // An error must not be printed into the middle of a bar.
        self.end();
    }
}

fn plain(what: &str, done: u64, total: u64, unit: Unit) -> String {
    match unit {
        Unit::Bytes => format!("{what}: {} of {}", megabytes(done), megabytes(total)),
        Unit::Packages => format!("{what}: {done} of {total} packages"),
        Unit::Percent => format!("{what}: {done} %"),
    }
}

/// Formats a size in whole megabytes.
pub(super) fn megabytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => HumanBytes(bytes).to_string(),
        _ => format!("{} MB", (bytes + 500_000) / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lines() {
        assert_eq!(plain("downloading", 39_250_000, 157_000_000, Unit::Bytes), "downloading: 39 MB of 157 MB");
        assert_eq!(plain("unpacking", 30, 121, Unit::Packages), "unpacking: 30 of 121 packages");
        assert_eq!(plain("reading", 50, 100, Unit::Percent), "reading: 50 %");
    }
}
