//! Records of tokio.

#[cfg(feature = "serde")]
use core::fmt;
use std::io::Error;
use std::vec::Vec;

use bytes::{Buf, BytesMut};

use super::framing::{Framing, PREFIX};
use super::io::Values;
use crate::{Decoder, Encoder, Profile, Variant};

/// A `tokio_util::codec` of records, for a TCP connection with a `StreamPeer`.
///
/// ```
/// use bytes::BytesMut;
/// use tokio_util::codec::{Decoder as _, Encoder as _};
/// use varbytes::record::{Framing, RecordCodec};
///
/// // Usually: Framed::new(stream, codec), which is a Stream and a Sink of values.
/// let mut codec = RecordCodec::new(Framing::new(1 << 16));
/// let mut buffer = BytesMut::new();
/// codec.encode(&"hello".into(), &mut buffer)?;
/// assert_eq!(codec.decode(&mut buffer)?, Some("hello".into()));
/// assert_eq!(codec.decode(&mut buffer)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// The errors are those of [`RecordReader`](super::RecordReader) and [`RecordWriter`](super::RecordWriter).
///
/// After an error, the stream of a `Framed` returns `None`, as with every codec, although the connection is not closed. So a
/// loop until `None` drops a peer that sends one wrong value. To read on after a value that cannot be decoded, poll the
/// stream again. After a [`RecordError`](super::RecordError), which every call returns again, it cannot go on.
///
/// `Framed` is a `Sink` of `Variant` and of `&Variant`. `flush` and `close` have to be told which one:
///
/// ```
/// use futures_util::SinkExt;
/// use tokio_util::codec::Framed;
/// use varbytes::Variant;
/// use varbytes::record::{Framing, RecordCodec};
///
/// # use futures_util::FutureExt;
/// # async fn run() -> std::io::Result<()> {
/// # let stream = std::io::Cursor::new(Vec::new());
/// let mut peer = Framed::new(stream, RecordCodec::new(Framing::new(1 << 16)));
/// peer.send(&Variant::from("bye")).await?;
/// SinkExt::<Variant>::close(&mut peer).await?;
/// # assert_eq!(peer.get_ref().get_ref().len(), 16);
/// # Ok(())
/// # }
/// # run().now_or_never().unwrap()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordCodec {
    framing: Framing,
    values: Values,
    encoder: Encoder,
    /// The offset of the next record.
    offset: u64,
}

impl RecordCodec {
    /// Creates a codec that decodes values as [`Decoder::untrusted`] does, and writes them for the newest engine.
    ///
    /// [`RecordCodec`] has an example.
    #[must_use]
    pub fn new(framing: Framing) -> Self {
        Self { framing, values: Values::UNTRUSTED, encoder: Encoder::new(), offset: 0 }
    }

    /// Sets the engine version of the values that are read and written.
    ///
    /// ```
    /// use varbytes::Profile;
    /// use varbytes::record::{Framing, RecordCodec};
    ///
    /// let codec = RecordCodec::new(Framing::new(1 << 16)).profile(Profile::GODOT_3_5);
    /// # let _ = codec;
    /// ```
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.values.decoder = self.values.decoder.profile(profile);
        self.encoder = self.encoder.profile(profile);
        self
    }

    /// Sets whether full objects are read and written, as data.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordCodec};
    ///
    /// let codec = RecordCodec::new(Framing::new(1 << 16)).objects(true);
    /// # let _ = codec;
    /// ```
    #[must_use]
    pub fn objects(mut self, objects: bool) -> Self {
        self.values.decoder = self.values.decoder.objects(objects);
        self.encoder = self.encoder.objects(objects);
        self
    }

    /// Sets the decoder for the values. Its limits apply to each of them.
    ///
    /// **It replaces the settings for untrusted input**: with [`Decoder::new`], memory is not limited, and members of
    /// containers can have other types than declared. For another engine version, use [`profile`](Self::profile), which
    /// keeps them.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordCodec};
    /// use varbytes::{Decoder, Encoder, Limits, Precision};
    ///
    /// let codec = RecordCodec::new(Framing::new(1 << 16))
    ///     .decoder(Decoder::new().enforce_types(true).strict(true).limits(Limits::untrusted(1 << 16)))
    ///     .encoder(Encoder::new().precision(Precision::Single));
    /// # let _ = codec;
    /// ```
    #[must_use]
    pub const fn decoder(mut self, decoder: Decoder) -> Self {
        self.values = Values { decoder, limits_each: false };
        self
    }

    /// Sets the encoder for the values.
    ///
    /// [`RecordCodec::decoder`] has an example.
    #[must_use]
    pub const fn encoder(mut self, encoder: Encoder) -> Self {
        self.encoder = encoder;
        self
    }

    /// Takes out the next record and passes it to `read`.
    fn decode_record<T, E: Into<Error>>(
        &mut self,
        buffer: &mut BytesMut,
        read: impl FnOnce(Decoder, &[u8]) -> Result<T, E>,
    ) -> Result<Option<T>, Error> {
        let Some(prefix) = buffer.first_chunk() else { return Ok(None) };
        let offset = self.offset;
        let length = self.framing.length(*prefix).map_err(|error| error.at(offset))?;
        if buffer.len() - PREFIX < length {
            buffer.reserve((length - (buffer.len() - PREFIX)).min(1 << 16));
            return Ok(None);
        }
        self.offset += PREFIX as u64 + length as u64;
        buffer.advance(PREFIX);
        let record = buffer.split_to(length);
        read(self.values.decoder_of(&record), &record).map(Some).map_err(Into::into)
    }

    /// Returns what the end of the input means for the bytes that are left.
    fn at_end<T>(&self, decoded: Option<T>, left: &BytesMut) -> Result<Option<T>, Error> {
        if decoded.is_none() {
            self.framing.check_end(left, self.offset)?;
        }
        Ok(decoded)
    }

    fn encode_record<E: Into<Error>>(
        &self,
        buffer: &mut BytesMut,
        write: impl FnOnce(Encoder, &mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), Error> {
        let mut record = Vec::from([0; PREFIX]);
        write(self.encoder, &mut record).map_err(Into::into)?;
        super::io::end(&mut record, 0, self.framing)?;
        buffer.extend_from_slice(&record);
        Ok(())
    }
}

