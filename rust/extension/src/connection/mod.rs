//! The class `VarBytesStream`.

mod outgoing;
mod peer;
mod state;
mod turns;

use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::classes::{PacketPeer, StreamPeer};
use godot::prelude::*;
use godot::register::property::PhantomVar;

use crate::error::{ErrorKind, RecordError, VarBytesError, report, signed};
use crate::file::record::{PREFIX, SizeLimit, decode_payload, encode_record};
use crate::file::stream::{Arrived, Incoming, WholeRecord, give_back, kept};
use crate::options::VarBytesOptions;
use crate::options_arg::OptionsArg;
use crate::outcome::{Encoded, Outcome};
use crate::raw::NullableArg;
use crate::result::VarBytesResult;
use crate::signals::disconnect_all;
use peer::{Channel, Packets, Peer, Status};
use state::{State, disconnected};
use turns::Turns;

/// Sends and receives values through a connection, without ever waiting for the other side.
///
/// Works with every [StreamPeer], such as [StreamPeerTCP] and [StreamPeerTLS], and with every [PacketPeer], such as
/// [PacketPeerUDP], [WebSocketPeer] and [ENetMultiplayerPeer]. In a stream, values have the format of
/// [method StreamPeer.put_var]. Each packet is one value, in the format of [method PacketPeer.put_var].
///
/// Call [method poll] once a frame. It emits [signal received] for each value, and [signal broken] once when the connection
/// has ended or cannot be read any further. It is safe for peers that you do not trust: values are read as by
/// [method VarBytes.decode], [member bytes_per_poll] limits the time of a frame, and memory is used only for bytes that have
/// arrived, at most [member max_record_size] and [member bytes_per_poll].
///
/// Several threads may use one object, but only the stream may use the peer then. The handlers of the signals run in the thread that
/// calls [method poll]. While one thread polls, [method poll] does nothing in the others.
/// ```gdscript
/// var stream: VarBytesStream
///
/// func start(connection: StreamPeerTCP) -> void:
///     stream = VarBytesStream.over(connection)
///     stream.idle_timeout = 10.0
///     stream.received.connect(_on_received)
///     stream.broken.connect(_on_broken)
///     stream.send({"hello": "world"})
///
/// func _process(_delta: float) -> void:
///     if stream != null:
///         stream.poll()
///
/// func _on_received(result: VarBytesResult) -> void:
///     if result.ok:
///         print(result.value)
///
/// func _on_broken(result: VarBytesResult) -> void:
///     print(result.message)
///     stream = null
/// ```
#[derive(GodotClass)]
#[class(no_init, base = RefCounted, tool)]
pub struct VarBytesStream {
    /// The [StreamPeer] or [PacketPeer] that was passed to [method over].
    #[var(no_set)]
    pub peer: Gd<RefCounted>,
    /// The options for reading and writing values, or [code]null[/code] for the defaults. A change applies to the next value.
    #[var(get = get_options, set = set_options)]
    options: PhantomVar<Option<Gd<VarBytesOptions>>>,
    /// How many bytes one call of [method poll] reads at most, 65,536 by default; the rest is left for the next call. A value
    /// counts as at least 64 bytes, and the last one may exceed this limit. Assigning a number below 1 prints an error and changes nothing.
    #[var(get = get_bytes_per_poll, set = set_bytes_per_poll)]
    bytes_per_poll: PhantomVar<i64>,
    /// The largest value that is received, in bytes, 65,536 by default. A longer record of a [StreamPeer] stops this object:
    /// [signal broken] is emitted with [constant VarBytesResult.LIMIT]; close the peer yourself. A longer packet is
    /// [signal received] with that error.
    /// [member VarBytesOptions.max_memory] limits it too, as in [method VarBytesFile.take]. Assigning a number below 1 prints an error and
    /// changes nothing.
    #[var(get = get_max_record_size, set = set_max_record_size)]
    max_record_size: PhantomVar<i64>,
    /// How many bytes may wait until the peer takes them, 1,048,576 by default. [method send] refuses a value that does not fit. Assigning a
    /// number below 1 prints an error and changes nothing.
    #[var(get = get_max_queued_bytes, set = set_max_queued_bytes)]
    max_queued_bytes: PhantomVar<i64>,
    /// How many seconds the other side may send nothing in the middle of a value, and how long connecting or closing may take, before
    /// [signal broken] is emitted. 0, the default, means no limit. The timeout does not apply between values or to the
    /// packets of a [PacketPeer]. Assigning a number below 0, or one that is not finite, prints an error and changes nothing.
    #[var(get = get_idle_timeout, set = set_idle_timeout)]
    idle_timeout: PhantomVar<f64>,
    /// The id of the peer that sent the value of [signal received], if [member peer] is a [MultiplayerPeer]. 0 otherwise. Values
    /// of a peer that has left still arrive, and the engine prints an error if you send to it: ask the [MultiplayerPeer] first, or keep
    /// a list with its signals.
    #[var(get = get_sender, no_set)]
    sender: PhantomVar<i64>,
    connection: Peer,
    /// For each use of the peer.
    turns: Turns,
    /// Not locked while a peer or a handler runs: both can be scripts that use this object.
    state: Mutex<State>,
    base: Base<RefCounted>,
}

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

