//! Compares the addon with the engine's built-in functions, in a running engine.
//!
//! This is a separate extension. It calls `VarBytes` by name, as scripts do, so it tests exactly the library that users get.
//! `cargo package-addon --test` builds it and adds it to a copy of the project, where `res://tests/suites/in_rust.gd` runs
//! it. The fuzz target `addon` links it for the property [`Addon`].

mod calls;
mod census;
mod checks;
mod compare;
mod fuzzed;
mod lacking;
mod library;
mod parity;
mod paths;
mod random_values;
mod report;
mod variety;

pub use fuzzed::Addon;
