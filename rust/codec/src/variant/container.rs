//! `Array` and `Dictionary`.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

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
pub struct Array(ArrayForm);

// Two forms, so that the usual untyped array costs no more than its members.
enum ArrayForm {
    Plain(Box<[Variant]>),
    Labelled(Box<LabelledArray>),
}

struct LabelledArray {
    element_type: Option<ContainerType>,
    shared: bool,
    elements: Box<[Variant]>,
}

impl Default for ArrayForm {
    fn default() -> Self {
        Self::Plain(Box::default())
    }
}

impl Array {
    /// An empty untyped array.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An array of the given members, typed where `element_type` is given.
    #[must_use]
    pub fn with_type(element_type: Option<ContainerType>, elements: Vec<Variant>) -> Self {
        let elements = elements.into_boxed_slice();
        Self(match element_type {
            None => ArrayForm::Plain(elements),
            Some(_) => ArrayForm::Labelled(Box::new(LabelledArray { element_type, shared: false, elements })),
        })
    }

    /// The type of the members, `None` for an untyped array.
    #[must_use]
    pub fn element_type(&self) -> Option<&ContainerType> {
        match &self.0 {
            ArrayForm::Plain(_) => None,
            ArrayForm::Labelled(labelled) => labelled.element_type.as_ref(),
        }
    }

    /// Whether the array is "shared", which Godot 1 and 2 write and keep; no later engine has it.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(&self.0, ArrayForm::Labelled(labelled) if labelled.shared)
    }

    /// The same array, "shared" or not.
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        if self.is_shared() != shared {
            let element_type = self.element_type().cloned();
            let elements = mem::take(self.boxed_mut());
            self.0 = ArrayForm::Labelled(Box::new(LabelledArray { element_type, shared, elements }));
        }
        self
    }

    /// The members in order.
    #[must_use]
    pub fn elements(&self) -> &[Variant] {
        match &self.0 {
            ArrayForm::Plain(elements) => elements,
            ArrayForm::Labelled(labelled) => &labelled.elements,
        }
    }

    /// The members of an array that has no label.
    #[inline]
    pub(crate) fn plain_elements(&self) -> Option<&[Variant]> {
        match &self.0 {
            ArrayForm::Plain(elements) => Some(elements),
            ArrayForm::Labelled(_) => None,
        }
    }

    /// The members, to change in place. [`edit`](Self::edit) also adds and removes.
    pub fn elements_mut(&mut self) -> &mut [Variant] {
        self.boxed_mut()
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
        let mut elements = mem::take(self.boxed_mut()).into_vec();
        let result = edit(&mut elements);
        *self.boxed_mut() = elements.into_boxed_slice();
        result
    }

    pub(super) fn boxed_mut(&mut self) -> &mut Box<[Variant]> {
        match &mut self.0 {
            ArrayForm::Plain(elements) => elements,
            ArrayForm::Labelled(labelled) => &mut labelled.elements,
        }
    }

    /// The members, taken out.
    #[must_use]
    pub fn into_elements(mut self) -> Vec<Variant> {
        mem::take(self.boxed_mut()).into_vec()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        drop::drop_elements(mem::take(self.boxed_mut()));
    }
}

impl From<Vec<Variant>> for Array {
    fn from(elements: Vec<Variant>) -> Self {
        Self(ArrayForm::Plain(elements.into_boxed_slice()))
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
pub struct Dictionary(DictionaryForm);

enum DictionaryForm {
    Plain(Box<[(Variant, Variant)]>),
    Labelled(Box<LabelledDictionary>),
}

struct LabelledDictionary {
    key_type: Option<ContainerType>,
    value_type: Option<ContainerType>,
    shared: bool,
    entries: Box<[(Variant, Variant)]>,
}

impl Default for DictionaryForm {
    fn default() -> Self {
        Self::Plain(Box::default())
    }
}

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
        let entries = entries.into_boxed_slice();
        Self(if key_type.is_none() && value_type.is_none() {
            DictionaryForm::Plain(entries)
        } else {
            DictionaryForm::Labelled(Box::new(LabelledDictionary { key_type, value_type, shared: false, entries }))
        })
    }

    /// Whether the dictionary is "shared", which Godot 1 and 2 write and keep; no later engine has it.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(&self.0, DictionaryForm::Labelled(labelled) if labelled.shared)
    }

    /// The same dictionary, "shared" or not.
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        if self.is_shared() != shared {
            let (key_type, value_type) = (self.key_type().cloned(), self.value_type().cloned());
            let entries = mem::take(self.boxed_mut());
            let labelled = LabelledDictionary { key_type, value_type, shared, entries };
            self.0 = DictionaryForm::Labelled(Box::new(labelled));
        }
        self
    }

    /// The type of the keys, `None` where they are not typed.
    #[must_use]
    pub fn key_type(&self) -> Option<&ContainerType> {
        match &self.0 {
            DictionaryForm::Plain(_) => None,
            DictionaryForm::Labelled(labelled) => labelled.key_type.as_ref(),
        }
    }

    /// The type of the values, `None` where they are not typed.
    #[must_use]
    pub fn value_type(&self) -> Option<&ContainerType> {
        match &self.0 {
            DictionaryForm::Plain(_) => None,
            DictionaryForm::Labelled(labelled) => labelled.value_type.as_ref(),
        }
    }

    /// Keys and values in insertion order.
    #[must_use]
    pub fn entries(&self) -> &[(Variant, Variant)] {
        match &self.0 {
            DictionaryForm::Plain(entries) => entries,
            DictionaryForm::Labelled(labelled) => &labelled.entries,
        }
    }

    /// Keys and values of a dictionary that has no label.
    #[inline]
    pub(crate) fn plain_entries(&self) -> Option<&[(Variant, Variant)]> {
        match &self.0 {
            DictionaryForm::Plain(entries) => Some(entries),
            DictionaryForm::Labelled(_) => None,
        }
    }

    /// Keys and values, to change in place. [`edit`](Self::edit) also adds and removes.
    pub fn entries_mut(&mut self) -> &mut [(Variant, Variant)] {
        self.boxed_mut()
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
        let mut entries = mem::take(self.boxed_mut()).into_vec();
        let result = edit(&mut entries);
        *self.boxed_mut() = entries.into_boxed_slice();
        result
    }

    pub(super) fn boxed_mut(&mut self) -> &mut Box<[(Variant, Variant)]> {
        match &mut self.0 {
            DictionaryForm::Plain(entries) => entries,
            DictionaryForm::Labelled(labelled) => &mut labelled.entries,
        }
    }

    /// Keys and values, taken out.
    #[must_use]
    pub fn into_entries(mut self) -> Vec<(Variant, Variant)> {
        mem::take(self.boxed_mut()).into_vec()
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
        drop::drop_entries(mem::take(self.boxed_mut()));
    }
}

impl From<Vec<(Variant, Variant)>> for Dictionary {
    fn from(entries: Vec<(Variant, Variant)>) -> Self {
        Self(DictionaryForm::Plain(entries.into_boxed_slice()))
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::from(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect::<Vec<_>>())
    }
}
