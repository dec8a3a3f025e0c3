//! Reading. `machine` is the slow path, which reads everything; `fast` reads common values, and `recursive` the
//! containers of such.

pub(crate) mod cursor;
pub(crate) mod destination;
pub(crate) mod duplicate_keys;
pub(crate) mod fast;
pub(crate) mod input;
pub(crate) mod machine;
pub(crate) mod recursive;
pub(crate) mod window;
