//! Access to the members of arrays and dictionaries, and to enum variants.

use serde_core::Deserialize;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use crate::coerce::member::Member;
use crate::error::DecodeError;
use crate::path::Step;
use crate::serde::error::{located, needs_tree, unexpected};
use crate::serde::forward::forward_to_reader;
use crate::serde::reader::{Mode, ValueReader};

/// The members of an `Array`.
pub(super) struct Elements<'r, 't, 'o, M> {
    pub(super) reader: &'r mut ValueReader<'t, 'o, M>,
    pub(super) member: Member,
    /// The bytes reserved for members that are left of outer containers.
    pub(super) outer: usize,
    pub(super) index: usize,
    /// The offset of the last member.
    pub(super) start: usize,
}

impl<'t, 'o, M> Elements<'_, 't, 'o, M> {
    #[inline(always)]
    pub(super) fn new<'r>(
        reader: &'r mut ValueReader<'t, 'o, M>,
        left: usize,
        member: Member,
    ) -> Elements<'r, 't, 'o, M> {
        let outer = reader.outer(left);
        Elements { reader, member, outer, index: 0, start: 0 }
    }

    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        self.reader.words_left(self.outer)
    }

    #[cold]
    fn at_member(&self, error: DecodeError) -> DecodeError {
        located(error, self.start).within(Step::Index(self.index - 1))
    }
}

impl<'de, 't, M: Mode<'t, 'de>> SeqAccess<'de> for &mut Elements<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if !self.reader.begin_member_after(self.outer) {
            return Ok(None);
        }
        self.start = self.reader.position();
        self.index += 1;
        if !self.reader.fits(self.member, false)? {
            return Err(needs_tree());
        }
        match seed.deserialize(&mut *self.reader) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.at_member(error)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

/// The entries of a `Dictionary`.
pub(super) struct Entries<'r, 't, 'o, M> {
    pub(super) reader: &'r mut ValueReader<'t, 'o, M>,
    pub(super) members: (Member, Member),
    /// The bytes reserved for members that are left of outer containers.
    outer: usize,
    pub(super) index: usize,
    /// The offsets of the last key and the last value.
    key_start: usize,
    value_start: usize,
    /// Names that the next key may have.
    names: &'static [&'static str],
}

impl<'t, 'o, M> Entries<'_, 't, 'o, M> {
    #[inline(always)]
    pub(super) fn new<'r>(
        reader: &'r mut ValueReader<'t, 'o, M>,
        left: usize,
        members: (Member, Member),
        names: &'static [&'static str],
    ) -> Entries<'r, 't, 'o, M> {
        let outer = reader.outer(2 * left);
        Entries { reader, members, outer, index: 0, key_start: 0, value_start: 0, names }
    }

    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        self.reader.words_left(self.outer) / 2
    }

    /// Reads the next key, if there is one.
    #[inline(always)]
    fn key<'de, S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        if !self.reader.begin_member_after(self.outer) {
            return Ok(None);
        }
        self.key_start = self.reader.position();
        if !self.reader.fits(self.members.0, true)? {
            return Err(needs_tree());
        }
        match seed.deserialize(Name { reader: self.reader, names: &mut self.names }) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.at_key(error)),
        }
    }

    #[inline(always)]
    fn value<'de, T>(
        &mut self,
        read: impl FnOnce(&mut ValueReader<'t, '_, M>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        self.value_start = self.reader.position();
        self.reader.begin_member();
        if !self.reader.fits(self.members.1, false)? {
            return Err(needs_tree());
        }
        match read(self.reader) {
            Ok(value) => {
                self.index += 1;
                Ok(value)
            }
            Err(error) => Err(self.at_value(error)),
        }
    }

    #[cold]
    fn at_key(&self, error: DecodeError) -> DecodeError {
        located(error, self.key_start).within(Step::Key(self.index))
    }

    #[cold]
    fn at_value(&self, error: DecodeError) -> DecodeError {
        located(error, self.value_start).within(self.reader.step_to_value(self.index, self.key_start))
    }
}

impl<'de, 't, M: Mode<'t, 'de>> MapAccess<'de> for &mut Entries<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        self.key(seed)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeError> {
        self.value(|reader| seed.deserialize(reader))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

/// An enum variant with content: the key is its name, and the value its content.
impl<'de, 't, M: Mode<'t, 'de>> EnumAccess<'de> for Entries<'_, 't, '_, M> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, Self), DecodeError> {
        match self.key(seed)? {
            Some(name) => Ok((name, self)),
            None => Err(unexpected("a Dictionary with one entry", "an empty Dictionary")),
        }
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

/// An enum variant without content: its name, and the names of all variants.
pub(super) struct Unit<'r, 't, 'o, M>(pub(super) &'r mut ValueReader<'t, 'o, M>, pub(super) &'static [&'static str]);

impl<'de, 't, M: Mode<'t, 'de>> EnumAccess<'de> for Unit<'_, 't, '_, M> {
    type Error = DecodeError;
    type Variant = NoContent;

    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, NoContent), DecodeError> {
        Ok((seed.deserialize(Name { reader: self.0, names: &mut self.1 })?, NoContent))
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

/// A key, or the name of a variant, which probably is one of the names that are expected.
struct Name<'n, 'r, 't, 'o, M> {
    reader: &'r mut ValueReader<'t, 'o, M>,
    /// The names. Those up to the one that is read are removed.
    names: &'n mut &'static [&'static str],
}

impl<'r, 't, 'o, M> Name<'_, 'r, 't, 'o, M> {
    #[inline(always)]
    fn read_by<T>(
        self,
        read: impl FnOnce(&'r mut ValueReader<'t, 'o, M>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        read(self.reader)
    }
}

impl<'de, 't, M: Mode<'t, 'de>> Deserializer<'de> for Name<'_, '_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.reader.take_name(self.names) {
            Some(text) => M::text(visitor, text),
            None => self.reader.deserialize_identifier(visitor),
        }
    }

    forward_to_reader! { deserialize_f32() deserialize_f64() }
}
