//! The fuzz targets, and how each is run.

use std::path::PathBuf;

use crate::addon::ADDON;
use crate::fuzz_folder;

/// A fuzz target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name, which is its folder in `corpus` and its file in `fuzz_targets` (the target inside an engine has no
    /// file).
    pub name: &'static str,
    /// The maximum length of inputs in bytes. Longer inputs are slow, and nesting beyond an engine's limit is covered
    /// by the vectors, on which tests check every property.
    pub longest: usize,
    /// Where it runs.
    pub runs: Runs,
}

/// Where a target runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// In a separate process.
    Alone,
    /// In a separate process that asks engines.
    AskingEngines,
    /// Inside an engine, which runs libFuzzer's loop.
    InsideEngine,
}

impl Target {
    /// Returns libFuzzer's options for runners other than the campaign, in OSS-Fuzz's format.
    #[must_use]
    pub fn options(&self) -> String {
        format!("[libfuzzer]\nmax_len = {}\n", self.longest)
    }

    /// Returns the file with these options.
    #[must_use]
    pub fn options_file(&self) -> PathBuf {
        fuzz_folder().join("options").join(format!("{}.options", self.name))
    }
}

/// Every target.
pub const TARGETS: [Target; 10] = [
    // The number of inputs matters most here.
    Target { name: "decode", longest: 256, runs: Runs::Alone },
    Target { name: "memory", longest: 1024, runs: Runs::Alone },
    Target { name: "canonical", longest: 1024, runs: Runs::Alone },
    Target { name: "roundtrip", longest: 1024, runs: Runs::Alone },
    Target { name: "builders", longest: 1024, runs: Runs::Alone },
    Target { name: "convert", longest: 1024, runs: Runs::Alone },
    // Long enough for keys that are nested deeper than an engine compares.
    Target { name: "work", longest: 16_384, runs: Runs::Alone },
    Target { name: "engine_decode", longest: 256, runs: Runs::AskingEngines },
    // Longer values take most of the time in the engine's script.
    Target { name: "engine_encode", longest: 128, runs: Runs::AskingEngines },
    Target { name: ADDON, longest: 1024, runs: Runs::InsideEngine },
];
