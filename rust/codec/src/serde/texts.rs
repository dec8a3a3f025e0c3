//! Access to text that is not a value of its own: strings of a `PackedStringArray`, names of properties, and signals.

use alloc::string::{String, ToString};
use core::marker::PhantomData;

use serde_core::de::value::{MapDeserializer, StrDeserializer, StringDeserializer};
use serde_core::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::error::DecodeError;
use crate::path::Step;
use crate::serde::error::located;
use crate::serde::reader::{Mode, ValueReader};
use crate::types::string::ReadText;
use crate::wire::SCRIPT_PROPERTY;

/// Text of the input.
struct InputText<'t, M>(&'t str, PhantomData<M>);

impl<'de, 't, M: Mode<'t, 'de>> Deserializer<'de> for InputText<'t, M> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        M::text(visitor, self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &str, _: &[&str], visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_enum(StrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// The strings of a `PackedStringArray`.
pub(super) struct Strings<'r, 't, 'o, M> {
    pub(super) reader: &'r mut ValueReader<'t, 'o, M>,
    pub(super) index: usize,
    pub(super) left: usize,
}

impl<'de, 't, M: Mode<'t, 'de>> SeqAccess<'de> for &mut Strings<'_, 't, '_, M> {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if self.left == 0 {
            return Ok(None);
        }
        let (start, index) = (self.reader.position(), self.index);
        self.left -= 1;
        self.index += 1;
        let value = match self.reader.input.read_terminated_text_field() {
            Ok(ReadText::Borrowed(text)) => seed.deserialize(InputText(text, PhantomData::<M>)),
            Ok(ReadText::Owned(text)) => seed.deserialize(StringDeserializer::new(text.to_string())),
            Err(error) => return Err(error),
        };
        value.map(Some).map_err(|error| located(error, start).within(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The properties of an object.
pub(super) struct Properties<'r, 't, 'o, M> {
    pub(super) reader: &'r mut ValueReader<'t, 'o, M>,
    pub(super) name: &'t str,
    pub(super) left: usize,
}

impl<'de, 't, M: Mode<'t, 'de>> MapAccess<'de> for &mut Properties<'_, 't, '_, M> {
    type Error = DecodeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let start = self.reader.position();
        self.reader.begin_member();
        let within = |error| located(error, start).within(Step::Part("property name"));
        self.name = self.reader.input.read_text_field().map_err(within)?;
        seed.deserialize(InputText(self.name, PhantomData::<M>)).map(Some).map_err(within)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, DecodeError> {
        self.reader.begin_member();
        let (state, depth) = (self.reader.state(), self.reader.depth);
        let script = if self.name == SCRIPT_PROPERTY { self.reader.check_script() } else { Ok(()) };
        let value = script.and_then(|()| {
            let value = seed.deserialize(&mut *self.reader)?;
            self.reader.find_end(state, depth)?;
            Ok(value)
        });
        value.map_err(|error| {
            self.left = 0;
            self.reader.lost(located(error, state.position).within(Step::Property(self.name.into())))
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The class of an object, and the object for its properties.
pub(super) struct ObjectParts<'r, 't, 'o, M> {
    pub(super) class: Option<String>,
    pub(super) reader: Option<&'r mut ValueReader<'t, 'o, M>>,
}

impl<'de, 't, M: Mode<'t, 'de>> SeqAccess<'de> for ObjectParts<'_, 't, '_, M> {
    type Error = DecodeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if let Some(class) = self.class.take() {
            return seed.deserialize(StringDeserializer::new(class)).map(Some);
        }
        self.reader.take().map(|reader| seed.deserialize(reader)).transpose()
    }
}

/// Passes a signal to a visitor, as the map of its name and the id of its object.
pub(super) fn read_signal<'de, V: Visitor<'de>>(
    name: &str,
    object_id: u64,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    let parts = [("name", SignalPart::Name(name)), ("object_id", SignalPart::ObjectId(object_id))];
    visitor.visit_map(MapDeserializer::new(parts.into_iter()))
}

enum SignalPart<'t> {
    Name(&'t str),
    ObjectId(u64),
}

impl<'de> IntoDeserializer<'de, DecodeError> for SignalPart<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for SignalPart<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::Name(name) => visitor.visit_str(name),
            Self::ObjectId(id) => visitor.visit_u64(id),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
