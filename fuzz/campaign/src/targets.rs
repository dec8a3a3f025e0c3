//! Which fuzz targets there are, and how each is run.

/// A fuzz target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// What it is called: its file in `fuzz_targets`, its folder in `corpus`.
    pub name: &'static str,
    /// The longest input that is tried, in bytes. Longer ones are slow, and what is nested deeper than an engine allows
    /// is among the vectors, for which tests hold every property.
    pub longest: usize,
}

/// Every target.
pub const TARGETS: [Target; 6] = [
    // What counts here is how many inputs are tried.
    Target { name: "decode", longest: 256 },
    Target { name: "memory", longest: 1024 },
    Target { name: "canonical", longest: 1024 },
    Target { name: "roundtrip", longest: 1024 },
    Target { name: "builders", longest: 1024 },
    Target { name: "convert", longest: 1024 },
];
