//! The Godot addon: the GDScript classes `VarBytes`, `VarBytesOptions`, `VarBytesResult`, `VarBytesFile`,
//! `VarBytesStream` and `VarBytesTask`.
//!
//! The crate `varbytes` reads and writes the format. This crate connects it to the engine. From top to bottom:
//!
//! - `var_bytes`, `options`, `result`, `file`, `connection`, `task`: the classes that scripts use;
//! - `options_arg`, `other_engine`: what the options of a call mean;
//! - `decode` and `build`: bytes to engine values; `encode`: engine values to bytes;
//! - `policy`: which objects a packet may create; `floods`: keys chosen to slow the engine down; `limits`;
//! - `engine_profile`, `scripts`, `error`, `outcome`: used by all of these;
//! - `raw`: direct access to engine values, with all `unsafe` code.
//!
//! Files import only from files further down.

mod allowed_list;
mod build;
mod connection;
mod decode;
mod encode;
mod engine_profile;
mod error;
mod file;
mod floods;
#[cfg(feature = "editor-help")]
mod help;
mod limits;
mod options;
mod options_arg;
mod other_engine;
mod outcome;
mod policy;
mod raw;
mod result;
mod scripts;
mod task;
mod var_bytes;

raw::declare_library!(crate::register, crate::task::end_all);

/// Registers what the derive macros of the bindings cannot: an enum, and methods without argument conversion.
fn register() {
    result::VarBytesResult::register_error_kinds();
    var_bytes::VarBytes::register_built_ins();
}
