//! What the reader and the writer are told besides the bytes and the value.

use crate::coerce::EngineBuild;
use crate::wire::MAX_DEPTH;
use crate::{Limits, Precision, Profile};

/// How to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct ReadOptions {
    pub(crate) profile: Profile,
    /// Whether full objects may be read, as data.
    pub(crate) objects: bool,
    /// Whether only what the engine itself would write is read.
    pub(crate) strict: bool,
    /// Whether that includes zeroes in padding that the engine leaves undefined.
    pub(crate) zero_padding: bool,
    /// Whether values of typed dictionaries must match their type; strict reading asks for that too.
    pub(crate) enforces_types: bool,
    pub(crate) limits: Limits,
    /// The precision of the engine in whose place we read; `None` keeps what the wire has.
    pub(crate) precision: Option<Precision>,
    /// Whether that engine is a release build.
    pub(crate) is_release: bool,
    /// Whether the bytes were written from a tree, so that no key comes twice.
    pub(crate) keys_are_unique: bool,
    /// Whether values are read as they were meant where the engine reads them wrongly.
    pub(crate) fixes_engine_bugs: bool,
    /// Whether the fast path is turned off, for tests that compare it with the slow path.
    pub(crate) slow_path_only: bool,
}

impl ReadOptions {
    /// How the engine was built in whose place we read.
    pub(crate) fn build(&self) -> EngineBuild {
        EngineBuild { precision: self.precision, is_release: self.is_release }
    }

    /// The greatest depth that is read; the outermost value is at 0.
    #[inline]
    pub(crate) fn greatest_depth(&self) -> usize {
        let depth = self.profile.depth();
        let limited = depth.reading || (depth.writing && self.strict);
        let engine = if limited { MAX_DEPTH } else { usize::MAX };
        self.limits.depth.min(engine)
    }
}

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct WriteOptions {
    pub(crate) profile: Profile,
    /// Whether objects with class and properties may be written.
    pub(crate) objects: bool,
    /// The precision of the engine in whose place we write; `None` keeps what the value has.
    pub(crate) precision: Option<Precision>,
    /// Whether values are written as they are meant where the engine writes them wrongly.
    pub(crate) fixes_engine_bugs: bool,
}
