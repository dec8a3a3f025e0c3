//! The tree whose text and packed arrays stay in the packet.

use alloc::{borrow::ToOwned, boxed::Box, vec::Vec};
use core::{fmt, mem};

use super::members::{ArrayLabel, DictionaryLabel};
use super::{Array, ContainerType, Dictionary, NodePath, Object, ObjectData, Signal, Text, Variant};
use crate::variant::PackedNumbers;
use crate::{VariantType, work};

/// A value of any type, whose text and packed arrays are views of the packet it was read from.
///
/// [`Decoder::decode_borrowed`](crate::Decoder::decode_borrowed) gives it: the same value that a [`Variant`] holds,
/// without copying what is long. Dropping and converting it use no recursion.
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
    /// A value that has nothing in the packet to show: every type of a fixed size, and whatever the engine makes of
    /// the bytes instead of taking them as they stand, such as a converted member of a typed container.
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

/// A `NodePath` in a packet.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NodePathRef<'a> {
    /// Whether it begins at the root.
    pub absolute: bool,
    /// The names of nodes.
    pub names: Vec<&'a str>,
    /// The subnames, of resources and properties.
    pub subnames: Vec<&'a str>,
}

/// An `Array` in a packet: members in order and, where it is typed, the type of its members.
pub struct ArrayRef<'a> {
    /// What hardly any array has, so that it takes no room in the others.
    pub(crate) label: Option<Box<ArrayLabel>>,
    pub(crate) elements: Box<[VariantRef<'a>]>,
}

/// A `Dictionary` in a packet: entries in insertion order, equal keys merged, and where it is typed the types.
pub struct DictionaryRef<'a> {
    pub(crate) label: Option<Box<DictionaryLabel>>,
    pub(crate) entries: Box<[(VariantRef<'a>, VariantRef<'a>)]>,
}

/// The full form of an object in a packet.
pub struct ObjectRef<'a> {
    /// The native class.
    pub class: &'a str,
    /// Names and values in wire order.
    pub properties: Vec<(&'a str, VariantRef<'a>)>,
}

impl VariantRef<'_> {
    /// The type of the value.
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

    /// The text of a `String` or a `StringName`.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) | Self::StringName(text) => Some(text),
            Self::Owned(value) => value.as_text().map(Text::as_str),
            _ => None,
        }
    }

    /// The same value, independent of the packet.
    #[must_use]
    pub fn to_variant(&self) -> Variant {
        /// What is to be done yet, last first.
        enum Task<'r, 'a> {
            Copy(&'r VariantRef<'a>),
            /// Put the members copied last into this container.
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

    /// A copy of what holds no other values.
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

    /// The container of the same kind with these members, which are as many as its own.
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

    /// Whether it has nothing on the heap, as far as that is seen at once.
    #[inline(always)]
    const fn is_in_place(&self) -> bool {
        match self {
            Self::Owned(value) => value.is_in_place(),
            Self::String(_) | Self::StringName(_) | Self::Signal { .. } | Self::PackedByteArray(_) => true,
            _ => false,
        }
    }

    pub(super) const fn may_hold_values(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Dictionary(_) | Self::Object(_))
    }
}

impl<'a> ArrayRef<'a> {
    /// The type of the members, `None` for an untyped array.
    #[must_use]
    pub fn element_type(&self) -> Option<&ContainerType> {
        self.label.as_ref()?.element_type.as_ref()
    }

    /// Whether the array is "shared", as in [`Array::is_shared`].
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label.as_ref().is_some_and(|label| label.shared)
    }

    fn variant_type(&self) -> VariantType {
        self.label.as_ref().and_then(|label| label.variant_type).unwrap_or(VariantType::Array)
    }

    /// The values in it that may hold others, taken out; the others are dropped.
    fn take_members(&mut self) -> impl Iterator<Item = VariantRef<'a>> + use<'a> {
        mem::take(&mut self.elements).into_vec().into_iter().filter(VariantRef::may_hold_values)
    }

    /// The members in order.
    #[must_use]
    pub fn elements(&self) -> &[VariantRef<'a>] {
        &self.elements
    }
}

impl<'a> DictionaryRef<'a> {
    /// The type of the keys, `None` where they are not typed.
    #[must_use]
    pub fn key_type(&self) -> Option<&ContainerType> {
        self.label.as_ref()?.key_type.as_ref()
    }

    /// The type of the values, `None` where they are not typed.
    #[must_use]
    pub fn value_type(&self) -> Option<&ContainerType> {
        self.label.as_ref()?.value_type.as_ref()
    }

    /// Whether the dictionary is "shared", as in [`Dictionary::is_shared`].
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.label.as_ref().is_some_and(|label| label.shared)
    }

    /// The values in it that may hold others, taken out; the others are dropped.
    fn take_members(&mut self) -> impl Iterator<Item = VariantRef<'a>> + use<'a> {
        let entries = mem::take(&mut self.entries).into_vec().into_iter();
        entries.flat_map(|(key, value)| [key, value]).filter(VariantRef::may_hold_values)
    }

    /// Keys and values in insertion order.
    #[must_use]
    pub fn entries(&self) -> &[(VariantRef<'a>, VariantRef<'a>)] {
        &self.entries
    }

    /// The value of the first key that is the `String` or `StringName` `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&VariantRef<'a>> {
        self.entries.iter().find(|(candidate, _)| candidate.as_str() == Some(key)).map(|(_, value)| value)
    }
}

impl<'a> ObjectRef<'a> {
    /// The values in it that may hold others, taken out; the others are dropped.
    fn take_members(&mut self) -> impl Iterator<Item = VariantRef<'a>> + use<'a> {
        let properties = mem::take(&mut self.properties).into_iter();
        properties.map(|(_, value)| value).filter(VariantRef::may_hold_values)
    }

    /// The value of the first property with that name.
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

/// As the [`Variant`] it stands for.
impl fmt::Debug for VariantRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_variant().fmt(formatter)
    }
}

// As in the owned tree, there is most often nothing to do.

impl Drop for ArrayRef<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.elements.iter().all(VariantRef::is_in_place) {
            return mem::take(&mut self.elements).into_vec().into_iter().for_each(mem::forget);
        }
        drop_members(self.take_members());
    }
}

impl Drop for DictionaryRef<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.entries.iter().all(|(key, value)| key.is_in_place() && value.is_in_place()) {
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

// A node of a borrowed tree.
const _: () = assert!(size_of::<VariantRef<'_>>() <= 32);
