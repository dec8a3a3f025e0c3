//! CBOR by ciborium.

use ciborium::Value;
use serde::de::IgnoredAny;
use varbytes::Variant;

use super::convert::{Other, convert};
use super::{Operation, Output, Task, encode_into, names};

/// A depth limit above that of any document.
const DEPTH: usize = 4096;

pub(super) struct Prepared {
    value: Value,
    bytes: Vec<u8>,
}

impl Prepared {
    pub(super) fn new(value: &Variant) -> Self {
        let value = convert(value);
        let bytes = encode(&value);
        Self { value, bytes }
    }

    pub(super) fn tasks(&self) -> Vec<Task<'_>> {
        let Self { value, bytes } = self;
        assert!(decode::<Value>(bytes) == *value, "ciborium returns the document");
        let (name, length) = (names::CIBORIUM, bytes.len());
        vec![
            Task::new(Operation::Encode, name, length, || Output::Bytes(encode(value))),
            encode_into(name, length, |buffer| {
                ciborium::into_writer(value, buffer).expect("written before");
            }),
            Task::new(Operation::Decode, name, length, || Output::Ciborium(decode(bytes))),
            Task::new(Operation::Check, name, length, || {
                std::hint::black_box(decode::<IgnoredAny>(bytes));
                Output::Nothing
            }),
        ]
    }
}

fn encode(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).expect("a document can be written");
    bytes
}

fn decode<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> T {
    ciborium::de::from_reader_with_recursion_limit(bytes, DEPTH).expect("what was written is read")
}

impl Other for Value {
    fn nil() -> Self {
        Self::Null
    }

    fn bytes(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }

    fn array(elements: Vec<Self>) -> Self {
        Self::Array(elements)
    }

    fn map(entries: Vec<(Self, Self)>) -> Self {
        Self::Map(entries)
    }
}
