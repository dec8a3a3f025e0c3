//! The quick way for the values that most packets are made of.

use super::builder::{Builder, DuplicateKeys};
use super::convert::{Fit, Member};
use super::cursor::Cursor;
use super::dictionary::Pending;
use super::options::ReadOptions;
use super::reader::{Frame, Item, Reader};
use super::sink::Sink;
use super::writer::Writer;
use crate::error::DecodeError;
use crate::float::{narrow_exactly, widen};
use crate::profile::Numbers;
use crate::variant::{IN_PLACE, KeyHasher, Place, Reals, Text};
use crate::wire::{BYTE_ORDER_MARK, FLAG_WIDE, WORD, padding};
use crate::{Precision, Profile, Variant, VariantType};

/// What reading a plain value touches, apart from the stack of open containers.
struct Plain<'r, 'a, B> {
    cursor: &'r mut Cursor<'a>,
    builder: &'r mut B,
    memory: &'r mut usize,
    last_text: &'r mut &'a [u8],
    longest: usize,
    headers: PlainHeaders,
}

/// The header words of plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainHeaders {
    nil: u32,
    bool: u32,
    int: u32,
    float: u32,
    string: u32,
    vector2: u32,
    vector3: u32,
    dictionary: u32,
    array: u32,
    /// Whether the engine has the wide forms of `int` and `float`.
    has_wide: bool,
    /// Whether it writes short ints as such.
    has_short_ints: bool,
}

impl PlainHeaders {
    pub(crate) fn of(profile: Profile) -> Self {
        // Every engine has these types; without one, no header would be all ones either.
        let header = |variant_type| profile.type_id(variant_type).map_or(u32::MAX, u32::from);
        Self {
            nil: header(VariantType::Nil),
            bool: header(VariantType::Bool),
            int: header(VariantType::Int),
            float: header(VariantType::Float),
            string: header(VariantType::String),
            vector2: header(VariantType::Vector2),
            vector3: header(VariantType::Vector3),
            dictionary: header(VariantType::Dictionary),
            array: header(VariantType::Array),
            has_wide: profile.numbers() != Numbers::Narrow,
            has_short_ints: profile.numbers() != Numbers::WideInts,
        }
    }
}

