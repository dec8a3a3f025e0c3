//! Building something from the values of a packet: the [`Builder`] trait and the builders of this crate.

pub(crate) mod ascii;
pub(crate) mod borrowed;
pub(crate) mod builder;
pub(crate) mod costs;
pub(crate) mod leaf;
pub(crate) mod owned;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod validate;

pub use self::ascii::Ascii;
pub use self::borrowed::{BorrowBuilder, OpenArrayRef, OpenDictionaryRef, StringsRef};
pub use self::builder::{Builder, DuplicateKeys};
pub use self::costs::MemoryCosts;
pub use self::leaf::Leaf;
pub use self::owned::{OpenArray, OpenDictionary, TreeBuilder};
#[doc(hidden)]
pub use self::run::FixedRun;
pub use self::validate::{CheckedObject, ObjectPolicy, Validator};
pub use crate::coerce::EngineBuild;
pub use crate::variant::PackedNumbers;
