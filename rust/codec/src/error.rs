//! Errors of decoding and encoding: what is wrong and where.

use alloc::{borrow::Cow, boxed::Box, format, string::String};
use core::fmt::{self, Display};

use crate::escape::{MESSAGE_LENGTH, NAME_LENGTH, PATH_LENGTH, REASON_LENGTH, shortened};
use crate::variant::TypeMismatch;
use crate::{Path, Step, VariantType};

/// The category of an error, for programs to branch on. The error kind has the details.
///
/// ```
/// use varbytes::Category;
///
/// let error = varbytes::decode(&[2, 0, 0, 0]).unwrap_err();
/// let answer = match error.category() {
///     Category::Truncated => "the packet is incomplete",
///     // There may be more categories in later versions.
///     _ => "the packet is refused",
/// };
/// assert_eq!(answer, "the packet is incomplete");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The input ends too early. A packet that is untrusted and incomplete is an error like any other; [`stream`](crate::stream)
    /// and [`record`](crate::record) wait for more bytes within limits.
    Truncated,
    /// No engine writes or reads these bytes.
    Malformed,
    /// The input is well-formed but contains something that the caller has not allowed.
    NotAllowed,
    /// A limit of the caller or of the engine is exceeded.
    Limit,
    /// This profile or this crate does not support something in the input.
    Unsupported,
    /// The value is well-formed, but it is not what the type expects that it is read into.
    Mismatch,
}

impl Category {
    /// Returns the name in snake case, as the command line prints it.
    ///
    /// ```
    /// assert_eq!(varbytes::Category::NotAllowed.name(), "not_allowed");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::NotAllowed => "not_allowed",
            Self::Limit => "limit",
            Self::Unsupported => "unsupported",
            Self::Mismatch => "mismatch",
        }
    }
}

impl Display for Category {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Defines a kind of error and the error that has this kind. Each variant has its documentation and fields, the
/// category, the name, and the message.
macro_rules! errors {
    (
        $(#[$kind_doc:meta])* enum $kind:ident;
        $(#[$error_doc:meta])* struct $error:ident($offset:ident: $offset_type:ty), $debug:literal, $shown:literal;
        $(
            $(#[$doc:meta])* $variant:ident $({ $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })?:
            $category:ident, $name:literal, $message:literal $(, $argument:expr)*;
        )*
    ) => {
        $(#[$kind_doc])*
        #[derive(Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $kind {
            $($(#[$doc])* $variant $({ $($(#[$field_doc])* $field: $type,)* })?,)*
        }

        impl $kind {
            /// Returns the category. [Example](Self)
            #[must_use]
            pub const fn category(&self) -> Category {
                match self { $(Self::$variant { .. } => Category::$category,)* }
            }

            /// Returns the name in snake case, as the command line prints it. [Example](Self)
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $name,)* }
            }
        }

        /// Shows the name and the message, escaped and in at most [`MESSAGE_LENGTH`] characters.
        impl fmt::Debug for $kind {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, concat!(stringify!($kind), "({}: {})"), self.name(), self)
            }
        }

        impl Display for $kind {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),* })? => write!(formatter, $message $(, $argument)*),)*
                }
            }
        }

        $(#[$error_doc])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $error(Box<Fault<$kind, $offset_type>>);

        impl $error {
            #[cold]
            pub(crate) fn with_path(mut self, path: Path) -> Self {
                self.0.path = path;
                self
            }

            /// Adds an outer step to the path. Steps are stored innermost first until
            /// [`reverse_path`](Self::reverse_path).
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

            /// Returns what is wrong. [Example](Self)
            #[must_use]
            pub fn kind(&self) -> &$kind {
                &self.0.kind
            }

            /// Returns the category of the error. [Example](Self)
            #[must_use]
            pub fn category(&self) -> Category {
                self.0.kind.category()
            }

            /// Returns the path to the part of the value at fault. [Example](Self)
            #[must_use]
            pub fn path(&self) -> &Path {
                &self.0.path
            }
        }

        impl fmt::Debug for $error {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (name, Fault { kind, offset: $offset, path }) = (stringify!($error), &*self.0);
                shortened(
                    format_args!("{name} {{ kind: {kind:?}{}, path: {path} }}", format_args!($debug)),
                    MESSAGE_LENGTH,
                )
                .fmt(formatter)
            }
        }

        /// Shows at most [`MESSAGE_LENGTH`] characters, escaped. A long path is shortened.
        impl Display for $error {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let Fault { kind, offset: $offset, path } = &*self.0;
                write!(formatter, "{kind}{}, path {}", format_args!($shown), shortened(path, PATH_LENGTH))
            }
        }

        impl core::error::Error for $error {}

        /// With the kind `InvalidData`.
        #[cfg(feature = "std")]
        impl From<$error> for std::io::Error {
            fn from(error: $error) -> Self {
                Self::new(std::io::ErrorKind::InvalidData, error)
            }
        }
    };
}

