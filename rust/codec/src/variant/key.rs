//! A key to look up, without a copy of its text.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::borrowed::VariantRef;
use super::key_view::KeyView;
use super::math::{Color, Rect2, Rect2i, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i};
use super::node_path::NodePath;
use super::owned::{Array, Object, Variant};
use super::text::Text;

/// A key to look up in a [`Dictionary`](super::Dictionary). Calls take anything that converts to it: text, numbers, and
/// `&Variant` for a key of any type.
///
/// ```
/// use varbytes::variant::{Dictionary, Key, Vector2i};
///
/// fn is_known<'k>(dictionary: &Dictionary, key: impl Into<Key<'k>>) -> bool {
///     dictionary.contains_key(key)
/// }
///
/// let tiles = Dictionary::from([(Vector2i::new(4, 2), "wall")]);
/// assert!(is_known(&tiles, Vector2i::new(4, 2)) && !is_known(&tiles, "4, 2"));
/// ```
pub struct Key<'k>(Form<'k>);

enum Form<'k> {
    Variant(&'k Variant),
    Held(VariantRef<'k>),
    /// A number beyond every `int`.
    Beyond(u64),
}

/// A key that equals no other.
static NO_KEY: Variant = Variant::Object(Object::Id(0));

impl Key<'_> {
    pub(super) fn view(&self) -> KeyView<'_, '_> {
        match &self.0 {
            Form::Variant(value) => (*value).into(),
            Form::Held(value) => value.into(),
            Form::Beyond(_) => (&NO_KEY).into(),
        }
    }

    /// Returns the key as the index of an array.
    pub(super) fn index(&self) -> Option<usize> {
        self.view().int().and_then(|index| index.try_into().ok())
    }

    /// # Panics
    /// If the key is a number that is greater than any `int`.
    pub(super) fn to_variant(&self) -> Variant {
        match &self.0 {
            Form::Variant(value) => (*value).clone(),
            Form::Held(value) => value.to_variant(),
            Form::Beyond(number) => panic!("the key {number} is greater than any int"),
        }
    }
}

impl fmt::Debug for Key<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Beyond(number) => number.fmt(formatter),
            _ => self.to_variant().fmt(formatter),
        }
    }
}

impl<'k> From<&'k Variant> for Key<'k> {
    fn from(value: &'k Variant) -> Self {
        Self(Form::Variant(value))
    }
}

impl<'k> From<&'k str> for Key<'k> {
    fn from(text: &'k str) -> Self {
        Self(Form::Held(VariantRef::String(text)))
    }
}

impl<'k> From<&&'k str> for Key<'k> {
    fn from(text: &&'k str) -> Self {
        Self::from(*text)
    }
}

impl<'k> From<&'k String> for Key<'k> {
    fn from(text: &'k String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&Text> for Key<'_> {
    fn from(text: &Text) -> Self {
        Self::from(text.clone())
    }
}

macro_rules! held {
    ($($value:ty),*) => {$(
        impl From<$value> for Key<'_> {
            fn from(value: $value) -> Self {
                Self(Form::Held(VariantRef::Owned(value.into())))
            }
        }
    )*};
}

macro_rules! held_and_borrowed {
    ($($value:ty),*) => {$(
        held!($value);

        impl From<&$value> for Key<'_> {
            fn from(value: &$value) -> Self {
                Self::from(*value)
            }
        }
    )*};
}

macro_rules! cloned {
    ($($value:ty),*) => {$(
        impl From<&$value> for Key<'_> {
            fn from(value: &$value) -> Self {
                Self(Form::Held(VariantRef::Owned(value.into())))
            }
        }
    )*};
}

macro_rules! unsigned {
    ($($value:ty),*) => {$(
        /// A number that is greater than any `int` is no key and no index.
        impl From<$value> for Key<'_> {
            fn from(value: $value) -> Self {
                match i64::try_from(value) {
                    Ok(value) => Self::from(value),
                    Err(_) => Self(Form::Beyond(value as u64)),
                }
            }
        }

        impl From<&$value> for Key<'_> {
            fn from(value: &$value) -> Self {
                Self::from(*value)
            }
        }
    )*};
}

unsigned!(usize, u64);

held!(Variant, String, Text, Vector2, Vector3, Vector4, Rect2, NodePath, Cow<'_, str>, ());
held_and_borrowed!(
    bool, char, i8, u8, i16, u16, i32, u32, i64, isize, f32, f64, Vector2i, Vector3i, Vector4i, Rect2i, Color
);
cloned!(Vector2, Vector3, Vector4, Rect2, NodePath, Array);
