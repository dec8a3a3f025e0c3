//! Access to the members of an array that are all floats of 4 bytes, as in the positions of a game.

use core::slice;

use serde_core::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

use crate::error::DecodeError;
use crate::float::widen;
use crate::path::Step;
use crate::serde::error::{located, refuse_left};
use crate::serde::forward::forward_to_reader;
use crate::serde::reader::{Mode, ValueReader};
use crate::wire::WORD;

/// The bytes of a float: its header and its value.
type Encoded = [u8; 2 * WORD];

/// The members of an array that has been checked and moved past.
pub(super) struct Floats<'r, 't, 'o, M> {
    reader: &'r mut ValueReader<'t, 'o, M>,
    floats: slice::Iter<'t, Encoded>,
    index: usize,
}

impl<'r, 't, 'o, M> Floats<'r, 't, 'o, M> {
    /// Passes floats that precede the position of the reader to a visitor.
    #[inline(always)]
    pub(super) fn read<'de, V: Visitor<'de>>(
        reader: &'r mut ValueReader<'t, 'o, M>,
        floats: &'t [Encoded],
        visitor: V,
    ) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        let mut floats = Self { reader, floats: floats.iter(), index: 0 };
        let value = visitor.visit_seq(&mut floats)?;
        refuse_left(floats.index, floats.floats.len())?;
        Ok(value)
    }

    #[cold]
    fn at_member(&self, error: DecodeError) -> DecodeError {
        let start = self.reader.position() - size_of::<Encoded>() * (self.floats.len() + 1);
        located(error, start).within(Step::Index(self.index - 1))
    }
}

impl<'de, 't, M: Mode<'t, 'de>> SeqAccess<'de> for &mut Floats<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        let Some(float) = self.floats.next() else { return Ok(None) };
        self.index += 1;
        let left = self.floats.len();
        // Taken from the whole, because floats that are loaded as such are written to memory before they are read from
        // there in pairs, and that waits.
        let bits = (u64::from_le_bytes(*float) >> 32) as u32;
        match seed.deserialize(Float { reader: self.reader, value: f32::from_bits(bits), left }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.at_member(error)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.floats.len())
    }
}

/// A float. What does not ask for one reads it again.
struct Float<'r, 't, 'o, M> {
    reader: &'r mut ValueReader<'t, 'o, M>,
    value: f32,
    /// The number of floats between it and the position of the reader.
    left: usize,
}

impl<'t, 'o, M> Float<'_, 't, 'o, M> {
    /// Reads the float again.
    fn read_by<T>(
        self,
        read: impl FnOnce(&mut ValueReader<'t, 'o, M>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let end = self.reader.position();
        self.reader.move_to(end - size_of::<Encoded>() * (self.left + 1));
        let value = read(self.reader);
        self.reader.move_to(end);
        value
    }
}

impl<'de, 't, M: Mode<'t, 'de>> Deserializer<'de> for Float<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_f32(self.value)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_f64(widen(self.value))
    }

    forward_to_reader! { deserialize_identifier() }
}
