//! What a stream sends and receives.

use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::{PacketPeer, StreamPeer};
use godot::obj::Gd;

use super::peer::{Channel, Packets, Peer, Status, Stream};
use super::state::{State, disconnected};
use super::turns::Turns;
use crate::error::{ErrorKind, RecordError, VarBytesError};
use crate::file::record::{PREFIX, SizeLimit, decode_payload, encode_record};
use crate::file::stream::{Arrived, Incoming, WholeRecord, give_back};
use crate::outcome::{Encoded, Outcome};
use crate::raw::NullableArg;
use crate::result::VarBytesResult;

/// What a call of `poll` may still receive from the peer, and read from what it has received, in bytes.
struct Budget {
    to_receive: usize,
    to_read: usize,
    /// How many packets are known to have arrived.
    packets: i32,
}

impl Budget {
    /// What a value counts at least. Very small values take time for the signal.
    const LEAST: usize = 64;

    const fn of(bytes: usize) -> Self {
        Self { to_receive: bytes, to_read: bytes, packets: 0 }
    }

    fn read(&mut self, size: usize) {
        self.to_read = self.to_read.saturating_sub(size.max(Self::LEAST));
    }

    const fn is_spent(&self) -> bool {
        self.to_receive == 0 || self.to_read == 0
    }
}

/// A peer, and what is sent and received through it.
pub struct Connection {
    peer: Peer,
    /// For each use of the peer.
    turns: Turns,
    /// Not locked while a peer or a handler runs: both can be scripts that use the stream.
    state: Mutex<State>,
}

/// Sets a flag of the state while it exists.
pub(super) struct Marked<'s> {
    stream: &'s Connection,
    flag: fn(&mut State) -> &mut bool,
}

impl Drop for Marked<'_> {
    fn drop(&mut self) {
        *(self.flag)(&mut self.stream.state()) = false;
    }
}

impl Connection {
    pub(super) fn new(peer: Peer, state: State) -> Self {
        Self { peer, turns: Turns::default(), state: Mutex::new(state) }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_open(&self) -> bool {
        self.state().is_open
    }

    /// Stops sending and receiving. Bytes that were received but not read are given back to the peer.
    pub(super) fn end(&self) {
        let unread = {
            let mut state = self.state();
            let unread = std::mem::take(&mut state.incoming);
            state.close();
            unread
        };
        if let Channel::Stream(peer, _) = self.peer.channel() {
            let _turn = self.turns.wait();
            give_back(&mut peer.clone(), unread);
        }
    }

    /// Sets a flag. Returns `None` if another call has set it.
    pub(super) fn mark(&self, flag: fn(&mut State) -> &mut bool) -> Option<Marked<'_>> {
        let is_set = std::mem::replace(flag(&mut self.state()), true);
        (!is_set).then(|| Marked { stream: self, flag })
    }

    /// Uses the peer when no other thread does.
    fn with_peer<T>(&self, body: impl FnOnce(&Peer) -> T) -> T {
        let _turn = self.turns.wait();
        body(&self.peer)
    }

    /// Returns the status of the peer. Returns an error if it has been connected again.
    fn status(&self) -> Result<Status, VarBytesError> {
        let _turn = self.turns.wait();
        let status = self.peer.status();
        let port = self.peer.local_port(status);
        self.state().require_same_connection(status, port)?;
        Ok(status)
    }

    /// Receives, lets the peer work, sends, and receives what the peer got meanwhile. Returns an error if the connection has ended.
    ///
    /// A peer that finds the connection reset while it polls or sends drops the bytes that have already arrived. So they are received
    /// before that, and a backlog that is larger than the budget delays it.
    pub(super) fn exchange(&self, emit: &mut impl FnMut(Variant)) -> Result<(), VarBytesError> {
        let bytes_per_poll = self.state().bytes_per_poll;
        let mut budget = Budget::of(usize::try_from(bytes_per_poll).unwrap_or(usize::MAX));
        if self.status()? == Status::Connected {
            self.receive(&mut budget, emit)?;
            let has_more = budget.is_spent() && self.with_peer(Peer::has_unread);
            if self.state().delays(has_more) {
                return Ok(());
            }
        }
        if self.is_open() && self.with_peer(Peer::poll) == Status::Connected {
            self.flush(None)?;
        }
        self.receive(&mut budget, emit)
    }

    /// Receives values within the budget and emits them. Returns an error if there will be no more.
    fn receive(&self, budget: &mut Budget, emit: &mut impl FnMut(Variant)) -> Result<(), VarBytesError> {
        let was_connected = self.is_open() && self.with_peer(Peer::status) == Status::Connected;
        while self.is_open()
            && let Some(result) = self.next(budget)?
        {
            emit(result);
            if was_connected && self.has_unread() && self.with_peer(Peer::status) != Status::Connected {
                // The handler has ended the connection.
                self.state().incoming = Incoming::default();
            }
        }
        Ok(())
    }

    /// Returns whether bytes were received that are not read yet.
    fn has_unread(&self) -> bool {
        self.state().incoming.len() > 0
    }