/// What an error consists of. An error of encoding has no offset.
#[derive(Clone, PartialEq, Eq)]
struct Fault<K, O> {
    kind: K,
    offset: O,
    path: Path,
}

errors! {
    /// Why decoding failed.
    ///
    /// ```
    /// use varbytes::DecodeErrorKind;
    ///
    /// let error = varbytes::decode(&[99, 0, 0, 0]).unwrap_err();
    /// assert_eq!(*error.kind(), DecodeErrorKind::UnknownType { id: 99 });
    /// assert_eq!((error.kind().name(), error.kind().category().name()), ("unknown_type", "malformed"));
    /// ```
    enum DecodeErrorKind;

    /// Why decoding failed, the offset of the field at fault, and the path to it.
    ///
    /// ```
    /// use varbytes::{Category, DecodeErrorKind, Decoder};
    ///
    /// let error = Decoder::new().decode(&[28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7]).unwrap_err();
    /// assert_eq!(*error.kind(), DecodeErrorKind::Truncated { needed: 4, available: 1 });
    /// assert_eq!(error.category(), Category::Truncated);
    /// assert_eq!((error.offset(), error.path().to_string().as_str()), (12, "$[0]"));
    /// assert_eq!(error.to_string(), "needs 4 bytes, 1 are left, at offset 12 (0xc), path $[0]");
    /// ```
    struct DecodeError(offset: usize), ", offset: {offset}", ", at offset {offset} ({offset:#x})";

    /// A field is cut off.
    Truncated {
        /// Bytes that the field takes.
        needed: usize,
        /// Bytes that are left.
        available: usize,
    }: Truncated, "truncated", "needs {needed} bytes, {available} are left";
    /// A container announces more members than the rest of the bytes could hold.
    CountExceedsInput {
        /// The announced number of members.
        count: u32,
        /// Bytes left for them, without those reserved for outer containers.
        available: usize,
    }: Truncated, "count_exceeds_input", "count is {count}, which does not fit: {}", bytes(*available, "is left", "are left");
    /// The type in the header does not exist in this engine version.
    UnknownType {
        /// The type id: the lowest byte of the header, or all of it before Godot 2.1.5.
        id: u32,
    }: Malformed, "unknown_type", "type {id} does not exist in this engine version";
    /// The member type of a typed container does not exist in this engine version.
    UnknownContainerType {
        /// The type id.
        id: u32,
    }: Malformed, "unknown_container_type",
        "container with members of type {id}, which does not exist in this engine version";
    /// A length or count is negative.
    NegativeLength {
        /// The number, read as signed.
        length: i32,
    }: Malformed, "negative_length", "negative length {length}";
    /// A string is invalid UTF-8 by the rules of this engine version. The offset is that of the first invalid byte.
    InvalidUtf8: Malformed, "invalid_utf8", "invalid UTF-8";
    /// A `NodePath` in the obsolete string form, which engines since 3.0.6 refuse.
    ObsoleteNodePath: Malformed, "obsolete_node_path",
        "NodePath in the obsolete string form, which engines since 3.0.6 refuse";
    /// The name of a class, a property or a signal is not valid Unicode. Engines before Godot 4 can read it, but no
    /// class, property or signal has this name.
    NameNotUnicode: Unsupported, "name_not_unicode", "name is not valid Unicode";
    /// The class of a typed array of objects is not given as a `StringName`.
    ElementClassNotName: Malformed, "element_class_not_name", "class name of a typed array is not a StringName";
    /// An `Image` has an unknown pixel format.
    UnknownImageFormat {
        /// The number of the format.
        format: u32,
    }: Malformed, "unknown_image_format", "unknown image format {format}";
    /// A remote procedure call has more than 255 arguments. Only [`rpc`](crate::rpc) returns it.
    TooManyArguments {
        /// The number of arguments.
        count: usize,
    }: Limit, "too_many_arguments", "{count} arguments are more than 255";
    /// A script is named by something other than a `res://` path.
    InvalidScriptPath {
        /// The text found instead.
        path: String,
    }: Malformed, "invalid_script_path",
        "script path {} does not begin with res://", shortened(format_args!("{path:?}"), NAME_LENGTH);
    /// The property `script` of a full object is neither null nor text.
    ScriptNotPath {
        /// The type of its value.
        found: VariantType,
    }: Malformed, "script_not_path", "property `script` is of type {found}, expected a String or Nil";
    /// The input contains a full object, and full objects are not allowed. With
    /// [`Decoder::objects`](crate::Decoder::objects) they are read as data.
    ObjectNotAllowed: NotAllowed, "object_not_allowed", "full objects are not allowed";
    /// The builder refused something, for example by a policy on classes.
    Refused {
        /// What was refused, and why. Messages escape it and shorten it to 200 characters.
        reason: Cow<'static, str>,
    }: NotAllowed, "refused", "{}", shortened(reason, REASON_LENGTH);
    /// The value is nested deeper than allowed.
    DepthLimit {
        /// The deepest level allowed.
        limit: usize,
    }: Limit, "depth_limit", "nested deeper than {limit} levels";
    /// The decoded tree would take more memory than allowed.
    MemoryLimit {
        /// Bytes allowed.
        limit: usize,
    }: Limit, "memory_limit", "needs more memory than the limit of {limit} bytes";
    /// A piece of a stream is longer than [`StreamDecoder::max_piece`](crate::stream::StreamDecoder::max_piece) allows.
    PieceLimit {
        /// Bytes allowed.
        limit: usize,
    }: Limit, "piece_limit", "a piece of the stream is longer than the limit of {limit} bytes";
    /// Containers hold more values than allowed: members of arrays, keys and values of dictionaries, properties.
    ValueLimit {
        /// Values allowed.
        limit: usize,
    }: Limit, "value_limit", "containers hold more values than the limit of {limit}";
    /// Packed arrays hold more elements than allowed.
    ElementLimit {
        /// Elements allowed.
        limit: usize,
    }: Limit, "element_limit", "packed arrays hold more elements than the limit of {limit}";
    /// A string is longer than allowed.
    StringLimit {
        /// Bytes allowed.
        limit: usize,
        /// The announced length in bytes.
        length: usize,
    }: Limit, "string_limit", "string of {length} bytes, the limit is {limit}";
    /// Keys or names take too long in the hash tables of the built value. This happens only in packets crafted for it.
    Flood {
        /// What there is too much of.
        what: &'static str,
    }: Limit, "flood", "too many {what}";
    /// Strict decoding: the engine accepts these bytes but writes others for the same value. The offset is that of the
    /// first byte that differs.
    NotCanonical {
        /// What is non-canonical.
        reason: &'static str,
    }: Malformed, "not_canonical", "not what the engine writes: {reason}";
    /// Strict decoding: a value of a typed dictionary does not have the declared type. Engines do not check this.
    MistypedValue {
        /// The declared type; `Object` if it is a class or a script.
        declared: VariantType,
        /// The type of the value. If both types are `Object`, the value is an object id (`EncodedObjectAsID`).
        found: VariantType,
    }: Malformed, "mistyped_value", "{}", mistyped(*declared, *found);
    /// Strict decoding with [`Decoder::zero_padding`](crate::Decoder::zero_padding): padding that the engine leaves
    /// undefined is not zero.
    PaddingNotZero: Malformed, "padding_not_zero",
        "padding is not zero; this engine may write it, zero_padding refuses it";
    /// Strict decoding: bytes follow the value.
    TrailingBytes {
        /// The number of bytes.
        count: usize,
    }: Malformed, "trailing_bytes", "{} the value", bytes(*count, "follows", "follow");
    /// The engine coerces this member, but this crate cannot compute the exact result.
    UnsupportedCoercion {
        /// The type of the member.
        from: VariantType,
        /// The type that its container requires.
        to: VariantType,
    }: Unsupported, "unsupported_conversion",
        "the engine converts this {from} to {to}, but the exact result is not known";
    /// A value is not of the type that the Rust type expects. Only reading with the feature `serde` returns it.
    Unexpected {
        /// What the Rust type expects.
        expected: String,
        /// What the packet has.
        found: String,
    }: Mismatch, "unexpected",
        "expected {}, found {}", shortened(expected, NAME_LENGTH), shortened(found, NAME_LENGTH);
    /// An implementation of `Deserialize` refuses the value, for example because a field is missing. Only reading with
    /// the feature `serde` returns it.
    Custom {
        /// What the implementation reports. Messages escape it and shorten it to 200 characters.
        message: String,
    }: Mismatch, "custom", "{}", shortened(message, REASON_LENGTH);
    /// The builder needs the whole tree. [`Decoder`](crate::Decoder) then decodes a tree and replays it into the
    /// builder.
    #[doc(hidden)]
    NeedsTree: Unsupported, "needs_tree", "the builder needs the whole tree";
}

