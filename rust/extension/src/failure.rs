//! Why something failed, in the words of the addon.

use std::borrow::Cow;
use std::fmt::Display;

use godot::builtin::{GString, VariantType};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::{EnumeratorShape, GodotShape};
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::register::property::SimpleVar;
use varbytes::escape::{MESSAGE_LENGTH, shortened};
use varbytes::{Category, DecodeError, DecodeErrorKind, EncodeErrorKind, Path, Profile};

/// What a script branches on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorKind {
    /// No error.
    #[default]
    None = 0,
    /// The bytes end too early.
    Truncated = 1,
    /// The bytes are not what an engine writes or reads.
    Malformed = 2,
    /// The bytes hold something that the options do not allow.
    NotAllowed = 3,
    /// A limit of the options or of the engine was reached.
    Limit = 4,
    /// This engine version lacks something.
    Unsupported = 5,
    /// A file or stream could not be read or written.
    Stream = 6,
    /// An argument or an option makes no sense.
    InvalidArgument = 7,
}

/// The kinds by the names they have in scripts.
pub(crate) const KINDS: &[(&str, ErrorKind)] = &[
    ("NONE", ErrorKind::None),
    ("TRUNCATED", ErrorKind::Truncated),
    ("MALFORMED", ErrorKind::Malformed),
    ("NOT_ALLOWED", ErrorKind::NotAllowed),
    ("LIMIT", ErrorKind::Limit),
    ("UNSUPPORTED", ErrorKind::Unsupported),
    ("STREAM", ErrorKind::Stream),
    ("INVALID_ARGUMENT", ErrorKind::InvalidArgument),
];

/// In scripts it is the enum that the result's class registers. The derived conversion would make it a plain `int`.
impl GodotConvert for ErrorKind {
    type Via = i64;

    fn godot_shape() -> GodotShape {
        GodotShape::Enum {
            variant_type: VariantType::INT,
            enumerators: KINDS.iter().map(|(name, kind)| EnumeratorShape::new_int(name, *kind as i64)).collect(),
            godot_name: Some(Cow::Borrowed("VarBytesResult.ErrorKind")),
            is_bitfield: false,
        }
    }
}

impl ToGodot for ErrorKind {
    type Pass = ByValue;

    fn to_godot(&self) -> i64 {
        *self as i64
    }
}

impl FromGodot for ErrorKind {
    fn try_from_godot(number: i64) -> Result<Self, ConvertError> {
        let known = KINDS.iter().find(|(_, kind)| *kind as i64 == number);
        known.map(|(_, kind)| *kind).ok_or_else(|| ConvertError::new(format!("no kind of error is {number}")))
    }
}

impl SimpleVar for ErrorKind {}

/// Why it failed, and where.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: ErrorKind,
    /// The fault among those of a kind, in lower case.
    pub(crate) name: &'static str,
    pub(crate) message: String,
    /// Where in the bytes; -1 where there are none yet.
    pub(crate) offset: i64,
    pub(crate) path: String,
}

impl Failure {
    /// A decoder's error in bytes that begin at `base`.
    pub(crate) fn from_decode(error: &DecodeError, base: usize) -> Self {
        let offset = i64::try_from(error.offset() + base).unwrap_or(i64::MAX);
        let path = error.path().to_string();
        Self {
            kind: kind_of(error.category()),
            name: error.kind().name(),
            message: format!("{}, at offset {offset}, path {}", error.kind(), short(&path)),
            offset,
            path,
        }
    }

    /// What is wrong with the whole of a value that begins at `base`.
    pub(crate) fn of_value(kind: &DecodeErrorKind, base: usize) -> Self {
        Self {
            kind: kind_of(kind.category()),
            name: kind.name(),
            message: format!("{kind}, at offset {base}, path $"),
            offset: i64::try_from(base).unwrap_or(i64::MAX),
            path: "$".into(),
        }
    }

    pub(crate) fn from_encode(kind: &EncodeErrorKind, path: &Path) -> Self {
        let path = path.to_string();
        let message = format!("{kind}, path {}", short(&path));
        Self { kind: kind_of(kind.category()), name: kind.name(), message, offset: -1, path }
    }

    /// The same about bytes that were made from another engine's: they are not what the caller has.
    pub(crate) fn after_conversion(mut self, engine: Profile) -> Self {
        self.message = format!("{}, of the bytes that those of {engine} were converted to", self.message);
        self.offset = -1;
        self
    }

    /// Something that the policy refuses to write.
    pub(crate) fn refused(reason: String, path: &Path) -> Self {
        let path = path.to_string();
        let message = format!("{}, path {}", shortened(reason, REASON_LENGTH), short(&path));
        Self { kind: ErrorKind::NotAllowed, name: "refused", message, offset: -1, path }
    }

    /// A value that another thread changed while it was written.
    pub(crate) fn changed(missing: usize) -> Self {
        let message = format!("the value changed while it was written: {missing} bytes differ");
        Self { kind: ErrorKind::Malformed, name: "changed", message, offset: -1, path: "$".into() }
    }

    /// A file or stream that failed.
    pub(crate) fn stream(message: String, offset: i64) -> Self {
        Self { kind: ErrorKind::Stream, name: "stream", message, offset, path: "$".into() }
    }

    /// An argument that makes no sense.
    pub(crate) fn argument(message: String) -> Self {
        Self { kind: ErrorKind::InvalidArgument, name: "argument", message, offset: -1, path: "$".into() }
    }

    /// The message as scripts see it: escaped, and at most [`MESSAGE_LENGTH`] characters.
    pub(crate) fn message(&self) -> GString {
        GString::from(shortened(&self.message, MESSAGE_LENGTH).to_string().as_str())
    }
}

/// Characters of a message for what is wrong and for the path.
const REASON_LENGTH: usize = 200;
const PATH_LENGTH: usize = 160;

/// A path as messages show it.
pub(crate) fn short(path: &str) -> impl Display + '_ {
    shortened(path, PATH_LENGTH)
}

fn kind_of(category: Category) -> ErrorKind {
    match category {
        Category::Truncated => ErrorKind::Truncated,
        Category::Malformed => ErrorKind::Malformed,
        Category::NotAllowed => ErrorKind::NotAllowed,
        Category::Limit => ErrorKind::Limit,
        Category::Unsupported => ErrorKind::Unsupported,
    }
}
