//! Refuses packets whose keys or names are chosen to collide in the engine's hash tables.
//!
//! The engine's hash functions have no seed. So a sender can choose keys that all hash to one slot of a Dictionary's table, or
//! names that all hash to one chain of the table of names. Each new one is then compared with all earlier ones. This module
//! counts the steps that the engine will take before it takes them, and refuses a packet that needs far more steps than
//! packets that engines write.
//!
//! Counting every key and name would slow ordinary packets down, so only a random sample is counted: of the keys of a large
//! Dictionary by their positions in the packet, of the names by their identities. A packet cannot predict the sample, so no
//! choice of keys avoids it. In a small Dictionary every key is counted. Of the paths that are keys or in keys, a sample is counted in
//! any Dictionary: to hash a path, the engine creates StringNames of all its names and of all its subnames.

mod keys;
mod names;
mod property_texts;
mod sample;
mod table;

use std::hash::BuildHasher;

use godot::builtin::{NodePath, Variant};
use godot::meta::ToGodot;
use varbytes::DecodeErrorKind;

pub(crate) use self::keys::Keys;
use self::keys::Shown;
use self::names::Names;
pub(crate) use self::property_texts::PropertyTexts;
use self::sample::Random;
use crate::raw::{self, CountedTypes, LazyVariant, NewValue, scalar};

/// Keys of Dictionaries with at most this many entries are not counted: each takes few steps in any case.
const SMALL: usize = 64;
/// Keys are never refused while the Dictionary holds at most this many: a duplicate takes few steps then.
const FEW_KEYS: usize = 16;
/// The steps in tables of Dictionaries that a packet may take, in addition to those for each key. A step takes about a
/// nanosecond.
const STEPS: i64 = 1 << 17;
/// Additional steps for each text, and the most of these in one packet.
const STEPS_FOR_FIRST_TEXTS: u64 = 1024;
const MOST_STEPS_FOR_FIRST_TEXTS: u64 = 1 << 19;
/// The work of hashing and comparing large keys that a packet may take, in addition to one unit for every four bytes, the
/// least size of a value.
const WORK: u64 = 1 << 15;

/// Counts the steps that the values of one packet take in the engine's tables.
pub(crate) struct Floods {
    /// The types of keys that are counted in every Dictionary. None if the engine's own behaviour is wanted: nothing is counted
    /// then. All once no more names may be created: the next key is refused then.
    counted_types: CountedTypes,
    /// The steps allowed for finished Dictionaries minus the steps that they took.
    steps_left: i64,
    /// How many of their keys are texts.
    texts: u64,
    /// The work with large keys that is left.
    work: u64,
    random: Random,
    names: Names,
    /// The next path whose names are counted is this many paths ahead.
    until_path: u32,
}

impl Floods {
    /// Counts for a packet of that many bytes.
    #[inline(always)]
    pub(crate) fn of_packet(length: usize) -> Self {
        Self { work: WORK + length as u64 / 4, counted_types: CountedTypes::PATHS_AND_CONTAINERS, ..Self::allowed() }
    }

    /// Counts nothing and refuses nothing.
    #[inline(always)]
    pub(crate) fn allowed() -> Self {
        Self {
            counted_types: CountedTypes::NONE,
            steps_left: STEPS,
            texts: 0,
            work: 0,
            random: Random::default(),
            names: Names::default(),
            until_path: 0,
        }
    }

    #[inline(always)]
    pub(crate) const fn owns_nothing(&self) -> bool {
        self.names.owns_nothing()
    }

    /// Returns whether anything is counted.
    #[inline]
    pub(crate) const fn counts(&self) -> bool {
        self.counted_types.is_any()
    }

    /// Begins a Dictionary. Returns `None` if its keys need no counting.
    #[inline]
    pub(crate) fn begin_dictionary(&mut self, size: usize) -> Option<Box<Keys>> {
        if size <= SMALL || !self.counts() { None } else { Some(Keys::new(size, &mut self.random)) }
    }

    /// Returns whether a key is counted even in a small Dictionary.
    #[inline(always)]
    pub(crate) fn counts_every(&self, key: &Variant) -> bool {
        self.counted_types.contain(key)
    }

