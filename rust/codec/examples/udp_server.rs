//! Answers pings over UDP. A game sends `{"id": 7, "sent": 1.5}` with `put_var` of a `PacketPeerUDP`, and `get_var` returns
//! the same with the number of pings of this game so far.
//!
//! `udp_server [ADDRESS]`

use std::collections::HashMap;
use std::env;
use std::net::{SocketAddr, UdpSocket};

use serde::{Deserialize, Serialize};
use varbytes::{DecodeError, Decoder};

/// The longest datagram that is read. Of a longer one, only so much arrives, which is not a whole value.
const MAX_DATAGRAM: usize = 1400;

/// The most games that are counted, since the address of a datagram can be forged.
const MAX_GAMES: usize = 10_000;

#[derive(Deserialize)]
struct Ping {
    id: u32,
    sent: f64,
}

#[derive(Serialize)]
struct Pong {
    id: u32,
    sent: f64,
    count: u32,
}

fn main() -> anyhow::Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7777".to_owned());
    let socket = UdpSocket::bind(address)?;
    println!("listening on {}", socket.local_addr()?);
    let mut counts: HashMap<SocketAddr, u32> = HashMap::new();
    let mut buffer = [0; MAX_DATAGRAM];
    loop {
        // An earlier answer that did not arrive is an error here on some systems.
        let Ok((length, peer)) = socket.recv_from(&mut buffer) else { continue };
        match read(&buffer[..length]) {
            Ok(Ping { id, sent }) => {
                if counts.len() >= MAX_GAMES {
                    counts.clear();
                }
                let count = counts.entry(peer).or_default();
                *count = count.saturating_add(1);
                let pong = varbytes::to_bytes(&Pong { id, sent, count: *count })?;
                if let Err(error) = socket.send_to(&pong, peer) {
                    println!("{peer}: {error}");
                }
            }
            Err(error) => println!("{peer} ignored: {error}"),
        }
    }
}

/// Reads a datagram, which is one value.
fn read(datagram: &[u8]) -> Result<Ping, DecodeError> {
    Decoder::untrusted(datagram).deserialize(datagram)
}
