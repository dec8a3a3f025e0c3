//! Reading a value that is larger than memory.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::Decoder;
use super::opening::Opening;
use crate::error::{Category, DecodeError, DecodeErrorKind};
use crate::path::{Path, Step, key_text};
use crate::variant::ContainerType;
use crate::{Limits, Variant, VariantType};

/// Reads one value whose bytes come in pieces, container by container, and holds no more of it than one member.
///
/// The outermost `levels` of arrays and dictionaries are entered: their members are given one at a time, whatever
/// those hold. Everything else comes whole, as [`Decoder::decode`] gives it: keys, objects, members of typed containers
/// and what lies deeper. Bytes are asked for when those at hand
/// are not enough, so they can come from a file, a socket or anything else.
///
/// What the engine decides by looking at all of a container is left to the caller: keys that are equal come as often
/// as they stand there. Members of typed containers are converted and left out as in the engine.
///
/// ```
/// use std::io::Read;
/// use varbytes::codec::{Piece, StreamDecoder};
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
#[derive(Debug)]
pub struct StreamDecoder {
    decoder: Decoder,
    levels: usize,
    /// Bytes at hand, of which those before `read` are done with. In a typed container, at least as many of these stay
    /// as its beginning takes.
    bytes: Vec<u8>,
    read: usize,
    /// Bytes done with that are not at hand any more.
    dropped: usize,
    /// Bytes that have to be at hand before reading is tried again. It doubles, so that a long member is begun a few
    /// times and not once for each piece of it.
    wanted: usize,
    ended: bool,
    open: Vec<OpenContainer>,
    /// Pieces that were read together with the last.
    ready: VecDeque<Piece>,
    finished: bool,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Piece {
    /// An array or a dictionary is entered.
    Begin {
        /// `Array`, `Dictionary`, or one of Pandemonium's typed arrays.
        variant_type: VariantType,
        /// The type of the elements or the keys.
        first_type: Option<ContainerType>,
        /// The type of a dictionary's values.
        second_type: Option<ContainerType>,
        /// Elements or entries announced. Nothing has to be reserved for them: they may never come.
        count: usize,
        /// Whether it is "shared", which only Godot 1 and 2 write.
        shared: bool,
    },
    /// The key of an entry; its value comes next, or is entered.
    Key(Variant),
    /// A member of an array, the value of an entry, or the whole value where it is not entered.
    Value(Variant),
    /// The container entered last is complete.
    End,
}

#[derive(Debug)]
struct OpenContainer {
    opening: Opening,
    /// What a container of its type with one element or entry begins with, where it is typed. As long as its own
    /// beginning.
    for_one: Vec<u8>,
    /// Elements, or keys and values, that were read.
    read: usize,
    /// The key read last, for the path of an error.
    key: Option<Variant>,
}

impl OpenContainer {
    fn is_complete(&self) -> bool {
        let entry = if self.opening.is_dictionary() { 2 } else { 1 };
        self.read / entry == self.opening.count
    }

    fn is_at_key(&self) -> bool {
        self.opening.is_dictionary() && self.read.is_multiple_of(2)
    }

    fn step(&self) -> Step {
        match self.opening.is_dictionary() {
            false => Step::Index(self.read),
            true if self.is_at_key() => Step::Key(self.read / 2),
            true => Step::Value(self.read / 2, self.key.as_ref().and_then(key_text)),
        }
    }
}

impl StreamDecoder {
    /// Reads with the settings of `decoder`, entering containers that are less than `levels` deep: with 0 none, with
    /// 1 the outermost. The limits hold for each value that comes whole.
    #[must_use]
    pub fn new(decoder: Decoder, levels: usize) -> Self {
        Self {
            decoder,
            levels,
            bytes: Vec::new(),
            read: 0,
            dropped: 0,
            wanted: 1,
            ended: false,
            open: Vec::new(),
            ready: VecDeque::new(),
            finished: false,
        }
    }

    /// Adds the bytes that come next.
    pub fn feed(&mut self, bytes: &[u8]) {
        let done = self.read - self.open.last().map_or(0, |container| container.for_one.len());
        if done >= self.bytes.len() / 2 {
            self.bytes.drain(..done);
            self.dropped += done;
            self.read -= done;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Says that no bytes come any more, so that a part that is not all there is an error.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Whether all of the value has been given.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished && self.ready.is_empty()
    }

    /// Bytes of the value read so far. At the end, what follows the value begins there.
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.dropped + self.read
    }

