//! Duplicate keys of a dictionary.
//!
//! The rule: where a later key equals an earlier one, the engine keeps the position and the key of the earlier entry and
//! the value of the later one. Which keys are equal is decided by [`same_key`]. Strict reading refuses duplicate keys.
//! A builder says by `Builder::DUPLICATE_KEYS` what it needs to know about them.
//!
//! [`KeySet`] finds them: by a list of hashes for few keys, by no more than a comparison with the key before for keys
//! that rise, by a table of hashes otherwise. The fast path asks it only whether a key is new; a key that may be a
//! duplicate is left to the slow path. The property `paths` of the fuzz targets holds one path to the other.

use alloc::{boxed::Box, string::String, vec, vec::Vec};
use core::convert::Infallible;

use crate::variant::{KeyHasher, KeyView, ShortText, same_key};
use crate::{Variant, work};

/// Dictionaries of so few keys have a list of their hashes, which a plain scan finds fastest.
const FEW: usize = 8;

/// Values at the beginning of a key that are hashed where keys of a dictionary have one hash, and how many times as many
/// where they begin alike.
const FIRST_STEPS: usize = 16;
const MORE_STEPS: usize = 8;

/// An unused place in a table. No position is as great: more than 2^31 - 1 entries cannot be announced.
const FREE: u64 = u64::MAX;

/// The part of a hash that is kept in a table, beside the position.
const TAG: u64 = !0 << 32;

/// The place of a key in an order in which equal keys have one place. Which order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(pub(crate) u64, pub(crate) u64, pub(crate) u64, pub(crate) u64);

/// That of a key that has none, and before the first key.
pub(crate) const NO_RANK: Rank = Rank(0, 0, 0, 0);

/// The place of an `int`.
#[inline(always)]
pub(crate) const fn rank_of_int(number: i64) -> Rank {
    Rank(1 << 32, number.cast_unsigned() ^ 1 << 63, 0, 0)
}

/// The place of short text: longer text comes after shorter, so that numbered names rise as their numbers do.
#[inline(always)]
pub(crate) const fn rank_of_text(text: ShortText) -> Rank {
    let [first, second, third] = text.words;
    Rank(2 << 32 | text.length as u64, first.swap_bytes(), second.swap_bytes(), third.swap_bytes())
}

/// The keys of one open dictionary.
pub(crate) enum KeySet {
    /// None can come twice, or nobody asks.
    Unasked,
    /// The hashes of the few keys there may be.
    Few {
        /// Those added so far, and unused places.
        hashes: [u64; FEW],
        /// How many are added.
        length: usize,
    },
    /// Each key was greater than the one before; this was the last. No two of those are equal.
    Rising(Rank),
    /// The hashes of all keys.
    Many(Table),
}

impl KeySet {
    /// The set of a dictionary that announces `count` keys. Where `shown` says that those added can be looked at later,
    /// many keys that rise are not searched for.
    #[inline]
    pub(crate) fn new(count: usize, shown: bool) -> Self {
        match count {
            0 | 1 => Self::Unasked,
            2..=FEW => Self::Few { hashes: [0; FEW], length: 0 },
            _ if shown => Self::Rising(NO_RANK),
            _ => Self::Many(Table::new(count)),
        }
    }

    /// Whether a key is greater than all before, which then is all there is to be known of it.
    #[inline(always)]
    pub(crate) fn rises_to(&mut self, rank: impl Fn() -> Rank) -> bool {
        let Self::Rising(last) = self else { return false };
        let rank = rank();
        let rises = rank > *last;
        if rises {
            *last = rank;
        }
        rises
    }

    /// The set of keys of these hashes, which are no two the same, and of others that come. `steps` are those that each
    /// was hashed by, where they are the beginnings of the keys that are hashed.
    pub(crate) fn hashed(count: usize, steps: usize, hashes: impl Iterator<Item = u64>) -> Self {
        let mut table = Table { steps, ..Table::new(count) };
        for hash in hashes {
            // Added even where two have one hash, so that each has its position.
            let Ok(_) = table.find_or_add(hash, |_| Ok::<bool, Infallible>(false));
        }
        Self::Many(table)
    }

