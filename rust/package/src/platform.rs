//! Platforms by Godot's names, and how their libraries are built on another machine.

use std::collections::BTreeSet;
use std::env::consts::{ARCH, OS};
use std::fmt;

use crate::manifest::Library;

/// The platforms that `--all` builds: every desktop platform of Godot's official builds with 64 bits.
const BUILT_ANYWHERE: [Build; 5] = [
    Build { platform: "linux-x86_64", targets: &["x86_64-unknown-linux-gnu"], floor: Floor::Glibc(2, 17) },
    Build { platform: "linux-arm64", targets: &["aarch64-unknown-linux-gnu"], floor: Floor::Glibc(2, 17) },
    Build { platform: "windows-x86_64", targets: &["x86_64-pc-windows-gnullvm"], floor: Floor::Windows(6, 0) },
    Build { platform: "windows-arm64", targets: &["aarch64-pc-windows-gnullvm"], floor: Floor::Windows(6, 0) },
    Build { platform: "macos", targets: &["aarch64-apple-darwin", "x86_64-apple-darwin"], floor: Floor::Mac(11, 0) },
];

/// How the libraries of a platform are built.
struct Build {
    platform: &'static str,
    targets: &'static [&'static str],
    floor: Floor,
}

/// The oldest system that a library can be loaded on. The numbers are the major and the minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Floor {
    /// A version of the GNU C library.
    Glibc(u32, u32),
    /// The version of the Windows subsystem in the file's header, which the system compares with its own.
    Windows(u32, u32),
    /// A version of macOS.
    Mac(u32, u32),
}

impl Floor {
    /// Returns whether everything with this floor runs where `other` is promised.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self <= other
    }
}

/// `glibc 2.17`
impl fmt::Display for Floor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (system, major, minor) = match self {
            Self::Glibc(major, minor) => ("glibc", major, minor),
            Self::Windows(major, minor) => ("Windows subsystem", major, minor),
            Self::Mac(major, minor) => ("macOS", major, minor),
        };
        write!(formatter, "{system} {major}.{minor}")
    }
}

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

    /// Returns whether this program runs on it.
    #[must_use]
    pub fn is_host(&self) -> bool {
        self.features.is_subset(&Self::host().features)
    }

    /// Returns the platforms whose libraries can be built on any machine.
    #[must_use]
    pub fn built_anywhere() -> Vec<Self> {
        BUILT_ANYWHERE.iter().map(|build| Self::new(build.platform.split('-').map(str::to_owned))).collect()
    }

    /// Returns whether a debug or release engine on this platform loads the library.
    #[must_use]
    pub fn loads(&self, library: &Library) -> bool {
        library
            .features
            .iter()
            .all(|feature| feature == "debug" || feature == "release" || self.features.contains(feature))
    }

    /// Returns the names of Rust's targets for it. macOS has two, for one library.
    #[must_use]
    pub fn targets(&self) -> &'static [&'static str] {
        self.build().map_or(&[], |build| build.targets)
    }

    /// Returns the oldest system that the libraries run on, if they are built here for any machine.
    #[must_use]
    pub fn floor(&self) -> Option<Floor> {
        self.build().map(|build| build.floor)
    }

    /// Returns Godot's names of the machines that a library is for, in alphabetical order.
    #[must_use]
    pub fn machines(&self) -> Vec<&str> {
        if self.is_every_mac() {
            return vec!["arm64", "x86_64"];
        }
        self.features
            .iter()
            .map(String::as_str)
            .filter(|feature| !["linux", "windows", "macos", "android"].contains(feature))
            .collect()
    }

    /// Returns whether this is macOS on any architecture.
    #[must_use]
    pub fn is_every_mac(&self) -> bool {
        self.features.len() == 1 && self.features.contains("macos")
    }

    fn build(&self) -> Option<&'static Build> {
        BUILT_ANYWHERE.iter().find(|build| build.platform == self.name)
    }
}

/// `linux-x86_64`, as in the name of a zip.
impl fmt::Display for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}
