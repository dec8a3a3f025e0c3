//! Records of `std::io`.

use std::io::{ErrorKind, Read, Result, Write};
use std::mem;
use std::vec::Vec;

use super::framing::{Framing, PREFIX, RecordError};
use crate::{Decoder, Encoder, Limits, Profile, Variant};

/// Reads records: a file of `store_var`, or a connection of a `StreamPeer`.
///
/// Memory is taken only for bytes that arrive. If the reader fails within a record, with `WouldBlock` or `TimedOut` for
/// example, the bytes before are kept, and the next call continues the record. Give it a
/// [`BufReader`](std::io::BufReader) if reads are expensive.
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
    values: Values,
    /// What has been read of the record, or all of it.
    record: Vec<u8>,
    part: Part,
    offset: u64,
    /// Why no further record can be found.
    failed: Option<RecordError>,
}

/// The part of a record that is read next.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// Its length.
    Prefix,
    /// So many bytes.
    Content(usize),
    /// None of it: the next record follows.
    Done,
}

impl<R: Read> RecordReader<R> {
    /// Creates a reader that decodes values as [`Decoder::untrusted`] does.
    ///
    /// [`RecordReader`] has an example.
    pub const fn new(reader: R, framing: Framing) -> Self {
        Self {
            reader,
            framing,
            values: Values::UNTRUSTED,
            record: Vec::new(),
            part: Part::Done,
            offset: 0,
            failed: None,
        }
    }

