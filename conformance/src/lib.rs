//! Reference vectors that running engines wrote, and what holds `varbytes` to them.
//!
//! A vector is data that any implementation can use: bytes in hexadecimal and the value in tagged JSON, a
//! line each, in the folder `vectors/`. [`vectors`] reads them, [`check`] holds the codec to them,
//! [`generate`] has one of the engines of [`reference`](mod@reference) write them anew, and [`damage`] with [`judge`] asks a
//! running engine about packets that nobody wrote down. [`live`] keeps an engine running and asks it about many
//! packets, and about values that it makes by a [`recipe`].

pub mod check;
pub mod compare;
pub mod damage;
pub mod derived;
pub mod differential;
pub mod divergences;
pub mod engine;
pub mod generate;
pub mod judge;
pub mod live;
pub mod recipe;
pub mod reference;
#[cfg(feature = "command")]
pub mod report;
pub mod vectors;

use std::path::PathBuf;

/// The folder of the committed vectors.
#[must_use]
pub fn vectors_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The code in the README of the whole project, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct ReadmeExamples;
