//! Which fuzz targets there are, and how each is run.

use std::path::PathBuf;

use crate::addon::ADDON;
use crate::fuzz_folder;

/// A fuzz target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// What it is called: its folder in `corpus` and, but for the one inside an engine, its file in `fuzz_targets`.
    pub name: &'static str,
    /// The longest input that is tried, in bytes. Longer ones are slow, and what is nested deeper than an engine allows
    /// is among the vectors, for which tests hold every property.
    pub longest: usize,
    /// What it takes to run it.
    pub runs: Runs,
}

/// Where a target runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// In a process of its own, with nothing else.
    Alone,
    /// In a process of its own, beside engines that it asks.
    AskingEngines,
    /// In an engine, whose process has libFuzzer's loop.
    InsideEngine,
}

impl Target {
    /// What runners other than the campaign are to give libFuzzer, in the form in which OSS-Fuzz reads it.
    #[must_use]
    pub fn options(&self) -> String {
        format!("[libfuzzer]\nmax_len = {}\n", self.longest)
    }

    /// The file that holds them.
    #[must_use]
    pub fn options_file(&self) -> PathBuf {
        fuzz_folder().join("options").join(format!("{}.options", self.name))
    }
}

/// Every target.
pub const TARGETS: [Target; 10] = [
    // What counts here is how many inputs are tried.
    Target { name: "decode", longest: 256, runs: Runs::Alone },
    Target { name: "memory", longest: 1024, runs: Runs::Alone },
    Target { name: "canonical", longest: 1024, runs: Runs::Alone },
    Target { name: "roundtrip", longest: 1024, runs: Runs::Alone },
    Target { name: "builders", longest: 1024, runs: Runs::Alone },
    Target { name: "convert", longest: 1024, runs: Runs::Alone },
    // Long enough for keys that are nested deeper than an engine looks.
    Target { name: "work", longest: 16_384, runs: Runs::Alone },
    Target { name: "engine_decode", longest: 256, runs: Runs::AskingEngines },
    // What is made of longer ones takes an engine's script most of the time.
    Target { name: "engine_encode", longest: 128, runs: Runs::AskingEngines },
    Target { name: ADDON, longest: 1024, runs: Runs::InsideEngine },
];
