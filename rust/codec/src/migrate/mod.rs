//! From one engine generation to another.
//!
//! A value is read as one engine reads it and made into what another can hold: types are renumbered, and where
//! the other has no such type, renamed, widened or taken apart. Whatever does not come out exactly as it was is
//! reported with its path, what it was and why: a migration without [`Loss`] is exact.
//!
//! ```
//! use varbytes::migrate::Migration;
//! use varbytes::{Profile, Variant};
//!
//! // A Godot 3 save: a Dictionary with a PoolIntArray.
//! let save = [
//!     18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, b'h', b'i', b'g', b'h', //
//!     21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0,
//! ];
//! let converted = Migration::new(Profile::GODOT_3_5, Profile::GODOT_4_6).migrate_bytes(&save)?;
//! assert!(converted.losses.is_empty());
//! let value = varbytes::decode(&converted.value)?;
//! let Variant::Dictionary(save) = value else { panic!("{value:?}") };
//! assert_eq!(save.get("high"), Some(&Variant::from(vec![99i32])));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod leaf;
mod loss;
mod names;
mod rebuild;

use alloc::vec::Vec;
use core::fmt;

use loss::Losses;
pub use loss::{Loss, LossKind, Migrated};
pub use names::Names;

use crate::path::Path;
use crate::wire::MAX_DEPTH;
use crate::{DecodeError, Decoder, EncodeError, Encoder, Limits, Precision, Profile, Variant};

/// How to convert: from which engine to which, with or without objects, under which names.
#[derive(Clone, Debug)]
pub struct Migration {
    from: Profile,
    to: Profile,
    objects: bool,
    precision: Option<Precision>,
    limits: Limits,
    names: Names,
    max_losses: usize,
}

impl Default for Migration {
    fn default() -> Self {
        Self::new(Profile::default(), Profile::default())
    }
}

/// Why bytes could not be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationError {
    /// They could not be read.
    Decode(DecodeError),
    /// What they held could not be written: it is nested too deep, or too long.
    Encode(EncodeError),
}

impl fmt::Display for MigrationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => write!(formatter, "cannot be read: {error}"),
            Self::Encode(error) => write!(formatter, "cannot be written: {error}"),
        }
    }
}

impl core::error::Error for MigrationError {}

impl From<DecodeError> for MigrationError {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl From<EncodeError> for MigrationError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl Migration {
    /// Losses that are listed unless [`max_losses`](Self::max_losses) says otherwise.
    pub const MAX_LOSSES: usize = 1000;

    /// From one engine to another, without full objects and with all names left alone.
    #[must_use]
    pub fn new(from: Profile, to: Profile) -> Self {
        Self {
            from,
            to,
            objects: false,
            precision: None,
            limits: Limits::default(),
            names: Names::default(),
            max_losses: Self::MAX_LOSSES,
        }
    }

    /// Whether full objects are read and written, as data. Otherwise bytes with one are refused.
    #[must_use]
    pub fn objects(mut self, objects: bool) -> Self {
        self.objects = objects;
        self
    }

    /// The precision to write with; without this, each value keeps the one it has, if the engine has it.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = Some(precision);
        self
    }

    /// What the input may use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The greatest number of losses that are listed, each with its path; the others are counted by kind in
    /// [`Migrated::unlisted`]. What a list takes in memory is bounded by that.
    ///
    /// ```
    /// use varbytes::migrate::{Migration, LossKind};
    /// use varbytes::{Profile, Variant};
    ///
    /// let ids = Variant::from(vec![Variant::RID(7); 5000]);
    /// let migration = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).max_losses(10);
    /// let converted = migration.migrate(&ids);
    /// assert_eq!((converted.losses.len(), converted.unlisted[&LossKind::RidId]), (10, 4990));
    /// ```
    #[must_use]
    pub fn max_losses(mut self, max_losses: usize) -> Self {
        self.max_losses = max_losses;
        self
    }

    /// The names of classes and properties that change.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// The value that `bytes` begin with, as bytes of the other engine.
    ///
    /// What an engine is known to read wrongly is read as it was meant, and what follows the value is left alone.
    /// Values nested deeper than 1024 levels are refused, whatever the engine.
    ///
    /// # Errors
    /// [`MigrationError`].
    pub fn migrate_bytes(&self, bytes: &[u8]) -> Result<Migrated<Vec<u8>>, MigrationError> {
        // Most engines read and write no deeper, and the paths of what is lost deeper could be as long as the input.
        let limits = Limits { depth: self.limits.depth.min(MAX_DEPTH), ..self.limits };
        let decoder = Decoder::new().profile(self.from).objects(self.objects).limits(limits);
        let decoded = decoder.fix_engine_bugs(true).decode_prefix(bytes)?;
        Ok(Migrated { consumed: decoded.consumed, ..self.migrate_to_bytes(&decoded.value)? })
    }

    /// Returns the value as bytes of the other engine. [`migrate_bytes`](Self::migrate_bytes) calls this after reading.
    ///
    /// # Errors
    /// Returns an error if the value is nested too deep or too long to be written.
    pub fn migrate_to_bytes(&self, value: &Variant) -> Result<Migrated<Vec<u8>>, EncodeError> {
        let (value, mut losses) = self.rebuild(value);
        let mut encoder = Encoder::new().profile(self.to).objects(self.objects).fix_engine_bugs(true);
        if let Some(precision) = self.precision {
            encoder = encoder.precision(precision);
        }
        let written = encoder.encode(&value)?;
        if !losses.kinds().any(|kind| EXPLAINS_READING.contains(&kind)) && !self.reads_back(&written) {
            losses.add(
                LossKind::ReadsBackDifferently,
                format_args!("{} of {} bytes", value.variant_type(), written.len()),
                Path::default,
            );
        }
        Ok(losses.of(written, 0))
    }

    /// Whether the engine reads from `written` what they were written for.
    fn reads_back(&self, written: &[u8]) -> bool {
        let engine = Decoder::new().profile(self.to).objects(self.objects);
        match (engine.decode(written), engine.strict(true).decode(written)) {
            (Ok(read), Ok(meant)) => read.bit_eq(&meant),
            _ => false,
        }
    }

    /// The value as the other engine can hold it.
    #[must_use]
    pub fn migrate(&self, value: &Variant) -> Migrated<Variant> {
        let (value, losses) = self.rebuild(value);
        losses.of(value, 0)
    }

    fn rebuild(&self, value: &Variant) -> (Variant, Losses) {
        rebuild::rebuild(self, value)
    }
}

/// Losses that say already why what is written is read differently.
const EXPLAINS_READING: [LossKind; 4] =
    [LossKind::EqualKeys, LossKind::UnreadableText, LossKind::NodePath, LossKind::ReadsBackDifferently];

#[cfg(test)]
mod tests;
