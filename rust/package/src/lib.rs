//! Builds the Godot addon, packs it into a zip, checks the zip, and tests it in running engines.

pub mod archive;
pub mod benchmark;
pub mod binaries;
pub mod emulated;
mod examples;
pub mod exported;
#[cfg(target_os = "linux")]
pub mod fresh;
pub mod lacking;
pub mod library;
#[cfg(unix)]
mod limited;
pub mod manifest;
pub mod memory;
pub mod platform;
pub mod profile;
pub mod suites;
pub mod third_party;
pub mod tools;
pub mod trial;

use std::path::{Path, PathBuf};

/// The folder of the addon in every project, and so in the zip.
pub const ADDON: &str = "addons/varbytes";

/// The folder of the demo in its project.
pub const DEMO: &str = "demo";

/// The name of the file that lists the libraries for Godot.
pub const MANIFEST: &str = "varbytes.gdextension";

/// Returns the folder of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").components().collect()
}

/// Returns the addon's folder in the repository, which has everything but the libraries.
#[must_use]
pub fn addon_folder(repository: &Path) -> PathBuf {
    repository.join("godot_project").join(ADDON)
}
