//! `String`, `StringName`, `NodePath`, `Signal`, and the string field they are made of.

use alloc::{string::String, vec::Vec};

use super::Builder;
use super::reader::Reader;
use super::sink::Sink;
use super::utf32;
use super::writer::Writer;
use crate::VariantType;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::wire::{BYTE_ORDER_MARK, NODE_PATH_ABSOLUTE, NODE_PATH_MARK, NODE_PATH_PROPERTY, WORD, padding};

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    pub(super) fn read_string(&mut self) -> Result<B::Value, DecodeError> {
        let text = self.read_text_field()?;
        self.last_text = text;
        Ok(self.builder.string(text))
    }

    pub(super) fn read_string_name(&mut self) -> Result<B::Value, DecodeError> {
        let text = self.read_text_field()?;
        self.last_text = text;
        Ok(self.builder.string_name(text))
    }

    pub(super) fn read_signal(&mut self) -> Result<B::Value, DecodeError> {
        let name = self.read_text_field()?;
        let object_id = self.cursor.u64()?;
        Ok(self.builder.signal(name, object_id))
    }

    pub(super) fn read_node_path(&mut self) -> Result<B::Value, DecodeError> {
        let start = self.cursor.position();
        let first = self.cursor.u32()?;
        if first & NODE_PATH_MARK == 0 {
            return Err(DecodeError::new(DecodeErrorKind::ObsoleteNodePath, start));
        }
        let name_count = first & !NODE_PATH_MARK;
        let mut subname_count = self.cursor.u32()?;
        let flags = self.cursor.u32()?;
        let flags_offset = start + 2 * WORD;
        self.require(flags & !NODE_PATH_ABSOLUTE == 0, flags_offset, "NodePath flags other than absolute")?;
        if flags & NODE_PATH_PROPERTY != 0 {
            subname_count = subname_count.wrapping_add(1);
        }
        // The engine adds the two with wrap-around, so a huge subname count can stand for fewer strings.
        let total = name_count.wrapping_add(subname_count);
        let wraps = total < name_count || total < subname_count;
        self.require(!wraps, start, "NodePath with more strings than can be counted")?;
        self.check_count(total, WORD, start)?;
        let mut names = Vec::new();
        let mut subnames = Vec::new();
        for index in 0..total {
            let part = self.read_text_field()?;
            if index < name_count { names.push(part) } else { subnames.push(part) }
        }
        self.charge(total as usize * size_of::<String>(), total as usize)?;
        Ok(self.builder.node_path(flags & NODE_PATH_ABSOLUTE != 0, &names, &subnames))
    }

    /// A string field: length, UTF-8, padding that must be there.
    pub(super) fn read_text_field(&mut self) -> Result<&'a str, DecodeError> {
        let start = self.cursor.position();
        let bytes = self.read_padded_field(start)?;
        if self.options.strict {
            self.require(!bytes.starts_with(BYTE_ORDER_MARK), start, "byte order mark, which readers drop")?;
            self.require(!bytes.contains(&0), start, "NUL, where readers end the string")?;
        }
        self.decode_text(bytes, start + WORD)
    }

    /// A string field of a `PackedStringArray`, where the encoder counts a trailing NUL.
    pub(super) fn read_terminated_text_field(&mut self) -> Result<&'a str, DecodeError> {
        let start = self.cursor.position();
        let bytes = self.read_padded_field(start)?;
        if self.options.strict {
            let terminated = bytes.split_last().is_some_and(|(last, text)| *last == 0 && !text.contains(&0));
            self.require(terminated, start, "string of a PackedStringArray without just one NUL at its end")?;
            self.require(!bytes.starts_with(BYTE_ORDER_MARK), start, "byte order mark, which readers drop")?;
        }
        // Without the NUL that ends it there is most often none, and nothing to be cut off.
        self.decode_text(bytes.strip_suffix(&[0]).unwrap_or(bytes), start + WORD)
    }

    fn read_padded_field(&mut self, start: usize) -> Result<&'a [u8], DecodeError> {
        let length = self.cursor.u32()?.cast_signed();
        let Ok(length) = usize::try_from(length) else {
            return Err(DecodeError::new(DecodeErrorKind::NegativeLength { length }, start));
        };
        let limit = self.options.limits.string_length;
        if length > limit {
            return Err(DecodeError::new(DecodeErrorKind::StringLimit { limit, length }, start));
        }
        let padding = padding(length);
        if self.cursor.remaining() < length + padding {
            return Err(self.cursor.truncated(length + padding));
        }
        let bytes = self.cursor.take(length)?;
        self.charge(length, 0)?;
        let padding_offset = self.cursor.position();
        let zeroes = self.cursor.take(padding)?;
        self.require_zero_padding(zeroes, padding_offset)?;
        Ok(bytes)
    }

    pub(super) fn require_zero_padding(&self, padding: &[u8], offset: usize) -> Result<(), DecodeError> {
        match padding.iter().position(|byte| *byte != 0) {
            None => Ok(()),
            Some(odd) => self.require(false, offset + odd, "padding other than zero"),
        }
    }

    /// The text of `bytes` as the engine takes it: no byte order mark, nothing from the first NUL on, and
    /// only that much of it checked.
    fn decode_text(&self, bytes: &'a [u8], offset: usize) -> Result<&'a str, DecodeError> {
        let (marked, mut text) = match bytes.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => (BYTE_ORDER_MARK.len(), rest),
            None => (0, bytes),
        };
        if text.contains(&0) {
            text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        }
        core::str::from_utf8(text)
            .map_err(|error| DecodeError::new(DecodeErrorKind::InvalidUtf8, offset + marked + error.valid_up_to()))
    }
}

