//! Every value that an engine can hold is written with the announced length, and read back bit for bit.

use varbytes::variant::{Dictionary, Object};
use varbytes::{Single, Variant};

use crate::PacketInput;
use crate::values::{WRAPPINGS, any_value};

/// Every value of an engine encodes to `encoded_len` bytes, the same by every path, which decode to it bit for bit, also strictly.
///
/// # Panics
/// If that does not hold.
pub fn roundtrip(input: &[u8]) {
    let Some(input) = PacketInput::read(input) else { return };
    let Some(value) = any_value(input.packet, input.profile, input.objects, WRAPPINGS) else { return };
    let (decoder, encoder) = (input.decoder().fix_engine_bugs(true), input.encoder().fix_engine_bugs(true));
    let shown = || format!("{decoder:?} of {value:?}");
    let bytes = encoder.encode(&value).unwrap_or_else(|error| panic!("{error}: {}", shown()));
    assert_eq!(encoder.encoded_len(&value).ok(), Some(bytes.len()), "{}", shown());
    if let Some(written) = number(&value).and_then(|number| encoder.encode_number(number)) {
        let mut whole = vec![0; written.length()];
        written.copy_to(&mut whole);
        assert_eq!(whole, bytes, "{}", shown());
    }
    // Before Godot 4.4, a StringName as a key is read as a String.
    if has_name_key(&value) && !keeps_name_keys(&input) {
        return;
    }
    let decoded = decoder.decode_prefix(&bytes).unwrap_or_else(|error| panic!("{error}: {}", shown()));
    assert_eq!((decoded.consumed, decoded.used), (bytes.len(), bytes.len()), "{}", shown());
    assert!(decoded.value.bit_eq(&value), "read as {:?}: {}", decoded.value, shown());
}

const fn number(value: &Variant) -> Option<Single<'_>> {
    match value {
        Variant::Nil => Some(Single::Nil),
        Variant::Bool(value) => Some(Single::Bool(*value)),
        Variant::Int(value) => Some(Single::Int(*value)),
        Variant::Float(value) => Some(Single::Float(*value)),
        _ => None,
    }
}

fn keeps_name_keys(input: &PacketInput<'_>) -> bool {
    let name = Variant::StringName("name".into());
    let value = Variant::from(Dictionary::from(vec![(name, Variant::Nil)]));
    let bytes = input.encoder().encode(&value);
    bytes.is_ok_and(|bytes| input.decoder().decode(&bytes).is_ok_and(|read| read.bit_eq(&value)))
}

fn has_name_key(value: &Variant) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Variant::Array(array) => pending.extend(array.elements()),
            Variant::Dictionary(dictionary) => {
                for (key, value) in dictionary.entries() {
                    if matches!(key, Variant::StringName(_)) {
                        return true;
                    }
                    pending.extend([key, value]);
                }
            }
            Variant::Object(Object::Data(object)) => pending.extend(object.properties.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    false
}
