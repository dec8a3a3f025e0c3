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
///
/// ```
/// let dictionary = varbytes::variant::Dictionary::from([("a", 1)]);
/// let mut entries: varbytes::variant::Entries = dictionary.iter();
/// assert_eq!(entries.next().unwrap().1, 1);
/// ```
pub type Entries<'d> = Map<slice::Iter<'d, (Variant, Variant)>, fn(&(Variant, Variant)) -> (&Variant, &Variant)>;

/// Keys and values of a [`Dictionary`] in order, the values for changes.
///
/// ```
/// let mut dictionary = varbytes::variant::Dictionary::from([("a", 1)]);
/// let mut entries: varbytes::variant::EntriesMut = dictionary.iter_mut();
/// *entries.next().unwrap().1 = 2.into();
/// ```
pub type EntriesMut<'d> =
    Map<slice::IterMut<'d, (Variant, Variant)>, fn(&mut (Variant, Variant)) -> (&Variant, &mut Variant)>;

impl Dictionary {
    /// Returns the number of entries.
    ///
    /// ```
    /// assert_eq!(varbytes::variant::Dictionary::from([("a", 1)]).len(), 1);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Returns whether there are no entries.
    ///
    /// ```
    /// assert!(varbytes::variant::Dictionary::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// Returns the position of the last entry with a key.
    pub(crate) fn position(&self, key: &Key<'_>) -> Option<usize> {
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
    ///
    /// ```
    /// let dictionary = varbytes::variant::Dictionary::from([(7, "seven")]);
    /// let (key, value) = dictionary.get_key_value(7).unwrap();
    /// assert_eq!((key.as_i64(), value.as_str()), (Some(7), Some("seven")));
    /// ```
    #[must_use]
    pub fn get_key_value<'k>(&self, key: impl Into<Key<'k>>) -> Option<(&Variant, &Variant)> {
        let (key, value) = &self.entries()[self.position(&key.into())?];
        Some((key, value))
    }

    /// Returns the value of a key for changes. Types are checked when the dictionary is encoded.
    ///
    /// ```
    /// let mut player = varbytes::variant::Dictionary::from([("hp", 7)]);
    /// if let Some(hp) = player.get_mut("hp") {
    ///     *hp = 8.into();
    /// }
    /// assert_eq!(player["hp"], 8);
    /// ```
    pub fn get_mut<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<&mut Variant> {
        let position = self.position(&key.into())?;
        self.value_mut(position)
    }

    /// Returns the value at a position for changes.
    pub(crate) fn value_mut(&mut self, position: usize) -> Option<&mut Variant> {
        self.0.as_indexed_mut_slice().get_mut(position).map(|(_, value)| value)
    }

