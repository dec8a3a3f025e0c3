//! Records: values with their length before them, as `store_var` of a `FileAccess` and `put_var` of a `StreamPeer` write
//! them.
//!
//! [`RecordDecoder`] finds records in bytes that arrive in parts, and does no input or output of its own.
//! [`RecordReader`] and [`RecordWriter`] use `std::io`. [`RecordCodec`] is a `tokio_util::codec` (feature `tokio`).
//!
//! ```
//! use varbytes::record::{Framing, RecordReader, RecordWriter};
//!
//! let mut file = Vec::new();
//! RecordWriter::new(&mut file, Framing::new(1 << 20)).write(&"hello".into())?;
//! assert_eq!(RecordReader::new(&file[..], Framing::new(1 << 20)).read()?, Some("hello".into()));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A datagram of a `PacketPeer` and a message of a `WebSocketPeer` is one value without a length. Limit its size, and
//! decode it with [`Decoder::untrusted`](crate::Decoder::untrusted).

mod framing;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "tokio")]
mod tokio;

pub use self::framing::{Framing, RecordDecoder, RecordError};
#[cfg(feature = "std")]
pub use self::io::{RecordReader, RecordWriter};
#[cfg(feature = "tokio")]
pub use self::tokio::RecordCodec;
#[cfg(all(feature = "tokio", feature = "serde"))]
pub use self::tokio::TypedRecordCodec;
