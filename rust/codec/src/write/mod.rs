//! Writing: the [`Sink`] trait, the [`Writer`] with one method per wire form, and the fast path for common values.
//!
//! ```
//! use varbytes::Encoder;
//!
//! let mut bytes = Vec::new();
//! Encoder::new().writer(&mut bytes).int(7)?;
//! assert_eq!(bytes, [2, 0, 0, 0, 7, 0, 0, 0]);
//! # Ok::<(), varbytes::EncodeErrorKind>(())
//! ```

pub(crate) mod fast;
#[cfg(feature = "std")]
mod io;
pub(crate) mod sink;
pub(crate) mod tree;
pub(crate) mod writer;

#[cfg(feature = "std")]
pub use self::io::IoSink;
pub use self::sink::{Length, SHORT_TEXT, Sink};
pub use self::writer::Writer;
