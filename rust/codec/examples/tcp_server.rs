//! Moves players over TCP. A game sends `{"name": "Ada", "step": Vector2(1, 0)}` with `put_var` of a `StreamPeerTCP`, and
//! `get_var` returns where the player is.
//!
//! `tcp_server [ADDRESS [SECONDS]]`: a peer that sends no whole record for so many seconds is dropped.

use std::time::Duration;
use std::{env, io};

use futures_util::{SinkExt, StreamExt};
use glam::Vec2;
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::codec::Framed;
use varbytes::record::{Framing, RecordCodec, TypedRecordCodec};

/// The longest record that a peer may send.
const MAX_RECORD: usize = 4096;

#[derive(Deserialize)]
struct Move {
    name: String,
    step: Vec2,
}

#[derive(Serialize)]
struct Moved {
    name: String,
    position: Vec2,
    steps: u32,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7777".to_owned());
    let idle = Duration::from_secs(env::args().nth(2).map_or(Ok(60), |seconds| seconds.parse())?);
    let listener = TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Too many connections: others close theirs.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        tokio::spawn(async move {
            // Whatever a peer does costs its connection and nothing else.
            match serve(stream, idle).await {
                Ok(()) => println!("{peer} left"),
                Err(error) => println!("{peer} dropped: {error}"),
            }
        });
    }
}

async fn serve(stream: TcpStream, idle: Duration) -> io::Result<()> {
    let codec = TypedRecordCodec::<Move>::new(RecordCodec::new(Framing::new(MAX_RECORD)));
    let mut peer = Framed::new(stream, codec);
    let (mut position, mut steps) = (Vec2::ZERO, 0);
    while let Some(Move { name, step }) = timeout(idle, peer.next()).await?.transpose()? {
        position += step;
        steps += 1;
        timeout(idle, peer.send(Moved { name, position, steps })).await??;
    }
    // The codec takes every type, so `close` has to be told one.
    SinkExt::<Moved>::close(&mut peer).await
}
