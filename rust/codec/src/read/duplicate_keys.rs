//! Duplicate keys of a dictionary.
//!
//! The rule: if a later key equals an earlier one, the engine keeps the position and the key of the earlier entry and
//! the value of the later one. [`same_key`] decides which keys are equal. Strict reading refuses duplicate keys.
//! `Builder::DUPLICATE_KEYS` says what a builder needs to know about them.
//!
//! [`KeySet`] finds them. It keeps a list of hashes for a few keys, only the last key if keys are in ascending order,
//! and a hash table otherwise. The fast path only asks it whether a key is new, and leaves possible duplicates to the
//! slow path. The property `paths` of the fuzz targets checks that both paths agree.

use alloc::{boxed::Box, string::String, vec, vec::Vec};
use core::convert::Infallible;

use crate::variant::{KeyHasher, KeyView, MULTIPLIER, ShortText, same_key};
use crate::{Variant, work};

/// Up to this number of keys, a linear search through a list of hashes is fastest.
const FEW: usize = 8;

/// The number of values at the start of a key that are hashed if different keys have the same hash.
const FIRST_STEPS: u32 = 16;
/// The factor by which that number grows if the hashes are still the same.
const MORE_STEPS: u32 = 8;

/// An empty slot of a table. Positions are smaller: a dictionary has at most 2^31 - 1 entries.
const FREE: u64 = u64::MAX;

/// The bits of a slot that hold a part of the hash. The others hold the position.
const TAG: u64 = !0 << 32;

/// The rank of a key in a total order in which equal keys have the same rank. Any such order is correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(pub(crate) u64, pub(crate) u64, pub(crate) u64, pub(crate) u64);

/// The rank of keys without a rank, and the initial value before the first key.
pub(crate) const NO_RANK: Rank = Rank(0, 0, 0, 0);

#[inline(always)]
pub(crate) const fn rank_of_int(number: i64) -> Rank {
    Rank(1 << 32, number.cast_unsigned() ^ 1 << 63, 0, 0)
}

/// Returns the rank of short text. Longer text ranks higher, so that numbered names are in the order of their numbers.
#[inline(always)]
pub(crate) const fn rank_of_text(text: ShortText) -> Rank {
    let [first, second, third] = text.words;
    Rank(2 << 32 | text.length as u64, first.swap_bytes(), second.swap_bytes(), third.swap_bytes())
}

/// The keys of one open dictionary.
pub(crate) enum KeySet {
    /// Nothing is recorded: there can be no duplicates, or they are not searched for.
    Untracked,
    /// A list of the upper halves of hashes, for at most [`FEW`] keys.
    Few {
        /// Those so far, followed by unused slots.
        hashes: [u32; FEW],
        length: u8,
    },
    /// Each key ranks higher than the one before, so there are no duplicates. This is the rank of the last key.
    Ascending(Rank),
    /// A hash table of all keys.
    Many(Table),
}

impl KeySet {
    /// Creates the set for a dictionary that declares `count` keys. `shown` says whether the builder can show keys
    /// later; if so, keys in ascending order need no table.
    #[inline]
    pub(crate) fn new(count: usize, shown: bool) -> Self {
        match count {
            0 | 1 => Self::Untracked,
            2..=FEW => Self::Few { hashes: [0; FEW], length: 0 },
            _ if shown => Self::Ascending(NO_RANK),
            _ => Self::Many(Table::new(count)),
        }
    }

    /// Returns whether all keys, including this one, are in ascending order. If so, the key is recorded.
    #[inline(always)]
    pub(crate) fn is_next_ascending(&mut self, rank: impl Fn() -> Rank) -> bool {
        let Self::Ascending(last) = self else { return false };
        let rank = rank();
        let is_ascending = rank > *last;
        if is_ascending {
            *last = rank;
        }
        is_ascending
    }

    /// Creates the table from the hashes of keys that have no duplicates. `steps` is the number of values of each key
    /// that was hashed, or 0 for the hash of the reader.
    pub(crate) fn hashed(count: usize, steps: u32, hashes: impl Iterator<Item = u64>) -> Self {
        let mut table = Table { steps, ..Table::new(count) };
        for hash in hashes {
            // Added even if the hash is already there, so that each key has its position.
            let Ok(_) = table.find_or_add(hash, |_| Ok::<bool, Infallible>(false));
        }
        Self::Many(table)
    }

