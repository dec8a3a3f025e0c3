//! The core of Godot (`core/` of its sources) in the process of a fuzzer, beside the codec.
//!
//! [`build()`] compiles a core with coverage counters into a library, [`Process`] loads one, and the properties compare
//! it with the codec. [`build_program()`] compiles an engine that runs scripts. The fuzz targets `core_decode`, `core_objects` and
//! `core_encode` call them.

mod build;
mod core;
mod mutate;
mod process;
mod properties;
mod tools;

pub use build::{Options, build, build_program};
pub use core::{Core, Flavour, Source};
pub use mutate::{MUTATOR_VARIABLE, mutate};
pub use process::Process;
pub use properties::{CORE_VARIABLE, PROPERTIES, SCRIPTS, core_decode, core_encode, core_objects, start};
pub use tools::llvm_tool;
