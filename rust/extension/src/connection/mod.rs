//! The class `VarBytesStream`.

mod exchange;
mod outgoing;
mod peer;
mod state;
mod turns;

use godot::prelude::*;
use godot::register::property::PhantomVar;

use crate::error::{report, signed};
use crate::options::VarBytesOptions;
use crate::options_arg::OptionsArg;
use crate::raw;
use crate::result::{Content, VarBytesResult};
use crate::signals::disconnect_all;
use exchange::Connection;
use peer::Peer;
use state::State;

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
///
/// Several threads may use one object, but only the stream may use the peer then. The handlers of the signals run in the thread that
/// calls [method poll]. While one thread polls, [method poll] does nothing in the others. Connect functions to the signals, and disconnect
/// them, only while no other thread polls.
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
    /// ```gdscript
    /// func disconnect_from(stream: VarBytesStream) -> void:
    ///     stream.close()
    ///     (stream.peer as StreamPeerTCP).disconnect_from_host()
    /// ```
    #[var(no_set)]
    pub peer: Gd<RefCounted>,
    /// The options for reading and writing values, or [code]null[/code] for the defaults. A change applies to the next value.
    /// ```gdscript
    /// stream.options = VarBytesOptions.new()
    /// stream.options.max_depth = 8
    /// ```
    #[var(get = get_options, set = set_options)]
    options: PhantomVar<Option<Gd<VarBytesOptions>>>,
    /// How many bytes one call of [method poll] reads at most, 65,536 by default; the rest is left for the next call. A value
    /// counts as at least 64 bytes. For a [PacketPeer], the last packet may exceed this limit. Assigning a number below 1 prints an
    /// error and changes nothing.
    /// ```gdscript
    /// # At most 64 values in a frame.
    /// stream.bytes_per_poll = 4096
    /// ```
    #[var(get = get_bytes_per_poll, set = set_bytes_per_poll)]
    bytes_per_poll: PhantomVar<i64>,
    /// The largest value that is received, in bytes, 65,536 by default. A longer record of a [StreamPeer] stops this object:
    /// [signal broken] is emitted with [constant VarBytesResult.LIMIT]; close the peer yourself. For a longer packet,
    /// [signal received] is emitted with that error. A packet longer than [member WebSocketPeer.inbound_buffer_size], 65,535 bytes by
    /// default, ends the connection of a [WebSocketPeer] with close code 1009: raise both.
    /// [member VarBytesOptions.max_memory] limits it too, as in [method VarBytesFile.take]. Assigning a number below 1 prints an error and
    /// changes nothing.
    /// ```gdscript
    /// # For levels that players exchange.
    /// stream.max_record_size = 1 << 20
    /// ```
    #[var(get = get_max_record_size, set = set_max_record_size)]
    max_record_size: PhantomVar<i64>,
    /// How many bytes may wait until the peer takes them, 1,048,576 by default. [method send] refuses a value that does not fit, also if
    /// nothing is waiting. Assigning a number below 1 prints an error and changes nothing.
    /// ```gdscript
    /// stream.max_queued_bytes = 1 << 24
    /// ```
    #[var(get = get_max_queued_bytes, set = set_max_queued_bytes)]
    max_queued_bytes: PhantomVar<i64>,
    /// How many seconds the other side may send nothing in the middle of a value, and how long connecting or closing may take, before
    /// [signal broken] is emitted. 0, the default, means no limit. The timeout does not apply between values or to the
    /// packets of a [PacketPeer]. Assigning a number below 0, or one that is not finite, prints an error and changes nothing.
    ///
    /// On the side of a server, the engine reports a [StreamPeerTLS] as connected before the handshake, so that is not limited: use a
    /// [Timer] until the first value arrives.
    /// ```gdscript
    /// stream.idle_timeout = 10.0
    /// ```
    #[var(get = get_idle_timeout, set = set_idle_timeout)]
    idle_timeout: PhantomVar<f64>,
    /// The id of the peer that sent the value of [signal received], if [member peer] is a [MultiplayerPeer]. 0 otherwise. Values
    /// of a peer that has left still arrive, and the engine prints an error if you send to it: ask the [MultiplayerPeer] first, or keep
    /// a list with its signals.
    /// ```gdscript
    /// func start(stream: VarBytesStream) -> void:
    ///     stream.received.connect(_on_received.bind(stream))
    ///
    /// func _on_received(result: VarBytesResult, stream: VarBytesStream) -> void:
    ///     if result.ok:
    ///         print("player %d sent %s" % [stream.sender, result.value])
    /// ```
    #[var(get = get_sender, no_set)]
    sender: PhantomVar<i64>,
    connection: Box<Connection>,
    base: Base<RefCounted>,
}

