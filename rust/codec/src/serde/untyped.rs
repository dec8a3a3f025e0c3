//! Reads typed containers from formats that show the newtype structs around them.

use core::fmt;

use serde_core::de::{Deserializer, Error, Visitor};

use crate::VariantType;
use crate::serde::names;

/// A deserializer of a typed container, which is in a newtype struct, or in two if it is a map. Formats that have no such
/// structs give the container itself.
pub(super) struct Untyped<D>(pub(super) D);

/// What is in the newtype structs.
#[derive(Clone, Copy)]
enum Content {
    Seq,
    Tuple(usize),
    Map,
}

/// Passes the content of a newtype struct on.
struct Unwrap<V> {
    visitor: V,
    /// How many newtype structs there are in this one.
    inner: u8,
    content: Content,
}

fn unwrap<'de, D: Deserializer<'de>, V: Visitor<'de>>(
    deserializer: D,
    unwrap: Unwrap<V>,
) -> Result<V::Value, D::Error> {
    deserializer.deserialize_newtype_struct(names::typed_member(VariantType::Nil), unwrap)
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Unwrap<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(formatter)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        match (self.inner.checked_sub(1), self.content) {
            (Some(inner), _) => unwrap(deserializer, Self { inner, ..self }),
            (None, Content::Seq) => deserializer.deserialize_seq(self.visitor),
            (None, Content::Tuple(length)) => deserializer.deserialize_tuple(length, self.visitor),
            (None, Content::Map) => deserializer.deserialize_map(self.visitor),
        }
    }
}

/// Passes the container in an `Option` on.
struct Optional<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Optional<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(formatter)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Untyped(deserializer))
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Untyped<D> {
    type Error = D::Error;

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        unwrap(self.0, Unwrap { visitor, inner: 0, content: Content::Seq })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, D::Error> {
        unwrap(self.0, Unwrap { visitor, inner: 0, content: Content::Tuple(length) })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        unwrap(self.0, Unwrap { visitor, inner: 1, content: Content::Map })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_option(Optional(visitor))
    }

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}
