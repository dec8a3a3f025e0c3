//! The servers over WebSocket: the guest book and remote procedure calls.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use varbytes::{Decoder, Encoder, Variant, rpc, variant};

use crate::{PATIENCE, Server, assert_dropped, assert_dropped_when_slow, beside, write_slowly};

const HANDSHAKE: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

/// The first byte of a frame: the last of its message, and the kind of the message.
const CONTINUATION: u8 = 0x80;
const TEXT: u8 = 0x81;
const BINARY: u8 = 0x82;
const PING: u8 = 0x89;

/// The bit that only the last frame of a message has.
const LAST: u8 = 0x80;

/// A frame of a client, with a mask of zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    assert!(length < 126);
    [&[first, 0x80 | length, 0, 0, 0, 0], payload].concat()
}

/// The header of a binary frame of a client that states this length.
fn header(length: u64) -> Vec<u8> {
    [&[BINARY, 0xFF][..], &length.to_be_bytes(), &[0; 4]].concat()
}

/// Reads the message of one frame of the server.
fn receive(mut stream: &TcpStream) -> Vec<u8> {
    let mut read = |length| {
        let mut bytes = vec![0; length];
        stream.read_exact(&mut bytes).unwrap();
        bytes
    };
    let header = read(2);
    assert!(header[0] == BINARY && header[1] < 127, "{header:?}");
    let length = if header[1] == 126 { u16::from_be_bytes(read(2).try_into().unwrap()) } else { header[1].into() };
    read(length.into())
}

/// How a server is used.
struct Usage {
    program: &'static str,
    script: &'static str,
    /// Whether the server sends a message first.
    greets: bool,
    request: Vec<u8>,
    is_answer: fn(&[u8]) -> bool,
}

impl Usage {
    fn guest_book() -> Self {
        Self {
            program: "websocket_server",
            script: "websocket_client.gd",
            greets: false,
            request: varbytes::encode(&"list".into()).unwrap(),
            is_answer: |message| matches!(varbytes::decode(message).unwrap(), Variant::PackedStringArray(_)),
        }
    }

    fn rpc() -> Self {
        let arguments = rpc::encode_arguments(&Encoder::new(), &[1.into(), 2.into()]).unwrap();
        let path = u8::try_from(6 + arguments.len()).unwrap();
        Self {
            program: "rpc",
            script: "rpc_client.gd",
            greets: true,
            // The path of the node is at an offset in the packet; function 0 is `add`, function 1 `result`.
            request: [&[0x20, path, 0, 0, 0x80, 0][..], &arguments, b"Calculator\0"].concat(),
            is_answer: |message| {
                let (arguments, path) = message[6..].split_at(usize::from(message[1]) - 6);
                let arguments = rpc::decode_arguments(&Decoder::new(), arguments).unwrap().value;
                (message[0], message[5], path, &arguments[..]) == (0x20, 1, b"Calculator\0", &[Variant::Int(3)])
            },
        }
    }

    /// Returns a connection after the handshake.
    fn connect(&self, server: &Server) -> TcpStream {
        let mut stream = server.connect();
        stream.write_all(HANDSHAKE).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        if self.greets {
            receive(&stream);
        }
        stream
    }

    /// Returns a peer that sends the request with each call.
    fn player(&self, server: &Server) -> impl FnMut() + Send {
        let stream = self.connect(server);
        move || {
            (&stream).write_all(&frame(BINARY, &self.request)).unwrap();
            assert!((self.is_answer)(&receive(&stream)));
        }
    }

    /// Sends what no WebSocket server may fail on, and lets the engine talk to it.
    fn survives_hostile_peers(&self, packets: &[&[u8]]) {
        let server = Server::start(self.program);
        let dropped = |bytes: &[u8]| {
            assert_dropped(self.connect(&server), bytes);
            server.assert_says("dropped");
        };
        beside(self.player(&server), || {
            assert_dropped(server.connect(), &[0xFF; 4]);
            server.assert_says("dropped");
            for length in [4097, 1 << 32, u64::MAX >> 1, u64::MAX] {
                dropped(&header(length));
            }
            // Frames that are short, but together a message that is too long.
            let parts = [frame(BINARY & !LAST, &[0; 100]), frame(CONTINUATION & !LAST, &[0; 100]).repeat(50)];
            dropped(&parts.concat());
            // Without a mask, of a kind that does not exist, with a reserved bit, a continuation of nothing, a ping of
            // two frames, and text, also such as is not UTF-8.
            dropped(&[BINARY, 4, 2, 0, 0, 0]);
            for first in [0x83, 0xC2, CONTINUATION, PING & !LAST, TEXT] {
                dropped(&frame(first, b"text"));
            }
            dropped(&frame(TEXT, &[0xFF]));
            for packet in packets {
                dropped(&frame(BINARY, packet));
            }
            let _silent = server.connect();
            let _open = self.connect(&server);
            let mut half = server.connect();
            half.write_all(&HANDSHAKE[..40]).unwrap();
            let mut half_message = self.connect(&server);
            half_message.write_all(&frame(BINARY, &[7; 20])[..10]).unwrap();
            for _ in 0..4 {
                server.assert_says("deadline has elapsed");
            }
            server.answers_the_engine(self.script);
        });
    }

