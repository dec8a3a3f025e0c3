//! Errors of decoding and encoding: what is wrong and where.

use alloc::{borrow::Cow, boxed::Box, string::String};
use core::fmt;

use crate::escape::{MESSAGE_LENGTH, NAME_LENGTH, PATH_LENGTH, REASON_LENGTH, shortened};
use crate::{Path, Step, VariantType};

/// The category of an error, for programs to branch on. The error kind has the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// The input ends too early. More bytes may complete it.
    Truncated,
    /// No engine writes or reads these bytes.
    Malformed,
    /// The input is well-formed but contains something that the caller has not allowed.
    NotAllowed,
    /// A limit of the caller or of the engine is exceeded.
    Limit,
    /// This profile or this crate does not support something in the input.
    Unsupported,
}

impl Category {
    /// Returns the name in snake case, as the command line prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::NotAllowed => "not_allowed",
            Self::Limit => "limit",
            Self::Unsupported => "unsupported",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Why decoding failed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// A field is cut off.
    Truncated {
        /// Bytes that the field takes.
        needed: usize,
        /// Bytes that are left.
        available: usize,
    },
    /// A container announces more members than the rest of the bytes could hold.
    CountExceedsInput {
        /// The announced number of members.
        count: u32,
        /// Bytes left for them, without those reserved for outer containers.
        available: usize,
    },
    /// The type in the header does not exist in this engine version.
    UnknownType {
        /// The type id: the lowest byte of the header, or all of it before Godot 2.1.5.
        id: u32,
    },
    /// The member type of a typed container does not exist in this engine version.
    UnknownContainerType {
        /// The type id.
        id: u32,
    },
    /// A length or count is negative.
    NegativeLength {
        /// The number, read as signed.
        length: i32,
    },
    /// A string is invalid UTF-8 by the rules of this engine version. The offset is that of the first invalid byte.
    InvalidUtf8,
    /// A `NodePath` in the obsolete string form, which engines since 3.0.6 refuse.
    ObsoleteNodePath,
    /// The name of a class, a property or a signal is not valid Unicode. Engines before Godot 4 can read it, but no
    /// class, property or signal has this name.
    NameNotUnicode,
    /// The class of a typed array of objects is not given as a `StringName`.
    ElementClassNotName,
    /// An `Image` has an unknown pixel format.
    UnknownImageFormat {
        /// The number of the format.
        format: u32,
    },
    /// A script is named by something other than a `res://` path.
    InvalidScriptPath {
        /// The text found instead.
        path: String,
    },
    /// The property `script` of a full object is neither null nor text.
    ScriptNotPath {
        /// The type of its value.
        found: VariantType,
    },
    /// The input contains a full object, and full objects are not allowed.
    ObjectNotAllowed,
    /// The builder refused something, for example by a policy on classes.
    Refused {
        /// What was refused, and why. Messages escape it and shorten it to 200 characters.
        reason: Cow<'static, str>,
    },
    /// The value is nested deeper than allowed.
    DepthLimit {
        /// The deepest level allowed.
        limit: usize,
    },
    /// The decoded tree would take more memory than allowed.
    MemoryLimit {
        /// Bytes allowed.
        limit: usize,
    },
    /// Containers hold more values than allowed: members of arrays, keys and values of dictionaries, properties.
    ValueLimit {
        /// Values allowed.
        limit: usize,
    },
    /// Packed arrays hold more elements than allowed.
    ElementLimit {
        /// Elements allowed.
        limit: usize,
    },
    /// A string is longer than allowed.
    StringLimit {
        /// Bytes allowed.
        limit: usize,
        /// The announced length in bytes.
        length: usize,
    },
    /// Too many keys or names collide in a hash table of the built value. This happens only in packets crafted for it.
    Flood {
        /// What collides: keys or names.
        what: &'static str,
    },
    /// Strict decoding: the engine accepts these bytes but writes others for the same value. The offset is that of the
    /// first byte that differs.
    NotCanonical {
        /// What is non-canonical.
        reason: &'static str,
    },
    /// Strict decoding: a value of a typed dictionary does not have the declared type. Engines do not check this.
    MistypedValue {
        /// The declared type; `Object` if it is a class or a script.
        declared: VariantType,
        /// The type of the value. If both types are `Object`, the value is an object id (`EncodedObjectAsID`).
        found: VariantType,
    },
    /// Strict decoding with [`Decoder::zero_padding`](crate::Decoder::zero_padding): padding that the engine leaves
    /// undefined is not zero.
    PaddingNotZero,
    /// Strict decoding: bytes follow the value.
    TrailingBytes {
        /// The number of bytes.
        count: usize,
    },
    /// The engine coerces this member, but this crate cannot compute the exact result.
    UnsupportedCoercion {
        /// The type of the member.
        from: VariantType,
        /// The type that its container requires.
        to: VariantType,
    },
    /// The builder needs the whole tree. [`Decoder`](crate::Decoder) then decodes a tree and replays it into the
    /// builder.
    #[doc(hidden)]
    NeedsTree,
}

