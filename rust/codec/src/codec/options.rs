//! What the reader and the writer are told besides the bytes and the value.

use crate::{Limits, Precision, Profile};

/// How to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct ReadOptions {
    pub(crate) profile: Profile,
    /// Whether full objects may be read, as data.
    pub(crate) objects: bool,
    /// Whether only what the engine itself would write is read.
    pub(crate) strict: bool,
    pub(crate) limits: Limits,
    /// The precision of the engine in whose place we read; `None` keeps what the wire has.
    pub(crate) precision: Option<Precision>,
    /// Whether the bytes were written from a tree, so that no key comes twice.
    pub(crate) keys_are_unique: bool,
}

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct WriteOptions {
    pub(crate) profile: Profile,
    /// Whether objects with class and properties may be written.
    pub(crate) full_objects: bool,
    /// The precision of the engine in whose place we write; `None` keeps what the value has.
    pub(crate) precision: Option<Precision>,
    /// Whether null objects keep their own form, which no engine writes.
    pub(crate) keep_null_objects: bool,
}
