//! What holds for any bytes and any value, with a running engine as the judge.
//!
//! A property takes the bytes of a fuzzer's input. Engines are asked in batches, so that a disagreement may belong to
//! an earlier input than the one at hand: it is saved and named by this crate then, see [`session`]. The tests of
//! the workspace ask a [`Judge`] themselves, over the committed corpus.

pub mod finding;
pub mod input;
pub mod judge;
pub mod session;

pub use input::EngineInput;
pub use judge::{Fault, Judge, Target};

use varbytes_fuzz_properties::Property;

/// Every property, under the names of the fuzz targets.
pub const PROPERTIES: [Property; 2] = [("engine_decode", engine_decode), ("engine_encode", engine_encode)];

/// The engine and the codec agree about any bytes: whether they are read, how many of them, and what is written for
/// the value read.
///
/// # Panics
/// Where they do not, and each input is judged by itself.
pub fn engine_decode(input: &[u8]) {
    session::submit(Target::Decode, input);
}

/// The engine and the codec write the same bytes for any value that a script can make.
///
/// # Panics
/// Where they do not, and each input is judged by itself.
pub fn engine_encode(input: &[u8]) {
    session::submit(Target::Encode, input);
}