    /// Receives the next value. Returns `None` if there is none yet, and an error if there will be none.
    fn next(&self, budget: &mut Budget) -> Result<Option<Variant>, VarBytesError> {
        if budget.to_read == 0 {
            return Ok(None);
        }
        let (options, limit) = {
            let state = self.state();
            let limit = SizeLimit { bytes: state.max_record_size.unsigned_abs(), name: "max_record_size" };
            (NullableArg(state.options.clone()), limit)
        };
        let limit = limit.and(options.most_bytes());
        let outcome = match self.peer.channel() {
            Channel::Stream(peer, kind) => {
                let Some(record) = self.record(peer, kind, limit, budget)? else { return Ok(None) };
                budget.read(record.payload().len());
                decode_payload(record.payload(), &options, PREFIX as u64)
            }
            Channel::Packets(peer, kind) => {
                let Some(packet) = self.packet(peer, kind, budget)? else { return Ok(None) };
                budget.read(packet.len());
                match limit.refusal(u32::try_from(packet.len()).unwrap_or(u32::MAX)) {
                    None => decode_payload(packet.as_slice(), &options, 0),
                    Some(message) => {
                        let error = VarBytesError::of_record(ErrorKind::Limit, "record_too_long", message, 0);
                        Err(RecordError::skipped(error))
                    }
                }
            }
        };
        Ok(Some(VarBytesResult::new_of_record(outcome)))
    }

    /// Receives the next record. Returns `None` if it has not arrived yet.
    fn record(
        &self,
        peer: &Gd<StreamPeer>,
        kind: &Stream,
        limit: SizeLimit,
        budget: &mut Budget,
    ) -> Result<Option<WholeRecord>, VarBytesError> {
        let _turn = self.turns.wait();
        let big_endian = peer.is_big_endian_enabled();
        if let Arrived::Whole(record) = self.state().incoming.next(limit, big_endian)? {
            return Ok(Some(record));
        }
        let status = self.peer.status();
        let mut incoming = {
            let mut state = self.state();
            if !state.may_receive(status)? {
                return Ok(None);
            }
            std::mem::take(&mut state.incoming)
        };
        let before = budget.to_receive;
        let arrived = incoming.receive(&mut peer.clone(), limit, &mut budget.to_receive, kind.asked());
        let arrived = arrived.map_err(|error| self.ended(error, incoming.len()));
        let mut state = self.state();
        state.incoming = incoming;
        match arrived? {
            Arrived::Whole(record) => {
                state.progress = None;
                Ok(Some(record))
            }
            Arrived::Part { .. } => state.wait_for_rest(budget.to_receive != before).map(|()| None),
        }
    }

    /// Returns the error for a stream that could not be read after so many bytes of a record.
    fn ended(&self, error: VarBytesError, arrived: usize) -> VarBytesError {
        match error.name {
            "stream_ended" if arrived == 0 => disconnected(0),
            // The other side has reset the connection.
            "stream" if self.peer.status() == Status::Disconnected => disconnected(arrived),
            _ => error,
        }
    }

    /// Receives the next packet. Returns `None` if it has not arrived yet.
    fn packet(
        &self,
        peer: &Gd<PacketPeer>,
        kind: &Packets,
        budget: &mut Budget,
    ) -> Result<Option<PackedByteArray>, VarBytesError> {
        let _turn = self.turns.wait();
        let status = self.peer.status();
        if !self.state().may_receive(status)? {
            return Ok(None);
        }
        let Some((packet, sender)) = kind.next(peer, &mut budget.packets)? else { return Ok(None) };
        self.state().sender = sender;
        Ok(Some(packet))
    }

    /// Encodes a value, and sends as much as the peer takes.
    pub(super) fn send(&self, value: &Variant) -> Result<Outcome, VarBytesError> {
        let closed = || VarBytesError::stream("the stream is closed".to_owned(), -1);
        let options = {
            let state = self.state();
            if !state.is_open {
                return Err(closed());
            }
            NullableArg(state.options.clone())
        };
        // Nothing is locked here: getters of scripts run and may use this object.
        let (message, outcome) = match self.peer.channel() {
            Channel::Stream(..) => {
                let record = encode_record(value, &options, self.with_peer(Peer::is_big_endian))?;
                (record.bytes.clone(), Outcome::written(record.bytes.len() - PREFIX, record.losses))
            }
            Channel::Packets(..) => {
                let Encoded { bytes, losses } = options.write(value)?;
                let used = bytes.len();
                (bytes, Outcome::written(used, losses))
            }
        };
        let can_send = self.with_peer(|peer| {
            peer.require_sendable(message.len())?;
            match self.status()? {
                Status::Disconnected => Err(disconnected(0)),
                status => Ok(status == Status::Connected && !peer.has_unread()),
            }
        })?;
        let number = {
            let mut state = self.state();
            if !state.is_open {
                return Err(closed());
            }
            let limit = usize::try_from(state.max_queued_bytes).unwrap_or(usize::MAX);
            state.outgoing.push(message, limit)?
        };
        if can_send {
            self.flush(Some(number)).inspect_err(|_| self.state().outgoing.take_back(number))?;
        }
        Ok(outcome)
    }

    /// Sends what is waiting, as far as the peer takes it. Returns an error if a stream fails, or if the peer refuses the packet with
    /// the number `own`. A packet that is refused is not tried again, and the next one is sent.
    fn flush(&self, own: Option<u64>) -> Result<(), VarBytesError> {
        // Otherwise a peer that is a script has called back, or another thread is sending.
        let Some(_sending) = self.mark(|state| &mut state.is_sending) else { return Ok(()) };
        let is_packet = self.peer.is_packets();
        let mut outcome = Ok(());
        loop {
            let Some((bytes, number)) = self.state().outgoing.next(is_packet) else { break };
            let sent = self.with_peer(|peer| peer.send(&bytes));
            let removed = match &sent {
                Ok(count) => *count,
                Err(_) if is_packet => bytes.len(),
                Err(_) => 0,
            };
            self.state().outgoing.remove(removed);
            if let Err(error) = sent
                && (!is_packet || own == Some(number))
            {
                outcome = Err(error);
            }
            if removed < bytes.len() {
                break;
            }
        }
        outcome
    }
}