    /// Returns the position of an earlier key that is the same for the engine, or adds the hash. `count` keys are
    /// declared, `in_key` says whether the dictionary is part of a key itself, and `hash` is that of the key as part of
    /// the outermost key that contains it. `key` is `None` if the builder cannot show it.
    ///
    /// Deep in a key, many different keys can have the same hash. When two of them are found, all keys are hashed
    /// again, each as a separate key, and at first only their first values: keys that differ early need no more work,
    /// even if they are large. If the hashes are still the same, more values are hashed.
    pub(crate) fn find_or_add_key<'v, 'a: 'v>(
        &mut self,
        hasher: &mut KeyHasher,
        (count, in_key): (usize, bool),
        hash: u64,
        key: Option<KeyView<'v, 'a>>,
        key_at: impl Fn(usize) -> Option<KeyView<'v, 'a>>,
    ) -> Result<Option<usize>, Undecided> {
        let rules = hasher.rules();
        loop {
            let steps = if let Self::Many(table) = self { table.steps } else { 0 };
            let hash = match key {
                Some(key) if steps > 0 => hasher.beginning(key, steps as usize),
                _ => hash,
            };
            let found = self.find_or_add(hash, |position| match (key, key_at(position)) {
                (Some(key), Some(earlier)) if same_key(key, earlier, rules) => Ok(true),
                (Some(_), Some(_)) if in_key && steps < u32::MAX => Err(Undecided::Differs),
                (Some(_), Some(_)) => Ok(false),
                // Keys with equal hashes are almost always equal, but only a tree of them can prove it.
                _ => Err(Undecided::NoTree),
            });
            match found {
                Err(Undecided::Differs) => {
                    let steps = if steps == 0 { FIRST_STEPS } else { steps.saturating_mul(MORE_STEPS) };
                    let keys = (0..).map_while(&key_at);
                    *self = Self::hashed(count, steps, keys.map(|key| hasher.beginning(key, steps as usize)));
                }
                decided => return decided,
            }
        }
    }

    /// Adds the hash of a key unless it is already there. Returns whether it was added.
    #[inline(always)]
    pub(crate) fn add_new(&mut self, hash: u64) -> bool {
        self.find_or_add(hash, |_| Ok::<bool, Infallible>(true)) == Ok(None)
    }

    /// Removes the key that was added last. Does nothing for keys in ascending order: those are compared in the
    /// dictionary itself.
    #[cold]
    pub(crate) fn remove_last(&mut self) {
        match self {
            Self::Few { length, .. } => *length = length.saturating_sub(1),
            Self::Many(table) => table.remove_last(),
            Self::Untracked | Self::Ascending(_) => {}
        }
    }

    /// Returns the position of an earlier key with this hash for which `same` returns `true`, or adds the hash.
    #[inline(always)]
    pub(crate) fn find_or_add<E>(
        &mut self,
        hash: u64,
        mut same: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        match self {
            Self::Few { hashes, length } => {
                let half = (hash >> 32) as u32;
                let earlier = hashes.get(..usize::from(*length)).unwrap_or_default();
                for (position, _) in earlier.iter().enumerate().filter(|(_, earlier)| **earlier == half) {
                    if same(position)? {
                        return Ok(Some(position));
                    }
                }
                if let Some(slot) = hashes.get_mut(usize::from(*length)) {
                    *slot = half;
                    *length += 1;
                }
                Ok(None)
            }
            Self::Many(table) => table.find_or_add(hash, same),
            Self::Untracked | Self::Ascending(_) => Ok(None),
        }
    }
}

// The size for each open dictionary.
const _: () = assert!(size_of::<KeySet>() <= 40);

/// Why a search for a key did not end.
pub(crate) enum Undecided {
    /// Two different keys have the same hash.
    Differs,
    /// Keys must be compared that the builder cannot show.
    NoTree,
}

/// A hash table with open addressing. A slot holds the upper half of the hash and the position of the key.
pub(crate) struct Table {
    /// The number of slots is a power of two. At least one is always empty.
    slots: Box<[u64]>,
    /// The slot of the key that was added last.
    last: usize,
    /// The number of keys that were added.
    length: u32,
    /// The number of values at the start of each key that are hashed, or 0 for the hash of the reader.
    steps: u32,
}

impl Table {
    /// Creates a table for the declared number of keys. The input is long enough for them.
    fn new(count: usize) -> Self {
        let size = (count + count / 2 + 1).next_power_of_two();
        work::add_bytes(size * size_of::<u64>());
        Self { slots: vec![FREE; size].into_boxed_slice(), last: 0, length: 0, steps: 0 }
    }

    /// Empties the slot of the key that was added last. No later key was stored past it, so searches stay correct.
    fn remove_last(&mut self) {
        if let Some(last) = self.slots.get_mut(self.last).filter(|last| **last != FREE) {
            *last = FREE;
            self.length -= 1;
        }
    }

