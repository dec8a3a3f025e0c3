//! Reading values whose bytes come in pieces.

mod piece;
mod read;
mod scan;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use self::piece::OpenContainer;
pub use self::piece::Piece;
use self::scan::{Progress, Scan, needs};
use crate::decoder::Decoder;
use crate::error::{Category, DecodeError, DecodeErrorKind};
use crate::path::{Path, Step};
use crate::{Limits, Variant, VariantType, work};

/// Reads values whose bytes come in pieces: from a file, a socket or anything else. A value can be larger than memory.
///
/// The outermost `levels` of arrays and dictionaries are entered: their members are given one at a time, whatever
/// those hold. Everything else comes whole, as [`Decoder::decode`] gives it: keys, objects, members of typed containers
/// and what lies deeper. With `levels` 0 each value comes whole.
///
/// A piece is given as soon as its last byte is there, and bytes that cannot be right are an error as soon as they are
/// there, however the input is cut. Nothing is tried twice: reading takes time in proportion to the bytes.
///
/// The [`Limits`] of the decoder hold for the whole value, over all of its pieces, as they do in
/// [`Decoder::decode`]. A size or count that is announced is held against them before its bytes are waited for, so no
/// more than [`Limits::memory`] is ever waited for; [`max_piece`](Self::max_piece) bounds each piece.
///
/// What the engine decides by looking at all of a container is left to the caller: keys that are equal come as often
/// as they stand there. Members of typed containers are converted and left out as in the engine.
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
/// Values that follow each other, such as a socket gives them:
///
/// ```
/// use varbytes::stream::{Piece, StreamDecoder};
/// use varbytes::{Decoder, Limits};
///
/// let mut stream = StreamDecoder::new(Decoder::new().limits(Limits { memory: 1 << 20, ..Limits::NONE }), 0);
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
/// assert_eq!(values, [7.into(), true.into()]);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
#[derive(Debug)]
pub struct StreamDecoder {
    decoder: Decoder,
    levels: usize,
    max_piece: usize,
    /// Bytes at hand, of which those before `read` are done with. In a typed container, at least as many of these stay
    /// as its beginning takes.
    bytes: Vec<u8>,
    read: usize,
    /// Bytes done with that are not at hand any more.
    dropped: usize,
    /// Where the value begins, in all bytes fed.
    start: usize,
    /// Bytes that the value has, where that is known.
    length: Option<usize>,
    /// Bytes in the length of the last value that are still to come.
    skipped: usize,
    /// Bytes from `read` on that have to be there before there is more to say.
    needed: usize,
    /// How far the piece that is not whole yet was looked at.
    scan: Option<Scan>,
    ended: bool,
    /// What is left of the limits for the rest of the value.
    left: Limits,
    open: Vec<OpenContainer>,
    /// Pieces that were read together with the last.
    ready: VecDeque<Piece>,
    finished: bool,
    failed: Option<DecodeError>,
}

