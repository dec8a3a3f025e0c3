//! Properties that hold for any bytes and any value, judged by a running engine.
//!
//! A property takes the bytes of a fuzzer's input. Engines answer in batches, so a disagreement may concern an earlier
//! input. This crate then saves and reports that input, see [`session`]. The workspace's tests use a [`Judge`]
//! directly, on the committed corpus.

pub mod finding;
pub mod input;
pub mod judge;
pub mod session;

pub use input::EngineInput;
pub use judge::{Fault, Judge, Target};

use varbytes_fuzz_properties::Property;

/// Every property, with the names of the fuzz targets.
pub const PROPERTIES: [Property; 2] = [("engine_decode", engine_decode), ("engine_encode", engine_encode)];

/// The engine and the codec agree on any bytes: the verdict, the bytes used, and the bytes written for the value.
///
/// # Panics
/// If they disagree, and each input is judged separately.
pub fn engine_decode(input: &[u8]) {
    session::submit(Target::Decode, input);
}

/// The engine and the codec write the same bytes for any value that a script can make.
///
/// # Panics
/// If they disagree, and each input is judged separately.
pub fn engine_encode(input: &[u8]) {
    session::submit(Target::Encode, input);
}
