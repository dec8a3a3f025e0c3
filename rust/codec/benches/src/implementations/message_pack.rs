//! `MessagePack` by rmpv.

use rmpv::Value;
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
        assert!(decode(bytes) == *value, "rmpv returns the document");
        assert!(decode_borrowed(bytes).to_owned() == *value, "rmpv returns the document, borrowed");
        let (name, length) = (names::MESSAGE_PACK, bytes.len());
        vec![
            Task::new(Operation::Encode, name, length, || Output::Bytes(encode(value))),
            encode_into(name, length, |buffer| {
                rmpv::encode::write_value(buffer, value).expect("written before");
            }),
            Task::new(Operation::Decode, name, length, || Output::MessagePack(decode(bytes))),
            Task::new(Operation::DecodeBorrowed, name, length, || Output::MessagePackBorrowed(decode_borrowed(bytes))),
        ]
    }
}

fn encode(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    rmpv::encode::write_value(&mut bytes, value).expect("a document can be written");
    bytes
}

fn decode(mut bytes: &[u8]) -> Value {
    rmpv::decode::read_value_with_max_depth(&mut bytes, DEPTH).expect("what was written is read")
}

fn decode_borrowed(mut bytes: &[u8]) -> rmpv::ValueRef<'_> {
    rmpv::decode::read_value_ref_with_max_depth(&mut bytes, DEPTH).expect("what was written is read")
}

impl Other for Value {
    fn nil() -> Self {
        Self::Nil
    }

    fn bytes(bytes: &[u8]) -> Self {
        bytes.into()
    }

    fn array(elements: Vec<Self>) -> Self {
        Self::Array(elements)
    }

    fn map(entries: Vec<(Self, Self)>) -> Self {
        Self::Map(entries)
    }
}