/// Returns a number of bytes with the verb for one or for several.
fn bytes(count: usize, one: &str, several: &str) -> String {
    if count == 1 { format!("1 byte {one}") } else { format!("{count} bytes {several}") }
}

/// Describes a value that does not have the type that its dictionary declares.
fn mistyped(declared: VariantType, found: VariantType) -> String {
    if (declared, found) == (VariantType::Object, VariantType::Object) {
        return "an object id in a dictionary with values of another class".into();
    }
    format!("a value of type {found} in a dictionary with values of type {declared}")
}

impl DecodeError {
    #[cold]
    pub(crate) fn new(kind: DecodeErrorKind, offset: usize) -> Self {
        Self(Box::new(Fault { kind, offset, path: Path::default() }))
    }

    /// Returns a function that adds an offset to what is wrong.
    #[inline(always)]
    pub(crate) fn at(offset: usize) -> impl FnOnce(DecodeErrorKind) -> Self {
        move |kind| Self::new(kind, offset)
    }

    /// Returns whether the builder needs the whole tree.
    pub(crate) fn needs_tree(&self) -> bool {
        *self.kind() == DecodeErrorKind::NeedsTree
    }

    #[cold]
    pub(crate) fn with_offset(mut self, offset: usize) -> Self {
        self.0.offset = offset;
        self
    }

