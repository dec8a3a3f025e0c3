//! A view of a key, in an owned or a borrowed tree, for comparing and hashing without a copy.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::{Object, Text, Variant, VariantRef};
use crate::VariantType;

/// A key, or a value inside a key.
///
/// A [`Builder`](crate::build::Builder) creates it from a `&Variant` or a `&VariantRef` with `into()`.
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
            View::Borrowed(value) => value.may_hold_values().then(|| value.member_count()),
        }
    }

    fn member(self, index: usize) -> Option<Self> {
        match self.0 {
            View::Owned(Variant::Dictionary(dictionary)) => {
                let (key, value) = dictionary.entries().get(index / 2)?;
                Some(if index.is_multiple_of(2) { key } else { value }.into())
            }
            View::Owned(Variant::Object(Object::Data(data))) => {
                data.properties.get(index).map(|(_, value)| value.into())
            }
            View::Owned(value) => value.as_array()?.elements().get(index).map(Self::from),
            View::Borrowed(VariantRef::Dictionary(dictionary)) => {
                let (key, value) = dictionary.entries().get(index / 2)?;
                Some(if index.is_multiple_of(2) { key } else { value }.into())
            }
            View::Borrowed(VariantRef::Array(array)) => array.elements().get(index).map(Self::from),
            View::Borrowed(VariantRef::Object(object)) => object.properties.get(index).map(|(_, value)| value.into()),
            View::Borrowed(_) => None,
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

    /// Returns the number of bytes or elements of a packed array or of names of a path; 0 for types of fixed size.
    pub(super) fn length(self) -> usize {
        match self.0 {
            View::Owned(Variant::NodePath(path)) => path.names.len() + path.subnames.len(),
            View::Owned(value) => value.packed_len().unwrap_or(0),
            View::Borrowed(VariantRef::NodePath(path)) => path.names.len() + path.subnames.len(),
            View::Borrowed(VariantRef::PackedByteArray(bytes)) => bytes.len(),
            View::Borrowed(VariantRef::PackedNumbers(numbers)) => numbers.len(),
            View::Borrowed(VariantRef::PackedStringArray(strings)) => strings.len(),
            View::Borrowed(_) => 0,
        }
    }

    /// Returns roughly the steps to hash a value that contains no others. Equal values return the same number.
    pub(super) fn weight(self) -> usize {
        let owned = |texts: &[Text]| texts.iter().map(|text| text.as_bytes().len()).sum::<usize>();
        let borrowed = |texts: &[&str]| texts.iter().map(|text| text.len()).sum::<usize>();
        let text = match self.0 {
            View::Owned(Variant::NodePath(path)) => owned(&path.names) + owned(&path.subnames),
            View::Owned(Variant::PackedStringArray(strings)) => owned(strings),
            View::Owned(value) => value.as_text().map_or(0, |text| text.as_bytes().len()),
            View::Borrowed(VariantRef::NodePath(path)) => borrowed(&path.names) + borrowed(&path.subnames),
            View::Borrowed(VariantRef::PackedStringArray(strings)) => borrowed(strings),
            View::Borrowed(VariantRef::String(text) | VariantRef::StringName(text)) => text.len(),
            View::Borrowed(_) => 0,
        };
        self.length() + text / size_of::<u64>()
    }

    /// A value that contains no others.
    pub(super) fn leaf(self) -> Cow<'v, Variant> {
        match self.0 {
            View::Owned(value) => Cow::Borrowed(value),
            View::Borrowed(value) => Cow::Owned(value.copied_leaf().unwrap_or_default()),
        }
    }
}

/// A step of a [`KeyWalk`].
#[derive(Clone, Copy)]
pub(super) enum KeyVisit<'v, 'a> {
    Leaf(KeyView<'v, 'a>),
    Enter(KeyView<'v, 'a>, usize),
    Leave,
}

/// Visits every value of a key in wire order, without recursion.
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

    /// Returns the number of open containers.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns whether the last visited value is the key of a dictionary inside the key.
    pub(super) const fn is_at_key(&self) -> bool {
        self.at_key
    }

    /// Leaves the innermost container without visiting its remaining contents or its end.
    pub(super) fn pass_over(&mut self) {
        self.open.pop();
    }

    fn visit(&mut self, value: KeyView<'v, 'a>) -> KeyVisit<'v, 'a> {
        match value.member_count() {
            None => KeyVisit::Leaf(value),
            Some(count) => {
                self.open.push((value, 0));
                KeyVisit::Enter(value, count)
            }
        }
    }
}

impl<'v, 'a> Iterator for KeyWalk<'v, 'a> {
    type Item = KeyVisit<'v, 'a>;

    fn next(&mut self) -> Option<KeyVisit<'v, 'a>> {
        let Some((container, visited)) = self.open.last_mut() else {
            let start = self.start.take()?;
            return Some(self.visit(start));
        };
        let next = container.member(*visited);
        self.at_key = container.variant_type() == VariantType::Dictionary && visited.is_multiple_of(2);
        *visited += 1;
        match next {
            Some(member) => Some(self.visit(member)),
            None => {
                self.open.pop();
                Some(KeyVisit::Leave)
            }
        }
    }
}
