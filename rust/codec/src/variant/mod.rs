//! The data model: the tree that a packet decodes to.

mod borrowed;
mod clone;
mod compare;
mod container;
mod debug;
mod drop;
mod from;
mod godot2;
mod hash;
mod key_hash;
mod key_view;
mod math;
mod members;
mod node_path;
mod owned;
mod packed;
mod packed_numbers;
mod short_text;
mod text;
mod view;
mod walk;

pub use borrowed::{ArrayRef, DictionaryRef, NodePathRef, ObjectRef, VariantRef};
pub use godot2::{Image, InputEvent, InputEventKind, Modifiers};
pub use key_view::KeyView;
pub use math::*;
pub use members::ContainerType;
pub use node_path::{NodePath, Signal};
pub use owned::{Array, Dictionary, Object, ObjectData, Variant};
pub use packed::PackedReals;
pub use packed_numbers::PackedNumbers;
pub use text::Text;
pub use walk::{Visit, Walk};

pub(crate) use compare::same_key;
pub(crate) use container::in_pairs;
#[cfg(test)]
pub(crate) use hash::Hash;
pub(crate) use hash::MULTIPLIER;
pub(crate) use key_hash::{ContainerHash, KeyContext, KeyHasher};
pub(crate) use members::{ArrayLabel, DictionaryLabel};
pub(crate) use packed_numbers::element_size;
pub(crate) use short_text::{HIGHEST_BITS, INLINE, ONES, ShortText};
pub(crate) use text::{is_surrogate, joined};
pub(crate) use view::{PackedIntegers, View};
pub(crate) use walk::{InlineWalk, Separators};
