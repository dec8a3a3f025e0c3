//! Errors as scripts see them.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::{Deref, DerefMut};

use godot::builtin::{GString, Variant, VariantType};
use godot::global::type_string;
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::{EnumeratorShape, GodotShape};
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::register::property::SimpleVar;
use varbytes::escape::{MESSAGE_LENGTH, shortened};
use varbytes::{Category, DecodeError, DecodeErrorKind, EncodeErrorKind, Path, Profile, Step};

use crate::raw::DEEPEST_KEY;

/// The kinds of errors, for scripts to branch on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorKind {
    /// No error.
    #[default]
    None = 0,
    /// The bytes end within the value.
    Truncated = 1,
    /// The bytes are malformed.
    Malformed = 2,
    /// The bytes or the value contain something that the options do not allow.
    NotAllowed = 3,
    /// A limit of the options or of the engine was reached.
    Limit = 4,
    /// The engine version does not support something.
    Unsupported = 5,
    /// A file or stream could not be read or written.
    Stream = 6,
    /// An argument or an option is invalid.
    InvalidArgument = 7,
}

/// The kinds by their names in scripts.
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

/// To scripts this is the enum that `VarBytesResult` registers. The derived conversion would make it a plain `int`.
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
        known.map(|(_, kind)| *kind).ok_or_else(|| ConvertError::new(format!("unknown error code {number}")))
    }
}

impl SimpleVar for ErrorKind {}

/// Why a call failed, and where. It is one word, so that a result with one is passed in registers, without a store-forwarding stall.
#[derive(Clone, Debug)]
pub(crate) struct VarBytesError(Box<Details>);

/// What an error tells.
#[derive(Clone, Debug)]
pub(crate) struct Details {
    pub(crate) kind: ErrorKind,
    /// The name of the exact error, in lower case.
    pub(crate) name: &'static str,
    pub(crate) message: String,
    /// Where in the bytes; -1 if that is not known.
    pub(crate) offset: i64,
    /// Which part of the value.
    pub(crate) path: String,
}

impl VarBytesError {
    /// An error about no value.
    pub(crate) fn new(kind: ErrorKind, name: &'static str, message: String) -> Self {
        Self(Box::new(Details { kind, name, message, offset: -1, path: String::new() }))
    }

    /// An error about the whole value.
    pub(crate) fn of_whole(kind: ErrorKind, name: &'static str, message: String) -> Self {
        Self::new(kind, name, message).with_path("$".to_owned())
    }

    /// Changes the offset.
    pub(crate) fn with_offset(mut self, offset: i64) -> Self {
        self.offset = offset;
        self
    }

    /// Changes the path.
    pub(crate) fn with_path(mut self, path: String) -> Self {
        self.path = path;
        self
    }

    /// A decoder's error in bytes that begin at `base`.
    pub(crate) fn from_decode(error: &DecodeError, base: usize) -> Self {
        let offset = signed(error.offset() + base);
        let path = error.path().to_string();
        let message = format!("{}, at offset {offset}, path {}", reason(error.kind(), error.path()), short(&path));
        Self::new(kind_of(error.category()), error.kind().name(), message).with_offset(offset).with_path(path)
    }

    /// An error about a whole value that begins at `base`.
    pub(crate) fn of_value(kind: &DecodeErrorKind, base: usize) -> Self {
        let message = format!("{}, at offset {base}, path $", reason(kind, &Path::default()));
        Self::of_whole(kind_of(kind.category()), kind.name(), message).with_offset(signed(base))
    }

    pub(crate) fn from_encode(kind: &EncodeErrorKind, path: &Path) -> Self {
        let (category, reason) = match kind {
            EncodeErrorKind::InvalidScriptPath { path } if path.is_empty() => (
                ErrorKind::NotAllowed,
                "a script without a file, such as an inner class, has no path: use one that is a file".to_owned(),
            ),
            EncodeErrorKind::InvalidScriptPath { .. } => (ErrorKind::NotAllowed, kind.to_string()),
            EncodeErrorKind::ObjectNotAllowed => (ErrorKind::NotAllowed, format!("{kind}: {ALLOW_OBJECTS}")),
            EncodeErrorKind::DepthLimit { .. } => {
                (ErrorKind::Limit, format!("{kind} (a container or an object may contain itself)"))
            }
            _ => (kind_of(kind.category()), kind.to_string()),
        };
        Self::of_path(category, kind.name(), &reason, path)
    }

    /// Changes an error in bytes that the caller does not have.
    pub(crate) fn without_offset(mut self) -> Self {
        self.message = self.message.replacen(&format!(", at offset {}", self.offset), "", 1);
        self.with_offset(-1)
    }

    /// Changes an error in converted bytes, which the caller does not have.
    pub(crate) fn after_conversion(mut self, engine: Profile) -> Self {
        self.message = format!("{} (in the bytes converted from those of {engine})", self.message);
        self.with_offset(-1)
    }

