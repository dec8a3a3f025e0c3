//! `Dictionary`, used as a `HashMap`.

use alloc::vec;
use core::iter::Map;
use core::mem;
use core::ops::{Index, IndexMut};
use core::slice;

use super::entry::{Entry, OccupiedEntry, VacantEntry};
use super::key::Key;
use super::members::Members;
use super::mismatch::TypeMismatch;
use super::owned::{Dictionary, Variant};

/// Keys and values of a [`Dictionary`] in order.
pub type Entries<'d> = Map<slice::Iter<'d, (Variant, Variant)>, fn(&(Variant, Variant)) -> (&Variant, &Variant)>;

/// Keys and values of a [`Dictionary`] in order, the values for changes.
pub type EntriesMut<'d> =
    Map<slice::IterMut<'d, (Variant, Variant)>, fn(&mut (Variant, Variant)) -> (&Variant, &mut Variant)>;

impl Dictionary {
    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Returns whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    fn position(&self, key: &Key<'_>) -> Option<usize> {
        match &self.0 {
            Members::Plain(entries) => super::index::scan(entries, key.view()),
            Members::Extended(extended) => extended.index.find(&extended.members, key.view()),
        }
    }

    /// Returns the value of a key.
    ///
    /// ```
    /// use varbytes::variant::{Dictionary, Vector2i};
    ///
    /// let tiles = Dictionary::from([(Vector2i::new(0, 1), "wall")]);
    /// assert_eq!(tiles.get(Vector2i::new(0, 1)).unwrap(), "wall");
    /// assert_eq!(tiles.get("wall"), None);
    /// ```
    #[must_use]
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Option<&Variant> {
        self.get_key_value(key).map(|(_, value)| value)
    }

