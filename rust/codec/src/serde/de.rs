//! `Deserializer` for the next value of a packet.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::mem;

use serde_core::de::{Deserializer, Visitor};

use crate::VariantType;
use crate::build::builder::Builder;
use crate::coerce::member::Member;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::float::widen;
use crate::serde::access::{Elements, Entries, Unit};
use crate::serde::buffered::is_buffer;
use crate::serde::error::{located, needs_tree, refuse_left, too_many, unexpected};
use crate::serde::floats::Floats;
use crate::serde::handover::Handover;
use crate::serde::leaves::{Leaves, Value, Vector};
use crate::serde::names;
use crate::serde::numbers::{Numbers, read_packed};
use crate::serde::reader::{Float, Mode, ValueReader};
use crate::serde::texts::{ObjectParts, Properties, Strings, read_signal};
use crate::variant_type::Shape;
use crate::wire::WORD;

/// A container without types.
const UNTYPED: [Member; 2] = [Member::Any; 2];

/// The next value, or how many members follow its header, and their types.
enum Next<'t> {
    Array(usize, Member),
    Dictionary(usize, [Member; 2]),
    Strings(usize),
    Object(usize),
    Leaf(Value<'t>),
}

impl<'t, M> ValueReader<'t, '_, M> {
    /// Passes the next value to a visitor, in the form that its own type has.
    #[inline(always)]
    fn read<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        if let Some(value) = self.take_int() {
            return visitor.visit_i64(value);
        }
        match self.take_float() {
            Some(Float::Single(value)) => visitor.visit_f64(widen(value)),
            Some(Float::Double(value)) => visitor.visit_f64(value),
            None => match self.take_bool() {
                Some(value) => visitor.visit_bool(value),
                None => self.read_slow(visitor),
            },
        }
    }

    #[inline(always)]
    fn read_bool<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        match self.take_bool() {
            Some(value) => visitor.visit_bool(value),
            None => self.read_slow(visitor),
        }
    }

    #[inline(always)]
    fn read_int<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        match self.take_int() {
            Some(value) => visitor.visit_i64(value),
            None => self.read_slow(visitor),
        }
    }

    #[inline(always)]
    fn read_double<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        match self.take_float() {
            Some(Float::Double(value)) => visitor.visit_f64(value),
            Some(Float::Single(value)) => visitor.visit_f64(widen(value)),
            None => self.read_other(visitor),
        }
    }

    #[inline(never)]
    fn read_other<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        self.read(visitor)
    }

    #[inline(always)]
    fn read_single<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        match self.take_float() {
            Some(Float::Single(value)) => visitor.visit_f32(value),
            Some(Float::Double(value)) => visitor.visit_f64(value),
            None => self.read_other(visitor),
        }
    }

    #[inline(always)]
    fn read_text<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        match self.take_text() {
            Some(text) => M::text(visitor, text),
            None => self.read_slow(visitor),
        }
    }

    #[inline(always)]
    fn read_sequence<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        match self.take_plain_container(self.input.plain_headers.array, 1, Leaves::COSTS.value) {
            Some(count) => self.read_array(count, Member::Any, visitor),
            None => self.read_other_sequence(visitor),
        }
    }

    /// Reads a sequence that is not a plain `Array`. Bytes are passed one by one, so that they also become a `Vec<u8>`.
    fn read_other_sequence<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        let start = self.position();
        if !matches!(self.peek(), Ok((VariantType::PackedByteArray, _))) {
            return self.read_slow(visitor);
        }
        let Next::Leaf(Value::Bytes(bytes)) = self.open_next()? else {
            return Err(self.lost(unexpected("bytes", VariantType::PackedByteArray)));
        };
        Numbers::of_bytes(bytes, visitor).map_err(|error| found_type(error, VariantType::PackedByteArray, start))
    }

    /// Reads a tuple that is not made of floats.
    #[inline(never)]
    fn read_tuple<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        self.read_sequence(visitor)
    }

    #[inline(always)]
    fn read_map<'de, V: Visitor<'de>>(
        &mut self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        match self.take_plain_container(self.input.plain_headers.dictionary, 2, Leaves::COSTS.entry) {
            Some(count) => {
                self.enter(count)?;
                // Not for a tree, so that fewer forms of each type are compiled.
                let visitor = if M::IS_TREE {
                    visitor
                } else {
                    match self.read_fields(count, names, visitor) {
                        Ok(read) => {
                            self.leave();
                            return read;
                        }
                        Err(visitor) => visitor,
                    }
                };
                self.read_dictionary(count, UNTYPED, names, visitor)
            }
            None => {
                self.names = names;
                self.read_slow(visitor)
            }
        }
    }

    #[inline(never)]
    fn read_slow<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        let (start, names) = (self.position(), mem::take(&mut self.names));
        match self.open_next()? {
            Next::Array(left, declared) => self.read_array(left, declared, visitor),
            Next::Dictionary(left, declared) => {
                self.enter(left)?;
                self.read_dictionary(left, declared, names, visitor)
            }
            Next::Strings(left) => {
                let mut strings = Strings { reader: &mut *self, index: 0, left };
                let read = visitor.visit_seq(&mut strings);
                let (index, left) = (strings.index, strings.left);
                self.or_lost(read.and_then(|value| refuse_left(index, left).map(|()| value)))
            }
            Next::Object(count) => {
                self.enter(count)?;
                let mut properties = Properties { reader: &mut *self, name: "", left: count };
                let read = visitor.visit_map(&mut properties);
                let left = properties.left;
                self.leave();
                self.or_lost(read.and_then(|value| refuse_left(count - left, left).map(|()| value)))
            }
            Next::Leaf(leaf) => match leaf {
                Value::Nil => visitor.visit_unit(),
                Value::Bool(value) => visitor.visit_bool(value),
                Value::Int(value) => visitor.visit_i64(value),
                Value::Float(value) => visitor.visit_f64(value),
                Value::Id(id) => visitor.visit_u64(id),
                Value::Text(text) => M::text(visitor, text),
                Value::OwnedText(text) => visitor.visit_string(text),
                Value::Vector(variant_type, vector) => {
                    let vector = if is_buffer::<V>() { vector.buffered(variant_type) } else { vector };
                    vector.deserialize_any(visitor).map_err(|error| found_type(error, variant_type, start))
                }
                Value::Signal(name, object_id) => read_signal(name, object_id, visitor),
                Value::Bytes(bytes) => M::bytes(visitor, bytes),
                Value::Packed(packed) => {
                    read_packed(&packed, visitor).map_err(|error| found_type(error, packed.variant_type(), start))
                }
                Value::Unsupported(variant_type) => Err(unexpected("a type that serde can represent", variant_type)),
            },
        }
    }

    /// Reads the next value, or its header if it holds others. Separate from [`read_slow`](Self::read_slow), which is compiled
    /// for each visitor.
    #[inline(never)]
    fn open_next(&mut self) -> Result<Next<'t>, DecodeError> {
        let next = self.try_open_next();
        self.or_lost(next)
    }

    #[inline(always)]
    fn try_open_next(&mut self) -> Result<Next<'t>, DecodeError> {
        if let Some(text) = self.take_text() {
            return Ok(Next::Leaf(Value::Text(text)));
        }
        let start = self.position();
        let (variant_type, flags) = self.peek()?;
        self.input.cursor.advance(WORD);
        Ok(match variant_type {
            VariantType::Array | VariantType::TypedArray | VariantType::PackedTypedArray => {
                let frame = self.input.open_array(variant_type, flags, start, None)?;
                Next::Array(frame.members.count, frame.member)
            }
            VariantType::Dictionary => {
                let frame = self.input.open_dictionary(flags, start, None)?;
                Next::Dictionary(frame.members.count, [frame.key_member, frame.value_member])
            }
            VariantType::PackedStringArray => Next::Strings(self.input.read_string_count()?),
            _ => match self.input.read_leaf(variant_type, flags, start)? {
                Some((leaf, _)) => Next::Leaf(leaf),
                None => match self.input.open_object(start, None)? {
                    Some(frame) => Next::Object(frame.members.count),
                    None => Next::Leaf(Value::Nil),
                },
            },
        })
    }

    #[inline(always)]
    fn read_array<'de, V: Visitor<'de>>(
        &mut self,
        left: usize,
        declared: Member,
        visitor: V,
    ) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        self.enter(left)?;
        let mut elements = Elements::new(self, left, declared);
        let value = match visitor.visit_seq(&mut elements) {
            Ok(value) => value,
            Err(error) => return Err(self.lost_in([declared; 2], error)),
        };
        let (index, left) = (elements.index, elements.left());
        self.leave();
        if left == 0 { Ok(value) } else { Err(self.lost_in([declared; 2], too_many(index, left))) }
    }

    #[inline(always)]
    fn read_dictionary<'de, V: Visitor<'de>>(
        &mut self,
        left: usize,
        declared: [Member; 2],
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        let mut entries = Entries::new(self, left, declared, names);
        let value = match visitor.visit_map(&mut entries) {
            Ok(value) => value,
            Err(error) => return Err(self.lost_in(declared, error)),
        };
        let (index, left) = (entries.index, entries.left());
        self.leave();
        if left == 0 { Ok(value) } else { Err(self.lost_in(declared, too_many(index, left))) }
    }

    /// Returns the error of a container. In one with declared types, a tree may not have the member at fault, because the engine
    /// leaves it out.
    #[cold]
    fn lost_in<'de>(&mut self, declared: [Member; 2], error: DecodeError) -> DecodeError
    where
        M: Mode<'t, 'de>,
    {
        if M::IS_TREE || declared == UNTYPED {
            return self.lost(error);
        }
        let (offset, path) = (error.offset(), error.path().clone());
        self.lost(needs_tree().with_offset(offset).with_path(path))
    }

    /// Reads an enum variant with content, the only entry of a dictionary.
    #[inline(always)]
    fn read_enum<'de, V: Visitor<'de>>(
        &mut self,
        declared: [Member; 2],
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError>
    where
        M: Mode<'t, 'de>,
    {
        self.enter(1)?;
        match visitor.visit_enum(Entries::of_variant(self, declared, names)) {
            Ok(value) => {
                self.leave();
                Ok(value)
            }
            Err(error) => Err(self.lost_in(declared, error)),
        }
    }

    /// Returns the class of the full object that is the next value.
    fn class(&mut self) -> Result<String, DecodeError> {
        let (found, flags) = self.peek()?;
        if found != VariantType::Object || flags != 0 {
            return Err(unexpected("a full Object", found));
        }
        match self.class_text()?.into_text() {
            class if class.is_empty() => Err(unexpected("a full Object", "null")),
            class => Ok(class.into_string()),
        }
    }

    /// Refuses a vector of another type than the one that is expected.
    fn expect_type(&mut self, expected: VariantType) -> Result<(), DecodeError> {
        let is_vector = |variant_type: VariantType| matches!(variant_type.shape(), Shape::Fixed(..));
        match self.peek() {
            Ok((found, _)) if found != expected && is_vector(found) && is_vector(expected) => {
                Err(self.lost(unexpected(expected, found)))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(self.lost(error)),
        }
    }
}

/// Names the type of the value that is not what was expected, which serde knows as a sequence.
#[cold]
fn found_type(error: DecodeError, variant_type: VariantType, start: usize) -> DecodeError {
    match error.kind() {
        DecodeErrorKind::Unexpected { expected, found } if found == "Array" => DecodeError::new(
            DecodeErrorKind::Unexpected { expected: expected.clone(), found: variant_type.name().to_owned() },
            start,
        ),
        _ => located(error, start),
    }
}

macro_rules! read_as {
    ($($read:ident: $($method:ident)*;)*) => {$($(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            self.$read(visitor)
        }
    )*)*};
}

