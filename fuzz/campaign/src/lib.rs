//! The fuzz targets: their seeds, and how they are run.

pub mod addon;
pub mod dictionary;
pub mod lines;
pub mod record;
pub mod run;
pub mod seeds;
pub mod targets;
pub mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The folder of the fuzz targets.
#[must_use]
pub fn fuzz_folder() -> PathBuf {
    let mut folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    folder.pop();
    folder
}

/// Returns the files of a folder sorted by name, or none if the folder does not exist.
///
/// # Errors
/// If the folder exists but cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}
