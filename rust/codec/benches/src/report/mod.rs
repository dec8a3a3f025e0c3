//! The report: measurements, combined and shown.

mod page;
mod plot;
mod results;
mod tables;
mod targets;

use serde::{Deserialize, Serialize};

use crate::implementations::{Cannot, Operation};

pub use page::{Extras, full_table, write_page};
pub use results::Results;

/// A line of output of the program that counts allocations.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// A document, before its measurements.
    #[expect(missing_docs, reason = "as in Document and Smallest")]
    Document {
        document: String,
        title: String,
        values: usize,
        smallest: usize,
        smallest_inline: usize,
        cannot: Vec<Cannot>,
    },
    /// One task.
    Memory(Memory),
}

/// The memory that one task takes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// The document's name.
    pub document: String,
    /// The operation.
    pub operation: Operation,
    /// The implementation.
    pub implementation: String,
    /// Bytes of the document in the implementation's own format.
    pub bytes: usize,
    /// Number of allocations; growing one counts as another.
    pub allocations: u64,
    /// Peak bytes in use, including the result.
    pub peak: u64,
    /// Bytes of the result.
    pub kept: u64,
}