#[godot_api]
impl VarBytesStream {
    /// Emitted by [method poll] for each value that has arrived. If [member VarBytesResult.ok] is [code]false[/code], this value
    /// could not be read, but the next one can be.
    ///
    /// A handler may call every method of this object, close the peer, or drop the stream.
    ///
    /// Connect a function instead of using [code]await stream.received[/code]: if the connection ends while a function waits there,
    /// the function never continues, and the engine does not free its variables. To await the next value in any case, await a signal of
    /// your own that the handlers of both signals emit:
    /// ```gdscript
    /// signal answered(result: VarBytesResult)
    ///
    /// func start(stream: VarBytesStream) -> void:
    ///     stream.received.connect(answered.emit)
    ///     stream.broken.connect(answered.emit)
    ///
    /// func ask(stream: VarBytesStream, question: Variant) -> Variant:
    ///     if not stream.send(question).ok:
    ///         return null
    ///     var result: VarBytesResult = await answered
    ///     return result.value if result.ok else null
    /// ```
    #[signal]
    pub fn received(result: Gd<VarBytesResult>);

    /// Emitted once by [method poll], when no more values can be received: [param result] is the error. This object then does
    /// nothing more, and all functions are disconnected from both signals. Those that await [signal received] never continue. The peer is
    /// not closed.
    ///
    /// [member VarBytesResult.fault] is [code]"disconnected"[/code] if the peer could not connect, or the connection has ended between two values,
    /// [code]"stream_ended"[/code] if it has ended within a value, [code]"timed_out"[/code] after [member idle_timeout],
    /// [code]"record_length"[/code] if the other side does not send records, [code]"record_too_long"[/code] for a record
    /// longer than [member max_record_size], and [code]"stream"[/code] if the peer fails to receive, or a [StreamPeer] to send.
    #[signal]
    pub fn broken(result: Gd<VarBytesResult>);

    /// Sends and receives values through [param peer], which is a [StreamPeer] or a [PacketPeer] that is connected or
    /// connecting. Returns [code]null[/code] if it is neither. Do not read from the peer with other methods. A new connection needs a new
    /// [VarBytesStream], also if it is made with the same peer: for this one, the connection has ended.
    ///
    /// Bind or connect a [PacketPeerUDP] first; to send, a bound one needs [method PacketPeerUDP.set_dest_address]. In a handler
    /// of [signal received], [method PacketPeerUDP.get_packet_ip] and [method PacketPeerUDP.get_packet_port] tell who sent the value. For an
    /// [ENetPacketPeer], service its [ENetConnection], and call [method poll] after each event. Of a
    /// [PacketPeerStream] its stream is used; the bytes are the same. The byte order is that of
    /// [member StreamPeer.big_endian].
    /// ```gdscript
    /// var udp := PacketPeerUDP.new()
    /// udp.connect_to_host("127.0.0.1", 4242)
    /// var stream := VarBytesStream.over(udp)
    /// ```
    #[func]
    pub fn over(
        peer: Option<Gd<RefCounted>>,
        #[opt(default = OptionsArg::NULL)] options: OptionsArg,
    ) -> Option<Gd<Self>> {
        let peer = peer?;
        let connection = Peer::of(&peer)?;
        let incoming = match connection.channel() {
            Channel::Stream(peer, _) => kept(&mut peer.clone()),
            Channel::Packets(..) => Incoming::default(),
        };
        let state = Mutex::new(State::new(connection.status(), options.0, incoming));
        Some(Gd::from_init_fn(|base| Self {
            peer,
            options: PhantomVar::default(),
            bytes_per_poll: PhantomVar::default(),
            max_record_size: PhantomVar::default(),
            max_queued_bytes: PhantomVar::default(),
            idle_timeout: PhantomVar::default(),
            sender: PhantomVar::default(),
            connection,
            turns: Turns::default(),
            state,
            base,
        }))
    }

