//! This crate.

use varbytes::Variant;

use super::{Operation, Output, Prepared, Task, encode_into, names};
use crate::documents::{decoder, encoder};
use crate::unsearched::UnsearchedBuilder;

/// The documents whose dictionaries show the cost of the search for duplicate keys.
const WITH_KEYS: [&str; 5] = ["save", "save-by-id", "packet", "dictionary", "unsorted"];

pub(super) fn encoded(value: &Variant) -> Vec<u8> {
    encoder().encode(value).expect("a document can be written")
}

pub(super) fn tasks(prepared: &Prepared) -> Vec<Task<'_>> {
    let Prepared { value, bytes, .. } = prepared;
    let (encoder, decoder) = (encoder(), decoder());
    let decode = || decoder.decode(bytes).expect("what was written is read");
    let decode_borrowed = || decoder.decode_borrowed(bytes).expect("what was written is read");
    let decode_unsearched =
        || decoder.decode_with(bytes, &mut UnsearchedBuilder::default()).expect("what was written is read").value;
    let check = || decoder.check(bytes).expect("what was written is read");

    assert!(decode().bit_eq(value), "decoded");
    assert!(decode_borrowed().to_variant().bit_eq(value), "borrowed");
    assert!(decode_unsearched().bit_eq(value), "without the search for duplicate keys");
    assert_eq!(check().used, bytes.len(), "checked");

    let (name, length) = (names::VARBYTES, bytes.len());
    let mut tasks = vec![
        Task::new(Operation::Encode, name, length, move || {
            Output::Bytes(encoder.encode(value).expect("written before"))
        }),
        encode_into(name, length, move |buffer| encoder.encode_into(value, buffer).expect("written before")),
        Task::new(Operation::Decode, name, length, move || {
            Output::Variant(decoder.decode(bytes).expect("read before"))
        }),
        Task::new(Operation::DecodeBorrowed, name, length, move || {
            Output::Borrowed(decoder.decode_borrowed(bytes).expect("read before"))
        }),
        Task::new(Operation::Check, name, length, move || {
            std::hint::black_box(decoder.check(bytes).expect("read before"));
            Output::Nothing
        }),
    ];
    if WITH_KEYS.contains(&prepared.document.name) {
        tasks.push(Task::new(Operation::Decode, names::UNSEARCHED, length, move || {
            let decoded = decoder.decode_with(bytes, &mut UnsearchedBuilder::default());
            Output::Variant(decoded.expect("read before").value)
        }));
    }
    tasks
}
