//! How a `Dictionary` is created, and its entries as a whole.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::members::{ContainerType, DictionaryLabel, Members, label_methods};
use super::mismatch::TypeMismatch;
use super::owned::{Dictionary, Variant};

impl Dictionary {
    /// Creates an empty untyped dictionary.
    ///
    /// ```
    /// let dictionary = varbytes::variant::Dictionary::new();
    /// assert!(dictionary.is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty untyped dictionary with room for so many entries.
    ///
    /// ```
    /// let dictionary = varbytes::variant::Dictionary::with_capacity(1000);
    /// assert!(dictionary.is_empty());
    /// ```
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut dictionary = Self::new();
        dictionary.0.extend().members.reserve(capacity);
        dictionary
    }

    /// Creates a dictionary of the given entries, typed if a type is given. The last of duplicate keys wins.
    ///
    /// ```
    /// use varbytes::VariantType;
    /// use varbytes::variant::{ContainerType, Dictionary};
    ///
    /// let [string, int] = [VariantType::String, VariantType::Int].map(|builtin| Some(ContainerType::Builtin(builtin)));
    /// let scores = Dictionary::with_types(string.clone(), int.clone(), vec![("Ada".into(), 7.into())])?;
    /// assert_eq!(scores.value_type(), int.as_ref());
    /// let error = Dictionary::with_types(string, int, vec![("Ada".into(), "?".into())]).unwrap_err();
    /// assert_eq!(error.to_string(), "value 0 is a String, but the container declares int");
    /// # Ok::<(), varbytes::variant::TypeMismatch>(())
    /// ```
    ///
    /// # Errors
    /// [`TypeMismatch`] for the first key or value of another type. The engine would convert it or leave it out.
    pub fn with_types(
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
        entries: Vec<(Variant, Variant)>,
    ) -> Result<Self, TypeMismatch> {
        let dictionary = Self::with_types_unchecked(key_type, value_type, Self::from(entries).into_entries());
        dictionary.check((dictionary.key_type(), dictionary.value_type())).map(|()| dictionary)
    }

    /// Like [`with_types`](Self::with_types), without checking the types and without looking for duplicate keys. Of
    /// these, look-ups find the last, and so does a reader.
    ///
    /// ```
    /// use varbytes::variant::Dictionary;
    ///
    /// let twice = Dictionary::with_types_unchecked(None, None, vec![("a".into(), 1.into()), ("a".into(), 2.into())]);
    /// assert_eq!((twice.len(), &twice["a"]), (2, &2.into()));
    /// ```
    #[must_use]
    pub fn with_types_unchecked(
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
        entries: Vec<(Variant, Variant)>,
    ) -> Self {
        Self(Members::new(DictionaryLabel { key_type, value_type, shared: false }, entries))
    }

    label_methods! { self => self.0.label(); key_type = "keys", value_type = "values" }

    /// Sets whether the dictionary is "shared".
    ///
    /// ```
    /// let dictionary = varbytes::variant::Dictionary::new().with_shared(true);
    /// assert!(dictionary.is_shared());
    /// ```
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        self.0.edit_label(|label| label.shared = shared);
        self
    }

    /// Returns keys and values in insertion order.
    ///
    /// ```
    /// let dictionary = varbytes::variant::Dictionary::from([("a", 1)]);
    /// assert_eq!(dictionary.entries(), [("a".into(), 1.into())]);
    /// ```
    #[must_use]
    pub fn entries(&self) -> &[(Variant, Variant)] {
        self.0.as_slice()
    }

    /// Returns the entries if the dictionary has neither types nor the "shared" flag.
    #[inline]
    pub(crate) fn plain_entries(&self) -> Option<&[(Variant, Variant)]> {
        self.0.plain()
    }

    /// Returns keys and values for changes in place. Types are checked when the dictionary is
    /// encoded, duplicate keys are not.
    ///
    /// ```
    /// let mut dictionary = varbytes::variant::Dictionary::from([("a", 1)]);
    /// dictionary.entries_mut()[0].0 = "b".into();
    /// assert_eq!(dictionary["b"], 1);
    /// ```
    pub fn entries_mut(&mut self) -> &mut [(Variant, Variant)] {
        self.0.as_mut_slice()
    }

    /// Like [`entries_mut`](Self::entries_mut), without a check when the dictionary is encoded.
    ///
    /// ```
    /// use varbytes::VariantType;
    /// use varbytes::variant::{ContainerType, Dictionary};
    ///
    /// let int = Some(ContainerType::Builtin(VariantType::Int));
    /// let mut scores = Dictionary::with_types(None, int, vec![("Ada".into(), 7.into())])?;
    /// scores.entries_mut_unchecked()[0].1 = "none".into();
    /// assert!(varbytes::encode(&scores.into()).is_ok());
    /// # Ok::<(), varbytes::variant::TypeMismatch>(())
    /// ```
    pub fn entries_mut_unchecked(&mut self) -> &mut [(Variant, Variant)] {
        self.0.as_unchecked_mut_slice()
    }

    /// Calls `edit` with the entries as a `Vec`, for any change. Types are checked when the dictionary is
    /// encoded, duplicate keys are not.
    ///
    /// ```
    /// use varbytes::Variant;
    /// use varbytes::variant::Dictionary;
    ///
    /// let mut dictionary = Dictionary::from_iter([("name", "crate"), ("size", "large")]);
    /// dictionary.edit(|entries| entries.retain(|(key, _)| *key != Variant::from("size")));
    /// assert_eq!(dictionary.entries().len(), 1);
    /// ```
    pub fn edit<R>(&mut self, edit: impl FnOnce(&mut Vec<(Variant, Variant)>) -> R) -> R {
        self.0.edit(edit)
    }

    /// Takes out keys and values.
    ///
    /// ```
    /// let mut entries = varbytes::variant::Dictionary::from([("b", 1), ("a", 2)]).into_entries();
    /// entries.sort_by_key(|(_, value)| value.as_i64());
    /// assert_eq!(entries[0].0, "b");
    /// ```
    #[must_use]
    pub fn into_entries(mut self) -> Vec<(Variant, Variant)> {
        self.0.take()
    }

    /// Creates an untyped dictionary of entries whose keys are known to differ.
    #[inline]
    pub(crate) fn from_distinct(entries: Vec<(Variant, Variant)>) -> Self {
        Self(Members::plain_or_indexed(entries))
    }
}

/// The last of duplicate keys wins, at the position of the first.
impl From<Vec<(Variant, Variant)>> for Dictionary {
    fn from(entries: Vec<(Variant, Variant)>) -> Self {
        let mut dictionary = Self::new();
        dictionary.0.extend().members.reserve(entries.len());
        dictionary.extend(entries);
        Self::from_distinct(dictionary.into_entries())
    }
}

/// The last of duplicate keys wins, at the position of the first.
impl<K: Into<Variant>, V: Into<Variant>, const N: usize> From<[(K, V); N]> for Dictionary {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

/// The last of duplicate keys wins, at the position of the first.
impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::from(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect::<Vec<_>>())
    }
}

/// In the order of the keys.
impl<K: Into<Variant>, V: Into<Variant>> From<BTreeMap<K, V>> for Dictionary {
    fn from(entries: BTreeMap<K, V>) -> Self {
        entries.into_iter().collect()
    }
}

/// In the order in which the map returns its entries, which differs between runs.
#[cfg(feature = "std")]
impl<K: Into<Variant>, V: Into<Variant>, S> From<std::collections::HashMap<K, V, S>> for Dictionary {
    fn from(entries: std::collections::HashMap<K, V, S>) -> Self {
        entries.into_iter().collect()
    }
}
