//! Copying the bytes of this crate, as a lower bound.

use super::{Operation, Output, Task, encode_into, names};

pub(super) fn tasks(bytes: &[u8]) -> Vec<Task<'_>> {
    // A copy into a new buffer is the lower bound for an owned result; a copy into the same buffer, for reading.
    let copy = |operation| Task::new(operation, names::MEMCPY, bytes.len(), move || Output::Bytes(bytes.to_vec()));
    let again = |operation| Task {
        operation,
        ..encode_into(names::MEMCPY, bytes.len(), move |buffer| buffer.extend_from_slice(bytes))
    };
    vec![
        copy(Operation::Encode),
        again(Operation::EncodeInto),
        copy(Operation::Decode),
        again(Operation::DecodeBorrowed),
        again(Operation::Check),
    ]
}
