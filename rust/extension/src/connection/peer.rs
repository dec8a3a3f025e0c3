//! The other end of a connection: any `StreamPeer` or `PacketPeer`.

use godot::builtin::PackedByteArray;
use godot::classes::{
    MultiplayerPeer, PacketPeer, PacketPeerStream, RefCounted, StreamPeer, StreamPeerTls, WebSocketPeer,
};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Gd;

use crate::error::{ErrorKind, VarBytesError};
use crate::file::record::PREFIX;
use crate::file::stream::local_port;

#[derive(Clone)]
pub(crate) enum Peer {
    Stream(Gd<StreamPeer>),
    /// Each packet is one value.
    Packets(Gd<PacketPeer>),
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
        // Its packets are records. The engine's own implementation blocks when it sends, and reads no packet above 64 KiB.
        if let Ok(packets) = object.clone().try_cast::<PacketPeerStream>() {
            let mut stream = packets.get_stream_peer()?;
            stream.set_big_endian(false);
            return Some(Self::Stream(stream));
        }
        let stream = object.clone().try_cast::<StreamPeer>().map(Self::Stream);
        stream.or_else(|object| object.try_cast::<PacketPeer>().map(Self::Packets)).ok()
    }

    fn object(&self) -> Gd<RefCounted> {
        match self {
            Self::Stream(peer) => peer.clone().upcast(),
            Self::Packets(peer) => peer.clone().upcast(),
        }
    }

    /// Returns the status. The methods of some disconnected peers print errors, so this comes before every other call.
    pub(crate) fn status(&self) -> Status {
        let mut object = self.object();
        let Some(report) = REPORTS.iter().find(|report| object.is_class(report.class)) else {
            return Status::Connected;
        };
        match object.call(report.method, &[]).try_to_relaxed::<i64>() {
            Ok(status) if status == report.connected => Status::Connected,
            Ok(status) if report.connecting.contains(&status) => Status::Connecting,
            _ => Status::Disconnected,
        }
    }

    /// Lets a peer with a status receive and send, and returns its status.
    pub(crate) fn poll(&self) -> Status {
        let mut object = self.object();
        if self.status() != Status::Disconnected
            && REPORTS.iter().any(|report| object.is_class(report.class))
            && object.has_method("poll")
        {
            object.call("poll", &[]);
        }
        self.status()
    }

    /// Returns whether a connected socket has bytes that were not received, which it drops if it finds the connection reset.
    pub(crate) fn has_unread(&self) -> bool {
        let Self::Stream(peer) = self else { return false };
        let has_bytes =
            |peer: Gd<StreamPeer>| SOCKETS.iter().any(|class| peer.is_class(*class)) && peer.get_available_bytes() > 0;
        match peer.clone().try_cast::<StreamPeerTls>() {
            Ok(tls) => tls.get_available_bytes() > 0 || tls.get_stream().is_some_and(has_bytes),
            Err(peer) => has_bytes(peer),
        }
    }

    /// Returns the local port of a stream, which is different for each connection, or 0. `None` for peers of packets.
    pub(crate) fn local_port(&self) -> Option<i64> {
        match self {
            Self::Stream(peer) => Some(local_port(peer)),
            Self::Packets(_) => None,
        }
    }

    /// How many bytes come before a value.
    pub(crate) fn prefix(&self) -> usize {
        match self {
            Self::Stream(_) => PREFIX,
            Self::Packets(_) => 0,
        }
    }

    /// Returns whether lengths are big-endian.
    pub(crate) fn is_big_endian(&self) -> bool {
        matches!(self, Self::Stream(peer) if peer.is_big_endian_enabled())
    }

    /// Returns the next packet and the peer that sent it, or `None` if there is none.
    pub(crate) fn packet(peer: &mut Gd<PacketPeer>) -> Result<Option<(PackedByteArray, i64)>, VarBytesError> {
        if peer.get_available_packet_count() <= 0 {
            return Ok(None);
        }
        // Before the packet is taken: afterwards it is the sender of the next one.
        let sender = peer.clone().try_cast::<MultiplayerPeer>().map_or(0, |peer| i64::from(peer.get_packet_peer()));
        let packet = peer.get_packet();
        match peer.get_packet_error() {
            Error::OK => Ok(Some((packet, sender))),
            error => Err(VarBytesError::stream(format!("a packet could not be received (engine error {error:?})"), -1)),
        }
    }

    /// Checks that the peer can send a message of that many bytes at all.
    pub(crate) fn require_sendable(&self, size: usize) -> Result<(), VarBytesError> {
        let Self::Packets(peer) = self else { return Ok(()) };
        match packet_limit(peer) {
            Some((limit, what)) if !i64::try_from(size).is_ok_and(|size| size <= limit) => {
                let message = format!("the value takes {size} bytes, but {what} is {limit}");
                Err(VarBytesError::new(ErrorKind::Limit, "packet_too_long", message))
            }
            _ => Ok(()),
        }
    }

    /// Sends as much of `bytes` as the peer takes now: a packet is sent whole or not at all. Returns the number of bytes.
    pub(crate) fn send(&self, bytes: &PackedByteArray) -> Result<usize, VarBytesError> {
        let (error, sent) = match self.clone() {
            Self::Stream(mut peer) => {
                let result = peer.put_partial_data(bytes);
                let number = |index| result.get(index).and_then(|number| number.try_to::<i64>().ok());
                let error = result.get(0).and_then(|error| error.try_to::<Error>().ok()).unwrap_or(Error::FAILED);
                (error, number(1).and_then(|sent| usize::try_from(sent).ok()).unwrap_or(0))
            }
            // It would print an error if too many packets are waiting.
            Self::Packets(peer) if is_sending(&peer) => (Error::OK, 0),
            Self::Packets(mut peer) => (peer.put_packet(bytes), bytes.len()),
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

/// The most bytes in a record of the TLS protocol. The engine ends a connection that is given more.
const DTLS_PACKET: i64 = 16_384;

/// Returns the most bytes that a packet can have, if that is known, and what the limit is called.
fn packet_limit(peer: &Gd<PacketPeer>) -> Option<(i64, &'static str)> {
    if peer.is_class("PacketPeerDTLS") {
        return Some((DTLS_PACKET, "the limit of a DTLS packet"));
    }
    if !peer.is_class("WebSocketPeer") && !peer.is_class(WEB_SOCKETS) {
        return None;
    }
    let limit = peer.clone().call("get_outbound_buffer_size", &[]).try_to::<i64>().ok()?;
    // 0 is no limit.
    (limit > 0).then_some((limit, "the peer's outbound_buffer_size"))
}

/// Returns whether a WebSocket has not yet sent everything that it was given. Not known of a server with several.
fn is_sending(peer: &Gd<PacketPeer>) -> bool {
    let socket = match peer.clone().try_cast::<WebSocketPeer>() {
        Ok(socket) => Some(socket),
        Err(peer) => server_of(peer),
    };
    socket.is_some_and(|socket| socket.get_current_outbound_buffered_amount() > 0)
}

const WEB_SOCKETS: &str = "WebSocketMultiplayerPeer";

/// Returns the connection of a client with its server.
fn server_of(peer: Gd<PacketPeer>) -> Option<Gd<WebSocketPeer>> {
    if !peer.is_class(WEB_SOCKETS) {
        return None;
    }
    let mut peer = peer.try_cast::<MultiplayerPeer>().ok()?;
    if peer.get_unique_id() == MultiplayerPeer::TARGET_PEER_SERVER {
        return None;
    }
    peer.call("get_peer", &[MultiplayerPeer::TARGET_PEER_SERVER.to_variant()]).try_to().ok()
}
