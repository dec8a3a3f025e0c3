//! `Serializer` that writes values as they come.

use alloc::string::String;

use serde_core::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::float::narrow_exactly;
use crate::serde::labelled::{Label, Labelled};
use crate::serde::members::Members;
use crate::serde::names;
use crate::serde::raw::Raw;
use crate::serde::value_writer::Output;
use crate::{Decoder, Variant};

/// The fields of a tuple struct: an array, or a vector of glam.
pub(super) enum TupleFields<'w> {
    Array(Members<'w>),
    Vector(Raw<'w>),
    /// A full object, and its class once that has been written.
    Object(Output<'w>, Option<String>),
}

macro_rules! ints {
    ($($method:ident: $type:ty),*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<usize, EncodeError> {
            self.serialize_i64(value.into())
        }
    )*};
}

impl<'w> Serializer for Output<'w> {
    type Ok = usize;
    type Error = EncodeError;
    type SerializeSeq = Members<'w>;
    type SerializeTuple = Members<'w>;
    type SerializeTupleStruct = TupleFields<'w>;
    type SerializeTupleVariant = Members<'w>;
    type SerializeMap = Members<'w>;
    type SerializeStruct = Members<'w>;
    type SerializeStructVariant = Members<'w>;

    ints! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_u8: u8, serialize_u16: u16,
        serialize_u32: u32
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<usize, EncodeError> {
        let header = self.writer.headers.bool;
        Ok(self.two_words(header, value.into()))
    }

    #[inline(always)]
    fn serialize_i64(self, value: i64) -> Result<usize, EncodeError> {
        let headers = &self.writer.headers;
        let header = headers.int;
        match i32::try_from(value) {
            Ok(short) if headers.has_short_ints => Ok(self.two_words(header, short.cast_unsigned())),
            Err(_) if headers.has_wide => Ok(self.wide(header, value.cast_unsigned())),
            _ => self.other_int(value),
        }
    }

    #[inline(always)]
    fn serialize_u64(self, value: u64) -> Result<usize, EncodeError> {
        match i64::try_from(value) {
            Ok(value) => self.serialize_i64(value),
            Err(_) => Err(EncodeError::new(EncodeErrorKind::IntTooLarge { value })),
        }
    }

    fn serialize_i128(self, value: i128) -> Result<usize, EncodeError> {
        match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => self.serialize_i64(value),
            (Err(_), Ok(value)) => self.serialize_u64(value),
            (Err(_), Err(_)) => {
                Err(EncodeError::custom(format_args!("{value} does not fit in an int, which has 64 bits")))
            }
        }
    }

    fn serialize_u128(self, value: u128) -> Result<usize, EncodeError> {
        match u64::try_from(value) {
            Ok(value) => self.serialize_u64(value),
            Err(_) => Err(EncodeError::custom(format_args!("{value} does not fit in an int, which has 64 bits"))),
        }
    }

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<usize, EncodeError> {
        if value.is_nan() {
            return self.other_float(crate::float::widen(value));
        }
        let header = self.writer.headers.float;
        Ok(self.two_words(header, value.to_bits()))
    }

    #[inline(always)]
    fn serialize_f64(self, value: f64) -> Result<usize, EncodeError> {
        let header = self.writer.headers.float;
        match narrow_exactly(value) {
            Some(exact) => Ok(self.two_words(header, exact.to_bits())),
            None if self.writer.headers.has_wide => Ok(self.wide(header, value.to_bits())),
            None => self.other_float(value),
        }
    }

    fn serialize_char(self, character: char) -> Result<usize, EncodeError> {
        self.string(character.encode_utf8(&mut [0; 4]))
    }

    #[inline(always)]
    fn serialize_str(self, text: &str) -> Result<usize, EncodeError> {
        self.string(text)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<usize, EncodeError> {
        self.write(|writer| writer.packed_bytes(bytes))
    }

    #[inline(always)]
    fn serialize_none(self) -> Result<usize, EncodeError> {
        self.serialize_unit()
    }

    #[inline(always)]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<usize, EncodeError> {
        value.serialize(self)
    }

    #[inline(always)]
    fn serialize_unit(mut self) -> Result<usize, EncodeError> {
        self.put(self.writer.headers.nil.to_le_bytes());
        Ok(self.position)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<usize, EncodeError> {
        self.serialize_unit()
    }

    #[inline(always)]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<usize, EncodeError> {
        self.name(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<usize, EncodeError> {
        if name == names::VARIANT {
            return self.variant(value);
        }
        let Some(variant_type) = names::type_of(name) else {
            return match names::typed_of(name) {
                None => value.serialize(self),
                Some(declared) => value.serialize(Labelled { output: self, label: Label::Member(declared) }),
            };
        };
        let mut raw = Raw::begin(self, variant_type)?;
        value.serialize(&mut raw)?;
        raw.finish()
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<usize, EncodeError> {
        let mut members = self.begin_dictionary(Some(1))?;
        members.field(variant, value)?;
        members.finish()
    }

    #[inline(always)]
    fn serialize_seq(self, length: Option<usize>) -> Result<Members<'w>, EncodeError> {
        self.begin_array(length)
    }

    #[inline(always)]
    fn serialize_tuple(self, length: usize) -> Result<Members<'w>, EncodeError> {
        self.begin_array(Some(length))
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, length: usize) -> Result<TupleFields<'w>, EncodeError> {
        if name == names::OBJECT {
            return Ok(TupleFields::Object(self, None));
        }
        match names::glam_type(name, length) {
            None => self.begin_array(Some(length)).map(TupleFields::Array),
            Some(variant_type) => Raw::begin(self, variant_type).map(TupleFields::Vector),
        }
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members<'w>, EncodeError> {
        self.begin_variant(variant, length, Self::begin_array)
    }

    #[inline(always)]
    fn serialize_map(self, length: Option<usize>) -> Result<Members<'w>, EncodeError> {
        self.begin_dictionary(length)
    }

    #[inline(always)]
    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Members<'w>, EncodeError> {
        self.begin_dictionary(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members<'w>, EncodeError> {
        self.begin_variant(variant, length, Self::begin_dictionary)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! members {
    ($($trait:ident: $method:ident($($name:ident: $type:ty)?) => $write:ident;)*) => {$(
        impl $trait for Members<'_> {
            type Ok = usize;
            type Error = EncodeError;

            #[inline(always)]
            fn $method<T: Serialize + ?Sized>(&mut self $(, $name: $type)?, value: &T) -> Result<(), EncodeError> {
                self.$write($($name,)? value)
            }

            #[inline]
            fn end(self) -> Result<usize, EncodeError> {
                self.finish()
            }
        }
    )*};
}