/// Reads a packet that is one plain value, and says how many bytes it took, without anything that only containers
/// need. Whatever else it is, and everything that is not in order, is left to the reader.
#[inline(always)]
pub(super) fn read_alone<'a, B: Builder<'a>>(
    bytes: &'a [u8],
    options: &ReadOptions,
    builder: &mut B,
) -> Option<(B::Value, usize)> {
    if B::WANTS_SPANS || options.strict {
        return None;
    }
    let mut cursor = Cursor::new(bytes);
    let mut plain = Plain {
        cursor: &mut cursor,
        builder,
        memory: &mut options.limits.memory.checked_sub(size_of::<Variant>())?,
        last_text: &mut &[][..],
        longest: options.limits.string_length,
        headers: PlainHeaders::of(options.profile),
    };
    let value = plain.read(Member::Any)?;
    Some((value, cursor.position()))
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// Reads members of the innermost container as long as they are plain: null, numbers and ordinary text, of
    /// which most members and nearly all keys are. Gives the container where that finished it. Whatever else
    /// comes, and everything that is not in order, is left to the general way, which says what is wrong with it.
    #[inline]
    pub(super) fn read_plain_members(&mut self) -> Result<Option<Item<B::Value>>, DecodeError> {
        if B::WANTS_SPANS || self.options.strict || self.check_depth(0).is_err() {
            return Ok(None);
        }
        let mut plain = Plain {
            cursor: &mut self.cursor,
            builder: self.builder,
            memory: &mut self.memory,
            last_text: &mut self.last_text,
            longest: self.options.limits.string_length,
            headers: self.plain_headers,
        };
        let mut headers_read = 0;
        let finished = match self.frames.last_mut() {
            Some(Frame::Array(frame)) if frame.hash.is_none() => {
                while frame.read < frame.count {
                    let start = plain.cursor.position();
                    let Some(value) = plain.read(frame.member) else { break };
                    let pushed = plain.builder.push_element(&mut frame.array, value);
                    pushed.map_err(|kind| DecodeError::new(kind, start))?;
                    frame.read += 1;
                    headers_read += 1;
                }
                frame.read == frame.count
            }
            Some(Frame::Dictionary(frame)) if frame.hash.is_none() => {
                let hashes = B::DUPLICATE_KEYS != DuplicateKeys::Ignored && !self.options.keys_are_unique;
                let hashes = hashes && frame.count > 1;
                // A key whose value is not plain is left for the general way to be used; mostly there is none.
                while frame.read < frame.count && frame.pending.is_none() {
                    let key_start = plain.cursor.position();
                    let hash = if hashes { plain.hash_of_key(&mut self.keys.hasher) } else { Some(0) };
                    // What may have come before is looked at in the general way, which can see the key.
                    let Some(hash) = hash.filter(|hash| !hashes || !self.keys.has(&frame.seen, *hash)) else { break };
                    let Some(key) = plain.read(frame.key_member) else { break };
                    if hashes {
                        self.keys.add(&mut frame.seen, hash, frame.count);
                    }
                    headers_read += 1;
                    let start = plain.cursor.position();
                    let Some(value) = plain.read(Member::Any) else {
                        frame.pending = Some(Pending { key, key_start, dropped: false, hash: 0, earlier: None });
                        break;
                    };
                    headers_read += 1;
                    let pushed = plain.builder.push_entry(&mut frame.dictionary, key, value, None);
                    pushed.map_err(|kind| DecodeError::new(kind, start))?;
                    frame.read += 1;
                    if frame.read < frame.count {
                        plain.builder.begin_entry();
                    }
                }
                frame.read == frame.count
            }
            _ => false,
        };
        self.owed = self.owed.saturating_sub(headers_read * WORD);
        if !finished {
            return Ok(None);
        }
        match self.frames.pop() {
            Some(Frame::Array(frame)) => self.close_array(frame).map(Some),
            Some(Frame::Dictionary(frame)) => self.close_dictionary(frame).map(Some),
            _ => Ok(None),
        }
    }
}

