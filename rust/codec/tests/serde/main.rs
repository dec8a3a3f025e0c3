//! Rust types through serde.
//!
//! One program, because each further one would contain the code for the same types again. The tests of untrusted bytes are one by
//! themselves, `serde_untrusted`, which builds quickly on other targets.
#![cfg(feature = "serde")]

mod buffered;
mod errors;
mod fields;
mod formats;
mod ignored_errors;
#[cfg(all(feature = "mint", feature = "glam"))]
mod math;
mod memory;
#[cfg(all(feature = "mint", feature = "glam"))]
mod packed;
mod random;
mod shapes;
#[cfg(all(feature = "mint", feature = "glam"))]
mod types;
mod values;
mod variant;
mod writing;
