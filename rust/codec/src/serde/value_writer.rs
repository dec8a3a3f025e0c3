//! Where serialized values go.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use serde_core::ser::Serialize;

use crate::error::{EncodeError, EncodeErrorKind};
use crate::options::{ReadOptions, WriteOptions};
use crate::profile::PlainHeaders;
use crate::serde::capture::{Announcement, Capture};
use crate::types::string::refuse_unreadable;
use crate::variant::words_of_text;
use crate::wire::{FLAG_WIDE, MAX_DEPTH, WORD, padded, padding};
use crate::write::fast::TreeWriter;
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Decoder, Variant};

/// The least growth of the buffer, in bytes.
const LEAST_GROWTH: usize = 128;

/// The buffer and the settings, which the serializers of a value and of all its parts share.
pub(super) struct ValueWriter {
    /// What has been written, and space for more.
    pub(super) bytes: Vec<u8>,
    start: usize,
    pub(super) options: WriteOptions,
    pub(super) headers: PlainHeaders,
    name_header: Option<NonZeroU32>,
    /// The number of open containers.
    pub(super) depth: usize,
}

impl ValueWriter {
    #[inline(always)]
    pub(super) fn new(bytes: Vec<u8>, start: usize, options: WriteOptions) -> Self {
        let headers = *options.profile.plain_headers();
        let name_header = if options.names_as_string_names { headers.string_name } else { Some(headers.string) };
        let name_header = name_header.and_then(NonZeroU32::new);
        Self { bytes, start, options, headers, name_header, depth: 0 }
    }

    /// Returns where the first value goes.
    #[inline]
    pub(super) fn output(&mut self) -> Output<'_> {
        Output { position: self.start, writer: self }
    }

    /// Counts a container that is opened. One without members may be a level deeper.
    #[inline(always)]
    pub(super) fn open(&mut self, length: Option<usize>) -> Result<(), EncodeError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH && length != Some(0) && self.options.profile.limits_writing_depth() {
            return Err(EncodeError::new(EncodeErrorKind::DepthLimit { limit: MAX_DEPTH }));
        }
        Ok(())
    }

    /// Writes bytes at a position without enough space.
    #[cold]
    #[inline(never)]
    fn grow_and_put(&mut self, position: usize, bytes: &[u8]) {
        let end = position + bytes.len();
        self.bytes.reserve(end.saturating_sub(self.bytes.len()));
        // In proportion to what has been written, not to what was in the buffer before.
        let written = (position - self.start).max(LEAST_GROWTH);
        let length = (position + written).clamp(end, self.bytes.capacity());
        self.bytes.resize(length, 0);
        if let Some(place) = self.bytes.get_mut(position..end) {
            place.copy_from_slice(bytes);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_and_put_words(&mut self, position: usize, words: u64) {
        self.grow_and_put(position, &words.to_le_bytes());
    }

    /// Writes text of any length at `position`, and returns its end.
    #[inline(never)]
    fn any_text(&mut self, position: usize, header: u32, text: &str) -> Result<usize, EncodeError> {
        const HALF: usize = 16;
        const START: usize = 2 * WORD;
        let length = text.len();
        // Fast path: the first and the last bytes, which may overlap, are all of it.
        let halves = text.as_bytes().first_chunk::<HALF>().zip(text.as_bytes().last_chunk::<HALF>());
        if let Some((first, last)) = halves.filter(|_| length <= 2 * HALF)
            && let (Some(_), Some(_)) = (words_of_text(first), words_of_text(last))
            && let Some(place) = (Output { position, writer: self }).place::<{ START + 2 * HALF }>()
        {
            place[..START].copy_from_slice(&(u64::from(header) | (length as u64) << 32).to_le_bytes());
            place[START + padded(length) - WORD..START + padded(length)].fill(0);
            place[START..START + HALF].copy_from_slice(first);
            place[START + length - HALF..START + length].copy_from_slice(last);
            return Ok(position + START + padded(length));
        }
        let Ok(length) = i32::try_from(text.len()) else {
            return Err(EncodeError::new(EncodeErrorKind::TooLong { length: text.len() }));
        };
        refuse_unreadable(text).map_err(EncodeError::new)?;
        let mut output = Output { position, writer: self };
        output.position = output.reborrow().two_words(header, length.cast_unsigned());
        output.put_slice(text.as_bytes());
        output.put_slice(&[0; 3][..padding(text.len())]);
        Ok(output.position)
    }
}

/// Where the next value goes: a position in the buffer.
///
/// The position is passed on by value, and returned by the value that was written there. So it stays in a register, and
/// a write does not wait until the one before has stored a length.
pub(super) struct Output<'w> {
    pub(super) writer: &'w mut ValueWriter,
    pub(super) position: usize,
}

