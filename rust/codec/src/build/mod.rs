//! Building something from the values of a packet: the [`Builder`] trait and the builders of this crate.
//!
//! ```
//! use varbytes::Decoder;
//! use varbytes::build::{BorrowBuilder, TreeBuilder};
//!
//! let packet = varbytes::encode(&"Ada".into())?;
//! assert_eq!(Decoder::new().decode_prefix_with(&packet, &mut TreeBuilder)?.value, "Ada");
//! assert_eq!(Decoder::new().decode_prefix_with(&packet, &mut BorrowBuilder)?.value.as_str(), Some("Ada"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod ascii;
pub(crate) mod borrowed;
pub(crate) mod builder;
pub(crate) mod costs;
pub(crate) mod leaf;
pub(crate) mod owned;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod validate;

#[doc(hidden)]
pub use self::ascii::Ascii;
pub use self::borrowed::BorrowBuilder;
#[doc(hidden)]
pub use self::borrowed::{OpenArrayRef, OpenDictionaryRef, StringsRef};
pub use self::builder::{Builder, DuplicateKeys};
pub use self::costs::MemoryCosts;
pub use self::leaf::Leaf;
pub use self::owned::TreeBuilder;
#[doc(hidden)]
pub use self::owned::{OpenArray, OpenDictionary};
#[doc(hidden)]
pub use self::run::FixedRun;
#[doc(hidden)]
pub use self::validate::CheckedObject;
pub use self::validate::{ObjectPolicy, Validator};
pub use crate::coerce::EngineBuild;
pub use crate::variant::PackedNumbers;
