//! Migration of values between engine versions.
//!
//! A value is read as the source engine reads it and converted to what the target engine supports. Types get new ids; a
//! type that the target lacks is replaced, for example by a wider type or an array. Everything that is not preserved
//! exactly is reported as a [`Loss`] with its path and the reason.
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

pub use loss::{Loss, LossKind, Migrated};
pub use names::Names;

use crate::escape::{MESSAGE_LENGTH, shortened};
use crate::options::setters;
use crate::path::Path;
use crate::wire::MAX_DEPTH;
use crate::{DecodeError, Decoder, EncodeError, Encoder, Limits, Precision, Profile, Variant};

/// Settings of a migration: source and target engine, objects, precision, limits, names.
///
/// ```
/// use varbytes::migrate::{Migration, Names};
/// use varbytes::variant::ObjectData;
/// use varbytes::{Limits, Precision, Profile, Variant};
///
/// let migration = Migration::new("3.6".parse()?, Profile::NEWEST)
///     .objects(true)
///     .names(Names::new().class("Reference", "RefCounted"))
///     .precision(Precision::Single)
///     .limits(Limits::NONE.memory(1 << 20));
/// let reference = Variant::from(ObjectData { class: "Reference".into(), properties: vec![] });
/// assert_eq!(migration.migrate(&reference).value.as_object().unwrap().class, "RefCounted");
/// # Ok::<(), varbytes::UnknownProfile>(())
/// ```
#[derive(Clone, Debug)]
pub struct Migration {
    from: Profile,
    to: Profile,
    options: Options,
}

#[derive(Clone, Debug)]
struct Options {
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

/// Why a migration of bytes failed.
///
/// ```
/// use varbytes::Profile;
/// use varbytes::migrate::{Migration, MigrationError};
///
/// let error = Migration::new(Profile::GODOT_3_5, Profile::GODOT_4_6).migrate_bytes(&[2, 0]).unwrap_err();
/// let MigrationError::Decode(error) = error else { unreachable!() };
/// assert_eq!(error.offset(), 0);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum MigrationError {
    /// The input could not be decoded.
    Decode(DecodeError),
    /// The result could not be encoded: it is nested too deep, or it is too long.
    Encode(EncodeError),
}

/// Shows at most [`MESSAGE_LENGTH`] characters, escaped.
impl fmt::Display for MigrationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, error): (_, &dyn fmt::Display) = match self {
            Self::Decode(error) => ("read", error),
            Self::Encode(error) => ("written", error),
        };
        fmt::Display::fmt(&shortened(format_args!("cannot be {what}: {error}"), MESSAGE_LENGTH), formatter)
    }
}

