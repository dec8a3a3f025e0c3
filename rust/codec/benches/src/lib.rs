//! Benchmarks of the codec: documents, implementations, measurements and the report.
//!
//! The programs beside this library measure: `benches/times.rs` with criterion, `count-allocations` with a counting
//! allocator, `instruction-counts` with callgrind. `benchmark` runs all of them and writes the report.

#[cfg(feature = "comparisons")]
pub mod curve;
pub mod documents;
#[cfg(feature = "comparisons")]
pub mod implementations;
pub mod instructions;
#[cfg(feature = "comparisons")]
pub mod report;
#[cfg(feature = "comparisons")]
pub mod smallest;
#[cfg(feature = "comparisons")]
pub mod streaming;
pub mod unsearched;

use std::path::{Path, PathBuf};

/// The folder of this package.
#[must_use]
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder for measurements.
#[must_use]
pub fn working_folder() -> PathBuf {
    folder().join("../../../target/benchmark")
}

/// The environment variable with the names of the documents to measure, separated by commas; all if it is not set.
pub const DOCUMENTS_VARIABLE: &str = "VARBYTES_BENCHMARK_DOCUMENTS";

/// The documents to measure, by name.
#[must_use]
pub fn wanted_documents() -> Vec<documents::Document> {
    let wanted = std::env::var(DOCUMENTS_VARIABLE).ok();
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted.split(',').any(|other| other == name));
    documents::DOCUMENTS.iter().filter(|document| is_wanted(document.name)).copied().collect()
}
