//! Platforms by Godot's names.

use std::collections::BTreeSet;
use std::env::consts::{ARCH, OS};
use std::fmt;

use crate::manifest::Library;

/// The features of a platform, such as `linux` and `x86_64`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Platform {
    features: BTreeSet<String>,
    name: String,
}

impl Platform {
    /// Creates a platform. The order of the features is the order in its name.
    #[must_use]
    pub fn new(features: impl IntoIterator<Item = String>) -> Self {
        let features: Vec<String> = features.into_iter().collect();
        Self { name: features.join("-"), features: features.into_iter().collect() }
    }

    /// Returns the platform of this program.
    #[must_use]
    pub fn host() -> Self {
        // Rust and Godot have different names only for architectures.
        let machine = match ARCH {
            "aarch64" => "arm64",
            "x86" => "x86_32",
            "riscv64" => "rv64",
            other => other,
        };
        Self::new([OS.to_owned(), machine.to_owned()])
    }

    /// Returns whether a debug or release engine on this platform loads the library.
    #[must_use]
    pub fn loads(&self, library: &Library) -> bool {
        library
            .features
            .iter()
            .all(|feature| feature == "debug" || feature == "release" || self.features.contains(feature))
    }

    /// Returns whether this is macOS on any architecture.
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