    /// Receives values, polls the peer, and sends what is still waiting. Call it once a frame. Never waits, and prints
    /// nothing itself; the engine's peers print errors about handshakes that fail. In a handler of [signal received], and after
    /// [signal broken], it does nothing.
    /// ```gdscript
    /// func _process(_delta: float) -> void:
    ///     stream.poll()
    /// ```
    #[func(gd_self)]
    pub fn poll(this: Gd<Self>) {
        let stream = this.bind();
        if !stream.is_open() {
            return;
        }
        let Some(polling) = stream.mark(|state| &mut state.is_polling) else { return };
        let exchanged = Self::exchange(&this);
        let is_broken = exchanged.is_err() && stream.state().close();
        drop(polling);
        if let Err(error) = exchanged
            && is_broken
        {
            this.signals().broken().emit(&VarBytesResult::of(Err(error)));
            Self::disconnect_all(this.clone());
        }
    }

    /// Sends a value. What the peer does not take now is kept, and sent by [method poll], and so is a value for a socket that has bytes
    /// to receive: a send to a connection that the other side has closed would drop them. A value is sent whole or not at all. If this
    /// fails, the value is not kept. The result is that of [method VarBytesFile.store]. The other side must accept a value of this size:
    /// a [VarBytesStream] stops at one that is longer than its [member max_record_size].
    ///
    /// If more than [member max_queued_bytes] would be waiting, fails with [constant VarBytesResult.LIMIT] and
    /// [member VarBytesResult.fault] [code]"queue_full"[/code]: the other side reads too slowly. The connection can still be
    /// used.
    ///
    /// A [PacketPeer] can refuse a packet, for example one for a peer that does not exist. The connection can still be used then. A
    /// value that is kept is lost if the peer refuses it later; the peers of the engine print an error. Set target, mode and channel
    /// of a [MultiplayerPeer] before [method send]. While the peer is connecting, packets are queued and use the values at the time they
    /// are sent.
    ///
    /// Fails with [constant VarBytesResult.LIMIT] and [member VarBytesResult.fault] [code]"packet_too_long"[/code] if the value is longer
    /// than [member WebSocketPeer.outbound_buffer_size], or than the 16384 bytes of a [PacketPeerDTLS]. The server of a
    /// [WebSocketMultiplayerPeer] does not tell how much its clients have still to read: if they read too slowly, the engine prints an
    /// error, and the packet is refused.
    /// ```gdscript
    /// var sent := stream.send({"move": Vector2(1, 0)})
    /// if not sent.ok:
    ///     push_warning(sent.message)
    /// ```
    #[func]
    pub fn send(&self, value: Variant) -> Gd<VarBytesResult> {
        VarBytesResult::of(self.queue(&value))
    }

    /// Returns the number of bytes that are queued by [method send] and not yet accepted by the peer. Wait until it is 0 before you close the
    /// peer. Before you close a [WebSocketPeer], also wait until the other side has answered, or for a moment: the engine of the other
    /// side drops packets that arrive together with the end of the connection. A connected [ENetMultiplayerPeer] takes every packet at
    /// once, so this is 0 and [member max_queued_bytes] has no effect: poll the peer for some frames before you close it.
    /// ```gdscript
    /// if stream.get_queued_bytes() == 0:
    ///     connection.disconnect_from_host()
    /// ```
    #[func]
    pub fn get_queued_bytes(&self) -> i64 {
        signed(self.state().outgoing.bytes())
    }