    /// Counts a key before it is inserted. `length` returns the number of entries in the Dictionary.
    ///
    /// # Errors
    /// Returns [`DecodeErrorKind::Flood`] if the keys take too many steps.
    #[inline(always)]
    pub(crate) fn key(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        length: impl FnMut() -> usize,
    ) -> Result<(), DecodeErrorKind> {
        if self.counts_every(key) {
            return self.path_or_container(keys, key, length);
        }
        self.key_of_sample(keys, key, length)
    }

    /// Counts a key that is not a path or a container, as [`key`](Self::key) does. `key` creates it if it is counted, and `length` is the
    /// number of entries before it.
    ///
    /// # Errors
    /// Returns [`DecodeErrorKind::Flood`] if the keys take too many steps.
    #[inline]
    pub(crate) fn new_key(
        &mut self,
        keys: &mut Keys,
        key: impl FnOnce() -> LazyVariant,
        length: usize,
    ) -> Result<(), DecodeErrorKind> {
        if keys.is_next_counted() { self.counted_key(keys, &key(), || length) } else { Ok(()) }
    }

    #[inline(always)]
    fn key_of_sample(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        length: impl FnMut() -> usize,
    ) -> Result<(), DecodeErrorKind> {
        if let Some(keys) = keys
            && keys.is_next_counted()
        {
            return self.counted_key(keys, key, length);
        }
        Ok(())
    }

    #[inline(never)]
    fn path_or_container(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        mut length: impl FnMut() -> usize,
    ) -> Result<(), DecodeErrorKind> {
        if raw::is_container(key) {
            let weight = self.hashed(key)?;
            if keys.is_none() && length() == 0 {
                // There is nothing to compare it with. Not counted for later keys: one more comparison for each takes little time.
                return Ok(());
            }
            let keys = keys.get_or_insert_with(|| Keys::new(0, &mut self.random));
            return self.container_key(keys, key, weight, length);
        }
        self.path(key);
        self.refuse_names()?;
        self.key_of_sample(keys, key, length)
    }

    /// Counts a key that a Dictionary has already. Does not count the work of hashing it once.
    ///
    /// # Errors
    /// Returns [`DecodeErrorKind::Flood`] if the keys take too many steps.
    pub(crate) fn known_key(
        &mut self,
        keys: &mut Option<Box<Keys>>,
        key: &Variant,
        length: usize,
    ) -> Result<(), DecodeErrorKind> {
        if self.counts_every(key) {
            self.work = self.work.saturating_add(raw::weight(key, WORK, &mut |_| ()));
        }
        self.key(keys, key, || length)
    }

    #[inline(never)]
    fn counted_key(
        &mut self,
        keys: &mut Keys,
        key: &Variant,
        length: impl FnMut() -> usize,
    ) -> Result<(), DecodeErrorKind> {
        let (hash, is_text) = raw::hash_of_key(key);
        self.count(keys, hash, is_text, length)
    }

    fn count(
        &mut self,
        keys: &mut Keys,
        hash: u32,
        is_text: bool,
        mut length: impl FnMut() -> usize,
    ) -> Result<(), DecodeErrorKind> {
        match keys.count(hash, is_text, &mut length, &mut self.random) {
            Shown::Nothing => Ok(()),
            // The others were duplicates.
            _ if length() <= FEW_KEYS => Ok(()),
            Shown::Steps if self.steps_left(keys) >= 0 => Ok(()),
            Shown::Steps | Shown::OneHash => Err(flood("dictionary keys collide in the engine's hash table")),
        }
    }

    /// Returns the steps allowed for the packet minus those it took, including the Dictionary of these keys.
    fn steps_left(&self, keys: &mut Keys) -> i64 {
        let for_first_texts = (self.texts + keys.texts()).saturating_mul(STEPS_FOR_FIRST_TEXTS);
        let steps_left = self.steps_left.saturating_add(keys.steps_left());
        steps_left.saturating_add(for_first_texts.min(MOST_STEPS_FOR_FIRST_TEXTS) as i64)
    }

