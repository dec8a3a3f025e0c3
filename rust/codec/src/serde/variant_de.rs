//! `Deserialize` for `Variant`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};

use crate::serde::{handover, names};
use crate::variant::{Array, Dictionary, Text};
use crate::{Decoder, Variant};

/// Deserializes a value of any type. [`from_bytes`](crate::from_bytes) returns the same value as
/// [`decode`](crate::decode). Other formats must describe themselves; a sequence becomes an `Array`, and a map a
/// `Dictionary`.
///
/// Serde holds the content of untagged and internally tagged enums and of flattened fields in its own form before it
/// reaches this implementation: a vector or a packed array there becomes an `Array`.
impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(names::VARIANT, VariantVisitor)
    }
}

macro_rules! containers {
    ($($name:ident)*) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Variant::deserialize(deserializer)? {
                    Variant::$name(value) => Ok(value),
                    other => Err(D::Error::invalid_type(
                        Unexpected::Other(other.variant_type().name()),
                        &stringify!($name),
                    )),
                }
            }
        }
    )*};
}

containers! { Array Dictionary }

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

pub(super) struct VariantVisitor;

impl<'de> Visitor<'de> for VariantVisitor {
    type Value = Variant;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value that Godot has")
    }

    fn visit_unit<E: Error>(self) -> Result<Variant, E> {
        Ok(Variant::Nil)
    }

    fn visit_none<E: Error>(self) -> Result<Variant, E> {
        Ok(Variant::Nil)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Variant, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Variant, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Variant, E> {
        match i64::try_from(value) {
            Ok(value) => Ok(value.into()),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(value), &"a number up to 9223372036854775807")),
        }
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Variant, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Variant, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Variant, E> {
        Ok(text.into())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Variant, E> {
        Ok(bytes.to_vec().into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Variant, A::Error> {
        let mut elements: Vec<Variant> = Vec::new();
        while let Some(element) = access.next_element()? {
            elements.push(element);
        }
        Ok(elements.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Variant, A::Error> {
        let mut entries: Vec<(Variant, Variant)> = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(entries.into())
    }

    /// Receives a value from this crate's deserializer.
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Variant, A::Error> {
        let (options, content) = access.variant::<u64>()?;
        content.newtype_variant_seed(Encoded(options))
    }
}

/// An encoded value, and the options to read it.
struct Encoded(u64);

impl<'de> DeserializeSeed<'de> for Encoded {
    type Value = Variant;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Variant, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Encoded {
    type Value = Variant;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an encoded value")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Variant, E> {
        let decoder = Decoder { options: handover::options(self.0) };
        decoder.decode(bytes).map_err(|error| E::custom(error.kind()))
    }
}
