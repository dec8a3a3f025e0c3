//! Sends and receives records through a `StreamPeer`.

use godot::builtin::{PackedByteArray, StringName, VarArray, Variant};
use godot::classes::{StreamPeer, StreamPeerBuffer, StreamPeerTls, stream_peer_tls};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Gd;

use super::record::{PREFIX, SizeLimit, decode_payload, encode_record, length_of, written};
use crate::error::{ErrorKind, RecordError, VarBytesError};
use crate::options_arg::OptionsArg;
use crate::outcome::Outcome;

/// The most bytes requested from a stream at once. Memory is used only for bytes that have arrived.
const CHUNK: usize = 64 << 10;

/// Sends a value as one record.
pub(crate) fn put(peer: &mut Gd<StreamPeer>, value: &Variant, options: &OptionsArg) -> Result<Outcome, VarBytesError> {
    let record = encode_record(value, options, peer.is_big_endian_enabled())?;
    require_connected(peer)?;
    match peer.put_data(&record.bytes) {
        Error::OK => Ok(written(record)),
        error => Err(VarBytesError::stream(
            format!(
                "the stream could not send a record of {} bytes (engine error {error:?}): check that it is connected",
                record.bytes.len()
            ),
            -1,
        )),
    }
}

/// Receives the next record, if its value has at most `max_size` bytes. With `wait`, blocks until the record is complete.
/// Otherwise the bytes of an incomplete record are kept for the next call.
pub(crate) fn take(
    peer: &mut Gd<StreamPeer>,
    options: &OptionsArg,
    max_size: i64,
    wait: bool,
) -> Result<Outcome, RecordError> {
    let limit = match u64::try_from(max_size) {
        Ok(bytes @ 1..) => SizeLimit { bytes, name: "max_size" }.and(options),
        _ => {
            return Err(RecordError::skipped(VarBytesError::argument(format!(
                "max_size is {max_size}; it must be 1 or more"
            ))));
        }
    };
    require_connected(peer)?;
    let mut record = PartialRecord::of(peer);
    record.receive(peer, PREFIX, wait)?;
    let prefix = record.bytes.as_slice().first_chunk().copied().unwrap_or_default();
    let length = length_of(prefix, peer.is_big_endian_enabled());
    let Ok(size) = usize::try_from(length.cast_signed()) else {
        return Err(VarBytesError::of_length(length.cast_signed(), 0).into());
    };
    if let Some(message) = limit.refusal(length) {
        let message = format!("{message}; nothing after this can be read");
        return Err(VarBytesError::of_record(ErrorKind::Limit, "record_too_long", message, 0).into());
    }
    record.receive(peer, PREFIX + size, wait)?;
    decode_payload(&record.bytes.as_slice()[PREFIX..], options, PREFIX as u64)
}

/// Checks that a TLS stream is connected. Otherwise the engine would print an error for each call.
fn require_connected(peer: &Gd<StreamPeer>) -> Result<(), VarBytesError> {
    let is_disconnected = peer
        .clone()
        .try_cast::<StreamPeerTls>()
        .is_ok_and(|peer| peer.get_status() != stream_peer_tls::Status::CONNECTED);
    if is_disconnected {
        return Err(VarBytesError::stream("the stream is not connected".to_owned(), -1));
    }
    Ok(())
}

/// The bytes of a record that have arrived so far.
struct PartialRecord {
    bytes: PackedByteArray,
    /// Where the record begins, in a stream that can seek.
    start: Option<i32>,
}

impl PartialRecord {
    /// The name of the stream's metadata that keeps the bytes between calls.
    const META: &'static str = "_varbytes_begun";

    /// Returns the bytes that an earlier call received.
    fn of(peer: &mut Gd<StreamPeer>) -> Self {
        if let Ok(buffer) = peer.clone().try_cast::<StreamPeerBuffer>() {
            return Self { bytes: PackedByteArray::new(), start: Some(buffer.get_position()) };
        }
        let name = StringName::from(Self::META);
        let mut bytes = PackedByteArray::new();
        if peer.has_meta(&name) {
            // Removed before bytes are appended, or the engine would copy the array.
            let kept = peer.get_meta(&name);
            peer.remove_meta(&name);
            bytes = kept.try_to().unwrap_or_default();
        }
        Self { bytes, start: None }
    }

    /// Receives bytes until there are `size`.
    fn receive(&mut self, peer: &mut Gd<StreamPeer>, size: usize, wait: bool) -> Result<(), VarBytesError> {
        while self.bytes.len() < size {
            let asked = CHUNK.min(size - self.bytes.len());
            let mut received = received_bytes(&peer.get_partial_data(i32::try_from(asked).unwrap_or(i32::MAX)));
            if wait && received.as_ref().is_ok_and(|bytes| bytes.is_empty()) {
                // Waits for one byte only: if the engine gets a part of a longer request, it loses that part.
                received = received_bytes(&peer.get_data(1));
            }
            match received {
                Ok(bytes) if bytes.is_empty() => return Err(self.keep(peer, size)),
                Ok(bytes) => self.bytes.extend_array(&bytes),
                Err(error) => return Err(self.ended(peer, size, error)),
            }
        }
        Ok(())
    }

    /// Keeps the bytes for a later call. Returns the error for this one.
    fn keep(&mut self, peer: &mut Gd<StreamPeer>, size: usize) -> VarBytesError {
        let there = self.bytes.len();
        match self.start {
            Some(start) => {
                if let Ok(mut buffer) = peer.clone().try_cast::<StreamPeerBuffer>() {
                    buffer.seek(start);
                }
            }
            None if there > 0 => peer.set_meta(Self::META, &std::mem::take(&mut self.bytes).to_variant()),
            None => {}
        }
        let message = format!("{there} of {size} bytes of the record have arrived: call take() again later");
        VarBytesError::of_record(ErrorKind::Truncated, "record_truncated", message, 0)
    }

    /// Returns the error for a stream that could not be read.
    fn ended(&mut self, peer: &mut Gd<StreamPeer>, size: usize, error: Error) -> VarBytesError {
        let there = self.bytes.len();
        match error {
            // A buffer at its end, or a decompressor that needs more input.
            Error::ERR_INVALID_PARAMETER | Error::ERR_UNAVAILABLE => self.keep(peer, size),
            Error::ERR_FILE_EOF => {
                let message = format!("the stream ended after {there} of {size} bytes of a record");
                VarBytesError::of_record(ErrorKind::Truncated, "stream_ended", message, 0)
            }
            _ => {
                let message = format!(
                    "the stream failed after {there} bytes of a record (engine error {error:?}): check that it is connected"
                );
                VarBytesError::of_record(ErrorKind::Stream, "stream", message, 0)
            }
        }
    }
}

/// Returns the bytes that the engine received, or its error.
fn received_bytes(result: &VarArray) -> Result<PackedByteArray, Error> {
    match result.get(0).and_then(|error| error.try_to::<Error>().ok()).unwrap_or(Error::FAILED) {
        Error::OK => Ok(result.get(1).and_then(|bytes| bytes.try_to().ok()).unwrap_or_default()),
        error => Err(error),
    }
}
