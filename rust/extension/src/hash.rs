//! A hash of values that is the same everywhere.

use std::hash::Hasher as _;

use godot::builtin::Variant;
use twox_hash::xxhash3_64::Hasher;
use varbytes::write::Sink;

use crate::encode::write_canonical;
use crate::error::VarBytesError;

/// Returns XXH3 (64 bits, seed 0) of the bytes of a value as the newest engine writes them.
pub(crate) fn hash(value: &Variant) -> Result<i64, VarBytesError> {
    let mut sink = HashSink(Hasher::new());
    write_canonical(value, &mut sink)?;
    Ok(sink.0.finish().cast_signed())
}

/// Hashes bytes instead of keeping them.
struct HashSink(Hasher);

impl Sink for HashSink {
    fn put(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }
}
