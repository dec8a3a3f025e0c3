//! The data model: the tree that a packet decodes to.
//!
//! ```
//! use varbytes::variant::{Text, Vector3};
//! use varbytes::{Variant, variant};
//!
//! let player = variant!({"name": "Ada", "position": Vector3::new(1.0, 2.0, 3.0)});
//! let Variant::Dictionary(player) = player else { unreachable!() };
//! let (name, position): (Text, Vector3) = ((&player["name"]).try_into()?, (&player["position"]).try_into()?);
//! assert_eq!((&*name, position.y()), ("Ada", 2.0));
//! # Ok::<(), varbytes::variant::WrongType>(())
//! ```

mod accessors;
mod array;
mod borrowed;
mod clone;
mod compare;
mod container;
mod debug;
mod dictionary;
mod display;
mod drop;
mod entry;
mod float_text;
#[cfg(any(feature = "glam", feature = "mint"))]
mod foreign_math;
mod from;
mod godot2;
mod hash;
mod index;
mod key;
mod key_hash;
mod key_order;
mod key_view;
mod literal;
mod map;
mod math;
mod members;
mod mismatch;
mod node_path;
mod order;
mod owned;
mod packed;
mod packed_numbers;
mod short_text;
mod text;
mod try_from;
mod view;
mod walk;

pub use borrowed::{ArrayRef, DictionaryRef, NodePathRef, ObjectRef, VariantRef};
pub use entry::{Entry, OccupiedEntry, VacantEntry};
pub use godot2::{Image, InputEvent, InputEventKind, Modifiers};
pub use key::Key;
pub use key_view::KeyView;
pub use map::{Entries, EntriesMut};
pub use math::*;
pub use members::ContainerType;
pub use mismatch::TypeMismatch;
pub use node_path::{NodePath, Signal};
pub use owned::{Array, Dictionary, Object, ObjectData, Variant};
pub use packed::PackedReals;
pub use packed_numbers::PackedNumbers;
pub use text::{Text, TextError};
pub use try_from::WrongType;
pub use walk::{Visit, Walk};

pub(crate) use compare::same_key;
pub(crate) use container::in_pairs;
pub(crate) use display::write_c_escaped;
#[cfg(all(test, feature = "count-work"))]
pub(crate) use hash::Hash;
pub(crate) use hash::MULTIPLIER;
pub(crate) use key_hash::{ContainerHash, KeyContext, KeyHasher};
pub(crate) use members::{ArrayLabel, DictionaryLabel};
pub(crate) use packed_numbers::element_size;
#[cfg(feature = "serde")]
pub(crate) use short_text::words_of_text;
pub(crate) use short_text::{HIGHEST_BITS, INLINE, ONES, ShortText};
pub(crate) use text::{is_surrogate, joined};
pub(crate) use view::{PackedIntegers, View};
pub(crate) use walk::{InlineWalk, Separators};
