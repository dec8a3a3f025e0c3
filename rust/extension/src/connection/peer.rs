//! The other end of a connection: any `StreamPeer` or `PacketPeer`.

use godot::builtin::{PackedByteArray, StringName, Variant};
use godot::classes::web_socket_peer::State;
use godot::classes::{
    MultiplayerPeer, PacketPeer, PacketPeerStream, RefCounted, StreamPeer, StreamPeerTls, WebSocketPeer,
};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Gd;

use crate::error::{ErrorKind, VarBytesError};
use crate::file::stream::{local_port, value_or_error};
use crate::raw::{IntGetter, StreamPeerRef};

/// The other end of a connection. What depends on the class is looked up once.
pub(crate) struct Peer {
    /// The peer. Calls by name are faster through a Variant, without the checks of the bindings.
    object: Variant,
    channel: Channel,
    /// How the peer reports its status, and the name of the method for it.
    report: Option<(&'static Report, StringName)>,
    has_poll: bool,
    /// `None` if the peer is not a socket of TCP.
    tcp: Option<Tcp>,
}

/// Methods that are called for each value.
struct Tcp {
    status: IntGetter,
    local_port: IntGetter,
}

impl Tcp {
    fn of(object: &Gd<RefCounted>) -> Option<Self> {
        /// The engine's hashes of the signatures: return an int, and the status as an enum.
        const INT: i64 = 3_905_245_786;
        const STATUS: i64 = 859_471_121;
        const CLASS: &str = "StreamPeerTCP";
        Some(Self {
            status: IntGetter::find(object, CLASS, "get_status", STATUS)?,
            local_port: IntGetter::find(object, CLASS, "get_local_port", INT)?,
        })
    }
}

/// What is sent and received.
pub(crate) enum Channel {
    /// Records.
    Stream(StreamPeerRef, Stream),
    /// Each packet is one value.
    Packets(Gd<PacketPeer>, Packets),
}

pub(crate) enum Stream {
    Socket,
    Tls(Gd<StreamPeerTls>),
    Other,
}

pub(crate) enum Packets {
    Udp,
    Dtls,
    WebSocket(Gd<WebSocketPeer>),
    /// The flag says whether it uses WebSockets.
    Multiplayer(Gd<MultiplayerPeer>, bool),
    Other,
}

/// Whether values can be sent and received.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Connecting,
    Connected,
    Disconnected,
}

/// How the peers of a class report their status.
struct Report {
    class: &'static str,
    method: &'static str,
    connected: i64,
    /// The other numbers that do not mean that the connection has ended.
    connecting: &'static [i64],
}

/// The classes that have a status. Peers of other classes are always connected. Found by name, because a build of the engine
/// can lack some of them.
const REPORTS: [Report; 9] = [
    Report { class: "StreamPeerTCP", method: "get_status", connected: 2, connecting: &[1] },
    Report { class: "StreamPeerSocket", method: "get_status", connected: 2, connecting: &[1] },
    Report { class: "StreamPeerTLS", method: "get_status", connected: 2, connecting: &[1] },
    Report { class: "PacketPeerDTLS", method: "get_status", connected: 2, connecting: &[1] },
    Report { class: "PacketPeerUDP", method: "is_bound", connected: 1, connecting: &[] },
    Report { class: "ENetPacketPeer", method: "get_state", connected: 5, connecting: &[1, 2, 3, 4] },
    Report { class: "MultiplayerPeer", method: "get_connection_status", connected: 2, connecting: &[1] },
    // A closing connection (2) ends soon.
    Report { class: "WebSocketPeer", method: "get_ready_state", connected: 1, connecting: &[0, 2] },
    Report { class: "WebRTCDataChannel", method: "get_ready_state", connected: 1, connecting: &[0, 2] },
];

/// The streams that are sockets themselves.
const SOCKETS: [&str; 2] = ["StreamPeerTCP", "StreamPeerSocket"];

impl Peer {
    /// Returns the peer, or `None` if the object is not one.
    pub(crate) fn of(object: &Gd<RefCounted>) -> Option<Self> {
        let channel = Channel::of(object)?;
        let object: Gd<RefCounted> = match &channel {
            Channel::Stream(peer, _) => peer.object().upcast(),
            Channel::Packets(peer, _) => peer.clone().upcast(),
        };
        let report = REPORTS.iter().find(|report| object.is_class(report.class));
        let has_poll = report.is_some() && object.has_method("poll");
        let report = report.map(|report| (report, report.method.into()));
        Some(Self { object: object.to_variant(), channel, report, has_poll, tcp: Tcp::of(&object) })
    }

    pub(crate) fn channel(&self) -> &Channel {
        &self.channel
    }

    pub(crate) fn is_packets(&self) -> bool {
        matches!(self.channel, Channel::Packets(..))
    }

