//! The Godot addon: the GDScript classes `VarBytes`, `VarBytesOptions`, `VarBytesResult`, `VarBytesFile`,
//! `VarBytesStream` and `VarBytesTask`.
//!
//! The crate `varbytes` reads and writes the format. This crate connects it to the engine. From top to bottom:
//!
//! - `var_bytes`, `var_bytes_tools`, `result`, `file`, `connection`, `task`: the classes that scripts use;
//! - `tagged_json`, `readable`, `hash`, `diff`, `patch`: the calls that show, compare and change values;
//! - `options_arg`, `refused_values`: what the options of a call mean; `options`, `plain_options`, `allowed_list`, `other_engine`: their
//!   class;
//! - `decode`, `packet_check` and `build`: bytes to engine values, or a check; `encode`: engine values to bytes;
//! - `policy`: which objects a packet may create; `floods`: keys chosen to slow the engine down; `limits`;
//! - `engine_profile`, `lookup_cache`, `other_format`, `scripts`, `signals`, `error`, `outcome`, `help`: used by all of these;
//! - `raw`: direct access to engine values, with all `unsafe` code.
//!
//! Files import only from files further down.
//!
//! Comments speak of *store-forwarding stalls*: the processor waits when it loads at once what was just stored in several smaller
//! parts. So values are passed in registers, written where they belong, or copied word by word.

mod allowed_list;
mod build;
mod connection;
mod decode;
mod diff;
mod encode;
mod engine_profile;
mod error;
mod file;
mod floods;
mod hash;
#[cfg(feature = "editor-help")]
mod help;
mod limits;
mod lookup_cache;
mod options;
mod options_arg;
mod other_engine;
mod other_format;
mod outcome;
mod packet_check;
mod patch;
mod plain_options;
mod policy;
mod raw;
mod readable;
mod refused_values;
mod result;
mod scripts;
mod signals;
mod tagged_json;
mod task;
mod var_bytes;
mod var_bytes_tools;

raw::declare_library!(crate::register, crate::quit, crate::end, crate::result::VarBytesResult);

/// Registers what the derive macros of the bindings cannot: an enum, and methods without argument conversion.
fn register() {
    result::VarBytesResult::register_error_kinds();
    result::VarBytesResult::register_members(<var_bytes::VarBytes as godot::obj::GodotClass>::class_id());
    var_bytes::VarBytes::register_built_ins();
    file::VarBytesFile::register_members();
    connection::VarBytesStream::register_members();
    raw::keep_called::<file::VarBytesFile>();
    raw::keep_called::<connection::VarBytesStream>();
    raw::keep_called::<options::VarBytesOptions>();
    raw::keep_called::<task::VarBytesTask>();
    raw::open_pool::<result::VarBytesResult>();
    raw::keep_between_calls();
}

/// Ends what uses scripts, while they still work.
fn quit() {
    task::end_all();
    <result::VarBytesResult as raw::HasPool>::pool().close_before_languages();
}

/// Releases what refers to the engine's objects.
fn end() {
    task::free_all();
    raw::keep_nothing();
    <result::VarBytesResult as raw::HasPool>::pool().close();
}
