//! Lengths of records, and records in bytes that arrive in parts.

use alloc::vec::Vec;
use core::fmt;

/// The length of the prefix.
pub(super) const PREFIX: usize = 4;

/// How records are framed: the greatest length, and the order of the bytes of the length.
///
/// Values are little-endian in both orders, as in the engine.
///
/// ```
/// use varbytes::record::Framing;
///
/// let framing = Framing::new(1000);
/// assert_eq!(framing.prefix(8)?, [8, 0, 0, 0]);
/// assert_eq!(framing.big_endian(true).length([0, 0, 0, 8])?, 8);
/// assert!(framing.length([0xFF; 4]).is_err());
/// # Ok::<(), varbytes::record::RecordError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    max_length: usize,
    big_endian: bool,
}

impl Framing {
    /// Creates a framing for records of at most `max_length` bytes, without the prefix.
    ///
    /// [`Framing`] has an example.
    #[must_use]
    pub const fn new(max_length: usize) -> Self {
        Self { max_length, big_endian: false }
    }

    /// Sets whether the length is big-endian, as with `big_endian` of a `FileAccess` or a `StreamPeer`.
    ///
    /// [`Framing`] has an example.
    #[must_use]
    pub const fn big_endian(mut self, big_endian: bool) -> Self {
        self.big_endian = big_endian;
        self
    }

    /// Returns the length that a prefix states.
    ///
    /// [`Framing`] has an example.
    ///
    /// # Errors
    /// [`RecordError`] if it is greater than the limit.
    pub fn length(&self, prefix: [u8; PREFIX]) -> Result<usize, RecordError> {
        let length = if self.big_endian { u32::from_be_bytes(prefix) } else { u32::from_le_bytes(prefix) };
        usize::try_from(length).ok().filter(|length| *length <= self.max_length).ok_or(RecordError::TooLong {
            length: u64::from(length),
            limit: self.max_length,
            offset: 0,
        })
    }

    /// Returns the prefix of a record.
    ///
    /// [`Framing`] has an example.
    ///
    /// # Errors
    /// [`RecordError`] if the length is greater than the limit.
    pub fn prefix(&self, length: usize) -> Result<[u8; PREFIX], RecordError> {
        let error = RecordError::TooLong { length: length as u64, limit: self.max_length, offset: 0 };
        let length = u32::try_from(length).ok().filter(|_| length <= self.max_length).ok_or(error)?;
        Ok(if self.big_endian { length.to_be_bytes() } else { length.to_le_bytes() })
    }

    /// Checks that the end of a stream, from the record at `offset` on, consists of whole records.
    pub(super) fn check_end(&self, mut rest: &[u8], mut offset: u64) -> Result<(), RecordError> {
        while !rest.is_empty() {
            let Some((prefix, record)) = rest.split_first_chunk() else {
                return Err(RecordError::PrefixCutOff { offset, read: rest.len() });
            };
            let length = self.length(*prefix).map_err(|error| error.at(offset))?;
            let read = record.len();
            rest = record.get(length..).ok_or(RecordError::CutOff { offset, length: length as u64, read })?;
            offset += PREFIX as u64 + length as u64;
        }
        Ok(())
    }
}

/// A record that cannot be read or written, with the offset of its prefix in the stream.
///
/// ```
/// use varbytes::record::{Framing, RecordError, RecordReader};
///
/// let mut reader = RecordReader::new(&[100, 0, 0, 0, 2, 0][..], Framing::new(1000));
/// let error = reader.read().unwrap_err();
/// assert_eq!(error.to_string(), "a record of 100 bytes is cut off after 2, at offset 0");
/// let error: RecordError = error.downcast()?;
/// assert_eq!((error.offset(), error), (0, RecordError::CutOff { offset: 0, length: 100, read: 2 }));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// A record is longer than the limit.
    TooLong {
        /// The offset of the prefix.
        offset: u64,
        /// The length that the prefix states.
        length: u64,
        /// The greatest length.
        limit: usize,
    },
    /// The input ends within a record.
    CutOff {
        /// The offset of the prefix.
        offset: u64,
        /// The length that the prefix states.
        length: u64,
        /// The bytes of the record that there are.
        read: usize,
    },
    /// The input ends within the prefix of a record.
    PrefixCutOff {
        /// The offset of the prefix.
        offset: u64,
        /// The bytes of the prefix that there are.
        read: usize,
    },
}

impl RecordError {
    /// Returns the offset of the prefix in the stream.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordDecoder};
    ///
    /// let mut records = RecordDecoder::new(Framing::new(8));
    /// records.feed(&[4, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
    /// assert!(records.next().is_ok());
    /// assert_eq!(records.next().unwrap_err().offset(), 8);
    /// ```
    #[must_use]
    pub const fn offset(&self) -> u64 {
        let (Self::TooLong { offset, .. } | Self::CutOff { offset, .. } | Self::PrefixCutOff { offset, .. }) = self;
        *offset
    }

    /// Returns the error at an offset.
    pub(super) const fn at(mut self, at: u64) -> Self {
        let (Self::TooLong { offset, .. } | Self::CutOff { offset, .. } | Self::PrefixCutOff { offset, .. }) =
            &mut self;
        *offset = at;
        self
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { length, limit, .. } => {
                write!(formatter, "a record of {length} bytes is longer than the limit of {limit}")
            }
            Self::CutOff { length, read, .. } => {
                write!(formatter, "a record of {length} bytes is cut off after {read}")
            }
            Self::PrefixCutOff { read, .. } => {
                write!(formatter, "the length of a record is cut off after {read} of its {PREFIX} bytes")
            }
        }?;
        write!(formatter, ", at offset {}", self.offset())
    }
}

