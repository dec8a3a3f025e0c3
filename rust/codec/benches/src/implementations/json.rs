//! JSON by `serde_json`.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Value};
use varbytes::Variant;

use super::convert::{Other, convert};
use super::{Operation, Output, Task, encode_into, names};

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
        assert!(decode::<Value>(bytes) == *value, "serde_json returns the document");
        let (name, length) = (names::JSON, bytes.len());
        vec![
            Task::new(Operation::Encode, name, length, || Output::Bytes(encode(value))),
            encode_into(name, length, |buffer| {
                serde_json::to_writer(buffer, value).expect("written before");
            }),
            Task::new(Operation::Decode, name, length, || Output::Json(decode(bytes))),
            Task::new(Operation::Check, name, length, || {
                std::hint::black_box(decode::<IgnoredAny>(bytes));
                Output::Nothing
            }),
        ]
    }
}

fn encode(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).expect("a document can be written")
}

fn decode<'d, T: Deserialize<'d>>(bytes: &'d [u8]) -> T {
    // The default limit is 128 levels.
    let mut deserializer = Deserializer::from_slice(bytes);
    deserializer.disable_recursion_limit();
    T::deserialize(&mut deserializer).expect("what was written is read")
}

impl Other for Value {
    fn nil() -> Self {
        Self::Null
    }

    fn bytes(bytes: &[u8]) -> Self {
        bytes.into()
    }

    fn array(elements: Vec<Self>) -> Self {
        Self::Array(elements)
    }

    /// Keys in JSON are always strings.
    fn map(entries: Vec<(Self, Self)>) -> Self {
        let key = |key| match key {
            Self::String(text) => text,
            other => other.to_string(),
        };
        Self::Object(entries.into_iter().map(|(name, value)| (key(name), value)).collect())
    }
}
