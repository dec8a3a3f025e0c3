//! A view of a value in an owned or a borrowed tree, for comparing, hashing and copying it.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use super::borrowed::VariantRef;
use super::container::in_pairs;
use super::members::{ArrayLabel, Members};
use super::owned::{Array, Dictionary, Object, ObjectData, Variant};
use super::text::Text;
use super::view::ELEMENT_SIZE;
use crate::{VariantType, work};

/// A key, or a value inside a key.
///
/// A [`Builder`](crate::build::Builder) creates it from a `&Variant` or a `&VariantRef` with `into()`.
///
/// ```
/// use varbytes::Variant;
/// use varbytes::variant::KeyView;
///
/// /// What `Builder::as_key` of a builder of values returns.
/// fn as_key<'v>(value: &'v Variant) -> Option<KeyView<'v, 'v>> {
///     Some(value.into())
/// }
/// ```
#[derive(Clone, Copy)]
pub struct KeyView<'v, 'a>(View<'v, 'a>);

#[derive(Clone, Copy)]
enum View<'v, 'a> {
    Owned(&'v Variant),
    Borrowed(&'v VariantRef<'a>),
}

impl<'v> From<&'v Variant> for KeyView<'v, '_> {
    #[inline]
    fn from(value: &'v Variant) -> Self {
        Self(View::Owned(value))
    }
}

impl<'v, 'a> From<&'v VariantRef<'a>> for KeyView<'v, 'a> {
    #[inline]
    fn from(value: &'v VariantRef<'a>) -> Self {
        Self(match value {
            VariantRef::Owned(value) => View::Owned(value),
            value => View::Borrowed(value),
        })
    }
}

impl<'v, 'a> KeyView<'v, 'a> {
    pub(super) fn variant_type(self) -> VariantType {
        match self.0 {
            View::Owned(value) => value.variant_type(),
            View::Borrowed(value) => value.variant_type(),
        }
    }

    /// Returns the number of members, keys and values of a dictionary counted separately; `None` if it is not a
    /// container.
    pub(super) fn member_count(self) -> Option<usize> {
        match self.0 {
            View::Owned(Variant::Dictionary(dictionary)) => Some(2 * dictionary.entries().len()),
            View::Owned(Variant::Object(Object::Data(data))) => Some(data.properties.len()),
            View::Owned(value) => value.as_array().map(|array| array.elements().len()),
            View::Borrowed(VariantRef::Dictionary(dictionary)) => Some(2 * dictionary.entries.len()),
            View::Borrowed(VariantRef::Object(object)) => Some(object.properties.len()),
            View::Borrowed(VariantRef::Array(array)) => Some(array.elements.len()),
            View::Borrowed(_) => None,
        }
    }

    fn member(self, index: usize) -> Option<Self> {
        match self.0 {
            View::Owned(Variant::Dictionary(dictionary)) => half(dictionary.entries(), index),
            View::Owned(Variant::Object(Object::Data(data))) => {
                data.properties.get(index).map(|(_, value)| value.into())
            }
            View::Owned(value) => value.as_array()?.elements().get(index).map(Self::from),
            View::Borrowed(VariantRef::Dictionary(dictionary)) => half(dictionary.entries(), index),
            View::Borrowed(VariantRef::Array(array)) => array.elements().get(index).map(Self::from),
            View::Borrowed(VariantRef::Object(object)) => object.properties.get(index).map(|(_, value)| value.into()),
            View::Borrowed(_) => None,
        }
    }

    /// Returns a container of the same kind with these members, one for each of its own.
    pub(super) fn with_members(self, members: Vec<Variant>) -> Variant {
        match self.0 {
            View::Owned(Variant::Dictionary(dictionary)) => {
                Variant::Dictionary(Dictionary(dictionary.0.with_members(in_pairs(members))))
            }
            View::Owned(Variant::Object(Object::Data(data))) => {
                object(&data.class, data.properties.iter().map(|(name, _)| name.clone()), members)
            }
            View::Owned(value) => match value.as_array() {
                Some(array) => Variant::from_array(value.variant_type(), Array(array.0.with_members(members))),
                None => value.cloned_leaf(),
            },
            View::Borrowed(VariantRef::Dictionary(dictionary)) => {
                let label = dictionary.label.as_deref().cloned().unwrap_or_default();
                Variant::Dictionary(Dictionary(Members::new(label, in_pairs(members))))
            }
            View::Borrowed(VariantRef::Array(array)) => {
                let label = array.label.as_deref().cloned().unwrap_or_default();
                let array = Array(Members::new(ArrayLabel { variant_type: None, ..label }, members));
                Variant::from_array(self.variant_type(), array)
            }
            View::Borrowed(VariantRef::Object(of)) => {
                object(of.class, of.properties.iter().map(|(name, _)| (*name).to_owned()), members)
            }
            View::Borrowed(leaf) => leaf.copied_leaf().unwrap_or_default(),
        }
    }

