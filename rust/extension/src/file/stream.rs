//! Records in one of the engine's streams.

use godot::builtin::{PackedByteArray, StringName, VarArray, Variant};
use godot::classes::{StreamPeer, StreamPeerBuffer, StreamPeerTls, stream_peer_tls};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Gd;

use super::record::{PREFIX, RecordFailure, SizeLimit, announced, answer, decode_payload, encode_record};
use crate::chosen_options::ChosenOptions;
use crate::failure::{ErrorKind, Failure};
use crate::result::Outcome;

/// How many bytes are asked of a stream at once: memory is taken for what arrives, not for what is announced.
const CHUNK: usize = 64 << 10;

/// Sends a value as a record in one piece.
pub(crate) fn put(peer: &mut Gd<StreamPeer>, value: &Variant, options: &ChosenOptions) -> Result<Outcome, Failure> {
    let record = encode_record(value, options, peer.is_big_endian_enabled())?;
    require_connected(peer)?;
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

/// Takes the next record, where its value has at most `max_size` bytes. Unless it is to `wait`, it takes what there is;
/// of a record that is not all there, the beginning is kept for the next call.
pub(crate) fn take(
    peer: &mut Gd<StreamPeer>,
    options: &ChosenOptions,
    max_size: i64,
    wait: bool,
) -> Result<Outcome, RecordFailure> {
    let limit = match u64::try_from(max_size) {
        Ok(bytes @ 1..) => SizeLimit { bytes, name: "max_size" }.and(options),
        _ => return Err(RecordFailure::passed(Failure::argument(format!("max_size is {max_size}: give 1 or more")))),
    };
    require_connected(peer)?;
    let mut begun = Begun::of(peer);
    begun.receive(peer, PREFIX, wait)?;
    let prefix = begun.bytes.as_slice().first_chunk().copied().unwrap_or_default();
    let length = announced(prefix, peer.is_big_endian_enabled());
    let Ok(size) = usize::try_from(length.cast_signed()) else {
        return Err(Failure::of_length(length.cast_signed(), 0).into());
    };
    if let Some(message) = limit.refusal(length) {
        let message = format!("{message}; it was not read, so nothing after this can be");
        return Err(Failure::of_record(ErrorKind::Limit, "record_too_long", message, 0).into());
    }
    begun.receive(peer, PREFIX + size, wait)?;
    decode_payload(&begun.bytes.as_slice()[PREFIX..], options, PREFIX as u64)
}

/// Ciphered streams print an error where they are asked for anything while they are not connected.
fn require_connected(peer: &Gd<StreamPeer>) -> Result<(), Failure> {
    let connected = peer
        .clone()
        .try_cast::<StreamPeerTls>()
        .is_ok_and(|peer| peer.get_status() != stream_peer_tls::Status::CONNECTED);
    if connected {
        return Err(Failure::stream("the stream is not connected".to_owned(), -1));
    }
    Ok(())
}

/// The beginning of a record.
struct Begun {
    bytes: PackedByteArray,
    /// Where the record begins in a stream that can go back there.
    start: Option<i32>,
}

impl Begun {
    /// Under this name it is kept at the stream itself, and goes with it.
    const NAME: &'static str = "_varbytes_begun";

    /// What an earlier call has taken of a record that was not all there.
    fn of(peer: &mut Gd<StreamPeer>) -> Self {
        if let Ok(buffer) = peer.clone().try_cast::<StreamPeerBuffer>() {
            return Self { bytes: PackedByteArray::new(), start: Some(buffer.get_position()) };
        }
        let name = StringName::from(Self::NAME);
        let mut bytes = PackedByteArray::new();
        if peer.has_meta(&name) {
            // Out of its place before it is added to, or the engine would copy it.
            let kept = peer.get_meta(&name);
            peer.remove_meta(&name);
            bytes = kept.try_to().unwrap_or_default();
        }
        Self { bytes, start: None }
    }

    /// Takes bytes until there are `size`.
    fn receive(&mut self, peer: &mut Gd<StreamPeer>, size: usize, wait: bool) -> Result<(), Failure> {
        while self.bytes.len() < size {
            let asked = CHUNK.min(size - self.bytes.len());
            let mut received = parts(&peer.get_partial_data(i32::try_from(asked).unwrap_or(i32::MAX)));
            if wait && received.as_ref().is_ok_and(|bytes| bytes.is_empty()) {
                // For one byte: what the engine has taken of more is lost where it does not get all of them.
                received = parts(&peer.get_data(1));
            }
            match received {
                Ok(bytes) if bytes.is_empty() => return Err(self.keep(peer, size)),
                Ok(bytes) => self.bytes.extend_array(&bytes),
                Err(error) => return Err(self.ended(peer, size, error)),
            }
        }
        Ok(())
    }

    /// The rest may come later.
    fn keep(&mut self, peer: &mut Gd<StreamPeer>, size: usize) -> Failure {
        let there = self.bytes.len();
        match self.start {
            Some(start) => {
                if let Ok(mut buffer) = peer.clone().try_cast::<StreamPeerBuffer>() {
                    buffer.seek(start);
                }
            }
            None if there > 0 => peer.set_meta(Self::NAME, &std::mem::take(&mut self.bytes).to_variant()),
            None => {}
        }
        let message = format!("{there} bytes of a record are there, and {size} are needed: call take() again later");
        Failure::of_record(ErrorKind::Truncated, "record_truncated", message, 0)
    }

    fn ended(&mut self, peer: &mut Gd<StreamPeer>, size: usize, error: Error) -> Failure {
        let there = self.bytes.len();
        match error {
            // A buffer at its end, and a decompressor that was not given enough yet.
            Error::ERR_INVALID_PARAMETER | Error::ERR_UNAVAILABLE => self.keep(peer, size),
            Error::ERR_FILE_EOF => {
                let message = format!("the stream ended after {there} bytes of a record, and {size} are needed");
                Failure::of_record(ErrorKind::Truncated, "stream_ended", message, 0)
            }
            _ => {
                let message = format!(
                    "{there} bytes of a record are there, and the rest could not be received (engine error {error:?}): \
                     is the stream connected?"
                );
                Failure::of_record(ErrorKind::Stream, "stream", message, 0)
            }
        }
    }
}

/// The bytes of an answer of the engine, which are undefined where there is an error.
fn parts(answer: &VarArray) -> Result<PackedByteArray, Error> {
    match answer.get(0).and_then(|error| error.try_to::<Error>().ok()).unwrap_or(Error::FAILED) {
        Error::OK => Ok(answer.get(1).and_then(|bytes| bytes.try_to().ok()).unwrap_or_default()),
        error => Err(error),
    }
}
