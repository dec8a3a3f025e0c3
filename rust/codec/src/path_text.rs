//! Paths from text, and the values that they lead to.

use alloc::string::{String, ToString};
use alloc::{format, vec::Vec};
use core::fmt;
use core::str::FromStr;

use crate::Variant;
use crate::path::{Path, Step, is_plain};
use crate::variant::{Dictionary, Object};

/// The end of a key that is cut.
const CUT: char = '…';

/// The parts that paths of this crate name.
const PARTS: [&str; 4] = ["property name", "class name", "value", "deeper"];

/// Text is not a [`Path`].
///
/// ```
/// let error = "$[0][key]".parse::<varbytes::Path>().unwrap_err();
/// assert_eq!(error.offset, 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsePathError {
    /// The position of the wrong step, in bytes.
    pub offset: usize,
}

impl fmt::Display for ParsePathError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "no step of a path at byte {}: write $, then steps like [0], [\"key\"] or .property",
            self.offset
        )
    }
}

impl core::error::Error for ParsePathError {}

/// Reads what a path prints. A path that was [shortened](crate::escape::shortened) is refused.
///
/// # Errors
/// [`ParsePathError`] with the offset of the first wrong step.
impl FromStr for Path {
    type Err = ParsePathError;

    fn from_str(text: &str) -> Result<Self, ParsePathError> {
        let mut rest = text.strip_prefix('$').ok_or(ParsePathError { offset: 0 })?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let offset = text.len() - rest.len();
            let (step, after) = step(rest).ok_or(ParsePathError { offset })?;
            steps.push(step);
            rest = after;
        }
        Ok(Self { steps })
    }
}

/// Reads the first step of a text that has one.
fn step(text: &str) -> Option<(Step, &str)> {
    if let Some(name) = text.strip_prefix('.') {
        if name.starts_with('"') {
            let (name, rest, is_cut) = unquoted(name)?;
            return (!is_cut).then_some((Step::Property(name), rest));
        }
        let (name, rest) = name.split_at(name.find(['.', '[', '<']).unwrap_or(name.len()));
        // Characters that are escaped although a name may have them.
        let quoted = format!("\"{name}\"");
        return match unquoted(&quoted)? {
            (name, "", false) if is_plain(&name) => Some((Step::Property(name), rest)),
            _ => None,
        };
    }
    if let Some(part) = text.strip_prefix('<') {
        let (part, rest) = part.split_once('>')?;
        return Some((Step::Part(PARTS.into_iter().find(|known| *known == part)?), rest));
    }
    let inside = text.strip_prefix('[')?;
    let quotes = inside.strip_prefix('&').unwrap_or(inside);
    if quotes.starts_with('"') {
        let (key, rest, is_cut) = unquoted(quotes)?;
        let prefix = &inside[..inside.len() - quotes.len()];
        let cut = if is_cut { "…" } else { "" };
        return Some((Step::Value(usize::MAX, Some(format!("{prefix}{key:?}{cut}"))), rest.strip_prefix(']')?));
    }
    let (inside, rest) = inside.split_once(']')?;
    let step = match (inside.strip_prefix("key "), inside.strip_prefix("entry ")) {
        (Some(index), _) => Step::Key(number(index)?),
        (_, Some(index)) => Step::Value(number(index)?, None),
        _ if inside.starts_with('-') => Step::Value(usize::MAX, Some(number::<i64>(inside)?.to_string())),
        // A key beyond the indexes of this machine.
        _ => match number(inside) {
            Some(index) => Step::Index(index),
            None => Step::Value(usize::MAX, Some(number::<i64>(inside)?.to_string())),
        },
    };
    Some((step, rest))
}

/// Reads a number in the form in which it is printed.
fn number<N: FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// Reads text in quotes with the escapes of Rust. Returns what follows, and whether the mark of cut text was between.
fn unquoted(text: &str) -> Option<(String, &str, bool)> {
    let mut rest = text.strip_prefix('"')?.chars();
    let mut content = String::new();
    loop {
        content.push(match rest.next()? {
            '"' => break,
            '\\' => match rest.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let (digits, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                    rest = after.chars();
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                other @ ('"' | '\\' | '\'') => other,
                _ => return None,
            },
            other => other,
        });
    }
    let rest = rest.as_str();
    Some(rest.strip_prefix(CUT).map_or((content.clone(), rest, false), |rest| (content, rest, true)))
}