    /// Returns [code]false[/code] after [signal broken] and after [method close].
    /// ```gdscript
    /// streams = streams.filter(func(stream: VarBytesStream) -> bool: return stream.is_open())
    /// ```
    #[func]
    pub fn is_open(&self) -> bool {
        self.state().is_open
    }

    /// Stops sending and receiving, without a signal, and disconnects all functions from both signals. Those that await
    /// [signal received] never continue. Values that are still waiting are not sent. The peer is not closed. What has arrived at a
    /// [StreamPeer] and is not received yet is the next that another [VarBytesStream] or [method VarBytesFile.take] gets from it.
    /// ```gdscript
    /// stream.close()
    /// connection.disconnect_from_host()
    /// ```
    #[func(gd_self)]
    pub fn close(this: Gd<Self>) {
        this.bind().end();
        Self::disconnect_all(this);
    }

    /// See [member options].
    #[func]
    pub fn get_options(&self) -> Option<Gd<VarBytesOptions>> {
        self.state().options.clone()
    }

    /// See [member options].
    #[func]
    pub fn set_options(&self, options: Option<Gd<VarBytesOptions>>) {
        let old = std::mem::replace(&mut self.state().options, options);
        // Nothing is locked here: the old options can be freed.
        drop(old);
    }

    /// See [member bytes_per_poll].
    #[func]
    pub fn get_bytes_per_poll(&self) -> i64 {
        self.state().bytes_per_poll
    }

    /// See [member bytes_per_poll].
    #[func]
    pub fn set_bytes_per_poll(&self, bytes: i64) {
        self.set_limit("bytes_per_poll", bytes, |state| &mut state.bytes_per_poll);
    }

    /// See [member max_record_size].
    #[func]
    pub fn get_max_record_size(&self) -> i64 {
        self.state().max_record_size
    }

    /// See [member max_record_size].
    #[func]
    pub fn set_max_record_size(&self, bytes: i64) {
        self.set_limit("max_record_size", bytes, |state| &mut state.max_record_size);
    }

    /// See [member max_queued_bytes].
    #[func]
    pub fn get_max_queued_bytes(&self) -> i64 {
        self.state().max_queued_bytes
    }

    /// See [member max_queued_bytes].
    #[func]
    pub fn set_max_queued_bytes(&self, bytes: i64) {
        self.set_limit("max_queued_bytes", bytes, |state| &mut state.max_queued_bytes);
    }

    /// See [member idle_timeout].
    #[func]
    pub fn get_idle_timeout(&self) -> f64 {
        self.state().idle_timeout
    }

    /// See [member idle_timeout].
    #[func]
    pub fn set_idle_timeout(&self, seconds: f64) {
        if seconds.is_finite() && seconds >= 0.0 {
            self.state().idle_timeout = seconds;
        } else {
            report(&format!("VarBytesStream.idle_timeout must be 0 or more, and finite, not {seconds}"));
        }
    }

    /// See [member sender].
    #[func]
    pub fn get_sender(&self) -> i64 {
        self.state().sender
    }
}

/// Sets a flag of the state while it exists.
struct Marked<'s> {
    stream: &'s VarBytesStream,
    flag: fn(&mut State) -> &mut bool,
}

impl Drop for Marked<'_> {
    fn drop(&mut self) {
        *(self.flag)(&mut self.stream.state()) = false;
    }
}

impl Drop for VarBytesStream {
    fn drop(&mut self) {
        self.end();
    }
}

impl VarBytesStream {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops sending and receiving. Bytes that were received but not read are given back to the peer.
    fn end(&self) {
        let unread = {
            let mut state = self.state();
            let unread = std::mem::take(&mut state.incoming);
            state.close();
            unread
        };
        if let Channel::Stream(peer, _) = self.connection.channel() {
            let _turn = self.turns.wait();
            give_back(&mut peer.clone(), unread);
        }
    }

