//! Incremental decoding, for input that arrives in parts or does not fit in memory.
//!
//! ```
//! use varbytes::Decoder;
//! use varbytes::stream::{Piece, StreamDecoder};
//!
//! let mut stream = StreamDecoder::new(Decoder::new(), 0);
//! stream.feed(&[2, 0, 0, 0, 7, 0]);
//! assert_eq!(stream.next()?, None);
//! stream.feed(&[0, 0]);
//! assert_eq!(stream.next()?, Some(Piece::Value(7.into())));
//! # Ok::<(), varbytes::DecodeError>(())
//! ```

mod piece;
mod read;
mod scan;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use self::piece::OpenContainer;
pub use self::piece::Piece;
use self::scan::{Scan, needs};
use crate::decoder::Decoder;
use crate::error::{Category, DecodeError, DecodeErrorKind};
use crate::path::{Path, Step};
use crate::{Limits, Variant, VariantType, work};

/// Decodes values whose bytes arrive in parts, from a file, a socket or another source. A value can be larger than
/// memory.
///
/// The outermost `levels` of arrays and dictionaries are entered: their members are returned one at a time. Everything
/// else is returned whole, as by [`Decoder::decode`]: keys, objects, members of typed containers, and deeper
/// containers. With `levels` 0, each value is returned whole.
///
/// A piece is returned as soon as its last byte has been fed, and malformed bytes are an error as soon as they have
/// been fed, no matter how the input is divided. The time to decode is proportional to the number of bytes.
///
/// The [`Limits`] of the decoder apply to the whole value, as in [`Decoder::decode`]. A size or count in the input is
/// checked against them before its bytes are awaited, so at most [`Limits::memory`] bytes are buffered for a piece.
/// [`max_piece`](Self::max_piece) sets a lower limit. A piece that arrives in parts is charged for what the engine then converts or leaves
/// out, so one that needs nearly all of [`Limits::memory`] can be refused, and accepted if it arrives at once.
///
/// Duplicate keys of dictionaries that are entered are not merged: each is returned, also in strict reading. Members of typed
/// containers are converted and dropped as in the engine.
///
/// ```
/// use std::io::Read;
/// use varbytes::stream::{Piece, StreamDecoder};
/// use varbytes::{Decoder, Variant};
///
/// let save = varbytes::encode(&Variant::from((0..1000).map(Variant::from).collect::<Vec<_>>()))?;
/// let mut file = &save[..];
///
/// let mut stream = StreamDecoder::new(Decoder::new(), 1);
/// let mut sum = 0;
/// let mut bytes = [0; 256];
/// while !stream.is_finished() {
///     match stream.next()? {
///         Some(Piece::Value(Variant::Int(number))) => sum += number,
///         Some(_) => {}
///         None => match file.read(&mut bytes)? {
///             0 => stream.end(),
///             count => stream.feed(&bytes[..count]),
///         },
///     }
/// }
/// assert_eq!(sum, 499_500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Several values in one stream, as from a socket:
///
/// ```
/// use varbytes::stream::{Piece, StreamDecoder};
/// use varbytes::{Decoder, Limits};
///
/// let mut stream = StreamDecoder::new(Decoder::new().limits(Limits::NONE.memory(1 << 20)), 0);
/// let mut values = Vec::new();
/// for received in [&[2, 0, 0, 0, 7, 0][..], &[0, 0, 1, 0, 0, 0, 1, 0, 0, 0]] {
///     stream.feed(received);
///     while let Some(piece) = stream.next()? {
///         if let Piece::Value(value) = piece {
///             values.push(value);
///         }
///         stream.next_value();
///     }
/// }
/// assert_eq!(values, [varbytes::Variant::from(7), true.into()]);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
#[derive(Debug)]
pub struct StreamDecoder {
    decoder: Decoder,
    levels: usize,
    max_piece: usize,
    /// The buffered bytes. Those before `read` are consumed. In a typed container, at least as many consumed bytes are
    /// kept as its header takes.
    bytes: Vec<u8>,
    read: usize,
    /// The number of consumed bytes that are no longer buffered. A stream can be longer than an address space.
    dropped: u64,
    /// The offset of the value in all bytes fed.
    start: u64,
    /// The length of the value in bytes, if it is known.
    length: Option<u64>,
    /// Bytes within the length of the last value that have not been fed yet. They are skipped.
    skipped: u64,
    /// The number of unread bytes that are needed before decoding can continue.
    needed: usize,
    /// The state of the search for the end of an incomplete piece.
    scan: Option<Scan>,
    ended: bool,
    /// The limits for the rest of the value.
    left: Limits,
    open: Vec<OpenContainer>,
    /// Pieces that have been decoded and not returned yet.
    ready: VecDeque<Piece>,
    finished: bool,
    failed: Option<DecodeError>,
}

