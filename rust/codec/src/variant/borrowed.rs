//! The borrowed tree: text and packed arrays are views of the packet.

use alloc::{borrow::ToOwned, boxed::Box, vec::Vec};
use core::{fmt, mem};

use super::members::{ArrayLabel, DictionaryLabel};
use super::{Array, ContainerType, Dictionary, NodePath, Object, ObjectData, Signal, Text, Variant};
use crate::variant::PackedNumbers;
use crate::{VariantType, work};

/// A value of any type that borrows its text and packed arrays from the packet.
///
/// [`Decoder::decode_borrowed`](crate::Decoder::decode_borrowed) returns it: the same value as a [`Variant`], zero-copy
/// for text and packed arrays. Dropping and converting it do not recurse.
///
/// ```
/// use varbytes::variant::VariantRef;
/// use varbytes::{Decoder, Variant};
///
/// let packet = varbytes::encode(&Variant::from(vec![("name".into(), "héros".into())]))?;
/// let VariantRef::Dictionary(entry) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
/// let Some(VariantRef::String(name)) = entry.get("name") else { unreachable!() };
/// assert_eq!(*name, "héros");
/// assert!(packet.as_ptr_range().contains(&name.as_ptr()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub enum VariantRef<'a> {
    /// A value with nothing to borrow: every type of fixed size, and values that the engine changes on reading, for
    /// example a coerced member of a typed container.
    Owned(Variant),
    /// `String`.
    String(&'a str),
    /// `StringName`.
    StringName(&'a str),
    /// `NodePath`.
    NodePath(Box<NodePathRef<'a>>),
    /// `Signal`.
    Signal {
        /// The signal's name.
        name: &'a str,
        /// The instance id of its object; 0 for none.
        object_id: u64,
    },
    /// `Object` with class and properties.
    Object(Box<ObjectRef<'a>>),
    /// `Dictionary`.
    Dictionary(DictionaryRef<'a>),
    /// `Array`, or one of Pandemonium's typed arrays.
    Array(ArrayRef<'a>),
    /// `PackedByteArray`.
    PackedByteArray(&'a [u8]),
    /// A packed array of numbers, vectors or colours.
    PackedNumbers(PackedNumbers<'a>),
    /// `PackedStringArray`, without the NUL that the wire adds to each string.
    PackedStringArray(Vec<&'a str>),
}

/// A `NodePath` that borrows from the packet.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NodePathRef<'a> {
    /// Whether the path is absolute.
    pub absolute: bool,
    /// The node names.
    pub names: Vec<&'a str>,
    /// The subnames: resources and properties.
    pub subnames: Vec<&'a str>,
}

/// An `Array` that borrows from the packet: its members in order and, if it is typed, their type.
pub struct ArrayRef<'a> {
    /// Boxed, because few arrays have it.
    pub(crate) label: Option<Box<ArrayLabel>>,
    pub(crate) elements: Box<[VariantRef<'a>]>,
}

/// A `Dictionary` that borrows from the packet: entries in insertion order without duplicate keys and, if it is typed,
/// the types of keys and values.
pub struct DictionaryRef<'a> {
    pub(crate) label: Option<Box<DictionaryLabel>>,
    pub(crate) entries: Box<[(VariantRef<'a>, VariantRef<'a>)]>,
}

/// A full object that borrows from the packet.
pub struct ObjectRef<'a> {
    /// The native class name.
    pub class: &'a str,
    /// Names and values in wire order.
    pub properties: Vec<(&'a str, VariantRef<'a>)>,
}

impl VariantRef<'_> {
    /// Returns the type of the value.
    #[must_use]
    pub fn variant_type(&self) -> VariantType {
        match self {
            Self::Owned(value) => value.variant_type(),
            Self::String(_) => VariantType::String,
            Self::StringName(_) => VariantType::StringName,
            Self::NodePath(_) => VariantType::NodePath,
            Self::Signal { .. } => VariantType::Signal,
            Self::Object(_) => VariantType::Object,
            Self::Dictionary(_) => VariantType::Dictionary,
            Self::Array(array) => array.variant_type(),
            Self::PackedByteArray(_) => VariantType::PackedByteArray,
            Self::PackedNumbers(numbers) => numbers.variant_type(),
            Self::PackedStringArray(_) => VariantType::PackedStringArray,
        }
    }

    /// Returns the text of a `String` or a `StringName`.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) | Self::StringName(text) => Some(text),
            Self::Owned(value) => value.as_text().map(Text::as_str),
            _ => None,
        }
    }

    /// Returns the value as an owned [`Variant`].
    #[must_use]
    pub fn to_variant(&self) -> Variant {
        /// The remaining work, last step first.
        enum Task<'r, 'a> {
            Copy(&'r VariantRef<'a>),
            /// Moves the members copied last into this container.
            Close(&'r VariantRef<'a>),
        }

        let mut tasks = Vec::from([Task::Copy(self)]);
        let mut copied = Vec::new();
        while let Some(task) = tasks.pop() {
            work::add(1);
            match task {
                Task::Copy(value) => match value.copied_leaf() {
                    Some(leaf) => copied.push(leaf),
                    None => {
                        tasks.push(Task::Close(value));
                        let first = tasks.len();
                        value.for_each_member(|member| tasks.push(Task::Copy(member)));
                        tasks[first..].reverse();
                    }
                },
                Task::Close(container) => {
                    let members = copied.len() - container.member_count();
                    let members = copied.split_off(members);
                    copied.push(container.with_members(members));
                }
            }
        }
        copied.pop().unwrap_or_default()
    }

    /// Copies a value that contains no other values.
    pub(super) fn copied_leaf(&self) -> Option<Variant> {
        let texts = |parts: &[&str]| parts.iter().map(|part| Text::from(*part)).collect();
        work::add_bytes_of(|| self.content_size());
        Some(match self {
            Self::Owned(value) => value.clone(),
            Self::String(text) => Variant::String((*text).into()),
            Self::StringName(text) => Variant::StringName((*text).into()),
            Self::NodePath(path) => Variant::from(NodePath {
                absolute: path.absolute,
                names: texts(&path.names),
                subnames: texts(&path.subnames),
                property: None,
            }),
            Self::Signal { name, object_id } => {
                Variant::from(Signal { name: (*name).to_owned(), object_id: *object_id })
            }
            Self::PackedByteArray(bytes) => Variant::PackedByteArray((*bytes).into()),
            Self::PackedNumbers(numbers) => numbers.to_variant(),
            Self::PackedStringArray(strings) => texts(strings).into(),
            Self::Array(_) | Self::Dictionary(_) | Self::Object(_) => return None,
        })
    }

    pub(super) fn member_count(&self) -> usize {
        match self {
            Self::Array(array) => array.elements.len(),
            Self::Dictionary(dictionary) => 2 * dictionary.entries.len(),
            Self::Object(object) => object.properties.len(),
            _ => 0,
        }
    }

    fn for_each_member<'r>(&'r self, mut tell: impl FnMut(&'r Self)) {
        match self {
            Self::Array(array) => array.elements.iter().for_each(tell),
            Self::Dictionary(dictionary) => dictionary.entries.iter().for_each(|(key, value)| {
                tell(key);
                tell(value);
            }),
            Self::Object(object) => object.properties.iter().for_each(|(_, value)| tell(value)),
            _ => {}
        }
    }

    /// Returns a container of the same kind with these members, one for each of its own.
    fn with_members(&self, members: Vec<Variant>) -> Variant {
        match self {
            Self::Array(array) => {
                let whole = Array::with_type(array.element_type().cloned(), members).with_shared(array.is_shared());
                Variant::from_array(array.variant_type(), whole)
            }
            Self::Dictionary(dictionary) => {
                let (key_type, value_type) = (dictionary.key_type().cloned(), dictionary.value_type().cloned());
                let mut members = members.into_iter();
                let mut entries = Vec::with_capacity(dictionary.entries.len());
                while let (Some(key), Some(value)) = (members.next(), members.next()) {
                    entries.push((key, value));
                }
                let whole = Dictionary::with_types(key_type, value_type, entries);
                Variant::Dictionary(whole.with_shared(dictionary.is_shared()))
            }
            Self::Object(object) => {
                let names = object.properties.iter().map(|(name, _)| (*name).to_owned());
                let properties = names.zip(members).collect();
                Variant::Object(Object::Data(Box::new(ObjectData { class: object.class.to_owned(), properties })))
            }
            leaf => leaf.copied_leaf().unwrap_or_default(),
        }
    }

    /// Returns whether the value is known to own no heap memory. May return false for a value that owns none.
    #[inline(always)]
    const fn is_inline(&self) -> bool {
        match self {
            Self::Owned(value) => value.is_inline(),
            Self::String(_) | Self::StringName(_) | Self::Signal { .. } | Self::PackedByteArray(_) => true,
            _ => false,
        }
    }

    pub(super) const fn may_hold_values(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Dictionary(_) | Self::Object(_))
    }
}

impl<'a> ArrayRef<'a> {
    /// Returns the type of the members, `None` if the array is untyped.
    #[must_use]
    pub fn element_type(&self) -> Option<&ContainerType> {
        self.label.as_ref()?.element_type.as_ref()
    }

    /// Returns whether the array is "shared", see [`Array::is_shared`].
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label.as_ref().is_some_and(|label| label.shared)
    }

    fn variant_type(&self) -> VariantType {
        self.label.as_ref().and_then(|label| label.variant_type).unwrap_or(VariantType::Array)
    }

    /// Takes out the values that may contain others and drops the rest.
    fn take_members(&mut self) -> impl Iterator<Item = VariantRef<'a>> + use<'a> {
        mem::take(&mut self.elements).into_vec().into_iter().filter(VariantRef::may_hold_values)
    }

    /// Returns the members in order.
    #[must_use]
    pub fn elements(&self) -> &[VariantRef<'a>] {
        &self.elements
    }
}

