//! The fuzz targets: what they start from, and how they are run.

pub mod seeds;

use std::path::PathBuf;

/// The folder of the fuzz targets.
#[must_use]
pub fn fuzz_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
