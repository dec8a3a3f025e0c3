//! The UDP server.

use std::net::UdpSocket;

use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use varbytes::{Variant, variant};

use crate::{PATIENCE, Server, beside};

fn socket(server: &Server) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.connect(server.address).unwrap();
    socket
}

fn ping() -> Vec<u8> {
    varbytes::encode(&variant!({"id": 1, "sent": 2.5})).unwrap()
}

fn pong(socket: &UdpSocket) -> Variant {
    let mut answer = [0; 1400];
    let length = socket.recv(&mut answer).unwrap();
    varbytes::decode(&answer[..length]).unwrap()
}

/// Returns a peer that sends another ping with each call.
fn player(server: &Server) -> impl FnMut() + Send {
    let (socket, mut count) = (socket(server), 0);
    move || {
        count += 1;
        socket.send(&ping()).unwrap();
        assert_eq!(pong(&socket), variant!({"id": 1, "sent": 2.5, "count": count}));
    }
}

#[test]
fn the_udp_server_answers_the_engine_despite_malicious_datagrams() {
    let server = Server::start("udp_server");
    let (socket, ping) = (socket(&server), ping());
    let ignored = |datagram: &[u8]| {
        socket.send(datagram).unwrap();
        server.assert_says("ignored");
    };
    beside(player(&server), || {
        for datagram in [&[][..], &[0xFF; 4], &[0xFF; 1400], &[27, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F]] {
            ignored(datagram);
        }
        (1..ping.len()).for_each(|length| ignored(&ping[..length]));
        // A field of another type, and a value that is longer than the server reads.
        ignored(&varbytes::encode(&variant!({"id": "1", "sent": 2.5})).unwrap());
        ignored(&varbytes::encode(&variant!({"text": "long".repeat(10_000), "id": 1, "sent": 2.5})).unwrap());
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..200 {
            let datagram: Vec<u8> = (0..random.random_range(1..1400)).map(|_| random.random()).collect();
            ignored(&datagram);
        }
        server.answers_the_engine("udp_client.gd");
    });
}

#[test]
fn the_udp_server_ignores_bytes_after_the_value_as_the_engine_does() {
    let server = Server::start("udp_server");
    let socket = socket(&server);
    let ping = ping();
    for (number, datagram) in [&ping, &[&ping[..], &[0; 60_000]].concat()].into_iter().enumerate() {
        socket.send(datagram).unwrap();
        assert_eq!(pong(&socket), variant!({"id": 1, "sent": 2.5, "count": number + 1}));
    }
}