impl DecodeErrorKind {
    /// Returns the category.
    #[must_use]
    pub const fn category(&self) -> Category {
        match self {
            Self::Truncated { .. } | Self::CountExceedsInput { .. } => Category::Truncated,
            Self::UnknownType { .. }
            | Self::UnknownContainerType { .. }
            | Self::NegativeLength { .. }
            | Self::InvalidUtf8
            | Self::ObsoleteNodePath
            | Self::ElementClassNotName
            | Self::UnknownImageFormat { .. }
            | Self::InvalidScriptPath { .. }
            | Self::ScriptNotPath { .. }
            | Self::NotCanonical { .. }
            | Self::PaddingNotZero
            | Self::MistypedValue { .. }
            | Self::TrailingBytes { .. } => Category::Malformed,
            Self::ObjectNotAllowed | Self::Refused { .. } => Category::NotAllowed,
            Self::DepthLimit { .. }
            | Self::MemoryLimit { .. }
            | Self::ValueLimit { .. }
            | Self::ElementLimit { .. }
            | Self::StringLimit { .. }
            | Self::Flood { .. } => Category::Limit,
            Self::UnsupportedCoercion { .. } | Self::NameNotUnicode | Self::NeedsTree => Category::Unsupported,
        }
    }

    /// Returns the name in snake case, as the command line prints it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "truncated",
            Self::CountExceedsInput { .. } => "count_exceeds_input",
            Self::UnknownType { .. } => "unknown_type",
            Self::UnknownContainerType { .. } => "unknown_container_type",
            Self::NegativeLength { .. } => "negative_length",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::ObsoleteNodePath => "obsolete_node_path",
            Self::NameNotUnicode => "name_not_unicode",
            Self::ElementClassNotName => "element_class_not_name",
            Self::UnknownImageFormat { .. } => "unknown_image_format",
            Self::InvalidScriptPath { .. } => "invalid_script_path",
            Self::ScriptNotPath { .. } => "script_not_path",
            Self::ObjectNotAllowed => "object_not_allowed",
            Self::Refused { .. } => "refused",
            Self::DepthLimit { .. } => "depth_limit",
            Self::MemoryLimit { .. } => "memory_limit",
            Self::ValueLimit { .. } => "value_limit",
            Self::ElementLimit { .. } => "element_limit",
            Self::StringLimit { .. } => "string_limit",
            Self::Flood { .. } => "flood",
            Self::NotCanonical { .. } => "not_canonical",
            Self::PaddingNotZero => "padding_not_zero",
            Self::MistypedValue { .. } => "mistyped_value",
            Self::TrailingBytes { .. } => "trailing_bytes",
            Self::UnsupportedCoercion { .. } => "unsupported_conversion",
            Self::NeedsTree => "needs_tree",
        }
    }
}

/// Shows the name and the message, escaped and in at most [`MESSAGE_LENGTH`] characters.
impl fmt::Debug for DecodeErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DecodeErrorKind({}: {self})", self.name())
    }
}