    /// Returns whether it is a stream that is a socket itself.
    pub(crate) fn is_socket(&self) -> bool {
        matches!(self.channel, Channel::Stream(_, Stream::Socket))
    }

    /// Returns the status. The methods of some disconnected peers print errors, so this comes before every other call.
    pub(crate) fn status(&self) -> Status {
        let Some((report, method)) = &self.report else { return Status::Connected };
        let status = match &self.tcp {
            Some(tcp) => Ok(tcp.status.get()),
            None => self.object.call(method, &[]).try_to_relaxed::<i64>(),
        };
        match status {
            Ok(status) if status == report.connected => Status::Connected,
            Ok(status) if report.connecting.contains(&status) => Status::Connecting,
            _ => Status::Disconnected,
        }
    }

    /// Lets a peer with a status receive and send, and returns its status.
    pub(crate) fn poll(&self) -> Status {
        let status = self.status();
        if !self.has_poll || status == Status::Disconnected {
            return status;
        }
        self.object.call("poll", &[]);
        self.status()
    }

    /// Adds to the error of an ended connection why a WebSocket was closed.
    pub(super) fn explained(&self, mut error: VarBytesError) -> VarBytesError {
        /// Closed as intended, and closed without a code.
        const USUAL: [i32; 2] = [1000, -1];
        if let Channel::Packets(_, Packets::WebSocket(socket)) = &self.channel
            && socket.get_ready_state() == State::CLOSED
            && !USUAL.contains(&socket.get_close_code())
        {
            let (code, reason) = (socket.get_close_code(), socket.get_close_reason());
            let reason = if reason.is_empty() { String::new() } else { format!(", \"{reason}\"") };
            error.message = format!("{} (WebSocket close code {code}{reason})", error.message);
        }
        error
    }

    /// Returns whether a connected socket has bytes that were not received, which it drops if it finds the connection reset.
    pub(crate) fn has_unread(&self) -> bool {
        match &self.channel {
            Channel::Stream(peer, Stream::Socket) => peer.available_bytes() > 0,
            Channel::Stream(_, Stream::Tls(tls)) => {
                let has_bytes = |peer: Gd<StreamPeer>| is_socket(&peer) && peer.get_available_bytes() > 0;
                tls.get_available_bytes() > 0 || tls.get_stream().is_some_and(has_bytes)
            }
            _ => false,
        }
    }

    /// Returns the local port of a stream, which is different for each connection, or 0. `None` for peers of packets.
    pub(crate) fn local_port(&self, status: Status) -> Option<i64> {
        match (&self.channel, &self.tcp) {
            (Channel::Packets(..), _) => None,
            (Channel::Stream(peer, Stream::Tls(_)), _) => Some(local_port(peer)),
            (_, Some(tcp)) if status == Status::Connected => Some(tcp.local_port.get()),
            _ => Some(0),
        }
    }

    /// Returns whether lengths are big-endian.
    pub(crate) fn is_big_endian(&self) -> bool {
        matches!(&self.channel, Channel::Stream(peer, _) if peer.is_big_endian())
    }

    /// Checks that the peer can send a message of that many bytes at all.
    pub(crate) fn require_sendable(&self, size: usize) -> Result<(), VarBytesError> {
        let Channel::Packets(peer, packets) = &self.channel else { return Ok(()) };
        match packets.limit(peer) {
            Some((limit, what)) if !i64::try_from(size).is_ok_and(|size| size <= limit) => {
                let message = format!("the value takes {size} bytes, but {what} is {limit}");
                Err(VarBytesError::new(ErrorKind::Limit, "packet_too_long", message))
            }
            _ => Ok(()),
        }
    }

    /// Sends as much of `bytes` as the peer takes now: a packet is sent whole or not at all. Returns the number of bytes.
    pub(crate) fn send(&self, bytes: &PackedByteArray) -> Result<usize, VarBytesError> {
        let (error, sent) = match &self.channel {
            Channel::Stream(peer, _) => match value_or_error::<i64>(&peer.put_partial_data(&bytes.to_variant())) {
                Ok(sent) => (Error::OK, usize::try_from(sent).unwrap_or(0)),
                Err(error) => (error, 0),
            },
            // It would print an error if too many packets are waiting.
            Channel::Packets(_, packets) if packets.are_being_sent() => (Error::OK, 0),
            Channel::Packets(peer, _) => (peer.clone().put_packet(bytes), bytes.len()),
        };
        match error {
            Error::OK => Ok(sent.min(bytes.len())),
            Error::ERR_BUSY => Ok(0),
            _ => Err(VarBytesError::stream(
                format!(
                    "{} bytes could not be sent (engine error {error:?}): check that the peer is connected, and can send that many at once",
                    bytes.len()
                ),
                -1,
            )),
        }
    }
}