#[godot_api]
impl VarBytesStream {
    /// Emitted by [method poll] for each value that has arrived. If [member VarBytesResult.ok] is [code]false[/code], this value
    /// could not be read, but the next one can be.
    ///
    /// A handler may call every method of this object, close the peer, or drop the stream. A handler that refers to the stream keeps the
    /// stream until [signal broken] or [method close]: if the stream is bound to it, or if it is a lambda that uses the stream or a member of
    /// a [RefCounted] object that has the stream.
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
    /// [member VarBytesResult.fault] is [code]"disconnected"[/code] if the peer could not connect, or the connection has ended
    /// between two values, [code]"stream_ended"[/code] if it has ended within a value, [code]"timed_out"[/code] after
    /// [member idle_timeout], [code]"record_too_long"[/code] for a record longer than [member max_record_size],
    /// [code]"record_length"[/code] for a record whose length is invalid (either of these also if the other side does not send records),
    /// and [code]"stream"[/code] if the peer fails to receive, or a [StreamPeer] to send.
    /// ```gdscript
    /// func start(stream: VarBytesStream) -> void:
    ///     stream.broken.connect(_on_broken)
    ///
    /// func _on_broken(result: VarBytesResult) -> void:
    ///     if result.fault != "disconnected":
    ///         push_warning(result.message)
    /// ```
    #[signal]
    pub fn broken(result: Gd<VarBytesResult>);

