//! `String`, `StringName`, and the string field, which encodes all text.

use alloc::vec::Vec;

use crate::build::ascii::Ascii;
use crate::build::builder::Builder;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::profile::{TextReading, TextWriting, UndefinedPadding};
use crate::read::input::Input;
use crate::read::window::{Alphabet, alphabet};
use crate::single::Single;
use crate::types::{lenient_utf8, utf32};
use crate::variant::{Text, is_surrogate, joined};
use crate::wire::{BYTE_ORDER_MARK, WORD, padded, padding};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{VariantType, work};

/// Refuses text that every engine would cut.
#[inline(always)]
pub(crate) fn refuse_nul(text: &str) -> Result<(), EncodeErrorKind> {
    if !text.as_bytes().contains(&0) {
        return Ok(());
    }
    Err(EncodeErrorKind::NulInText { position: text.find('\0').unwrap_or_default() })
}

/// Refuses text that every engine would cut, or read without its byte order mark.
#[cfg(feature = "serde")]
pub(crate) fn refuse_unreadable(text: &str) -> Result<(), EncodeErrorKind> {
    if text.as_bytes().starts_with(BYTE_ORDER_MARK) {
        return Err(EncodeErrorKind::ByteOrderMark);
    }
    refuse_nul(text)
}

pub(crate) enum ReadText<'a> {
    /// Text of the input, unchanged.
    Borrowed(&'a str),
    /// Text that differs from the bytes of the input: not Unicode, or an overlong encoding.
    Owned(Text),
}

impl ReadText<'_> {
    pub(crate) fn into_text(self) -> Text {
        match self {
            Self::Borrowed(text) => Text::without_nul(text),
            Self::Owned(text) => text,
        }
    }
}

/// Returns the first `length` bytes of `rest` if they are followed by their padding.
#[inline(always)]
pub(crate) fn complete_field(rest: &[u8], length: usize) -> Option<&[u8]> {
    // The bytes come first: where `usize` has 32 bits, the padding of an untrusted length can overflow.
    rest.get(..length).filter(|_| rest.len() >= padded(length))
}

/// Returns a string of a `PackedStringArray`, which is the first `length` bytes of `rest`, if it is complete, without a byte order
/// mark, and ends with its only NUL: [`Single::Ascii`] or [`Single::NotAscii`].
#[inline(always)]
pub(crate) fn terminated_text(rest: &[u8], length: usize) -> Option<Single<'_>> {
    let (0, text) = complete_field(rest, length)?.split_last()? else { return None };
    work::add_bytes(length);
    match alphabet(text) {
        Alphabet::Ascii => Some(Single::Ascii(text)),
        Alphabet::Other if !text.starts_with(BYTE_ORDER_MARK) => Some(Single::NotAscii(text)),
        Alphabet::Other | Alphabet::WithNul => None,
    }
}

