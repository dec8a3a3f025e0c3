//! Conformance tests: compares `varbytes` with vectors that running engines wrote, and with the engines themselves.
//!
//! A vector is a line of data that any implementation can use: bytes in hexadecimal and the value in tagged JSON. The
//! vectors are in the folder `vectors/`. [`vectors`] reads them, [`check`] checks the codec against them, and
//! [`generate`] lets an engine of [`reference`](mod@reference) write them. [`damage`] makes damaged packets, and
//! [`judge`] asks a running engine about them. [`live`] keeps an engine running and asks it about packets, and about
//! values made by a [`recipe`]. [`suite`] checks any codec that answers lines.

#[cfg(feature = "command")]
pub mod browser;
pub mod check;
pub mod compare;
pub mod damage;
pub mod derived;
pub mod differential;
pub mod divergences;
#[cfg(feature = "command")]
pub mod embedded;
pub mod engine;
pub mod exported;
pub mod generate;
pub mod judge;
pub mod live;
pub mod recipe;
pub mod reference;
#[cfg(feature = "command")]
pub mod report;
#[cfg(feature = "command")]
pub mod suite;
pub mod vectors;

use std::path::PathBuf;

/// The folder of the committed vectors.
#[must_use]
pub fn vectors_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The code in the project's README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct ReadmeExamples;
