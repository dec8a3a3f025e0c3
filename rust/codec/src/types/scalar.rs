//! `Nil`, `bool`, `int`, `float` and `RID`.

use crate::VariantType;
use crate::build::builder::Builder;
use crate::error::{DecodeError, EncodeErrorKind};
use crate::float::{narrow, narrow_exactly, widen};
use crate::profile::Numbers;
use crate::read::input::Input;
use crate::wire::{FLAG_WIDE, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;

const WIDE_IN_STRICT: &str = "8 bytes for a number that fits in 4";

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn read_bool(&mut self) -> Result<B::Value, DecodeError> {
        let offset = self.cursor.position();
        let word = self.cursor.u32()?;
        let first_odd_byte = if word & 0xFE != 0 { 0 } else { ((word & !0xFF).trailing_zeros() / 8) as usize };
        self.require(word <= 1, offset + first_odd_byte, "bool other than 0 and 1")?;
        Ok(self.builder.bool(word != 0))
    }

    pub(crate) fn read_int(&mut self, flags: u32) -> Result<B::Value, DecodeError> {
        let offset = self.cursor.position();
        let numbers = self.options.profile.numbers();
        let value = if flags & FLAG_WIDE == 0 || numbers == Numbers::Narrow {
            self.require(
                numbers != Numbers::WideInts,
                flag_byte(offset),
                "4 bytes for an int, which this engine always writes in 8",
            )?;
            i64::from(self.cursor.u32()?.cast_signed())
        } else {
            let value = self.cursor.u64()?.cast_signed();
            let has_to_be = i32::try_from(value).is_err() || numbers == Numbers::WideInts;
            self.require(has_to_be, flag_byte(offset), WIDE_IN_STRICT)?;
            value
        };
        Ok(self.builder.int(value))
    }

    pub(crate) fn read_float(&mut self, flags: u32) -> Result<B::Value, DecodeError> {
        let offset = self.cursor.position();
        let numbers = self.options.profile.numbers();
        let value = if flags & FLAG_WIDE == 0 || numbers == Numbers::Narrow {
            let value = f32::from_bits(self.cursor.u32()?);
            let returns = numbers == Numbers::Narrow && narrow(widen(value)).to_bits() == value.to_bits();
            self.require(returns || !value.is_nan(), flag_byte(offset), "NaN in a non-canonical form")?;
            widen(value)
        } else {
            let value = f64::from_bits(self.cursor.u64()?);
            self.require(narrow_exactly(value).is_none(), flag_byte(offset), WIDE_IN_STRICT)?;
            value
        };
        Ok(self.builder.float(value))
    }

    pub(crate) fn read_rid(&mut self) -> Result<B::Value, DecodeError> {
        let id = if self.options.profile.has_rid_payload() { self.cursor.u64()? } else { 0 };
        Ok(self.builder.rid(id))
    }
}

/// Returns the offset of the header byte that has the wide flag, given the offset of the payload.
const fn flag_byte(payload: usize) -> usize {
    payload - WORD + 2
}

impl<S: Sink> Writer<'_, S> {
    /// Writes `null`: 4 bytes. [Example](Self)
    pub fn nil(&mut self) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Nil, 0)
    }

    /// Writes a `bool`: 8 bytes. [Example](Self)
    pub fn bool(&mut self, value: bool) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::Bool, 0)?;
        self.word(u32::from(value));
        Ok(())
    }

    /// Writes an `int`: 8 bytes, or 12 if the value does not fit in 32 bits. Godot 3.0 always writes 12.
    /// [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::IntTooWide`] before Godot 3.0, whose ints have 32 bits.
    #[inline]
    pub fn int(&mut self, value: i64) -> Result<(), EncodeErrorKind> {
        let numbers = self.options.profile.numbers();
        match i32::try_from(value) {
            Ok(narrow) if numbers != Numbers::WideInts => {
                self.header_and_word(VariantType::Int, narrow.cast_unsigned())?;
            }
            Err(_) if numbers == Numbers::Narrow => return Err(EncodeErrorKind::IntTooWide { value }),
            _ => {
                self.header(VariantType::Int, FLAG_WIDE)?;
                self.sink.put(&value.to_le_bytes());
            }
        }
        Ok(())
    }

    /// Writes a `float`: 8 bytes, or 12 for NaN and values that 32 bits cannot represent exactly. Before Godot 3.0 it
    /// is always 8 bytes, and precision is lost. [Example](Self)
    #[inline]
    pub fn float(&mut self, value: f64) -> Result<(), EncodeErrorKind> {
        if let Some(exact) = narrow_exactly(value) {
            self.header_and_word(VariantType::Float, exact.to_bits())?;
        } else if self.options.profile.numbers() == Numbers::Narrow {
            self.header_and_word(VariantType::Float, narrow(value).to_bits())?;
        } else {
            self.header(VariantType::Float, FLAG_WIDE)?;
            self.sink.put(&value.to_le_bytes());
        }
        Ok(())
    }

    /// Writes an `RID`: 12 bytes. Before Godot 4, only the header. [Example](Self)
    pub fn rid(&mut self, id: u64) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::RID, 0)?;
        if self.options.profile.has_rid_payload() {
            self.sink.put(&id.to_le_bytes());
        }
        Ok(())
    }
}
