//! Finds the entry of a key in a dictionary.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashTable;
#[cfg(target_has_atomic = "ptr")]
use once_cell::race::OnceBox;

use super::compare::same_key;
use super::key_hash::{KeyContext, KeyHasher};
use super::key_view::KeyView;
use super::members::{DictionaryLabel, Label};
use super::owned::Variant;
use crate::profile::KeyRules;

/// The most entries that are searched one after the other, which is faster for so few.
const SCANNED: usize = 32;

impl Label for DictionaryLabel {
    type Index = Index;

    const UNINDEXED: usize = SCANNED;
}

type Entry = (Variant, Variant);

/// The positions of the entries by the hash of their key, built when a key is first looked up.
#[derive(Default)]
pub(super) struct Index {
    /// The table of a dictionary that changes.
    changing: Option<Box<Table>>,
    /// The table of one that is only read. Without atomic compare-and-swap, threads could not share it, so it is not built.
    #[cfg(target_has_atomic = "ptr")]
    built: OnceBox<Table>,
}

/// Keys come from untrusted packets, so their hashes start from a seed that a sender cannot know.
struct Table {
    hasher: KeyHasher,
    positions: HashTable<(u64, usize)>,
}

fn is_int(candidate: &Variant, int: i64) -> bool {
    matches!(candidate, Variant::Int(candidate) if *candidate == int)
}

fn is_text(candidate: &Variant, text: &[u8]) -> bool {
    KeyView::from(candidate).text() == Some(text)
}

fn is_same(candidate: &Variant, key: KeyView<'_, '_>) -> bool {
    match (key.int(), key.text()) {
        (Some(int), _) => is_int(candidate, int),
        (None, Some(text)) => is_text(candidate, text),
        (None, None) => {
            !matches!(candidate, Variant::Int(_))
                && KeyView::from(candidate).text().is_none()
                && same_key(candidate.into(), key, KeyRules::GODOT_4)
        }
    }
}

/// Returns the position of the last entry with the key.
pub(super) fn scan(entries: &[Entry], key: KeyView<'_, '_>) -> Option<usize> {
    entries.iter().rposition(|(candidate, _)| is_same(candidate, key))
}

impl Table {
    fn new(entries: &[Entry]) -> Self {
        let mut table =
            Self { hasher: KeyHasher::new(KeyRules::GODOT_4), positions: HashTable::with_capacity(entries.len()) };
        for (position, (key, _)) in entries.iter().enumerate() {
            table.add(&entries[..=position], key.into());
        }
        table
    }

    fn hash(hasher: &mut KeyHasher, key: KeyView<'_, '_>) -> u64 {
        match (key.int(), key.text()) {
            (Some(int), _) => hasher.int(int),
            (None, Some(text)) => hasher.text_key(text),
            (None, None) => hasher.tree(key, KeyContext::Key, 1),
        }
    }

    fn find(&self, entries: &[Entry], key: KeyView<'_, '_>) -> Option<usize> {
        let mut hasher = self.hasher.clone();
        // The kind of the key is looked at once, not for each candidate.
        match (key.int(), key.text()) {
            (Some(int), _) => self.find_hash(hasher.int(int), entries, |candidate| is_int(candidate, int)),
            (None, Some(text)) => self.find_hash(hasher.text_key(text), entries, |candidate| is_text(candidate, text)),
            (None, None) => {
                let hash = Self::hash(&mut hasher, key);
                self.find_hash(hash, entries, |candidate| is_same(candidate, key))
            }
        }
    }

    #[inline]
    fn find_hash(&self, hash: u64, entries: &[Entry], is_key: impl Fn(&Variant) -> bool) -> Option<usize> {
        let is_found = |(other, position): &(u64, usize)| {
            *other == hash && entries.get(*position).is_some_and(|(candidate, _)| is_key(candidate))
        };
        self.positions.find(hash, is_found).map(|(_, position)| *position)
    }

    /// Adds the last of the entries, in place of an earlier one with the same key.
    fn add(&mut self, entries: &[Entry], key: KeyView<'_, '_>) {
        let hash = Self::hash(&mut self.hasher, key);
        let is_key = |(other, position): &(u64, usize)| {
            *other == hash && entries.get(*position).is_some_and(|(candidate, _)| is_same(candidate, key))
        };
        match self.positions.find_mut(hash, is_key) {
            Some((_, position)) => *position = entries.len() - 1,
            None => {
                self.positions.insert_unique(hash, (hash, entries.len() - 1), |(hash, _)| *hash);
            }
        }
    }
}

impl Index {
    /// Returns the position of the last entry with the key.
    pub(super) fn find(&self, entries: &[Entry], key: KeyView<'_, '_>) -> Option<usize> {
        if entries.len() <= SCANNED {
            return scan(entries, key);
        }
        let table = self.changing.as_deref();
        #[cfg(target_has_atomic = "ptr")]
        let table = table.or_else(|| Some(self.built.get_or_init(|| Box::new(Table::new(entries)))));
        table.map_or_else(|| scan(entries, key), |table| table.find(entries, key))
    }

    /// Like [`find`](Self::find), before a change.
    pub(super) fn find_to_change(&mut self, entries: &[Entry], key: KeyView<'_, '_>) -> Option<usize> {
        if entries.len() > SCANNED && self.changing.is_none() {
            *self = Self::default();
            self.changing = Some(Box::new(Table::new(entries)));
        }
        self.find(entries, key)
    }

    /// Adds the last of the entries, after [`find_to_change`](Self::find_to_change).
    pub(super) fn push(&mut self, entries: &[Entry]) {
        match (&mut self.changing, entries.last()) {
            (Some(table), Some((key, _))) => table.add(entries, key.into()),
            _ => *self = Self::default(),
        }
    }

    /// Removes an entry that [`find_to_change`](Self::find_to_change) has found, and its earlier duplicates.
    /// Returns the former.
    pub(super) fn remove(&mut self, entries: &mut Vec<Entry>, position: usize) -> Entry {
        let count = entries.len();
        let removed = entries.remove(position);
        match &mut self.changing {
            // Each entry has a key of its own. Later entries have moved forward by one.
            Some(table) if table.positions.len() == count => table.positions.retain(|(_, other)| {
                let is_kept = *other != position;
                *other -= usize::from(*other > position);
                is_kept
            }),
            _ => {
                *self = Self::default();
                let key = KeyView::from(&removed.0);
                if scan(entries, key).is_some() {
                    entries.retain(|(other, _)| !is_same(other, key));
                }
            }
        }
        removed
    }
}
