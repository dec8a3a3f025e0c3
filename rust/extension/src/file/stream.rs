//! Sends and receives records through a `StreamPeer`.

use std::cell::Cell;

use arrayvec::ArrayVec;
use godot::builtin::{PackedByteArray, StringName, VarArray, Variant, varray};
use godot::classes::{StreamPeer, StreamPeerBuffer};
use godot::global::Error;
use godot::meta::{FromGodot, ToGodot};
use godot::obj::Gd;

use super::record::{PREFIX, SizeLimit, decode_payload, encode_record, length_of, other_than_length, prefix_of};
use crate::error::{ErrorKind, RecordError, VarBytesError};
use crate::options::VarBytesOptions;
use crate::options_arg::most_bytes;
use crate::outcome::Outcome;
use crate::raw::{self, ObjectArgument, StreamPeerRef};

/// The most bytes requested from a stream at once. Memory is used only for bytes that have arrived.
const CHUNK: usize = 64 << 10;

/// Sends a value as one record.
pub(super) fn put(
    peer: Option<&StreamPeerRef>,
    value: &Variant,
    options: &ObjectArgument<VarBytesOptions>,
) -> Result<Outcome, VarBytesError> {
    let peer = peer.ok_or_else(no_stream)?;
    let (record, outcome) = encode_record(value, options, peer.is_big_endian())?;
    require_connected(peer)?;
    match error_in(&peer.put_data(&record)) {
        Error::OK => Ok(outcome),
        error => Err(VarBytesError::stream(
            format!(
                "the stream could not send a record of {} bytes (engine error {error:?}): check that it is connected",
                PREFIX + outcome.used
            ),
            -1,
        )),
    }
}

/// Receives the next record, if its value has at most `max_size` bytes. With `wait`, blocks until the record is complete.
/// Otherwise the bytes of an incomplete record are kept for the next call.
pub(super) fn take(
    peer: Option<&StreamPeerRef>,
    options: &ObjectArgument<VarBytesOptions>,
    max_size: i64,
    wait: bool,
) -> Result<Outcome, RecordError> {
    let peer = peer.ok_or_else(no_stream)?;
    let limit = match u64::try_from(max_size) {
        Ok(bytes @ 1..) => SizeLimit { bytes, name: "max_size" }.and(most_bytes(options)),
        _ => {
            return Err(RecordError::skipped(VarBytesError::argument(format!(
                "max_size is {max_size}; it must be 1 or more"
            ))));
        }
    };
    if let Err(error) = require_connected(peer) {
        peer.object().remove_meta(META);
        return Err(error.into());
    }
    let mut record = begun(peer);
    let mut unlimited = usize::MAX;
    match record.receive(peer, limit, &mut unlimited, wait)? {
        Arrived::Whole(payload) => decode_payload(&payload, options, PREFIX),
        Arrived::Part { size } => Err(keep(peer, &record, size).into()),
    }
}

fn no_stream() -> VarBytesError {
    VarBytesError::argument("the stream is null: pass a StreamPeer".to_owned())
}

/// The kinds of streams that need something else than others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tls,
    Tcp,
    Buffer,
    Other,
}

impl Kind {
    /// Returns the kind of a stream. It is remembered, because to look up the class takes longer than to send a small value.
    fn of(peer: &StreamPeerRef) -> Self {
        thread_local! {
            /// The id of a stream, which no other one ever has, and its kind.
            static LAST: Cell<(i64, Kind)> = const { Cell::new((0, Kind::Other)) };
        }
        let (id, (last, kind)) = (peer.id(), LAST.get());
        if id == last {
            return kind;
        }
        let kinds = [("StreamPeerTLS", Self::Tls), ("StreamPeerTCP", Self::Tcp), ("StreamPeerBuffer", Self::Buffer)];
        let object = peer.object();
        let found = kinds.into_iter().find(|(class, _)| object.is_class(*class));
        let kind = found.map_or(Self::Other, |(_, kind)| kind);
        LAST.set((id, kind));
        kind
    }
}

/// Checks that a TLS stream is connected. Otherwise the engine would print an error for each call.
fn require_connected(peer: &StreamPeerRef) -> Result<(), VarBytesError> {
    if Kind::of(peer) == Kind::Tls && !is_connected(peer) {
        return Err(VarBytesError::stream("the stream is not connected".to_owned(), -1));
    }
    Ok(())
}