    /// Counts the work of hashing a key with all its members. Returns its weight.
    fn hashed(&mut self, key: &Variant) -> Result<u64, DecodeErrorKind> {
        let weight = raw::weight(key, self.work, &mut |path| self.path(path));
        self.refuse_names()?;
        self.spend(weight, 1)?;
        Ok(weight)
    }

    /// Counts a key that is compared with all its members.
    #[inline(never)]
    fn container_key(
        &mut self,
        keys: &mut Keys,
        key: &Variant,
        weight: u64,
        length: impl FnMut() -> usize,
    ) -> Result<(), DecodeErrorKind> {
        let hash = raw::hash(key);
        self.spend(weight, 2 * keys.containers_before(hash))?;
        if keys.is_next_counted() { self.count(keys, hash, false, length) } else { Ok(()) }
    }

    /// Counts the names that the engine creates to hash a value, if it is a NodePath of the sample.
    fn path(&mut self, value: &Variant) {
        if self.until_path > 1 {
            self.until_path -= 1;
            return;
        }
        self.until_path = self.random.gap();
        let Ok(path) = value.try_to::<NodePath>() else { return };
        // One name is stored as it is. The engine prints errors for an empty path.
        if path.get_name_count() > 1 {
            self.name_of_sample(&path.get_concatenated_names().to_variant());
        }
        if path.get_subname_count() > 1 {
            self.name_of_sample(&path.get_concatenated_subnames().to_variant());
        }
    }

    /// Completes a Dictionary.
    #[inline]
    pub(crate) fn end_dictionary(&mut self, keys: &mut Keys) {
        self.steps_left = self.steps_left.saturating_add(keys.all_steps_left());
        self.texts += keys.texts();
    }

    fn spend(&mut self, weight: u64, times: u64) -> Result<(), DecodeErrorKind> {
        match self.work.checked_sub(weight.saturating_mul(times)) {
            Some(left) => self.work = left,
            None => return Err(flood("large dictionary keys are hashed or compared")),
        }
        Ok(())
    }

    /// Creates a StringName and counts it. Returns null once the packet has too many names and will be refused.
    pub(crate) fn create_name(&mut self, create: impl FnOnce() -> NewValue) -> NewValue {
        if self.are_names_refused() {
            return scalar::nil();
        }
        let name = create().into_variant();
        self.name(&name);
        name.into()
    }

    /// Counts a StringName after it was created.
    #[inline]
    pub(crate) fn name(&mut self, name: &Variant) {
        if self.counts() && self.names.count(|_| raw::name_identity(name), || raw::hash(name)) {
            self.counted_types = CountedTypes::ALL;
        }
    }

    /// Counts a name of a path of the sample.
    fn name_of_sample(&mut self, name: &Variant) {
        if self.counts() && self.names.count_one_of_sample(raw::name_identity(name), || raw::hash(name)) {
            self.counted_types = CountedTypes::ALL;
        }
    }

    /// Counts a name before it is created. Returns whether it may be created.
    pub(crate) fn new_name(&mut self, text: &str) -> bool {
        if self.counts() && self.names.count(|seed| seed.hash_one(text), || raw::hash_of_text(text)) {
            self.counted_types = CountedTypes::ALL;
        }
        !self.are_names_refused()
    }

    /// Counts names before they are created. Returns whether they may be.
    pub(crate) fn may_name(&mut self, names: &[&str]) -> bool {
        !self.counts() || names.iter().all(|name| self.new_name(name))
    }

    /// Returns whether no more names may be created.
    #[inline]
    pub(crate) const fn are_names_refused(&self) -> bool {
        self.counted_types.are_all()
    }

    /// # Errors
    /// Returns [`DecodeErrorKind::Flood`] if too many names were in one chain.
    #[inline]
    pub(crate) fn refuse_names(&self) -> Result<(), DecodeErrorKind> {
        if self.are_names_refused() { Err(flood("names collide in the engine's hash table")) } else { Ok(()) }
    }
}

#[cold]
fn flood(what: &'static str) -> DecodeErrorKind {
    DecodeErrorKind::Flood { what }
}
