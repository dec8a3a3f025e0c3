//! What a stream sends and receives.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use godot::builtin::{PackedByteArray, Variant};
use godot::obj::Gd;

use super::peer::{Channel, Peer, Status};
use super::state::{State, disconnected};
use super::turns::Turns;
use crate::error::{ErrorKind, RecordError, VarBytesError};
use crate::file::record::{MIN_LENGTH, PREFIX, SizeLimit, decode_payload, encode_record, record_of};
use crate::file::stream::Arrived;
use crate::options::VarBytesOptions;
use crate::options_arg::{most_bytes, write};
use crate::outcome::{Encoded, Outcome};
use crate::raw::{ObjectArgument, byte_array};
use crate::result::VarBytesResult;

/// What a call of `poll` may still receive.
struct Budget {
    bytes: usize,
    /// How many packets are known to have arrived.
    packets: i32,
}

impl Budget {
    /// What a value counts at least. Very small values take time for the signal.
    const LEAST: usize = 64;
}

/// A peer, and what is sent and received through it.
pub struct Connection {
    peer: Peer,
    /// For each use of the peer.
    turns: Turns,
    /// Not locked while a peer or a handler runs: both can be scripts that use the stream.
    state: Mutex<State>,
}

/// A call that polls, until it is dropped.
pub(super) struct Polling<'c>(&'c Connection);

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        self.0.state().polling = None;
    }
}

impl Polling<'_> {
    /// Ends polling if the stream is still open. Otherwise returns itself: functions are disconnected before it ends, so that no other
    /// thread does the same.
    pub(super) fn end_if_open(self) -> Option<Self> {
        let mut state = self.0.state();
        if !state.is_open {
            drop(state);
            return Some(self);
        }
        state.polling = None;
        drop(state);
        // Another call may poll now.
        mem::forget(self);
        None
    }
}

