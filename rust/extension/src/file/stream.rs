//! Sends and receives records through a `StreamPeer`.

use godot::builtin::{PackedByteArray, StringName, VarArray, Variant, varray};
use godot::classes::{StreamPeer, StreamPeerBuffer, StreamPeerTls, stream_peer_tls};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Gd;

use super::record::{PREFIX, SizeLimit, decode_payload, encode_record, length_of};
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
        Error::OK => Ok(Outcome::written(record.bytes.len() - PREFIX, record.losses)),
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
        Ok(bytes @ 1..) => SizeLimit { bytes, name: "max_size" }.and(options.most_bytes()),
        _ => {
            return Err(RecordError::skipped(VarBytesError::argument(format!(
                "max_size is {max_size}; it must be 1 or more"
            ))));
        }
    };
    if let Err(error) = require_connected(peer) {
        peer.remove_meta(META);
        return Err(error.into());
    }
    let (mut record, start) = kept(peer);
    let mut unlimited = usize::MAX;
    match record.receive(peer, limit, &mut unlimited, wait)? {
        Arrived::Whole(record) => decode_payload(&record.as_slice()[PREFIX..], options, PREFIX as u64),
        Arrived::Part { size } => Err(keep(peer, record, start, size).into()),
    }
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

/// The name of the stream's metadata that keeps an incomplete record between calls, and the port of its connection.
const META: &str = "_varbytes_begun";

/// Returns what an earlier call received of the record, and where the record begins in a stream that can seek.
fn kept(peer: &mut Gd<StreamPeer>) -> (PartialRecord, Option<i32>) {
    if let Ok(buffer) = peer.clone().try_cast::<StreamPeerBuffer>() {
        return (PartialRecord::default(), Some(buffer.get_position()));
    }
    let name = StringName::from(META);
    let mut bytes = PackedByteArray::new();
    if peer.has_meta(&name) {
        // Removed before bytes are appended, or the engine would copy the array.
        let kept: VarArray = peer.get_meta(&name).try_to().unwrap_or_default();
        peer.remove_meta(&name);
        if kept.get(1) == Some(local_port(peer).to_variant()) {
            bytes = kept.get(0).and_then(|bytes| bytes.try_to().ok()).unwrap_or_default();
        }
    }
    (PartialRecord(bytes), None)
}

/// Returns the local port of a stream over TCP. The next connection of the same object has another one. 0 if there is no connection
/// or no port.
pub(crate) fn local_port(peer: &Gd<StreamPeer>) -> i64 {
    const CONNECTED: i64 = 2;
    let socket = match peer.clone().try_cast::<StreamPeerTls>() {
        Ok(tls) if tls.get_status() == stream_peer_tls::Status::CONNECTED => tls.get_stream(),
        Ok(_) => None,
        Err(peer) => Some(peer),
    };
    let number = |mut socket: Gd<StreamPeer>, method| socket.call(method, &[]).try_to::<i64>().ok();
    socket
        .filter(|socket| socket.is_class("StreamPeerTCP"))
        .filter(|socket| number(socket.clone(), "get_status") == Some(CONNECTED))
        .and_then(|socket| number(socket, "get_local_port"))
        .unwrap_or(0)
}

/// Keeps an incomplete record of `size` bytes for a later call. Returns the error for this one.
fn keep(peer: &mut Gd<StreamPeer>, record: PartialRecord, start: Option<i32>, size: usize) -> VarBytesError {
    let arrived = record.len();
    match start {
        Some(start) => {
            if let Ok(mut buffer) = peer.clone().try_cast::<StreamPeerBuffer>() {
                buffer.seek(start);
            }
        }
        None if arrived > 0 => {
            let port = local_port(peer);
            peer.set_meta(META, &varray![&record.0, port].to_variant());
        }
        None => {}
    }
    let message = format!("{arrived} of {size} bytes of the record have arrived: call take() again later");
    VarBytesError::of_record(ErrorKind::Truncated, "record_truncated", message, 0)
}