    /// Sets a flag. Returns `None` if another call has set it.
    fn mark(&self, flag: fn(&mut State) -> &mut bool) -> Option<Marked<'_>> {
        let is_set = std::mem::replace(flag(&mut self.state()), true);
        (!is_set).then(|| Marked { stream: self, flag })
    }

    /// Uses the peer when no other thread does.
    fn with_peer<T>(&self, body: impl FnOnce(&Peer) -> T) -> T {
        let _turn = self.turns.wait();
        body(&self.connection)
    }

    /// Returns the status of the peer. Returns an error if it has been connected again.
    fn status(&self) -> Result<Status, VarBytesError> {
        let _turn = self.turns.wait();
        let status = self.connection.status();
        let port = self.connection.local_port(status);
        self.state().require_same_connection(status, port)?;
        Ok(status)
    }

    fn disconnect_all(this: Gd<Self>) {
        let mut object = this.upcast();
        disconnect_all(&mut object, "received");
        disconnect_all(&mut object, "broken");
    }

    fn set_limit(&self, name: &str, bytes: i64, property: fn(&mut State) -> &mut i64) {
        if bytes >= 1 {
            *property(&mut self.state()) = bytes;
        } else {
            report(&format!("VarBytesStream.{name} must be 1 or more, not {bytes}"));
        }
    }

    /// Receives, lets the peer work, sends, and receives what the peer got meanwhile. Returns an error if the connection has ended.
    ///
    /// A peer that finds the connection reset while it polls or sends drops the bytes that have already arrived. So they are received
    /// before that, and a backlog that is larger than the budget delays it.
    fn exchange(this: &Gd<Self>) -> Result<(), VarBytesError> {
        let stream = this.bind();
        let mut budget = Budget::of(usize::try_from(stream.get_bytes_per_poll()).unwrap_or(usize::MAX));
        if stream.status()? == Status::Connected {
            Self::receive(this, &mut budget)?;
            let has_more = budget.is_spent() && stream.with_peer(Peer::has_unread);
            if stream.state().delays(has_more) {
                return Ok(());
            }
        }
        if stream.is_open() && stream.with_peer(Peer::poll) == Status::Connected {
            stream.flush(None)?;
        }
        Self::receive(this, &mut budget)
    }

    /// Receives values within the budget and emits them. Returns an error if there will be no more.
    fn receive(this: &Gd<Self>, budget: &mut Budget) -> Result<(), VarBytesError> {
        let stream = this.bind();
        // As `Signals::received`, but without the checks of the bindings for each value.
        let (object, name) = (this.to_variant(), StringName::from("received").to_variant());
        let was_connected = stream.is_open() && stream.with_peer(Peer::status) == Status::Connected;
        while stream.is_open()
            && let Some(result) = stream.next(budget)?
        {
            object.call("emit_signal", &[name.clone(), result]);
            if was_connected && stream.has_unread() && stream.with_peer(Peer::status) == Status::Disconnected {
                // The handler has closed the peer.
                stream.state().incoming = Incoming::default();
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
        let outcome = match &self.connection.channel() {
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
        kind: &peer::Stream,
        limit: SizeLimit,
        budget: &mut Budget,
    ) -> Result<Option<WholeRecord>, VarBytesError> {
        let _turn = self.turns.wait();
        let big_endian = peer.is_big_endian_enabled();
        if let Arrived::Whole(record) = self.state().incoming.next(limit, big_endian)? {
            return Ok(Some(record));
        }
        let status = self.connection.status();
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
            "stream" if self.connection.status() == Status::Disconnected => disconnected(arrived),
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
        let status = self.connection.status();
        if !self.state().may_receive(status)? {
            return Ok(None);
        }
        let Some((packet, sender)) = kind.next(peer, &mut budget.packets)? else { return Ok(None) };
        self.state().sender = sender;
        Ok(Some(packet))
    }

    /// Encodes a value, and sends as much as the peer takes.
    fn queue(&self, value: &Variant) -> Result<Outcome, VarBytesError> {
        let closed = || VarBytesError::stream("the stream is closed".to_owned(), -1);
        let options = {
            let state = self.state();
            if !state.is_open {
                return Err(closed());
            }
            NullableArg(state.options.clone())
        };
        // Nothing is locked here: getters of scripts run and may use this object.
        let (message, outcome) = match self.connection.channel() {
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
        let is_packet = self.connection.is_packets();
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
