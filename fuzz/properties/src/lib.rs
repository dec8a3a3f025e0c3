//! What holds for any bytes and any value, in every profile.
//!
//! A property takes the bytes of a fuzzer's input and panics where it does not hold. The fuzz targets call it, and so
//! do the tests of the workspace, over the committed corpus and over every committed vector.

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

/// What a property is called, which is the name of its fuzz target and of its folder in the corpus, and the property.
pub type Property = (&'static str, fn(&[u8]));

/// Every property of an input alone; [`memory`] asks the process too.
pub const PROPERTIES: [Property; 6] = [
    ("decode", decode),
    ("canonical", canonical),
    ("roundtrip", roundtrip),
    ("builders", builders),
    ("convert", convert),
    ("work", work),
];
