//! What was measured, brought together and shown.

mod page;
mod plot;
mod results;
mod tables;
mod targets;

use serde::{Deserialize, Serialize};

use crate::implementations::{Cannot, Operation};

pub use page::{Extras, full_table, write_page};
pub use results::Results;

/// What the program that counts allocations says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// A document, before what is measured of it.
    #[expect(missing_docs, reason = "as in Document and Smallest")]
    Document {
        document: String,
        title: String,
        nodes: usize,
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
    /// What is done.
    pub operation: Operation,
    /// Who does it.
    pub implementation: String,
    /// Bytes of the document in the implementation's own format.
    pub bytes: usize,
    /// How many allocations; growing one counts as another.
    pub allocations: u64,
    /// The most bytes in use at once, the result among them.
    pub peak: u64,
    /// Bytes that the result takes.
    pub kept: u64,
}
