//! The results of a part of the suite.

use std::fmt::Write;

use godot::prelude::*;

/// The number of failures to show.
const SHOWN: usize = 10;

/// The number of checks and failures.
#[derive(Debug, Default)]
pub(crate) struct Report {
    checks: u64,
    failures: u64,
    shown: Vec<String>,
}

impl Report {
    /// Adds a check. `what` describes it and is called only if it failed.
    pub(crate) fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        self.checks += 1;
        if !holds {
            self.failures += 1;
            if self.shown.len() < SHOWN {
                self.shown.push(what());
            }
        }
    }

    /// Returns the first failures as an error.
    ///
    /// # Errors
    /// Returns an error if a check failed.
    pub(crate) fn passed(self) -> Result<(), String> {
        if self.failures == 0 { Ok(()) } else { Err(self.shown.join("\n")) }
    }

    /// Adds the results of another part.
    pub(crate) fn add(&mut self, other: Self) {
        self.checks += other.checks;
        self.failures += other.failures;
        self.shown.extend(other.shown.into_iter().take(SHOWN.saturating_sub(self.shown.len())));
    }

    /// Returns the results for a script.
    pub(crate) fn to_dictionary(&self) -> VarDictionary {
        let shown: PackedStringArray = self.shown.iter().map(GString::from).collect();
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        vdict! { "checks" => number(self.checks), "failures" => number(self.failures), "shown" => &shown }
    }
}

/// Returns the first bytes of a packet in hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes.iter().take(300) {
        let _ = write!(text, "{byte:02x}");
    }
    if bytes.len() > 300 {
        let _ = write!(text, "… ({} bytes)", bytes.len());
    }
    text
}