    /// Sets the engine version of the values.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordReader};
    /// use varbytes::{Profile, variant};
    ///
    /// // A file of Godot 3 with PoolIntArray([99]).
    /// let file = [12, 0, 0, 0, 21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0];
    /// let mut reader = RecordReader::new(&file[..], Framing::new(1 << 20)).profile(Profile::GODOT_3_5);
    /// assert_eq!(reader.read()?, Some(variant!(vec![99i32])));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.values.decoder = self.values.decoder.profile(profile);
        self
    }

    /// Sets whether full objects are read, as data.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordReader, RecordWriter};
    /// use varbytes::variant::ObjectData;
    /// use varbytes::{Encoder, Variant};
    ///
    /// let timer = Variant::from(ObjectData { class: "Timer".into(), properties: vec![] });
    /// let mut file = Vec::new();
    /// RecordWriter::new(&mut file, Framing::new(1 << 20)).encoder(Encoder::new().objects(true)).write(&timer)?;
    /// let mut reader = RecordReader::new(&file[..], Framing::new(1 << 20)).objects(true);
    /// assert_eq!(reader.read()?, Some(timer));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn objects(mut self, objects: bool) -> Self {
        self.values.decoder = self.values.decoder.objects(objects);
        self
    }

    /// Sets the decoder for the values. Its limits apply to each of them.
    ///
    /// **It replaces the settings for untrusted input**: with [`Decoder::new`], memory is not limited, and members of
    /// containers can have other types than declared. For another engine version, use [`profile`](Self::profile), which
    /// keeps them.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordReader};
    /// use varbytes::{Decoder, Limits};
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let decoder = Decoder::new().enforce_types(true).strict(true).limits(Limits::untrusted(1 << 10));
    /// let mut reader = RecordReader::new(&file[..], Framing::new(1 << 10)).decoder(decoder);
    /// assert_eq!(reader.read()?, Some(7.into()));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn decoder(mut self, decoder: Decoder) -> Self {
        self.values = Values { decoder, limits_each: false };
        self
    }

    /// Returns the bytes of the next record, or `None` at the end of the input.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordReader};
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let mut reader = RecordReader::new(&file[..], Framing::new(1 << 20));
    /// assert_eq!(reader.read_bytes()?, Some(&[2, 0, 0, 0, 7, 0, 0, 0][..]));
    /// assert_eq!(reader.read_bytes()?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the reader, and [`RecordError`], of the kind `UnexpectedEof` for a record that is cut off, and
    /// `InvalidData` for one that is too long. After a [`RecordError`], every call returns it: the stream has no further
    /// records that could be found.
    pub fn read_bytes(&mut self) -> Result<Option<&[u8]>> {
        Ok(if self.fill()? { Some(&self.record) } else { None })
    }

    /// Returns the value of the next record, or `None` at the end of the input.
    ///
    /// [`RecordReader`] has an example.
    ///
    /// # Errors
    /// Those of [`read_bytes`](Self::read_bytes), and [`DecodeError`](crate::DecodeError) as an error of the kind
    /// `InvalidData`. After that one, the next record can be read.
    pub fn read(&mut self) -> Result<Option<Variant>> {
        if !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.values.decoder_of(&self.record).decode(&self.record)?))
    }

    /// Returns the next record as a Rust value, or `None` at the end of the input.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordReader};
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let mut reader = RecordReader::new(&file[..], Framing::new(1 << 20));
    /// assert_eq!(reader.deserialize::<u8>()?, Some(7));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    #[cfg(feature = "serde")]
    pub fn deserialize<T: serde_core::de::DeserializeOwned>(&mut self) -> Result<Option<T>> {
        if !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.values.decoder_of(&self.record).deserialize(&self.record)?))
    }

    /// Returns the offset of the next record, from where the reader started.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordReader};
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let mut reader = RecordReader::new(&file[..], Framing::new(1 << 20));
    /// reader.read()?;
    /// assert_eq!(reader.offset(), 12);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the underlying reader. What was read of a record that is not complete is lost.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordReader};
    ///
    /// let input = [4, 0, 0, 0, 0, 0, 0, 0, b'e', b'n', b'd'];
    /// let mut reader = RecordReader::new(&input[..], Framing::new(1 << 20));
    /// reader.read()?;
    /// assert_eq!(reader.into_inner(), b"end");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Reads the next record. Returns whether there was one.
    fn fill(&mut self) -> Result<bool> {
        let filled = match self.failed {
            None => self.fill_next()?,
            Some(error) => Err(error),
        };
        self.failed = filled.err();
        Ok(filled?)
    }

    fn fill_next(&mut self) -> Result<core::result::Result<bool, RecordError>> {
        let offset = self.offset;
        if let Part::Done = self.part {
            self.record.clear();
            self.part = Part::Prefix;
        }
        if let Part::Prefix = self.part {
            self.read_up_to(PREFIX)?;
            self.part = Part::Done;
            let Some(prefix) = self.record.first_chunk() else {
                return Ok(match self.record.len() {
                    0 => Ok(false),
                    read => Err(RecordError::PrefixCutOff { offset, read }),
                });
            };
            let length = match self.framing.length(*prefix) {
                Ok(length) => length,
                Err(error) => return Ok(Err(error.at(offset))),
            };
            self.record.clear();
            self.part = Part::Content(length);
        }
        if let Part::Content(length) = self.part {
            self.read_up_to(length)?;
            self.part = Part::Done;
            let read = self.record.len();
            if read < length {
                return Ok(Err(RecordError::CutOff { offset, length: length as u64, read }));
            }
            self.offset += PREFIX as u64 + length as u64;
        }
        Ok(Ok(true))
    }

    /// Reads until there are `length` bytes of the part, or the input ends. After an error, the bytes before it are kept.
    fn read_up_to(&mut self, length: usize) -> Result<()> {
        let left = length - self.record.len();
        self.reader.by_ref().take(left as u64).read_to_end(&mut self.record)?;
        Ok(())
    }
}

/// The values of the records. It ends after a [`RecordError`]. After another error it can go on, as
/// [`read`](RecordReader::read) describes.
///
/// ```
/// use varbytes::record::{Framing, RecordReader};
///
/// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];
/// let reader = RecordReader::new(&file[..], Framing::new(1 << 20));
/// let values: Vec<_> = reader.collect::<Result<_, _>>()?;
/// assert_eq!(values, [varbytes::Variant::from(7), ().into()]);
/// # Ok::<(), std::io::Error>(())
/// ```
impl<R: Read> Iterator for RecordReader<R> {
    type Item = Result<Variant>;

    fn next(&mut self) -> Option<Result<Variant>> {
        if self.failed.is_some() {
            return None;
        }
        self.read().transpose()
    }
}

/// How values of records are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    pub(super) decoder: Decoder,
    /// Whether the length of each record limits its value.
    pub(super) limits_each: bool,
}

impl Values {
    /// As [`Decoder::untrusted`] reads them.
    pub(super) const UNTRUSTED: Self = Self { decoder: Decoder::ENFORCING, limits_each: true };

    pub(super) fn decoder_of(&self, record: &[u8]) -> Decoder {
        if self.limits_each { self.decoder.limits(Limits::untrusted(record.len())) } else { self.decoder }
    }
}

