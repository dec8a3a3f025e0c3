//! Receives the encoding of a `Variant` that serde's data model lacks.

use alloc::vec::Vec;

use serde_core::ser::{Error as _, Impossible, Serialize, Serializer};

use crate::Profile;
use crate::error::EncodeError;

/// A serializer that refuses everything. A call with it announces another call with [`Capture`].
pub(super) struct Announcement;

/// A serializer that receives an encoded value: the index of the profile, then the packet.
#[derive(Default)]
pub(super) struct Capture {
    pub(super) profile: Profile,
    pub(super) encoded: Vec<u8>,
}

macro_rules! refuse {
    ($ok:ty; $($method:ident($($argument:ty),*) -> $returned:ty;)*) => {
        $(fn $method(self $(, _: $argument)*) -> Result<$returned, EncodeError> {
            Err(EncodeError::custom("not an encoded value"))
        })*

        fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<$ok, EncodeError> {
            Err(EncodeError::custom("not an encoded value"))
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<$ok, EncodeError> {
            Err(EncodeError::custom("not an encoded value"))
        }

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<$ok, EncodeError> {
            Err(EncodeError::custom("not an encoded value"))
        }
    };
}

macro_rules! serializer {
    ($type:ty => $ok:ty { $($bytes:tt)* }) => {
        impl Serializer for $type {
            type Ok = $ok;
            type Error = EncodeError;
            type SerializeSeq = Impossible<$ok, EncodeError>;
            type SerializeTuple = Impossible<$ok, EncodeError>;
            type SerializeTupleStruct = Impossible<$ok, EncodeError>;
            type SerializeTupleVariant = Impossible<$ok, EncodeError>;
            type SerializeMap = Impossible<$ok, EncodeError>;
            type SerializeStruct = Impossible<$ok, EncodeError>;
            type SerializeStructVariant = Impossible<$ok, EncodeError>;

            $($bytes)*

            refuse! {
                $ok;
                serialize_bool(bool) -> $ok;
                serialize_i8(i8) -> $ok;
                serialize_i16(i16) -> $ok;
                serialize_i32(i32) -> $ok;
                serialize_i64(i64) -> $ok;
                serialize_u8(u8) -> $ok;
                serialize_u16(u16) -> $ok;
                serialize_u32(u32) -> $ok;
                serialize_u64(u64) -> $ok;
                serialize_f32(f32) -> $ok;
                serialize_f64(f64) -> $ok;
                serialize_char(char) -> $ok;
                serialize_str(&str) -> $ok;
                serialize_none() -> $ok;
                serialize_unit() -> $ok;
                serialize_unit_struct(&'static str) -> $ok;
                serialize_unit_variant(&'static str, u32, &'static str) -> $ok;
                serialize_seq(Option<usize>) -> Self::SerializeSeq;
                serialize_tuple(usize) -> Self::SerializeTuple;
                serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
                serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
                serialize_map(Option<usize>) -> Self::SerializeMap;
                serialize_struct(&'static str, usize) -> Self::SerializeStruct;
                serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
            }
        }
    };
}

serializer! {
    Announcement => () {
        fn serialize_bytes(self, _: &[u8]) -> Result<(), EncodeError> {
            Err(EncodeError::custom("not an encoded value"))
        }
    }
}

serializer! {
    Capture => Capture {
        fn serialize_bytes(self, bytes: &[u8]) -> Result<Self, EncodeError> {
            let Some((index, encoded)) = bytes.split_first() else {
                return Err(EncodeError::custom("not an encoded value"));
            };
            let profile = Profile::ALL.get(usize::from(*index)).copied().unwrap_or_default();
            Ok(Self { profile, encoded: encoded.into() })
        }
    }
}