    /// Changes the error of a call that takes no options.
    pub(crate) fn without_options(mut self) -> Self {
        const OTHER_CALLS: &str = "use decode with VarBytesOptions, or bytes_to_var_with_objects for trusted bytes";
        if self.name == DecodeErrorKind::ObjectNotAllowed.name() {
            self.message = self.message.replacen(ALLOW_OBJECTS, OTHER_CALLS, 1);
        }
        self
    }

    /// A value that the policy refuses to write.
    pub(crate) fn refused(reason: String, path: &Path) -> Self {
        Self::of_path(ErrorKind::NotAllowed, "refused", shortened(reason, REASON_LENGTH), path)
    }

    /// An error in a part of a value that is written.
    fn of_path(kind: ErrorKind, name: &'static str, reason: impl Display, path: &Path) -> Self {
        let path = path.to_string();
        Self::new(kind, name, format!("{reason}, path {}", short(&path))).with_path(path)
    }

    pub(crate) fn out_of_memory() -> Self {
        Self::of_whole(ErrorKind::Limit, "out_of_memory", "the engine has no memory for the value".to_owned())
    }

    /// A file or stream that failed.
    pub(crate) fn stream(message: String, offset: i64) -> Self {
        Self::new(ErrorKind::Stream, "stream", message).with_offset(offset)
    }

    /// An invalid argument.
    pub(crate) fn argument(message: String) -> Self {
        Self::new(ErrorKind::InvalidArgument, "argument", message)
    }

    /// Returns the message for scripts: escaped, and at most [`MESSAGE_LENGTH`] characters.
    pub(crate) fn message(&self) -> GString {
        GString::from(shortened(&self.message, MESSAGE_LENGTH).to_string().as_str())
    }
}

impl Deref for VarBytesError {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl DerefMut for VarBytesError {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.0
    }
}

/// Why a record could not be read.
#[derive(Debug)]
pub(crate) struct RecordError {
    pub(crate) error: VarBytesError,
    /// Whether the record was complete, so that the next one can be read.
    pub(crate) can_continue: bool,
}

impl From<VarBytesError> for RecordError {
    /// The length of the record is invalid, or bytes are missing.
    fn from(error: VarBytesError) -> Self {
        Self { error, can_continue: false }
    }
}

impl RecordError {
    /// An error in a complete record, which was skipped.
    pub(crate) fn skipped(error: VarBytesError) -> Self {
        Self { error, can_continue: true }
    }

    /// Adds the position of the record and the file to the message.
    pub(crate) fn in_record(mut self, start: u64, file: &str) -> Self {
        self.error.message = format!("{}; in the record at {start} of {file}", self.error.message);
        self
    }
}

/// Prints an error that is the calling script's. The engine adds the line of the script to it.
pub(crate) fn report(message: &str) {
    // Not the macro of the bindings, which adds a line of this file.
    godot::global::push_error(&[shortened(message, MESSAGE_LENGTH).to_string().to_variant()]);
}

/// The longest reason and the longest path in a message, in characters.
const REASON_LENGTH: usize = 400;
const PATH_LENGTH: usize = 160;

/// Returns a path as messages show it.
pub(crate) fn short(path: &str) -> impl Display + '_ {
    shortened(path, PATH_LENGTH)
}

/// Returns the name of a value's type in scripts.
pub(crate) fn type_name(value: &Variant) -> GString {
    type_string(value.get_type().ord.into())
}

/// Returns an offset or length as scripts see it.
pub(crate) fn signed<N>(number: N) -> i64
where
    i64: TryFrom<N>,
{
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What allows full objects in a call with options.
const ALLOW_OBJECTS: &str = "set VarBytesOptions.allow_objects, and list their classes and scripts";

/// Returns the message of an error, with the option that allows what was refused.
fn reason(kind: &DecodeErrorKind, path: &Path) -> String {
    match kind {
        DecodeErrorKind::DepthLimit { limit: DEEPEST_KEY } if matches!(path.steps().last(), Some(Step::Key(_))) => {
            format!("key nested deeper than {DEEPEST_KEY} levels, the deepest that the engine compares")
        }
        DecodeErrorKind::ObjectNotAllowed => format!("{kind}: {ALLOW_OBJECTS}"),
        DecodeErrorKind::Flood { .. } => format!("{kind}; allow_hash_collisions allows it for trusted bytes"),
        _ => kind.to_string(),
    }
}

fn kind_of(category: Category) -> ErrorKind {
    match category {
        Category::Truncated => ErrorKind::Truncated,
        Category::Malformed => ErrorKind::Malformed,
        Category::NotAllowed => ErrorKind::NotAllowed,
        Category::Limit => ErrorKind::Limit,
        // Also a mismatch, which only values that are read into Rust types have.
        _ => ErrorKind::Unsupported,
    }
}
