//! Records of `std::io`.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::vec::Vec;

use super::framing::{Framing, PREFIX, RecordError};
use crate::{Decoder, Encoder, Limits, Variant};

/// Reads records: a file of `store_var`, or a connection of a `StreamPeer`.
///
/// Memory is taken only for bytes that arrive. Give it a [`BufReader`](std::io::BufReader) if reads are expensive.
///
/// ```
/// use varbytes::record::{Framing, RecordReader, RecordWriter};
///
/// let mut file = Vec::new();
/// let mut writer = RecordWriter::new(&mut file, Framing::new(1 << 20));
/// writer.write(&"first".into())?;
/// writer.write(&2.into())?;
///
/// let mut reader = RecordReader::new(&file[..], Framing::new(1 << 20));
/// let mut values = Vec::new();
/// while let Some(value) = reader.read()? {
///     values.push(value);
/// }
/// assert_eq!(values, [varbytes::Variant::from("first"), 2.into()]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<R> {
    reader: R,
    framing: Framing,
    decoder: Option<Decoder>,
    record: Vec<u8>,
    offset: u64,
}

impl<R: Read> RecordReader<R> {
    /// Creates a reader that decodes values as [`Decoder::untrusted`] does.
    pub const fn new(reader: R, framing: Framing) -> Self {
        Self { reader, framing, decoder: None, record: Vec::new(), offset: 0 }
    }

    /// Sets the decoder for the values. Its limits apply to each of them.
    #[must_use]
    pub fn decoder(mut self, decoder: Decoder) -> Self {
        self.decoder = Some(decoder);
        self
    }

    /// Returns the bytes of the next record, or `None` at the end of the input.
    ///
    /// # Errors
    /// Those of the reader, `UnexpectedEof` for a record that is cut off, and [`RecordError`] as an error of the kind
    /// `InvalidData`.
    pub fn read_bytes(&mut self) -> Result<Option<&[u8]>> {
        Ok(if self.fill()? { Some(&self.record) } else { None })
    }

    /// Returns the value of the next record, or `None` at the end of the input.
    ///
    /// # Errors
    /// Those of [`read_bytes`](Self::read_bytes), and [`DecodeError`](crate::DecodeError) as an error of the kind
    /// `InvalidData`. After that one, the next record can be read.
    pub fn read(&mut self) -> Result<Option<Variant>> {
        if !self.fill()? {
            return Ok(None);
        }
        Ok(Some(decoder_for(self.decoder, &self.record).decode(&self.record)?))
    }

    /// Returns the next record as a Rust value, or `None` at the end of the input.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    #[cfg(feature = "serde")]
    pub fn deserialize<T: serde_core::de::DeserializeOwned>(&mut self) -> Result<Option<T>> {
        if !self.fill()? {
            return Ok(None);
        }
        Ok(Some(decoder_for(self.decoder, &self.record).deserialize(&self.record)?))
    }

    /// Returns the offset of the next record, from where the reader started.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the underlying reader.
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Reads the next record. Returns whether there was one.
    fn fill(&mut self) -> Result<bool> {
        let Some(prefix) = self.part(PREFIX)? else { return Ok(false) };
        let prefix = self.record.first_chunk().filter(|_| prefix == PREFIX).ok_or_else(cut_off)?;
        let offset = self.offset;
        let length = self.framing.length(*prefix).map_err(|error| RecordError { offset, ..error })?;
        if self.part(length)?.unwrap_or(0) < length {
            return Err(cut_off());
        }
        self.offset += (PREFIX + length) as u64;
        Ok(true)
    }

    /// Reads up to `length` bytes and returns how many there were, `None` for none.
    fn part(&mut self, length: usize) -> Result<Option<usize>> {
        self.record.clear();
        let read = self.reader.by_ref().take(length as u64).read_to_end(&mut self.record)?;
        Ok((read > 0).then_some(read))
    }
}

fn cut_off() -> Error {
    Error::new(ErrorKind::UnexpectedEof, "the record is cut off")
}

/// Returns the decoder for a record.
pub(super) fn decoder_for(chosen: Option<Decoder>, record: &[u8]) -> Decoder {
    chosen.unwrap_or_else(|| Decoder::new().enforce_types(true).limits(Limits::untrusted(record.len())))
}

/// Writes records; see [`RecordReader`] for an example.
#[derive(Debug)]
pub struct RecordWriter<W> {
    writer: W,
    framing: Framing,
    encoder: Encoder,
    record: Vec<u8>,
}

impl<W: Write> RecordWriter<W> {
    /// Creates a writer for the newest engine.
    pub fn new(writer: W, framing: Framing) -> Self {
        Self { writer, framing, encoder: Encoder::new(), record: Vec::new() }
    }

    /// Sets the encoder for the values.
    #[must_use]
    pub const fn encoder(mut self, encoder: Encoder) -> Self {
        self.encoder = encoder;
        self
    }

    /// Writes a value, with one call of the writer.
    ///
    /// # Errors
    /// Those of the writer, and [`EncodeError`](crate::EncodeError) and [`RecordError`] as errors of the kind
    /// `InvalidData`. After those, nothing was written.
    pub fn write(&mut self, value: &Variant) -> Result<()> {
        begin(&mut self.record);
        self.encoder.encode_into(value, &mut self.record)?;
        self.finish()
    }

    /// Writes a Rust value.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    #[cfg(feature = "serde")]
    pub fn serialize<T: serde_core::ser::Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        begin(&mut self.record);
        self.encoder.serialize_into(value, &mut self.record)?;
        self.finish()
    }

    /// Flushes the underlying writer.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush()
    }

    /// Returns the underlying writer.
    pub fn into_inner(self) -> W {
        self.writer
    }

    fn finish(&mut self) -> Result<()> {
        end(&mut self.record, 0, self.framing)?;
        self.writer.write_all(&self.record)
    }
}

/// Begins a record whose prefix [`end`] writes.
fn begin(record: &mut Vec<u8>) {
    record.clear();
    record.extend([0; PREFIX]);
}

/// Writes the prefix of the record that begins at `start`.
pub(super) fn end(record: &mut [u8], start: usize, framing: Framing) -> core::result::Result<(), RecordError> {
    let prefix = framing.prefix(record.len() - start - PREFIX)?;
    record[start..start + PREFIX].copy_from_slice(&prefix);
    Ok(())
}
