//! Sends and receives records through a `StreamPeer`.

use std::mem;
use std::ops::Range;

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
    let mut incoming = kept(peer);
    let mut unlimited = usize::MAX;
    let asked = if wait { Asked::AndWait } else { Asked::Exactly };
    let arrived = incoming.receive(peer, limit, &mut unlimited, asked)?;
    let arrived_bytes = incoming.len();
    give_back(peer, incoming);
    match arrived {
        Arrived::Whole(record) => decode_payload(record.payload(), options, PREFIX as u64),
        Arrived::Part { size } => {
            let message =
                format!("{arrived_bytes} of {size} bytes of the record have arrived: call take() again later");
            Err(VarBytesError::of_record(ErrorKind::Truncated, "record_truncated", message, 0).into())
        }
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

/// The name of the stream's metadata that has bytes for the next call, and the port of its connection.
const META: &str = "_varbytes_begun";

/// Returns the bytes that were [given back](give_back) to a stream.
pub(crate) fn kept(peer: &mut Gd<StreamPeer>) -> Incoming {
    let name = StringName::from(META);
    if !peer.has_meta(&name) {
        return Incoming::default();
    }
    // Removed before bytes are appended, or the engine would copy the array.
    let kept: VarArray = peer.get_meta(&name).try_to().unwrap_or_default();
    peer.remove_meta(&name);
    if kept.get(1) != Some(local_port(peer).to_variant()) {
        return Incoming::default();
    }
    Incoming { bytes: kept.get(0).and_then(|bytes| bytes.try_to().ok()).unwrap_or_default(), start: 0 }
}

/// Gives bytes back to a stream, so that the next call reads them first, as long as it is the same connection.
pub(crate) fn give_back(peer: &mut Gd<StreamPeer>, incoming: Incoming) {
    if incoming.len() == 0 {
        return;
    }
    if let Ok(mut buffer) = peer.clone().try_cast::<StreamPeerBuffer>() {
        let position = i64::from(buffer.get_position()).saturating_sub_unsigned(incoming.len() as u64);
        buffer.seek(i32::try_from(position.max(0)).unwrap_or(0));
        return;
    }
    let port = local_port(peer);
    peer.set_meta(META, &varray![&incoming.into_bytes(), port].to_variant());
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

/// The bytes of a stream that have arrived, from the length of a record on.
#[derive(Default)]
pub(crate) struct Incoming {
    bytes: PackedByteArray,
    /// The number of bytes of earlier records before them.
    start: usize,
}

/// A record that has arrived.
pub(crate) struct WholeRecord {
    /// With other records.
    bytes: PackedByteArray,
    payload: Range<usize>,
}

impl WholeRecord {
    pub(crate) fn payload(&self) -> &[u8] {
        &self.bytes.as_slice()[self.payload.clone()]
    }
}

/// How much of a record has arrived.
pub(crate) enum Arrived {
    Whole(WholeRecord),
    /// Less than `size` bytes, with those of the length.
    Part {
        size: usize,
    },
}

/// Which bytes a stream is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Those of one record, as far as they have arrived.
    Exactly,
    /// Those of one record.
    AndWait,
    /// All that have arrived.
    Ahead,
}

impl Incoming {
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    fn into_bytes(mut self) -> PackedByteArray {
        self.drop_earlier();
        self.bytes
    }

    /// Forgets the bytes of earlier records.
    fn drop_earlier(&mut self) {
        if self.start > 0 {
            self.bytes = PackedByteArray::from(&self.bytes.as_slice()[self.start..]);
            self.start = 0;
        }
    }

    /// Returns the next record if it has arrived. After an error, nothing more can be read from the stream.
    pub(crate) fn next(&mut self, limit: SizeLimit, big_endian: bool) -> Result<Arrived, VarBytesError> {
        let bytes = &self.bytes.as_slice()[self.start..];
        let Some(prefix) = bytes.first_chunk() else { return Ok(Arrived::Part { size: PREFIX }) };
        let length = length_of(*prefix, big_endian);
        let Ok(size) = usize::try_from(length.cast_signed()) else {
            return Err(VarBytesError::of_length(length.cast_signed(), 0));
        };
        if let Some(message) = limit.refusal(length) {
            let message = format!("{message}; nothing after this can be read");
            return Err(VarBytesError::of_record(ErrorKind::Limit, "record_too_long", message, 0));
        }
        let size = PREFIX + size;
        if bytes.len() < size {
            return Ok(Arrived::Part { size });
        }
        let (start, end) = (self.start, self.start + size);
        let is_last = end == self.bytes.len();
        let bytes = if is_last { mem::take(&mut self.bytes) } else { self.bytes.clone() };
        self.start = if is_last { 0 } else { end };
        Ok(Arrived::Whole(WholeRecord { bytes, payload: start + PREFIX..end }))
    }

    /// Receives the next record, but at most `budget` bytes, from which it subtracts what it has received. After an error, nothing more
    /// can be read from the stream.
    pub(crate) fn receive(
        &mut self,
        peer: &mut Gd<StreamPeer>,
        limit: SizeLimit,
        budget: &mut usize,
        asked: Asked,
    ) -> Result<Arrived, VarBytesError> {
        loop {
            match self.next(limit, peer.is_big_endian_enabled())? {
                Arrived::Part { size } if self.fill(peer, size, budget, asked)? => {}
                arrived => return Ok(arrived),
            }
        }
    }

    /// Receives bytes of a record of that size. Returns whether any have arrived.
    fn fill(
        &mut self,
        peer: &mut Gd<StreamPeer>,
        size: usize,
        budget: &mut usize,
        asked: Asked,
    ) -> Result<bool, VarBytesError> {
        let missing = size - self.len();
        let most = match asked {
            Asked::Ahead => missing.max(usize::try_from(peer.get_available_bytes()).unwrap_or(0)),
            Asked::Exactly | Asked::AndWait => missing,
        };
        let most = CHUNK.min(most).min(*budget);
        if most == 0 {
            return Ok(false);
        }
        let mut received = received_bytes(&peer.get_partial_data(i32::try_from(most).unwrap_or(i32::MAX)));
        if asked == Asked::AndWait && received.as_ref().is_ok_and(|bytes| bytes.is_empty()) {
            // Waits for one byte only: if the engine gets a part of a longer request, it loses that part.
            received = received_bytes(&peer.get_data(1));
        }
        match received {
            Ok(bytes) if bytes.is_empty() => Ok(false),
            Ok(bytes) => {
                *budget = budget.saturating_sub(bytes.len());
                self.append(bytes);
                Ok(true)
            }
            // A buffer at its end, or a decompressor that needs more input.
            Err(Error::ERR_INVALID_PARAMETER | Error::ERR_UNAVAILABLE) => Ok(false),
            Err(error) => Err(self.ended(size, error)),
        }
    }

    fn append(&mut self, bytes: PackedByteArray) {
        if self.len() == 0 {
            *self = Self { bytes, start: 0 };
        } else {
            self.drop_earlier();
            self.bytes.extend_array(&bytes);
        }
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
