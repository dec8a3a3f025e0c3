//! A guest book over WebSocket. A game sends `{"sign": "Ada"}` or `"list"` with `put_var` of a `WebSocketPeer`, and `get_var`
//! returns the number of guests, or their names as a `PackedStringArray`.
//!
//! `websocket_server [ADDRESS [SECONDS]]`: a peer that sends no message for so many seconds is dropped.

use std::cell::RefCell;
use std::env;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use varbytes::{Decoder, Variant};

/// The longest message that a peer may send.
const MAX_MESSAGE: usize = 4096;

/// The most guests.
const MAX_GUESTS: usize = 1000;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    Sign(String),
    List,
}

type Guests = Rc<RefCell<Vec<String>>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7777".to_owned());
    let idle = Duration::from_secs(env::args().nth(2).map_or(Ok(60), |seconds| seconds.parse())?);
    let listener = TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    LocalSet::new().run_until(accept(listener, idle)).await
}

async fn accept(listener: TcpListener, idle: Duration) -> Result<()> {
    let guests = Guests::default();
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Too many connections: others close theirs.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let guests = Rc::clone(&guests);
        tokio::task::spawn_local(async move {
            // Whatever a peer does costs its connection and nothing else.
            match serve(stream, idle, &guests).await {
                Ok(()) => println!("{peer} left"),
                Err(error) => println!("{peer} dropped: {error}"),
            }
        });
    }
}

async fn serve(stream: TcpStream, idle: Duration, guests: &Guests) -> Result<()> {
    let limits = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    // Answers to pings wait while a peer does not read. A list of all guests fits.
    let limits = limits.write_buffer_size(0).max_write_buffer_size((MAX_GUESTS + 1) * MAX_MESSAGE);
    let mut peer = timeout(idle, accept_async_with_config(stream, Some(limits))).await??;
    while let Some(message) = timeout(idle, peer.next()).await? {
        let message = match message? {
            Message::Binary(message) => message,
            Message::Text(_) => bail!("text, which put_var does not send"),
            Message::Close(_) => break,
            _ => continue,
        };
        let answer = match Decoder::untrusted(&message).deserialize(&message)? {
            Request::Sign(name) => {
                let mut guests = guests.borrow_mut();
                ensure!(guests.len() < MAX_GUESTS, "the book is full");
                guests.push(name);
                Variant::from(guests.len())
            }
            Request::List => guests.borrow().clone().into(),
        };
        timeout(idle, peer.send(Message::Binary(varbytes::encode(&answer)?.into()))).await??;
    }
    Ok(())
}