impl Step {
    /// Returns the position of the member of a container: keys and values of a dictionary count separately.
    fn position_in(&self, container: &Variant) -> Option<usize> {
        match (container, self) {
            (Variant::Dictionary(dictionary), Self::Key(entry)) => (*entry < dictionary.len()).then_some(2 * entry),
            (Variant::Dictionary(dictionary), Self::Value(entry, None)) => {
                (*entry < dictionary.len()).then_some(2 * entry + 1)
            }
            (Variant::Dictionary(dictionary), Self::Value(entry, Some(key))) => {
                Shown::new(key)?.entry_in(dictionary, *entry).map(|entry| 2 * entry + 1)
            }
            (Variant::Dictionary(dictionary), Self::Index(key)) => {
                dictionary.position(&(*key).into()).map(|entry| 2 * entry + 1)
            }
            // Of properties with the same name, the engine keeps the last.
            (Variant::Object(Object::Data(data)), Self::Property(name)) => {
                data.properties.iter().rposition(|(found, _)| found == name)
            }
            (container, Self::Index(index)) => {
                container.as_array().filter(|array| *index < array.len()).map(|_| *index)
            }
            // In a path from text, an `int` may be an index.
            (container, Self::Value(_, Some(key))) => {
                let index = key.parse().ok()?;
                container.as_array().filter(|array| index < array.len()).map(|_| index)
            }
            _ => None,
        }
    }
}

/// A dictionary key as a path shows it.
enum Shown {
    Int(i64),
    Text(String),
    /// Text of which only the beginning is known.
    Cut(String),
}

impl Shown {
    fn new(key: &str) -> Option<Self> {
        let quotes = key.strip_prefix('&').unwrap_or(key);
        if !quotes.starts_with('"') {
            return number(key).map(Self::Int);
        }
        match unquoted(quotes)? {
            (text, "", is_cut) => Some(if is_cut { Self::Cut(text) } else { Self::Text(text) }),
            _ => None,
        }
    }

    /// Returns whether this is the key, if a `String` and a `StringName` with the same text are the same key.
    fn is(&self, key: &Variant) -> bool {
        match self {
            Self::Int(number) => *key == *number,
            Self::Text(text) => key.as_text().is_some_and(|key| key.as_bytes() == text.as_bytes()),
            Self::Cut(text) => key.as_text().is_some_and(|key| key.as_bytes().starts_with(text.as_bytes())),
        }
    }

    /// Returns the position of the entry with this key, which probably is `expected`. Of duplicate keys, the last is found.
    fn entry_in(&self, dictionary: &Dictionary, expected: usize) -> Option<usize> {
        let is_key = |entry: &usize| dictionary.entries().get(*entry).is_some_and(|(key, _)| self.is(key));
        if is_key(&expected) {
            return Some(expected);
        }
        let found = match self {
            Self::Int(number) => return dictionary.position(&(*number).into()),
            Self::Text(text) => dictionary.position(&text.into()),
            Self::Cut(_) => None,
        };
        // A key that is cut or not Unicode is found only if no other is shown like it.
        found.or_else(|| {
            let mut entries = (0..dictionary.len()).filter(is_key);
            entries.next().filter(|_| entries.next().is_none())
        })
    }
}

impl Variant {
    /// Returns the value that a path leads to; `None` if there is none. Also a key has a path.
    ///
    /// A key is looked up as by [`Dictionary::get`]: `$["hp"]` also finds the `StringName`. A key that is cut, as in
    /// `$["long…"]`, finds a value only if one key begins so.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let save = variant!({"players": [{"hp": 7}], 2: true});
    /// assert_eq!(save.at(&r#"$["players"][0]["hp"]"#.parse()?), Some(&7.into()));
    /// assert_eq!(save.at(&"$[2]".parse()?), Some(&true.into()));
    /// assert_eq!(save.at(&"$[3]".parse()?), None);
    /// # Ok::<(), varbytes::ParsePathError>(())
    /// ```
    #[must_use]
    #[doc(alias = "pointer")]
    pub fn at(&self, path: &Path) -> Option<&Self> {
        path.steps.iter().try_fold(self, |value, step| {
            let position = step.position_in(value)?;
            match value {
                Self::Dictionary(dictionary) => {
                    let (key, value) = dictionary.entries().get(position / 2)?;
                    Some(if position.is_multiple_of(2) { key } else { value })
                }
                Self::Object(Object::Data(data)) => data.properties.get(position).map(|(_, value)| value),
                other => other.as_array()?.get(position),
            }
        })
    }

    /// Like [`at`](Self::at), for changes. Duplicate keys of a dictionary are not looked for.
    ///
    /// ```
    /// use varbytes::variant;
    ///
    /// let mut save = variant!({"players": [{"hp": 7}]});
    /// if let Some(hp) = save.at_mut(&r#"$["players"][0]["hp"]"#.parse()?) {
    ///     *hp = 8.into();
    /// }
    /// assert_eq!(save["players"][0]["hp"], 8);
    /// # Ok::<(), varbytes::ParsePathError>(())
    /// ```
    #[doc(alias = "pointer_mut")]
    pub fn at_mut(&mut self, path: &Path) -> Option<&mut Self> {
        path.steps.iter().try_fold(self, |value, step| {
            let position = step.position_in(value)?;
            match value {
                Self::Dictionary(dictionary) => {
                    if position.is_multiple_of(2) {
                        dictionary.entries_mut().get_mut(position / 2).map(|(key, _)| key)
                    } else {
                        dictionary.value_mut(position / 2)
                    }
                }
                Self::Object(Object::Data(data)) => data.properties.get_mut(position).map(|(_, value)| value),
                other => other.as_array_mut()?.get_mut(position),
            }
        })
    }
}