impl StreamDecoder {
    /// Reads with the settings of `decoder`, entering containers that are less than `levels` deep: with 0 none, with
    /// 1 the outermost.
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
            left: decoder.options().limits,
            open: Vec::new(),
            ready: VecDeque::new(),
            finished: false,
            failed: None,
        }
    }

    /// Says how many bytes the value has, as the length before a record does. What does not fit in there is an error
    /// at once, the last of these bytes is also the end of the input, and what is fed behind them belongs to the next
    /// value. In strict reading a value that ends before them is an error.
    #[must_use]
    pub fn with_length(mut self, length: u64) -> Self {
        self.set_length(length);
        self
    }

    /// The same for a value that comes after others. To be called before anything of the value is read.
    pub fn set_length(&mut self, length: u64) {
        self.length = Some(usize::try_from(length).unwrap_or(usize::MAX));
    }

    /// The most bytes of input that one piece may take, such as a member. A longer one is refused as soon as it says
    /// how long it is, with [`DecodeErrorKind::MemoryLimit`].
    #[must_use]
    pub fn max_piece(mut self, bytes: usize) -> Self {
        self.max_piece = bytes;
        self
    }

    /// Adds the bytes that come next.
    pub fn feed(&mut self, bytes: &[u8]) {
        let (behind, bytes) = bytes.split_at(self.skipped.min(bytes.len()));
        if !behind.is_empty() {
            self.skipped -= behind.len();
            self.bytes.clear();
            self.start += behind.len();
            (self.read, self.dropped) = (0, self.start);
        }
        let done = self.read - self.open.last().map_or(0, |container| container.for_one.len());
        if done >= self.bytes.len() / 2 {
            work::add_bytes(self.bytes.len() - done);
            self.bytes.drain(..done);
            self.dropped += done;
            self.read -= done;
        }
        work::add_bytes(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Says that no bytes come any more, so that a part that is not all there is an error.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Whether all of the value has been given.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished && self.ready.is_empty() && self.failed.is_none() && self.refused_trailing().is_none()
    }

    /// Goes on to the next value, where the last one is finished. It begins with the bytes that were fed behind that,
    /// or behind its length where that was given; limits, offsets and paths count anew from there.
    pub fn next_value(&mut self) {
        if !self.is_finished() {
            return;
        }
        let behind = self.most().unwrap_or(0);
        let fed = behind.min(self.unread().len());
        self.read += fed;
        self.skipped = behind - fed;
        self.length = None;
        self.start = self.dropped + self.read;
        self.left = self.decoder.options().limits;
        self.finished = false;
    }

    /// Bytes of the value read so far. At the end, what follows the value begins there.
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.dropped + self.read - self.start
    }

    /// The bytes that were fed and not read yet.
    #[must_use]
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.read..]
    }

    /// The next piece; `None` where more bytes are needed, or the value is finished.
    ///
    /// # Errors
    /// Of every [`DecodeErrorKind`], with offset and path from the beginning of the value; that it is truncated
    /// only after [`end`](Self::end) or where its length is known. After an error it is given again.
    #[expect(clippy::should_implement_trait, reason = "an iterator that has paused has nothing more to give")]
    pub fn next(&mut self) -> Result<Option<Piece>, DecodeError> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(Some(piece));
            }
            if let Some(error) = &self.failed {
                return Err(error.clone());
            }
            if let Some(complete) = self.open.pop_if(|container| container.is_complete()) {
                drop(complete);
                self.member_done(None);
                return Ok(Some(Piece::End));
            }
            let advanced = match self.refused_trailing() {
                Some(error) => Err(error),
                None if self.finished => return Ok(None),
                None => self.advance().map_err(|error| self.placed(error)),
            };
            match advanced {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Reads on, where there are bytes enough.
    fn advance(&mut self) -> Result<bool, DecodeError> {
        work::add(1);
        let available = self.at_hand().len();
        let has_all = self.ended || self.most() == Some(available);
        if !has_all && available < self.needed {
            return Ok(false);
        }
        let opens = self.enters() && self.is_container();
        // Strict reading would take padding that has not come for padding that is missing.
        let has_to_scan = self.max_piece < usize::MAX || self.decoder.options().strict && !has_all;
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
            // The known length has no room for what is announced.
            Err(error) if opens && matches!(error.kind(), DecodeErrorKind::CountExceedsInput { .. }) => Err(error),
            // It ends in a way that reading alone knows.
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
        let depth = self.decoder.options().greatest_depth().saturating_sub(self.open.len());
        let typed = if self.is_typed() { self.open.last() } else { None };
        let entry_of = typed.map(|container| container.header.variant_type);
        self.needed = 0;
        self.scan = Some(Scan::new(entry_of, Limits { depth, ..self.left }));
    }

    /// Looks for the end of the next piece; whether it is there.
    fn scan(&mut self) -> Result<bool, DecodeError> {
        let Some(mut scan) = self.scan.take() else { return Ok(true) };
        self.check_depth()?;
        let progress = scan.run(self.at_hand(), self.decoder.options(), self.most());
        self.scan = Some(scan);
        let progress = progress.map_err(|error| self.with_whole_limits(error))?;
        let (Progress::Whole(needed) | Progress::Needs(needed)) = progress;
        self.needed = needed;
        self.check_needed()?;
        Ok(matches!(progress, Progress::Whole(_)))
    }

    /// Refuses to wait for a piece that is too long.
    fn check_needed(&self) -> Result<(), DecodeError> {
        let (limit, offset) = (self.max_piece, self.at_hand().len());
        if self.needed > limit {
            return Err(DecodeError::new(DecodeErrorKind::MemoryLimit { limit }, offset));
        }
        Ok(())
    }

    /// The unread bytes of this value.
    fn at_hand(&self) -> &[u8] {
        let unread = self.unread();
        &unread[..self.most().map_or(unread.len(), |most| most.min(unread.len()))]
    }

    /// How many bytes of the value are left at most, where its length is known.
    fn most(&self) -> Option<usize> {
        self.length.map(|length| length.saturating_sub(self.consumed()))
    }

    /// In strict reading, nothing follows the value in its length.
    fn refused_trailing(&self) -> Option<DecodeError> {
        let count = self.most().filter(|count| self.finished && self.decoder.options().strict && *count > 0)?;
        Some(DecodeError::new(DecodeErrorKind::TrailingBytes { count }, self.consumed()))
    }

    /// Whether an array or a dictionary that comes next is entered.
    fn enters(&self) -> bool {
        let at_key = self.open.last().is_some_and(OpenContainer::is_at_key);
        self.open.len() < self.levels && !at_key && !self.is_typed()
    }

    /// Whether what comes next is an array or a dictionary, or so little of it that this is not known.
    fn is_container(&self) -> bool {
        let Some(header) = self.at_hand().first_chunk() else { return true };
        let variant_type = self.decoder.options().profile.type_of_header(u32::from_le_bytes(*header));
        variant_type.is_some_and(|variant_type| {
            matches!(
                variant_type,
                VariantType::Array | VariantType::Dictionary | VariantType::TypedArray | VariantType::PackedTypedArray
            )
        })
    }

    fn is_typed(&self) -> bool {
        self.open.last().is_some_and(|container| !container.for_one.is_empty())
    }

    /// A member of the innermost container is read; where there is none, the whole value is.
    fn member_done(&mut self, key: Option<Variant>) {
        match self.open.last_mut() {
            None => self.finished = true,
            Some(container) => {
                container.read += 1;
                container.key = key;
            }
        }
    }

    fn check_depth(&self) -> Result<(), DecodeError> {
        let limit = self.decoder.options().greatest_depth();
        if self.open.len() > limit {
            return Err(DecodeError::new(DecodeErrorKind::DepthLimit { limit }, 0));
        }
        Ok(())
    }

    /// The error with offset and path from the beginning of the value. What is read of a typed container is one of
    /// its own, of a single member: the first step leads to that.
    #[cold]
    fn placed(&self, error: DecodeError) -> DecodeError {
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
        let offset = self.consumed() + error.offset();
        error.with_offset(offset).with_path(path)
    }
}
