//! The methods of `Array`, `Dictionary` and `ObjectData`.

use alloc::{string::String, vec::Vec};
use core::mem;

use super::members::{ArrayLabel, ContainerType, DictionaryLabel, Members, label_methods};
use super::owned::{Array, Dictionary, ObjectData, Variant};

impl Array {
    /// Creates an empty untyped array.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an array of the given members, typed if `element_type` is given.
    #[must_use]
    pub fn with_type(element_type: Option<ContainerType>, elements: Vec<Variant>) -> Self {
        Self(Members::new(ArrayLabel { element_type, ..ArrayLabel::default() }, elements))
    }

    label_methods! { self => self.0.label(); element_type = "members" }

    /// Sets whether the array is "shared".
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        self.0.edit_label(|label| label.shared = shared);
        self
    }

    /// Returns the members in order.
    #[must_use]
    pub fn elements(&self) -> &[Variant] {
        self.0.as_slice()
    }

    /// Returns the members if the array has neither a type nor the "shared" flag.
    #[inline]
    pub(crate) fn plain_elements(&self) -> Option<&[Variant]> {
        self.0.plain()
    }

    /// Returns the members for changes in place. [`edit`](Self::edit) can also add and remove members.
    pub fn elements_mut(&mut self) -> &mut [Variant] {
        self.0.boxed_mut()
    }

    /// Calls `edit` with the members as a `Vec`, for any change.
    ///
    /// ```
    /// use varbytes::Variant;
    /// use varbytes::variant::Array;
    ///
    /// let mut array = Array::from(vec![Variant::from(1)]);
    /// array.edit(|elements| elements.push("two".into()));
    /// assert_eq!(array.elements(), [Variant::from(1), "two".into()]);
    /// ```
    pub fn edit<R>(&mut self, edit: impl FnOnce(&mut Vec<Variant>) -> R) -> R {
        self.0.edit(edit)
    }

    /// Takes out the members.
    #[must_use]
    pub fn into_elements(mut self) -> Vec<Variant> {
        self.0.take().into_vec()
    }
}

impl From<Vec<Variant>> for Array {
    fn from(elements: Vec<Variant>) -> Self {
        Self(Members::Plain(elements.into()))
    }
}

impl FromIterator<Variant> for Array {
    fn from_iter<I: IntoIterator<Item = Variant>>(elements: I) -> Self {
        Self(Members::Plain(elements.into_iter().collect()))
    }
}

impl Dictionary {
    /// Creates an empty untyped dictionary.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a dictionary of the given entries, typed if a type is given.
    #[must_use]
    pub fn with_types(
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
        entries: Vec<(Variant, Variant)>,
    ) -> Self {
        Self(Members::new(DictionaryLabel { key_type, value_type, shared: false }, entries))
    }

    label_methods! { self => self.0.label(); key_type = "keys", value_type = "values" }

    /// Sets whether the dictionary is "shared".
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        self.0.edit_label(|label| label.shared = shared);
        self
    }

    /// Returns keys and values in insertion order.
    #[must_use]
    pub fn entries(&self) -> &[(Variant, Variant)] {
        self.0.as_slice()
    }

    /// Returns the entries if the dictionary has neither types nor the "shared" flag.
    #[inline]
    pub(crate) fn plain_entries(&self) -> Option<&[(Variant, Variant)]> {
        self.0.plain()
    }

    /// Returns keys and values for changes in place. [`edit`](Self::edit) can also add and remove entries.
    pub fn entries_mut(&mut self) -> &mut [(Variant, Variant)] {
        self.0.boxed_mut()
    }

    /// Calls `edit` with the entries as a `Vec`, for any change.
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
    #[must_use]
    pub fn into_entries(mut self) -> Vec<(Variant, Variant)> {
        self.0.take().into_vec()
    }

    /// Returns the value of the first key that is the `String` or `StringName` `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Variant> {
        let is_key = |candidate: &Variant| candidate.as_text().is_some_and(|text| *text == key);
        self.entries().iter().find(|(candidate, _)| is_key(candidate)).map(|(_, value)| value)
    }
}

impl From<Vec<(Variant, Variant)>> for Dictionary {
    fn from(entries: Vec<(Variant, Variant)>) -> Self {
        Self(Members::Plain(entries.into()))
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(Members::Plain(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect()))
    }
}

impl ObjectData {
    /// Returns the value of the first property with this name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Variant> {
        self.properties.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Takes out the class and the properties.
    #[must_use]
    pub fn into_parts(mut self) -> (String, Vec<(String, Variant)>) {
        (mem::take(&mut self.class), mem::take(&mut self.properties))
    }
}

/// Returns the entries of a dictionary from alternating keys and values.
pub(crate) fn in_pairs(members: Vec<Variant>) -> Vec<(Variant, Variant)> {
    let count = members.len() / 2;
    let mut members = members.into_iter();
    let mut next = || members.next().unwrap_or_default();
    (0..count).map(|_| (next(), next())).collect()
}