    /// Sends and receives values through [param peer], which is a [StreamPeer] or a [PacketPeer] that is connected or
    /// connecting. Returns [code]null[/code] if it is neither, or a [PacketPeerStream] without a stream. Do not read from the peer with
    /// other methods. Connect functions to [signal received] before the first [method poll]: values without one are dropped.
    /// A new connection needs a new [VarBytesStream], also if it is made with the same peer: for this one, the connection has ended.
    ///
    /// Bind or connect a [PacketPeerUDP] first; to send, a bound one needs [method PacketPeerUDP.set_dest_address]. In a handler of
    /// [signal received], [method PacketPeerUDP.get_packet_ip] and [method PacketPeerUDP.get_packet_port] tell who sent the value.
    /// For an [ENetPacketPeer], service its [ENetConnection], and call [method poll] after each event. Its values are sent reliably, in
    /// channel 0; for other channels and flags, pass the bytes of [method VarBytes.encode] to its [method ENetPacketPeer.send].
    /// Of a [PacketPeerStream], its stream is used, and [member StreamPeer.big_endian] of the stream is set to [code]false[/code]; the
    /// bytes are the same. Otherwise the byte order is that of [member StreamPeer.big_endian].
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
        let Some(other) = Peer::of(&peer) else {
            report(&format!(
                "VarBytesStream.over: {} is not a StreamPeer or a PacketPeer, or has no stream: pass a connection, such as what \
                 TCPServer.take_connection returns",
                peer.get_class()
            ));
            return None;
        };
        let state = State::new(other.status(), options.0);
        let connection = Box::new(Connection::new(other, state));
        Some(Gd::from_init_fn(|base| Self {
            peer,
            options: PhantomVar::default(),
            bytes_per_poll: PhantomVar::default(),
            max_record_size: PhantomVar::default(),
            max_queued_bytes: PhantomVar::default(),
            idle_timeout: PhantomVar::default(),
            sender: PhantomVar::default(),
            connection,
            base,
        }))
    }

    /// Returns the number of bytes that are queued by [method send] and not yet accepted by the peer. Wait until it is 0 before you
    /// close the peer. Before you close a [WebSocketPeer], also wait until the other side has answered, or for a moment: the engine
    /// of the other side drops packets that arrive together with the end of the connection. A connected [ENetMultiplayerPeer] takes
    /// every packet at once, so this is 0: poll the peer for some frames before you close it.
    /// ```gdscript
    /// if stream.get_queued_bytes() == 0:
    ///     connection.disconnect_from_host()
    /// ```
    #[func]
    pub fn get_queued_bytes(&self) -> i64 {
        signed(self.connection.state().outgoing.bytes())
    }

    /// Returns [code]false[/code] after [signal broken] and after [method close].
    /// ```gdscript
    /// streams = streams.filter(func(stream: VarBytesStream) -> bool: return stream.is_open())
    /// ```
    #[func]
    pub fn is_open(&self) -> bool {
        self.connection.is_open()
    }

    /// Stops sending and receiving, without a signal, and disconnects all functions from both signals. Those that await
    /// [signal received] never continue. Of the values that are still waiting, those are sent that the peer takes now: if others must
    /// arrive, call [method poll] until [method get_queued_bytes] returns 0. The peer is not closed. While another thread calls
    /// [method poll], the functions are disconnected when it ends.
    /// ```gdscript
    /// stream.close()
    /// connection.disconnect_from_host()
    /// ```
    #[func(gd_self)]
    pub fn close(this: Gd<Self>) {
        this.bind().connection.send_last();
        // If another thread polls, it disconnects them then: the engine does not lock the signals of this class while it emits them.
        if this.bind().connection.close() {
            Self::disconnect_all(this);
        }
    }

    /// Sends the bytes of a value, such as those of [method VarBytes.encode], as [method send] sends a value: to send one state to many
    /// clients, encode it once. The bytes are not checked, and [member options] do not apply.
    ///
    /// Fails with [constant VarBytesResult.INVALID_ARGUMENT] if there are fewer than 4 bytes, and otherwise as [method send] does.
    /// ```gdscript
    /// func send_to_all(streams: Array[VarBytesStream], state: Dictionary) -> void:
    ///     var bytes := VarBytes.var_to_bytes(state)
    ///     for stream in streams:
    ///         var sent := stream.send_encoded(bytes)
    ///         if not sent.ok:
    ///             push_warning(sent.message)
    /// ```
    #[func]
    pub fn send_encoded(&self, bytes: PackedByteArray) -> Gd<VarBytesResult> {
        VarBytesResult::of(self.connection.send_encoded(&bytes))
    }

    /// See [member options].
    #[func]
    pub fn get_options(&self) -> Option<Gd<VarBytesOptions>> {
        self.connection.state().options.clone()
    }

    /// See [member options].
    #[func]
    pub fn set_options(&self, options: Option<Gd<VarBytesOptions>>) {
        let old = std::mem::replace(&mut self.connection.state().options, options);
        // Nothing is locked here: the old options can be freed.
        drop(old);
    }

    /// See [member bytes_per_poll].
    #[func]
    pub fn get_bytes_per_poll(&self) -> i64 {
        self.connection.state().bytes_per_poll
    }

    /// See [member bytes_per_poll].
    #[func]
    pub fn set_bytes_per_poll(&self, bytes: i64) {
        self.set_limit("bytes_per_poll", bytes, |state| &mut state.bytes_per_poll);
    }

    /// See [member max_record_size].
    #[func]
    pub fn get_max_record_size(&self) -> i64 {
        self.connection.state().max_record_size
    }

    /// See [member max_record_size].
    #[func]
    pub fn set_max_record_size(&self, bytes: i64) {
        self.set_limit("max_record_size", bytes, |state| &mut state.max_record_size);
    }

    /// See [member max_queued_bytes].
    #[func]
    pub fn get_max_queued_bytes(&self) -> i64 {
        self.connection.state().max_queued_bytes
    }

    /// See [member max_queued_bytes].
    #[func]
    pub fn set_max_queued_bytes(&self, bytes: i64) {
        self.set_limit("max_queued_bytes", bytes, |state| &mut state.max_queued_bytes);
    }

    /// See [member idle_timeout].
    #[func]
    pub fn get_idle_timeout(&self) -> f64 {
        self.connection.state().idle_timeout
    }

    /// See [member idle_timeout].
    #[func]
    pub fn set_idle_timeout(&self, seconds: f64) {
        if seconds.is_finite() && seconds >= 0.0 {
            self.connection.state().idle_timeout = seconds;
        } else {
            report(&format!("VarBytesStream.idle_timeout must be 0 or more, and finite, not {seconds}"));
        }
    }

    /// See [member sender].
    #[func]
    pub fn get_sender(&self) -> i64 {
        self.connection.state().sender
    }
}

