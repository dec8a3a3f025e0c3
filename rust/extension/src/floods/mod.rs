//! Floods of the engine's own hash tables, which a packet can be made for.
//!
//! The engine's hashes have no seed, so anyone can choose keys that all belong to one place of a Dictionary's table, or
//! names that all belong to one chain of the table of names; each new one is then compared with all before it. Here the
//! steps that the engine will take are added up before it takes them. A packet that needs far more of them than honest
//! ones do is refused.

mod names;
mod table;

use std::collections::HashMap;
use std::hash::BuildHasher;

use godot::builtin::{NodePath, Variant};
use godot::meta::ToGodot;
use varbytes::DecodeErrorKind;

use self::names::Names;
use self::table::{Counted, Table};
use crate::raw::{self as engine, DictionaryFill, Key};

/// Dictionaries with no more entries are not watched: whatever their keys are, each takes few steps.
const SMALL: usize = 64;
/// Steps in tables of Dictionaries that are allowed to a packet, besides those for each of its keys. A step takes about
/// a nanosecond.
const STEPS: u64 = 1 << 21;
/// Steps allowed to each key whose hash is well mixed.
const STEPS_FOR_MIXED: u64 = 16;
/// Steps allowed to each text: these, and the square of the number of texts divided by [`TEXTS_SQUARED_FOR_A_STEP`], up to
/// a greatest number. The engine's hash of text leaves texts that differ little close together, and the more of them there
/// are, the closer: of 36,000 numbers in hexadecimal each takes 700 steps, of 590,000 each takes 3,700.
const STEPS_FOR_TEXT: u64 = 256;
const TEXTS_SQUARED_FOR_A_STEP: u64 = 2_400_000;
const MOST_STEPS_FOR_TEXT: u64 = 4096;
/// Keys of one hash that are allowed once keys pile up: the engine compares each of them with all others.
const OF_ONE_HASH: u64 = 64;
/// Text of more characters is compared for longer than a key is inserted.
const LONG: usize = 64;
/// The work of hashing and comparing large keys that is allowed to a packet, beside one for each four of its bytes, which
/// is what a value takes at least.
const WORK: u64 = 1 << 13;

/// What the values made of one packet do to the engine's tables.
pub(crate) struct Floods {
    /// Nothing is counted where the engine's own behaviour is asked for.
    counts: bool,
    /// Steps allowed to the Dictionaries that were finished, less the steps they took.
    room: i64,
    /// Work with large keys that is left.
    work: u64,
    names: Names,
    names_refused: bool,
}

/// The keys of one Dictionary.
pub(crate) struct Keys {
    table: Option<Table>,
    texts: u64,
    mixed: u64,
    /// How many large keys there are of each hash.
    large: HashMap<u32, u32>,
}

impl Floods {
    /// For a packet of that many bytes.
    pub(crate) fn of_packet(length: usize) -> Self {
        Self { work: WORK + length as u64 / 4, counts: true, ..Self::allowed() }
    }

    /// For values that are made as the engine makes them.
    pub(crate) fn allowed() -> Self {
        Self { counts: false, room: STEPS as i64, work: 0, names: Names::default(), names_refused: false }
    }

    /// What is to be known of the keys of a Dictionary of that size.
    #[inline]
    pub(crate) fn begin_dictionary(&self, size: usize) -> Option<Box<Keys>> {
        if size <= SMALL || !self.counts { None } else { Some(Keys::new(Some(Table::new(size)))) }
    }

    /// Counts a key before it is inserted.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Flood`].
    #[inline]
    pub(crate) fn key(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        dictionary: &mut DictionaryFill,
    ) -> Result<(), DecodeErrorKind> {
        if keys.is_some() || (self.counts && engine::is_container(key)) {
            return self.watched_key(keys, key, dictionary);
        }
        Ok(())
    }