    #[inline]
    fn find_or_add<E>(
        &mut self,
        hash: u64,
        mut same: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        let last = self.slots.len() - 1;
        // The number of bits of a hash that do not choose a slot.
        let shift = u64::BITS - self.slots.len().trailing_zeros();
        // Hashes of related keys, such as consecutive numbers, can be related for some seeds. Both halves are mixed, so
        // that their slots are not.
        let mixed = (hash ^ hash >> 32).wrapping_mul(MULTIPLIER);
        let mut slot = usize::try_from(mixed >> shift).unwrap_or(0);
        while let Some(kept) = self.slots.get(slot).filter(|kept| **kept != FREE) {
            work::add(1);
            if kept & TAG == hash & TAG
                && let Ok(position) = usize::try_from(kept & !TAG)
                && same(position)?
            {
                return Ok(Some(position));
            }
            slot = (slot + 1) & last;
        }
        if let Some(free) = self.slots.get_mut(slot) {
            *free = hash & TAG | u64::from(self.length);
            self.length += 1;
            self.last = slot;
        }
        Ok(None)
    }
}

/// Returns the positions of duplicate keys, each with the earlier one first. `hashes` are the hashes of the keys; if
/// the dictionary is part of a key (`in_key`), as parts of that key.
pub(crate) fn duplicate_keys(
    hasher: &mut KeyHasher,
    entries: &[(Variant, Variant)],
    hashes: impl Iterator<Item = u64>,
    in_key: bool,
) -> Vec<(usize, usize)> {
    let mut seen = KeySet::new(entries.len(), false);
    // The entry of each distinct key.
    let mut firsts = Vec::new();
    let mut equal = Vec::new();
    for (index, ((key, _), hash)) in entries.iter().zip(hashes).enumerate() {
        work::add(1);
        let key_at = |position| firsts.get(position).map(|first: &usize| (&entries[*first].0).into());
        match seen.find_or_add_key(hasher, (entries.len(), in_key), hash, Some(key.into()), key_at) {
            Ok(Some(position)) => equal.push((firsts[position], index)),
            Ok(None) | Err(_) => firsts.push(index),
        }
    }
    equal
}

/// Returns the positions of duplicate names, each with the previous position of the same name first.
pub(crate) fn duplicate_names(hasher: &mut KeyHasher, names: &[String]) -> Vec<(usize, usize)> {
    let mut seen = KeySet::new(names.len(), false);
    // The last position of each distinct name.
    let mut last = Vec::new();
    let mut equal = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let same = |position: usize| {
            work::add_bytes(name.len());
            Ok::<bool, Infallible>(names[last[position]] == *name)
        };
        let Ok(found) = seen.find_or_add(hasher.text_key(name.as_bytes()), same);
        match found {
            Some(position) => equal.push((core::mem::replace(&mut last[position], index), index)),
            None => last.push(index),
        }
    }
    equal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(set: &mut KeySet, hash: u64) -> Option<usize> {
        set.find_or_add(hash, |_| Ok::<bool, ()>(true)).unwrap()
    }

    #[test]
    fn every_key_is_found_again() {
        for count in [2, 8, 9, 1000] {
            let mut set = KeySet::new(count, false);
            for position in 0..count {
                let hash = |position: usize| position as u64 * 0x1_0000_1EEF;
                assert_eq!(find(&mut set, hash(position)), None);
                assert_eq!(find(&mut set, hash(position / 2)), Some(position / 2));
                assert!(!set.add_new(hash(position / 3)));
            }
        }
    }

    /// The hashes of consecutive numbers are related. For one seed in fifty, they once were so close to each other that
    /// a search took several times as many steps.
    #[test]
    #[cfg(feature = "count-work")]
    fn consecutive_numbers_are_spread_over_the_table_with_any_seed() {
        use crate::variant::Hash;

        const KEYS: u16 = 1600;
        for start in 0..5000_u64 {
            let mut seed = Hash::new(start.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            seed.word(start);
            let hash = |number| {
                let mut hash = Hash::new(seed.finish());
                hash.word(u64::MAX);
                hash.word(number);
                hash.finish()
            };
            let hashes: Vec<u64> = (1..=u64::from(KEYS)).map(hash).collect();
            let mut set = KeySet::new(KEYS.into(), false);
            let (steps, ()) = work::of(|| hashes.iter().for_each(|hash| assert!(set.add_new(*hash))));
            assert!(steps < 3 * u64::from(KEYS), "{steps} steps for {KEYS} keys, seed {start}");
        }
    }

    #[test]
    fn equal_hashes_of_different_keys_are_told_apart() {
        let mut set = KeySet::new(100, false);
        for count in 0..100 {
            let found = set.find_or_add(5, |_| Ok::<bool, ()>(false)).unwrap();
            assert_eq!(found, None, "key {count}");
        }
    }
}
