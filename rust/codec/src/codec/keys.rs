//! Which keys of the open dictionaries have been seen.

use alloc::{boxed::Box, vec, vec::Vec};
use core::convert::Infallible;

use crate::Variant;
use crate::profile::KeyRules;
use crate::variant::{KeyHasher, Place, same_key};

/// Dictionaries of so few keys keep the hashes with them.
const FEW: usize = 8;

/// Keys that a plain scan of their hashes finds fastest. Beyond, a table is made.
const SCANNED: usize = 12;

/// An unused place in a table. No position is as great: more than 2^31 - 1 entries cannot be announced.
const FREE: u64 = u64::MAX;

/// The part of a hash that is kept in a table, beside the position.
const TAG: u64 = !0 << 32;

/// The hashes of the keys of every open dictionary that are searched for, innermost last.
pub(super) struct Keys {
    hashes: Vec<u64>,
    pub(super) hasher: KeyHasher,
}

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
    /// Keys are searched for by their hashes.
    Searched(Searched),
}

/// Where the hashes of a dictionary's keys are.
pub(super) struct Searched {
    /// Where in [`Keys`] its own begin.
    first: usize,
    /// Open addressing from hash to position, made when scanning gets slow; its length a power of two. A place has the
    /// upper half of the hash and the position.
    table: Box<[u64]>,
}

