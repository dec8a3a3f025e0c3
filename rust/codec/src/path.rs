//! Paths: where a part is in a value.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use crate::escape::Escaped;
use crate::variant::{Object, View};
use crate::{Variant, work};

/// One step from a value into a part of it.
///
/// ```
/// use varbytes::{Path, Step};
///
/// let path: Path = r#"$["players"][3].position"#.parse()?;
/// let [Step::Value(_, Some(key)), Step::Index(index), Step::Property(name)] = path.steps() else { unreachable!() };
/// assert_eq!((key.as_str(), *index, name.as_str()), (r#""players""#, 3, "position"));
/// # Ok::<(), varbytes::ParsePathError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// A member of an array or packed array, by its position on the wire.
    Index(usize),
    /// The value of a dictionary entry: its position on the wire, and its key as the path shows it if that is text or an
    /// `int`. The position is `usize::MAX` in a path from text with the key.
    Value(usize, Option<String>),
    /// The key of a dictionary entry, by its position on the wire.
    Key(usize),
    /// The value of an object property.
    Property(String),
    /// A named part of a value, such as the class name of an object.
    Part(&'static str),
}

/// The steps from the outermost value to a part of it, shown as `$["players"][3].position`.
///
/// `$` is the outermost value, `[3]` a member, `["players"]` the value of a key, `[key 3]` the key of entry 3, `[entry
/// 3]` the value of entry 3 if the key is neither text nor an `int`, `.position` a property of an object, and `<class
/// name>` a part that is not a value. A name of a property that has other characters than letters, digits, `_` and `/`
/// is in quotes.
///
/// A path is also read from this text, with [`parse`](str::parse), and finds its value in a tree:
///
/// ```
/// use varbytes::{Path, variant};
///
/// let mut save = variant!({"players": [{"hp": 7}]});
/// let path: Path = r#"$["players"][0]["hp"]"#.parse()?;
/// assert_eq!(save.at(&path), Some(&7.into()));
/// *save.at_mut(&path).unwrap() = 8.into();
/// assert_eq!(save["players"][0]["hp"], 8);
/// # Ok::<(), varbytes::ParsePathError>(())
/// ```
///
/// The text is [escaped](crate::escape) but not shortened, so untrusted input can make it long. Error messages
/// [shorten](crate::escape::shortened) it. Only keys are cut, after 40 characters, and end in `…`. In a path from text, a
/// key may have any length.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Path {
    pub(crate) steps: Vec<Step>,
}

impl Path {
    /// Returns the steps, outermost first.
    ///
    /// ```
    /// let error = varbytes::decode(&[28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]).unwrap_err();
    /// assert_eq!(error.path().steps(), [varbytes::Step::Index(0)]);
    /// ```
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the path through members of nested containers, each given by its container and its index.
    #[cold]
    pub(crate) fn of_members<'v>(members: impl Iterator<Item = (&'v Variant, usize)>) -> Self {
        members.inspect(|_| work::add(1)).map(|(container, index)| Step::to_member(container, index)).collect()
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

/// The same as [`Display`](fmt::Display).
impl fmt::Debug for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

/// Shows the step as in a path, escaped.
impl fmt::Debug for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(formatter, "[{index}]"),
            Self::Value(_, Some(key)) => write!(formatter, "[{}]", Escaped(key)),
            Self::Value(index, None) => write!(formatter, "[entry {index}]"),
            Self::Key(index) => write!(formatter, "[key {index}]"),
            Self::Property(name) if is_plain(name) => write!(formatter, ".{}", Escaped(name)),
            Self::Property(name) => write!(formatter, ".{}", Escaped(format!("{name:?}"))),
            Self::Part(part) => write!(formatter, "<{part}>"),
        }
    }
}

impl Step {
    /// Returns the step from a container to its member at `index`. Keys and values of a dictionary count separately.
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

    /// Returns the step to a key or a value of a dictionary, which count separately.
    pub(crate) fn to_entry(index: usize, key: Option<&Variant>) -> Self {
        if index.is_multiple_of(2) { Self::Key(index / 2) } else { Self::Value(index / 2, key.and_then(key_text)) }
    }
}

/// Returns a dictionary key as a path shows it: a number, or text in quotes, cut after 40 characters.
pub(crate) fn key_text(key: &Variant) -> Option<String> {
    match key {
        Variant::Int(number) => Some(format!("{number}")),
        Variant::String(text) => Some(quoted(text)),
        Variant::StringName(text) => Some(format!("&{}", quoted(text))),
        _ => None,
    }
}

/// Returns whether a property name is shown without quotes.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '/'))
}

fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}
