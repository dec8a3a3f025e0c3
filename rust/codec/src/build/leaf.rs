//! One enum for all values that hold no others.

use alloc::borrow::ToOwned;

use crate::variant::{Image, InputEvent, NodePath, Object, PackedNumbers, Reals, Signal, Text};
use crate::{Variant, VariantType};

/// A value that holds no others, as the reader passes it to [`Builder::leaf`](super::Builder::leaf).
///
/// ```
/// use varbytes::VariantType;
/// use varbytes::build::Leaf;
///
/// let leaf = Leaf::String("Ada");
/// assert_eq!(leaf.variant_type(), VariantType::String);
/// assert_eq!(leaf.into_variant(), "Ada");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Leaf<'v, 'a> {
    /// `null`.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `String`, as the engine stores it: without byte order mark, and cut at the first NUL.
    String(&'a str),
    /// `StringName`, as the engine stores it.
    StringName(&'a str),
    /// `String` or `StringName` whose text is not in the packet in this form. Only engines before Godot 4 read such
    /// text: it is an overlong encoding, or not valid Unicode.
    OwnedText(VariantType, &'v Text),
    /// A type made of reals, with as many components as the type has.
    Reals(VariantType, Reals<'v>),
    /// A type made of 32-bit integers, with as many components as the type has.
    Integers(VariantType, &'v [i32]),
    /// `Color`.
    Color([f32; 4]),
    /// `NodePath`.
    NodePath {
        /// Whether it begins with `/`.
        absolute: bool,
        /// The node names.
        names: &'v [&'a str],
        /// The subnames. Each follows a `:`.
        subnames: &'v [&'a str],
    },
    /// `NodePath` with text that is not in the packet in this form, or with a separate property. Only engines before
    /// Godot 4 read such paths.
    OwnedNodePath(&'v NodePath),
    /// `RID`.
    RID(u64),
    /// A null `Object` that is encoded as an object. Engines encode it as `null`.
    NullObject,
    /// An `Object` known only by its instance id.
    ObjectId(u64),
    /// `Callable`.
    Callable,
    /// `Signal`.
    Signal {
        /// The name of the signal.
        name: &'a str,
        /// The instance id of its object.
        object_id: u64,
    },
    /// `PackedByteArray`.
    PackedBytes(&'a [u8]),
    /// A packed array of numbers, vectors or colours.
    PackedNumbers(PackedNumbers<'a>),
    /// `Image` of Godot 2.
    Image(&'v Image),
    /// `InputEvent` of Godot 2.
    InputEvent(&'v InputEvent),
}

impl Leaf<'_, '_> {
    /// The type of the value.
    ///
    /// [`Leaf`] has an example.
    #[must_use]
    pub fn variant_type(&self) -> VariantType {
        match self {
            Self::Nil => VariantType::Nil,
            Self::Bool(_) => VariantType::Bool,
            Self::Int(_) => VariantType::Int,
            Self::Float(_) => VariantType::Float,
            Self::String(_) => VariantType::String,
            Self::StringName(_) => VariantType::StringName,
            Self::OwnedText(variant_type, _) | Self::Reals(variant_type, _) | Self::Integers(variant_type, _) => {
                *variant_type
            }
            Self::Color(_) => VariantType::Color,
            Self::NodePath { .. } | Self::OwnedNodePath(_) => VariantType::NodePath,
            Self::RID(_) => VariantType::RID,
            Self::NullObject | Self::ObjectId(_) => VariantType::Object,
            Self::Callable => VariantType::Callable,
            Self::Signal { .. } => VariantType::Signal,
            Self::PackedBytes(_) => VariantType::PackedByteArray,
            Self::PackedNumbers(numbers) => numbers.variant_type(),
            Self::Image(_) => VariantType::Image,
            Self::InputEvent(_) => VariantType::InputEvent,
        }
    }

    /// Converts the value into a [`Variant`], which borrows nothing from the packet.
    ///
    /// [`Leaf`] has an example.
    #[must_use]
    #[inline(always)]
    pub fn into_variant(self) -> Variant {
        self.with_texts(|text| Text::from(text))
    }

    /// Converts a value from a packet, whose text ends at the first NUL.
    #[inline(always)]
    pub(crate) fn into_decoded(self) -> Variant {
        self.with_texts(Text::without_nul)
    }

    #[inline(always)]
    fn with_texts(self, new: impl Fn(&str) -> Text) -> Variant {
        match self {
            Self::Nil => Variant::Nil,
            Self::Bool(value) => Variant::Bool(value),
            Self::Int(value) => Variant::Int(value),
            Self::Float(value) => Variant::Float(value),
            Self::String(text) => Variant::String(new(text)),
            Self::StringName(text) => Variant::StringName(new(text).into()),
            Self::OwnedText(VariantType::StringName, text) => Variant::StringName(text.clone().into()),
            Self::OwnedText(_, text) => Variant::String(text.clone()),
            Self::Reals(variant_type, reals) => Variant::from_reals(variant_type, reals).unwrap_or_default(),
            Self::Integers(variant_type, integers) => {
                Variant::from_integers(variant_type, integers).unwrap_or_default()
            }
            Self::Color(components) => Variant::Color(components.into()),
            Self::NodePath { absolute, names, subnames } => {
                let owned = |parts: &[&str]| parts.iter().map(|part| new(part)).collect();
                Variant::from(NodePath { absolute, names: owned(names), subnames: owned(subnames), property: None })
            }
            Self::OwnedNodePath(path) => Variant::from(path.clone()),
            Self::RID(id) => Variant::RID(id),
            Self::NullObject => Variant::Object(Object::Null),
            Self::ObjectId(id) => Variant::Object(Object::Id(id)),
            Self::Callable => Variant::Callable,
            Self::Signal { name, object_id } => Variant::from(Signal { name: name.to_owned(), object_id }),
            Self::PackedBytes(bytes) => Variant::PackedByteArray(bytes.into()),
            Self::PackedNumbers(numbers) => numbers.to_variant(),
            Self::Image(image) => Variant::from(image.clone()),
            Self::InputEvent(event) => Variant::from(event.clone()),
        }
    }
}
