//! Refuses packets whose keys or names are chosen to collide in the engine's hash tables.
//!
//! The engine's hash functions have no seed. So a sender can choose keys that all hash to one slot of a Dictionary's table, or
//! names that all hash to one chain of the table of names. Each new one is then compared with all earlier ones. This module
//! counts the steps that the engine will take before it takes them, and refuses a packet that needs far more steps than
//! packets that engines write.

mod names;
mod table;

use std::collections::HashMap;
use std::hash::BuildHasher;

use godot::builtin::{NodePath, Variant};
use godot::meta::ToGodot;
use varbytes::DecodeErrorKind;

use self::names::Names;
use self::table::{Counted, Table};
use crate::raw::{self, DictionaryFill, Key};

/// Keys of Dictionaries with at most this many entries are not counted: each takes few steps in any case.
const SMALL: usize = 64;
/// The steps in tables of Dictionaries that a packet may take, in addition to those for each key. A step takes about a
/// nanosecond.
const STEPS: u64 = 1 << 21;
/// The steps allowed for each key with a well-distributed hash.
const STEPS_FOR_MIXED: u64 = 16;
/// The steps allowed for each string: this number plus the square of the number of strings divided by
/// [`TEXTS_SQUARED_FOR_A_STEP`], up to [`MOST_STEPS_FOR_TEXT`]. The engine's hash maps similar strings to close values, and
/// more so the more there are: 36,000 hexadecimal numbers take 700 steps each, 590,000 take 3,700 each.
const STEPS_FOR_TEXT: u64 = 256;
const TEXTS_SQUARED_FOR_A_STEP: u64 = 2_400_000;
const MOST_STEPS_FOR_TEXT: u64 = 4096;
/// The keys with the same hash that are allowed in a full region. The engine compares each of them with all others.
const OF_ONE_HASH: u64 = 64;
/// Comparing longer strings takes longer than inserting a key.
const LONG: usize = 64;
/// The work of hashing and comparing large keys that a packet may take, in addition to one unit for every four bytes, the
/// least size of a value.
const WORK: u64 = 1 << 13;

/// Counts the steps that the values of one packet take in the engine's tables.
pub(crate) struct Floods {
    /// False if the engine's own behaviour is wanted. Nothing is counted then.
    counts: bool,
    /// The steps allowed for finished Dictionaries minus the steps that they took.
    steps_left: i64,
    /// The work with large keys that is left.
    work: u64,
    names: Names,
    names_refused: bool,
}

/// The keys of one Dictionary.
pub(crate) struct Keys {
    table: Option<Table>,
    texts: u64,
    mixed: u64,
    /// The number of large keys of each hash.
    large: HashMap<u32, u32>,
}

impl Floods {
    /// Counts for a packet of that many bytes.
    pub(crate) fn of_packet(length: usize) -> Self {
        Self { work: WORK + length as u64 / 4, counts: true, ..Self::allowed() }
    }

    /// Counts nothing and refuses nothing.
    pub(crate) fn allowed() -> Self {
        Self { counts: false, steps_left: STEPS as i64, work: 0, names: Names::default(), names_refused: false }
    }

    /// Begins a Dictionary. Returns `None` if its keys need no counting.
    #[inline]
    pub(crate) fn begin_dictionary(&self, size: usize) -> Option<Box<Keys>> {
        if size <= SMALL || !self.counts { None } else { Some(Keys::new(Some(Table::new(size)))) }
    }

    /// Counts a key before it is inserted.
    ///
    /// # Errors
    /// Returns [`DecodeErrorKind::Flood`] if the keys take too many steps.
    #[inline]
    pub(crate) fn key(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        dictionary: &mut DictionaryFill,
    ) -> Result<(), DecodeErrorKind> {
        if keys.is_some() || (self.counts && raw::is_container(key)) {
            return self.count_key(keys, key, dictionary);
        }
        Ok(())
    }

