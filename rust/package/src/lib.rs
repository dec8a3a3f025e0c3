//! The Godot addon as a file that people install: built, packed, looked through, and tried in a new project.

pub mod archive;
#[cfg(unix)]
mod disk;
pub mod exported;
pub mod lacking;
pub mod library;
pub mod manifest;
pub mod memory;
pub mod platform;
pub mod suites;
pub mod trial;

use std::path::{Path, PathBuf};

/// Where the addon stands in every project, and so in the zip.
pub const ADDON: &str = "addons/varbytes";

/// The name of the file that tells Godot of the libraries.
pub const MANIFEST: &str = "varbytes.gdextension";

/// The folder of the whole repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").components().collect()
}

/// The addon's folder in the repository, with all but the libraries.
#[must_use]
pub fn addon_folder(repository: &Path) -> PathBuf {
    repository.join("godot_project").join(ADDON)
}
