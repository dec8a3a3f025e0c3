//! Numbers of vectors and packed arrays, as serde reads them.

use core::iter;

use serde_core::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::VariantType;
use crate::error::DecodeError;
use crate::float::widen_bits;
use crate::path::Step;
use crate::serde::buffered::is_buffer;
use crate::serde::error::unexpected;
use crate::serde::leaves::{Number, Vector};
use crate::variant::PackedNumbers;
use crate::variant_type::{Number as Kind, Shape};

impl Number {
    #[inline]
    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::Single(number) | Self::BufferedAsDouble(number) => visitor.visit_f32(number),
            Self::Double(number) => visitor.visit_f64(number),
            Self::Int(number) => visitor.visit_i64(number),
            Self::BufferedAsInt32(number) => visitor.visit_i64(number.into()),
        }
    }
}

impl<'de> Deserializer<'de> for Number {
    type Error = DecodeError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::BufferedAsDouble(number) => visitor.visit_f64(widen_bits(number)),
            Self::BufferedAsInt32(number) => visitor.visit_i32(number),
            number => number.visit(visitor),
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.visit(visitor)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.visit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for Vector {
    type Error = DecodeError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        Members::read(self.into_numbers(), visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    /// An element of a packed array is known by its type.
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &str, visitor: V) -> Result<V::Value, DecodeError> {
        match crate::serde::names::type_of(name) {
            Some(_) => self.deserialize_any(visitor),
            None => visitor.visit_newtype_struct(self),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// The members of a sequence that are not read from the packet one by one.
pub(super) struct Members<I> {
    members: I,
    read: usize,
}

impl<I: ExactSizeIterator> Members<I> {
    /// Passes the members to a visitor, which must take all of them.
    #[inline]
    pub(super) fn read<'de, V: Visitor<'de>>(members: I, visitor: V) -> Result<V::Value, DecodeError>
    where
        I::Item: Deserializer<'de, Error = DecodeError>,
    {
        let count = members.len();
        let mut access = Self { members, read: 0 };
        let value = visitor.visit_seq(&mut access)?;
        if access.read < count {
            return Err(unexpected(format_args!("{} members", access.read), format_args!("{count}")));
        }
        Ok(value)
    }
}

impl<'de, I: ExactSizeIterator> SeqAccess<'de> for &mut Members<I>
where
    I::Item: Deserializer<'de, Error = DecodeError>,
{
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        let Some(member) = self.members.next() else { return Ok(None) };
        let index = self.read;
        self.read += 1;
        seed.deserialize(member).map(Some).map_err(|error| error.within(Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// Passes the elements of a packed array to a visitor.
pub(super) fn read_packed<'de, V: Visitor<'de>>(
    packed: &PackedNumbers<'_>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    let bytes = packed.bytes();
    let of_type = packed.variant_type();
    let Shape::Packed(kind, components) = of_type.shape() else {
        return Members::read(iter::empty::<Number>(), visitor);
    };
    match kind {
        Kind::Int32 => {
            let numbers = bytes.as_chunks().0.iter();
            let numbers = numbers.map(|bytes| i32::from_le_bytes(*bytes));
            if components == 1 {
                return Members::read(numbers.map(Number::BufferedAsInt32), visitor);
            }
            read_elements(numbers.map(|number| Number::Int(number.into())), of_type, visitor)
        }
        Kind::Byte | Kind::Int64 => {
            let numbers = bytes.as_chunks().0.iter();
            read_elements(numbers.map(|bytes| Number::Int(i64::from_le_bytes(*bytes))), of_type, visitor)
        }
        Kind::Float64 => {
            let numbers = bytes.as_chunks().0.iter();
            read_elements(numbers.map(|bytes| Number::Double(f64::from_le_bytes(*bytes))), of_type, visitor)
        }
        Kind::Real if packed.is_wide() => {
            let narrows = packed.is_narrowed();
            let number = |bytes: &[u8; 8]| match (f64::from_le_bytes(*bytes), narrows) {
                (number, true) => Number::Single(crate::float::narrow(number)),
                (number, false) => Number::Double(number),
            };
            read_elements(bytes.as_chunks().0.iter().map(number), of_type, visitor)
        }
        Kind::Float32 | Kind::Real => {
            let numbers = bytes.as_chunks().0.iter();
            read_elements(numbers.map(|bytes| Number::Single(f32::from_le_bytes(*bytes))), of_type, visitor)
        }
    }
}

#[inline]
fn read_elements<'de, V: Visitor<'de>>(
    mut numbers: impl ExactSizeIterator<Item = Number>,
    of_type: VariantType,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    match of_type.shape() {
        Shape::Packed(_, components @ 2..) => {
            let count = numbers.len() / components;
            let is_buffer = is_buffer::<V>();
            let vector = |_| {
                let vector = Vector::new(numbers.by_ref().take(components));
                if is_buffer { vector.buffered(of_type) } else { vector }
            };
            Members::read((0..count).map(vector), visitor)
        }
        _ => Members::read(numbers, visitor),
    }
}
