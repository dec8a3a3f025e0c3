//! Reading. `machine` is the slow path, which reads every value; `fast` reads common values; `recursive` and `plain` read
//! untyped containers of common values, down to some depth and below it; `run` reads consecutive elements of one type
//! together.

pub(crate) mod cursor;
pub(crate) mod destination;
pub(crate) mod duplicate_keys;
pub(crate) mod fast;
pub(crate) mod frame;
pub(crate) mod input;
pub(crate) mod known_names;
pub(crate) mod leaf;
pub(crate) mod machine;
pub(crate) mod plain;
pub(crate) mod recursive;
pub(crate) mod run;
pub(crate) mod window;
