//! Which keys of the open dictionaries have been seen.

use alloc::{boxed::Box, vec, vec::Vec};
use core::convert::Infallible;

use crate::Variant;
use crate::profile::KeyRules;
use crate::variant::{KeyHasher, Place, same_key};

/// Dictionaries of so few keys have a list of their hashes, which a plain scan finds fastest.
const FEW: usize = 8;

/// An unused place in a table. No position is as great: more than 2^31 - 1 entries cannot be announced.
const FREE: u64 = u64::MAX;

/// The part of a hash that is kept in a table, beside the position.
const TAG: u64 = !0 << 32;

/// The place of a key in an order in which equal keys have one place. Which order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(pub(super) u64, pub(super) u64, pub(super) u64, pub(super) u64);

/// That of a key that has none, and before the first key.
pub(super) const NO_RANK: Rank = Rank(0, 0, 0, 0);

/// The place of an `int`.
#[inline(always)]
pub(super) const fn rank_of_int(number: i64) -> Rank {
    Rank(1 << 32, number.cast_unsigned() ^ 1 << 63, 0, 0)
}

/// The keys of one open dictionary.
pub(super) enum KeySet {
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
    pub(super) fn new(count: usize, shown: bool) -> Self {
        match count {
            0 | 1 => Self::Unasked,
            2..=FEW => Self::Few { hashes: [0; FEW], length: 0 },
            _ if shown => Self::Rising(NO_RANK),
            _ => Self::Many(Table::new(count)),
        }
    }

    /// Whether a key is greater than all before, which then is all there is to be known of it.
    #[inline(always)]
    pub(super) fn rises_to(&mut self, rank: impl Fn() -> Rank) -> bool {
        let Self::Rising(last) = self else { return false };
        let rank = rank();
        let rises = rank > *last;
        if rises {
            *last = rank;
        }
        rises
    }

    /// Adds the hash of a key, unless an earlier one has it. Says whether it did.
    #[inline(always)]
    pub(super) fn add_new(&mut self, hash: u64) -> bool {
        self.find_or_add(hash, |_| Ok::<bool, Infallible>(true)) == Ok(None)
    }

    /// Forgets the key that was added last. Not of keys that rise: those are looked at in the dictionary.
    #[cold]
    pub(super) fn forget_last(&mut self) {
        match self {
            Self::Few { length, .. } => *length = length.saturating_sub(1),
            Self::Many(table) => table.forget_last(),
            Self::Unasked | Self::Rising(_) => {}
        }
    }

    /// The position of an earlier key that has this hash and is the `same`, or else adds the hash.
    #[inline(always)]
    pub(super) fn find_or_add<E>(
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

/// Open addressing from hash to position. A place has the upper half of the hash and the position.
pub(super) struct Table {
    /// Their number is a power of two. There is always a free one.
    places: Box<[u64]>,
    /// Keys that were added.
    length: u64,
    /// The place of the key added last.
    last: usize,
}

impl Table {
    /// A table for as many keys as are announced: the input is long enough for them.
    pub(super) fn new(count: usize) -> Self {
        let size = (count + count / 2 + 1).next_power_of_two();
        Self { places: vec![FREE; size].into_boxed_slice(), length: 0, last: 0 }
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

/// The positions of entries whose keys the engine takes for the same, the earlier one first.
pub(crate) fn equal_keys(entries: &[(Variant, Variant)], rules: KeyRules) -> Vec<(usize, usize)> {
    let mut hasher = KeyHasher::new(rules);
    let mut seen = KeySet::new(entries.len(), false);
    // The entry of each key that was not there before.
    let mut firsts = Vec::new();
    let mut equal = Vec::new();
    for (index, (key, _)) in entries.iter().enumerate() {
        let hash = hasher.tree(key, Place::Key, 1);
        let same = |position: usize| {
            let earlier: usize = firsts[position];
            Ok::<bool, Infallible>(same_key(&entries[earlier].0, key, rules))
        };
        match seen.find_or_add(hash, same) {
            Ok(Some(position)) => equal.push((firsts[position], index)),
            Ok(None) => firsts.push(index),
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