impl<'a> DictionaryRef<'a> {
    /// Returns the type of the keys, `None` if they are untyped.
    #[must_use]
    pub fn key_type(&self) -> Option<&ContainerType> {
        self.label.as_ref()?.key_type.as_ref()
    }

    /// Returns the type of the values, `None` if they are untyped.
    #[must_use]
    pub fn value_type(&self) -> Option<&ContainerType> {
        self.label.as_ref()?.value_type.as_ref()
    }

    /// Returns whether the dictionary is "shared", see [`Dictionary::is_shared`].
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label.as_ref().is_some_and(|label| label.shared)
    }

    /// Takes out the values that may contain others and drops the rest.
    fn take_members(&mut self) -> impl Iterator<Item = VariantRef<'a>> + use<'a> {
        let entries = mem::take(&mut self.entries).into_vec().into_iter();
        entries.flat_map(|(key, value)| [key, value]).filter(VariantRef::may_hold_values)
    }

    /// Returns keys and values in insertion order.
    #[must_use]
    pub fn entries(&self) -> &[(VariantRef<'a>, VariantRef<'a>)] {
        &self.entries
    }

    /// Returns the value of the first key that is the `String` or `StringName` `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&VariantRef<'a>> {
        self.entries.iter().find(|(candidate, _)| candidate.as_str() == Some(key)).map(|(_, value)| value)
    }
}