impl<'a, B: Builder<'a>> Plain<'_, 'a, B> {
    /// The next value, where it is plain and fits; nothing is read otherwise.
    #[inline(always)]
    fn read(&mut self, member: Member) -> Option<B::Value> {
        let (header, payload) = self.cursor.peek_value()?;
        let fits = |variant_type| member == Member::Any || member.fit(variant_type, false) == Fit::Fits;
        if header == self.headers.int && fits(VariantType::Int) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.int(i64::from(payload.cast_signed())));
        }
        if header == self.headers.string && fits(VariantType::String) {
            return self.string(payload);
        }
        if header == self.headers.float && fits(VariantType::Float) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.float(widen(f32::from_bits(payload))));
        }
        if header == self.headers.bool && fits(VariantType::Bool) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.bool(payload != 0));
        }
        if header == self.headers.nil && fits(VariantType::Nil) {
            self.cursor.advance(WORD);
            return Some(self.builder.nil());
        }
        if header == self.headers.vector3 && fits(VariantType::Vector3) {
            return self.vector::<3>(VariantType::Vector3);
        }
        if header == self.headers.vector2 && fits(VariantType::Vector2) {
            return self.vector::<2>(VariantType::Vector2);
        }
        if !self.headers.has_wide {
            return None;
        }
        if header == self.headers.float | FLAG_WIDE && fits(VariantType::Float) {
            let wide = self.cursor.peek_wide()?;
            self.cursor.advance(3 * WORD);
            return Some(self.builder.float(f64::from_bits(wide)));
        }
        if header == self.headers.int | FLAG_WIDE && fits(VariantType::Int) {
            let wide = self.cursor.peek_wide()?;
            self.cursor.advance(3 * WORD);
            return Some(self.builder.int(wide.cast_signed()));
        }
        None
    }

    /// The hash of the next value as a key, where it is a short number or text, as nearly all keys are. Of text that
    /// is not taken as it stands the hash is another one; it is not read here.
    #[inline(always)]
    fn hash_of_key(&mut self, hasher: &mut KeyHasher) -> Option<u64> {
        let (header, payload) = self.cursor.peek_value()?;
        if header == self.headers.string {
            let length = usize::try_from(payload.cast_signed()).ok()?;
            let text = self.cursor.peek_at(2 * WORD, length, 0)?;
            return Some(hasher.text(VariantType::String, text, Place::Key));
        }
        if header == self.headers.int {
            return Some(hasher.int(i64::from(payload.cast_signed())));
        }
        None
    }

    /// A vector of components of 4 bytes.
    #[inline]
    fn vector<const N: usize>(&mut self, variant_type: VariantType) -> Option<B::Value> {
        let bytes = self.cursor.peek_at(WORD, 4 * N, 0)?;
        let mut components = [0.0; N];
        for (component, bytes) in components.iter_mut().zip(bytes.as_chunks().0) {
            *component = f32::from_le_bytes(*bytes);
        }
        self.cursor.advance(WORD + 4 * N);
        Some(self.builder.reals(variant_type, Reals::Single(&components)))
    }

    /// Ordinary text of that length: all there, within the limits, UTF-8, and taken as it stands.
    #[inline]
    fn string(&mut self, length: u32) -> Option<B::Value> {
        let length = usize::try_from(length.cast_signed()).ok()?;
        let memory_left = self.memory.checked_sub(length).filter(|_| length <= self.longest)?;
        let bytes = self.cursor.peek_at(2 * WORD, length, padding(length))?;
        let value = if is_ascii_without_nul(bytes) {
            self.builder.ascii_string(bytes)
        } else {
            if bytes.contains(&0) || bytes.starts_with(BYTE_ORDER_MARK) {
                return None;
            }
            self.builder.string(str::from_utf8(bytes).ok()?)
        };
        *self.last_text = bytes;
        *self.memory = memory_left;
        self.cursor.advance(2 * WORD + length + padding(length));
        Some(value)
    }
}

/// Writes plain values with nothing looked up for each, and leaves the others to the writer.
pub(super) struct PlainWriter<'s, S: Sink> {
    pub(super) writer: Writer<'s, S>,
    headers: PlainHeaders,
}

impl<'s, S: Sink> PlainWriter<'s, S> {
    pub(super) fn new(writer: Writer<'s, S>) -> Self {
        Self { headers: PlainHeaders::of(writer.options.profile), writer }
    }

    /// Writes a plain value, and leaves any other.
    #[inline(always)]
    pub(super) fn take(&mut self, value: &Variant) -> bool {
        let headers = &self.headers;
        match value {
            Variant::Int(value) => match i32::try_from(*value) {
                Ok(short) if headers.has_short_ints => self.two_words(headers.int, short.cast_unsigned()),
                _ if headers.has_wide => self.wide(headers.int | FLAG_WIDE, value.cast_unsigned()),
                _ => return false,
            },
            Variant::String(text) => match text.in_place() {
                Some((length, bytes)) => self.short_text(headers.string, length, bytes),
                None => return self.long_text(text),
            },
            Variant::Float(value) => match narrow_exactly(*value) {
                Some(exact) => self.two_words(headers.float, exact.to_bits()),
                None if headers.has_wide => self.wide(headers.float | FLAG_WIDE, value.to_bits()),
                None => return false,
            },
            Variant::Bool(value) => self.two_words(headers.bool, u32::from(*value)),
            Variant::Nil => self.put(headers.nil.to_le_bytes()),
            Variant::Vector2(vector) => return self.vector::<12>(headers.vector2, vector.0.as_reals()),
            Variant::Vector3(vector) => return self.vector::<16>(headers.vector3, vector.0.as_reals()),
            _ => return false,
        }
        true
    }

