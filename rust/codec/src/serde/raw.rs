//! `Serializer` for the content of vectors and packed arrays: components and strings without headers.

use alloc::vec::Vec;

use serde_core::ser::{
    Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct, Serializer,
};

use crate::error::{EncodeError, EncodeErrorKind};
use crate::float::{narrow, widen};
use crate::serde::names;
use crate::serde::value_writer::Output;
use crate::types::string::refuse_unreadable;
use crate::variant_type::{Number, Shape};
use crate::wire::{WORD, padding};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Precision, VariantType};

/// Writes a vector, a packed array or a `StringName`: the header, then what it is given.
pub(super) struct Raw<'w> {
    output: Output<'w>,
    variant_type: VariantType,
    start: usize,
    /// The number of components or strings so far.
    count: usize,
    /// Whether the components so far have 8 bytes; `None` before the first.
    wide: Option<bool>,
}

/// The form of a component.
enum Component {
    Int(i64),
    Single(f32),
    Double(f64),
}

fn failed(message: &str) -> EncodeError {
    EncodeError::new(EncodeErrorKind::Custom { message: message.into() })
}

fn is_packed(variant_type: VariantType) -> bool {
    matches!(variant_type.shape(), Shape::Packed(..)) || variant_type == VariantType::PackedStringArray
}

impl<'w> Raw<'w> {
    /// Writes the header, which [`finish`](Self::finish) completes.
    pub(super) fn begin(mut output: Output<'w>, variant_type: VariantType) -> Result<Self, EncodeError> {
        let start = output.position;
        output.position = output.reborrow().write(|writer| {
            writer.header(variant_type, 0)?;
            if is_packed(variant_type) {
                writer.word(0);
            }
            Ok(())
        })?;
        Ok(Self { output, variant_type, start, count: 0, wide: None })
    }

    fn component(&mut self, component: &Component) -> Result<(), EncodeError> {
        let (Shape::Fixed(number, _) | Shape::Packed(number, _)) = self.variant_type.shape() else {
            return Err(failed("a number where text is expected"));
        };
        match (number, component) {
            (Number::Byte, Component::Int(value)) => {
                let byte = u8::try_from(*value).map_err(|_| failed("an element of a PackedByteArray above 255"))?;
                self.output.put([byte]);
            }
            (Number::Int32, Component::Int(value)) => {
                let value = i32::try_from(*value).map_err(|_| failed("a number that does not fit in 32 bits"))?;
                self.output.put(value.to_le_bytes());
            }
            (Number::Int64, Component::Int(value)) => self.output.put(value.to_le_bytes()),
            (Number::Float32, component) => {
                self.output.put(component.single()?.to_le_bytes());
            }
            (Number::Float64, component) => {
                self.output.put(component.double()?.to_le_bytes());
            }
            (Number::Real, component) => {
                let own = if matches!(component, Component::Double(_)) { Precision::Double } else { Precision::Single };
                let options = self.output.writer.options;
                let wide = self.wide == Some(true) || Writer::new(&mut Vec::new(), options).writes_wide(own);
                if self.wide.replace(wide) == Some(false) && wide {
                    self.widen();
                }
                if wide {
                    self.output.put(component.double()?.to_le_bytes());
                } else {
                    self.output.put(component.single()?.to_le_bytes());
                }
            }
            _ => return Err(failed("a float where an int is expected")),
        }
        self.count += 1;
        Ok(())
    }

    /// Writes the components so far again, in 8 bytes each: one that follows has double precision.
    #[cold]
    fn widen(&mut self) {
        let first = self.start + if is_packed(self.variant_type) { 2 * WORD } else { WORD };
        let singles = self.output.writer.bytes[first..self.output.position].to_vec();
        self.output.position = first;
        for single in singles.as_chunks().0 {
            self.output.put(widen(f32::from_le_bytes(*single)).to_le_bytes());
        }
    }

    fn text(&mut self, text: &str) -> Result<(), EncodeError> {
        let terminated = match self.variant_type {
            VariantType::PackedStringArray => true,
            VariantType::StringName => false,
            _ => return Err(failed("text where a number is expected")),
        };
        refuse_unreadable(text).map_err(EncodeError::new)?;
        self.count += 1;
        let output = self.output.reborrow();
        self.output.position = output.write(|writer| writer.bytes_field(text.as_bytes(), terminated))?;
        Ok(())
    }

