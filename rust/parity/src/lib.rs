//! The suite in Rust that holds the addon to the built-ins, inside a running engine.
//!
//! This is an extension of its own, beside the addon: it calls `VarBytes` by name, as any extension or script does, so
//! what it tries is the very library that users get, and nothing of it is in there. `cargo package-addon --test`
//! builds it and puts it into a copy of the project, where `res://tests/suites/in_rust.gd` runs it. The fuzz target `addon`
//! links it, for the property that [`Addon`] is.

mod calls;
mod census;
mod checks;
mod compare;
mod fuzzed;
mod lacking;
mod library;
mod parity;
mod random_values;
mod report;
mod variety;

pub use fuzzed::Addon;
