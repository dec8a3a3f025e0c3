//! The TCP server.

use std::io::Write;
use std::net::{Shutdown, TcpStream};

use varbytes::record::{Framing, RecordReader, RecordWriter};
use varbytes::variant::Vector2;
use varbytes::{Variant, variant};

use crate::{Server, assert_dropped, assert_dropped_when_slow, beside, write_slowly};

/// The record of `{"name": "Eve", "step": Vector2(1, 2)}`.
fn step() -> Vec<u8> {
    let mut record = Vec::new();
    let step = variant!({"name": "Eve", "step": Vector2::new(1.0, 2.0)});
    RecordWriter::new(&mut record, Framing::new(1 << 16)).write(&step).unwrap();
    record
}

fn answer(stream: &TcpStream) -> Variant {
    RecordReader::new(stream, Framing::new(1 << 16)).read().unwrap().unwrap()
}

/// Returns a peer that makes another step with each call.
fn player(server: &Server) -> impl FnMut() + Send {
    let mut stream = server.connect();
    let mut steps = 0u8;
    move || {
        steps += 1;
        let position = Vector2::new(steps.into(), 2.0 * f32::from(steps));
        stream.write_all(&step()).unwrap();
        assert_eq!(answer(&stream), variant!({"name": "Eve", "position": position, "steps": steps}));
    }
}

#[test]
fn the_tcp_server_answers_the_engine_despite_malicious_peers() {
    let server = Server::start("tcp_server");
    beside(player(&server), || {
        let _silent = server.connect();
        let mut halves: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
        for half in &mut halves {
            half.write_all(&step()[..20]).unwrap();
        }
        assert_dropped(server.connect(), &[0xFF; 4]);
        server.assert_says("a record of 4294967295 bytes is longer than the limit of 4096");
        server.answers_the_engine("tcp_client.gd");
    });
}

#[test]
fn the_tcp_server_drops_a_peer_that_sends_malformed_bytes() {
    let server = Server::start("tcp_server");
    beside(player(&server), || {
        // An unknown type, an int where a dictionary is expected, a dictionary of 2^31 - 1 entries, a record without
        // bytes, and random bytes.
        let records: [&[u8]; 5] = [
            &[4, 0, 0, 0, 99, 0, 0, 0],
            &[8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0],
            &[8, 0, 0, 0, 27, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F],
            &[0; 4],
            &[
                16, 0, 0, 0, 0x5C, 0x01, 0xA7, 0x3E, 0x90, 0x42, 0xD8, 0x77, 0x0B, 0xF3, 0x64, 0x29, 0xBE, 0x18, 0x8D,
                0xE1,
            ],
        ];
        for record in records {
            assert_dropped(server.connect(), record);
            server.assert_says("dropped");
        }
    });
}

#[test]
fn the_tcp_server_drops_half_a_message_and_silence() {
    let server = Server::start("tcp_server");
    beside(player(&server), || {
        let half = server.connect();
        half.shutdown(Shutdown::Read).unwrap();
        (&half).write_all(&step()[..20]).unwrap();
        half.shutdown(Shutdown::Write).unwrap();
        server.assert_says("is cut off after");
        let silent = server.connect();
        assert_dropped(server.connect(), &step()[..20]);
        server.assert_says("timed out");
        assert_dropped(silent, &[]);
        server.assert_says("timed out");
        assert_dropped_when_slow(server.connect(), &step());
        server.assert_says("timed out");
    });
}

#[test]
fn the_tcp_server_reads_one_byte_at_a_time() {
    let server = Server::start("tcp_server");
    let stream = server.connect();
    write_slowly(&stream, &step()).unwrap();
    assert_eq!(answer(&stream), variant!({"name": "Eve", "position": Vector2::new(1.0, 2.0), "steps": 1}));
}
