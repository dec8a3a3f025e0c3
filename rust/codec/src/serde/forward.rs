//! Deserializers that leave most types to the reader.

/// Implements the methods of `Deserializer` that a deserializer with a method `read_by` leaves to the reader.
macro_rules! forward_to_reader {
    ($($more:ident($($argument:ident: $type:ty),*))*) => {
        $crate::serde::forward::forward_methods! {
            deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64()
            deserialize_i128() deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128() deserialize_char() deserialize_str()
            deserialize_string() deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_unit()
            deserialize_unit_struct(name: &'static str) deserialize_newtype_struct(name: &'static str)
            deserialize_seq() deserialize_tuple(count: usize)
            deserialize_tuple_struct(name: &'static str, count: usize) deserialize_map()
            deserialize_struct(name: &'static str, fields: &'static [&'static str])
            deserialize_enum(name: &'static str, variants: &'static [&'static str]) deserialize_ignored_any()
            $($more($($argument: $type),*))*
        }

        fn is_human_readable(&self) -> bool {
            false
        }
    };
}
pub(super) use forward_to_reader;

macro_rules! forward_methods {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, DecodeError> {
            self.read_by(|reader| reader.$method($($argument,)* visitor))
        }
    )*};
}
pub(super) use forward_methods;