    fn count_key(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        dictionary: &mut DictionaryFill,
    ) -> Result<(), DecodeErrorKind> {
        let keys = keys.get_or_insert_with(|| Keys::new(None));
        let hash = match raw::key(key) {
            Key::Mixed(hash) => {
                keys.mixed += 1;
                hash
            }
            Key::Text { hash, length } => {
                keys.texts += 1;
                if length > LONG {
                    let earlier = keys.count_hash(hash);
                    self.spend(length as u64 / 8, 2 * earlier)?;
                }
                hash
            }
            Key::Path => {
                keys.mixed += 1;
                self.path_key(keys, key)?
            }
            Key::Container => {
                keys.mixed += 1;
                let weight = raw::weight(key, self.work);
                self.spend(weight, 1)?;
                let hash = raw::hash(key);
                let earlier = keys.count_hash(hash);
                self.spend(weight, 2 * earlier)?;
                hash
            }
        };
        let Some(table) = &mut keys.table else { return Ok(()) };
        match table.count(hash) {
            Counted::Fine => return Ok(()),
            Counted::Crowded => {}
            Counted::Full => table.grow(dictionary.len()),
            Counted::FullRegion => {
                if keys.count_hash(hash) >= OF_ONE_HASH {
                    return Err(flood("dictionary keys"));
                }
                if !keys.table.as_ref().is_some_and(Table::is_crowded) {
                    return Ok(());
                }
            }
        }
        if keys.steps_left() + self.steps_left < 0 {
            return Err(flood("dictionary keys"));
        }
        Ok(())
    }

    /// Counts a NodePath as a key. To hash it, the engine creates StringNames of all its names and of all its subnames.
    fn path_key(&mut self, keys: &mut Keys, key: &Variant) -> Result<u32, DecodeErrorKind> {
        let path: NodePath = key.try_to().unwrap_or_default();
        // The engine prints errors for an empty path.
        if !path.is_empty() {
            self.name(&path.get_concatenated_names().to_variant());
            self.name(&path.get_concatenated_subnames().to_variant());
        }
        self.refuse_names()?;
        let hash = raw::hash(key);
        let earlier = keys.count_hash(hash);
        self.spend((path.get_name_count() + path.get_subname_count()) as u64, earlier)?;
        Ok(hash)
    }

    /// Completes a Dictionary.
    #[inline]
    pub(crate) fn end_dictionary(&mut self, keys: Option<Box<Keys>>) {
        if let Some(mut keys) = keys {
            self.steps_left = self.steps_left.saturating_add(keys.steps_left());
        }
    }

    fn spend(&mut self, weight: u64, times: u64) -> Result<(), DecodeErrorKind> {
        match self.work.checked_sub(weight.saturating_mul(times)) {
            Some(left) => self.work = left,
            None => return Err(flood("large dictionary keys")),
        }
        Ok(())
    }

    /// Counts a StringName after it was created.
    #[inline]
    pub(crate) fn name(&mut self, name: &Variant) {
        if self.counts && self.names.count(|_| raw::name_identity(name), || raw::hash(name)) {
            self.names_refused = true;
        }
    }

    /// Counts a name before it is created. Returns whether it may be created.
    pub(crate) fn new_name(&mut self, text: &str) -> bool {
        if self.counts && self.names.count(|seed| seed.hash_one(text) | 1, || raw::hash_of_text(text)) {
            self.names_refused = true;
        }
        !self.names_refused
    }

    /// Returns whether no more names may be created.
    #[inline]
    pub(crate) const fn are_names_refused(&self) -> bool {
        self.names_refused
    }

    /// # Errors
    /// Returns [`DecodeErrorKind::Flood`] if too many names were in one chain.
    #[inline]
    pub(crate) fn refuse_names(&self) -> Result<(), DecodeErrorKind> {
        if self.names_refused { Err(flood("names")) } else { Ok(()) }
    }
}

#[cold]
fn flood(what: &'static str) -> DecodeErrorKind {
    DecodeErrorKind::Flood { what }
}

impl Keys {
    #[cold]
    fn new(table: Option<Table>) -> Box<Self> {
        Box::new(Self { table, texts: 0, mixed: 0, large: HashMap::new() })
    }

    /// Counts a large key. Returns the number of earlier keys with the same hash.
    fn count_hash(&mut self, hash: u32) -> u64 {
        let count = self.large.entry(hash).or_insert(0);
        *count += 1;
        u64::from(*count - 1)
    }

    /// Returns the steps allowed for the keys minus the steps that they took.
    fn steps_left(&mut self) -> i64 {
        let Some(table) = &mut self.table else { return 0 };
        let for_text = MOST_STEPS_FOR_TEXT.min(STEPS_FOR_TEXT + self.texts * self.texts / TEXTS_SQUARED_FOR_A_STEP);
        let allowed = self.mixed * STEPS_FOR_MIXED + self.texts * for_text;
        allowed as i64 - table.steps() as i64
    }
}