impl VarBytesStream {
    fn disconnect_all(this: Gd<Self>) {
        let mut object = this.upcast();
        disconnect_all(&mut object, "received");
        disconnect_all(&mut object, "broken");
    }

    fn set_limit(&self, name: &str, bytes: i64, property: fn(&mut State) -> &mut i64) {
        if bytes >= 1 {
            *property(&mut self.connection.state()) = bytes;
        } else {
            report(&format!("VarBytesStream.{name} must be 1 or more, not {bytes}"));
        }
    }
}

impl raw::HasContent for VarBytesStream {
    const NUMBER: usize = 2;
    type Content = Connection;

    fn content(&self) -> &Connection {
        &self.connection
    }
}

impl raw::ExchangesValues for VarBytesStream {
    type Result = VarBytesResult;

    fn poll(object: &Variant, connection: &Connection) {
        let Some(polling) = connection.begin_polling() else { return };
        // As `Signals::received`, but without the checks of the bindings for each value. Most polls receive nothing.
        let mut call = None;
        let exchanged = connection.exchange(&mut |result| {
            let (emit_signal, arguments) = call.get_or_insert_with(|| {
                let arguments = [StringName::from("received").to_variant(), Variant::nil()];
                (StringName::from("emit_signal"), arguments)
            });
            arguments[1] = result;
            object.call(&*emit_signal, &*arguments);
            // The result is used again if the handler has dropped it.
            arguments[1] = Variant::nil();
        });
        let is_broken = exchanged.is_err() && connection.state().close();
        if let Err(error) = exchanged
            && is_broken
        {
            object.to::<Gd<Self>>().signals().broken().emit(&VarBytesResult::of(Err(error)));
        }
        if let Some(_polling) = polling.end_if_open() {
            Self::disconnect_all(object.to());
        }
    }

    fn send(connection: &Connection, value: &Variant) -> Content {
        Content::from(connection.send(value))
    }
}

impl VarBytesStream {
    /// Registers the methods that are called for each frame and value.
    pub(crate) fn register_members() {
        raw::register_exchange_methods::<Self>();
    }
}

/// The editor help of these methods.
#[cfg(feature = "editor-help")]
const METHODS_HELP: &str = r#"
<method name="poll">
  <return type="void" />
  <description>Receives values, polls the peer, and sends what is still waiting. Call it once a frame. Never waits, and prints nothing itself; the engine's peers print errors about handshakes that fail. In a handler of [signal received], and after [signal broken], it does nothing.
[codeblock lang=gdscript]
func _process(_delta: float) -> void:
    stream.poll()
[/codeblock]</description>
</method>
<method name="send">
  <return type="VarBytesResult" />
  <param index="0" name="value" type="Variant" />
  <description>Sends a value. What the peer does not take now is kept, and [method poll] sends it. For one value to many streams, use [method send_encoded]. A value is also kept while a socket has bytes to receive: if the other side has closed the connection, sending would drop these bytes. A value is sent whole or not at all. If this fails, the value is not kept. The result is that of [method VarBytesFile.store]. The other side must accept a value of this size: a [VarBytesStream] stops at one that is longer than its [member max_record_size].

If more than [member max_queued_bytes] would be waiting, fails with [constant VarBytesResult.LIMIT] and [member VarBytesResult.fault] [code]"queue_full"[/code]: the other side reads too slowly. The connection can still be used.

A [PacketPeer] can refuse a packet, for example one for a peer that does not exist. The connection can still be used then. A value that is kept is lost if the peer refuses it later; the peers of the engine print an error. Set target, mode and channel of a [MultiplayerPeer] before [method send]. While the peer is connecting, packets are queued and use the values at the time they are sent.

Fails with [constant VarBytesResult.LIMIT] and [member VarBytesResult.fault] [code]"packet_too_long"[/code] if the value is longer than [member WebSocketPeer.outbound_buffer_size], or than the 16384 bytes of a [PacketPeerDTLS]. The server of a [WebSocketMultiplayerPeer] does not tell how much its clients have still to read: if they read too slowly, the engine prints an error, and the packet is refused.
[codeblock lang=gdscript]
var sent := stream.send({"move": Vector2(1, 0)})
if not sent.ok:
    push_warning(sent.message)
[/codeblock]</description>
</method>
"#;

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytesStream, methods_xml: METHODS_HELP);
