//! A value that an engine can hold is written in as many bytes as were said, and read bit for bit.

use crate::PacketInput;
use crate::values::{WRAPPINGS, any_value};

/// Any value of an engine encodes to `encoded_len` bytes, which decode to it bit for bit, strictly too.
///
/// # Panics
/// Where that is not so.
pub fn roundtrip(input: &[u8]) {
    let Some(input) = PacketInput::read(input) else { return };
    let Some(value) = any_value(input.packet, input.profile, input.objects, WRAPPINGS) else { return };
    let (decoder, encoder) = (input.decoder().correct_faults(true), input.encoder().correct_faults(true));
    let shown = || format!("{decoder:?} of {value:?}");
    let bytes = encoder.encode(&value).unwrap_or_else(|error| panic!("{error}: {}", shown()));
    assert_eq!(encoder.encoded_len(&value).ok(), Some(bytes.len()), "{}", shown());
    let decoded = decoder.decode_prefix(&bytes).unwrap_or_else(|error| panic!("{error}: {}", shown()));
    assert_eq!((decoded.consumed, decoded.used), (bytes.len(), bytes.len()), "{}", shown());
    assert!(decoded.value.bit_eq(&value), "read as {:?}: {}", decoded.value, shown());
}