    /// Completes the header, and checks the number of components.
    pub(super) fn finish(mut self) -> Result<usize, EncodeError> {
        let components = match self.variant_type.shape() {
            Shape::Fixed(_, components) if self.count == components => None,
            Shape::Packed(_, components) if self.count.is_multiple_of(components) => Some(components),
            _ if self.variant_type == VariantType::PackedStringArray => Some(1),
            _ if self.variant_type == VariantType::StringName && self.count == 1 => None,
            _ => return Err(failed("another number of components than the type has")),
        };
        let (variant_type, count) = (self.variant_type, self.count);
        let start = Output { position: self.start, writer: self.output.writer };
        start.write(|writer| {
            let is_wide = match variant_type.shape() {
                // An array without components has the precision of the encoder.
                Shape::Packed(Number::Real, _) => self.wide.unwrap_or_else(|| writer.writes_wide(Precision::Single)),
                _ => self.wide == Some(true),
            };
            let wide = writer.wide_flag(variant_type, is_wide);
            writer.header(variant_type, wide)?;
            components.map_or(Ok(()), |components| writer.count(count / components))
        })?;
        if variant_type == VariantType::PackedByteArray {
            self.output.put_padding(&[0; 3][..padding(count)]);
        }
        Ok(self.output.position)
    }

    /// Like [`finish`](Self::finish), for the fields of one of glam's types.
    pub(super) fn finish_columns(self) -> Result<usize, EncodeError> {
        let components = &mut self.output.writer.bytes[self.start + WORD..self.output.position];
        if self.wide == Some(true) {
            names::transpose(self.variant_type, components.as_chunks_mut::<8>().0);
        } else {
            names::transpose(self.variant_type, components.as_chunks_mut::<4>().0);
        }
        self.finish()
    }
}

impl Component {
    fn single(&self) -> Result<f32, EncodeError> {
        match self {
            Self::Single(value) => Ok(*value),
            Self::Double(value) => Ok(narrow(*value)),
            Self::Int(_) => Err(failed("an int where a float is expected")),
        }
    }

    fn double(&self) -> Result<f64, EncodeError> {
        match self {
            Self::Single(value) => Ok(widen(*value)),
            Self::Double(value) => Ok(*value),
            Self::Int(_) => Err(failed("an int where a float is expected")),
        }
    }
}

macro_rules! ints {
    ($($method:ident: $type:ty),*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<(), EncodeError> {
            self.component(&Component::Int(value.into()))
        }
    )*};
}

macro_rules! refused {
    ($($method:ident($($argument:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self $(, _: $argument)*) -> Result<$ok, EncodeError> {
            Err(failed("an element that is neither a number nor text nor a vector"))
        }
    )*};
}

type Refused = Impossible<(), EncodeError>;

impl Serializer for &mut Raw<'_> {
    type Ok = ();
    type Error = EncodeError;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Refused;
    type SerializeMap = Refused;
    type SerializeStruct = Self;
    type SerializeStructVariant = Refused;

    ints! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32
    }

    fn serialize_u64(self, value: u64) -> Result<(), EncodeError> {
        let value = i64::try_from(value).map_err(|_| EncodeError::new(EncodeErrorKind::IntTooLarge { value }))?;
        self.component(&Component::Int(value))
    }

    fn serialize_f32(self, value: f32) -> Result<(), EncodeError> {
        self.component(&Component::Single(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), EncodeError> {
        self.component(&Component::Double(value))
    }

    fn serialize_str(self, text: &str) -> Result<(), EncodeError> {
        self.text(text)
    }

    fn serialize_char(self, character: char) -> Result<(), EncodeError> {
        self.text(character.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), EncodeError> {
        bytes.iter().try_for_each(|byte| self.component(&Component::Int((*byte).into())))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), EncodeError> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, EncodeError> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, EncodeError> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, EncodeError> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, EncodeError> {
        Ok(self)
    }

    refused! {
        serialize_bool(bool) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_map(Option<usize>) -> Refused;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Refused;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Refused;
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), EncodeError> {
        self.text(variant)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), EncodeError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), EncodeError> {
        Err(failed("an enum variant with content"))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! elements {
    ($($trait:ident: $method:ident($($name:ty)?);)*) => {$(
        impl $trait for &mut Raw<'_> {
            type Ok = ();
            type Error = EncodeError;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self $(, _: $name)?, value: &T) -> Result<(), EncodeError> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), EncodeError> {
                Ok(())
            }
        }
    )*};
}

elements! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeStruct: serialize_field(&'static str);
}