impl Channel {
    fn of(object: &Gd<RefCounted>) -> Option<Self> {
        // Its packets are records. The engine's own implementation blocks when it sends, and reads no packet above 64 KiB.
        if let Ok(packets) = object.clone().try_cast::<PacketPeerStream>() {
            let mut stream = packets.get_stream_peer()?;
            stream.set_big_endian(false);
            return Some(Self::of_stream(stream));
        }
        match object.clone().try_cast::<StreamPeer>() {
            Ok(stream) => Some(Self::of_stream(stream)),
            Err(object) => object.try_cast().map(Self::of_packets).ok(),
        }
    }

    fn of_stream(stream: Gd<StreamPeer>) -> Self {
        let peer = StreamPeerRef::from(&stream);
        let kind = match stream.clone().try_cast() {
            Ok(tls) => Stream::Tls(tls),
            Err(stream) if is_socket(&stream) => Stream::Socket,
            Err(_) => Stream::Other,
        };
        Self::Stream(peer, kind)
    }

    fn of_packets(peer: Gd<PacketPeer>) -> Self {
        let kind = if let Ok(socket) = peer.clone().try_cast() {
            Packets::WebSocket(socket)
        } else if let Ok(multiplayer) = peer.clone().try_cast() {
            Packets::Multiplayer(multiplayer, peer.is_class("WebSocketMultiplayerPeer"))
        } else if peer.is_class("PacketPeerUDP") {
            Packets::Udp
        } else if peer.is_class("PacketPeerDTLS") {
            Packets::Dtls
        } else {
            Packets::Other
        };
        Self::Packets(peer, kind)
    }
}

fn is_socket(stream: &Gd<StreamPeer>) -> bool {
    SOCKETS.iter().any(|class| stream.is_class(*class))
}

/// The most bytes in a record of the TLS protocol. The engine ends a connection that is given more.
const DTLS_PACKET: i64 = 16_384;

impl Packets {
    /// Returns the next packet and the peer that sent it, or `None` if there is none. `known` is how many packets are known to have
    /// arrived.
    pub(crate) fn next(
        &self,
        peer: &Gd<PacketPeer>,
        known: &mut i32,
    ) -> Result<Option<(PackedByteArray, i64)>, VarBytesError> {
        if *known <= 0 {
            *known = peer.get_available_packet_count();
            if *known <= 0 {
                return Ok(None);
            }
        }
        // To ask a socket for the number takes a call of the system. Other peers print an error if a handler has taken the packets.
        *known = if matches!(self, Self::Udp) { *known - 1 } else { 0 };
        // Before the packet is taken: afterwards it is the sender of the next one.
        let sender = match self {
            Self::Multiplayer(peer, _) => i64::from(peer.get_packet_peer()),
            _ => 0,
        };
        let packet = peer.clone().get_packet();
        match peer.get_packet_error() {
            Error::OK => Ok(Some((packet, sender))),
            Error::ERR_UNAVAILABLE if matches!(self, Self::Udp) => Ok(None),
            error => Err(VarBytesError::stream(format!("a packet could not be received (engine error {error:?})"), -1)),
        }
    }

    /// Returns the most bytes that a packet can have, if that is known, and what the limit is called.
    fn limit(&self, peer: &Gd<PacketPeer>) -> Option<(i64, &'static str)> {
        match self {
            Self::Dtls => Some((DTLS_PACKET, "the limit of a DTLS packet")),
            Self::WebSocket(_) | Self::Multiplayer(_, true) => {
                let limit = peer.clone().call("get_outbound_buffer_size", &[]).try_to::<i64>().ok()?;
                // 0 is no limit.
                (limit > 0).then_some((limit, "the peer's outbound_buffer_size (set it before you connect)"))
            }
            Self::Udp | Self::Multiplayer(_, false) | Self::Other => None,
        }
    }

    /// Returns whether a WebSocket has not yet sent everything that it was given. Not known of a server with several.
    fn are_being_sent(&self) -> bool {
        let is_sending = |socket: &Gd<WebSocketPeer>| socket.get_current_outbound_buffered_amount() > 0;
        match self {
            Self::WebSocket(socket) => is_sending(socket),
            Self::Multiplayer(peer, true) => server_of(peer).as_ref().is_some_and(is_sending),
            _ => false,
        }
    }
}

/// Returns the connection of a client with its server.
fn server_of(peer: &Gd<MultiplayerPeer>) -> Option<Gd<WebSocketPeer>> {
    if peer.get_unique_id() == MultiplayerPeer::TARGET_PEER_SERVER {
        return None;
    }
    peer.clone().call("get_peer", &[MultiplayerPeer::TARGET_PEER_SERVER.to_variant()]).try_to().ok()
}
