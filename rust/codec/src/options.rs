//! Options for reading and writing.

use crate::coerce::EngineBuild;
use crate::wire::MAX_DEPTH;
use crate::{Architecture, DecodeError, DecodeErrorKind, Limits, Precision, Profile};

/// Declares methods that set one option each and return the settings.
macro_rules! setters {
    ($($(#[$attribute:meta])* $name:ident($value:ident: $type:ty) => $option:ident: $new:expr;)*) => {$(
        $(#[$attribute])*
        #[must_use]
        pub fn $name(mut self, $value: $type) -> Self {
            self.options.$option = $new;
            self
        }
    )*};
}
pub(crate) use setters;

/// Options for reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadOptions {
    pub(crate) profile: Profile,
    /// Whether full objects are read, as data.
    pub(crate) objects: bool,
    /// Whether only bytes that the engine itself would write are accepted.
    pub(crate) strict: bool,
    /// Whether padding that the engine leaves undefined must be zero in strict decoding.
    pub(crate) zero_padding: bool,
    /// Whether values of typed dictionaries must match their type. Strict decoding requires this too.
    pub(crate) enforces_types: bool,
    pub(crate) limits: Limits,
    /// The precision of the emulated engine; `None` keeps the precision on the wire.
    pub(crate) precision: Option<Precision>,
    /// Whether the emulated engine is a release build.
    pub(crate) is_release: bool,
    /// The processor architecture of the emulated engine.
    pub(crate) architecture: Architecture,
    /// Whether values that the engine reads incorrectly are read as intended.
    pub(crate) fixes_engine_bugs: bool,
    /// Whether text that is not Unicode is read exactly as a writer with `keeps_text` wrote it. Only [`exact`](Self::exact) sets
    /// this, so it lifts the engine's limit on depth too.
    pub(crate) keeps_text: bool,
    /// Whether text keeps a byte order mark.
    pub(crate) keeps_marks: bool,
    /// Disables the fast path, for tests that compare it with the slow path.
    pub(crate) slow_path_only: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ReadOptions {
    pub(crate) const DEFAULT: Self = Self {
        profile: Profile::NEWEST,
        objects: false,
        strict: false,
        zero_padding: false,
        enforces_types: false,
        limits: Limits::NONE,
        precision: None,
        is_release: false,
        architecture: Architecture::X86_64,
        fixes_engine_bugs: false,
        keeps_text: false,
        keeps_marks: false,
        slow_path_only: false,
    };

    /// Reads every value as [`WriteOptions::exact`] wrote it.
    #[cfg(feature = "serde")]
    pub(crate) fn exact(profile: Profile) -> Self {
        Self { profile, objects: true, fixes_engine_bugs: true, keeps_text: true, keeps_marks: true, ..Self::DEFAULT }
    }

    /// Returns how the emulated engine was built.
    pub(crate) fn build(&self) -> EngineBuild {
        EngineBuild { precision: self.precision, is_release: self.is_release, architecture: self.architecture }
    }

    /// Returns the deepest level that is read; the outermost value is at level 0.
    #[inline]
    pub(crate) fn greatest_depth(&self) -> usize {
        // What `WriteOptions::exact` wrote can be deeper: some engines write what they do not read.
        let limited = !self.keeps_text
            && (self.profile.limits_reading_depth() || (self.profile.limits_writing_depth() && self.strict));
        let engine = if limited { MAX_DEPTH } else { usize::MAX };
        self.limits.depth.min(engine)
    }

    /// Returns an error of a part of the value with the limits of the whole value, instead of what was left of them.
    #[cold]
    pub(crate) fn with_whole_limits(&self, error: DecodeError) -> DecodeError {
        let Limits { memory, values, packed_elements, .. } = self.limits;
        let kind = match error.kind() {
            DecodeErrorKind::DepthLimit { .. } => DecodeErrorKind::DepthLimit { limit: self.greatest_depth() },
            DecodeErrorKind::MemoryLimit { .. } => DecodeErrorKind::MemoryLimit { limit: memory },
            DecodeErrorKind::ValueLimit { .. } => DecodeErrorKind::ValueLimit { limit: values },
            DecodeErrorKind::ElementLimit { .. } => DecodeErrorKind::ElementLimit { limit: packed_elements },
            _ => return error,
        };
        DecodeError::new(kind, error.offset()).with_path(error.path().clone())
    }
}

/// Options for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WriteOptions {
    pub(crate) profile: Profile,
    /// Whether full objects are written.
    pub(crate) objects: bool,
    /// The precision of the emulated engine; `None` keeps the precision of the value.
    pub(crate) precision: Option<Precision>,
    /// Whether values that the engine writes incorrectly are written as intended.
    pub(crate) fixes_engine_bugs: bool,
    /// Whether text that is not Unicode is written by its units, whatever the engine does.
    pub(crate) keeps_text: bool,
    /// Whether names of fields and of enum variants are written as `StringName`. Only serde has such names.
    pub(crate) names_as_string_names: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl WriteOptions {
    pub(crate) const DEFAULT: Self = Self {
        profile: Profile::NEWEST,
        objects: false,
        precision: None,
        fixes_engine_bugs: false,
        keeps_text: false,
        names_as_string_names: false,
    };

    /// Writes every value that the engine of the profile has so that [`ReadOptions::exact`] returns it.
    #[cfg(feature = "serde")]
    pub(crate) fn exact(profile: Profile) -> Self {
        Self { profile, objects: true, fixes_engine_bugs: true, keeps_text: true, ..Self::DEFAULT }
    }
}
