//! The platforms that Godot knows, by the names it has for them.

use std::collections::BTreeSet;
use std::env::consts::{ARCH, OS};
use std::fmt;

use crate::manifest::Library;

/// What an engine says of where it runs, such as `linux` and `x86_64`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Platform {
    features: BTreeSet<String>,
    name: String,
}

impl Platform {
    /// From features in the order of the name.
    #[must_use]
    pub fn new(features: impl IntoIterator<Item = String>) -> Self {
        let features: Vec<String> = features.into_iter().collect();
        Self { name: features.join("-"), features: features.into_iter().collect() }
    }

    /// The platform this program runs on.
    #[must_use]
    pub fn host() -> Self {
        // Rust and Godot differ in the names of machines alone.
        let machine = match ARCH {
            "aarch64" => "arm64",
            "x86" => "x86_32",
            "riscv64" => "rv64",
            other => other,
        };
        Self::new([OS.to_owned(), machine.to_owned()])
    }

    /// Whether an engine there loads that library, in one kind of build or the other.
    #[must_use]
    pub fn loads(&self, library: &Library) -> bool {
        library
            .features
            .iter()
            .all(|feature| feature == "debug" || feature == "release" || self.features.contains(feature))
    }

    /// Whether it is every Mac, whatever its machine.
    #[must_use]
    pub fn is_every_mac(&self) -> bool {
        self.features.len() == 1 && self.features.contains("macos")
    }
}

/// `linux-x86_64`, as in the name of a zip.
impl fmt::Display for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}
