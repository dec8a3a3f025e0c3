//! `Array` and `Dictionary`.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::members::{ArrayLabel, DictionaryLabel, Members};
use super::{Variant, VariantType, drop};

/// What the members of a typed container must be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ContainerType {
    /// A built-in type. [`VariantType::Object`] here is an object type without a class name.
    Builtin(VariantType),
    /// Objects of a native class.
    Class(String),
    /// Objects with a script, named by its `res://` path.
    Script(String),
    /// A number that no type has. Pandemonium 5 keeps it as the element type of its typed arrays; nothing fits.
    Unknown(u32),
}

/// An `Array`: members in order and, where the array is typed, the type of its members.
///
/// The type is a label: it is written and read, and what was read already obeys it. Nothing checks
/// members added by hand.
#[derive(Default)]
pub struct Array(Members<Variant, ArrayLabel>);

impl Array {
    /// An empty untyped array.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An array of the given members, typed where `element_type` is given.
    #[must_use]
    pub fn with_type(element_type: Option<ContainerType>, elements: Vec<Variant>) -> Self {
        let label = ArrayLabel { element_type, ..ArrayLabel::default() };
        Self(Members::new(label, elements.into_boxed_slice()))
    }

    /// The type of the members, `None` for an untyped array.
    #[must_use]
    pub fn element_type(&self) -> Option<&ContainerType> {
        self.label().element_type.as_ref()
    }

    /// Whether the array is "shared", which Godot 1 and 2 write and keep; no later engine has it.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label().shared
    }

    /// The same array, "shared" or not.
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        let label = ArrayLabel { shared, ..self.label().clone() };
        Self(Members::new(label, self.0.take()))
    }

    /// The members in order.
    #[must_use]
    pub fn elements(&self) -> &[Variant] {
        self.0.as_slice()
    }

    /// The members of an array that has no label.
    #[inline]
    pub(crate) fn plain_elements(&self) -> Option<&[Variant]> {
        self.0.plain()
    }

    /// The members, to change in place. [`edit`](Self::edit) also adds and removes.
    pub fn elements_mut(&mut self) -> &mut [Variant] {
        self.0.boxed_mut()
    }

    /// Does with the members whatever a `Vec` can do.
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

    /// The same array with other members.
    pub(super) fn with_elements(&self, elements: Vec<Variant>) -> Self {
        Self(Members::new(self.label().clone(), elements.into_boxed_slice()))
    }

    pub(super) fn take(&mut self) -> Box<[Variant]> {
        self.0.take()
    }

    /// The members, taken out.
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

/// A `Dictionary`: entries in insertion order and, where typed, the types of its keys and values.
///
/// Entries are a plain list: decoding has already merged equal keys as the engine does, and nothing
/// stops a caller from adding a key twice, as a hand-made packet may.
#[derive(Default)]
pub struct Dictionary(Members<(Variant, Variant), DictionaryLabel>);

impl Dictionary {
    /// An empty untyped dictionary.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A dictionary of the given entries, typed where a type is given.
    #[must_use]
    pub fn with_types(
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
        entries: Vec<(Variant, Variant)>,
    ) -> Self {
        let label = DictionaryLabel { key_type, value_type, shared: false };
        Self(Members::new(label, entries.into_boxed_slice()))
    }

    /// Whether the dictionary is "shared", which Godot 1 and 2 write and keep; no later engine has it.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label().shared
    }

    /// The same dictionary, "shared" or not.
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        let label = DictionaryLabel { shared, ..self.label().clone() };
        Self(Members::new(label, self.0.take()))
    }

    /// The type of the keys, `None` where they are not typed.
    #[must_use]
    pub fn key_type(&self) -> Option<&ContainerType> {
        self.label().key_type.as_ref()
    }

    /// The type of the values, `None` where they are not typed.
    #[must_use]
    pub fn value_type(&self) -> Option<&ContainerType> {
        self.label().value_type.as_ref()
    }

    /// Keys and values in insertion order.
    #[must_use]
    pub fn entries(&self) -> &[(Variant, Variant)] {
        self.0.as_slice()
    }

    /// Keys and values of a dictionary that has no label.
    #[inline]
    pub(crate) fn plain_entries(&self) -> Option<&[(Variant, Variant)]> {
        self.0.plain()
    }

    /// Keys and values, to change in place. [`edit`](Self::edit) also adds and removes.
    pub fn entries_mut(&mut self) -> &mut [(Variant, Variant)] {
        self.0.boxed_mut()
    }

    /// Does with the entries whatever a `Vec` can do.
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

    /// The same dictionary with other entries.
    pub(super) fn with_entries(&self, entries: Vec<(Variant, Variant)>) -> Self {
        Self(Members::new(self.label().clone(), entries.into_boxed_slice()))
    }

    pub(super) fn take(&mut self) -> Box<[(Variant, Variant)]> {
        self.0.take()
    }

    /// Keys and values, taken out.
    #[must_use]
    pub fn into_entries(mut self) -> Vec<(Variant, Variant)> {
        self.0.take().into_vec()
    }

    /// The value of the first key that is the `String` or `StringName` `key`.
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