    /// A frame may arrive one byte at a time. tungstenite refuses a handshake that does.
    fn reads_one_byte_at_a_time(&self) {
        let server = Server::start(self.program);
        beside(self.player(&server), || {
            let stream = self.connect(&server);
            write_slowly(&stream, &frame(BINARY, &self.request)).unwrap();
            assert!((self.is_answer)(&receive(&stream)));
            let _ = write_slowly(&server.connect(), HANDSHAKE);
            server.assert_says("dropped: Attack attempt detected");
        });
    }

    fn is_dropped_when_slow(&self) {
        let server = Server::start(self.program);
        beside(self.player(&server), || {
            assert_dropped_when_slow(server.connect(), HANDSHAKE);
            server.assert_says("deadline has elapsed");
            assert_dropped_when_slow(self.connect(&server), &frame(BINARY, &[0; 120]));
            server.assert_says("deadline has elapsed");
        });
    }

    /// Answers to pings wait for a peer that does not read them.
    fn keeps_no_answers_to_pings(&self) {
        const MIB: usize = 1 << 20;
        let server = Server::start(self.program);
        beside(self.player(&server), || {
            let mut stream = self.connect(&server);
            stream.set_write_timeout(Some(PATIENCE)).unwrap();
            let pings = frame(PING, &[7; 125]).repeat(MIB / 131);
            for _ in 0..64 {
                stream.write_all(&pings).unwrap();
            }
            // The most memory that the server has had, where the system reports it.
            let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap_or_default();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib: Option<usize> = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok());
            assert!(kib.is_none_or(|kib| kib < 32 * 1024), "{kib:?} KiB");
        });
    }
}

#[test]
fn the_websocket_server_answers_the_engine_despite_malicious_peers() {
    Usage::guest_book().survives_hostile_peers(&[
        &[],
        &[0xFF; 4],
        &[2, 0, 0, 0, 7, 0, 0, 0],
        &[28, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F],
        &varbytes::encode(&variant!({"sign": 7})).unwrap(),
        &varbytes::encode(&"list".into()).unwrap()[..8],
    ]);
}

#[test]
fn the_rpc_server_answers_the_engine_despite_malicious_peers() {
    // A call with a short number of its node, one without a path, one with a path outside of the packet, one of another
    // function, one whose arguments are cut off, and one whose path is not UTF-8.
    Usage::rpc().survives_hostile_peers(&[
        &[0],
        &[0x00, 1, 0, 0, 0, 0, 0],
        &[0x20, 1, 0, 0, 0, 0, 0],
        &[0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0],
        &[0x20, 7, 0, 0, 0x80, 5, 0, b'C'],
        &[0x20, 7, 0, 0, 0x80, 0, 2, b'C'],
        &[0x20, 7, 0, 0, 0x80, 0, 0, 0xFF],
    ]);
}

#[test]
fn the_websocket_server_reads_one_byte_at_a_time() {
    Usage::guest_book().reads_one_byte_at_a_time();
}

#[test]
fn the_rpc_server_reads_one_byte_at_a_time() {
    Usage::rpc().reads_one_byte_at_a_time();
}

#[test]
fn the_websocket_server_drops_a_peer_that_is_too_slow() {
    Usage::guest_book().is_dropped_when_slow();
}

#[test]
fn the_rpc_server_drops_a_peer_that_is_too_slow() {
    Usage::rpc().is_dropped_when_slow();
}

#[test]
fn pings_of_a_peer_that_does_not_read_take_no_memory_of_the_websocket_server() {
    Usage::guest_book().keeps_no_answers_to_pings();
}

#[test]
fn pings_of_a_peer_that_does_not_read_take_no_memory_of_the_rpc_server() {
    Usage::rpc().keeps_no_answers_to_pings();
}
