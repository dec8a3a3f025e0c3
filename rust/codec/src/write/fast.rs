//! The fast path of the writer, for the most common values.

use crate::float::narrow_exactly;
use crate::profile::PlainHeaders;
use crate::variant::{Reals, Text};
use crate::wire::{FLAG_WIDE, WORD, padded};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Precision, Variant};

/// Writes a tree. Common values take the fast path, with headers that are looked up once.
pub(crate) struct TreeWriter<'s, S: Sink> {
    pub(crate) writer: Writer<'s, S>,
    headers: &'static PlainHeaders,
}

impl<'s, S: Sink> TreeWriter<'s, S> {
    pub(crate) fn new(writer: Writer<'s, S>) -> Self {
        Self { headers: writer.options.profile.plain_headers(), writer }
    }

    /// Writes a common value and returns `true`. Writes nothing and returns `false` for any other.
    #[inline(always)]
    pub(crate) fn try_write(&mut self, value: &Variant) -> bool {
        let headers = self.headers;
        match value {
            Variant::Int(value) => match i32::try_from(*value) {
                Ok(short) if headers.has_short_ints => self.two_words(headers.int, short.cast_unsigned()),
                _ if headers.has_wide => self.wide(headers.int | FLAG_WIDE, value.cast_unsigned()),
                _ => return false,
            },
            Variant::String(text) => match text.inline() {
                Some((length, bytes)) => {
                    // Inline text is short, so its length fits. The zeroes after it become its padding.
                    let head = u64::from(headers.string) | (length as u64) << 32;
                    self.writer.sink.put_short_text(head.to_le_bytes(), bytes, length);
                }
                None => return self.long_text(text),
            },
            Variant::Float(value) => match narrow_exactly(*value) {
                Some(exact) => self.two_words(headers.float, exact.to_bits()),
                None if headers.has_wide => self.wide(headers.float | FLAG_WIDE, value.to_bits()),
                None => return false,
            },
            Variant::Bool(value) => self.two_words(headers.bool, u32::from(*value)),
            Variant::Nil => self.writer.sink.put(&headers.nil.to_le_bytes()),
            Variant::Vector2(vector) => return self.vector::<12>(headers.vector2, vector.0.as_reals()),
            Variant::Vector3(vector) => return self.vector::<16>(headers.vector3, vector.0.as_reals()),
            _ => return false,
        }
        true
    }

    /// Returns the length of a common value if the sink only counts bytes.
    #[inline(always)]
    pub(crate) fn length_if_counting(&self, value: &Variant) -> Option<usize> {
        if !self.writer.sink.only_counts() {
            return None;
        }
        let headers = self.headers;
        let wide = |is_short: bool| match is_short {
            true => Some(2 * WORD),
            false => headers.has_wide.then_some(3 * WORD),
        };
        let vector = |reals: Reals<'_>| {
            let is_short = matches!(reals, Reals::Single(_)) && !self.writer.writes_wide(Precision::Single);
            is_short.then_some(WORD + 4 * reals.len())
        };
        match value {
            Variant::Int(value) => wide(headers.has_short_ints && i32::try_from(*value).is_ok()),
            Variant::String(text) => {
                let length = text.as_bytes().len();
                let is_writable = text.is_unicode() && i32::try_from(length).is_ok();
                is_writable.then_some(2 * WORD + padded(length))
            }
            Variant::Float(value) => wide(narrow_exactly(*value).is_some()),
            Variant::Bool(_) => Some(2 * WORD),
            Variant::Nil => Some(WORD),
            Variant::Vector2(value) => vector(value.0.as_reals()),
            Variant::Vector3(value) => vector(value.0.as_reals()),
            _ => None,
        }
    }

    /// Writes the header of an untyped container and returns `true`. Writes nothing and returns `false` for any other.
    #[inline]
    pub(crate) fn try_begin_container(&mut self, container: &Variant) -> bool {
        let (header, count) = match container {
            Variant::Array(array) => (self.headers.array, array.plain_elements().map(<[_]>::len)),
            Variant::Dictionary(dictionary) => (self.headers.dictionary, dictionary.plain_entries().map(<[_]>::len)),
            _ => return false,
        };
        let Some(Ok(count)) = count.map(i32::try_from) else { return false };
        self.two_words(header, count.cast_unsigned());
        true
    }

    #[inline(always)]
    fn two_words(&mut self, header: u32, word: u32) {
        self.writer.sink.put(&(u64::from(header) | u64::from(word) << 32).to_le_bytes());
    }

    #[inline(always)]
    fn wide(&mut self, header: u32, payload: u64) {
        let mut bytes = [0; 3 * WORD];
        bytes[..WORD].copy_from_slice(&header.to_le_bytes());
        bytes[WORD..].copy_from_slice(&payload.to_le_bytes());
        self.writer.sink.put(&bytes);
    }

    /// Writes text that is too long for inline storage, if it is valid Unicode.
    #[inline]
    fn long_text(&mut self, text: &Text) -> bool {
        let bytes = text.as_bytes();
        let Some(length) = i32::try_from(bytes.len()).ok().filter(|_| text.is_unicode()) else { return false };
        let head = u64::from(self.headers.string) | u64::from(length.cast_unsigned()) << 32;
        self.writer.sink.put_padded(head.to_le_bytes(), bytes);
        true
    }

    /// Writes a vector with components of 4 bytes. `BYTES` is its length with the header.
    #[inline(always)]
    fn vector<const BYTES: usize>(&mut self, header: u32, reals: Reals<'_>) -> bool {
        let Reals::Single(components) = reals else { return false };
        if self.writer.writes_wide(Precision::Single) {
            return false;
        }
        self.writer.few_reals::<BYTES>(header, components);
        true
    }
}