impl<'a> ObjectRef<'a> {
    /// Takes out the values that may contain others and drops the rest.
    fn take_members(&mut self) -> impl Iterator<Item = VariantRef<'a>> + use<'a> {
        let properties = mem::take(&mut self.properties).into_iter();
        properties.map(|(_, value)| value).filter(VariantRef::may_hold_values)
    }

    /// Returns the value of the first property with this name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&VariantRef<'a>> {
        self.properties.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

impl Default for VariantRef<'_> {
    fn default() -> Self {
        Self::Owned(Variant::Nil)
    }
}

impl From<&VariantRef<'_>> for Variant {
    fn from(value: &VariantRef<'_>) -> Self {
        value.to_variant()
    }
}

/// Like the [`Variant`] with the same value.
impl fmt::Debug for VariantRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_variant().fmt(formatter)
    }
}

// As in the owned tree, there is usually nothing to do.

impl Drop for ArrayRef<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.elements.iter().all(VariantRef::is_inline) {
            return mem::take(&mut self.elements).into_vec().into_iter().for_each(mem::forget);
        }
        drop_members(self.take_members());
    }
}

impl Drop for DictionaryRef<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.entries.iter().all(|(key, value)| key.is_inline() && value.is_inline()) {
            return mem::take(&mut self.entries).into_vec().into_iter().for_each(mem::forget);
        }
        drop_members(self.take_members());
    }
}

impl Drop for ObjectRef<'_> {
    fn drop(&mut self) {
        drop_members(self.take_members());
    }
}

/// Drops values of any depth with a work list instead of recursion.
fn drop_members<'a>(members: impl Iterator<Item = VariantRef<'a>>) {
    let mut pending: Vec<VariantRef<'a>> = members.collect();
    while let Some(mut value) = pending.pop() {
        match &mut value {
            VariantRef::Array(array) => pending.extend(array.take_members()),
            VariantRef::Dictionary(dictionary) => pending.extend(dictionary.take_members()),
            VariantRef::Object(object) => pending.extend(object.take_members()),
            _ => {}
        }
    }
}

// The size of a value in a borrowed tree.
const _: () = assert!(size_of::<VariantRef<'_>>() <= 32);
