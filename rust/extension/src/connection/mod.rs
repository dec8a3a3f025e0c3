//! The class `VarBytesStream`.

mod outgoing;
mod peer;

use std::time::Instant;

use godot::prelude::*;

use crate::error::{ErrorKind, RecordError, VarBytesError, report, signed};
use crate::file::record::{PREFIX, SizeLimit, decode_payload, encode_record};
use crate::file::stream::{Arrived, PartialRecord};
use crate::options::VarBytesOptions;
use crate::options_arg::OptionsArg;
use crate::outcome::{Encoded, Outcome};
use crate::raw::NullableArg;
use crate::result::VarBytesResult;
use crate::signals::disconnect_all;
use outgoing::Outgoing;
use peer::{Peer, Status};

/// Sends and receives values through a connection, without ever waiting for the other side.
///
/// Works with every [StreamPeer], such as [StreamPeerTCP] and [StreamPeerTLS], and with every [PacketPeer], such as
/// [PacketPeerUDP], [WebSocketPeer] and [ENetMultiplayerPeer]. In a stream, values have the format of
/// [method StreamPeer.put_var]. Each packet is one value, in the format of [method PacketPeer.put_var].
///
/// Call [method poll] once a frame. It emits [signal received] for each value, and [signal broken] once when the connection
/// has ended or cannot be read any further. It is safe for peers that you do not trust: values are read as by
/// [method VarBytes.decode], [member bytes_per_poll] limits the time of a frame, and memory is used only for bytes that have
/// arrived, at most [member max_record_size].
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
    #[var]
    pub options: Option<Gd<VarBytesOptions>>,
    /// How many bytes one call of [method poll] reads at most; the rest is left for the next call. A value counts as at least
    /// 64 bytes. The last value may exceed it if the peer sends packets. Assigning a number below 1 prints an error and changes
    /// nothing.
    #[var(set = set_bytes_per_poll)]
    bytes_per_poll: i64,
    /// The largest value that is received, in bytes. A longer record of a stream ends the connection with
    /// [signal broken] and [constant VarBytesResult.LIMIT]; a longer packet is [signal received] with that error.
    /// [member VarBytesOptions.max_memory] limits it too, as in [method VarBytesFile.take]. Assigning a number below 1 prints an error and
    /// changes nothing.
    #[var(set = set_max_record_size)]
    max_record_size: i64,
    /// How many bytes may wait until the peer takes them. [method send] refuses a value that does not fit. Assigning a
    /// number below 1 prints an error and changes nothing.
    #[var(set = set_max_queued_bytes)]
    max_queued_bytes: i64,
    /// How many seconds the other side may send nothing in the middle of a value, and how long connecting or closing may take, before
    /// [signal broken] is emitted. 0, the default, means no limit. Between values there is no limit either, and none for the packets of a
    /// [PacketPeer], which arrive whole. Assigning a number below 0, or one that is not finite, prints an error and changes nothing.
    #[var(set = set_idle_timeout)]
    idle_timeout: f64,
    /// The id of the peer that sent the value of [signal received], if [member peer] is a [MultiplayerPeer]. 0 otherwise. Values
    /// of a peer that has left still arrive, and the engine prints an error if you send to it: ask the [MultiplayerPeer] first, or keep
    /// a list with its signals.
    #[var(no_set)]
    pub sender: i64,
    connection: Peer,
    is_open: bool,
    is_polling: bool,
    is_sending: bool,
    /// How many calls of [`poll`](Self::poll) in a row have sent nothing, because there was more to receive.
    delays: u32,
    partial: PartialRecord,
    /// Since when the peer is connecting, or a connection is closing.
    waiting: Option<Instant>,
    was_connected: bool,
    /// When the last bytes of an incomplete record arrived.
    progress: Option<Instant>,
    outgoing: Outgoing,
    base: Base<RefCounted>,
}

/// What a value counts at least, in bytes of the budget. Very small values take time for the signal.
const LEAST_CHARGE: usize = 64;

