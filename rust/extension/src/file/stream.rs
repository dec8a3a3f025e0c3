//! Records in one of the engine's streams.

use godot::builtin::{PackedByteArray, VarArray, Variant};
use godot::classes::StreamPeer;
use godot::global::Error;
use godot::obj::Gd;

use super::record::{PREFIX, announced, answer, decode_payload, encode_record};
use crate::chosen_options::ChosenOptions;
use crate::failure::{ErrorKind, Failure};
use crate::result::Outcome;

/// Sends a value as a record in one piece.
pub(crate) fn put(peer: &mut Gd<StreamPeer>, value: &Variant, options: &ChosenOptions) -> Result<Outcome, Failure> {
    // The engine reads the length as a signed number.
    let record = encode_record(value, options, peer.is_big_endian_enabled(), i32::MAX.cast_unsigned())?;
    match peer.put_data(&record.bytes) {
        Error::OK => Ok(answer(record)),
        error => Err(Failure::stream(
            format!(
                "the stream did not take a record of {} bytes (engine error {error:?}): is it connected?",
                record.bytes.len()
            ),
            -1,
        )),
    }
}

/// Takes the next record, where its value has at most `max_size` bytes.
pub(crate) fn take(peer: &mut Gd<StreamPeer>, options: &ChosenOptions, max_size: i64) -> Result<Outcome, Failure> {
    let big_endian = peer.is_big_endian_enabled();
    let prefix = receive(peer, PREFIX, 0)?;
    let prefix = prefix.as_slice().first_chunk().copied().unwrap_or_default();
    // The engine writes and reads a signed number.
    let length = announced(prefix, big_endian).cast_signed();
    let Ok(size) = usize::try_from(length) else {
        let message = format!(
            "the length of a record is {length}: the stream is out of step or in the other byte order, or no record \
             was sent; nothing after this can be read"
        );
        return Err(Failure::of_record(ErrorKind::Malformed, "record_length", message, 0));
    };
    if i64::from(length) > max_size {
        let message = format!(
            "a record of {length} bytes begins, and at most {max_size} are allowed; it was not read, so nothing after \
             this can be"
        );
        return Err(Failure::of_record(ErrorKind::Limit, "record_too_long", message, 0));
    }
    let payload = if size == 0 { PackedByteArray::new() } else { receive(peer, size, PREFIX as u64)? };
    decode_payload(payload.as_slice(), options, PREFIX as u64)
}

/// Exactly so many bytes, which stand `offset` bytes behind the beginning of the record.
fn receive(peer: &mut Gd<StreamPeer>, size: usize, offset: u64) -> Result<PackedByteArray, Failure> {
    let answer: VarArray = peer.get_data(i32::try_from(size).unwrap_or(i32::MAX));
    let error = answer.get(0).and_then(|error| error.try_to::<Error>().ok()).unwrap_or(Error::FAILED);
    let bytes = answer.get(1).and_then(|bytes| bytes.try_to::<PackedByteArray>().ok()).unwrap_or_default();
    if error == Error::OK && bytes.len() == size {
        return Ok(bytes);
    }
    Err(match error {
        // What a buffer, a connection that was closed, and a decompressor say when there is no more.
        Error::ERR_INVALID_PARAMETER | Error::ERR_FILE_EOF | Error::ERR_UNAVAILABLE | Error::OK => {
            let message = format!("the stream ends before the next {size} bytes of a record (engine error {error:?})");
            Failure::of_record(ErrorKind::Truncated, "record_truncated", message, offset)
        }
        _ => {
            let message = format!(
                "the next {size} bytes of a record could not be received (engine error {error:?}): is the stream \
                 connected?"
            );
            Failure::of_record(ErrorKind::Stream, "stream", message, offset)
        }
    })
}