/// Shows at most [`MESSAGE_LENGTH`] characters, escaped.
impl fmt::Debug for MigrationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, error): (_, &dyn fmt::Debug) = match self {
            Self::Decode(error) => ("Decode", error),
            Self::Encode(error) => ("Encode", error),
        };
        fmt::Display::fmt(&shortened(format_args!("{name}({error:?})"), MESSAGE_LENGTH), formatter)
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
    /// The default of [`max_losses`](Self::max_losses).
    pub const MAX_LOSSES: usize = 1000;

    /// Creates a migration between two engines, without full objects and without new names.
    ///
    /// [`Migration`] has an example.
    #[must_use]
    pub fn new(from: Profile, to: Profile) -> Self {
        let (limits, names, max_losses) = (Limits::default(), Names::default(), Self::MAX_LOSSES);
        Self { from, to, options: Options { objects: false, precision: None, limits, names, max_losses } }
    }

    setters! {
        /// Sets whether full objects are read and written, as data. By default, bytes with a full object are refused.
        ///
        /// [`Migration`] has an example.
        objects(objects: bool) => objects: objects;

        /// Sets the precision of the output. By default, each value keeps its precision if the target supports it.
        ///
        /// [`Migration`] has an example.
        precision(precision: Precision) => precision: Some(precision);

        /// Sets the limits for decoding the input.
        ///
        /// [`Migration`] has an example.
        limits(limits: Limits) => limits: limits;

        /// Sets the greatest number of losses that are listed, each with its path. This bounds the memory of the list.
        /// Further losses are counted by kind in [`Migrated::unlisted`].
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
        max_losses(max_losses: usize) => max_losses: max_losses;

        /// Sets the new names of classes and properties.
        ///
        /// [`Migration`] has an example.
        names(names: Names) => names: names;
    }

    /// Decodes the value at the start of `bytes`, and encodes it for the target engine.
    ///
    /// Values that the source engine is known to read incorrectly are read as intended. Bytes after the value are
    /// ignored. Values nested deeper than 1024 levels are refused for every engine.
    ///
    /// ```
    /// use varbytes::migrate::Migration;
    /// use varbytes::{Profile, variant};
    ///
    /// // PoolIntArray([99]) in Godot 3
    /// let old = [21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0];
    /// let migrated = Migration::new(Profile::GODOT_3_5, Profile::GODOT_4_6).migrate_bytes(&old)?;
    /// assert_eq!(varbytes::decode(&migrated.value)?, variant!(vec![99i32]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`MigrationError`] if the input cannot be decoded or the result cannot be encoded.
    pub fn migrate_bytes(&self, bytes: &[u8]) -> Result<Migrated<Vec<u8>>, MigrationError> {
        // Most engines read and write no deeper, and paths of deeper losses could be as long as the input.
        let limits = Limits { depth: self.options.limits.depth.min(MAX_DEPTH), ..self.options.limits };
        let decoder = Decoder::new().profile(self.from).objects(self.options.objects).limits(limits);
        let decoded = decoder.fix_engine_bugs(true).decode_prefix(bytes)?;
        Ok(Migrated { consumed: decoded.consumed, ..self.migrate_to_bytes(&decoded.value)? })
    }

    /// Returns the value as bytes of the other engine. [`migrate_bytes`](Self::migrate_bytes) calls this after reading.
    ///
    /// ```
    /// use varbytes::migrate::Migration;
    /// use varbytes::{Decoder, Profile, variant};
    ///
    /// let migration = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5);
    /// let old = migration.migrate_to_bytes(&variant!({"hp": 7}))?;
    /// assert_eq!(Decoder::new().profile(Profile::GODOT_3_5).decode(&old.value)?["hp"], 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the value is nested too deep or too long to be written.
    pub fn migrate_to_bytes(&self, value: &Variant) -> Result<Migrated<Vec<u8>>, EncodeError> {
        let (value, mut losses) = self.rebuild(value);
        let mut encoder = Encoder::new().profile(self.to).objects(self.options.objects).fix_engine_bugs(true);
        if let Some(precision) = self.options.precision {
            encoder = encoder.precision(precision);
        }
        let written = encoder.encode(&value)?;
        if !losses.kinds().any(|kind| EXPLAINS_READING.contains(&kind)) && !self.reads_back(&value, &written) {
            losses.add(
                LossKind::ReadsBackDifferently,
                format_args!("{} of {} bytes", value.variant_type(), written.len()),
                Path::default,
            );
        }
        Ok(losses.of(written))
    }

    /// Returns whether the engine reads `written` back as the value, or as what is meant by the bytes, which may have another
    /// precision.
    fn reads_back(&self, value: &Variant, written: &[u8]) -> bool {
        let engine = Decoder::new().profile(self.to).objects(self.options.objects);
        let is_meant = |read: &Variant| engine.strict(true).decode(written).is_ok_and(|meant| meant.bit_eq(read));
        engine.decode(written).is_ok_and(|read| read.bit_eq(value) || is_meant(&read))
    }

    /// Converts a value to what the target engine supports.
    ///
    /// ```
    /// use varbytes::migrate::Migration;
    /// use varbytes::{Profile, Variant};
    ///
    /// let name = Variant::StringName("jump".into());
    /// let migrated = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).migrate(&name);
    /// assert_eq!(migrated.value, Variant::String("jump".into()));
    /// ```
    #[must_use]
    pub fn migrate(&self, value: &Variant) -> Migrated<Variant> {
        let (value, losses) = self.rebuild(value);
        losses.of(value)
    }
}

/// Losses that already explain why the engine reads back a different value.
const EXPLAINS_READING: [LossKind; 4] =
    [LossKind::DuplicateKeys, LossKind::UnreadableText, LossKind::NodePath, LossKind::ReadsBackDifferently];

#[cfg(test)]
mod tests;