impl<'de, 't, M: Mode<'t, 'de>> Deserializer<'de> for &mut ValueReader<'t, '_, M> {
    type Error = DecodeError;

    read_as! {
        read: deserialize_any;
        read_double: deserialize_f64;
        read_bool: deserialize_bool;
        read_int: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8
            deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128;
        read_single: deserialize_f32;
        read_text: deserialize_char deserialize_str deserialize_string deserialize_identifier;
        read_slow: deserialize_bytes deserialize_byte_buf deserialize_unit;
        read_sequence: deserialize_seq;
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.read_map(&[], visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.take_null()? { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &str, visitor: V) -> Result<V::Value, DecodeError> {
        self.read_slow(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if name == names::VARIANT {
            let options = self.input.options;
            return visitor.visit_enum(Handover::new(options, self.take_encoded()?));
        }
        match names::type_of(name) {
            None => visitor.visit_newtype_struct(self),
            Some(expected) => {
                self.expect_type(expected)?;
                self.read_slow(visitor)
            }
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, DecodeError> {
        if M::IS_TREE {
            return self.read_tuple(visitor);
        }
        match self.take_floats(count) {
            Some(floats) => Floats::read(self, floats, visitor),
            None => self.read_tuple(visitor),
        }
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if name == names::OBJECT {
            let class = self.class();
            let class = Some(self.or_lost(class)?);
            let read = visitor.visit_seq(ObjectParts { reader: Some(&mut *self), class });
            return self.or_lost(read);
        }
        let Some(expected) = names::glam_type(name, fields) else { return self.read_sequence(visitor) };
        self.expect_type(expected)?;
        let is_transposed = matches!(expected, VariantType::Basis | VariantType::Transform3D);
        match self.peek() {
            Ok((found, _)) if found == expected && is_transposed => match self.open_next()? {
                Next::Leaf(Value::Vector(_, mut vector)) => {
                    names::transpose(found, vector.numbers_mut());
                    Vector::deserialize_any(vector, visitor)
                }
                _ => Err(self.lost(unexpected(expected, found))),
            },
            _ => self.read_slow(visitor),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.read_map(fields, visitor)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let (header, count) = self.two_words().unwrap_or_default();
        if header == self.input.plain_headers.string {
            return visitor.visit_enum(Unit(self, variants));
        }
        let dictionary = self.input.plain_headers.dictionary;
        if count == 1 && self.take_plain_container(dictionary, 2, Leaves::COSTS.entry).is_some() {
            return self.read_enum(UNTYPED, variants, visitor);
        }
        let found = self.peek();
        match self.or_lost(found)?.0 {
            VariantType::String | VariantType::StringName => visitor.visit_enum(Unit(self, variants)),
            VariantType::Dictionary => match self.open_next()? {
                Next::Dictionary(1, declared) => self.read_enum(declared, variants, visitor),
                // Entries with the same key are one entry.
                Next::Dictionary(2.., _) if !M::IS_TREE => Err(self.lost(needs_tree())),
                Next::Dictionary(count, _) => {
                    Err(self.lost(unexpected("a Dictionary with one entry", format_args!("{count} entries"))))
                }
                _ => Err(self.lost(unexpected("a Dictionary", "another value"))),
            },
            found => Err(self.lost(unexpected("a String or a Dictionary with one entry", found))),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.skip()?;
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
