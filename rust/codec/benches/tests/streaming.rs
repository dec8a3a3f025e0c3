//! Input larger than memory is read completely.

use std::path::Path;

use varbytes_benches::streaming;

#[test]
fn members_of_a_value_larger_than_the_memory_allowed_are_all_read() {
    let streamed = streaming::members(
        Path::new(env!("CARGO_BIN_EXE_stream-members")),
        streaming::ALLOWED + streaming::ALLOWED / 8,
    )
    .unwrap();
    assert!(streamed.bytes > streaming::ALLOWED);
}
