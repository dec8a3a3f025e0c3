//! `NodePath` and `Signal`.

use alloc::{string::String, vec::Vec};
use core::fmt;
use core::str::FromStr;

use super::text::{Text, TextError};

/// A `NodePath`: node names, then subnames. Either may be empty.
///
/// ```
/// use varbytes::variant::NodePath;
///
/// let path: NodePath = "/root/Player:position:x".parse()?;
/// assert_eq!((path.absolute, &*path.names[1], path.subnames.len()), (true, "Player", 2));
/// assert_eq!(path.to_string(), "/root/Player:position:x");
/// # Ok::<(), varbytes::variant::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodePath {
    /// Whether the path is absolute (`/root/…`).
    pub absolute: bool,
    /// The node names, separated by slashes in the text form.
    pub names: Vec<Text>,
    /// The property or resource names, after colons in the text form.
    pub subnames: Vec<Text>,
    /// The property. Only Godot 1 and 2 store it separately from the subnames.
    pub property: Option<Text>,
}

impl NodePath {
    /// Returns an upper bound for the length of the text form: exact or one byte more.
    pub(crate) fn text_length(&self) -> usize {
        let parts = self.names.iter().chain(&self.subnames).chain(&self.property);
        parts.map(|part| part.as_bytes().len() + 1).sum::<usize>() + 1
    }
}

/// Reads the text form as `NodePath(text)` in Godot 4: empty names are left out.
///
/// # Errors
/// [`TextError`] if the text contains a NUL, or a name begins with a byte order mark.
impl FromStr for NodePath {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let text = Text::new(text)?;
        let absolute = text.starts_with('/');
        let (names, subnames) = text.split_once(':').unwrap_or((&text, ""));
        let parts = |parts: &str, separator| -> Result<Vec<Text>, TextError> {
            parts.split(separator).filter(|part| !part.is_empty()).map(Text::new).collect()
        };
        Ok(Self { absolute, names: parts(names, '/')?, subnames: parts(subnames, ':')?, property: None })
    }
}

/// Shows the text form, as `String(path)` in the engine: `/a/b:c`. Nothing is escaped; use [`escape`](crate::escape) to
/// display it.
impl fmt::Display for NodePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.absolute {
            formatter.write_str("/")?;
        }
        for (index, name) in self.names.iter().enumerate() {
            if index > 0 {
                formatter.write_str("/")?;
            }
            formatter.write_str(name)?;
        }
        for subname in self.subnames.iter().chain(&self.property) {
            write!(formatter, ":{subname}")?;
        }
        Ok(())
    }
}

/// A `Signal`: its name and the instance id of its object.
///
/// ```
/// use varbytes::{Variant, variant::Signal};
///
/// let signal = Variant::from(Signal { name: "pressed".into(), object_id: 7 });
/// assert_eq!(varbytes::decode(&varbytes::encode(&signal)?)?, signal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Signal {
    /// The name of the signal.
    pub name: String,
    /// The instance id of its object; 0 if it has none.
    pub object_id: u64,
}
