//! The owned tree: the types that contain each other.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use super::godot2::{Image, InputEvent};
use super::math::*;
use super::members::{ArrayLabel, DictionaryLabel, Members};
use super::node_path::{NodePath, Signal};
use super::packed::PackedReals;
use super::text::Text;
use crate::VariantType;
use crate::variant_type::with_types;

macro_rules! variants {
    ($($name:ident $(($value:ident: $content:ty))? = $text:literal: $shape:expr $(, $note:literal)?;)*) => {
        /// An owned value of any type that Godot can write.
        ///
        /// Values preserve what the wire contains: single-precision components stay single precision, dictionaries keep
        /// their order, typed containers keep their type, and objects are data that nothing instantiates. Cloning,
        /// comparing, printing and dropping do not recurse, so deep values are safe.
        ///
        /// The variants have the names and the order of Godot 4. Engines add types, so a `match` needs a `_`.
        ///
        /// `==` compares numbers as numbers, but NaN equals itself. `Hash` and `Ord` agree with it, so values can be
        /// sorted, and be the keys of maps. A `Variant` equals a number or text only of its own type: `1` is not `1.0`.
        ///
        /// ```
        /// use varbytes::{Variant, variant};
        ///
        /// let player = variant!({"name": "Ada", "hp": 7, "items": ["axe"]});
        /// match &player["hp"] {
        ///     Variant::Int(hp) => assert_eq!(*hp, 7),
        ///     other => panic!("hp is of type {}", other.variant_type()),
        /// }
        /// assert_eq!(player["items"][0], "axe");
        /// assert_eq!(varbytes::decode(&varbytes::encode(&player)?)?, player);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[non_exhaustive]
        pub enum Variant {
            $(#[doc = concat!("`", $text, "`" $(, ": ", $note)?, ".")] $name $(($content))?,)*
        }

        impl Variant {
            /// Returns the type of the value.
            ///
            /// ```
            /// use varbytes::{VariantType, variant};
            ///
            /// assert_eq!(variant!({}).variant_type(), VariantType::Dictionary);
            /// ```
            #[must_use]
            pub const fn variant_type(&self) -> VariantType {
                match self {
                    $(Self::$name { .. } => VariantType::$name,)*
                }
            }

            /// Copies a value that contains no others.
            pub(super) fn cloned_leaf(&self) -> Self {
                match self {
                    $(Self::$name $(($value))? => Self::$name $(($value.clone()))?,)*
                }
            }

            /// Returns the content of a value that contains no others.
            pub(super) fn content(&self) -> Option<&dyn fmt::Debug> {
                match self {
                    $(Self::$name $(($value))? => None $(.or(Some($value as &dyn fmt::Debug)))?,)*
                }
            }
        }
    };
}

with_types! { variants }

// The size of a value in a tree. If it grows, so does every decoded packet.
const _: () = assert!(size_of::<Variant>() <= 24);

impl Default for Variant {
    #[inline]
    fn default() -> Self {
        Self::Nil
    }
}

/// An `Array`: its members in order and, if it is typed, their type.
///
/// It is used as a `Vec`. `==` compares the members in order, and the type.
///
/// Decoded members match the type. [`with_type`](Self::with_type) and [`try_push`](Self::try_push) check members. Members
/// that were changed in place, such as by indexing, are checked when the array is encoded.
///
/// ```
/// use varbytes::variant::Array;
///
/// let mut items = Array::from(["axe", "bow"]);
/// items.push(7);
/// assert_eq!((items.len(), &items[0]), (3, &"axe".into()));
/// for item in &items {
///     println!("{item}");
/// }
/// ```
#[derive(Clone, Default)]
pub struct Array(pub(super) Members<Variant, ArrayLabel>);

/// A `Dictionary`: its entries in insertion order and, if it is typed, the types of its keys and values.
///
/// It is used as a `HashMap` that keeps the order. Keys are equal as in Godot 4: the same `String` and `StringName` are
/// one key, `1` and `1.0` are two, and an object, also one inside a key, equals no other. Look-ups take the same time
/// in a dictionary of any size. As in Godot, `==` ignores the order of the entries.
///
/// ```
/// use varbytes::{variant, variant::Dictionary};
///
/// let mut player = Dictionary::from([("name", "Ada")]);
/// player.insert("score", 9001);
/// player.insert(7, variant!([1, 2]));
/// assert_eq!(player["score"], 9001);
/// assert_eq!(player.remove("name"), Some("Ada".into()));
/// assert!(player.contains_key(7));
/// ```
#[derive(Clone, Default)]
pub struct Dictionary(pub(super) Members<(Variant, Variant), DictionaryLabel>);

/// An `Object` as described on the wire: inert data, nothing is created or looked up.
///
/// The wire has these three forms and no others, so a `match` needs no `_`.
///
/// ```
/// use varbytes::{Variant, variant::Object};
///
/// // What var_to_bytes writes for a node: its id.
/// let node = varbytes::encode(&Object::Id(7).into())?;
/// assert_eq!(varbytes::decode(&node)?, Variant::Object(Object::Id(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Object {
    /// A null object. Engines from 3.4 on write it as `Nil`, but readers still accept the two older forms.
    #[default]
    Null,
    /// Only the instance id. Engines write this form if full objects are off.
    Id(u64),
    /// Class and properties. Engines write this form if full objects are on.
    Data(Box<ObjectData>),
}

/// A full object: the class name, and the properties in wire order.
///
/// ```
/// use varbytes::{Decoder, Encoder, Variant, variant::ObjectData};
///
/// let timer = ObjectData { class: "Timer".into(), properties: vec![("wait_time".into(), 2.5.into())] };
/// let bytes = Encoder::new().objects(true).encode(&timer.clone().into())?;
/// assert_eq!(Decoder::new().objects(true).decode(&bytes)?.as_object(), Some(&timer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ObjectData {
    /// The native class, as `Object.get_class()` returns it; never the `class_name` of a script.
    pub class: String,
    /// Names and values in wire order. A script is the property `script`; from 4.3 on, its value is a `res://` path.
    pub properties: Vec<(String, Variant)>,
}