    /// The next piece; `None` where more bytes are needed, or the value is finished.
    ///
    /// A member that did not come whole is tried again once twice the bytes are there, or after [`end`](Self::end):
    /// where the sender waits for an answer, say so as soon as all bytes of the value have come.
    ///
    /// # Errors
    /// Of every [`DecodeErrorKind`], with offset and path from the beginning of the value; that it is truncated
    /// only after [`end`](Self::end).
    #[expect(clippy::should_implement_trait, reason = "an iterator that has paused has nothing more to give")]
    pub fn next(&mut self) -> Result<Option<Piece>, DecodeError> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(Some(piece));
            }
            if let Some(complete) = self.open.pop_if(|container| container.is_complete()) {
                drop(complete);
                self.member_done(None);
                return Ok(Some(Piece::End));
            }
            let available = self.bytes.len() - self.read;
            if self.finished || (available < self.wanted && !self.ended) {
                return Ok(None);
            }
            match self.read_more() {
                Ok(()) => self.wanted = 1,
                Err(error) if error.category() == Category::Truncated && !self.ended => {
                    self.wanted = 2 * available.max(1);
                    return Ok(None);
                }
                Err(error) => return Err(self.placed(error)),
            }
        }
    }

    /// Reads the beginning of a container that is entered, or a member that is not.
    fn read_more(&mut self) -> Result<(), DecodeError> {
        let bytes = &self.bytes[self.read..];
        self.check_depth()?;
        let at_key = self.open.last().is_some_and(OpenContainer::is_at_key);
        let enters = self.open.len() < self.levels && !at_key && !self.is_typed();
        if enters && let Some(opening) = Opening::read(bytes, self.decoder.options())? {
            let for_one = if opening.is_typed() { opening.for_one(bytes) } else { Vec::new() };
            self.read += opening.length;
            self.ready.push_back(Piece::Begin {
                variant_type: opening.variant_type,
                first_type: opening.first_type.clone(),
                second_type: opening.second_type.clone(),
                count: opening.count,
                shared: opening.shared,
            });
            self.open.push(OpenContainer { opening, for_one, read: 0, key: None });
            return Ok(());
        }
        if self.is_typed() {
            return self.read_typed();
        }
        let (value, consumed) = self.decode(bytes, self.open.len())?;
        self.read += consumed;
        if at_key {
            self.member_done(Some(value.clone()));
            self.ready.push_back(Piece::Key(value));
        } else {
            self.member_done(None);
            self.ready.push_back(Piece::Value(value));
        }
        Ok(())
    }

    /// Reads the next element or entry as the only one of a container of the same type, which converts it or leaves
    /// it out.
    fn read_typed(&mut self) -> Result<(), DecodeError> {
        let Some(container) = self.open.last() else { return Ok(()) };
        // What stands before it is done with: the container's own beginning, which is as long, or members after that.
        let length = container.for_one.len();
        let start = self.read - length;
        self.bytes[start..self.read].copy_from_slice(&container.for_one);
        let (value, consumed) = self.decode(&self.bytes[start..], self.open.len() - 1).map_err(|error| {
            // Everything typed begins with more bytes than an error can be before.
            let offset = error.offset().saturating_sub(length);
            let inner = error.path().steps().iter().skip(1).cloned().collect::<Path>();
            error.with_offset(offset).with_path(inner)
        })?;
        self.read += consumed - length;
        match value {
            Variant::Dictionary(entries) => {
                for (key, value) in entries.into_entries() {
                    self.ready.extend([Piece::Key(key), Piece::Value(value)]);
                }
                self.member_done(None);
                self.member_done(None);
            }
            Variant::Array(elements) | Variant::TypedArray(elements) | Variant::PackedTypedArray(elements) => {
                self.ready.extend(elements.into_elements().into_iter().map(Piece::Value));
                self.member_done(None);
            }
            _ => {}
        }
        Ok(())
    }

    /// The value that `bytes` begin with, in so many containers, and how many of them it took.
    fn decode(&self, bytes: &[u8], depth: usize) -> Result<(Variant, usize), DecodeError> {
        let limit = self.decoder.options().greatest_depth();
        let limits = Limits { depth: limit.saturating_sub(depth), ..self.decoder.options().limits };
        let decoded = self.decoder.limits(limits).decode_prefix(bytes).map_err(|error| match error.kind() {
            DecodeErrorKind::DepthLimit { .. } => {
                DecodeError::new(DecodeErrorKind::DepthLimit { limit }, error.offset()).with_path(error.path().clone())
            }
            _ => error,
        })?;
        // Padding that is missing may be all that has not come yet.
        if decoded.used > bytes.len() && !self.ended {
            let kind = DecodeErrorKind::Truncated { needed: decoded.used, available: bytes.len() };
            return Err(DecodeError::new(kind, bytes.len()));
        }
        Ok((decoded.value, decoded.consumed))
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

    /// The error with offset and path from the beginning of the value.
    #[cold]
    fn placed(&self, error: DecodeError) -> DecodeError {
        let outer = self.open.iter().map(OpenContainer::step);
        let path = outer.chain(error.path().steps().iter().cloned()).collect();
        let offset = self.consumed() + error.offset();
        error.with_offset(offset).with_path(path)
    }
}