/// Returns the smaller number.
fn at_most(most: usize, number: u64) -> usize {
    usize::try_from(number).map_or(most, |number| number.min(most))
}

impl StreamDecoder {
    /// Creates a stream decoder with the settings of `decoder`. It enters containers at depths below `levels`: none
    /// with 0, the outermost with 1.
    ///
    /// [`StreamDecoder`] has an example.
    #[must_use]
    pub fn new(decoder: Decoder, levels: usize) -> Self {
        Self {
            decoder,
            levels,
            max_piece: usize::MAX,
            bytes: Vec::new(),
            read: 0,
            dropped: 0,
            start: 0,
            length: None,
            skipped: 0,
            needed: 0,
            scan: None,
            ended: false,
            left: decoder.options.limits,
            open: Vec::new(),
            ready: VecDeque::new(),
            finished: false,
            failed: None,
        }
    }

    /// Sets the length of the value in bytes, for records that are prefixed with their length.
    ///
    /// A value that does not fit in the length is an error as soon as that is known. Bytes after the length belong to
    /// the next value. In strict reading, a value that is shorter than the length is an error.
    ///
    /// ```
    /// use varbytes::Decoder;
    /// use varbytes::stream::{Piece, StreamDecoder};
    ///
    /// let mut stream = StreamDecoder::new(Decoder::new(), 0).with_length(8);
    /// stream.feed(&[2, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    /// assert_eq!(stream.next()?, Some(Piece::Value(7.into())));
    /// stream.next_value();
    /// stream.set_length(8);
    /// assert_eq!(stream.next()?, Some(Piece::Value(true.into())));
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    #[must_use]
    pub fn with_length(mut self, length: u64) -> Self {
        self.set_length(length);
        self
    }

    /// Sets the length of the next value, like [`with_length`](Self::with_length). Call it before any part of the value
    /// is decoded.
    ///
    /// [`with_length`](Self::with_length) has an example.
    pub fn set_length(&mut self, length: u64) {
        self.length = Some(length);
    }

    /// Sets the maximum number of input bytes of one piece, for example a member. A longer piece is refused with
    /// [`DecodeErrorKind::PieceLimit`] as soon as its length is known.
    ///
    /// ```
    /// use varbytes::Decoder;
    /// use varbytes::stream::StreamDecoder;
    ///
    /// let mut stream = StreamDecoder::new(Decoder::new(), 1).max_piece(100);
    /// // An array of a string of 1000 bytes, which have not arrived.
    /// stream.feed(&[28, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0xE8, 3, 0, 0]);
    /// stream.next()?;
    /// assert!(stream.next().is_err());
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    #[must_use]
    pub fn max_piece(mut self, bytes: usize) -> Self {
        self.max_piece = bytes;
        self
    }

