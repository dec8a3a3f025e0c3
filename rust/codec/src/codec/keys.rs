//! Which keys of the open dictionaries have been seen.

use alloc::{boxed::Box, vec, vec::Vec};

use crate::Variant;
use crate::profile::KeyRules;
use crate::variant::{KeyHasher, Place, same_key};

/// Entries that a plain scan of their hashes finds fastest. Beyond, a table is made.
const SCANNED: usize = 12;

/// An unused place in a table. No position is as great: more than 2^31 - 1 entries cannot be announced.
const FREE: u64 = u64::MAX;

/// The part of a hash that is kept in a table, beside the position.
const TAG: u64 = !0 << 32;

/// The hashes of the keys of every open dictionary, innermost last.
pub(super) struct Keys {
    hashes: Hashes,
    pub(super) hasher: KeyHasher,
}

/// A list of hashes whose first few need no heap: a small packet has no more.
struct Hashes {
    in_place: [u64; IN_PLACE],
    /// How many of those are in use, while there are no more.
    length: usize,
    spilled: Vec<u64>,
}

const IN_PLACE: usize = 8;

impl Hashes {
    const fn new() -> Self {
        Self { in_place: [0; IN_PLACE], length: 0, spilled: Vec::new() }
    }

    #[inline]
    fn as_slice(&self) -> &[u64] {
        if self.spilled.is_empty() { &self.in_place[..self.length] } else { &self.spilled }
    }

    #[inline]
    fn push(&mut self, hash: u64) {
        if self.spilled.is_empty() {
            if let Some(place) = self.in_place.get_mut(self.length) {
                *place = hash;
                self.length += 1;
                return;
            }
            self.spilled.extend_from_slice(&self.in_place);
        }
        self.spilled.push(hash);
    }

    /// Makes room for `count` more at once.
    fn reserve(&mut self, count: usize) {
        if self.spilled.is_empty() {
            self.spilled.reserve(self.length + count);
            self.spilled.extend_from_slice(&self.in_place[..self.length]);
        } else {
            self.spilled.reserve(count);
        }
    }

    #[inline]
    fn truncate(&mut self, length: usize) {
        if self.spilled.is_empty() {
            self.length = self.length.min(length);
        } else {
            self.spilled.truncate(length);
            // None is left, or those that are stay where they are.
            self.length = 0;
        }
    }
}

/// The keys of one open dictionary.
#[derive(Default)]
pub(super) struct KeySet {
    /// Where in [`Keys`] its own hashes begin.
    first: usize,
    /// Open addressing from hash to position, made when scanning gets slow; its length a power of two. A place has the
    /// upper half of the hash and the position.
    table: Box<[u64]>,
}

impl Keys {
    pub(super) const fn new(rules: KeyRules) -> Self {
        Self { hashes: Hashes::new(), hasher: KeyHasher::new(rules) }
    }

    pub(super) fn open(&self) -> KeySet {
        KeySet { first: self.hashes.as_slice().len(), table: Box::default() }
    }

    pub(super) fn close(&mut self, set: &KeySet) {
        self.hashes.truncate(set.first);
    }

    /// Whether an earlier key has this hash.
    #[inline]
    pub(super) fn has(&self, set: &KeySet, hash: u64) -> bool {
        let own = &self.hashes.as_slice()[set.first..];
        if set.table.is_empty() {
            return own.contains(&hash);
        }
        set.probe(hash).any(|position| own[position] == hash)
    }

    /// Adds the hash of a key, of which the dictionary announces `count`.
    #[inline]
    pub(super) fn add(&mut self, set: &mut KeySet, hash: u64, count: usize) {
        self.hashes.push(hash);
        if self.hashes.as_slice().len() - set.first > SCANNED {
            self.index(set, count);
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
        let own = &self.hashes.as_slice()[set.first..];
        if set.table.is_empty() {
            for (position, _) in own.iter().enumerate().filter(|(_, earlier)| **earlier == hash) {
                if same(position)? {
                    return Ok(Some(position));
                }
            }
        } else {
            for position in set.probe(hash).filter(|position| own[*position] == hash) {
                if same(position)? {
                    return Ok(Some(position));
                }
            }
        }
        self.add(set, hash, count);
        Ok(None)
    }

    /// Brings the table up to date with the hash just added.
    fn index(&mut self, set: &mut KeySet, count: usize) {
        if set.table.is_empty() {
            self.hashes.reserve(count);
        }
        let own = &self.hashes.as_slice()[set.first..];
        if set.table.is_empty() {
            // As many keys as are announced may come: the input is long enough for them.
            let count = count.max(own.len());
            let size = (count + count / 2 + 1).next_power_of_two();
            set.table = vec![FREE; size].into_boxed_slice();
            for (position, hash) in own.iter().enumerate() {
                set.put(*hash, position);
            }
        } else if let Some(hash) = own.last() {
            set.put(*hash, own.len() - 1);
        }
    }
}

impl KeySet {
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
    let mut seen = keys.open();
    // The entry of each key that was not there before.
    let mut firsts = Vec::new();
    let mut equal = Vec::new();
    for (index, (key, _)) in entries.iter().enumerate() {
        let hash = keys.hasher.tree(key, Place::Key, 1);
        let same = |position: usize| {
            let earlier: usize = firsts[position];
            Ok::<bool, core::convert::Infallible>(same_key(&entries[earlier].0, key, rules))
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
        let mut set = keys.open();
        for count in 0..1000 {
            assert_eq!(find(&mut keys, &mut set, count as u64 * 7919), None);
            assert_eq!(find(&mut keys, &mut set, (count / 2) as u64 * 7919), Some(count / 2));
        }
    }

    #[test]
    fn equal_hashes_of_different_keys_are_told_apart() {
        let mut keys = Keys::new(KeyRules::GODOT_4);
        let mut set = keys.open();
        for count in 0..100 {
            let found = keys.find_or_add(&mut set, 5, 100, |_| Ok::<bool, ()>(false)).unwrap();
            assert_eq!(found, None, "key {count}");
        }
    }

    #[test]
    fn an_inner_dictionary_leaves_the_outer_one_as_it_was() {
        let mut keys = Keys::new(KeyRules::GODOT_4);
        let mut outer = keys.open();
        find(&mut keys, &mut outer, 1);
        let mut inner = keys.open();
        assert_eq!(find(&mut keys, &mut inner, 1), None);
        keys.close(&inner);
        assert_eq!(find(&mut keys, &mut outer, 1), Some(0));
    }
}
