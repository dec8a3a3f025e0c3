//! A record: a value behind the length of its bytes, as `FileAccess.store_var` and `StreamPeer.put_var` write it.

use godot::builtin::{PackedByteArray, Variant};

use crate::chosen_options::ChosenOptions;
use crate::failure::{ErrorKind, Failure};
use crate::other_engine::Written;
use crate::result::Outcome;

/// The bytes of the length that stands before a value.
pub(crate) const PREFIX: usize = 4;

/// The greatest length of a value: the engine counts its bytes in a signed number.
pub(crate) const MOST: u32 = i32::MAX.cast_unsigned();

/// The smallest length of a value.
pub(crate) const LEAST: u32 = 4;

/// A value with its length before it, in one piece.
pub(crate) fn encode_record(value: &Variant, options: &ChosenOptions, big_endian: bool) -> Result<Written, Failure> {
    let Written { bytes: payload, losses } = options.write(value)?;
    let payload = payload.as_slice();
    let length = u32::try_from(payload.len()).ok().filter(|length| *length <= MOST).ok_or_else(|| Failure {
        kind: ErrorKind::Limit,
        name: "record_too_long",
        message: format!("the value takes {} bytes, and a record holds at most {MOST}: split the value", payload.len()),
        offset: -1,
        path: "$".into(),
    })?;
    // Only the length follows the byte order of the file or stream; the value is always little-endian.
    let prefix = if big_endian { length.to_be_bytes() } else { length.to_le_bytes() };
    let mut record = PackedByteArray::new();
    record.resize(PREFIX + payload.len());
    let (start, rest) = record.as_mut_slice().split_at_mut(PREFIX);
    start.copy_from_slice(&prefix);
    rest.copy_from_slice(payload);
    Ok(Written { bytes: record, losses })
}

/// The answer to a record that was written: nothing but the size of its value, and what was lost.
pub(crate) fn answer(record: Written) -> Outcome {
    Outcome { value: Variant::nil(), used: record.bytes.len() - PREFIX, losses: record.losses }
}

/// The length that stands before a value.
pub(crate) fn announced(prefix: [u8; PREFIX], big_endian: bool) -> u32 {
    if big_endian { u32::from_be_bytes(prefix) } else { u32::from_le_bytes(prefix) }
}

/// Why a record could not be read.
#[derive(Debug)]
pub(crate) struct RecordFailure {
    pub(crate) failure: Failure,
    /// Whether the record was whole, so that the next one can be read.
    pub(crate) can_continue: bool,
}

impl From<Failure> for RecordFailure {
    /// The length of the record is invalid, or bytes are missing.
    fn from(failure: Failure) -> Self {
        Self { failure, can_continue: false }
    }
}

impl RecordFailure {
    /// The same, and which record it was.
    pub(crate) fn in_record(mut self, start: u64, place: &str) -> Self {
        self.failure.message = format!("{}; in the record at {start} of {place}", self.failure.message);
        self
    }

    /// The record was whole.
    pub(crate) fn passed(failure: Failure) -> Self {
        Self { failure, can_continue: true }
    }
}

/// The greatest length that a value may have, and what says so.
#[derive(Clone, Copy)]
pub(crate) struct SizeLimit {
    pub(crate) bytes: u64,
    pub(crate) name: &'static str,
}

impl SizeLimit {
    pub(crate) const NONE: Self = Self { bytes: u64::MAX, name: "" };

    /// The smaller one of this limit and of what the options allow.
    pub(crate) fn and(self, options: &ChosenOptions) -> Self {
        let bytes = options.most_bytes();
        if bytes < self.bytes { Self { bytes, name: "the options' max_memory" } } else { self }
    }

    /// Why a record of `length` bytes is refused, where it is.
    pub(crate) fn refusal(self, length: u32) -> Option<String> {
        let Self { bytes, name } = self;
        (u64::from(length) > bytes).then(|| format!("a record of {length} bytes begins, and {name} allows {bytes}"))
    }
}

/// The value of a record whose payload begins `base` bytes into its file or stream. All of the record is there, so
/// whatever needs more bytes than it has is malformed.
pub(crate) fn decode_payload(payload: &[u8], options: &ChosenOptions, base: u64) -> Result<Outcome, RecordFailure> {
    options.read(payload, usize::try_from(base).unwrap_or(usize::MAX / 2)).map_err(|mut failure| {
        if failure.kind == ErrorKind::Truncated {
            failure.kind = ErrorKind::Malformed;
        }
        RecordFailure::passed(failure)
    })
}

impl Failure {
    /// What is wrong with a record besides its value.
    pub(crate) fn of_record(kind: ErrorKind, name: &'static str, message: String, offset: u64) -> Self {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        Self { kind, name, message: format!("{message}, at offset {offset}"), offset, path: String::new() }
    }

    /// The same, and in which file.
    pub(crate) fn of_file(mut self, place: &str) -> Self {
        self.message = format!("{} of {place}", self.message);
        self
    }

    /// A length that no engine writes, at `offset`.
    pub(crate) fn of_length(length: i32, offset: u64) -> Self {
        let message = format!(
            "the length of a record is {length}: the data is out of step or in the other byte order, or this is no \
             record; nothing after this can be read"
        );
        Self::of_record(ErrorKind::Malformed, "record_length", message, offset)
    }
}
