//! Access to the members of arrays and dictionaries, and to enum variants.

use serde_core::Deserialize;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use crate::coerce::member::Member;
use crate::error::DecodeError;
use crate::path::Step;
use crate::serde::error::{located, unexpected};
use crate::serde::expected::Names;
use crate::serde::forward::forward_to_reader;
use crate::serde::reader::{Mode, State, ValueReader};
use crate::wire::WORD;

/// The members of an `Array`.
pub(super) struct Elements<'r, 't, 'o, M> {
    pub(super) reader: &'r mut ValueReader<'t, 'o, M>,
    /// The type that the container declares for its members.
    declared: Member,
    /// The bytes reserved for members that are left of outer containers.
    pub(super) outer: usize,
    pub(super) index: usize,
    /// The offset of the last member.
    pub(super) start: usize,
    /// The depth of the members.
    depth: usize,
}

impl<'r, 't, 'o, M> Elements<'r, 't, 'o, M> {
    #[inline(always)]
    pub(super) fn new(reader: &'r mut ValueReader<'t, 'o, M>, left: usize, declared: Member) -> Self {
        let (outer, depth) = (reader.outer(left), reader.depth);
        Self { reader, declared, outer, index: 0, start: 0, depth }
    }

    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        self.reader.words_left(self.outer)
    }

    /// Moves after the last member, whose type has ignored an error.
    #[cold]
    fn find_end(&mut self, reserved_bytes: usize) -> Result<(), DecodeError> {
        let reserved_words = reserved_bytes / WORD;
        let start = State { position: self.start, reserved_words, ..self.reader.state() };
        self.reader.find_end(start, self.depth)
    }

    /// Returns the error of a member. No other member is read after it.
    #[cold]
    fn at_member(&mut self, error: DecodeError) -> DecodeError {
        self.outer = usize::MAX;
        self.reader.lost(located(error, self.start).within(Step::Index(self.index - 1)))
    }
}

impl<'de, 't, M: Mode<'t, 'de>> SeqAccess<'de> for &mut Elements<'_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if !self.reader.begin_member_after(self.outer) {
            return Ok(None);
        }
        let reserved = self.reader.input.reserved_bytes;
        self.start = self.reader.position();
        self.index += 1;
        self.reader.require_type(self.declared, false)?;
        match seed.deserialize(&mut *self.reader) {
            Ok(value) => {
                if self.reader.is_lost {
                    self.find_end(reserved)?;
                }
                Ok(Some(value))
            }
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
    reader: &'r mut ValueReader<'t, 'o, M>,
    /// The types that the container declares for its keys and values.
    declared: [Member; 2],
    /// The bytes reserved for members that are left of outer containers.
    outer: usize,
    /// The state of the reader before the next key or value. The compiler keeps it in registers while keys are compared,
    /// so that no entry waits until the one before has stored its end.
    state: State,
    /// The number of keys that were begun.
    pub(super) index: usize,
    /// The offsets of the last key and the last value.
    key_start: usize,
    value_start: usize,
    /// Names that the next key may have.
    names: Names,
    /// Whether these are the fields of a struct, which ignores other keys.
    is_struct: bool,
    /// The depth of the keys and values.
    depth: usize,
}

impl<'r, 't, 'o, M> Entries<'r, 't, 'o, M> {
    #[inline(always)]
    pub(super) fn new(
        reader: &'r mut ValueReader<'t, 'o, M>,
        left: usize,
        declared: [Member; 2],
        names: &'static [&'static str],
    ) -> Self {
        let (outer, state) = (reader.outer(2 * left), reader.state());
        let (is_struct, depth) = (!names.is_empty(), reader.depth);
        let names = names.iter();
        Self { reader, declared, outer, state, index: 0, key_start: 0, value_start: 0, names, is_struct, depth }
    }

    /// The entry of an enum variant.
    #[inline(always)]
    pub(super) fn of_variant(
        reader: &'r mut ValueReader<'t, 'o, M>,
        declared: [Member; 2],
        names: &'static [&'static str],
    ) -> Self {
        Self { is_struct: false, ..Self::new(reader, 1, declared, names) }
    }

    #[inline(always)]
    pub(super) fn left(&self) -> usize {
        self.state.reserved_words.saturating_sub(self.outer / WORD) / 2
    }

    /// Reads the next key, if there is one. The value is begun with it.
    #[inline(always)]
    fn key<'de, S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        if self.state.reserved_words <= self.outer / WORD {
            return Ok(None);
        }
        self.state.reserved_words -= 2;
        self.key_start = self.state.position;
        self.index += 1;
        self.reader.require_type(self.declared[0], true)?;
        let start = self.state;
        let (names, is_struct) = (&mut self.names, self.is_struct);
        match seed.deserialize(Name { reader: self.reader, names, state: &mut self.state, is_struct }) {
            Ok(key) => {
                if self.reader.is_lost {
                    self.state = end_of_key(self.reader, start, self.depth)?;
                }
                Ok(Some(key))
            }
            Err(error) => {
                self.outer = usize::MAX;
                Err(self.reader.lost(at_key(error, self.key_start, self.index - 1)))
            }
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
        self.value_start = self.state.position;
        self.reader.set_state(self.state);
        self.reader.require_type(self.declared[1], false)?;
        match read(self.reader) {
            Ok(value) => {
                self.reader.find_end(self.state, self.depth)?;
                self.state = self.reader.state();
                Ok(value)
            }
            Err(error) => {
                self.outer = usize::MAX;
                let error = at_value(error, self.value_start, self.reader, self.index - 1, self.key_start);
                Err(self.reader.lost(error))
            }
        }
    }
}