/// Returns whether a stream that has a status is connected.
fn is_connected(peer: &StreamPeerRef) -> bool {
    const CONNECTED: i64 = 2;
    peer.call("get_status").try_to_relaxed::<i64>().is_ok_and(|status| status == CONNECTED)
}

/// The name of the stream's metadata that keeps an incomplete record between calls, and the port of its connection.
const META: &str = "_varbytes_begun";

/// Returns what an earlier call received of the record. A buffer is read from the start of the record again, with a fast path for the
/// length.
fn begun(peer: &StreamPeerRef) -> PartialRecord {
    if Kind::of(peer) == Kind::Buffer {
        let length = (peer.available_bytes() >= PREFIX as i64).then(|| peer.receive_u32());
        return PartialRecord { length, ..PartialRecord::default() };
    }
    let name = StringName::from(META);
    if !peer.has_meta(&name) {
        return PartialRecord::default();
    }
    let mut object = peer.object();
    // Removed before bytes are appended, or the engine would copy the array.
    let kept: VarArray = object.get_meta(&name).try_to().unwrap_or_default();
    object.remove_meta(&name);
    if kept.get(1) != Some(local_port(peer).to_variant()) {
        return PartialRecord::default();
    }
    let bytes: PackedByteArray = kept.get(0).and_then(|bytes| bytes.try_to().ok()).unwrap_or_default();
    PartialRecord::of(&bytes, peer.is_big_endian())
}

/// Returns the local port of a stream over TCP. The next connection of the same object has another one. 0 if there is no connection
/// or no port.
pub(crate) fn local_port(peer: &StreamPeerRef) -> i64 {
    let socket = match Kind::of(peer) {
        Kind::Tls if is_connected(peer) => {
            let stream: Option<Gd<StreamPeer>> = peer.call("get_stream").try_to().ok();
            stream.filter(|stream| stream.is_class("StreamPeerTCP")).as_ref().map(StreamPeerRef::from)
        }
        Kind::Tcp => Some(peer.clone()),
        _ => None,
    };
    socket.filter(is_connected).and_then(|socket| socket.call("get_local_port").try_to().ok()).unwrap_or(0)
}

/// Keeps an incomplete record of `size` bytes for a later call. Returns the error for this one.
fn keep(peer: &StreamPeerRef, record: &PartialRecord, size: usize) -> VarBytesError {
    let arrived = record.len();
    if let Ok(mut buffer) = peer.object().try_cast::<StreamPeerBuffer>() {
        let arrived = i32::try_from(arrived).unwrap_or(i32::MAX);
        let start = buffer.get_position().saturating_sub(arrived);
        buffer.seek(start);
    } else if arrived > 0 {
        let bytes = record.bytes(peer.is_big_endian());
        let port = local_port(peer);
        peer.object().set_meta(META, &varray![&bytes, port].to_variant());
    }
    let message = format!("{arrived} of {size} bytes of the record have arrived: call take() again later");
    VarBytesError::of_record(ErrorKind::Truncated, "record_truncated", message, 0)
}

/// What has arrived of a record so far.
#[derive(Default)]
pub(crate) struct PartialRecord {
    /// The length if all of it has arrived, and its first bytes before that.
    length: Option<u32>,
    begun: ArrayVec<u8, PREFIX>,
    payload: PackedByteArray,
}

/// How much of a record has arrived.
pub(crate) enum Arrived {
    /// All of it: the bytes of the value.
    Whole(PackedByteArray),
    /// Less than `size` bytes.
    Part { size: usize },
}

impl PartialRecord {
    /// A record of which these bytes have arrived, with those of its length.
    fn of(bytes: &PackedByteArray, big_endian: bool) -> Self {
        match bytes.as_slice().split_first_chunk() {
            Some((prefix, payload)) => {
                Self { length: Some(length_of(*prefix, big_endian)), payload: payload.into(), ..Self::default() }
            }
            None => Self { begun: bytes.as_slice().iter().copied().collect(), ..Self::default() },
        }
    }

    /// Returns the bytes that have arrived.
    fn bytes(&self, big_endian: bool) -> PackedByteArray {
        let Some(length) = self.length else { return self.begun.as_slice().into() };
        let mut bytes = PackedByteArray::from(prefix_of(length, big_endian));
        bytes.extend_array(&self.payload);
        bytes
    }

    /// Returns how many bytes have arrived, with those of the length.
    pub(crate) fn len(&self) -> usize {
        if self.length.is_some() { PREFIX + self.payload.len() } else { self.begun.len() }
    }

