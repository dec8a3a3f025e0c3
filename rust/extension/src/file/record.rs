//! A record: a value behind the length of its bytes, as `FileAccess.store_var` and `StreamPeer.put_var` write it.

use godot::builtin::{PackedByteArray, Variant};

use crate::chosen_options::ChosenOptions;
use crate::failure::{ErrorKind, Failure};
use crate::other_engine::Written;
use crate::result::Outcome;

/// The bytes of the length that stands before a value.
pub(crate) const PREFIX: usize = 4;

/// A value with its length before it, in one piece, so that one write takes all or nothing of it. `most` is the
/// greatest length that whoever reads the record can take.
pub(crate) fn encode_record(
    value: &Variant,
    options: &ChosenOptions,
    big_endian: bool,
    most: u32,
) -> Result<Written, Failure> {
    let Written { bytes: payload, losses } = options.write(value)?;
    let payload = payload.as_slice();
    let length = u32::try_from(payload.len()).ok().filter(|length| *length <= most).ok_or_else(|| Failure {
        kind: ErrorKind::Limit,
        name: "record_too_long",
        message: format!("the value takes {} bytes, and a record holds at most {most}: split the value", payload.len()),
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

/// The value of a record whose payload begins `base` bytes into its file or stream.
pub(crate) fn decode_payload(payload: &[u8], options: &ChosenOptions, base: u64) -> Result<Outcome, Failure> {
    options.read(payload, usize::try_from(base).unwrap_or(usize::MAX / 2))
}

impl Failure {
    /// What is wrong with a record besides its value.
    pub(crate) fn of_record(kind: ErrorKind, name: &'static str, message: String, offset: u64) -> Self {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        Self { kind, name, message: format!("{message}, at offset {offset}"), offset, path: String::new() }
    }

    /// The same, and which record it was.
    pub(crate) fn in_record(mut self, start: u64, place: &str) -> Self {
        self.message = format!("{}; in the record at {start} of {place}", self.message);
        self
    }
}