impl KeySet {
    /// The set of a dictionary of `count` keys. Where `shown` says that those added can be looked at later, many keys
    /// that rise are not searched for.
    #[inline]
    pub(super) fn new(count: usize, shown: bool, keys: &Keys) -> Self {
        match count {
            0 | 1 => Self::Unasked,
            2..=FEW => Self::Few { hashes: [0; FEW], length: 0 },
            _ if shown => Self::Rising(NO_RANK),
            _ => Self::Searched(Searched::new(keys)),
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
}

impl Keys {
    pub(super) const fn new(rules: KeyRules) -> Self {
        Self { hashes: Vec::new(), hasher: KeyHasher::new(rules) }
    }

    #[inline]
    pub(super) fn close(&mut self, set: &KeySet) {
        if let KeySet::Searched(set) = set {
            self.hashes.truncate(set.first);
        }
    }

    /// Adds the hash of a key, of which the dictionary announces `count`, unless an earlier one has it. Says whether it
    /// did.
    #[inline(always)]
    pub(super) fn add_new(&mut self, set: &mut KeySet, hash: u64, count: usize) -> bool {
        match set {
            KeySet::Few { hashes, length } => {
                let known = hashes.iter().take(*length).any(|known| *known == hash);
                if !known && let Some(place) = hashes.get_mut(*length) {
                    *place = hash;
                    *length += 1;
                }
                !known
            }
            set => self.find_or_add(set, hash, count, |_| Ok::<bool, Infallible>(true)) == Ok(None),
        }
    }

    /// The position of an earlier key that has this hash and is the `same`, or else adds the hash.
    pub(super) fn find_or_add<E>(
        &mut self,
        set: &mut KeySet,
        hash: u64,
        count: usize,
        mut same: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        match set {
            KeySet::Unasked | KeySet::Rising(_) => return Ok(None),
            KeySet::Few { hashes, length } => {
                if let Some(position) = find_among(hashes.get(..*length).unwrap_or_default(), hash, same)? {
                    return Ok(Some(position));
                }
                if let Some(place) = hashes.get_mut(*length) {
                    *place = hash;
                    *length += 1;
                }
            }
            KeySet::Searched(set) => {
                let own = &self.hashes[set.first..];
                if set.table.is_empty() {
                    if let Some(position) = find_among(own, hash, same)? {
                        return Ok(Some(position));
                    }
                } else {
                    for position in set.probe(hash).filter(|position| own[*position] == hash) {
                        if same(position)? {
                            return Ok(Some(position));
                        }
                    }
                }
                set.add(&mut self.hashes, hash, count);
            }
        }
        Ok(None)
    }
}

/// The position of the key that has this hash and is the `same`.
fn find_among<E>(
    hashes: &[u64],
    hash: u64,
    mut same: impl FnMut(usize) -> Result<bool, E>,
) -> Result<Option<usize>, E> {
    for (position, _) in hashes.iter().enumerate().filter(|(_, earlier)| **earlier == hash) {
        if same(position)? {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

impl Searched {
    /// For keys whose hashes are added behind those that are there.
    pub(super) fn new(keys: &Keys) -> Self {
        Self { first: keys.hashes.len(), table: Box::default() }
    }

    /// Adds the hash of a key, of which the dictionary announces `count`.
    #[inline]
    fn add(&mut self, hashes: &mut Vec<u64>, hash: u64, count: usize) {
        hashes.push(hash);
        if hashes.len() - self.first > SCANNED {
            self.index(hashes, count);
        }
    }

    /// Brings the table up to date with the hash just added.
    fn index(&mut self, hashes: &mut Vec<u64>, count: usize) {
        if self.table.is_empty() {
            hashes.reserve(count);
            let own = &hashes[self.first..];
            // As many keys as are announced may come: the input is long enough for them.
            let count = count.max(own.len());
            let size = (count + count / 2 + 1).next_power_of_two();
            self.table = vec![FREE; size].into_boxed_slice();
            for (position, hash) in own.iter().enumerate() {
                self.put(*hash, position);
            }
        } else if let Some(hash) = hashes.last() {
            self.put(*hash, hashes.len() - 1 - self.first);
        }
    }

    /// The positions of keys whose hash may be this one.
    #[inline]
    fn probe(&self, hash: u64) -> impl Iterator<Item = usize> + '_ {
        let mut place = Self::place(hash, self.table.len());
        core::iter::from_fn(move || {
            loop {
                let kept = self.table[place];
                place = (place + 1) & (self.table.len() - 1);
                if kept == FREE {
                    return None;
                }
                if kept & TAG == hash & TAG {
                    return usize::try_from(kept & !TAG).ok();
                }
            }
        })
    }

    /// Puts the position of a key into the table, which is never full.
    #[inline]
    fn put(&mut self, hash: u64, position: usize) {
        let last = self.table.len() - 1;
        let mut place = Self::place(hash, self.table.len());
        while self.table[place] != FREE {
            place = (place + 1) & last;
        }
        self.table[place] = hash & TAG | position as u64 & !TAG;
    }

    #[inline]
    fn place(hash: u64, size: usize) -> usize {
        usize::try_from(hash & (size as u64 - 1)).unwrap_or(0)
    }
}

/// The positions of entries whose keys the engine takes for the same, the earlier one first.
pub(crate) fn equal_keys(entries: &[(Variant, Variant)], rules: KeyRules) -> Vec<(usize, usize)> {
    let mut keys = Keys::new(rules);
    let mut seen = KeySet::new(entries.len(), false, &keys);
    // The entry of each key that was not there before.
    let mut firsts = Vec::new();
    let mut equal = Vec::new();
    for (index, (key, _)) in entries.iter().enumerate() {
        let hash = keys.hasher.tree(key, Place::Key, 1);
        let same = |position: usize| {
            let earlier: usize = firsts[position];
            Ok::<bool, Infallible>(same_key(&entries[earlier].0, key, rules))
        };
        match keys.find_or_add(&mut seen, hash, entries.len(), same) {
            Ok(Some(position)) => equal.push((firsts[position], index)),
            Ok(None) => firsts.push(index),
        }
    }
    equal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(keys: &mut Keys, set: &mut KeySet, hash: u64) -> Option<usize> {
        keys.find_or_add(set, hash, 1000, |_| Ok::<bool, ()>(true)).unwrap()
    }

    #[test]
    fn every_key_is_found_again_before_and_after_the_table_is_made() {
        let mut keys = Keys::new(KeyRules::GODOT_4);
        let mut set = KeySet::new(1000, false, &keys);
        for count in 0..1000 {
            assert_eq!(find(&mut keys, &mut set, count as u64 * 7919), None);
            assert_eq!(find(&mut keys, &mut set, (count / 2) as u64 * 7919), Some(count / 2));
        }
    }

    #[test]
    fn equal_hashes_of_different_keys_are_told_apart() {
        let mut keys = Keys::new(KeyRules::GODOT_4);
        let mut set = KeySet::new(1000, false, &keys);
        for count in 0..100 {
            let found = keys.find_or_add(&mut set, 5, 100, |_| Ok::<bool, ()>(false)).unwrap();
            assert_eq!(found, None, "key {count}");
        }
    }

    #[test]
    fn an_inner_dictionary_leaves_the_outer_one_as_it_was() {
        let mut keys = Keys::new(KeyRules::GODOT_4);
        let mut outer = KeySet::new(1000, false, &keys);
        find(&mut keys, &mut outer, 1);
        let mut inner = KeySet::new(1000, false, &keys);
        assert_eq!(find(&mut keys, &mut inner, 1), None);
        keys.close(&inner);
        assert_eq!(find(&mut keys, &mut outer, 1), Some(0));
    }
}