    /// Receives the rest of the record, but at most `budget` bytes, from which it subtracts what it has received. With
    /// `wait`, blocks until the record is complete. After an error, nothing more can be read from the stream.
    pub(crate) fn receive(
        &mut self,
        peer: &StreamPeerRef,
        limit: SizeLimit,
        budget: &mut usize,
        wait: bool,
    ) -> Result<Arrived, VarBytesError> {
        let length = match self.length {
            Some(length) => length,
            None => {
                while !self.begun.is_full() {
                    let Some(bytes) = self.next(peer, PREFIX, budget, wait)? else {
                        return Ok(Arrived::Part { size: PREFIX });
                    };
                    self.begun.extend(bytes.as_slice().iter().copied());
                }
                let prefix = std::mem::take(&mut self.begun).into_inner().unwrap_or_default();
                *self.length.insert(length_of(prefix, peer.is_big_endian()))
            }
        };
        let Ok(size) = usize::try_from(length.cast_signed()) else {
            return Err(VarBytesError::of_length(length.cast_signed(), 0));
        };
        if let Some(message) = limit.refusal(length) {
            let reason = other_than_length(length, peer.is_big_endian(), limit.bytes);
            let reason = reason.map(|reason| format!(" (or {reason})")).unwrap_or_default();
            let message = format!("{message}{reason}; nothing after this can be read");
            return Err(VarBytesError::of_record(ErrorKind::Limit, "record_too_long", message, 0));
        }
        let size = PREFIX + size;
        while self.len() < size {
            let Some(bytes) = self.next(peer, size, budget, wait)? else { return Ok(Arrived::Part { size }) };
            if self.payload.is_empty() {
                self.payload = bytes;
            } else {
                self.payload.extend_array(&bytes);
            }
        }
        Ok(Arrived::Whole(std::mem::take(self).payload))
    }

    /// Receives some of the bytes that are missing to `size`. Returns `None` if there are none yet.
    fn next(
        &self,
        peer: &StreamPeerRef,
        size: usize,
        budget: &mut usize,
        wait: bool,
    ) -> Result<Option<PackedByteArray>, VarBytesError> {
        let asked = CHUNK.min(size - self.len()).min(*budget);
        if asked == 0 {
            return Ok(None);
        }
        let mut received = receive(peer, asked);
        if wait && received.as_ref().is_ok_and(|bytes| bytes.is_empty()) {
            // Waits for one byte only: if the engine gets a part of a longer request, it loses that part.
            received = value_or_error(&peer.object().get_data(1).to_variant());
        }
        match received {
            Ok(bytes) if bytes.is_empty() => Ok(None),
            Ok(bytes) => {
                *budget = budget.saturating_sub(bytes.len());
                Ok(Some(bytes))
            }
            // A buffer at its end, or a decompressor that needs more input.
            Err(Error::ERR_INVALID_PARAMETER | Error::ERR_UNAVAILABLE) => Ok(None),
            Err(error) => Err(self.ended(size, error)),
        }
    }

    /// Returns the error for a stream that could not be read.
    fn ended(&self, size: usize, error: Error) -> VarBytesError {
        let arrived = self.len();
        if error == Error::ERR_FILE_EOF {
            let message = format!("the stream ended after {arrived} of {size} bytes of a record");
            return VarBytesError::of_record(ErrorKind::Truncated, "stream_ended", message, 0);
        }
        let message = match arrived {
            0 => format!("the stream has ended, or is not connected (engine error {error:?})"),
            _ => format!("the stream failed after {arrived} bytes of a record (engine error {error:?})"),
        };
        VarBytesError::of_record(ErrorKind::Stream, "stream", message, 0)
    }
}

/// Receives at most that many of the bytes that have arrived.
fn receive(peer: &StreamPeerRef, most: usize) -> Result<PackedByteArray, Error> {
    value_or_error(&peer.partial_data(i32::try_from(most).unwrap_or(i32::MAX)))
}

/// Returns the engine's error in a Variant, or `FAILED` if it holds none.
fn error_in(value: &Variant) -> Error {
    value.try_to().unwrap_or(Error::FAILED)
}

/// Returns the value in what the engine returns for a part of data, an error and a value, or the error.
pub(crate) fn value_or_error<T: FromGodot + Default>(result: &Variant) -> Result<T, Error> {
    let [error, value] = raw::members(result) else { return Err(Error::FAILED) };
    match error_in(error) {
        Error::OK => Ok(value.try_to().unwrap_or_default()),
        error => Err(error),
    }
}
