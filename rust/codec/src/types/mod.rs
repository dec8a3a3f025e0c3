//! The wire form of each type. Reading and writing are in the same file.

#![expect(clippy::missing_errors_doc, reason = "the documentation of `Writer` has the errors that its methods share")]

pub(crate) mod array;
pub(crate) mod container;
pub(crate) mod dictionary;
pub(crate) mod godot2;
pub(crate) mod lenient_utf8;
pub(crate) mod math;
pub(crate) mod member;
pub(crate) mod node_path;
pub(crate) mod object;
pub(crate) mod packed;
pub(crate) mod scalar;
pub(crate) mod string;
#[doc(hidden)]
pub mod utf32;