    /// Returns a key of the dictionary and its value.
    #[must_use]
    pub fn get_key_value<'k>(&self, key: impl Into<Key<'k>>) -> Option<(&Variant, &Variant)> {
        let (key, value) = &self.entries()[self.position(&key.into())?];
        Some((key, value))
    }

    /// Returns the value of a key for changes. The type of the dictionary is not checked.
    pub fn get_mut<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<&mut Variant> {
        let position = self.position(&key.into())?;
        self.value_mut(position)
    }

    /// Returns the value at a position for changes.
    pub(super) fn value_mut(&mut self, position: usize) -> Option<&mut Variant> {
        let entries = match &mut self.0 {
            Members::Plain(entries) => &mut entries[..],
            Members::Extended(extended) => &mut extended.members,
        };
        entries.get_mut(position).map(|(_, value)| value)
    }

    /// Returns whether there is an entry with the key.
    #[must_use]
    pub fn contains_key<'k>(&self, key: impl Into<Key<'k>>) -> bool {
        self.position(&key.into()).is_some()
    }

    /// Adds an entry, or replaces the value of its key in place. Returns the earlier value.
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type. [`try_insert`](Self::try_insert) returns
    /// an error.
    pub fn insert(&mut self, key: impl Into<Variant>, value: impl Into<Variant>) -> Option<Variant> {
        self.try_insert(key, value).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`insert`](Self::insert).
    ///
    /// # Errors
    /// [`TypeMismatch`] if the dictionary is typed and the key or the value is of another type. The dictionary is
    /// unchanged.
    pub fn try_insert(
        &mut self,
        key: impl Into<Variant>,
        value: impl Into<Variant>,
    ) -> Result<Option<Variant>, TypeMismatch> {
        let (key, value) = (key.into(), value.into());
        TypeMismatch::check("key", self.len(), self.key_type(), &key)?;
        TypeMismatch::check("value", self.len(), self.value_type(), &value)?;
        let extended = self.0.extend();
        match extended.index.find_to_change(&extended.members, (&key).into()) {
            Some(position) => Ok(Some(mem::replace(&mut extended.members[position].1, value))),
            None => {
                extended.members.push((key, value));
                extended.index.push(&extended.members);
                Ok(None)
            }
        }
    }

    /// Removes an entry and returns its value. The others keep their order, so it takes time in proportion to their
    /// number.
    pub fn remove<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<Variant> {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes an entry and returns it, as [`remove`](Self::remove).
    pub fn remove_entry<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<(Variant, Variant)> {
        let position = {
            let key = key.into();
            let extended = self.0.extend();
            extended.index.find_to_change(&extended.members, key.view())?
        };
        Some(self.remove_at(position))
    }

    pub(super) fn remove_at(&mut self, position: usize) -> (Variant, Variant) {
        let extended = self.0.extend();
        let removed = extended.members.remove(position);
        extended.index.remove(position);
        removed
    }

    /// Keeps the entries for which `keep` returns `true`.
    pub fn retain(&mut self, mut keep: impl FnMut(&Variant, &mut Variant) -> bool) {
        self.0.edit(|entries| entries.retain_mut(|(key, value)| keep(key, value)));
    }

    /// Removes all entries. The types stay.
    pub fn clear(&mut self) {
        self.0.take();
    }

    /// Returns the entry of a key for changes in place.
    ///
    /// ```
    /// use varbytes::variant::Dictionary;
    ///
    /// let mut counts = Dictionary::new();
    /// for word in ["a", "b", "a"] {
    ///     let count = counts.entry(word).or_insert(0);
    ///     *count = (count.as_i64().unwrap_or(0) + 1).into();
    /// }
    /// assert_eq!(counts["a"], 2);
    /// ```
    pub fn entry(&mut self, key: impl Into<Variant>) -> Entry<'_> {
        let key = key.into();
        let extended = self.0.extend();
        match extended.index.find_to_change(&extended.members, (&key).into()) {
            Some(position) => Entry::Occupied(OccupiedEntry { dictionary: self, position }),
            None => Entry::Vacant(VacantEntry { dictionary: self, key }),
        }
    }

    /// Returns keys and values in order.
    pub fn iter(&self) -> Entries<'_> {
        self.entries().iter().map(|(key, value)| (key, value))
    }

    /// Returns keys and values in order, the values for changes. The type of the dictionary is not checked.
    pub fn iter_mut(&mut self) -> EntriesMut<'_> {
        self.entries_mut().iter_mut().map(|(key, value)| (key, value))
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator {
        self.entries().iter().map(|(key, _)| key)
    }

    /// Returns the values in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator {
        self.entries().iter().map(|(_, value)| value)
    }

    /// Returns the values in order for changes. The type of the dictionary is not checked.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Variant> + ExactSizeIterator {
        self.entries_mut().iter_mut().map(|(_, value)| value)
    }
}

/// # Panics
/// If the dictionary is typed and a key or a value is of another type.
impl<K: Into<Variant>, V: Into<Variant>> Extend<(K, V)> for Dictionary {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

/// # Panics
/// If there is no entry with the key.
impl<'k, K: Into<Key<'k>>> Index<K> for Dictionary {
    type Output = Variant;

    fn index(&self, key: K) -> &Variant {
        let key = key.into();
        let position = self.position(&key).unwrap_or_else(|| panic!("the dictionary has no key {key:?}"));
        &self.entries()[position].1
    }
}

/// Adds an entry with the value `Nil` if there is none with the key, as `serde_json` does.
///
/// # Panics
/// If the dictionary is typed and the key or a `Nil` is of another type.
impl<'k, K: Into<Key<'k>>> IndexMut<K> for Dictionary {
    fn index_mut(&mut self, key: K) -> &mut Variant {
        let key = key.into();
        let position = self.position(&key).unwrap_or_else(|| {
            self.insert(key.to_variant(), ());
            self.len() - 1
        });
        &mut self.0.extend().members[position].1
    }
}

impl IntoIterator for Dictionary {
    type Item = (Variant, Variant);
    type IntoIter = vec::IntoIter<(Variant, Variant)>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_entries().into_iter()
    }
}

impl<'a> IntoIterator for &'a Dictionary {
    type Item = (&'a Variant, &'a Variant);
    type IntoIter = Entries<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Dictionary {
    type Item = (&'a Variant, &'a mut Variant);
    type IntoIter = EntriesMut<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