    fn watched_key(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        dictionary: &mut DictionaryFill,
    ) -> Result<(), DecodeErrorKind> {
        let keys = keys.get_or_insert_with(|| Keys::new(None));
        let hash = match engine::key(key) {
            Key::Mixed(hash) => {
                keys.mixed += 1;
                hash
            }
            Key::Text { hash, length } => {
                keys.texts += 1;
                if length > LONG {
                    let again = keys.again(hash);
                    self.spend(length as u64 / 8, 2 * again)?;
                }
                hash
            }
            Key::Path => {
                keys.mixed += 1;
                self.path_key(keys, key)?
            }
            Key::Container => {
                keys.mixed += 1;
                let weight = engine::weight(key, self.work);
                self.spend(weight, 1)?;
                let hash = engine::hash(key);
                let again = keys.again(hash);
                self.spend(weight, 2 * again)?;
                hash
            }
        };
        let Some(table) = &mut keys.table else { return Ok(()) };
        match table.count(hash) {
            Counted::Fine => return Ok(()),
            Counted::Crowded => {}
            Counted::Full => table.grow(dictionary.len()),
            Counted::Piled => {
                if keys.again(hash) >= OF_ONE_HASH {
                    return Err(flood("dictionary keys"));
                }
                if !keys.table.as_ref().is_some_and(Table::is_crowded) {
                    return Ok(());
                }
            }
        }
        if keys.room() + self.room < 0 {
            return Err(flood("dictionary keys"));
        }
        Ok(())
    }

    /// To hash a NodePath, the engine makes names of all its names together.
    fn path_key(&mut self, keys: &mut Keys, key: &Variant) -> Result<u32, DecodeErrorKind> {
        let path: NodePath = key.try_to().unwrap_or_default();
        // Asked for the names of an empty path, the engine prints errors.
        if !path.is_empty() {
            self.name(&path.get_concatenated_names().to_variant());
            self.name(&path.get_concatenated_subnames().to_variant());
        }
        self.refuse_names()?;
        let hash = engine::hash(key);
        let again = keys.again(hash);
        self.spend((path.get_name_count() + path.get_subname_count()) as u64, again)?;
        Ok(hash)
    }

    /// The Dictionary is complete.
    #[inline]
    pub(crate) fn end_dictionary(&mut self, keys: Option<Box<Keys>>) {
        if let Some(mut keys) = keys {
            self.room = self.room.saturating_add(keys.room());
        }
    }

    fn spend(&mut self, weight: u64, times: u64) -> Result<(), DecodeErrorKind> {
        match self.work.checked_sub(weight.saturating_mul(times)) {
            Some(left) => self.work = left,
            None => return Err(flood("large dictionary keys")),
        }
        Ok(())
    }

    /// Counts a name that was made, a StringName.
    #[inline]
    pub(crate) fn name(&mut self, name: &Variant) {
        if self.counts && self.names.count(|_| engine::name_identity(name), || engine::hash(name)) {
            self.names_refused = true;
        }
    }

    /// Counts a name before it is made; whether it may be.
    pub(crate) fn text_of_name(&mut self, text: &str) -> bool {
        if self.counts && self.names.count(|seed| seed.hash_one(text) | 1, || engine::hash_of_text(text)) {
            self.names_refused = true;
        }
        !self.names_refused
    }

    /// Whether no more names are to be made.
    #[inline]
    pub(crate) const fn are_names_refused(&self) -> bool {
        self.names_refused
    }

    /// # Errors
    /// [`DecodeErrorKind::Flood`] where there were too many names for a chain.
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

    /// How many large keys of that hash there were; now there is one more.
    fn again(&mut self, hash: u32) -> u64 {
        let count = self.large.entry(hash).or_insert(0);
        *count += 1;
        u64::from(*count - 1)
    }

    /// The steps allowed to the keys, less the steps they took.
    fn room(&mut self) -> i64 {
        let Some(table) = &mut self.table else { return 0 };
        let for_text = MOST_STEPS_FOR_TEXT.min(STEPS_FOR_TEXT + self.texts * self.texts / TEXTS_SQUARED_FOR_A_STEP);
        let allowed = self.mixed * STEPS_FOR_MIXED + self.texts * for_text;
        allowed as i64 - table.steps() as i64
    }
}