impl<S: Sink> Writer<'_, S> {
    /// `String`: the header and a string field.
    ///
    /// A NUL or a leading byte order mark is written as the engine writes it, although no engine reads it
    /// back: the text ends before the first, and begins after the second.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    #[inline]
    pub fn string(&mut self, text: &str) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::String, 0)?;
        self.text_field(text)
    }

    /// `StringName`: the header and a string field.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    #[inline]
    pub fn string_name(&mut self, text: &str) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::StringName, 0)?;
        self.text_field(text)
    }

    /// `String` from UTF-32, as Godot 4 keeps it; what is no character is written as U+FFFD.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    #[inline]
    pub fn string_utf32(&mut self, text: &[u32]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::String, 0)?;
        self.text_field_utf32(text)
    }

    /// `StringName`, likewise.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    #[inline]
    pub fn string_name_utf32(&mut self, text: &[u32]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::StringName, 0)?;
        self.text_field_utf32(text)
    }

    /// `PackedStringArray` from UTF-32.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    pub fn packed_strings_utf32<'t>(
        &mut self,
        texts: impl ExactSizeIterator<Item = &'t [u32]>,
    ) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::PackedStringArray, 0)?;
        self.count(texts.len())?;
        for text in texts {
            let length = utf32::utf8_len(text);
            self.count(length + 1)?;
            self.sink.put_utf32(text, length);
            self.sink.put(&[0; 4][..1 + padding(length + 1)]);
        }
        Ok(())
    }

    /// `Signal`: a string field and the id of the object, whether or not full objects are written.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    pub fn signal(&mut self, name: &str, object_id: u64) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Signal, 0)?;
        self.text_field(name)?;
        self.sink.put(&object_id.to_le_bytes());
        Ok(())
    }

    /// `NodePath`: two counts, flags, then the names and subnames as string fields.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`].
    pub fn node_path(
        &mut self,
        absolute: bool,
        names: &[impl AsRef<str>],
        subnames: &[impl AsRef<str>],
    ) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::NodePath, 0)?;
        let too_long = |length| EncodeErrorKind::TooLong { length };
        let name_count = i32::try_from(names.len()).map_err(|_| too_long(names.len()))?;
        self.word(name_count.cast_unsigned() | NODE_PATH_MARK);
        self.count(subnames.len())?;
        self.word(if absolute { NODE_PATH_ABSOLUTE } else { 0 });
        names.iter().try_for_each(|name| self.text_field(name.as_ref()))?;
        subnames.iter().try_for_each(|subname| self.text_field(subname.as_ref()))
    }

    #[inline]
    pub(super) fn text_field(&mut self, text: &str) -> Result<(), EncodeErrorKind> {
        self.count(text.len())?;
        self.sink.put(text.as_bytes());
        self.pad(text.len());
        Ok(())
    }

    #[inline]
    fn text_field_utf32(&mut self, text: &[u32]) -> Result<(), EncodeErrorKind> {
        let length = utf32::utf8_len(text);
        self.count(length)?;
        self.sink.put_utf32(text, length);
        self.pad(length);
        Ok(())
    }

    pub(super) fn terminated_text_field(&mut self, text: &str) -> Result<(), EncodeErrorKind> {
        self.count(text.len() + 1)?;
        self.sink.put(text.as_bytes());
        self.sink.put(&[0]);
        self.pad(text.len() + 1);
        Ok(())
    }
}