    /// The position of an earlier key that the engine takes for the same, or else adds the hash, which is that of the
    /// key as a part of the outermost key that it is in.
    ///
    /// Deep in a key there are many keys of one hash that are not the same. When two are met, all are hashed anew, each
    /// as a key by itself, and at first only by its beginning: of keys that differ soon no more has to be looked at,
    /// however large one of them is. Where two begin alike, both are large enough for more to be looked at.
    pub(crate) fn find_or_add_key<'v, 'a: 'v, K>(
        &mut self,
        hash: u64,
        search: KeySearch<'_, 'v, 'a, K>,
    ) -> Result<Option<usize>, NoTree>
    where
        K: Fn(usize) -> Option<KeyView<'v, 'a>>,
    {
        let KeySearch { hasher, count, in_key, key, key_at } = search;
        let rules = hasher.rules();
        loop {
            let steps = if let Self::Many(table) = self { table.steps } else { 0 };
            let hash = match key {
                Some(key) if steps > 0 => hasher.beginning(key, steps),
                _ => hash,
            };
            let found = self.find_or_add(hash, |position| match (key, key_at(position)) {
                (Some(key), Some(earlier)) if same_key(key, earlier, rules) => Ok(true),
                (Some(_), Some(_)) if in_key && steps < usize::MAX => Err(Unsure::Differs),
                (Some(_), Some(_)) => Ok(false),
                // Equal hashes all but prove equal keys. What no tree shows, a tree must decide.
                _ => Err(Unsure::NoTree),
            });
            match found {
                Ok(found) => return Ok(found),
                Err(Unsure::NoTree) => return Err(NoTree),
                Err(Unsure::Differs) => {
                    let steps = if steps == 0 { FIRST_STEPS } else { steps.saturating_mul(MORE_STEPS) };
                    let keys = (0..).map_while(&key_at);
                    *self = Self::hashed(count, steps, keys.map(|key| hasher.beginning(key, steps)));
                }
            }
        }
    }

    /// Adds the hash of a key, unless an earlier one has it. Says whether it did.
    #[inline(always)]
    pub(crate) fn add_new(&mut self, hash: u64) -> bool {
        self.find_or_add(hash, |_| Ok::<bool, Infallible>(true)) == Ok(None)
    }

    /// Forgets the key that was added last. Not of keys that rise: those are looked at in the dictionary.
    #[cold]
    pub(crate) fn forget_last(&mut self) {
        match self {
            Self::Few { length, .. } => *length = length.saturating_sub(1),
            Self::Many(table) => table.forget_last(),
            Self::Unasked | Self::Rising(_) => {}
        }
    }

    /// The position of an earlier key that has this hash and is the `same`, or else adds the hash.
    #[inline(always)]
    pub(crate) fn find_or_add<E>(
        &mut self,
        hash: u64,
        mut same: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        match self {
            Self::Few { hashes, length } => {
                for (position, _) in hashes.iter().enumerate().take(*length).filter(|(_, earlier)| **earlier == hash) {
                    if same(position)? {
                        return Ok(Some(position));
                    }
                }
                if let Some(place) = hashes.get_mut(*length) {
                    *place = hash;
                    *length += 1;
                }
                Ok(None)
            }
            Self::Many(table) => table.find_or_add(hash, same),
            Self::Unasked | Self::Rising(_) => Ok(None),
        }
    }
}

/// What is looked for.
pub(crate) struct KeySearch<'h, 'v, 'a, K> {
    pub(crate) hasher: &'h mut KeyHasher,
    /// Keys that the dictionary announces.
    pub(crate) count: usize,
    /// Whether the dictionary is in a key itself.
    pub(crate) in_key: bool,
    /// The key; `None` where it cannot be looked at.
    pub(crate) key: Option<KeyView<'v, 'a>>,
    /// The keys that were added, by their positions.
    pub(crate) key_at: K,
}

/// Keys have to be compared that cannot be looked at.
#[derive(Debug)]
pub(crate) struct NoTree;

enum Unsure {
    /// Two different keys have one hash.
    Differs,
    NoTree,
}

/// Open addressing from hash to position. A place has the upper half of the hash and the position.
pub(crate) struct Table {
    /// Their number is a power of two. There is always a free one.
    places: Box<[u64]>,
    /// Keys that were added.
    length: u64,
    /// The place of the key added last.
    last: usize,
    /// How many values at the beginning of each key its hash is of; 0 where it is the hash that the reader gives.
    steps: usize,
}

impl Table {
    /// A table for as many keys as are announced: the input is long enough for them.
    fn new(count: usize) -> Self {
        let size = (count + count / 2 + 1).next_power_of_two();
        work::add_bytes(size * size_of::<u64>());
        Self { places: vec![FREE; size].into_boxed_slice(), length: 0, last: 0, steps: 0 }
    }

    /// Frees the place of the key added last. No other key was added after it, so none is searched for past it.
    fn forget_last(&mut self) {
        if let Some(last) = self.places.get_mut(self.last).filter(|last| **last != FREE) {
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
        let last = self.places.len() - 1;
        let mut place = usize::try_from(hash & last as u64).unwrap_or(0);
        while let Some(kept) = self.places.get(place).filter(|kept| **kept != FREE) {
            work::add(1);
            if kept & TAG == hash & TAG
                && let Ok(position) = usize::try_from(kept & !TAG)
                && same(position)?
            {
                return Ok(Some(position));
            }
            place = (place + 1) & last;
        }
        if let Some(free) = self.places.get_mut(place) {
            *free = hash & TAG | self.length;
            self.length += 1;
            self.last = place;
        }
        Ok(None)
    }
}

/// The positions of entries whose keys the engine takes for the same, the earlier one first. `hashes` are those of the
/// keys, as parts of the key that the dictionary is in where it is `in_key`.
pub(crate) fn duplicate_keys(
    hasher: &mut KeyHasher,
    entries: &[(Variant, Variant)],
    hashes: impl Iterator<Item = u64>,
    in_key: bool,
) -> Vec<(usize, usize)> {
    let mut seen = KeySet::new(entries.len(), false);
    // The entry of each key that was not there before.
    let mut firsts = Vec::new();
    let mut equal = Vec::new();
    for (index, ((key, _), hash)) in entries.iter().zip(hashes).enumerate() {
        work::add(1);
        let search = KeySearch {
            hasher,
            count: entries.len(),
            in_key,
            key: Some(key.into()),
            key_at: |position| firsts.get(position).map(|first: &usize| (&entries[*first].0).into()),
        };
        match seen.find_or_add_key(hash, search) {
            Ok(Some(position)) => equal.push((firsts[position], index)),
            Ok(None) | Err(NoTree) => firsts.push(index),
        }
    }
    equal
}

/// The positions of equal names, each with the one before it.
pub(crate) fn duplicate_names(hasher: &mut KeyHasher, names: &[String]) -> Vec<(usize, usize)> {
    let mut seen = KeySet::new(names.len(), false);
    // The position of each different name, where it came last.
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

    #[test]
    fn equal_hashes_of_different_keys_are_told_apart() {
        let mut set = KeySet::new(100, false);
        for count in 0..100 {
            let found = set.find_or_add(5, |_| Ok::<bool, ()>(false)).unwrap();
            assert_eq!(found, None, "key {count}");
        }
    }
}