members! {
    SerializeSeq: serialize_element() => element;
    SerializeTuple: serialize_element() => element;
    SerializeTupleVariant: serialize_field() => element;
    SerializeStruct: serialize_field(name: &'static str) => field;
    SerializeStructVariant: serialize_field(name: &'static str) => field;
}

impl SerializeMap for Members<'_> {
    type Ok = usize;
    type Error = EncodeError;

    #[inline(always)]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        self.key(key)
    }

    #[inline(always)]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.value(value)
    }

    #[inline]
    fn end(self) -> Result<usize, EncodeError> {
        self.finish()
    }
}

impl SerializeTupleStruct for TupleFields<'_> {
    type Ok = usize;
    type Error = EncodeError;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        match self {
            Self::Array(members) => members.element(value),
            Self::Vector(raw) => value.serialize(raw),
            Self::Object(output, class) => {
                match class.take() {
                    Some(class) => {
                        let label = Label::Class(class);
                        output.position = value.serialize(Labelled { output: output.reborrow(), label })?;
                    }
                    // Only read: the position stays.
                    None => {
                        let end = value.serialize(output.reborrow())?;
                        let decoder = Decoder::new().profile(output.writer.options.profile);
                        let name = decoder.decode(&output.writer.bytes[output.position..end]);
                        *class = name.ok().as_ref().and_then(Variant::as_str).map(Into::into);
                    }
                }
                Ok(())
            }
        }
    }

    fn end(self) -> Result<usize, EncodeError> {
        match self {
            Self::Array(members) => members.finish(),
            Self::Vector(raw) => raw.finish_columns(),
            Self::Object(output, _) => Ok(output.position),
        }
    }
}
