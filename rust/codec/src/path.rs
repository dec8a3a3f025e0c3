//! Where in a value something is.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use crate::Variant;
use crate::escape::Escaped;
use crate::variant::{Object, View};

/// One step from a value into a part of it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A member of an array or packed array, by its position on the wire.
    Index(usize),
    /// The value of a dictionary's entry: its position on the wire and its key, where that is short text
    /// or a number.
    Value(usize, Option<String>),
    /// The key of a dictionary's entry, by its position on the wire.
    Key(usize),
    /// The value of an object's property.
    Property(String),
    /// A named part of a value, such as the class name of an object.
    Part(&'static str),
}

/// The steps from the outermost value to a part of it; written `$["players"][3].position`.
///
/// `$` is the outermost value, `[3]` a member, `["players"]` the value under a key, `[key 3]` the key of
/// entry 3 itself, `[entry 3]` the value of entry 3 whose key is not text or a number, `.position` a
/// property of an object, `<class name>` a part that is no value of its own.
///
/// The text is whole and [escaped](crate::escape); a packet can make it long. Messages show it cut by
/// [`shortened`](crate::escape::shortened).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Path {
    pub(crate) steps: Vec<Step>,
}

impl Path {
    /// The steps, outermost first.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self { steps: steps.into_iter().collect() }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("$")?;
        self.steps.iter().try_for_each(|step| write!(formatter, "{step:?}"))
    }
}

/// As [`Display`](fmt::Display).
impl fmt::Debug for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

/// As a path shows it, escaped.
impl fmt::Debug for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(formatter, "[{index}]"),
            Self::Value(_, Some(key)) => write!(formatter, "[{}]", Escaped(key)),
            Self::Value(index, None) => write!(formatter, "[entry {index}]"),
            Self::Key(index) => write!(formatter, "[key {index}]"),
            Self::Property(name) => write!(formatter, ".{}", Escaped(name)),
            Self::Part(part) => write!(formatter, "<{part}>"),
        }
    }
}

impl Step {
    /// The step from a container to its member at `index`, keys and values of a dictionary counted each.
    pub(crate) fn to_member(container: &Variant, index: usize) -> Self {
        match container.view() {
            View::Dictionary(dictionary) => {
                let entry = dictionary.entries().get(index / 2);
                Self::to_entry(index, entry.map(|(key, _)| key))
            }
            View::Object(Object::Data(data)) => {
                let name = data.properties.get(index).map(|(name, _)| name.clone());
                Self::Property(name.unwrap_or_default())
            }
            _ => Self::Index(index),
        }
    }

    /// The step to a key or a value of a dictionary, each counted.
    pub(crate) fn to_entry(index: usize, key: Option<&Variant>) -> Self {
        if index.is_multiple_of(2) { Self::Key(index / 2) } else { Self::Value(index / 2, key.and_then(key_text)) }
    }
}

/// A dictionary key as a path shows it: numbers, and text in quotes, cut where it is long.
pub(crate) fn key_text(key: &Variant) -> Option<String> {
    match key {
        Variant::Int(number) => Some(format!("{number}")),
        Variant::String(text) => Some(quoted(text)),
        Variant::StringName(text) => Some(format!("&{}", quoted(text))),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}