    /// Returns the UTF-8 of a `String` or a `StringName`; `None` for other types and for text that is not Unicode.
    pub(super) fn text(self) -> Option<&'v [u8]> {
        match self.0 {
            View::Owned(value) => value.as_text().filter(|text| text.is_unicode()).map(Text::as_bytes),
            View::Borrowed(VariantRef::String(text) | VariantRef::StringName(text)) => Some(text.as_bytes()),
            View::Borrowed(_) => None,
        }
    }

    pub(super) const fn int(self) -> Option<i64> {
        match self.0 {
            View::Owned(Variant::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// See [`Variant::content_size`].
    pub(super) fn content_size(self) -> usize {
        let texts = |texts: &[&str]| texts.iter().map(|text| size_of::<Text>() + text.len()).sum();
        match self.0 {
            View::Owned(value) => value.content_size(),
            View::Borrowed(value) => match value {
                VariantRef::String(text) | VariantRef::StringName(text) | VariantRef::Signal { name: text, .. } => {
                    text.len()
                }
                VariantRef::NodePath(path) => texts(&path.names) + texts(&path.subnames),
                VariantRef::PackedByteArray(bytes) => bytes.len(),
                VariantRef::PackedNumbers(numbers) => numbers.len() * ELEMENT_SIZE,
                VariantRef::PackedStringArray(strings) => texts(strings),
                _ => 0,
            },
        }
    }

    /// Returns a value that contains no others.
    pub(super) fn leaf(self) -> Cow<'v, Variant> {
        match self.0 {
            View::Owned(value) => Cow::Borrowed(value),
            View::Borrowed(_) => Cow::Owned(self.to_leaf()),
        }
    }

    /// Copies a value that contains no others.
    pub(super) fn to_leaf(self) -> Variant {
        work::add_bytes_of(|| self.content_size());
        match self.0 {
            View::Owned(value) => value.cloned_leaf(),
            View::Borrowed(value) => value.copied_leaf().unwrap_or_default(),
        }
    }
}

/// Returns the key or the value of an entry: keys have even indices.
fn half<'v, 'a, V>(entries: &'v [(V, V)], index: usize) -> Option<KeyView<'v, 'a>>
where
    &'v V: Into<KeyView<'v, 'a>>,
{
    let (key, value) = entries.get(index / 2)?;
    Some(if index.is_multiple_of(2) { key } else { value }.into())
}

fn object(class: &str, names: impl Iterator<Item = String>, values: Vec<Variant>) -> Variant {
    Variant::from(ObjectData { class: class.to_owned(), properties: names.zip(values).collect() })
}

#[derive(Clone, Copy)]
pub(super) enum KeyVisit<'v, 'a> {
    Leaf(KeyView<'v, 'a>),
    /// A container and the number of its members.
    Enter(KeyView<'v, 'a>, usize),
    /// The end of this container.
    Leave(KeyView<'v, 'a>, usize),
}

/// Visits every value of a tree in wire order, without recursion.
pub(super) struct KeyWalk<'v, 'a> {
    start: Option<KeyView<'v, 'a>>,
    /// The open containers, and the number of visited members of each.
    open: Vec<(KeyView<'v, 'a>, usize)>,
    at_key: bool,
}

impl<'v, 'a> KeyWalk<'v, 'a> {
    pub(super) const fn new(key: KeyView<'v, 'a>) -> Self {
        Self { start: Some(key), open: Vec::new(), at_key: false }
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns whether the last visited value is the key of a dictionary.
    pub(super) const fn is_at_key(&self) -> bool {
        self.at_key
    }

    /// Leaves the innermost container without visiting its remaining contents or its end.
    pub(super) fn pass_over(&mut self) {
        self.open.pop();
    }
}

impl<'v, 'a> Iterator for KeyWalk<'v, 'a> {
    type Item = KeyVisit<'v, 'a>;

    fn next(&mut self) -> Option<KeyVisit<'v, 'a>> {
        let next = match self.open.last_mut() {
            None => self.start.take()?,
            Some((container, visited)) => {
                self.at_key = container.variant_type() == VariantType::Dictionary && visited.is_multiple_of(2);
                *visited += 1;
                match container.member(*visited - 1) {
                    Some(member) => member,
                    None => return self.open.pop().map(|(container, visited)| KeyVisit::Leave(container, visited - 1)),
                }
            }
        };
        Some(match next.member_count() {
            None => KeyVisit::Leaf(next),
            Some(count) => {
                self.open.push((next, 0));
                KeyVisit::Enter(next, count)
            }
        })
    }
}
