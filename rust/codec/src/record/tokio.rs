//! Records of tokio.

use std::io::Error;
use std::vec::Vec;

use bytes::{Buf, BytesMut};

use super::framing::{Framing, PREFIX};
use super::io::decoder_for;
use crate::{Decoder, Encoder, Variant};

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
#[derive(Clone, Debug)]
pub struct RecordCodec {
    framing: Framing,
    decoder: Option<Decoder>,
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
        Self { framing, decoder: None, encoder: Encoder::new(), offset: 0 }
    }

    /// Sets the decoder for the values. Its limits apply to each of them.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordCodec};
    /// use varbytes::{Decoder, Encoder, Profile};
    ///
    /// let codec = RecordCodec::new(Framing::new(1 << 16))
    ///     .decoder(Decoder::new().profile(Profile::GODOT_3_5))
    ///     .encoder(Encoder::new().profile(Profile::GODOT_3_5));
    /// # let _ = codec;
    /// ```
    #[must_use]
    pub const fn decoder(mut self, decoder: Decoder) -> Self {
        self.decoder = Some(decoder);
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
        read(decoder_for(self.decoder, &record), &record).map(Some).map_err(Into::into)
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

/// A [`RecordCodec`] that reads and writes a Rust type by serde.
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
#[cfg(feature = "serde")]
#[derive(Debug)]
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
