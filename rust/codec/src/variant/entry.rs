//! An entry of a `Dictionary`, for changes in place.

use super::owned::{Dictionary, Variant};

/// An entry of a [`Dictionary`] that exists or not; see [`Dictionary::entry`].
pub enum Entry<'d> {
    /// It exists.
    Occupied(OccupiedEntry<'d>),
    /// It does not.
    Vacant(VacantEntry<'d>),
}

/// An entry that exists.
pub struct OccupiedEntry<'d> {
    pub(super) dictionary: &'d mut Dictionary,
    pub(super) position: usize,
}

/// An entry that does not exist.
pub struct VacantEntry<'d> {
    pub(super) dictionary: &'d mut Dictionary,
    pub(super) key: Variant,
}

impl<'d> Entry<'d> {
    /// Returns the value, after inserting `default` if there is none.
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type.
    pub fn or_insert(self, default: impl Into<Variant>) -> &'d mut Variant {
        self.or_insert_with(|| default)
    }

    /// Like [`or_insert`](Self::or_insert), with a value that is made only if there is none.
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
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type.
    pub fn or_default(self) -> &'d mut Variant {
        self.or_insert(())
    }

    /// Calls `change` with the value if there is one.
    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut Variant)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }

    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> &Variant {
        match self {
            Self::Occupied(entry) => &entry.dictionary.entries()[entry.position].0,
            Self::Vacant(entry) => &entry.key,
        }
    }
}

impl<'d> OccupiedEntry<'d> {
    /// Returns the value.
    #[must_use]
    pub fn get(&self) -> &Variant {
        &self.dictionary.entries()[self.position].1
    }

    /// Returns the value for changes.
    pub fn get_mut(&mut self) -> &mut Variant {
        &mut self.dictionary.0.extend().members[self.position].1
    }

    /// Returns the value for changes, for as long as the dictionary is borrowed.
    #[must_use]
    pub fn into_mut(self) -> &'d mut Variant {
        &mut self.dictionary.0.extend().members[self.position].1
    }

    /// Removes the entry and returns its value.
    pub fn remove(self) -> Variant {
        self.dictionary.remove_at(self.position).1
    }
}

impl<'d> VacantEntry<'d> {
    /// Inserts the value and returns it.
    ///
    /// # Panics
    /// If the dictionary is typed and the key or the value is of another type.
    pub fn insert(self, value: impl Into<Variant>) -> &'d mut Variant {
        self.dictionary.insert(self.key, value);
        let position = self.dictionary.len() - 1;
        &mut self.dictionary.0.extend().members[position].1
    }
}
