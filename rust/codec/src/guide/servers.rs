//! Servers that games in Godot connect to.
//!
//! | in Godot | on the wire | in Rust |
//! |---|---|---|
//! | `put_var` of a `StreamPeerTCP` | records: a length of 4 bytes, then a value | [`RecordReader`], [`RecordWriter`]; with tokio [`RecordCodec`] |
//! | `put_var` of a `PacketPeerUDP` | a datagram is a value | [`Decoder::untrusted`] |
//! | `put_var` of a `WebSocketPeer` | a binary message is a value | [`Decoder::untrusted`] |
//! | functions with `@rpc` | packets of the high-level multiplayer, with values as arguments | [`rpc`] |
//!
//! # TCP
//!
//! The game sends a `Dictionary` and waits for the answer:
//!
//! ```gdscript
//! peer.put_var({"name": "Ada", "step": Vector2(1, 0)})
//! var answer: Dictionary = peer.get_var()
//! ```
//!
//! The server reads it as a struct. A field of another type is an error, a field that the struct does not have is
//! ignored.
//!
//! ```
//! use std::io::{self, BufReader};
//! use std::net::{TcpListener, TcpStream};
//! use std::thread;
//! use std::time::Duration;
//!
//! use serde::{Deserialize, Serialize};
//! use varbytes::record::{Framing, RecordReader, RecordWriter};
//! use varbytes::variant;
//! use varbytes::variant::Vector2;
//!
//! /// A peer may send records of this length at most.
//! const FRAMING: Framing = Framing::new(4096);
//!
//! #[derive(Deserialize)]
//! struct Move {
//!     name: String,
//!     step: Vector2,
//! }
//!
//! #[derive(Serialize)]
//! struct Moved {
//!     name: String,
//!     position: Vector2,
//! }
//!
//! fn serve(stream: &TcpStream) -> io::Result<()> {
//!     // A peer that is silent for so long is dropped.
//!     stream.set_read_timeout(Some(Duration::from_secs(60)))?;
//!     stream.set_write_timeout(Some(Duration::from_secs(60)))?;
//!     let mut reader = RecordReader::new(BufReader::new(stream), FRAMING);
//!     let mut writer = RecordWriter::new(stream, FRAMING);
//!     let (mut x, mut y) = (0.0, 0.0);
//!     while let Some(Move { name, step }) = reader.deserialize()? {
//!         (x, y) = (x + step.x(), y + step.y());
//!         writer.serialize(&Moved { name, position: Vector2::new(x, y) })?;
//!     }
//!     Ok(())
//! }
//!
//! let listener = TcpListener::bind("127.0.0.1:0")?;
//! let address = listener.local_addr()?;
//! thread::spawn(move || {
//!     for stream in listener.incoming().flatten() {
//!         thread::spawn(move || {
//!             if let Err(error) = serve(&stream) {
//!                 println!("dropped: {error}");
//!             }
//!         });
//!     }
//! });
//!
//! // What the game does, as a test in Rust.
//! let game = TcpStream::connect(address)?;
//! let mut writer = RecordWriter::new(&game, FRAMING);
//! let mut reader = RecordReader::new(&game, FRAMING);
//! writer.write(&variant!({"name": "Ada", "step": Vector2::new(1.0, 0.0)}))?;
//! assert_eq!(reader.read()?.unwrap()["position"], Vector2::new(1.0, 0.0));
//!
//! // A peer that sends something else is dropped: the server closes the connection.
//! writer.write(&variant!({"name": "Ada", "step": "north"}))?;
//! assert!(reader.read()?.is_none());
//! # Ok::<(), io::Error>(())
//! ```
//!
//! The reader decodes as [`Decoder::untrusted`] does, so a bad peer loses only its own connection. For a game of another engine
//! version, add [`profile`](crate::record::RecordReader::profile). It keeps the untrusted settings; setting your own decoder
//! replaces them. After a value that is not a `Move` the next record could still be read; after a record
//! that is too long it could not.
//!
//! With tokio, `Framed::new(stream, TypedRecordCodec::<Move>::new(RecordCodec::new(FRAMING)))` is a `Stream` of `Move`
//! and a `Sink` of `Moved`: see [`TypedRecordCodec`]. Other runtimes feed what arrives to a [`RecordDecoder`].
//!
//! # UDP and WebSocket
//!
//! A datagram or a message is one value. The buffer, or a setting of the WebSocket library, limits its length.
//!
//! ```
//! use std::net::UdpSocket;
//!
//! use serde::{Deserialize, Serialize};
//! use varbytes::{Decoder, Variant, variant};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Ping {
//!     id: u32,
//!     sent: f64,
//! }
//!
//! fn answer_one(server: &UdpSocket) -> std::io::Result<()> {
//!     let mut buffer = [0; 1400];
//!     let (length, peer) = server.recv_from(&mut buffer)?;
//!     let datagram = &buffer[..length];
//!     match Decoder::untrusted(datagram).deserialize::<Ping>(datagram) {
//!         Ok(ping) => server.send_to(&varbytes::to_bytes(&ping)?, peer).map(drop),
//!         Err(error) => Ok(println!("{peer} ignored: {error}")),
//!     }
//! }
//!
//! let (server, game) = (UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?);
//! game.send_to(b"not a value", server.local_addr()?)?;
//! game.send_to(&varbytes::encode(&variant!({"id": 7, "sent": 1.5}))?, server.local_addr()?)?;
//! answer_one(&server)?;
//! answer_one(&server)?;
//! let mut buffer = [0; 1400];
//! let (length, _) = game.recv_from(&mut buffer)?;
//! assert_eq!(varbytes::decode(&buffer[..length])?["id"], 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Several kinds of messages
//!
//! An enum is written as in `serde_json`. With `tag`, the game sends the kind as a key of the dictionary: `{"type":
//! "chat", "text": "hi"}`.
//!
//! ```
//! use serde::Deserialize;
//! use varbytes::variant;
//! use varbytes::variant::Vector2;
//!
//! #[derive(Deserialize, PartialEq, Debug)]
//! #[serde(tag = "type", rename_all = "snake_case")]
//! enum Message {
//!     Join { name: String },
//!     Move { step: Vector2 },
//!     Leave,
//! }
//!
//! let bytes = varbytes::encode(&variant!({"type": "move", "step": Vector2::new(1.0, 0.0)}))?;
//! assert_eq!(varbytes::from_bytes::<Message>(&bytes)?, Message::Move { step: Vector2::new(1.0, 0.0) });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! serde reads such a message into a buffer, so the path of an error in its fields ends at the message. With `tag = "type",
//! content = "data"`, the game sends `{"type": "chat", "data": {"text": "hi"}}`, with the kind first, and the path is
//! complete.
//!
//! [`RecordReader`]: crate::record::RecordReader
//! [`RecordWriter`]: crate::record::RecordWriter
//! [`RecordCodec`]: crate::record::RecordCodec
//! [`TypedRecordCodec`]: crate::record::TypedRecordCodec
//! [`RecordDecoder`]: crate::record::RecordDecoder
//! [`Decoder::untrusted`]: crate::Decoder::untrusted
//! [`rpc`]: crate::rpc
