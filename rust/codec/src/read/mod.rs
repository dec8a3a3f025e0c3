//! Reading: the input, the slow path that reads everything, and the fast path for common values.

pub(crate) mod coercion_cost;
pub(crate) mod container_header;
pub(crate) mod cursor;
pub(crate) mod destination;
pub(crate) mod duplicate_keys;
pub(crate) mod fast;
pub(crate) mod machine;
pub(crate) mod window;