impl<'w> Output<'w> {
    /// Returns the same place, for a part of the value.
    #[inline(always)]
    pub(super) fn reborrow(&mut self) -> Output<'_> {
        Output { writer: self.writer, position: self.position }
    }

    #[inline(always)]
    pub(super) fn put<const SIZE: usize>(&mut self, bytes: [u8; SIZE]) {
        match self.place() {
            Some(place) => *place = bytes,
            None => self.writer.grow_and_put(self.position, &bytes),
        }
        self.position += SIZE;
    }

    /// Returns the place of the next bytes, if there is enough space.
    #[inline(always)]
    fn place<const SIZE: usize>(&mut self) -> Option<&mut [u8; SIZE]> {
        let end = self.position.wrapping_add(SIZE);
        self.writer.bytes.get_mut(self.position..end).and_then(<[u8]>::first_chunk_mut)
    }

    fn put_slice(&mut self, bytes: &[u8]) {
        let end = self.position + bytes.len();
        match self.writer.bytes.get_mut(self.position..end) {
            Some(place) => place.copy_from_slice(bytes),
            None => self.writer.grow_and_put(self.position, bytes),
        }
        self.position = end;
    }

    /// Writes a value of two words, and returns its end.
    #[inline(always)]
    pub(super) fn two_words(mut self, header: u32, word: u32) -> usize {
        let words = u64::from(header) | u64::from(word) << 32;
        match self.place() {
            Some(place) => *place = words.to_le_bytes(),
            // In a register.
            None => self.writer.grow_and_put_words(self.position, words),
        }
        self.position + 2 * WORD
    }

    /// Writes a value with a payload of 8 bytes, and returns its end.
    #[inline(always)]
    pub(super) fn wide(mut self, header: u32, payload: u64) -> usize {
        self.put((header | FLAG_WIDE).to_le_bytes());
        self.put(payload.to_le_bytes());
        self.position
    }

    /// Writes an int in the form of an engine without short or without wide ints.
    #[cold]
    #[inline(never)]
    pub(super) fn other_int(self, value: i64) -> Result<usize, EncodeError> {
        self.write(|writer| writer.int(value))
    }

    /// Writes any float.
    #[cold]
    #[inline(never)]
    pub(super) fn other_float(self, value: f64) -> Result<usize, EncodeError> {
        self.write(|writer| writer.float(value))
    }

    /// Writes a value with the writer for trees.
    pub(super) fn write(
        mut self,
        write: impl FnOnce(&mut Writer<'_, Self>) -> Result<(), EncodeErrorKind>,
    ) -> Result<usize, EncodeError> {
        let options = self.writer.options;
        write(&mut Writer::new(&mut self, options)).map_err(EncodeError::new)?;
        Ok(self.position)
    }

    #[inline(always)]
    pub(super) fn string(self, text: &str) -> Result<usize, EncodeError> {
        let header = self.writer.headers.string;
        self.text(header, text)
    }

    #[inline(always)]
    fn text(mut self, header: u32, text: &str) -> Result<usize, EncodeError> {
        let end = self.position + 2 * WORD + padded(text.len());
        // Fast path: most names and text, as whole words.
        if let (Some(words), Some(place)) = (words_of_text(text.as_bytes()), self.place::<24>()) {
            let words = [u64::from(header) | (text.len() as u64) << 32, words[0], words[1]];
            for (place, word) in place.as_chunks_mut().0.iter_mut().zip(words) {
                *place = word.to_le_bytes();
            }
            return Ok(end);
        }
        self.writer.any_text(self.position, header, text)
    }

    /// Writes the name of a field or of an enum variant.
    #[inline(always)]
    pub(super) fn name(self, name: &'static str) -> Result<usize, EncodeError> {
        match self.writer.name_header {
            Some(header) => self.text(header.get(), name),
            None => self.other_name(name),
        }
    }

    /// Writes a name as a `StringName` in the form of an engine that does not have the type.
    #[cold]
    #[inline(never)]
    fn other_name(self, name: &str) -> Result<usize, EncodeError> {
        refuse_unreadable(name).map_err(EncodeError::new)?;
        self.write(|writer| writer.string_name(name))
    }

    /// Writes a `Variant` that serde's data model lacks.
    #[cold]
    pub(super) fn variant<T: Serialize + ?Sized>(self, value: &T) -> Result<usize, EncodeError> {
        // The first call announces that the second one is to give the encoded value.
        let _ = value.serialize(Announcement);
        let Capture { profile, encoded } = value.serialize(Capture::default())?;
        let tree = Decoder { options: ReadOptions::exact(profile) }.decode(&encoded);
        self.tree(&tree.map_err(serde_core::ser::Error::custom)?)
    }

    fn tree(mut self, tree: &Variant) -> Result<usize, EncodeError> {
        let (options, depth) = (self.writer.options, self.writer.depth);
        TreeWriter::new(Writer::new(&mut self, options)).write_at(tree, depth)?;
        Ok(self.position)
    }
}

impl Sink for Output<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.put_slice(bytes);
    }
}
