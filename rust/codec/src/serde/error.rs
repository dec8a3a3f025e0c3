//! Errors that serde reports.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt::{self, Display};

use serde_core::de::{self, Expected, Unexpected};
use serde_core::ser;

use crate::error::{DecodeError, DecodeErrorKind, EncodeError, EncodeErrorKind};

/// The offset of an error until the value is known in which it is.
const UNKNOWN: usize = usize::MAX;

#[cold]
fn unlocated(kind: DecodeErrorKind) -> DecodeError {
    DecodeError::new(kind, UNKNOWN)
}

/// Adds the offset of the value that is being read, unless the error has one.
#[cold]
pub(super) fn located(error: DecodeError, start: usize) -> DecodeError {
    if error.offset() == UNKNOWN { error.with_offset(start) } else { error }
}

/// Returns the name of a value as Godot calls its type, and the value if it is a number.
fn found(unexpected: Unexpected<'_>, with_value: bool) -> String {
    match unexpected {
        Unexpected::Bool(value) if with_value => format!("bool {value}"),
        Unexpected::Unsigned(value) if with_value => format!("int {value}"),
        Unexpected::Signed(value) if with_value => format!("int {value}"),
        Unexpected::Float(value) if with_value => format!("float {value}"),
        Unexpected::Str(value) if with_value => format!("String {value:?}"),
        Unexpected::Bool(_) => "bool".to_owned(),
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "int".to_owned(),
        Unexpected::Float(_) => "float".to_owned(),
        Unexpected::Char(_) | Unexpected::Str(_) => "String".to_owned(),
        Unexpected::Bytes(_) => "PackedByteArray".to_owned(),
        Unexpected::Unit | Unexpected::Option => "Nil".to_owned(),
        Unexpected::Seq => "Array".to_owned(),
        Unexpected::Map => "Dictionary".to_owned(),
        other => other.to_string(),
    }
}

#[cold]
pub(super) fn unexpected(expected: impl Display, found: impl Display) -> DecodeError {
    unlocated(DecodeErrorKind::Unexpected { expected: expected.to_string(), found: found.to_string() })
}

/// Refuses a container of which a visitor took only a part of the members.
#[inline(always)]
pub(super) fn refuse_left(read: usize, left: usize) -> Result<(), DecodeError> {
    if left == 0 { Ok(()) } else { Err(too_many(read, left)) }
}

#[cold]
pub(super) fn too_many(read: usize, left: usize) -> DecodeError {
    unexpected(Members(read), read + left)
}

/// A number of members, as messages name it.
struct Members(usize);

impl Display for Members {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.0, if self.0 == 1 { "member" } else { "members" })
    }
}

impl Expected for Members {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

/// Returns members as an array, which must have as many.
pub(super) fn into_array<T, E: de::Error, const N: usize>(members: Vec<T>) -> Result<[T; N], E> {
    members.try_into().map_err(|members: Vec<T>| E::invalid_length(members.len(), &Members(N)))
}

/// An error that has the packet decoded into a tree first.
#[cold]
pub(super) fn needs_tree() -> DecodeError {
    unlocated(DecodeErrorKind::NeedsTree)
}

/// How many errors for duplicate fields there have been: in this thread, or in all of them without the standard library.
///
/// serde drops those of optional flattened fields and of untagged enums, and nothing else tells a deserializer that there was one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Duplicates(usize);

#[cfg(feature = "std")]
std::thread_local! {
    static DUPLICATES: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Another thread can cause a read by a tree, which is slower and cannot lend text.
#[cfg(not(feature = "std"))]
static DUPLICATES: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(0);

impl Duplicates {
    #[inline(always)]
    pub(super) fn now() -> Self {
        #[cfg(feature = "std")]
        return Self(DUPLICATES.get());
        #[cfg(not(feature = "std"))]
        return Self(DUPLICATES.load(core::sync::atomic::Ordering::Relaxed));
    }

    /// Returns whether there was one since this number.
    #[inline(always)]
    pub(super) fn is_past(self) -> bool {
        Self::now() != self
    }

    /// Makes this the number again.
    pub(super) fn set(self) {
        #[cfg(feature = "std")]
        DUPLICATES.set(self.0);
        #[cfg(not(feature = "std"))]
        DUPLICATES.store(self.0, core::sync::atomic::Ordering::Relaxed);
    }
}

/// Returns whether the error of a deserializer is that of this crate. The buffers into which serde reads flattened fields
/// and the content of some enums have the error of the format, and no other sign of it. It may not be `'static`, so it
/// has no `TypeId`.
#[inline]
pub(super) fn is_own<E>() -> bool {
    type_name::<E>() == type_name::<DecodeError>()
}

impl de::Error for DecodeError {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        unlocated(DecodeErrorKind::Custom { message: message.to_string() })
    }

    #[cold]
    fn invalid_type(unexpected_value: Unexpected<'_>, expected: &dyn Expected) -> Self {
        unexpected(expected, found(unexpected_value, false))
    }

    #[cold]
    fn invalid_value(unexpected_value: Unexpected<'_>, expected: &dyn Expected) -> Self {
        unexpected(expected, found(unexpected_value, true))
    }

    #[cold]
    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        unexpected(expected, Members(length))
    }

    /// Two entries of a dictionary have the same key. The engine keeps the last one, which the tree has.
    #[cold]
    fn duplicate_field(_: &'static str) -> Self {
        Duplicates(Duplicates::now().0.wrapping_add(1)).set();
        needs_tree()
    }
}

impl ser::Error for EncodeError {
    #[cold]
    fn custom<T: Display>(message: T) -> Self {
        Self::new(EncodeErrorKind::Custom { message: message.to_string() })
    }
}
