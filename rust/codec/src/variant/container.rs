//! `Array` and `Dictionary`.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::members::{ArrayLabel, DictionaryLabel, Members};
use super::{Variant, VariantType, drop};

/// The type that a typed container declares for its members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ContainerType {
    /// A built-in type. [`VariantType::Object`] is an object type without a class name.
    Builtin(VariantType),
    /// Objects of a native class.
    Class(String),
    /// Objects with a script, identified by its `res://` path.
    Script(String),
    /// A type id that does not exist. Pandemonium 5 keeps it as the element type of a typed array; no value has this
    /// type.
    Unknown(u32),
}

/// An `Array`: its members in order and, if it is typed, their type.
///
/// The type is written and read. Decoded members match it, but members added by the caller are not checked.
#[derive(Default)]
pub struct Array(Members<Variant, ArrayLabel>);

impl Array {
    /// Creates an empty untyped array.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an array of the given members, typed if `element_type` is given.
    #[must_use]
    pub fn with_type(element_type: Option<ContainerType>, elements: Vec<Variant>) -> Self {
        let label = ArrayLabel { element_type, ..ArrayLabel::default() };
        Self(Members::new(label, elements.into_boxed_slice()))
    }

    /// Returns the type of the members, `None` if the array is untyped.
    #[must_use]
    pub fn element_type(&self) -> Option<&ContainerType> {
        self.label().element_type.as_ref()
    }

    /// Returns whether the array is "shared". Only Godot 1 and 2 have this flag.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label().shared
    }

    /// Sets whether the array is "shared".
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        let label = ArrayLabel { shared, ..self.label().clone() };
        Self(Members::new(label, self.0.take()))
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

    pub(super) fn label(&self) -> &ArrayLabel {
        self.0.label().unwrap_or(ArrayLabel::NONE)
    }

    /// Returns an array with the same type and flag and other members.
    pub(super) fn with_elements(&self, elements: Vec<Variant>) -> Self {
        Self(Members::new(self.label().clone(), elements.into_boxed_slice()))
    }

    pub(super) fn take(&mut self) -> Box<[Variant]> {
        self.0.take()
    }

    /// Takes out the members.
    #[must_use]
    pub fn into_elements(mut self) -> Vec<Variant> {
        self.0.take().into_vec()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        drop::drop_elements(self.0.take());
    }
}

impl From<Vec<Variant>> for Array {
    fn from(elements: Vec<Variant>) -> Self {
        Self(Members::Plain(elements.into_boxed_slice()))
    }
}

impl FromIterator<Variant> for Array {
    fn from_iter<I: IntoIterator<Item = Variant>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<Vec<_>>())
    }
}

/// A `Dictionary`: its entries in insertion order and, if it is typed, the types of its keys and values.
///
/// Decoding has already merged duplicate keys as the engine does. A caller can still add a key twice.
#[derive(Default)]
pub struct Dictionary(Members<(Variant, Variant), DictionaryLabel>);

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
        let label = DictionaryLabel { key_type, value_type, shared: false };
        Self(Members::new(label, entries.into_boxed_slice()))
    }

    /// Returns whether the dictionary is "shared". Only Godot 1 and 2 have this flag.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label().shared
    }

    /// Sets whether the dictionary is "shared".
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        let label = DictionaryLabel { shared, ..self.label().clone() };
        Self(Members::new(label, self.0.take()))
    }

    /// Returns the type of the keys, `None` if they are untyped.
    #[must_use]
    pub fn key_type(&self) -> Option<&ContainerType> {
        self.label().key_type.as_ref()
    }

    /// Returns the type of the values, `None` if they are untyped.
    #[must_use]
    pub fn value_type(&self) -> Option<&ContainerType> {
        self.label().value_type.as_ref()
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

    pub(super) fn label(&self) -> &DictionaryLabel {
        self.0.label().unwrap_or(DictionaryLabel::NONE)
    }

    /// Returns a dictionary with the same types and flag and other entries.
    pub(super) fn with_entries(&self, entries: Vec<(Variant, Variant)>) -> Self {
        Self(Members::new(self.label().clone(), entries.into_boxed_slice()))
    }

    pub(super) fn take(&mut self) -> Box<[(Variant, Variant)]> {
        self.0.take()
    }

    /// Takes out keys and values.
    #[must_use]
    pub fn into_entries(mut self) -> Vec<(Variant, Variant)> {
        self.0.take().into_vec()
    }

    /// Returns the value of the first key that is the `String` or `StringName` `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Variant> {
        self.entries()
            .iter()
            .find(|(candidate, _)| candidate.as_text().is_some_and(|text| *text == key))
            .map(|(_, value)| value)
    }
}

impl Drop for Dictionary {
    fn drop(&mut self) {
        drop::drop_entries(self.0.take());
    }
}

impl From<Vec<(Variant, Variant)>> for Dictionary {
    fn from(entries: Vec<(Variant, Variant)>) -> Self {
        Self(Members::Plain(entries.into_boxed_slice()))
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::from(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect::<Vec<_>>())
    }
}

/// Returns the entries of a dictionary from alternating keys and values.
pub(crate) fn in_pairs(members: Vec<Variant>) -> Vec<(Variant, Variant)> {
    let mut members = members.into_iter();
    core::iter::from_fn(|| members.next().zip(members.next())).collect()
}