impl core::error::Error for RecordError {}

/// With the kind `InvalidData`, or `UnexpectedEof` if the record is cut off.
#[cfg(feature = "std")]
impl From<RecordError> for std::io::Error {
    fn from(error: RecordError) -> Self {
        let kind = match error {
            RecordError::TooLong { .. } => std::io::ErrorKind::InvalidData,
            RecordError::CutOff { .. } | RecordError::PrefixCutOff { .. } => std::io::ErrorKind::UnexpectedEof,
        };
        Self::new(kind, error)
    }
}

/// Finds records in bytes that arrive in parts.
///
/// A length is checked as soon as its prefix is complete, so at most one record of the greatest length is buffered, and
/// what was fed after it. To read values that are larger than memory, use
/// [`StreamDecoder::with_length`](crate::stream::StreamDecoder::with_length).
///
/// ```
/// use varbytes::Decoder;
/// use varbytes::record::{Framing, RecordDecoder};
///
/// let mut records = RecordDecoder::new(Framing::new(1000));
/// let mut values = Vec::new();
/// // What a socket receives: parts of two records.
/// for received in [&[8, 0, 0, 0, 2, 0, 0][..], &[0, 7, 0, 0, 0, 4, 0], &[0, 0, 0, 0, 0, 0]] {
///     records.feed(received);
///     while let Some(record) = records.next()? {
///         values.push(Decoder::untrusted(record).decode(record)?);
///     }
/// }
/// assert_eq!(values, [varbytes::Variant::from(7), ().into()]);
/// assert!(!records.is_within_record());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordDecoder {
    framing: Framing,
    bytes: Vec<u8>,
    /// The start of the next record in `bytes`.
    next: usize,
    /// The offset of `bytes` in the stream.
    offset: u64,
}

impl RecordDecoder {
    /// Creates a decoder without any bytes.
    ///
    /// [`RecordDecoder`] has an example.
    #[must_use]
    pub const fn new(framing: Framing) -> Self {
        Self { framing, bytes: Vec::new(), next: 0, offset: 0 }
    }

    /// Adds the next bytes of the stream.
    ///
    /// [`RecordDecoder`] has an example.
    pub fn feed(&mut self, bytes: &[u8]) {
        // Each byte is moved at most once for each time that the buffer doubles.
        if self.next > 0 && self.next >= self.bytes.len() / 2 {
            self.bytes.drain(..self.next);
            self.offset += self.next as u64;
            self.next = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the bytes of the next record without its length, or `None` if more bytes are needed.
    ///
    /// [`RecordDecoder`] has an example.
    ///
    /// # Errors
    /// [`RecordError`] if the record is longer than the limit. Then every call returns it: the stream has no further
    /// records that could be found.
    #[expect(clippy::should_implement_trait, reason = "`None` does not end the iteration, and the record is borrowed")]
    pub fn next(&mut self) -> Result<Option<&[u8]>, RecordError> {
        let unread = self.unread();
        let Some(prefix) = unread.first_chunk() else { return Ok(None) };
        let offset = self.offset + self.next as u64;
        let length = self.framing.length(*prefix).map_err(|error| error.at(offset))?;
        if unread.len() - PREFIX < length {
            return Ok(None);
        }
        let start = self.next + PREFIX;
        self.next = start + length;
        Ok(Some(&self.bytes[start..self.next]))
    }

    /// Returns the bytes that were fed and belong to no returned record.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordDecoder};
    ///
    /// let mut records = RecordDecoder::new(Framing::new(1000));
    /// records.feed(&[4, 0, 0, 0, 0, 0, 0, 0, 8, 0]);
    /// assert!(records.next()?.is_some());
    /// assert_eq!(records.unread(), [8, 0]);
    /// # Ok::<(), varbytes::record::RecordError>(())
    /// ```
    #[must_use]
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.next..]
    }

    /// Returns whether bytes were fed that belong to no returned record. If [`next`](Self::next) has returned `None`,
    /// they are a record that is not complete. At the end of a stream, it is cut off, which [`finish`](Self::finish)
    /// reports.
    ///
    /// [`RecordDecoder`] has an example.
    #[must_use]
    pub fn is_within_record(&self) -> bool {
        !self.unread().is_empty()
    }

    /// Checks that the bytes that were fed end with a whole record.
    ///
    /// ```
    /// use varbytes::record::{Framing, RecordDecoder};
    ///
    /// let mut records = RecordDecoder::new(Framing::new(1000));
    /// records.feed(&[8, 0, 0, 0, 2, 0]);
    /// assert_eq!(records.next()?, None);
    /// let error = records.finish().unwrap_err();
    /// assert_eq!(error.to_string(), "a record of 8 bytes is cut off after 2, at offset 0");
    /// # Ok::<(), varbytes::record::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordError`] if a record is cut off, or longer than the limit.
    pub fn finish(&self) -> Result<(), RecordError> {
        self.framing.check_end(self.unread(), self.offset + self.next as u64)
    }
}