    /// Adds the next bytes of the input.
    ///
    /// [`StreamDecoder`] has an example.
    pub fn feed(&mut self, bytes: &[u8]) {
        let (skipped, bytes) = bytes.split_at(at_most(bytes.len(), self.skipped));
        if !skipped.is_empty() {
            self.skipped -= skipped.len() as u64;
            self.bytes.clear();
            self.start += skipped.len() as u64;
            (self.read, self.dropped) = (0, self.start);
        }
        let done = self.read - self.open.last().map_or(0, |container| container.single_member_header.len());
        if done >= self.bytes.len() / 2 {
            work::add_bytes(self.bytes.len() - done);
            self.bytes.drain(..done);
            self.dropped += done as u64;
            self.read -= done;
        }
        work::add_bytes(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Declares the end of the input. After that, an incomplete value is an error.
    ///
    /// [`StreamDecoder`] has an example.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Returns whether the value is complete and all of its pieces have been returned.
    ///
    /// [`StreamDecoder`] has an example.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished && self.ready.is_empty() && self.failed.is_none() && self.trailing_error().is_none()
    }

    /// Starts the next value, if the last one is finished; otherwise does nothing.
    ///
    /// The next value starts after the last one, or after its length if that was set. Limits, offsets and paths start
    /// again from there.
    ///
    /// [`StreamDecoder`] has an example.
    pub fn next_value(&mut self) {
        if !self.is_finished() {
            return;
        }
        let skipped = self.remaining().unwrap_or(0);
        let fed = at_most(self.unread().len(), skipped);
        self.read += fed;
        self.skipped = skipped - fed as u64;
        self.length = None;
        self.start = self.dropped + self.read as u64;
        self.left = self.decoder.options.limits;
        self.finished = false;
    }

    /// Returns the number of bytes of the value that have been decoded. When it is finished, this is its length.
    ///
    /// ```
    /// use varbytes::Decoder;
    /// use varbytes::stream::StreamDecoder;
    ///
    /// let mut stream = StreamDecoder::new(Decoder::new(), 0);
    /// stream.feed(&[2, 0, 0, 0, 7, 0, 0, 0, 1, 0]);
    /// stream.next()?;
    /// assert_eq!((stream.consumed(), stream.unread()), (8, &[1, 0][..]));
    /// # Ok::<(), varbytes::DecodeError>(())
    /// ```
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.offset(0)
    }

