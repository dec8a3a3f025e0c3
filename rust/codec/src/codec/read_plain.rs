//! The quick way to read what most packets are made of: null, numbers, ordinary text, and containers of such.
//!
//! Whatever else comes, and everything that is not in order, is left to the general way, which says what is wrong
//! with it.

use super::ahead::{Ahead, Ascii, is_ascii_without_nul};
use super::array::ArrayFrame;
use super::builder::{Builder, DuplicateKeys};
use super::convert::{Fit, Member};
use super::dictionary::{DictionaryFrame, Pending};
use super::options::ReadOptions;
use super::reader::{Frame, Item, Reader};
use crate::error::DecodeError;
use crate::float::widen;
use crate::path::{Step, key_text};
use crate::variant::Reals;
use crate::wire::{BYTE_ORDER_MARK, COUNT_SHARED, FLAG_WIDE, WORD, padding};
use crate::{Variant, VariantType};

/// Levels of containers that are read by recursion. Each costs less than a thousand bytes of stack.
pub(super) const RECURSIVE_LEVELS: usize = 16;

/// Reads a packet that is one plain value, and says how many bytes it took.
#[inline(always)]
pub(super) fn read_alone<'a, B: Builder<'a>>(
    bytes: &'a [u8],
    options: &ReadOptions,
    builder: &mut B,
) -> Option<(B::Value, usize)> {
    let mut reader = Reader::new(bytes, options, builder);
    if !reader.reads_plain() {
        return None;
    }
    reader.charge(size_of::<Variant>(), 0).ok()?;
    let value = reader.read_plain(Member::Any)?;
    Some((value, reader.cursor.position()))
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// Whether values may be read in the quick way at all.
    #[inline(always)]
    pub(super) fn reads_plain(&self) -> bool {
        !B::WANTS_SPANS && !self.options.strict
    }

    /// Reads members of the innermost open container as long as they are plain. Gives the container where that
    /// finished it.
    #[inline]
    pub(super) fn read_plain_members(&mut self) -> Result<Option<Item<B::Value>>, DecodeError> {
        let may_be_plain = match self.frames.last() {
            Some(Frame::Array(frame)) => frame.hash.is_none(),
            Some(Frame::Dictionary(frame)) => frame.hash.is_none(),
            Some(Frame::Object(_)) | None => false,
        };
        if !may_be_plain || !self.reads_plain() || self.check_depth(0).is_err() {
            return Ok(None);
        }
        // Out of the list, so that reading can change both.
        let Some(mut frame) = self.frames.pop() else { return Ok(None) };
        let (read, finished) = match &mut frame {
            Frame::Array(frame) => (self.read_plain_elements(frame), frame.read == frame.count),
            Frame::Dictionary(frame) => (self.read_plain_entries(frame), frame.read == frame.count),
            Frame::Object(_) => (Ok(()), false),
        };
        match frame {
            Frame::Array(frame) if finished && read.is_ok() => self.close_array(frame).map(Some),
            Frame::Dictionary(frame) if finished && read.is_ok() => self.close_dictionary(frame).map(Some),
            frame => {
                self.frames.push(frame);
                read.map(|()| None)
            }
        }
    }

    /// Reads elements as long as they are plain.
    #[inline(always)]
    fn read_plain_elements(&mut self, frame: &mut ArrayFrame<'a, B>) -> Result<(), DecodeError> {
        let before = frame.read;
        while frame.read < frame.count {
            let start = self.cursor.position();
            let Some(value) = self.read_plain(frame.member) else { break };
            let pushed = self.builder.push_element(&mut frame.array, value);
            pushed.map_err(|kind| DecodeError::new(kind, start))?;
            frame.read += 1;
        }
        self.owed = self.owed.saturating_sub((frame.read - before) * WORD);
        Ok(())
    }

    /// Reads keys and values as long as they are plain. A key whose value is not is kept; a key that may have come
    /// before is not read, because the general way can look at it.
    #[inline(always)]
    fn read_plain_entries(&mut self, frame: &mut DictionaryFrame<'a, B>) -> Result<(), DecodeError> {
        let hashes = B::DUPLICATE_KEYS != DuplicateKeys::Ignored && !self.options.keys_are_unique && frame.count > 1;
        let mut headers_read = 0;
        while frame.read < frame.count && frame.pending.is_none() {
            let key_start = self.cursor.position();
            let ahead = self.cursor.ahead();
            let hash = if hashes { self.hash_of_key(&ahead) } else { Some(0) };
            let Some(hash) = hash.filter(|hash| !hashes || !self.keys.has(&frame.seen, *hash)) else { break };
            let Some(key) = self.read_plain_ahead(&ahead, frame.key_member) else { break };
            if hashes {
                self.keys.add(&mut frame.seen, hash, frame.count);
            }
            headers_read += 1;
            let start = self.cursor.position();
            let Some(value) = self.read_plain(Member::Any) else {
                frame.pending = Some(Pending { key, key_start, dropped: false, hash: 0, earlier: None });
                break;
            };
            headers_read += 1;
            let pushed = self.builder.push_entry(&mut frame.dictionary, key, value, None);
            pushed.map_err(|kind| DecodeError::new(kind, start))?;
            frame.read += 1;
            if frame.read < frame.count {
                self.builder.begin_entry();
            }
        }
        self.owed = self.owed.saturating_sub(headers_read * WORD);
        Ok(())
    }

    /// Reads the next value, whatever it is. An untyped container is read by recursion, as long as that is not deep.
    pub(super) fn read_any(&mut self) -> Result<B::Value, DecodeError> {
        if let Some(value) = self.read_plain(Member::Any) {
            if self.depth() > 0 {
                self.owed = self.owed.saturating_sub(WORD);
            }
            return Ok(value);
        }
        self.read_not_plain()
    }

    fn read_not_plain(&mut self) -> Result<B::Value, DecodeError> {
        match self.read_shallow() {
            Some(container) => container.map(|item| item.value),
            None => self.read_whole().map(|item| item.value),
        }
    }

    /// Reads an untyped container by recursion, where one comes next and is not deep.
    #[inline]
    pub(super) fn read_shallow(&mut self) -> Option<Result<Item<B::Value>, DecodeError>> {
        let ahead = self.cursor.ahead();
        let (header, count) = (ahead.header(), ahead.payload());
        let is_array = header == self.plain_headers.array;
        if !is_array && header != self.plain_headers.dictionary
            || !ahead.has(2 * WORD)
            || count & COUNT_SHARED != 0
            || self.depth() >= self.recursive_levels
        {
            return None;
        }
        if self.depth() > 0 {
            self.owed = self.owed.saturating_sub(WORD);
        }
        let start = self.cursor.position();
        self.cursor.advance(2 * WORD);
        Some(if is_array { self.read_shallow_array(count, start) } else { self.read_shallow_dictionary(count, start) })
    }

    fn read_shallow_array(&mut self, count: u32, start: usize) -> Result<Item<B::Value>, DecodeError> {
        let mut frame = self.begin_array_of(VariantType::Array, None, Member::Any, (count, false), start)?;
        self.recursive += 1;
        while frame.read < frame.count {
            self.read_plain_elements(&mut frame).map_err(|error| error.within(Step::Index(frame.read)))?;
            if frame.read == frame.count {
                break;
            }
            let member = self.cursor.position();
            let read = self.read_not_plain().and_then(|value| {
                let pushed = self.builder.push_element(&mut frame.array, value);
                pushed.map_err(|kind| DecodeError::new(kind, member))
            });
            read.map_err(|error| error.within(Step::Index(frame.read)))?;
            frame.read += 1;
        }
        self.recursive -= 1;
        self.close_array(frame)
    }

    fn read_shallow_dictionary(&mut self, count: u32, start: usize) -> Result<Item<B::Value>, DecodeError> {
        let mut frame = self.begin_dictionary_of((None, None), (count, false), start)?;
        self.recursive += 1;
        while frame.read < frame.count {
            self.read_plain_entries(&mut frame).map_err(|error| error.within(Step::Key(frame.read)))?;
            if frame.read == frame.count {
                break;
            }
            let Some(pending) = frame.pending.take() else {
                // A key that is not plain, or may have come before.
                self.recursive -= 1;
                return self.read_rest_of(Frame::Dictionary(frame));
            };
            let member = self.cursor.position();
            let read = self.read_not_plain().and_then(|value| {
                let pushed = self.builder.push_entry(&mut frame.dictionary, pending.key, value, None);
                pushed.map_err(|kind| DecodeError::new(kind, member))
            });
            read.map_err(|error| {
                let key = self.leaf_at(pending.key_start).ok();
                error.within(Step::Value(frame.read, key.as_ref().and_then(key_text)))
            })?;
            frame.read += 1;
            if frame.read < frame.count {
                self.builder.begin_entry();
            }
        }
        self.recursive -= 1;
        self.close_dictionary(frame)
    }

    /// The next value, where it is plain and fits; nothing is read otherwise.
    #[inline(always)]
    fn read_plain(&mut self, member: Member) -> Option<B::Value> {
        let ahead = self.cursor.ahead();
        self.read_plain_ahead(&ahead, member)
    }

    #[inline(always)]
    fn read_plain_ahead(&mut self, ahead: &Ahead, member: Member) -> Option<B::Value> {
        let header = ahead.header();
        let headers = &self.plain_headers;
        let fits = |variant_type| member == Member::Any || member.fit(variant_type, false) == Fit::Fits;
        if header == headers.int && ahead.has(2 * WORD) && fits(VariantType::Int) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.int(i64::from(ahead.payload().cast_signed())));
        }
        if header == headers.string && ahead.has(2 * WORD) && fits(VariantType::String) {
            return self.read_plain_text(ahead);
        }
        if header == headers.float && ahead.has(2 * WORD) && fits(VariantType::Float) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.float(widen(f32::from_bits(ahead.payload()))));
        }
        if header == headers.bool && ahead.has(2 * WORD) && fits(VariantType::Bool) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.bool(ahead.payload() != 0));
        }
        if header == headers.nil && ahead.has(WORD) && fits(VariantType::Nil) {
            self.cursor.advance(WORD);
            return Some(self.builder.nil());
        }
        if header == headers.vector3 && ahead.has(4 * WORD) && fits(VariantType::Vector3) {
            self.cursor.advance(4 * WORD);
            let components = ahead.three().map(f32::from_bits);
            return Some(self.builder.reals(VariantType::Vector3, Reals::Single(&components)));
        }
        if header == headers.vector2 && ahead.has(3 * WORD) && fits(VariantType::Vector2) {
            self.cursor.advance(3 * WORD);
            let [x, y, _] = ahead.three().map(f32::from_bits);
            return Some(self.builder.reals(VariantType::Vector2, Reals::Single(&[x, y])));
        }
        if !headers.has_wide || !ahead.has(3 * WORD) {
            return None;
        }
        if header == headers.float | FLAG_WIDE && fits(VariantType::Float) {
            self.cursor.advance(3 * WORD);
            return Some(self.builder.float(f64::from_bits(ahead.wide())));
        }
        if header == headers.int | FLAG_WIDE && fits(VariantType::Int) {
            self.cursor.advance(3 * WORD);
            return Some(self.builder.int(ahead.wide().cast_signed()));
        }
        None
    }

    /// The hash of the next value as a key, where it is a short number or text, as nearly all keys are. Of text that
    /// is not taken as it stands the hash is another one; it is not read here.
    #[inline(always)]
    fn hash_of_key(&mut self, ahead: &Ahead) -> Option<u64> {
        if ahead.header() == self.plain_headers.string {
            return match ahead.short_text() {
                Some(text) => Some(self.keys.hasher.short_text_key(text)),
                None => self.hash_of_text(ahead),
            };
        }
        if ahead.header() == self.plain_headers.int && ahead.has(2 * WORD) {
            return Some(self.keys.hasher.int(i64::from(ahead.payload().cast_signed())));
        }
        None
    }

    #[inline(never)]
    fn hash_of_text(&mut self, ahead: &Ahead) -> Option<u64> {
        let text = self.text_ahead(ahead)?;
        Some(self.keys.hasher.text_key(text))
    }

    /// The bytes of the text that comes next, where they and their padding are all there.
    #[inline(always)]
    fn text_ahead(&self, ahead: &Ahead) -> Option<&'a [u8]> {
        let length = usize::try_from(ahead.payload().cast_signed()).ok()?;
        self.cursor.peek_at(2 * WORD, length, padding(length))
    }

    /// Ordinary text: all there, within the limits, UTF-8, and taken as it stands.
    #[inline(always)]
    fn read_plain_text(&mut self, ahead: &Ahead) -> Option<B::Value> {
        let Some(short) = ahead.short_text().filter(|short| short.is_ascii_without_nul()) else {
            return self.read_longer_text(ahead);
        };
        let bytes = self.text_ahead(ahead)?;
        self.charge_text(short.length)?;
        self.cursor.advance(2 * WORD + short.length + padding(short.length));
        Some(self.builder.ascii_string(Ascii::new(bytes, Some(short))))
    }

    #[inline(never)]
    fn read_longer_text(&mut self, ahead: &Ahead) -> Option<B::Value> {
        let bytes = self.text_ahead(ahead)?;
        let text = if is_ascii_without_nul(bytes) {
            None
        } else if bytes.contains(&0) || bytes.starts_with(BYTE_ORDER_MARK) {
            return None;
        } else {
            Some(str::from_utf8(bytes).ok()?)
        };
        self.charge_text(bytes.len())?;
        self.cursor.advance(2 * WORD + bytes.len() + padding(bytes.len()));
        Some(match text {
            Some(text) => self.builder.string(text),
            None => self.builder.ascii_string(Ascii::new(bytes, None)),
        })
    }

    /// Charges text, unless a limit is in the way.
    #[inline(always)]
    fn charge_text(&mut self, length: usize) -> Option<()> {
        let memory_left = self.memory.checked_sub(length);
        self.memory = memory_left.filter(|_| length <= self.options.limits.string_length)?;
        Some(())
    }
}
