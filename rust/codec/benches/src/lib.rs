//! What is measured, and how it is shown.
//!
//! The programs beside this library do the measuring: `benches/times.rs` with criterion, `count-allocations` with an
//! allocator that counts, `instruction-counts` with callgrind, `benchmark` all of them and the report.

pub mod curve;
pub mod documents;
pub mod implementations;
pub mod instructions;
pub mod report;
pub mod smallest;
pub mod streaming;
pub mod unsearched;

use std::path::{Path, PathBuf};

/// The folder of this package.
#[must_use]
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where measurements are put before they are shown.
#[must_use]
pub fn working_folder() -> PathBuf {
    folder().join("../../../target/benchmark")
}

/// The variable that names the documents to measure, separated by commas; all of them where it is not set.
pub const DOCUMENTS_VARIABLE: &str = "VARBYTES_BENCHMARK_DOCUMENTS";

/// The documents to measure, by name.
#[must_use]
pub fn wanted_documents() -> Vec<documents::Document> {
    let wanted = std::env::var(DOCUMENTS_VARIABLE).ok();
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted.split(',').any(|other| other == name));
    documents::DOCUMENTS.iter().filter(|document| is_wanted(document.name)).copied().collect()
}
