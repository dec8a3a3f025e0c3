//! A peer of Godot's high-level multiplayer: a game calls `rpc_id(1, "add", ...)` on its node `Calculator`, and this
//! server calls `result` on the same node of that game.
//!
//! The engine numbers the functions of a node that have `@rpc`, in the order of their names: `add` is 0, `result` is 1.
//! FORMAT.md, section 18, describes the arguments.
//!
//! `rpc [ADDRESS [SECONDS]]`: a peer that sends no message for so many seconds is dropped.

use std::env;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use varbytes::{Decoder, Encoder, Variant, rpc};

const MAX_MESSAGE: usize = 4096;

/// The most bytes that wait for a peer to read them. An error message quotes the arguments, which takes more than they do.
const MAX_ANSWER: usize = 1 << 18;

const ADD: u8 = 0;
const RESULT: u8 = 1;

/// The lowest four bits of the first byte: the command. Of the others, two are the length of the number of the node, one
/// that of the function, and the highest says that the arguments are raw.
const COMMAND: u8 = 0x0F;
const CALL: u8 = 0;
const LONG_NODE: u8 = 0x20;
const LONG_FUNCTION: u8 = 0x40;
const RAW: u8 = 0x80;

/// The number of the node is instead the offset of its path, at the end of the packet.
const HAS_PATH: u32 = 1 << 31;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7777".to_owned());
    let idle = Duration::from_secs(env::args().nth(2).map_or(Ok(60), |seconds| seconds.parse())?);
    let listener = TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    for id in 2i32.. {
        let Ok((stream, peer)) = listener.accept().await else {
            // Too many connections: others close theirs.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        tokio::spawn(async move {
            // Whatever a peer does costs its connection and nothing else.
            match serve(stream, id, idle).await {
                Ok(()) => println!("{peer} left"),
                Err(error) => println!("{peer} dropped: {error}"),
            }
        });
    }
    bail!("all ids of peers were used");
}

async fn serve(stream: TcpStream, id: i32, idle: Duration) -> Result<()> {
    let limits = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
    // Answers to pings wait while a peer does not read.
    let limits = limits.write_buffer_size(0).max_write_buffer_size(MAX_ANSWER);
    let mut peer = timeout(idle, accept_async_with_config(stream, Some(limits))).await??;
    // The first message tells the game its id.
    peer.send(Message::Binary(id.to_le_bytes().to_vec().into())).await?;
    while let Some(message) = timeout(idle, peer.next()).await? {
        let packet = match message? {
            Message::Binary(packet) => packet,
            Message::Text(_) => bail!("text, which no game sends"),
            Message::Close(_) => break,
            _ => continue,
        };
        // Other commands announce the path of a node. Unanswered, each call has the path.
        if packet.first().is_some_and(|first| first & COMMAND == CALL) {
            let (path, function, arguments) = read_call(&packet)?;
            ensure!((path, function) == ("Calculator", ADD), "function {function} of {path:?} does not exist");
            let sum = match &arguments[..] {
                [Variant::Int(left), Variant::Int(right)] => left.checked_add(*right).into(),
                other => Variant::from(format!("cannot add {other:?}")),
            };
            let call = write_call(path, RESULT, &[sum])?;
            timeout(idle, peer.send(Message::Binary(call.into()))).await??;
        }
    }
    Ok(())
}

/// Returns the path of the node, the number of the function, and the arguments.
fn read_call(packet: &[u8]) -> Result<(&str, u8, Vec<Variant>)> {
    let (head, _) = packet.split_first_chunk::<6>().context("the packet is too short")?;
    let [flags, node @ .., function] = head;
    let target = u32::from_le_bytes(*node);
    ensure!(flags & (LONG_NODE | LONG_FUNCTION) == LONG_NODE && target & HAS_PATH != 0, "the call has no path");
    let path = usize::try_from(target & !HAS_PATH)?;
    let (arguments, path) = (packet.get(6..path), packet.get(path..));
    let (arguments, path) = arguments.zip(path).context("the path is outside of the packet")?;
    let path = std::str::from_utf8(path)?.trim_end_matches('\0');
    let arguments = match flags & RAW != 0 {
        false => rpc::decode_arguments(&Decoder::untrusted(arguments), arguments)?.value,
        true if arguments.is_empty() => Vec::new(),
        true => vec![arguments.into()],
    };
    Ok((path, *function, arguments))
}

fn write_call(path: &str, function: u8, arguments: &[Variant]) -> Result<Vec<u8>> {
    let arguments = rpc::encode_arguments(&Encoder::new(), arguments)?;
    let target = HAS_PATH | u32::try_from(6 + arguments.len())?;
    Ok([&[CALL | LONG_NODE], &target.to_le_bytes()[..], &[function], &arguments, path.as_bytes(), &[0]].concat())
}