impl tokio_util::codec::Decoder for RecordCodec {
    type Item = Variant;
    type Error = Error;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Variant>, Error> {
        self.decode_record(buffer, |decoder, record| decoder.decode(record))
    }

    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Variant>, Error> {
        let decoded = self.decode(buffer)?;
        self.at_end(decoded, buffer)
    }
}

impl tokio_util::codec::Encoder<&Variant> for RecordCodec {
    type Error = Error;

    fn encode(&mut self, value: &Variant, buffer: &mut BytesMut) -> Result<(), Error> {
        self.encode_record(buffer, |encoder, record| encoder.encode_into(value, record))
    }
}

impl tokio_util::codec::Encoder<Variant> for RecordCodec {
    type Error = Error;

    fn encode(&mut self, value: Variant, buffer: &mut BytesMut) -> Result<(), Error> {
        self.encode(&value, buffer)
    }
}

/// A [`RecordCodec`] that reads and writes a Rust type by serde. It also describes errors, `flush` and `close`.
///
/// ```
/// use bytes::BytesMut;
/// use tokio_util::codec::{Decoder as _, Encoder as _};
/// use varbytes::record::{Framing, RecordCodec, TypedRecordCodec};
///
/// let mut codec = TypedRecordCodec::<(String, i32)>::new(RecordCodec::new(Framing::new(1 << 16)));
/// let mut buffer = BytesMut::new();
/// codec.encode(("score".to_owned(), 9001), &mut buffer)?;
/// assert_eq!(codec.decode(&mut buffer)?, Some(("score".to_owned(), 9001)));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// `Framed` is a `Sink` of every type that implements `Serialize`: close it with `SinkExt::<()>::close(&mut peer)`.
#[cfg(feature = "serde")]
pub struct TypedRecordCodec<T> {
    codec: RecordCodec,
    item: core::marker::PhantomData<fn() -> T>,
}

#[cfg(feature = "serde")]
impl<T> TypedRecordCodec<T> {
    /// Creates a codec with the settings of `codec`.
    ///
    /// [`TypedRecordCodec`] has an example.
    #[must_use]
    pub const fn new(codec: RecordCodec) -> Self {
        Self { codec, item: core::marker::PhantomData }
    }
}

// Not derived, which would ask the same of `T`.
#[cfg(feature = "serde")]
impl<T> Clone for TypedRecordCodec<T> {
    fn clone(&self) -> Self {
        Self::new(self.codec.clone())
    }
}

#[cfg(feature = "serde")]
impl<T> fmt::Debug for TypedRecordCodec<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TypedRecordCodec").field(&self.codec).finish()
    }
}

#[cfg(feature = "serde")]
impl<T: serde_core::de::DeserializeOwned> tokio_util::codec::Decoder for TypedRecordCodec<T> {
    type Item = T;
    type Error = Error;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<T>, Error> {
        self.codec.decode_record(buffer, |decoder, record| decoder.deserialize(record))
    }

    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<T>, Error> {
        let decoded = self.decode(buffer)?;
        self.codec.at_end(decoded, buffer)
    }
}

#[cfg(feature = "serde")]
impl<T, U: serde_core::ser::Serialize> tokio_util::codec::Encoder<U> for TypedRecordCodec<T> {
    type Error = Error;

    fn encode(&mut self, value: U, buffer: &mut BytesMut) -> Result<(), Error> {
        self.codec.encode_record(buffer, |encoder, record| encoder.serialize_into(&value, record))
    }
}