/// Returns the bytes of a string as text, if they are valid UTF-8 and used unchanged.
#[inline(always)]
pub(crate) fn plain_text(bytes: &[u8]) -> Option<&str> {
    work::add_bytes(bytes.len());
    match alphabet(bytes) {
        Alphabet::Ascii => {}
        Alphabet::Other if !bytes.starts_with(BYTE_ORDER_MARK) => {}
        Alphabet::Other | Alphabet::WithNul => return None,
    }
    str::from_utf8(bytes).ok()
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn read_string(&mut self, variant_type: VariantType) -> Result<B::Value, DecodeError> {
        let is_name = variant_type == VariantType::StringName;
        self.charge(if is_name { const { B::COSTS.string_name } } else { const { B::COSTS.string } }, 0)?;
        let text = match self.read_any_text_field(UndefinedPadding::Strings)? {
            ReadText::Borrowed(text) => text,
            ReadText::Owned(text) => return Ok(self.builder.owned_text(variant_type, &text)),
        };
        self.last_text = text.as_bytes();
        Ok(if is_name { self.builder.string_name(text) } else { self.builder.string(text) })
    }

    /// Reads a string field that must be Unicode in every engine: length, UTF-8, padding.
    #[inline]
    pub(crate) fn read_text_field(&mut self) -> Result<&'a str, DecodeError> {
        match self.read_plain_text_field() {
            Some(text) => Ok(text),
            None => self.read_unusual_text_field(),
        }
    }

    /// Reads the name of a class or a property, which nearly always repeats.
    #[inline]
    pub(crate) fn read_name_field(&mut self) -> Result<&'a str, DecodeError> {
        let read = self.read_plain_field(|input, bytes| {
            if let Some(known) = input.known_names.next(bytes) {
                return Some(known);
            }
            let name = plain_text(bytes)?;
            input.known_names.add(name);
            Some(name)
        });
        match read {
            Some(name) => Ok(name),
            None => self.read_unusual_text_field(),
        }
    }

    /// Reads a string field that is complete, valid UTF-8, and used unchanged.
    #[inline]
    pub(crate) fn read_plain_text_field(&mut self) -> Option<&'a str> {
        self.read_plain_field(|_, bytes| plain_text(bytes))
    }

    /// Reads a string field that is complete. `text` checks its bytes.
    #[inline(always)]
    fn read_plain_field(&mut self, text: impl FnOnce(&mut Self, &'a [u8]) -> Option<&'a str>) -> Option<&'a str> {
        let (length, rest) = self.cursor.rest(0).split_first_chunk::<WORD>()?;
        let length = u32::from_le_bytes(*length) as usize;
        if !self.has_fast_path() || length > self.options.limits.string_length {
            return None;
        }
        let text = text(self, complete_field(rest, length)?)?;
        self.memory = self.memory.checked_sub(const { B::COSTS }.text(length))?;
        self.cursor.advance(WORD + padded(length));
        Some(text)
    }

    #[inline(never)]
    fn read_unusual_text_field(&mut self) -> Result<&'a str, DecodeError> {
        let start = self.cursor.position();
        match self.read_any_text_field(UndefinedPadding::Strings)? {
            ReadText::Borrowed(text) => Ok(text),
            ReadText::Owned(_) => Err(DecodeError::new(DecodeErrorKind::NameNotUnicode, start + WORD)),
        }
    }

    pub(crate) fn read_any_text_field(&mut self, location: UndefinedPadding) -> Result<ReadText<'a>, DecodeError> {
        let start = self.cursor.position();
        let bytes = self.read_padded_field(start, location, 0)?;
        if self.options.strict {
            self.refuse_mark(bytes, start)?;
            self.require(!bytes.contains(&0), start, "NUL, which ends the string when it is read")?;
        }
        self.decode_any_text(bytes, start + WORD)
    }

    /// Reads a string field of a `PackedStringArray`, whose length includes a trailing NUL.
    pub(crate) fn read_terminated_text_field(&mut self) -> Result<ReadText<'a>, DecodeError> {
        let start = self.cursor.position();
        let bytes = self.read_padded_field(start, UndefinedPadding::Everywhere, 1)?;
        if self.options.strict {
            let terminated = bytes.split_last().is_some_and(|(last, text)| *last == 0 && !text.contains(&0));
            self.require(terminated, start, "string of a PackedStringArray does not end with exactly one NUL")?;
            self.refuse_mark(bytes, start)?;
        }
        // Usually there is no NUL before the one at the end, so nothing has to be cut off.
        let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        self.check_string_length(text.len(), start)?;
        self.decode_any_text(text, start + WORD)
    }

    /// Reads a string of a `PackedStringArray` that is complete, without a byte order mark, and ends with its only NUL. Otherwise, and
    /// if it is not UTF-8 or a limit is exceeded, reads nothing and returns false.
    #[inline(always)]
    pub(crate) fn read_plain_terminated_text_field(&mut self, strings: &mut B::Strings) -> bool {
        let Some((length, rest)) = self.cursor.rest(0).split_first_chunk::<WORD>() else { return false };
        let length = u32::from_le_bytes(*length) as usize;
        if !self.has_fast_path() || length > self.options.limits.string_length {
            return false;
        }
        let Some(text) = terminated_text(rest, length) else { return false };
        let Some(memory_left) = self.memory.checked_sub(const { B::COSTS }.text(length)) else { return false };
        let is_read = match text {
            Single::Ascii(text) => {
                self.builder.push_ascii_string(strings, Ascii::new(text, text.len(), None));
                true
            }
            Single::NotAscii(text) => self.builder.push_checked_string(strings, text),
            _ => false,
        };
        if is_read {
            self.memory = memory_left;
            self.cursor.advance(WORD + padded(length));
        }
        is_read
    }

    /// Reads a length, the bytes and their padding. `terminators` of the bytes do not count as text.
    fn read_padded_field(
        &mut self,
        start: usize,
        location: UndefinedPadding,
        terminators: usize,
    ) -> Result<&'a [u8], DecodeError> {
        let length = self.cursor.u32()?.cast_signed();
        let Ok(length) = usize::try_from(length) else {
            return Err(DecodeError::new(DecodeErrorKind::NegativeLength { length }, start));
        };
        self.check_string_length(length.saturating_sub(terminators), start)?;
        let is_required = location == UndefinedPadding::NodePaths || self.options.profile.requires_string_padding();
        let required = if is_required { padded(length) } else { length };
        if self.cursor.remaining() < required {
            return Err(self.cursor.truncated(required));
        }
        let bytes = self.cursor.take(length)?;
        self.charge(const { B::COSTS }.text(length), 0)?;
        self.skip_padding(length, start, location)?;
        Ok(bytes)
    }

    fn check_string_length(&self, length: usize, start: usize) -> Result<(), DecodeError> {
        let limit = self.options.limits.string_length;
        if length > limit {
            return Err(DecodeError::new(DecodeErrorKind::StringLimit { limit, length }, start));
        }
        Ok(())
    }

    /// Skips the padding after `length` bytes. It is counted even if it is missing at the end of the input. In strict
    /// reading, refuses missing padding, and padding that is not zero unless engines leave it undefined there.
    pub(crate) fn skip_padding(
        &mut self,
        length: usize,
        start: usize,
        location: UndefinedPadding,
    ) -> Result<(), DecodeError> {
        let offset = self.cursor.position();
        let zeroes = self.cursor.skip_even_past_end(padding(length));
        self.require(zeroes.len() == padding(length), start, "padding is missing")?;
        let undefined = location <= self.options.profile.undefined_padding();
        match zeroes.iter().position(|byte| *byte != 0) {
            Some(odd) if !undefined => self.require(false, offset + odd, "padding other than zero"),
            Some(odd) if self.options.strict && self.options.zero_padding => {
                Err(DecodeError::new(DecodeErrorKind::PaddingNotZero, offset + odd))
            }
            _ => Ok(()),
        }
    }

    fn refuse_mark(&self, text: &[u8], start: usize) -> Result<(), DecodeError> {
        let is_dropped = text.starts_with(BYTE_ORDER_MARK) && !self.options.keeps_marks;
        self.require(!is_dropped, start, "byte order mark, which readers drop")
    }

    /// Decodes `bytes` as the engine does: without a byte order mark unless the options keep it, and only up to the first
    /// NUL. Bytes after it are not checked.
    #[inline]
    pub(crate) fn decode_any_text(&mut self, bytes: &'a [u8], offset: usize) -> Result<ReadText<'a>, DecodeError> {
        let unmarked = bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| !self.options.keeps_marks);
        let mut text = unmarked.unwrap_or(bytes);
        let offset = offset + bytes.len() - text.len();
        if text.contains(&0) {
            text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        }
        match core::str::from_utf8(text) {
            Ok(text) => Ok(ReadText::Borrowed(text)),
            Err(error) if self.text_is_unicode() => {
                Err(DecodeError::new(DecodeErrorKind::InvalidUtf8, offset + error.valid_up_to()))
            }
            Err(_) => self.decode_old_text(text, offset),
        }
    }

    /// Decodes text that is not valid UTF-8, for engines that accept it.
    #[cold]
    fn decode_old_text(&mut self, bytes: &'a [u8], offset: usize) -> Result<ReadText<'a>, DecodeError> {
        // At most one unit per byte, and three bytes for its form as UTF-8.
        self.charge(bytes.len().saturating_mul(2 * WORD), 0)?;
        match lenient_utf8::read(bytes) {
            Ok(text) => {
                self.require(text.is_shortest, offset, "overlong UTF-8 encoding")?;
                let joins = self.options.profile.text_writing() == TextWriting::JoinedSurrogates;
                let kept = !joins || !text.units.iter().any(|unit| is_surrogate(*unit));
                self.require(kept, offset, "surrogate, which is written as a character or a space")?;
                Ok(ReadText::Owned(Text::from_units(&text.units)))
            }
            Err(bad) if self.options.profile.text_reading() == TextReading::Unchecked => {
                self.require(false, offset + bad, "invalid UTF-8, read as an empty string")?;
                Ok(ReadText::Borrowed(""))
            }
            Err(bad) => Err(DecodeError::new(DecodeErrorKind::InvalidUtf8, offset + bad)),
        }
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a `String`: the header and a string field. [Example](Self)
    ///
    /// A NUL or a leading byte order mark is written, as the engine does, but no engine reads it back: decoded text
    /// ends before the first NUL and starts after the byte order mark.
    #[inline]
    pub fn string(&mut self, text: &str) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::String, 0)?;
        self.text_field(text)
    }

    /// Writes a `StringName`: the header and a string field. [Example](Self)
    #[inline]
    pub fn string_name(&mut self, text: &str) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::StringName, 0)?;
        self.text_field(text)
    }

    /// Writes a `String` from UTF-32, the form in which Godot 4 stores text. Units that are not characters are written
    /// as U+FFFD. [Example](Self)
    #[inline]
    pub fn string_utf32(&mut self, text: &[u32]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::String, 0)?;
        self.utf32_field(text, false)
    }

    /// Writes a `StringName` from UTF-32, like [`string_utf32`](Self::string_utf32). [Example](Self)
    #[inline]
    pub fn string_name_utf32(&mut self, text: &[u32]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::StringName, 0)?;
        self.utf32_field(text, false)
    }

    /// Writes a `PackedStringArray` from UTF-32. [Example](Self)
    pub fn packed_strings_utf32<'t>(
        &mut self,
        texts: impl ExactSizeIterator<Item = &'t [u32]>,
    ) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::PackedStringArray, 0)?;
        self.count(texts.len())?;
        for text in texts {
            self.utf32_field(text, true)?;
        }
        Ok(())
    }

    /// Writes a `String` or `StringName` from [`Text`]: the header and a string field. [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::NotUnicode`] if the engine accepts only Unicode.
    pub fn text(&mut self, variant_type: VariantType, text: &Text) -> Result<(), EncodeErrorKind> {
        self.header(variant_type, 0)?;
        self.any_text_field(text, false)
    }

    /// Writes a string field with a trailing NUL.
    #[inline]
    pub(crate) fn any_terminated_text_field(&mut self, text: &Text) -> Result<(), EncodeErrorKind> {
        let Some((length, bytes)) = text.inline() else { return self.any_text_field(text, true) };
        if self.sink.only_counts() {
            self.sink.count(WORD + padded(length + 1));
        } else {
            // Zeroes follow the text.
            self.count(length + 1)?;
            self.sink.put_short_text([], bytes, length + 1);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn any_text_field(&mut self, text: &Text, terminated: bool) -> Result<(), EncodeErrorKind> {
        let Some(units) = text.units() else { return self.bytes_field(text.as_bytes(), terminated) };
        refuse_nul(text)?;
        let without_surrogate = |unit| if is_surrogate(unit) { u32::from(b' ') } else { unit };
        let writing = if self.options.keeps_text { TextWriting::EachUnit } else { self.options.profile.text_writing() };
        let units: Vec<u32> = match writing {
            TextWriting::EachUnit => units.into(),
            TextWriting::JoinedSurrogates => joined(units).map(without_surrogate).collect(),
            TextWriting::Unicode => return Err(EncodeErrorKind::NotUnicode),
        };
        let length = units.iter().map(|unit| lenient_utf8::unit_length(*unit)).sum();
        let put = |writer: &mut Self| units.iter().for_each(|unit| lenient_utf8::write_unit(*unit, writer.sink));
        self.field(length, terminated, put)
    }

    #[inline]
    pub(crate) fn text_field(&mut self, text: &str) -> Result<(), EncodeErrorKind> {
        refuse_nul(text)?;
        self.bytes_field(text.as_bytes(), false)
    }

    #[inline]
    pub(crate) fn bytes_field(&mut self, bytes: &[u8], terminated: bool) -> Result<(), EncodeErrorKind> {
        self.field(bytes.len(), terminated, |writer| writer.sink.put(bytes))
    }

    #[inline]
    pub(crate) fn utf32_field(&mut self, text: &[u32], terminated: bool) -> Result<(), EncodeErrorKind> {
        let length = utf32::utf8_len(text);
        self.field(length, terminated, |writer| writer.sink.put_utf32(text, length))
    }

    /// Writes a length, that many bytes with `put`, and padding. A terminated field ends with a NUL, which the length
    /// includes.
    #[inline(always)]
    fn field(&mut self, length: usize, terminated: bool, put: impl FnOnce(&mut Self)) -> Result<(), EncodeErrorKind> {
        let length = length + usize::from(terminated);
        self.count(length)?;
        put(self);
        if terminated {
            self.sink.put(&[0]);
        }
        self.pad(length);
        Ok(())
    }
}
