//! An entry of a `Dictionary`, for changes in place.

use super::mismatch::TypeMismatch;
use super::owned::{Dictionary, Variant};

/// An entry of a [`Dictionary`] that exists or not; see [`Dictionary::entry`].
///
/// ```
/// use varbytes::variant::{Dictionary, Entry};
///
/// let mut scores = Dictionary::from([("Ada", 7)]);
/// match scores.entry("Ada") {
///     Entry::Occupied(entry) => assert_eq!(entry.remove(), 7),
///     Entry::Vacant(entry) => drop(entry.insert(1)),
/// }
/// assert!(scores.is_empty());
/// ```
pub enum Entry<'d> {
    /// It exists.
    Occupied(OccupiedEntry<'d>),
    /// It does not.
    Vacant(VacantEntry<'d>),
}

/// An entry that exists.
///
/// ```
/// use varbytes::variant::{Dictionary, Entry};
///
/// let mut scores = Dictionary::from([("Ada", 7)]);
/// if let Entry::Occupied(mut entry) = scores.entry("Ada") {
///     assert_eq!(entry.get(), &7);
///     *entry.get_mut() = 8.into();
///     let score = entry.into_mut();
///     assert_eq!(*score, 8);
/// }
/// ```
pub struct OccupiedEntry<'d> {
    pub(super) dictionary: &'d mut Dictionary,
    pub(super) position: usize,
}

/// An entry that does not exist.
///
/// ```
/// use varbytes::variant::{Dictionary, Entry};
///
/// let mut scores = Dictionary::new();
/// if let Entry::Vacant(entry) = scores.entry("Ada") {
///     assert_eq!(entry.insert(7), &7);
/// }
/// assert_eq!(scores["Ada"], 7);
/// ```
pub struct VacantEntry<'d> {
    pub(super) dictionary: &'d mut Dictionary,
    pub(super) key: Variant,
}

impl<'d> Entry<'d> {
    /// Returns the value, after inserting `default` if there is none.
    ///
    /// ```
    /// let mut counts = varbytes::variant::Dictionary::new();
    /// *counts.entry("axe").or_insert(0) = 1.into();
    /// assert_eq!(counts["axe"], 1);
    /// ```
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type.
    pub fn or_insert(self, default: impl Into<Variant>) -> &'d mut Variant {
        self.or_insert_with(|| default)
    }

    /// Like [`or_insert`](Self::or_insert), with a value that is made only if there is none.
    ///
    /// ```
    /// let mut names = varbytes::variant::Dictionary::new();
    /// names.entry(7).or_insert_with(|| format!("player {}", 7));
    /// assert_eq!(names[7], "player 7");
    /// ```
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type.
    pub fn or_insert_with<V: Into<Variant>>(self, default: impl FnOnce() -> V) -> &'d mut Variant {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(default()),
        }
    }

    /// Like [`or_insert`](Self::or_insert), with `Nil`.
    ///
    /// ```
    /// let mut names = varbytes::variant::Dictionary::new();
    /// assert!(names.entry("Ada").or_default().is_nil());
    /// ```
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type.
    pub fn or_default(self) -> &'d mut Variant {
        self.or_insert(())
    }

    /// Calls `change` with the value if there is one.
    ///
    /// ```
    /// let mut states = varbytes::variant::Dictionary::from([("door", "closed")]);
    /// states.entry("door").and_modify(|state| *state = "open".into()).or_insert("new");
    /// assert_eq!(states["door"], "open");
    /// ```
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut Variant)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// Returns the key.
    ///
    /// ```
    /// let mut names = varbytes::variant::Dictionary::new();
    /// assert_eq!(names.entry(7).key(), &7);
    /// ```
    #[must_use]
    pub fn key(&self) -> &Variant {
        match self {
            Self::Occupied(entry) => entry.key(),
            Self::Vacant(entry) => &entry.key,
        }
    }
}

impl<'d> OccupiedEntry<'d> {
    /// Returns the value.
    ///
    /// [`OccupiedEntry`] has an example.
    #[must_use]
    pub fn get(&self) -> &Variant {
        &self.dictionary.entries()[self.position].1
    }

    /// Returns the value for changes.
    ///
    /// [`OccupiedEntry`] has an example.
    pub fn get_mut(&mut self) -> &mut Variant {
        &mut self.dictionary.0.as_indexed_mut_slice()[self.position].1
    }

    /// Returns the value for changes, for as long as the dictionary is borrowed.
    ///
    /// [`OccupiedEntry`] has an example.
    #[must_use]
    pub fn into_mut(self) -> &'d mut Variant {
        &mut self.dictionary.0.as_indexed_mut_slice()[self.position].1
    }

    /// Returns the key.
    ///
    /// ```
    /// use varbytes::variant::{Dictionary, Entry};
    ///
    /// let mut scores = Dictionary::from([("Ada", 7)]);
    /// let Entry::Occupied(entry) = scores.entry("Ada") else { unreachable!() };
    /// assert_eq!(entry.key(), "Ada");
    /// ```
    #[must_use]
    pub fn key(&self) -> &Variant {
        &self.dictionary.entries()[self.position].0
    }

    /// Replaces the value and returns the earlier one.
    ///
    /// ```
    /// use varbytes::variant::{Dictionary, Entry};
    ///
    /// let mut scores = Dictionary::from([("Ada", 7)]);
    /// if let Entry::Occupied(mut entry) = scores.entry("Ada") {
    ///     assert_eq!(entry.insert(8), 7);
    /// }
    /// assert_eq!(scores["Ada"], 8);
    /// ```
    ///
    /// # Panics
    /// If the dictionary is typed and the value is of another type.
    pub fn insert(&mut self, value: impl Into<Variant>) -> Variant {
        let value = value.into();
        if let Err(error) = TypeMismatch::check("value", self.position, self.dictionary.value_type(), &value) {
            panic!("{error}");
        }
        core::mem::replace(self.get_mut(), value)
    }

    /// Removes the entry and returns it, as [`Dictionary::remove`].
    ///
    /// ```
    /// use varbytes::variant::{Dictionary, Entry};
    ///
    /// let mut scores = Dictionary::from([("Ada", 7)]);
    /// if let Entry::Occupied(entry) = scores.entry("Ada") {
    ///     assert_eq!(entry.remove_entry(), ("Ada".into(), 7.into()));
    /// }
    /// assert!(scores.is_empty());
    /// ```
    pub fn remove_entry(self) -> (Variant, Variant) {
        self.dictionary.remove_at(self.position)
    }

    /// Removes the entry and returns its value, as [`Dictionary::remove`].
    ///
    /// [`Entry`] has an example.
    pub fn remove(self) -> Variant {
        self.dictionary.remove_at(self.position).1
    }
}

impl<'d> VacantEntry<'d> {
    /// Inserts the value and returns it.
    ///
    /// [`VacantEntry`] has an example.
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type.
    pub fn insert(self, value: impl Into<Variant>) -> &'d mut Variant {
        self.dictionary.insert(self.key, value);
        let position = self.dictionary.len() - 1;
        &mut self.dictionary.0.as_indexed_mut_slice()[position].1
    }
}
