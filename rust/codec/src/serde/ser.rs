//! `Serializer` that writes values as they come.

use alloc::vec::Vec;

use serde_core::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::Decoder;
use crate::error::{EncodeError, EncodeErrorKind};
use crate::float::narrow_exactly;
use crate::options::{ReadOptions, WriteOptions};
use crate::path::Step;
use crate::profile::PlainHeaders;
use crate::serde::capture::{Announcement, Capture};
use crate::serde::names;
use crate::serde::raw::Raw;
use crate::types::string::refuse_nul;
use crate::wire::{FLAG_WIDE, MAX_DEPTH, WORD};
use crate::write::fast::TreeWriter;
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// Writes values to a buffer, so that the count of a container can be written after its members.
pub(super) struct ValueWriter<'s> {
    bytes: &'s mut Vec<u8>,
    options: WriteOptions,
    headers: &'static PlainHeaders,
    /// The number of open containers.
    depth: usize,
}

impl<'s> ValueWriter<'s> {
    pub(super) fn new(bytes: &'s mut Vec<u8>, options: WriteOptions) -> Self {
        Self { bytes, options, headers: options.profile.plain_headers(), depth: 0 }
    }

    /// Writes a value with the writer for trees.
    #[inline]
    fn write(
        &mut self,
        write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>,
    ) -> Result<(), EncodeError> {
        write(&mut Writer::new(self.bytes, self.options)).map_err(EncodeError::new)
    }

    #[inline(always)]
    fn two_words(&mut self, header: u32, word: u32) {
        self.bytes.extend_from_slice(&(u64::from(header) | u64::from(word) << 32).to_le_bytes());
    }

    #[inline(always)]
    fn wide(&mut self, header: u32, payload: u64) {
        let mut bytes = [0; 3 * WORD];
        bytes[..WORD].copy_from_slice(&(header | FLAG_WIDE).to_le_bytes());
        bytes[WORD..].copy_from_slice(&payload.to_le_bytes());
        self.bytes.extend_from_slice(&bytes);
    }

    #[inline(always)]
    fn text(&mut self, header: u32, text: &str) -> Result<(), EncodeError> {
        let Ok(length) = i32::try_from(text.len()) else {
            return Err(EncodeError::new(EncodeErrorKind::TooLong { length: text.len() }));
        };
        let head = u64::from(header) | u64::from(length.cast_unsigned()) << 32;
        self.bytes.put_long_text(head.to_le_bytes(), text.as_bytes());
        Ok(())
    }

    /// Writes the name of a field or of an enum variant.
    #[inline(always)]
    fn name(&mut self, name: &'static str) -> Result<(), EncodeError> {
        if !self.options.names_as_string_names {
            return self.text(self.headers.string, name);
        }
        match self.headers.string_name {
            Some(header) => self.text(header, name),
            None => self.write(|writer| writer.string_name(name)),
        }
    }

    /// Begins a container whose count is written when it ends.
    #[inline(always)]
    fn begin(&mut self, header: u32, length: Option<usize>) -> Result<Members<'_, 's>, EncodeError> {
        self.two_words(header, 0);
        self.depth += 1;
        if self.depth > MAX_DEPTH && length != Some(0) && self.options.profile.limits_writing_depth() {
            return Err(EncodeError::new(EncodeErrorKind::DepthLimit { limit: MAX_DEPTH }));
        }
        let count_at = self.bytes.len() - WORD;
        Ok(Members { key_start: 0, count: 0, count_at, writer: self, is_variant: false })
    }

    /// Begins the dictionary of an enum variant, and the container of its content.
    #[inline]
    fn begin_variant(
        &mut self,
        variant: &'static str,
        header: u32,
        length: usize,
    ) -> Result<Members<'_, 's>, EncodeError> {
        self.two_words(self.headers.dictionary, 1);
        self.depth += 1;
        self.name(variant)?;
        let mut members = self.begin(header, Some(length))?;
        members.is_variant = true;
        Ok(members)
    }

    /// Writes a `Variant` that serde's data model lacks.
    #[cold]
    fn variant<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        // The first call announces that the second one is to give the encoded value.
        let _ = value.serialize(Announcement);
        let Capture { profile, encoded } = value.serialize(Capture::default())?;
        let options = ReadOptions { profile, objects: true, fixes_engine_bugs: true, ..ReadOptions::default() };
        let tree = Decoder { options }.decode(&encoded).map_err(serde_core::ser::Error::custom)?;
        TreeWriter::new(Writer::new(self.bytes, self.options)).write_at(&tree, self.depth)
    }
}

/// The members of an open container.
pub(super) struct Members<'w, 's> {
    writer: &'w mut ValueWriter<'s>,
    count_at: usize,
    count: usize,
    key_start: usize,
    /// Whether it is the content of an enum variant, which is in a dictionary of its own.
    is_variant: bool,
}

impl Members<'_, '_> {
    #[inline(always)]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.serialize(&mut *self.writer).map_err(|error| error.within(Step::Index(self.count)))?;
        self.count += 1;
        Ok(())
    }

    #[inline(always)]
    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), EncodeError> {
        self.key_start = self.writer.bytes.len();
        key.serialize(&mut *self.writer).map_err(|error| error.within(Step::Key(self.count)))
    }

    #[inline(always)]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.serialize(&mut *self.writer).map_err(|error| error.within(self.step()))?;
        self.count += 1;
        Ok(())
    }

    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), EncodeError> {
        self.key_start = self.writer.bytes.len();
        self.writer.name(name)?;
        self.value(value)
    }

    /// Returns the step to the value of the last key.
    #[cold]
    fn step(&self) -> Step {
        let decoder = Decoder::new().profile(self.writer.options.profile);
        let key = decoder.decode(&self.writer.bytes[self.key_start..]).ok();
        Step::Value(self.count, key.as_ref().and_then(crate::path::key_text))
    }

    #[inline(always)]
    fn finish(self) -> Result<(), EncodeError> {
        let Ok(count) = i32::try_from(self.count) else {
            return Err(EncodeError::new(EncodeErrorKind::TooLong { length: self.count }));
        };
        if let Some(place) = self.writer.bytes.get_mut(self.count_at..).and_then(<[u8]>::first_chunk_mut) {
            *place = count.to_le_bytes();
        }
        self.writer.depth -= 1 + usize::from(self.is_variant);
        Ok(())
    }
}

/// The fields of a tuple struct: an array, or a vector of glam.
pub(super) enum TupleFields<'w, 's> {
    Array(Members<'w, 's>),
    Vector(Raw<'w>),
}

macro_rules! ints {
    ($($method:ident: $type:ty),*) => {$(
        #[inline]
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

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), EncodeError> {
        self.two_words(self.headers.bool, value.into());
        Ok(())
    }

    #[inline]
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

    #[inline]
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
        let Some(variant_type) = names::type_of(name) else { return value.serialize(self) };
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
        }
    }

    fn end(self) -> Result<(), EncodeError> {
        match self {
            Self::Array(members) => members.finish(),
            Self::Vector(raw) => raw.finish_columns(),
        }
    }
}