    /// Writes the beginning of a container without a label, as nearly all are; nothing is written otherwise.
    #[inline]
    pub(super) fn begin(&mut self, container: &Variant) -> bool {
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
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        if !self.writer.sink.only_count(N) {
            self.writer.sink.put(&bytes);
        }
    }

    #[inline(always)]
    fn two_words(&mut self, header: u32, word: u32) {
        self.put((u64::from(header) | u64::from(word) << 32).to_le_bytes());
    }

    #[inline(always)]
    fn wide(&mut self, header: u32, payload: u64) {
        let mut bytes = [0; 3 * WORD];
        bytes[..WORD].copy_from_slice(&header.to_le_bytes());
        bytes[WORD..].copy_from_slice(&payload.to_le_bytes());
        self.put(bytes);
    }

    /// Text with the zeroes that follow it in its node, which are its padding.
    #[inline(always)]
    fn short_text(&mut self, header: u32, length: usize, text: &[u8; IN_PLACE]) {
        let whole = 2 * WORD + length + padding(length);
        if self.writer.sink.only_count(whole) {
            return;
        }
        // The length of text in a node is short.
        let head = u64::from(header) | (length as u64) << 32;
        self.writer.sink.put_short_text(head.to_le_bytes(), text, length);
    }

    /// Unicode that a node does not hold in place.
    #[inline]
    fn long_text(&mut self, text: &Text) -> bool {
        let bytes = text.as_bytes();
        let Some(length) = i32::try_from(bytes.len()).ok().filter(|_| text.is_unicode()) else { return false };
        if !self.writer.sink.only_count(2 * WORD + bytes.len() + padding(bytes.len())) {
            self.two_words(self.headers.string, length.cast_unsigned());
            self.writer.sink.put(bytes);
            self.writer.pad(bytes.len());
        }
        true
    }

    /// A vector of components of 4 bytes, in `BYTES` with its header.
    #[inline(always)]
    fn vector<const BYTES: usize>(&mut self, header: u32, reals: Reals<'_>) -> bool {
        let Reals::Single(components) = reals else { return false };
        if self.writer.writes_wide(Precision::Single) {
            return false;
        }
        let mut bytes = [0; BYTES];
        let (first, rest) = bytes.split_at_mut(WORD);
        first.copy_from_slice(&header.to_le_bytes());
        for (place, component) in rest.as_chunks_mut().0.iter_mut().zip(components) {
            *place = component.to_le_bytes();
        }
        self.put(bytes);
        true
    }
}

/// Whether text is of the kind that keys are made of. Eight bytes at a time: most is short.
#[inline]
fn is_ascii_without_nul(bytes: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGHEST_BITS: u64 = ONES << 7;
    // From a byte of 0 the subtraction borrows, and leaves its highest bit set.
    let odd = |word: u64| (word.wrapping_sub(ONES) | word) & HIGHEST_BITS;
    let (words, rest) = bytes.as_chunks::<8>();
    let in_words = words.iter().fold(0, |found, word| found | odd(u64::from_le_bytes(*word)));
    let last = rest.iter().fold(ONES, |last, byte| last << 8 | u64::from(*byte));
    in_words | odd(last) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_in_every_place_is_told_from_ascii() {
        for length in 1..=24 {
            for place in 0..length {
                for byte in 0..=u8::MAX {
                    let mut text = [b'k'; 24];
                    text[place] = byte;
                    let expected = byte != 0 && byte.is_ascii();
                    assert_eq!(is_ascii_without_nul(&text[..length]), expected, "{byte} at {place} of {length}");
                }
            }
        }
        assert!(is_ascii_without_nul(b""));
    }
}
