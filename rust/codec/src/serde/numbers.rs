//! Numbers of vectors and packed arrays, as serde reads them.

use core::iter;

use serde_core::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::VariantType;
use crate::error::DecodeError;
use crate::float::{narrow, widen_bits};
use crate::path::Step;
use crate::serde::buffered::is_buffer;
use crate::serde::error::refuse_left;
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
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for Vector {
    type Error = DecodeError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        Numbers::of_vector(self, visitor)
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
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// The numbers of a vector, or the elements of a packed array of numbers.
///
/// Every visitor is compiled for this type, so it is one for all forms of numbers.
pub(super) struct Numbers<'p> {
    source: Source<'p>,
    read: usize,
}

enum Source<'p> {
    Vector(Vector),
    Packed(Packed<'p>),
}

impl<'p> Numbers<'p> {
    /// Passes the numbers of a vector to a visitor, which must take all of them.
    #[inline]
    fn of_vector<'de, V: Visitor<'de>>(vector: Vector, visitor: V) -> Result<V::Value, DecodeError> {
        Self { source: Source::Vector(vector), read: 0 }.pass_to(visitor)
    }

    /// Passes bytes to a visitor, which must take all of them.
    pub(super) fn of_bytes<'de, V: Visitor<'de>>(bytes: &'p [u8], visitor: V) -> Result<V::Value, DecodeError> {
        Self::of_packed(Packed { bytes, form: Form::Byte }, visitor)
    }

    fn of_packed<'de, V: Visitor<'de>>(packed: Packed<'p>, visitor: V) -> Result<V::Value, DecodeError> {
        Self { source: Source::Packed(packed), read: 0 }.pass_to(visitor)
    }

    #[inline]
    fn pass_to<'de, V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, DecodeError> {
        let value = visitor.visit_seq(&mut self)?;
        refuse_left(self.read, self.left())?;
        Ok(value)
    }

    #[inline]
    fn next(&mut self) -> Option<Number> {
        let number = match &mut self.source {
            Source::Vector(vector) => vector.numbers().get(self.read).copied(),
            Source::Packed(packed) => packed.next(),
        };
        self.read += usize::from(number.is_some());
        number
    }

    #[inline]
    fn left(&self) -> usize {
        match &self.source {
            Source::Vector(vector) => vector.numbers().len() - self.read,
            Source::Packed(packed) => packed.left(),
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Numbers<'_> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        let Some(number) = self.next() else { return Ok(None) };
        match seed.deserialize(number) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(at_member(error, self.read)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

/// The elements of a packed array of vectors.
struct Vectors<'p> {
    packed: Packed<'p>,
    of_type: VariantType,
    components: usize,
    is_buffer: bool,
    read: usize,
}

impl Vectors<'_> {
    #[inline]
    fn left(&self) -> usize {
        self.packed.left() / self.components
    }
}

impl<'de> SeqAccess<'de> for &mut Vectors<'_> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, DecodeError> {
        if self.left() == 0 {
            return Ok(None);
        }
        self.read += 1;
        let vector = self.packed.vector(self.components);
        let vector = if self.is_buffer { vector.buffered(self.of_type) } else { vector };
        match seed.deserialize(vector) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(at_member(error, self.read)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

/// The numbers of a packed array.
struct Packed<'p> {
    bytes: &'p [u8],
    form: Form,
}

/// How numbers are stored, and what they become.
#[derive(Clone, Copy)]
enum Form {
    Byte,
    Int32,
    /// The same, for an array of single numbers.
    BufferedAsInt32,
    Int64,
    Single,
    Double,
    /// Reals of 8 bytes, of which 4 are kept.
    Narrowed,
}

impl Packed<'_> {
    #[inline]
    fn next(&mut self) -> Option<Number> {
        Some(match self.form {
            Form::Byte => Number::Int(u8::from_le_bytes(self.take()?).into()),
            Form::Int32 => Number::Int(i32::from_le_bytes(self.take()?).into()),
            Form::BufferedAsInt32 => Number::BufferedAsInt32(i32::from_le_bytes(self.take()?)),
            Form::Int64 => Number::Int(i64::from_le_bytes(self.take()?)),
            Form::Single => Number::Single(f32::from_le_bytes(self.take()?)),
            Form::Double => Number::Double(f64::from_le_bytes(self.take()?)),
            Form::Narrowed => Number::Single(narrow(f64::from_le_bytes(self.take()?))),
        })
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*first)
    }

    #[inline]
    fn left(&self) -> usize {
        let size = match self.form {
            Form::Byte => 1,
            Form::Int32 | Form::BufferedAsInt32 | Form::Single => 4,
            Form::Int64 | Form::Double | Form::Narrowed => 8,
        };
        self.bytes.len() / size
    }

    /// Returns that many numbers as a vector.
    fn vector(&mut self, components: usize) -> Vector {
        Vector::new(iter::from_fn(|| self.next()).take(components))
    }
}

/// Passes the elements of a packed array to a visitor.
pub(super) fn read_packed<'de, V: Visitor<'de>>(
    packed: &PackedNumbers<'_>,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    let of_type = packed.variant_type();
    let (packed, components) = elements(packed);
    if components == 1 {
        return Numbers::of_packed(packed, visitor);
    }
    let mut vectors = Vectors { packed, of_type, components, is_buffer: is_buffer::<V>(), read: 0 };
    let value = visitor.visit_seq(&mut vectors)?;
    refuse_left(vectors.read, vectors.left())?;
    Ok(value)
}

/// Returns the numbers of a packed array, and how many an element has.
fn elements<'p>(packed: &'p PackedNumbers<'_>) -> (Packed<'p>, usize) {
    let Shape::Packed(kind, components) = packed.variant_type().shape() else {
        return (Packed { bytes: &[], form: Form::Byte }, 1);
    };
    let form = match kind {
        Kind::Byte => Form::Byte,
        Kind::Int32 if components == 1 => Form::BufferedAsInt32,
        Kind::Int32 => Form::Int32,
        Kind::Int64 => Form::Int64,
        Kind::Float64 => Form::Double,
        Kind::Real if packed.is_wide() && packed.is_narrowed() => Form::Narrowed,
        Kind::Real if packed.is_wide() => Form::Double,
        Kind::Float32 | Kind::Real => Form::Single,
    };
    (Packed { bytes: packed.bytes(), form }, components)
}

#[cold]
fn at_member(error: DecodeError, read: usize) -> DecodeError {
    error.within(Step::Index(read - 1))
}
