//! Which keys of the open dictionaries have been seen.

use alloc::{boxed::Box, vec, vec::Vec};

use crate::Variant;
use crate::profile::KeyRules;
use crate::variant::{KeyHasher, Place, same_key};

/// Entries that a plain scan of their hashes finds fastest. Beyond, a table is made.
const SCANNED: usize = 12;

/// An unused place in a table.
const FREE: u32 = u32::MAX;

/// The hashes of the keys of every open dictionary, innermost last.
pub(super) struct Keys {
    hashes: Vec<u64>,
    pub(super) hasher: KeyHasher,
}

/// The keys of one open dictionary.
#[derive(Default)]
pub(super) struct KeySet {
    /// Where in [`Keys`] its own hashes begin.
    first: usize,
    /// Open addressing from hash to position, made when scanning gets slow; its length a power of two.
    table: Box<[u32]>,
}

impl Keys {
    pub(super) const fn new(rules: KeyRules) -> Self {
        Self { hashes: Vec::new(), hasher: KeyHasher::new(rules) }
    }

    pub(super) fn open(&self) -> KeySet {
        KeySet { first: self.hashes.len(), table: Box::default() }
    }

    pub(super) fn close(&mut self, set: &KeySet) {
        self.hashes.truncate(set.first);
    }

    /// The position of an earlier key that has this hash and is the `same`, or else adds the hash.
    pub(super) fn find_or_add<E>(
        &mut self,
        set: &mut KeySet,
        hash: u64,
        mut same: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        let own = &self.hashes[set.first..];
        if set.table.is_empty() {
            for (position, _) in own.iter().enumerate().filter(|(_, earlier)| **earlier == hash) {
                if same(position)? {
                    return Ok(Some(position));
                }
            }
        } else {
            let mut place = Self::place(hash, set.table.len());
            while set.table[place] != FREE {
                let position = set.table[place] as usize;
                if own[position] == hash && same(position)? {
                    return Ok(Some(position));
                }
                place = (place + 1) % set.table.len();
            }
        }
        self.hashes.push(hash);
        self.index(set);
        Ok(None)
    }

    /// Brings the table up to date with the hash just added.
    fn index(&self, set: &mut KeySet) {
        let own = &self.hashes[set.first..];
        if own.len() <= SCANNED {
            return;
        }
        let first_missing = if own.len() * 2 > set.table.len() {
            let size = (own.len() * 4).next_power_of_two();
            set.table = vec![FREE; size].into_boxed_slice();
            0
        } else {
            own.len() - 1
        };
        for (position, hash) in own.iter().enumerate().skip(first_missing) {
            let mut place = Self::place(*hash, set.table.len());
            while set.table[place] != FREE {
                place = (place + 1) % set.table.len();
            }
            // More than 2^32 entries cannot be announced.
            set.table[place] = u32::try_from(position).unwrap_or(FREE - 1);
        }
    }

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
        match keys.find_or_add(&mut seen, hash, same) {
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
        keys.find_or_add(set, hash, |_| Ok::<bool, ()>(true)).unwrap()
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
            let found = keys.find_or_add(&mut set, 5, |_| Ok::<bool, ()>(false)).unwrap();
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