    /// Returns the bytes that were fed and have not been decoded yet.
    ///
    /// [`consumed`](Self::consumed) has an example.
    #[must_use]
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    /// Returns the next piece, or `None` if more bytes are needed or the value is finished.
    ///
    /// [`StreamDecoder`] has an example.
    ///
    /// # Errors
    /// Any [`DecodeErrorKind`], with offset and path from the start of the value. [`DecodeErrorKind::Truncated`] is
    /// returned only after [`end`](Self::end) or if the length is known. After an error, every call returns it again.
    #[expect(clippy::should_implement_trait, reason = "`None` does not end the iteration")]
    pub fn next(&mut self) -> Result<Option<Piece>, DecodeError> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(Some(piece));
            }
            if let Some(error) = &self.failed {
                return Err(error.clone());
            }
            if self.open.pop_if(|container| container.is_complete()).is_some() {
                self.finish_member(None);
                return Ok(Some(Piece::End));
            }
            let advanced = match self.trailing_error() {
                Some(error) => Err(error),
                None if self.finished => return Ok(None),
                None => self.advance().map_err(|error| self.with_position(error)),
            };
            match advanced {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Decodes the next part if enough bytes are available. Returns whether it made progress.
    fn advance(&mut self) -> Result<bool, DecodeError> {
        work::add(1);
        let available = self.available().len();
        let has_all = self.ended || self.remaining() == Some(available as u64);
        if !has_all && available < self.needed {
            return Ok(false);
        }
        let limit = self.decoder.options.greatest_depth();
        if self.open.len() > limit {
            return Err(DecodeError::new(DecodeErrorKind::DepthLimit { limit }, 0));
        }
        let opens = self.enters() && self.is_container();
        // Without a scan, strict reading could not tell padding that has not arrived from padding that is missing.
        let has_to_scan = self.max_piece < usize::MAX || self.decoder.options.strict && !has_all;
        if !opens && self.scan.is_none() && has_to_scan {
            self.begin_scan();
        }
        if self.scan.is_some() && !self.scan()? && !has_all {
            return Ok(false);
        }
        match self.read_more() {
            Ok(()) => {
                (self.needed, self.scan) = (0, None);
                Ok(true)
            }
            Err(error) if error.category() != Category::Truncated || has_all => Err(error),
            // The count does not fit in the known length.
            Err(error) if opens && matches!(error.kind(), DecodeErrorKind::CountExceedsInput { .. }) => Err(error),
            // The scan cannot tell where the piece ends; the reader decides with one more byte.
            Err(_) if self.scan.is_some() => {
                self.needed = available + 1;
                Ok(false)
            }
            Err(error) if opens => {
                self.needed = needs(&error);
                self.check_needed()?;
                Ok(false)
            }
            Err(_) => {
                self.begin_scan();
                self.advance()
            }
        }
    }

    fn begin_scan(&mut self) {
        let depth = self.decoder.options.greatest_depth().saturating_sub(self.open.len());
        let typed = if self.is_typed() { self.open.last() } else { None };
        let entry_of = typed.map(|container| container.header.variant_type);
        self.needed = 0;
        self.scan = Some(Scan::new(entry_of, Limits { depth, ..self.left }));
    }

    /// Searches for the end of the next piece. Returns whether all of its bytes are available.
    fn scan(&mut self) -> Result<bool, DecodeError> {
        let Some(mut scan) = self.scan.take() else { return Ok(true) };
        let needed = scan.run(self.available(), &self.decoder.options, self.most());
        let is_complete = scan.is_complete();
        self.scan = Some(scan);
        self.needed = needed.map_err(|error| self.decoder.options.with_whole_limits(error))?;
        self.check_needed()?;
        Ok(is_complete)
    }

    /// Refuses a piece that is longer than the limit.
    fn check_needed(&self) -> Result<(), DecodeError> {
        let (limit, offset) = (self.max_piece, self.available().len());
        if self.needed > limit {
            return Err(DecodeError::new(DecodeErrorKind::PieceLimit { limit }, offset));
        }
        Ok(())
    }

    /// Returns the unread bytes of this value.
    fn available(&self) -> &[u8] {
        let unread = self.unread();
        &unread[..self.remaining().map_or(unread.len(), |most| at_most(unread.len(), most))]
    }

    /// Returns how many bytes of the value have been decoded.
    const fn decoded(&self) -> u64 {
        self.dropped + self.read as u64 - self.start
    }

    /// Returns how many bytes of the value are left, if its length is known.
    fn remaining(&self) -> Option<u64> {
        self.length.map(|length| length.saturating_sub(self.decoded()))
    }

    /// Returns [`remaining`](Self::remaining) as a size in memory.
    fn most(&self) -> Option<usize> {
        self.remaining().map(|most| at_most(usize::MAX, most))
    }

    /// Returns the offset in the value of a position in the unread bytes.
    fn offset(&self, unread: usize) -> usize {
        at_most(usize::MAX, self.decoded().saturating_add(unread as u64))
    }

    /// Returns the error of strict reading for bytes after the value but within its length.
    fn trailing_error(&self) -> Option<DecodeError> {
        let count = self.most().filter(|count| self.finished && self.decoder.options.strict && *count > 0)?;
        Some(DecodeError::new(DecodeErrorKind::TrailingBytes { count }, self.consumed()))
    }

    /// Returns whether the next value is entered if it is an array or a dictionary.
    fn enters(&self) -> bool {
        let at_key = self.open.last().is_some_and(OpenContainer::is_at_key);
        self.open.len() < self.levels && !at_key && !self.is_typed()
    }

    /// Returns whether the next value is an array or a dictionary. Also `true` if its header is not complete yet.
    fn is_container(&self) -> bool {
        let Some(header) = self.available().first_chunk() else { return true };
        let variant_type = self.decoder.options.profile.type_of_header(u32::from_le_bytes(*header));
        variant_type.is_some_and(|variant_type| variant_type.is_container() && variant_type != VariantType::Object)
    }

    fn is_typed(&self) -> bool {
        self.open.last().is_some_and(|container| !container.single_member_header.is_empty())
    }

    /// Counts a member of the innermost container. Outside of all containers, the value is finished.
    fn finish_member(&mut self, key: Option<Variant>) {
        match self.open.last_mut() {
            None => self.finished = true,
            Some(container) => {
                container.read += 1;
                container.key = key;
            }
        }
    }

    /// Returns the error with offset and path from the start of the value. A member of a typed container is read as the
    /// only member of a container, so the first step of the path of `error` is replaced.
    #[cold]
    fn with_position(&self, error: DecodeError) -> DecodeError {
        let mut inner = error.path().steps();
        let mut steps: Vec<Step> = self.open.iter().map(OpenContainer::step).collect();
        if self.is_typed()
            && let Some((first, rest)) = inner.split_first()
        {
            if let (Step::Value(_, key), Some(container), Some(step)) = (first, self.open.last(), steps.last_mut()) {
                *step = Step::Value(container.read / 2, key.clone());
            }
            inner = rest;
        }
        let path: Path = steps.into_iter().chain(inner.iter().cloned()).collect();
        let offset = self.offset(error.offset());
        error.with_offset(offset).with_path(path)
    }
}