/// A call that sends, until it is dropped.
struct Sending<'c>(&'c Connection);

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        self.0.state().is_sending = false;
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

    /// Sends what the peer takes now of the values that are waiting, such as one that waits because bytes have arrived that were not read.
    pub(super) fn send_last(&self) {
        let is_waiting = {
            let mut state = self.state();
            // Otherwise a peer that is a script has called back.
            let was_closing = mem::replace(&mut state.is_closing, true);
            !was_closing && state.is_open && state.outgoing.bytes() > 0
        };
        if is_waiting && matches!(self.status(), Ok(Status::Connected)) {
            // Nothing can be done about an error: no more is sent or received.
            let _ = self.flush(None);
        }
    }

    /// Stops sending and receiving. Returns whether that had not ended yet, and no other thread polls.
    pub(super) fn close(&self) -> bool {
        let mut state = self.state();
        state.close() && state.polling.is_none_or(|polling| polling == thread::current().id())
    }

    /// Begins to poll. Returns `None` if another call polls, or the stream is closed.
    pub(super) fn begin_polling(&self) -> Option<Polling<'_>> {
        let mut state = self.state();
        if !state.is_open || state.polling.is_some() {
            return None;
        }
        state.polling = Some(thread::current().id());
        Some(Polling(self))
    }

    /// Begins to send. Returns `None` if another call sends.
    fn begin_sending(&self) -> Option<Sending<'_>> {
        let was_sending = mem::replace(&mut self.state().is_sending, true);
        if was_sending { None } else { Some(Sending(self)) }
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
        let bytes = usize::try_from(self.state().bytes_per_poll).unwrap_or(usize::MAX);
        let mut budget = Budget { bytes, packets: 0 };
        let was_connected = self.status()? == Status::Connected;
        if was_connected {
            self.receive(&mut budget, emit)?;
            let has_more =
                budget.bytes == 0 && self.with_peer(|peer| peer.status() == Status::Connected && peer.has_unread());
            if self.state().delays(has_more) {
                return Ok(());
            }
        }
        if self.is_open() && self.with_peer(Peer::poll) == Status::Connected {
            self.flush(None)?;
            if was_connected && self.peer.is_socket() {
                // It receives nothing while it is polled.
                return Ok(());
            }
        }
        self.receive(&mut budget, emit)
    }

    /// Receives values within the budget and emits them. Returns an error if there will be no more.
    fn receive(&self, budget: &mut Budget, emit: &mut impl FnMut(Variant)) -> Result<(), VarBytesError> {
        while self.is_open()
            && let Some(result) = self.next(budget)?
        {
            emit(result);
        }
        Ok(())
    }

    /// Receives the next value. Returns `None` if there is none yet, and an error if there will be none.
    fn next(&self, budget: &mut Budget) -> Result<Option<Variant>, VarBytesError> {
        if budget.bytes == 0 {
            return Ok(None);
        }
        let (set_options, limit) = {
            let state = self.state();
            let limit = SizeLimit { bytes: state.max_record_size.unsigned_abs(), name: "max_record_size" };
            (state.options.clone(), limit)
        };
        let options = ObjectArgument::from(&set_options);
        let limit = limit.and(most_bytes(&options));
        let before = budget.bytes;
        let Some(payload) = self.arrived(limit, budget)? else { return Ok(None) };
        let prefix = if self.peer.is_packets() { 0 } else { PREFIX };
        let outcome = match limit.refusal(u32::try_from(payload.len()).unwrap_or(u32::MAX)) {
            None => decode_payload(&payload, &options, prefix),
            Some(message) => {
                Err(RecordError::skipped(VarBytesError::of_record(ErrorKind::Limit, "record_too_long", message, 0)))
            }
        };
        budget.bytes = budget.bytes.min(before.saturating_sub(Budget::LEAST));
        Ok(Some(VarBytesResult::new_variant(outcome)))
    }

    /// Receives the bytes of the next value, a record of a stream or a packet. Returns `None` if it has not arrived yet.
    // No more than one record is received at once: what a handler does next decides who receives the rest.
    fn arrived(&self, limit: SizeLimit, budget: &mut Budget) -> Result<Option<PackedByteArray>, VarBytesError> {
        let _turn = self.turns.wait();
        let status = self.peer.status();
        let may_receive = self.state().may_receive(status);
        if !may_receive.map_err(|error| self.peer.explained(error))? {
            return Ok(None);
        }
        let mut partial = mem::take(&mut self.state().partial);
        match self.peer.channel() {
            Channel::Stream(peer, _) => {
                let before = budget.bytes;
                match partial.receive(peer, limit, &mut budget.bytes, false) {
                    Ok(Arrived::Whole(payload)) => {
                        self.state().progress = None;
                        Ok(Some(payload))
                    }
                    Ok(Arrived::Part { .. }) => self.state().keep(partial, budget.bytes != before).map(|()| None),
                    Err(error) if partial.len() == 0 && error.name == "stream_ended" => Err(disconnected(0)),
                    // The other side has reset the connection.
                    Err(error) if error.name == "stream" && self.peer.status() == Status::Disconnected => {
                        Err(disconnected(partial.len()))
                    }
                    Err(error) => Err(error),
                }
            }
            Channel::Packets(peer, kind) => {
                let Some((packet, sender)) = kind.next(peer, &mut budget.packets)? else { return Ok(None) };
                self.state().sender = sender;
                budget.bytes = budget.bytes.saturating_sub(packet.len());
                Ok(Some(packet))
            }
        }
    }

    /// Encodes a value, and sends as much as the peer takes.
    pub(super) fn send(&self, value: &Variant) -> Result<Outcome, VarBytesError> {
        let options = self.options_if_open()?;
        let options = ObjectArgument::from(&options);
        // Nothing is locked here: getters of scripts run and may use this object.
        let (message, outcome) = match self.peer.channel() {
            Channel::Stream(..) => {
                let (record, outcome) = encode_record(value, &options, self.with_peer(Peer::is_big_endian))?;
                (byte_array(&record), outcome)
            }
            Channel::Packets(..) => {
                let Encoded { bytes, losses } = write(&options, value)?;
                let used = bytes.len();
                (bytes, Outcome::written(used, losses))
            }
        };
        self.send_message(message)?;
        Ok(outcome)
    }

    /// Sends the bytes of a value, as much as the peer takes.
    pub(super) fn send_encoded(&self, bytes: &PackedByteArray) -> Result<Outcome, VarBytesError> {
        self.options_if_open()?;
        if bytes.len() < MIN_LENGTH as usize {
            let message = format!("{} bytes are not a value: pass what VarBytes.encode() returns", bytes.len());
            return Err(VarBytesError::argument(message));
        }
        let message = match self.peer.channel() {
            Channel::Stream(..) => byte_array(&record_of(bytes.as_slice(), self.with_peer(Peer::is_big_endian))?),
            Channel::Packets(..) => bytes.clone(),
        };
        self.send_message(message)?;
        Ok(Outcome::written(bytes.len(), Vec::new()))
    }

    /// Returns the options, or an error if the stream is closed.
    fn options_if_open(&self) -> Result<Option<Gd<VarBytesOptions>>, VarBytesError> {
        let state = self.state();
        if state.is_open { Ok(state.options.clone()) } else { Err(closed()) }
    }

    /// Sends a record or a packet, as much as the peer takes.
    fn send_message(&self, message: PackedByteArray) -> Result<(), VarBytesError> {
        let can_send = self.with_peer(|peer| {
            peer.require_sendable(message.len())?;
            match self.status()? {
                Status::Disconnected => {
                    let error = self.state().disconnected();
                    Err(peer.explained(error))
                }
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
        Ok(())
    }

    /// Sends what is waiting, as far as the peer takes it. Returns an error if a stream fails, or if the peer refuses the packet with
    /// the number `own`. A packet that is refused is not tried again, and the next one is sent.
    fn flush(&self, own: Option<u64>) -> Result<(), VarBytesError> {
        // Otherwise a peer that is a script has called back, or another thread is sending.
        let Some(_sending) = self.begin_sending() else { return Ok(()) };
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

fn closed() -> VarBytesError {
    VarBytesError::stream(
        "the stream has ended or was closed: a new connection needs a new VarBytesStream".to_owned(),
        -1,
    )
}