    /// Returns whether there is an entry with the key.
    ///
    /// ```
    /// let peers = varbytes::variant::Dictionary::from([(1, "host")]);
    /// assert!(peers.contains_key(1) && !peers.contains_key(2));
    /// ```
    #[must_use]
    pub fn contains_key<'k>(&self, key: impl Into<Key<'k>>) -> bool {
        self.position(&key.into()).is_some()
    }

    /// Adds an entry, or replaces the value of its key in place. Returns the earlier value.
    ///
    /// ```
    /// let mut player = varbytes::variant::Dictionary::new();
    /// assert_eq!(player.insert("hp", 7), None);
    /// assert_eq!(player.insert("hp", 8), Some(7.into()));
    /// ```
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type. [`try_insert`](Self::try_insert) returns
    /// an error.
    pub fn insert(&mut self, key: impl Into<Variant>, value: impl Into<Variant>) -> Option<Variant> {
        self.try_insert(key, value).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`insert`](Self::insert).
    ///
    /// ```
    /// use varbytes::VariantType;
    /// use varbytes::variant::{ContainerType, Dictionary};
    ///
    /// let mut scores = Dictionary::with_types(None, Some(ContainerType::Builtin(VariantType::Int)), vec![])?;
    /// scores.try_insert("Ada", 7)?;
    /// let error = scores.try_insert("Bob", "none").unwrap_err();
    /// assert_eq!(error.to_string(), "value 1 is a String, but the container declares int");
    /// # Ok::<(), varbytes::variant::TypeMismatch>(())
    /// ```
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

    /// Makes room for so many more entries.
    ///
    /// ```
    /// let mut player = varbytes::variant::Dictionary::new();
    /// player.reserve(1000);
    /// assert!(player.is_empty());
    /// ```
    pub fn reserve(&mut self, additional: usize) {
        self.0.extend().members.reserve(additional);
    }

    /// Removes all entries and returns them in order. The types stay.
    ///
    /// ```
    /// let mut scores = varbytes::variant::Dictionary::from([("Ada", 7)]);
    /// assert_eq!(scores.drain().next(), Some(("Ada".into(), 7.into())));
    /// assert!(scores.is_empty());
    /// ```
    pub fn drain(&mut self) -> vec::IntoIter<(Variant, Variant)> {
        self.0.take().into_iter()
    }

    /// Sorts the entries by their keys, in the order of [`Variant`].
    ///
    /// ```
    /// let mut scores = varbytes::variant::Dictionary::from([("Bob", 8), ("Ada", 7)]);
    /// scores.sort_keys();
    /// assert!(scores.keys().eq(["Ada", "Bob"]));
    /// ```
    pub fn sort_keys(&mut self) {
        self.entries_mut().sort_by(|(left, _), (right, _)| left.cmp(right));
    }

    /// Removes an entry and returns its value. The others keep their order, so it takes time in proportion to their
    /// number; [`retain`](Self::retain) removes many at once.
    ///
    /// Afterwards there is no such key: if [`entries_mut`](Self::entries_mut) or an unchecked constructor has made duplicate
    /// keys, all of them are removed, and the last value is returned.
    ///
    /// ```
    /// let mut player = varbytes::variant::Dictionary::from([("hp", 7)]);
    /// assert_eq!(player.remove("hp"), Some(7.into()));
    /// assert_eq!(player.remove("hp"), None);
    /// ```
    pub fn remove<'k>(&mut self, key: impl Into<Key<'k>>) -> Option<Variant> {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes an entry and returns it, as [`remove`](Self::remove).
    ///
    /// ```
    /// let mut peers = varbytes::variant::Dictionary::from([(1, "host")]);
    /// assert_eq!(peers.remove_entry(1), Some((1.into(), "host".into())));
    /// ```
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
        extended.index.remove(&mut extended.members, position)
    }

    /// Keeps the entries for which `keep` returns `true`.
    ///
    /// ```
    /// let mut scores = varbytes::variant::Dictionary::from([("Ada", 7), ("Bob", 0)]);
    /// scores.retain(|_, score| *score != 0);
    /// assert_eq!(scores.len(), 1);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(&Variant, &mut Variant) -> bool) {
        self.0.edit(|entries| entries.retain_mut(|(key, value)| keep(key, value)));
    }

    /// Removes all entries. The types stay.
    ///
    /// ```
    /// let mut scores = varbytes::variant::Dictionary::from([("Ada", 7)]);
    /// scores.clear();
    /// assert!(scores.is_empty());
    /// ```
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
    ///
    /// ```
    /// let scores = varbytes::variant::Dictionary::from([("Ada", 7), ("Bob", 0)]);
    /// let shown: Vec<String> = scores.iter().map(|(name, score)| format!("{name}: {score}")).collect();
    /// assert_eq!(shown, [r#""Ada": 7"#, r#""Bob": 0"#]);
    /// ```
    pub fn iter(&self) -> Entries<'_> {
        self.entries().iter().map(|(key, value)| (key, value))
    }

    /// Returns keys and values in order, the values for changes. Types are checked when the dictionary is encoded.
    ///
    /// ```
    /// let mut scores = varbytes::variant::Dictionary::from([("Ada", 7)]);
    /// for (_, score) in scores.iter_mut() {
    ///     *score = 0.into();
    /// }
    /// assert_eq!(scores["Ada"], 0);
    /// ```
    pub fn iter_mut(&mut self) -> EntriesMut<'_> {
        self.0.as_indexed_mut_slice().iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Returns the keys in order.
    ///
    /// ```
    /// let scores = varbytes::variant::Dictionary::from([("Ada", 7), ("Bob", 0)]);
    /// assert!(scores.keys().eq(["Ada", "Bob"]));
    /// ```
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator {
        self.entries().iter().map(|(key, _)| key)
    }

    /// Returns the values in order.
    ///
    /// ```
    /// let scores = varbytes::variant::Dictionary::from([("Ada", 7), ("Bob", 1)]);
    /// assert_eq!(scores.values().filter_map(|score| score.as_i64()).sum::<i64>(), 8);
    /// ```
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator {
        self.entries().iter().map(|(_, value)| value)
    }

    /// Takes out the keys in order.
    ///
    /// ```
    /// let scores = varbytes::variant::Dictionary::from([("Ada", 7), ("Bob", 0)]);
    /// let names: Vec<String> = scores.into_keys().filter_map(|name| name.try_into().ok()).collect();
    /// assert_eq!(names, ["Ada", "Bob"]);
    /// ```
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = Variant> + ExactSizeIterator {
        self.into_entries().into_iter().map(|(key, _)| key)
    }

    /// Takes out the values in order.
    ///
    /// ```
    /// let scores = varbytes::variant::Dictionary::from([("Ada", 7), ("Bob", 0)]);
    /// assert!(scores.into_values().eq([7, 0]));
    /// ```
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = Variant> + ExactSizeIterator {
        self.into_entries().into_iter().map(|(_, value)| value)
    }

    /// Returns the values in order for changes. Types are checked when the dictionary is encoded.
    ///
    /// ```
    /// let mut scores = varbytes::variant::Dictionary::from([("Ada", 7)]);
    /// scores.values_mut().for_each(|score| *score = 0.into());
    /// assert_eq!(scores["Ada"], 0);
    /// ```
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Variant> + ExactSizeIterator {
        self.0.as_indexed_mut_slice().iter_mut().map(|(_, value)| value)
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
        &mut self.0.as_indexed_mut_slice()[position].1
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