/// The bytes of a record that have arrived so far, including those of its length.
#[derive(Default)]
pub(crate) struct PartialRecord(PackedByteArray);

/// How much of a record has arrived.
pub(crate) enum Arrived {
    /// All of it, including the length.
    Whole(PackedByteArray),
    /// Less than `size` bytes.
    Part { size: usize },
}

impl PartialRecord {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Receives the rest of the record, but at most `budget` bytes, from which it subtracts what it has received. With
    /// `wait`, blocks until the record is complete. After an error, nothing more can be read from the stream.
    pub(crate) fn receive(
        &mut self,
        peer: &mut Gd<StreamPeer>,
        limit: SizeLimit,
        budget: &mut usize,
        wait: bool,
    ) -> Result<Arrived, VarBytesError> {
        if !self.fill(peer, PREFIX, budget, wait)? {
            return Ok(Arrived::Part { size: PREFIX });
        }
        let prefix = self.0.as_slice().first_chunk().copied().unwrap_or_default();
        let length = length_of(prefix, peer.is_big_endian_enabled());
        let Ok(size) = usize::try_from(length.cast_signed()) else {
            return Err(VarBytesError::of_length(length.cast_signed(), 0));
        };
        if let Some(message) = limit.refusal(length) {
            let message = format!("{message}; nothing after this can be read");
            return Err(VarBytesError::of_record(ErrorKind::Limit, "record_too_long", message, 0));
        }
        let size = PREFIX + size;
        Ok(if self.fill(peer, size, budget, wait)? {
            Arrived::Whole(std::mem::take(&mut self.0))
        } else {
            Arrived::Part { size }
        })
    }

    /// Receives bytes until there are `size`. Returns whether there are.
    fn fill(
        &mut self,
        peer: &mut Gd<StreamPeer>,
        size: usize,
        budget: &mut usize,
        wait: bool,
    ) -> Result<bool, VarBytesError> {
        while self.len() < size {
            let asked = CHUNK.min(size - self.len()).min(*budget);
            if asked == 0 {
                return Ok(false);
            }
            let mut received = received_bytes(&peer.get_partial_data(i32::try_from(asked).unwrap_or(i32::MAX)));
            if wait && received.as_ref().is_ok_and(|bytes| bytes.is_empty()) {
                // Waits for one byte only: if the engine gets a part of a longer request, it loses that part.
                received = received_bytes(&peer.get_data(1));
            }
            match received {
                Ok(bytes) if bytes.is_empty() => return Ok(false),
                Ok(bytes) => {
                    *budget = budget.saturating_sub(bytes.len());
                    self.0.extend_array(&bytes);
                }
                // A buffer at its end, or a decompressor that needs more input.
                Err(Error::ERR_INVALID_PARAMETER | Error::ERR_UNAVAILABLE) => return Ok(false),
                Err(error) => return Err(self.ended(size, error)),
            }
        }
        Ok(true)
    }

    /// Returns the error for a stream that could not be read.
    fn ended(&self, size: usize, error: Error) -> VarBytesError {
        let arrived = self.len();
        if error == Error::ERR_FILE_EOF {
            let message = format!("the stream ended after {arrived} of {size} bytes of a record");
            return VarBytesError::of_record(ErrorKind::Truncated, "stream_ended", message, 0);
        }
        let message = format!(
            "the stream failed after {arrived} bytes of a record (engine error {error:?}): check that it is connected"
        );
        VarBytesError::of_record(ErrorKind::Stream, "stream", message, 0)
    }
}

/// Returns the bytes that the engine received, or its error.
fn received_bytes(result: &VarArray) -> Result<PackedByteArray, Error> {
    match result.get(0).and_then(|error| error.try_to::<Error>().ok()).unwrap_or(Error::FAILED) {
        Error::OK => Ok(result.get(1).and_then(|bytes| bytes.try_to().ok()).unwrap_or_default()),
        error => Err(error),
    }
}