impl fmt::Display for DecodeErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { needed, available } => {
                write!(formatter, "needs {needed} bytes, {available} are left")
            }
            Self::CountExceedsInput { count, available } => {
                write!(formatter, "announces {count} members, {available} bytes are left")
            }
            Self::UnknownType { id } => write!(formatter, "type {id} does not exist in this engine version"),
            Self::UnknownContainerType { id } => {
                write!(formatter, "container with members of type {id}, which does not exist in this engine version")
            }
            Self::NegativeLength { length } => write!(formatter, "negative length {length}"),
            Self::InvalidUtf8 => formatter.write_str("invalid UTF-8"),
            Self::ObsoleteNodePath => {
                formatter.write_str("NodePath in the obsolete string form, which engines since 3.0.6 refuse")
            }
            Self::NameNotUnicode => formatter.write_str("name is not valid Unicode"),
            Self::ElementClassNotName => formatter.write_str("class name of a typed array is not a StringName"),
            Self::UnknownImageFormat { format } => write!(formatter, "unknown image format {format}"),
            Self::InvalidScriptPath { path } => {
                write!(
                    formatter,
                    "script path {} does not begin with res://",
                    shortened(format_args!("{path:?}"), NAME_LENGTH)
                )
            }
            Self::ScriptNotPath { found } => {
                write!(formatter, "property `script` is of type {found}, expected a String or Nil")
            }
            Self::ObjectNotAllowed => {
                formatter.write_str("full objects are not allowed; allow objects to read them as data")
            }
            Self::Refused { reason } => write!(formatter, "{}", shortened(reason, REASON_LENGTH)),
            Self::DepthLimit { limit } => write!(formatter, "nested deeper than {limit} levels"),
            Self::MemoryLimit { limit } => write!(formatter, "needs more memory than the limit of {limit} bytes"),
            Self::ValueLimit { limit } => write!(formatter, "containers hold more values than the limit of {limit}"),
            Self::ElementLimit { limit } => {
                write!(formatter, "packed arrays hold more elements than the limit of {limit}")
            }
            Self::StringLimit { limit, length } => {
                write!(formatter, "string of {length} bytes, the limit is {limit}")
            }
            Self::Flood { what } => write!(formatter, "too many {what} collide in the engine's hash table"),
            Self::NotCanonical { reason } => write!(formatter, "not what the engine writes: {reason}"),
            Self::MistypedValue { declared: VariantType::Object, found: VariantType::Object } => {
                write!(formatter, "an object id in a dictionary with values of another class")
            }
            Self::MistypedValue { declared, found } => {
                write!(formatter, "a value of type {found} in a dictionary with values of type {declared}")
            }
            Self::PaddingNotZero => {
                formatter.write_str("padding is not zero; this engine may write it, zero_padding refuses it")
            }
            Self::TrailingBytes { count } => write!(formatter, "{count} bytes follow the value"),
            Self::UnsupportedCoercion { from, to } => {
                write!(formatter, "the engine converts this {from} to {to}, but the exact result is not known")
            }
            Self::NeedsTree => formatter.write_str("the builder needs the whole tree"),
        }
    }
}

/// Why decoding failed, the offset of the field at fault, and the path to it.
///
/// ```
/// use varbytes::{Category, Decoder};
///
/// let error = Decoder::new().decode(&[28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7]).unwrap_err();
/// assert_eq!(error.category(), Category::Truncated);
/// assert_eq!((error.offset(), error.path().to_string().as_str()), (12, "$[0]"));
/// assert_eq!(error.to_string(), "needs 4 bytes, 1 are left, at offset 12 (0xc), path $[0]");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError(Box<Fault>);

#[derive(Clone, PartialEq, Eq)]
struct Fault {
    kind: DecodeErrorKind,
    offset: usize,
    path: Path,
}

impl DecodeError {
    #[cold]
    pub(crate) fn new(kind: DecodeErrorKind, offset: usize) -> Self {
        Self(Box::new(Fault { kind, offset, path: Path::default() }))
    }

    /// Returns whether the builder needs the whole tree.
    pub(crate) fn needs_tree(&self) -> bool {
        *self.kind() == DecodeErrorKind::NeedsTree
    }

    #[cold]
    pub(crate) fn with_path(mut self, path: Path) -> Self {
        self.0.path = path;
        self
    }

    #[cold]
    pub(crate) fn with_offset(mut self, offset: usize) -> Self {
        self.0.offset = offset;
        self
    }

    /// Adds an outer step to the path. Steps are stored innermost first until [`reverse_path`](Self::reverse_path).
    #[cold]
    pub(crate) fn within(mut self, step: Step) -> Self {
        self.0.path.steps.push(step);
        self
    }

    #[cold]
    pub(crate) fn reverse_path(mut self) -> Self {
        self.0.path.steps.reverse();
        self
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &DecodeErrorKind {
        &self.0.kind
    }

    /// Returns the category of the error.
    #[must_use]
    pub fn category(&self) -> Category {
        self.0.kind.category()
    }

    /// Returns the offset of the field at fault, in bytes from the start of the input.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// Returns the path to the part of the value that was being decoded.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kind, offset, path } = &*self.0;
        write!(
            formatter,
            "{}",
            shortened(format_args!("DecodeError {{ kind: {kind:?}, offset: {offset}, path: {path} }}"), MESSAGE_LENGTH)
        )
    }
}

/// Shows at most [`MESSAGE_LENGTH`] characters, escaped. A long path is shortened.
impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kind, offset, path } = &*self.0;
        let path = shortened(path, PATH_LENGTH);
        write!(formatter, "{kind}, at offset {offset} ({offset:#x}), path {path}")
    }
}

impl core::error::Error for DecodeError {}

