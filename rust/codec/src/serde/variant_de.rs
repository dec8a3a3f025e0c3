//! `Deserialize` for `Variant`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess,
    Visitor,
};

use crate::serde::buffered::{Element, FromElement, read_sequence};
use crate::serde::error::is_own;
use crate::serde::{handover, names};
use crate::variant::{Array, Dictionary, Text};
use crate::{Decoder, Variant};

/// Deserializes a value of any type. [`from_bytes`](crate::from_bytes) returns the same value as
/// [`decode`](crate::decode). Other formats must describe themselves; a sequence becomes an `Array`, and a map a
/// `Dictionary`.
///
/// Serde holds the content of untagged and internally tagged enums and of flattened fields in its own form before it
/// reaches this implementation. Numbers, `String`, types made of numbers in single precision and packed arrays of bytes, 32-bit
/// numbers, vectors and colors keep their type there. A `StringName` or `NodePath` becomes a `String`, and other packed arrays,
/// typed containers and vectors in double precision become an `Array` or `Dictionary` without a type.
impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Formats for people hold the value without a newtype struct, which RON would demand.
        if deserializer.is_human_readable() && !is_own::<D::Error>() {
            return deserializer.deserialize_any(VariantVisitor::new());
        }
        deserializer.deserialize_newtype_struct(names::VARIANT, VariantVisitor::new())
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VariantVisitor::new())
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

pub(super) struct VariantVisitor<T>(PhantomData<T>);

impl<T> VariantVisitor<T> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

fn value<T: FromElement, E>(value: impl Into<Variant>) -> Result<T, E> {
    Ok(T::from_element(Element::Other(value.into())))
}

impl<'de, T: FromElement> Visitor<'de> for VariantVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value that Godot has")
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        value(())
    }

    fn visit_none<E: Error>(self) -> Result<T, E> {
        value(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, bool: bool) -> Result<T, E> {
        value(bool)
    }

    fn visit_i32<E: Error>(self, int: i32) -> Result<T, E> {
        Ok(T::from_element(Element::Int32(int)))
    }

    fn visit_i64<E: Error>(self, int: i64) -> Result<T, E> {
        Ok(T::from_element(Element::Int64(int)))
    }

    fn visit_u64<E: Error>(self, int: u64) -> Result<T, E> {
        match i64::try_from(int) {
            Ok(int) => self.visit_i64(int),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(int), &"a number up to 9223372036854775807")),
        }
    }

    fn visit_f32<E: Error>(self, float: f32) -> Result<T, E> {
        Ok(T::from_element(Element::Single(float)))
    }

    fn visit_f64<E: Error>(self, float: f64) -> Result<T, E> {
        Ok(T::from_element(Element::Double(float)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        value(text)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<T, E> {
        value(text)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<T, E> {
        value(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<T, A::Error> {
        if is_own::<A::Error>() {
            return read_sequence(access).map(T::from_element);
        }
        let mut elements: Vec<Variant> = Vec::new();
        while let Some(element) = access.next_element()? {
            elements.push(element);
        }
        value(elements)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<T, A::Error> {
        let mut entries: Vec<(Variant, Variant)> = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        value(entries)
    }

    /// Receives a value from this crate's deserializer.
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<T, A::Error> {
        let (options, content) = access.variant::<u64>()?;
        content.newtype_variant_seed(Encoded(options)).and_then(value)
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