// The arguments are not references to `Entries`, which would keep it in memory.

/// Returns the state after a key whose type has ignored an error in it.
#[cold]
fn end_of_key<M>(reader: &mut ValueReader<'_, '_, M>, start: State, depth: usize) -> Result<State, DecodeError> {
    // The value is begun with the key.
    let State { reserved_words, .. } = start;
    reader.find_end(State { reserved_words: reserved_words + 1, ..start }, depth)?;
    Ok(State { reserved_words, ..reader.state() })
}

#[cold]
fn at_key(error: DecodeError, start: usize, index: usize) -> DecodeError {
    located(error, start).within(Step::Key(index))
}

#[cold]
fn at_value<M>(
    error: DecodeError,
    start: usize,
    reader: &ValueReader<'_, '_, M>,
    index: usize,
    key_start: usize,
) -> DecodeError {
    located(error, start).within(reader.step_to_value(index, key_start))
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

    #[inline(always)]
    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T, DecodeError> {
        self.value(|reader| T::deserialize(reader))
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

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, NoContent), DecodeError> {
        let Self(reader, variants) = self;
        let mut state = reader.state();
        match seed.deserialize(Name {
            reader: &mut *reader,
            names: &mut variants.iter(),
            state: &mut state,
            is_struct: false,
        }) {
            Ok(name) => {
                reader.set_state(state);
                Ok((name, NoContent))
            }
            Err(error) => Err(reader.lost(error)),
        }
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
    names: &'n mut Names,
    /// The state of the reader before the key, with the value begun.
    state: &'n mut State,
    /// Whether the names are the fields of a struct.
    is_struct: bool,
}

impl<'t, 'o, M> Name<'_, '_, 't, 'o, M> {
    /// Reads a key of any form.
    #[inline(always)]
    fn read_by<T>(
        self,
        read: impl FnOnce(&mut ValueReader<'t, 'o, M>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let reserved_words = self.state.reserved_words;
        self.reader.set_state(State { reserved_words: reserved_words + 1, ..*self.state });
        let key = read(self.reader)?;
        *self.state = State { reserved_words, ..self.reader.state() };
        Ok(key)
    }
}

impl<'de, 't, M: Mode<'t, 'de>> Deserializer<'de> for Name<'_, '_, 't, '_, M> {
    type Error = DecodeError;

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if let Some(name) = self.reader.take_first_name(self.names, self.state) {
            return M::text(visitor, name);
        }
        let (value, names, state) =
            read_other_name(self.reader, self.names.clone(), *self.state, self.is_struct, visitor)?;
        (*self.names, *self.state) = (names, state);
        Ok(value)
    }

    forward_to_reader! { deserialize_f32() deserialize_f64() }
}

/// Reads a key that is not the first of the expected names. Returns what is left of them, and the state after it.
#[inline(never)]
fn read_other_name<'de, 't, M: Mode<'t, 'de>, V: Visitor<'de>>(
    reader: &mut ValueReader<'t, '_, M>,
    names: Names,
    mut state: State,
    is_struct: bool,
    visitor: V,
) -> Result<(V::Value, Names, State), DecodeError> {
    reader.set_state(state);
    let (text, mut names) = reader.take_other_name(names);
    let value = match text {
        Some(text) => M::text(visitor, text)?,
        None => {
            let name = Name { reader: &mut *reader, names: &mut names, state: &mut state, is_struct };
            name.read_by(|reader| match reader.key_without_name() {
                Some(found) if is_struct => {
                    reader.skip()?;
                    // No field has this number. serde's derive ignores such a key, or refuses it.
                    visitor.visit_u64(u64::MAX).map_err(|_: DecodeError| unexpected("the name of a field", found))
                }
                _ => reader.deserialize_identifier(visitor),
            })?
        }
    };
    Ok((value, names, State { reserved_words: state.reserved_words, ..reader.state() }))
}
