//! Properties that hold for any bytes and any value, in every profile.
//!
//! A property takes the bytes of a fuzzer's input and panics if it does not hold. The fuzz targets call it, and so do
//! the workspace's tests, for the committed corpora and for every committed vector.

mod builders;
mod canonical;
mod convert;
mod decode;
mod input;
mod memory;
mod paths;
mod roundtrip;
mod steps;
mod types;
mod values;
mod work;

pub use builders::builders;
pub use canonical::canonical;
pub use convert::convert;
pub use decode::decode;
pub use input::{AddonInput, ConvertInput, PacketInput};
pub use memory::memory;
pub use paths::paths;
pub use roundtrip::roundtrip;
pub use values::any_value;
pub use work::work;

/// A property with its name, which is also the name of its fuzz target and of its corpus folder.
pub type Property = (&'static str, fn(&[u8]));

/// Every property of only an input; [`memory`] also measures the process.
pub const PROPERTIES: [Property; 6] = [
    ("decode", decode),
    ("canonical", canonical),
    ("roundtrip", roundtrip),
    ("builders", builders),
    ("convert", convert),
    ("work", work),
];
