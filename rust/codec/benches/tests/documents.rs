//! The documents match the tables, and every implementation returns them.

use varbytes_benches::documents::{DOCUMENTS, Document};
use varbytes_benches::implementations::{Operation, Output, Prepared, names};

/// Documents that are fast to process in a debug build too.
const SMALL: [&str; 3] = ["packet", "dictionary", "nested"];

fn small() -> impl Iterator<Item = Document> {
    DOCUMENTS.into_iter().filter(|document| SMALL.contains(&document.name))
}

fn document(name: &str) -> Document {
    DOCUMENTS.into_iter().find(|document| document.name == name).unwrap()
}

#[test]
fn a_save_has_the_size_that_is_asked_for() {
    let bytes = varbytes::encode(&(document("save").make)()).unwrap();
    assert_eq!(bytes.len(), 50_000 * 108 + 8);
}

/// The other formats read a thousand levels by recursion, which needs a larger stack in a debug build.
fn for_each_small(test: fn(Prepared)) {
    let all = move || small().map(Prepared::new).for_each(test);
    std::thread::Builder::new().stack_size(64 << 20).spawn(all).unwrap().join().unwrap();
}

#[test]
fn every_task_is_measured_or_has_a_reason_not_to_be() {
    for_each_small(|prepared| {
        let document = prepared.document;
        let (tasks, cannot) = (prepared.tasks(), prepared.cannot());
        for implementation in names::ALL.into_iter().filter(|name| *name != names::UNSEARCHED) {
            for operation in Operation::ALL {
                let measured = tasks.iter().any(|it| (it.operation, it.implementation) == (operation, implementation));
                let reasoned =
                    cannot.iter().any(|it| (it.operation, &*it.implementation) == (operation, implementation));
                assert!(measured != reasoned, "{}: {} by {implementation}", document.name, operation.name());
            }
        }
    });
}

#[test]
fn a_task_returns_the_result_of_its_operation() {
    for_each_small(|prepared| {
        for mut task in prepared.tasks() {
            match ((task.run)(), task.operation) {
                (Output::Bytes(bytes), _) => assert_eq!(bytes.len(), task.bytes),
                (Output::Variant(value), Operation::Decode) => assert!(value.bit_eq(&prepared.value)),
                (Output::Borrowed(value), Operation::DecodeBorrowed) => {
                    assert!(value.to_variant().bit_eq(&prepared.value));
                }
                (Output::Peer(_) | Output::MessagePack(_) | Output::Ciborium(_) | Output::Json(_), operation) => {
                    assert_eq!(operation, Operation::Decode);
                }
                (Output::MessagePackBorrowed(_), operation) => assert_eq!(operation, Operation::DecodeBorrowed),
                (Output::Nothing, operation) => {
                    let copy = task.implementation == names::MEMCPY;
                    assert!(copy || matches!(operation, Operation::EncodeInto | Operation::Check));
                }
                (_, operation) => panic!("{} returns an unexpected tree", operation.name()),
            }
        }
    });
}
