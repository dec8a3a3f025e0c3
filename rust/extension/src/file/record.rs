//! The format of a record: the length of a value's bytes, then the bytes. `FileAccess.store_var` and `StreamPeer.put_var`
//! write it. The length is part of these engine classes, not of the format of values, so the codec does not know it.

use godot::builtin::{PackedByteArray, Variant};

use crate::encode::{StackSink, Written};
use crate::error::{ErrorKind, RecordError, VarBytesError, signed};
use crate::options::VarBytesOptions;
use crate::options_arg::{explained, put_small, read};
use crate::other_format::OtherFormat;
use crate::outcome::{Outcome, Packet};
use crate::raw::{ObjectArgument, byte_array, bytes, put_packed, scalar};

/// The number of bytes of the length before a value.
pub(crate) const PREFIX: usize = 4;

/// The greatest length of a value: the engine stores it as a signed number.
pub(crate) const MAX_LENGTH: u32 = i32::MAX.cast_unsigned();

/// The smallest length of a value.
pub(crate) const MIN_LENGTH: u32 = 4;

/// Returns a value's record in a PackedByteArray, and the outcome of writing it.
pub(crate) fn encode_record(
    value: &Variant,
    options: &ObjectArgument<VarBytesOptions>,
    big_endian: bool,
) -> Result<(Variant, Outcome), VarBytesError> {
    let (mut out, mut buffer) = (scalar::null(), StackSink::default());
    let (array, losses) = match put_small(options, value, &mut out, &mut buffer) {
        Ok(Written::InBuffer) => (None, Vec::new()),
        Ok(Written::InArray(_)) => (Some(byte_array(&out)), Vec::new()),
        Err(other) => other.map(|Outcome { value, losses, .. }| (Some(byte_array(&value)), losses))?,
    };
    let payload = array.as_ref().map_or_else(|| buffer.bytes().unwrap_or_default(), PackedByteArray::as_slice);
    let record = record_of(payload, big_endian)?;
    Ok((record, Outcome::written(payload.len(), losses)))
}

/// Returns the record of a value's bytes in a PackedByteArray.
pub(crate) fn record_of(payload: &[u8], big_endian: bool) -> Result<Variant, VarBytesError> {
    let prefix = prefix_of(length_before(payload.len())?, big_endian);
    let mut record = scalar::null();
    let mut is_complete = false;
    put_packed(&mut record, PREFIX + payload.len(), |target: &mut [u8]| {
        let (start, rest) = target.split_at_mut(PREFIX);
        start.copy_from_slice(&prefix);
        rest.copy_from_slice(payload);
        is_complete = true;
    });
    if is_complete { Ok(record) } else { Err(VarBytesError::out_of_memory()) }
}

/// Returns the length that precedes the bytes of a value.
pub(crate) fn length_before(size: usize) -> Result<u32, VarBytesError> {
    u32::try_from(size).ok().filter(|length| *length <= MAX_LENGTH).ok_or_else(|| {
        let message = format!("the value takes {size} bytes, but a record holds at most {MAX_LENGTH}: split the value");
        VarBytesError::of_whole(ErrorKind::Limit, "record_too_long", message)
    })
}

/// Returns the bytes before a value. Only they have the byte order of the file or stream: the value is always little-endian.
pub(crate) fn prefix_of(length: u32, big_endian: bool) -> [u8; PREFIX] {
    if big_endian { length.to_be_bytes() } else { length.to_le_bytes() }
}

/// Returns the length before a value.
pub(crate) fn length_of(prefix: [u8; PREFIX], big_endian: bool) -> u32 {
    if big_endian { u32::from_be_bytes(prefix) } else { u32::from_le_bytes(prefix) }
}

/// Returns what bytes can be that were read as a length that is too great. `most` is the longest record that is possible.
pub(crate) fn other_than_length(length: u32, big_endian: bool, most: u64) -> Option<String> {
    /// Read in the other byte order, all lengths are so great that are not multiples of 256.
    const GREAT: u32 = 1 << 24;
    let other_order = length.swap_bytes();
    match OtherFormat::of(prefix_of(length, big_endian)) {
        Some(OtherFormat::Text(text)) => {
            Some(format!("these are not records, but begin with the text \"{}\"", text.escape_ascii()))
        }
        Some(format @ (OtherFormat::Compressed | OtherFormat::Encrypted)) => {
            Some(format!("{format} and from_file_access"))
        }
        Some(format) => Some(format.to_string()),
        None if length >= GREAT && other_order >= MIN_LENGTH && u64::from(other_order) <= most => {
            Some(format!("it has {other_order} bytes in the other byte order: check big_endian"))
        }
        None => None,
    }
}

/// The greatest allowed length of a value, and the name of the setting.
#[derive(Clone, Copy)]
pub(crate) struct SizeLimit {
    pub(crate) bytes: u64,
    pub(crate) name: &'static str,
}

impl SizeLimit {
    pub(crate) const NONE: Self = Self { bytes: u64::MAX, name: "" };

    /// Returns the smaller one of this limit and the limit of the options.
    pub(crate) fn and(self, bytes: u64) -> Self {
        if bytes < self.bytes { Self { bytes, name: "the options' max_memory" } } else { self }
    }

    /// Returns why a record of `length` bytes is refused, or `None` if it is allowed.
    pub(crate) fn refusal(self, length: u32) -> Option<String> {
        let Self { bytes, name } = self;
        (u64::from(length) > bytes).then(|| format!("the record has {length} bytes, but {name} allows only {bytes}"))
    }
}

/// Reads the value of a complete record. `base` is the number of bytes before `payload`. A value that needs more bytes than the record
/// has is malformed.
pub(crate) fn decode_payload(
    payload: &PackedByteArray,
    options: &ObjectArgument<VarBytesOptions>,
    base: usize,
) -> Result<Outcome, RecordError> {
    let outcome = read(options, Packet { base, ..Packet::whole(payload) });
    outcome.map_err(|error| in_whole_record(explained(options, bytes(payload), error)))
}

/// Returns the error for a record that is complete: the next one can be read.
pub(crate) fn in_whole_record(mut error: VarBytesError) -> RecordError {
    if error.kind == ErrorKind::Truncated {
        error.kind = ErrorKind::Malformed;
    }
    RecordError::skipped(error)
}

impl VarBytesError {
    /// An error in a record outside of its value.
    pub(crate) fn of_record(kind: ErrorKind, name: &'static str, message: String, offset: u64) -> Self {
        let message = format!("{message}, at offset {offset}");
        Self::new(kind, name, message).with_offset(signed(offset))
    }

    /// Adds the file to the message.
    pub(crate) fn of_file(mut self, path: &str) -> Self {
        self.message = format!("{} of {path}", self.message);
        self
    }

    /// An invalid length at `offset`.
    pub(crate) fn of_length(length: i32, offset: u64) -> Self {
        let message = format!(
            "the length of a record is {length}: this is not the start of a record, or it has the other byte order; \
             nothing after this can be read"
        );
        Self::of_record(ErrorKind::Malformed, "record_length", message, offset)
    }
}
