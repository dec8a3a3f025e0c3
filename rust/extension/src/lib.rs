//! The Godot addon: `VarBytes` in GDScript.
//!
//! The rules of the format are in the crate `varbytes`; here is what the engine adds to them.

mod allowed_list;
mod builder;
mod chosen_options;
mod decode;
mod encode;
mod encode_objects;
mod engine_bytes;
mod failure;
mod file;
mod floods;
mod frames;
#[cfg(feature = "editor-help")]
mod help;
mod keys;
mod limits;
mod object_types;
mod objects;
mod options;
mod other_engine;
mod policy;
mod raw;
mod repeated;
mod result;
mod running;
mod sinks;
mod stored_properties;
mod text;
mod var_bytes;
