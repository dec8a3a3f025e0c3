//! `Serializer` that writes values as they come.

use alloc::string::String;

use serde_core::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::float::narrow_exactly;
use crate::serde::labelled::{Label, Labelled};
use crate::serde::names;
use crate::serde::raw::Raw;
use crate::serde::value_writer::{Members, ValueWriter};
use crate::types::string::refuse_nul;
use crate::{Decoder, Variant};

/// The fields of a tuple struct: an array, or a vector of glam.
pub(super) enum TupleFields<'w, 's> {
    Array(Members<'w, 's>),
    Vector(Raw<'w>),
    /// A full object, and its class once that has been written.
    Object(&'w mut ValueWriter<'s>, Option<String>),
}

macro_rules! ints {
    ($($method:ident: $type:ty),*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<(), EncodeError> {
            self.serialize_i64(value.into())
        }
    )*};
}

impl<'w, 's> Serializer for &'w mut ValueWriter<'s> {
    type Ok = ();
    type Error = EncodeError;
    type SerializeSeq = Members<'w, 's>;
    type SerializeTuple = Members<'w, 's>;
    type SerializeTupleStruct = TupleFields<'w, 's>;
    type SerializeTupleVariant = Members<'w, 's>;
    type SerializeMap = Members<'w, 's>;
    type SerializeStruct = Members<'w, 's>;
    type SerializeStructVariant = Members<'w, 's>;

    ints! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_u8: u8, serialize_u16: u16,
        serialize_u32: u32
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<(), EncodeError> {
        self.two_words(self.headers.bool, value.into());
        Ok(())
    }

    #[inline(always)]
    fn serialize_i64(self, value: i64) -> Result<(), EncodeError> {
        match i32::try_from(value) {
            Ok(short) if self.headers.has_short_ints => self.two_words(self.headers.int, short.cast_unsigned()),
            _ if self.headers.has_wide => self.wide(self.headers.int, value.cast_unsigned()),
            _ => return self.write(|writer| writer.int(value)),
        }
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), EncodeError> {
        match i64::try_from(value) {
            Ok(value) => self.serialize_i64(value),
            Err(_) => Err(EncodeError::new(EncodeErrorKind::IntTooLarge { value })),
        }
    }

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<(), EncodeError> {
        if value.is_nan() {
            return self.serialize_f64(crate::float::widen(value));
        }
        self.two_words(self.headers.float, value.to_bits());
        Ok(())
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<(), EncodeError> {
        match narrow_exactly(value) {
            Some(exact) => self.two_words(self.headers.float, exact.to_bits()),
            None if self.headers.has_wide => self.wide(self.headers.float, value.to_bits()),
            None => return self.write(|writer| writer.float(value)),
        }
        Ok(())
    }

    fn serialize_char(self, character: char) -> Result<(), EncodeError> {
        self.text(self.headers.string, character.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<(), EncodeError> {
        refuse_nul(text).map_err(EncodeError::new)?;
        self.text(self.headers.string, text)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.write(|writer| writer.packed_bytes(bytes))
    }

    #[inline]
    fn serialize_none(self) -> Result<(), EncodeError> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), EncodeError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), EncodeError> {
        self.bytes.extend_from_slice(&self.headers.nil.to_le_bytes());
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), EncodeError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), EncodeError> {
        self.name(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), EncodeError> {
        if name == names::VARIANT {
            return self.variant(value);
        }
        let Some(variant_type) = names::type_of(name) else {
            return match names::typed_of(name) {
                None => value.serialize(self),
                Some(declared) => value.serialize(Labelled { writer: self, label: Label::Member(declared) }),
            };
        };
        let mut raw = Raw::begin(self.bytes, self.options, variant_type)?;
        value.serialize(&mut raw)?;
        raw.finish()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), EncodeError> {
        let mut members = self.begin(self.headers.dictionary, Some(1))?;
        members.field(variant, value)?;
        members.finish()
    }

    #[inline]
    fn serialize_seq(self, length: Option<usize>) -> Result<Members<'w, 's>, EncodeError> {
        self.begin(self.headers.array, length)
    }

    #[inline]
    fn serialize_tuple(self, length: usize) -> Result<Members<'w, 's>, EncodeError> {
        self.begin(self.headers.array, Some(length))
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, length: usize) -> Result<TupleFields<'w, 's>, EncodeError> {
        if name == names::OBJECT {
            return Ok(TupleFields::Object(self, None));
        }
        match names::glam_type(name, length) {
            None => self.begin(self.headers.array, Some(length)).map(TupleFields::Array),
            Some(variant_type) => Raw::begin(self.bytes, self.options, variant_type).map(TupleFields::Vector),
        }
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members<'w, 's>, EncodeError> {
        self.begin_variant(variant, self.headers.array, length)
    }

    #[inline]
    fn serialize_map(self, length: Option<usize>) -> Result<Members<'w, 's>, EncodeError> {
        self.begin(self.headers.dictionary, length)
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Members<'w, 's>, EncodeError> {
        self.begin(self.headers.dictionary, Some(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Members<'w, 's>, EncodeError> {
        self.begin_variant(variant, self.headers.dictionary, length)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! members {
    ($($trait:ident: $method:ident($($name:ident: $type:ty)?) => $write:ident;)*) => {$(
        impl $trait for Members<'_, '_> {
            type Ok = ();
            type Error = EncodeError;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self $(, $name: $type)?, value: &T) -> Result<(), EncodeError> {
                self.$write($($name,)? value)
            }

            #[inline]
            fn end(self) -> Result<(), EncodeError> {
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

impl SerializeMap for Members<'_, '_> {
    type Ok = ();
    type Error = EncodeError;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        self.key(key)
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        self.value(value)
    }

    #[inline]
    fn end(self) -> Result<(), EncodeError> {
        self.finish()
    }
}

impl SerializeTupleStruct for TupleFields<'_, '_> {
    type Ok = ();
    type Error = EncodeError;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        match self {
            Self::Array(members) => members.element(value),
            Self::Vector(raw) => value.serialize(raw),
            Self::Object(writer, class) => match class.take() {
                Some(class) => value.serialize(Labelled { writer, label: Label::Class(class) }),
                None => {
                    let written = writer.bytes.len();
                    value.serialize(&mut **writer)?;
                    let name = Decoder::new().profile(writer.options.profile).decode(&writer.bytes[written..]);
                    writer.bytes.truncate(written);
                    *class = name.ok().as_ref().and_then(Variant::as_str).map(Into::into);
                    Ok(())
                }
            },
        }
    }

    fn end(self) -> Result<(), EncodeError> {
        match self {
            Self::Array(members) => members.finish(),
            Self::Vector(raw) => raw.finish_columns(),
            Self::Object(..) => Ok(()),
        }
    }
}