/// Writes records; see [`RecordReader`] for an example.
///
/// If the writer fails within a record, with `WouldBlock` or `TimedOut` for example, what it has not taken is kept, and is
/// written first by the next call and by [`flush`](Self::flush). So do not write that value again. Until a call succeeds,
/// every further record is kept too.
///
/// ```
/// use varbytes::record::{Framing, RecordWriter};
/// use varbytes::{Encoder, Profile, variant};
///
/// // For a Godot 3 game, as its File.store_var writes it.
/// let encoder = Encoder::new().profile(Profile::GODOT_3_5);
/// let mut writer = RecordWriter::new(Vec::new(), Framing::new(1 << 20)).encoder(encoder);
/// writer.write(&variant!(vec![99i32]))?;
/// writer.flush()?;
/// assert_eq!(writer.into_inner(), [12, 0, 0, 0, 21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordWriter<W> {
    writer: W,
    framing: Framing,
    encoder: Encoder,
    record: Vec<u8>,
    /// Records that the writer has not taken, from `written` on.
    rest: Vec<u8>,
    written: usize,
}

impl<W: Write> RecordWriter<W> {
    /// Creates a writer for the newest engine.
    ///
    /// [`RecordWriter`] has an example.
    pub fn new(writer: W, framing: Framing) -> Self {
        Self { writer, framing, encoder: Encoder::new(), record: Vec::new(), rest: Vec::new(), written: 0 }
    }

    /// Sets the encoder for the values.
    ///
    /// [`RecordWriter`] has an example.
    #[must_use]
    pub const fn encoder(mut self, encoder: Encoder) -> Self {
        self.encoder = encoder;
        self
    }

    /// Writes a value, with one call of the writer if that takes all bytes.
    ///
    /// [`RecordWriter`] has an example.
    ///
    /// # Errors
    /// [`EncodeError`](crate::EncodeError) and [`RecordError`] as errors of the kind `InvalidData`: nothing of the value is
    /// written. Those of the writer: the rest is [kept](Self#) and written later.
    pub fn write(&mut self, value: &Variant) -> Result<()> {
        begin(&mut self.record);
        self.encoder.encode_into(value, &mut self.record)?;
        self.finish()
    }

    /// Writes a Rust value.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordWriter};
    ///
    /// let mut writer = RecordWriter::new(Vec::new(), Framing::new(1 << 20));
    /// writer.serialize(&7)?;
    /// assert_eq!(writer.into_inner(), [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    #[cfg(feature = "serde")]
    pub fn serialize<T: serde_core::ser::Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        begin(&mut self.record);
        self.encoder.serialize_into(value, &mut self.record)?;
        self.finish()
    }

    /// Writes what the writer has not taken yet, and flushes it.
    ///
    /// [`RecordWriter`] has an example.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn flush(&mut self) -> Result<()> {
        self.send()?;
        self.writer.flush()
    }

    /// Returns the bytes that the writer has not taken yet. There are none unless a call has failed.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordWriter};
    ///
    /// // A writer that is full after 6 bytes.
    /// let mut buffer = [0; 6];
    /// let mut writer = RecordWriter::new(&mut buffer[..], Framing::new(1 << 20));
    /// assert!(writer.write(&7.into()).is_err());
    /// assert_eq!(writer.unwritten(), [0, 0, 7, 0, 0, 0]);
    /// ```
    pub fn unwritten(&self) -> &[u8] {
        &self.rest[self.written..]
    }

    /// Returns the underlying writer. What it has not taken is lost: [`flush`](Self::flush) before, if a call has failed.
    ///
    /// [`RecordWriter`] has an example.
    pub fn into_inner(self) -> W {
        self.writer
    }

    fn finish(&mut self) -> Result<()> {
        end(&mut self.record, 0, self.framing)?;
        if self.rest.is_empty() {
            mem::swap(&mut self.rest, &mut self.record);
        } else {
            self.rest.drain(..mem::take(&mut self.written));
            self.rest.extend_from_slice(&self.record);
        }
        self.send()
    }

    /// Writes what the writer has not taken.
    fn send(&mut self) -> Result<()> {
        while !self.unwritten().is_empty() {
            match self.writer.write(&self.rest[self.written..]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(taken) => self.written = self.rest.len().min(self.written + taken),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.rest.clear();
        self.written = 0;
        Ok(())
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