/// How many calls of `poll` in a row send nothing at most.
const MOST_DELAYS: u32 = 16;

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
    /// connecting. Returns [code]null[/code] if it is neither. Do not read from the peer with other methods.
    ///
    /// Bind or connect a [PacketPeerUDP] first; to send, a bound one needs [method PacketPeerUDP.set_dest_address]. Of a
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
        let status = connection.status();
        Some(Gd::from_init_fn(|base| Self {
            peer,
            options: options.0,
            bytes_per_poll: 64 << 10,
            max_record_size: 64 << 10,
            max_queued_bytes: 1 << 20,
            idle_timeout: 0.0,
            waiting: (status == Status::Connecting).then(Instant::now),
            was_connected: status == Status::Connected,
            sender: 0,
            connection,
            is_open: true,
            is_polling: false,
            is_sending: false,
            delays: 0,
            partial: PartialRecord::default(),
            progress: None,
            outgoing: Outgoing::default(),
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
    pub fn poll(mut this: Gd<Self>) {
        {
            let mut this = this.bind_mut();
            if !this.is_open || std::mem::replace(&mut this.is_polling, true) {
                return;
            }
        }
        let exchanged = Self::exchange(&mut this);
        let is_broken = {
            let mut this = this.bind_mut();
            this.is_polling = false;
            exchanged.is_err() && std::mem::replace(&mut this.is_open, false)
        };
        if let Err(error) = exchanged
            && is_broken
        {
            this.bind_mut().clear();
            this.signals().broken().emit(&VarBytesResult::of(Err(error)));
            Self::disconnect_all(this);
        }
    }

    /// Sends a value. What the peer does not take now is kept, and sent by [method poll], and so is a value for a socket that has bytes
    /// to receive: a send to a connection that the other side has closed would drop them. A value is sent whole or not at all. If this
    /// fails, the value is not kept. The result is that of [method VarBytesFile.store]. The other side must accept a value of this size:
    /// if it is a [VarBytesStream] too, its [member max_record_size] ends the connection otherwise.
    ///
    /// If more than [member max_queued_bytes] would be waiting, fails with [constant VarBytesResult.LIMIT] and
    /// [member VarBytesResult.fault] [code]"queue_full"[/code]: the other side reads too slowly. The connection can still be
    /// used.
    ///
    /// A [PacketPeer] can refuse a packet, for example one for a peer that does not exist. The connection can still be used then. A
    /// value that is kept is lost if the peer refuses it later; the peers of the engine print an error. A [MultiplayerPeer] uses the target,
    /// mode and channel that it has when it gets the packet, so set them before [method send] only while it is connected.
    /// ```gdscript
    /// var sent := stream.send({"move": Vector2(1, 0)})
    /// if not sent.ok:
    ///     push_warning(sent.message)
    /// ```
    #[func(gd_self)]
    pub fn send(mut this: Gd<Self>, value: Variant) -> Gd<VarBytesResult> {
        VarBytesResult::of(Self::queue(&mut this, &value))
    }

    /// Returns how many bytes [method send] was given that the peer has not taken yet. Wait until it is 0 before you close the
    /// peer. Before you close a [WebSocketPeer], also wait until the other side has answered, or for a moment: the engine of the other
    /// side drops packets that arrive together with the end of the connection.
    /// ```gdscript
    /// if stream.get_queued_bytes() == 0:
    ///     connection.disconnect_from_host()
    /// ```
    #[func]
    pub fn get_queued_bytes(&self) -> i64 {
        signed(self.outgoing.bytes())
    }

    /// Returns [code]false[/code] after [signal broken] and after [method close].
    /// ```gdscript
    /// streams = streams.filter(func(stream: VarBytesStream) -> bool: return stream.is_open())
    /// ```
    #[func]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Stops sending and receiving, without a signal, and disconnects all functions from both signals. Those that await
    /// [signal received] never continue. Values that are still waiting are not sent. The peer is not closed.
    /// ```gdscript
    /// stream.close()
    /// connection.disconnect_from_host()
    /// ```
    #[func(gd_self)]
    pub fn close(mut this: Gd<Self>) {
        this.bind_mut().clear();
        Self::disconnect_all(this);
    }

    /// See [member bytes_per_poll].
    #[func]
    pub fn set_bytes_per_poll(&mut self, bytes: i64) {
        self.set_limit("bytes_per_poll", bytes, |stream| &mut stream.bytes_per_poll);
    }

    /// See [member max_record_size].
    #[func]
    pub fn set_max_record_size(&mut self, bytes: i64) {
        self.set_limit("max_record_size", bytes, |stream| &mut stream.max_record_size);
    }

    /// See [member max_queued_bytes].
    #[func]
    pub fn set_max_queued_bytes(&mut self, bytes: i64) {
        self.set_limit("max_queued_bytes", bytes, |stream| &mut stream.max_queued_bytes);
    }

    /// See [member idle_timeout].
    #[func]
    pub fn set_idle_timeout(&mut self, seconds: f64) {
        if seconds.is_finite() && seconds >= 0.0 {
            self.idle_timeout = seconds;
        } else {
            self.report(&format!("idle_timeout must be 0 or more, and finite, not {seconds}"));
        }
    }
}

impl VarBytesStream {
    fn clear(&mut self) {
        self.is_open = false;
        self.partial = PartialRecord::default();
        self.outgoing = Outgoing::default();
    }

    fn disconnect_all(this: Gd<Self>) {
        let mut object = this.upcast();
        disconnect_all(&mut object, "received");
        disconnect_all(&mut object, "broken");
    }

    fn set_limit(&mut self, name: &str, bytes: i64, property: fn(&mut Self) -> &mut i64) {
        if bytes >= 1 {
            *property(self) = bytes;
        } else {
            self.report(&format!("{name} must be 1 or more, not {bytes}"));
        }
    }

    fn report(&mut self, wrong: &str) {
        // A script that logs errors may use the stream meanwhile.
        let _released = self.base_mut();
        report(&format!("VarBytesStream.{wrong}"));
    }

    /// Receives, lets the peer work, sends, and receives what the peer got meanwhile. Returns an error if the connection has ended.
    ///
    /// A peer that finds the connection reset while it polls or sends drops the bytes that have already arrived. So they are received
    /// before that, and a backlog that is larger than the budget delays it.
    fn exchange(this: &mut Gd<Self>) -> Result<(), VarBytesError> {
        // Nothing is borrowed while a peer or a handler runs: both can be scripts that use this object.
        let (peer, mut budget) = {
            let this = this.bind();
            (this.connection.clone(), usize::try_from(this.bytes_per_poll).unwrap_or(usize::MAX))
        };
        if peer.status() == Status::Connected {
            Self::receive(this, &mut budget)?;
            let has_more = budget == 0 && peer.has_unread();
            let mut this = this.bind_mut();
            this.delays = if has_more && this.delays < MOST_DELAYS { this.delays + 1 } else { 0 };
            if this.delays > 0 {
                return Ok(());
            }
        }
        if this.bind().is_open && peer.poll() == Status::Connected {
            Self::flush(this, None)?;
        }
        Self::receive(this, &mut budget)
    }

    /// Receives values within the budget and emits them. Returns an error if there will be no more.
    fn receive(this: &mut Gd<Self>, budget: &mut usize) -> Result<(), VarBytesError> {
        while this.bind().is_open
            && let Some(result) = Self::next(this, budget)?
        {
            this.signals().received().emit(&result);
        }
        Ok(())
    }

    /// Receives the next value. Returns `None` if there is none yet, and an error if there will be none.
    fn next(this: &mut Gd<Self>, budget: &mut usize) -> Result<Option<Gd<VarBytesResult>>, VarBytesError> {
        if *budget == 0 {
            return Ok(None);
        }
        let (connection, options, limit) = {
            let this = this.bind();
            let limit = SizeLimit { bytes: this.max_record_size.unsigned_abs(), name: "max_record_size" };
            (this.connection.clone(), NullableArg(this.options.clone()), limit)
        };
        match connection.status() {
            Status::Connecting => return this.bind_mut().wait_for_connection().map(|()| None),
            Status::Disconnected => return Err(this.bind().disconnected()),
            Status::Connected if this.bind().waiting.is_none() && this.bind().was_connected => {}
            Status::Connected => {
                let mut this = this.bind_mut();
                (this.waiting, this.was_connected) = (None, true);
            }
        }
        let limit = limit.and(options.most_bytes());
        let before = *budget;
        let outcome = match connection.clone() {
            Peer::Stream(mut peer) => {
                let mut partial = std::mem::take(&mut this.bind_mut().partial);
                match partial.receive(&mut peer, limit, budget, false) {
                    Ok(Arrived::Whole(record)) => {
                        this.bind_mut().progress = None;
                        decode_payload(&record.as_slice()[PREFIX..], &options, PREFIX as u64)
                    }
                    Ok(Arrived::Part { .. }) => {
                        return this.bind_mut().keep(partial, *budget != before).map(|()| None);
                    }
                    Err(error) if partial.len() == 0 && error.name == "stream_ended" => return Err(disconnected(0)),
                    // The other side has reset the connection.
                    Err(error) if error.name == "stream" && connection.status() == Status::Disconnected => {
                        return Err(disconnected(partial.len()));
                    }
                    Err(error) => return Err(error),
                }
            }
            Peer::Packets(mut peer) => {
                let Some((packet, sender)) = Peer::packet(&mut peer)? else { return Ok(None) };
                this.bind_mut().sender = sender;
                *budget = budget.saturating_sub(packet.len());
                match limit.refusal(u32::try_from(packet.len()).unwrap_or(u32::MAX)) {
                    None => decode_payload(packet.as_slice(), &options, 0),
                    Some(message) => Err(RecordError::skipped(VarBytesError::of_record(
                        ErrorKind::Limit,
                        "record_too_long",
                        message,
                        0,
                    ))),
                }
            }
        };
        *budget = (*budget).min(before.saturating_sub(LEAST_CHARGE));
        Ok(Some(VarBytesResult::of_record(outcome)))
    }

    /// Returns an error if connecting or closing takes longer than [`idle_timeout`](Self::idle_timeout).
    fn wait_for_connection(&mut self) -> Result<(), VarBytesError> {
        let since = *self.waiting.get_or_insert_with(Instant::now);
        let what = if self.was_connected { "the connection is still closing" } else { "there is no connection" };
        self.in_time(since, |seconds| format!("{what} after {seconds:.1} seconds"))
    }

    /// The error for a peer that is not connected.
    fn disconnected(&self) -> VarBytesError {
        if self.waiting.is_some() && !self.was_connected {
            let message = "the peer could not connect".to_owned();
            return VarBytesError::new(ErrorKind::Stream, "disconnected", message);
        }
        disconnected(self.partial.len())
    }

    /// Keeps an incomplete record. Returns an error if none of its bytes has arrived for [`idle_timeout`](Self::idle_timeout).
    fn keep(&mut self, partial: PartialRecord, has_grown: bool) -> Result<(), VarBytesError> {
        let arrived = partial.len();
        self.partial = partial;
        if has_grown {
            self.progress = Some(Instant::now());
        }
        let Some(progress) = self.progress else { return Ok(()) };
        self.in_time(progress, |seconds| {
            format!("nothing has arrived for {seconds:.1} seconds after {arrived} bytes of a record")
        })
    }

    /// Returns an error if more time has passed than [`idle_timeout`](Self::idle_timeout) allows.
    fn in_time(&self, since: Instant, message: impl FnOnce(f64) -> String) -> Result<(), VarBytesError> {
        let seconds = since.elapsed().as_secs_f64();
        if self.idle_timeout > 0.0 && seconds >= self.idle_timeout {
            return Err(VarBytesError::of_record(ErrorKind::Stream, "timed_out", message(seconds), 0));
        }
        Ok(())
    }

    /// Encodes a value, and sends as much as the peer takes.
    fn queue(this: &mut Gd<Self>, value: &Variant) -> Result<Outcome, VarBytesError> {
        let closed = || VarBytesError::stream("the stream is closed".to_owned(), -1);
        let (connection, options) = {
            let this = this.bind();
            if !this.is_open {
                return Err(closed());
            }
            (this.connection.clone(), NullableArg(this.options.clone()))
        };
        // Nothing is borrowed here: getters of scripts run and may use this object.
        let (message, outcome) = match &connection {
            Peer::Stream(_) => {
                let record = encode_record(value, &options, connection.is_big_endian())?;
                (record.bytes.clone(), Outcome::written(record.bytes.len() - PREFIX, record.losses))
            }
            Peer::Packets(_) => {
                let Encoded { bytes, losses } = options.write(value)?;
                let used = bytes.len();
                (bytes, Outcome::written(used, losses))
            }
        };
        connection.require_sendable(message.len())?;
        let status = connection.status();
        if status == Status::Disconnected {
            return Err(disconnected(0));
        }
        let number = {
            let mut this = this.bind_mut();
            if !this.is_open {
                return Err(closed());
            }
            let limit = usize::try_from(this.max_queued_bytes).unwrap_or(usize::MAX);
            this.outgoing.push(message, limit)?
        };
        if status == Status::Connected && !connection.has_unread() {
            Self::flush(this, Some(number)).inspect_err(|_| this.bind_mut().outgoing.take_back(number))?;
        }
        Ok(outcome)
    }

    /// Sends what is waiting, as far as the peer takes it. Returns an error if a stream fails, or if the peer refuses the packet with
    /// the number `own`. A packet that is refused is not tried again, and the next one is sent.
    fn flush(this: &mut Gd<Self>, own: Option<u64>) -> Result<(), VarBytesError> {
        if std::mem::replace(&mut this.bind_mut().is_sending, true) {
            // A peer that is a script has called back.
            return Ok(());
        }
        let mut peer = this.bind().connection.clone();
        let is_packet = matches!(peer, Peer::Packets(_));
        let mut outcome = Ok(());
        loop {
            let Some((bytes, number)) = this.bind().outgoing.next(is_packet) else { break };
            let sent = peer.send(&bytes);
            let removed = match &sent {
                Ok(count) => *count,
                Err(_) if is_packet => bytes.len(),
                Err(_) => 0,
            };
            this.bind_mut().outgoing.remove(removed);
            if let Err(error) = sent
                && (!is_packet || own == Some(number))
            {
                outcome = Err(error);
            }
            if removed < bytes.len() {
                break;
            }
        }
        this.bind_mut().is_sending = false;
        outcome
    }
}

/// The error for a connection that has ended when so many bytes of a record had arrived.
fn disconnected(arrived: usize) -> VarBytesError {
    if arrived == 0 {
        return VarBytesError::new(ErrorKind::Stream, "disconnected", "the connection has ended".to_owned());
    }
    let message = format!("the connection has ended after {arrived} bytes of a record");
    VarBytesError::of_record(ErrorKind::Truncated, "stream_ended", message, 0)
}
