//! Access to the members of arrays and dictionaries, and to enum variants.

use serde_core::Deserialize;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use crate::coerce::member::Member;
use crate::error::DecodeError;
use crate::path::Step;
use crate::serde::error::{located, needs_tree};
use crate::serde::reader::{Mode, ValueReader};

/// The members of an `Array`.
pub(super) struct Elements<'r, 't, 'o, M> {
    pub(super) reader: &'r mut ValueReader<'t, 'o, M>,
    pub(super) member: Member,
    pub(super) index: usize,
    pub(super) left: usize,
}

impl<'de, 't, M: Mode<'t, 'de>> SeqAccess<'de> for &mut Elements<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if self.left == 0 {
            return Ok(None);
        }
        let (start, index) = (self.reader.position(), self.index);
        self.reader.begin_member();
        self.left -= 1;
        self.index += 1;
        if !self.reader.fits(self.member, false)? {
            return Err(needs_tree());
        }
        let value = seed.deserialize(&mut *self.reader);
        value.map(Some).map_err(|error| located(error, start).within(Step::Index(index)))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The entries of a `Dictionary`.
pub(super) struct Entries<'r, 't, 'o, M> {
    pub(super) reader: &'r mut ValueReader<'t, 'o, M>,
    pub(super) members: (Member, Member),
    pub(super) index: usize,
    pub(super) left: usize,
    pub(super) key_start: usize,
}

impl<'t, M> Entries<'_, 't, '_, M> {
    #[inline(always)]
    fn key<'de, S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        self.key_start = self.reader.position();
        self.reader.begin_member();
        self.left -= 1;
        if !self.reader.fits(self.members.0, true)? {
            return Err(needs_tree());
        }
        let key = seed.deserialize(&mut *self.reader);
        key.map_err(|error| located(error, self.key_start).within(Step::Key(self.index)))
    }

    #[inline(always)]
    fn value<'de, T>(
        &mut self,
        read: impl FnOnce(&mut ValueReader<'t, '_, M>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        let start = self.reader.position();
        self.reader.begin_member();
        if !self.reader.fits(self.members.1, false)? {
            return Err(needs_tree());
        }
        let value = read(self.reader)
            .map_err(|error| located(error, start).within(self.reader.step_to_value(self.index, self.key_start)));
        self.index += 1;
        value
    }
}

impl<'de, 't, M: Mode<'t, 'de>> MapAccess<'de> for &mut Entries<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if self.left == 0 { Ok(None) } else { self.key(seed).map(Some) }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeError> {
        self.value(|reader| seed.deserialize(reader))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// An enum variant with content: the key is its name, and the value its content.
impl<'de, 't, M: Mode<'t, 'de>> EnumAccess<'de> for Entries<'_, 't, '_, M> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, Self), DecodeError> {
        let name = self.key(seed)?;
        Ok((name, self))
    }
}

impl<'de, 't, M: Mode<'t, 'de>> VariantAccess<'de> for Entries<'_, 't, '_, M> {
    type Error = DecodeError;

    fn unit_variant(mut self) -> Result<(), DecodeError> {
        self.value(|reader| Deserialize::deserialize(reader))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<S::Value, DecodeError> {
        self.value(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(mut self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.value(|reader| reader.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(mut self, _: &[&str], visitor: V) -> Result<V::Value, DecodeError> {
        self.value(|reader| reader.deserialize_map(visitor))
    }
}

/// An enum variant without content: its name.
pub(super) struct Unit<'r, 't, 'o, M>(pub(super) &'r mut ValueReader<'t, 'o, M>);

impl<'de, 't, M: Mode<'t, 'de>> EnumAccess<'de> for Unit<'_, 't, '_, M> {
    type Error = DecodeError;
    type Variant = NoContent;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, NoContent), DecodeError> {
        Ok((seed.deserialize(self.0)?, NoContent))
    }
}

pub(super) struct NoContent;

impl<'de> VariantAccess<'de> for NoContent {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, DecodeError> {
        Err(DecodeError::invalid_type(Unexpected::Str(""), &"a Dictionary of a variant with content"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        Err(DecodeError::invalid_type(Unexpected::Str(""), &visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &[&str], visitor: V) -> Result<V::Value, DecodeError> {
        Err(DecodeError::invalid_type(Unexpected::Str(""), &visitor))
    }
}