    /// Returns the offset of the field at fault, in bytes from the start of the input.
    ///
    /// [`DecodeError`] has an example.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.0.offset
    }
}

errors! {
    /// Why encoding failed.
    ///
    /// ```
    /// use varbytes::{EncodeErrorKind, Encoder, Profile, VariantType};
    ///
    /// let error = Encoder::new().profile(Profile::GODOT_2_1).encode(&(1i64 << 40).into()).unwrap_err();
    /// assert_eq!(*error.kind(), EncodeErrorKind::IntTooWide { value: 1 << 40 });
    /// assert_eq!((error.kind().name(), error.kind().category().name()), ("int_too_wide", "unsupported"));
    /// ```
    enum EncodeErrorKind;

    /// Why encoding failed, and the path to the part of the value at fault.
    ///
    /// ```
    /// use varbytes::{Category, EncodeErrorKind, variant};
    ///
    /// let error = varbytes::encode(&variant!({"id": "a\0b"})).unwrap_err();
    /// assert_eq!(*error.kind(), EncodeErrorKind::NulInText { position: 1 });
    /// assert_eq!((error.category(), error.path().to_string().as_str()), (Category::Unsupported, r#"$["id"]"#));
    /// assert_eq!(error.to_string(), r#"text has a NUL at byte 1, where engines end it; remove it, path $["id"]"#);
    /// ```
    struct EncodeError(_offset: ()), "", "";

    /// The value is nested deeper than the engine writes or reads.
    DepthLimit {
        /// The deepest level that is written.
        limit: usize,
    }: Limit, "depth_limit", "nested deeper than {limit} levels";
    /// The type does not exist in this engine version.
    UnsupportedType {
        /// The type.
        variant_type: VariantType,
    }: Unsupported, "unsupported_type", "{variant_type} does not exist in this engine version";
    /// The engine version has no typed containers of this kind.
    UnsupportedContainerType: Unsupported, "unsupported_container_type",
        "this engine version has no typed containers of this kind";
    /// An int does not fit in 32 bits, the only size before Godot 3.0.
    IntTooWide {
        /// The value.
        value: i64,
    }: Unsupported, "int_too_wide", "int {value} does not fit in the 32 bits that this engine version has";
    /// An unsigned number is greater than the greatest `int`. Only writing with the feature `serde` returns it.
    IntTooLarge {
        /// The value.
        value: u64,
    }: Unsupported, "int_too_large", "{value} is more than 9223372036854775807, the greatest int";
    /// An implementation of `Serialize` failed, or asked for something that the format cannot represent. Only writing
    /// with the feature `serde` returns it.
    Custom {
        /// What the implementation reports. Messages escape it and shorten it to 200 characters.
        message: String,
    }: Unsupported, "custom", "{}", shortened(message, REASON_LENGTH);
    /// The text is not valid Unicode, which the engine requires.
    NotUnicode: Unsupported, "not_unicode",
        "text is not valid Unicode, which this engine version requires; convert it first";
    /// The text has a NUL, and engines read only what precedes it.
    NulInText {
        /// The position of the NUL in bytes of UTF-8.
        position: usize,
    }: Unsupported, "nul_in_text", "text has a NUL at byte {position}, where engines end it; remove it";
    /// The text begins with a byte order mark, U+FEFF, which engines drop when they read it. Only writing with the feature
    /// `serde` returns it: encoding a tree writes the mark, as engines do.
    ByteOrderMark: Unsupported, "byte_order_mark",
        "text begins with a byte order mark (U+FEFF), which engines drop when they read it; remove it";
    /// A member of a typed container was changed in place to another type, and engines would convert it or leave it out.
    /// The path is that of the container.
    TypeMismatch {
        /// The member.
        mismatch: TypeMismatch,
    }: Mismatch, "type_mismatch", "{mismatch}";
    /// The value contains a full object, and full objects are not allowed.
    ObjectNotAllowed: NotAllowed, "object_not_allowed", "full objects are not allowed";
    /// A string or a container is longer than the format allows: 2^31 - 1.
    TooLong {
        /// The length.
        length: usize,
    }: Limit, "too_long", "length {length} is more than 2147483647";
    /// A remote procedure call has more than 255 arguments. Only [`rpc`](crate::rpc) returns it.
    TooManyArguments {
        /// The number of arguments.
        count: usize,
    }: Limit, "too_many_arguments", "{count} arguments are more than 255";
    /// A script is named by something other than a `res://` path.
    InvalidScriptPath {
        /// The text found instead.
        path: String,
    }: Malformed, "invalid_script_path",
        "script path {} does not begin with res://", shortened(format_args!("{path:?}"), NAME_LENGTH);
    /// The property `script` of a full object is neither null nor text.
    ScriptNotPath {
        /// The type of its value.
        found: VariantType,
    }: Malformed, "script_not_path", "property `script` is of type {found}, expected a String or Nil";
}

impl EncodeError {
    #[cold]
    pub(crate) fn new(kind: EncodeErrorKind) -> Self {
        Self(Box::new(Fault { kind, offset: (), path: Path::default() }))
    }
}