/// Why encoding failed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The value is nested deeper than the engine writes or reads.
    DepthLimit {
        /// The deepest level that is written.
        limit: usize,
    },
    /// The type does not exist in this engine version.
    UnsupportedType {
        /// The type.
        variant_type: VariantType,
    },
    /// The engine version has no typed containers of this kind.
    UnsupportedContainerType,
    /// An int does not fit in 32 bits, the only size before Godot 3.0.
    IntTooWide {
        /// The value.
        value: i64,
    },
    /// The text is not valid Unicode, which the engine requires.
    NotUnicode,
    /// The value contains a full object, and full objects are not allowed.
    ObjectNotAllowed,
    /// A string or a container is longer than the format allows: 2^31 - 1.
    TooLong {
        /// The length.
        length: usize,
    },
    /// A script is named by something other than a `res://` path.
    InvalidScriptPath {
        /// The text found instead.
        path: String,
    },
    /// The property `script` of a full object is neither null nor text.
    ScriptNotPath {
        /// The type of its value.
        found: VariantType,
    },
}

impl EncodeErrorKind {
    /// Returns the category.
    #[must_use]
    pub const fn category(&self) -> Category {
        match self {
            Self::DepthLimit { .. } | Self::TooLong { .. } => Category::Limit,
            Self::UnsupportedType { .. }
            | Self::UnsupportedContainerType
            | Self::IntTooWide { .. }
            | Self::NotUnicode => Category::Unsupported,
            Self::ObjectNotAllowed => Category::NotAllowed,
            Self::InvalidScriptPath { .. } | Self::ScriptNotPath { .. } => Category::Malformed,
        }
    }

    /// Returns the name in snake case, as the command line prints it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::DepthLimit { .. } => "depth_limit",
            Self::UnsupportedType { .. } => "unsupported_type",
            Self::UnsupportedContainerType => "unsupported_container_type",
            Self::IntTooWide { .. } => "int_too_wide",
            Self::NotUnicode => "not_unicode",
            Self::ObjectNotAllowed => "object_not_allowed",
            Self::TooLong { .. } => "too_long",
            Self::InvalidScriptPath { .. } => "invalid_script_path",
            Self::ScriptNotPath { .. } => "script_not_path",
        }
    }
}

/// Shows the name and the message, escaped and in at most [`MESSAGE_LENGTH`] characters.
impl fmt::Debug for EncodeErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "EncodeErrorKind({}: {self})", self.name())
    }
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DepthLimit { limit } => write!(formatter, "nested deeper than {limit} levels"),
            Self::UnsupportedType { variant_type } => {
                write!(formatter, "{variant_type} does not exist in this engine version")
            }
            Self::UnsupportedContainerType => {
                formatter.write_str("this engine version has no typed containers of this kind")
            }
            Self::IntTooWide { value } => {
                write!(formatter, "int {value} does not fit in the 32 bits that this engine version has")
            }
            Self::NotUnicode => {
                formatter.write_str("text is not valid Unicode, which this engine version requires; convert it first")
            }
            Self::ObjectNotAllowed => formatter.write_str("full objects are not allowed"),
            Self::TooLong { length } => write!(formatter, "length {length} is more than 2147483647"),
            Self::InvalidScriptPath { path } => {
                write!(
                    formatter,
                    "script path {} does not begin with res://",
                    shortened(format_args!("{path:?}"), NAME_LENGTH)
                )
            }
            Self::ScriptNotPath { found } => {
                write!(formatter, "property `script` is of type {found}, expected a String or Nil")
            }
        }
    }
}

/// Why encoding failed, and the path to the part of the value at fault.
#[derive(Clone, PartialEq, Eq)]
pub struct EncodeError(Box<(EncodeErrorKind, Path)>);

impl EncodeError {
    #[cold]
    pub(crate) fn new(kind: EncodeErrorKind) -> Self {
        Self(Box::new((kind, Path::default())))
    }

    #[cold]
    pub(crate) fn with_path(mut self, path: Path) -> Self {
        self.0.1 = path;
        self
    }

    /// Adds an outer step to the path. Steps are stored innermost first until [`reverse_path`](Self::reverse_path).
    #[cold]
    pub(crate) fn within(mut self, step: Step) -> Self {
        self.0.1.steps.push(step);
        self
    }

    #[cold]
    pub(crate) fn reverse_path(mut self) -> Self {
        self.0.1.steps.reverse();
        self
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &EncodeErrorKind {
        &self.0.0
    }

    /// Returns the category of the error.
    #[must_use]
    pub fn category(&self) -> Category {
        self.0.0.category()
    }

    /// Returns the path to the part of the value that could not be encoded.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.1
    }
}

impl fmt::Debug for EncodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, path) = &*self.0;
        write!(
            formatter,
            "{}",
            shortened(format_args!("EncodeError {{ kind: {kind:?}, path: {path} }}"), MESSAGE_LENGTH)
        )
    }
}

/// Shows at most [`MESSAGE_LENGTH`] characters, escaped. A long path is shortened.
impl fmt::Display for EncodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, path {}", self.0.0, shortened(&self.0.1, PATH_LENGTH))
    }
}

impl core::error::Error for EncodeError {}
