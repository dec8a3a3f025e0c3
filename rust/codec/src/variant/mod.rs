//! The data model: the tree that a packet decodes to.

mod borrowed;
mod clone;
mod compare;
mod container;
mod content_size;
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
mod object;
mod packed;
mod packed_numbers;
mod short_text;
mod text;
mod view;
mod walk;

use alloc::boxed::Box;
use core::fmt;

pub use borrowed::{ArrayRef, DictionaryRef, NodePathRef, ObjectRef, VariantRef};
pub(crate) use container::in_pairs;
pub use container::{Array, ContainerType, Dictionary};
pub use godot2::{Image, InputEvent, InputEventKind, Modifiers};
pub use key_view::KeyView;
pub use math::{
    AABB, Basis, Color, Components, Plane, Projection, Quaternion, Reals, Rect2, Rect2i, Transform2D, Transform3D,
    Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
pub use node_path::NodePath;
pub use object::{Object, ObjectData, Signal};
pub use packed::PackedReals;
pub use packed_numbers::PackedNumbers;
pub use text::Text;
pub(crate) use walk::InlineWalk;
pub use walk::{Visit, Walk};

pub(crate) use compare::same_key;
pub(crate) use key_hash::{ContainerHash, KeyContext, KeyHasher};
pub(crate) use members::{ArrayLabel, DictionaryLabel};
pub(crate) use packed_numbers::element_size;
pub(crate) use short_text::{HIGHEST_BITS, INLINE, ONES, ShortText};
pub(crate) use text::{is_surrogate, joined};
pub(crate) use view::{PackedIntegers, View};

use crate::VariantType;

macro_rules! variants {
    ($($(#[$meta:meta])* $name:ident $(($payload:ident: $type:ty))?,)*) => {
        /// An owned value of any type that Godot can write.
        ///
        /// Values preserve what the wire contains: single-precision components stay single precision, dictionaries keep
        /// their order, typed containers keep their type, and objects are data that nothing instantiates. Cloning,
        /// comparing, printing and dropping do not recurse, so deep values are safe.
        ///
        /// The variants have the names and the order of Godot 4.
        ///
        /// ```
        /// use varbytes::Variant;
        ///
        /// let save = varbytes::decode(&varbytes::encode(&Variant::from("héros"))?)?;
        /// assert_eq!(save, Variant::from("héros"));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Default)]
        #[non_exhaustive]
        pub enum Variant {
            $($(#[$meta])* $name $(($type))?,)*
        }

        impl Variant {
            /// Returns the type of the value.
            #[must_use]
            pub const fn variant_type(&self) -> VariantType {
                match self {
                    $(Self::$name { .. } => VariantType::$name,)*
                }
            }

            /// Copies a value that contains no others.
            fn cloned_leaf(&self) -> Self {
                match self {
                    $(Self::$name $(($payload))? => Self::$name $(($payload.clone()))?,)*
                }
            }

            /// Returns the content of a value that contains no others.
            fn payload(&self) -> Option<&dyn fmt::Debug> {
                match self {
                    $(Self::$name $(($payload))? => None $(.or(Some($payload as &dyn fmt::Debug)))?,)*
                }
            }
        }
    };
}

variants! {
    /// `null`.
    #[default]
    Nil,
    /// `bool`.
    Bool(value: bool),
    /// `int`.
    Int(value: i64),
    /// `float`.
    Float(value: f64),
    /// `String`.
    String(value: Text),
    /// `Vector2`.
    Vector2(value: Vector2),
    /// `Vector2i`.
    Vector2i(value: Vector2i),
    /// `Rect2`.
    Rect2(value: Box<Rect2>),
    /// `Rect2i`.
    Rect2i(value: Rect2i),
    /// `Vector3`.
    Vector3(value: Vector3),
    /// `Vector3i`.
    Vector3i(value: Vector3i),
    /// `Transform2D`.
    Transform2D(value: Box<Transform2D>),
    /// `Vector4`.
    Vector4(value: Box<Vector4>),
    /// `Vector4i`.
    Vector4i(value: Vector4i),
    /// `Plane`.
    Plane(value: Box<Plane>),
    /// `Quaternion`.
    Quaternion(value: Box<Quaternion>),
    /// `AABB`.
    AABB(value: Box<AABB>),
    /// `Basis`.
    Basis(value: Box<Basis>),
    /// `Transform3D`.
    Transform3D(value: Box<Transform3D>),
    /// `Projection`.
    Projection(value: Box<Projection>),
    /// `Color`.
    Color(value: Color),
    /// `StringName`.
    StringName(value: Box<Text>),
    /// `NodePath`.
    NodePath(value: Box<NodePath>),
    /// `RID`: its 64-bit id; 0 before Godot 4, which does not write the id.
    RID(value: u64),
    /// `Object`.
    Object(value: Object),
    /// `Callable`, which has no content on the wire.
    Callable,
    /// `Signal`.
    Signal(value: Box<Signal>),
    /// `Dictionary`.
    Dictionary(value: Dictionary),
    /// `Array`.
    Array(value: Array),
    /// `PackedByteArray`.
    PackedByteArray(value: Box<[u8]>),
    /// `PackedInt32Array`.
    PackedInt32Array(value: Box<[i32]>),
    /// `PackedInt64Array`.
    PackedInt64Array(value: Box<[i64]>),
    /// `PackedFloat32Array`.
    PackedFloat32Array(value: Box<[f32]>),
    /// `PackedFloat64Array`.
    PackedFloat64Array(value: Box<[f64]>),
    /// `PackedStringArray`, without the NUL that the wire adds to each string.
    PackedStringArray(value: Box<[Text]>),
    /// `PackedVector2Array`.
    PackedVector2Array(value: PackedReals<2>),
    /// `PackedVector3Array`.
    PackedVector3Array(value: PackedReals<3>),
    /// `PackedColorArray`.
    PackedColorArray(value: Box<[Color]>),
    /// `PackedVector4Array`, from Godot 4.3 on.
    PackedVector4Array(value: PackedReals<4>),
    /// `Image` of Godot 2.
    Image(value: Box<Image>),
    /// `InputEvent` of Godot 2.
    InputEvent(value: Box<InputEvent>),
    /// `PoolVector2iArray` of Pandemonium.
    PackedVector2iArray(value: Box<[Vector2i]>),
    /// `PoolVector3iArray` of Pandemonium.
    PackedVector3iArray(value: Box<[Vector3i]>),
    /// `PoolVector4iArray` of Pandemonium.
    PackedVector4iArray(value: Box<[Vector4i]>),
    /// `TypedArray` of Pandemonium 5.
    TypedArray(value: Array),
    /// `PackedTypedArray` of Pandemonium 5.
    PackedTypedArray(value: Array),
}

impl Variant {
    /// Returns whether both values are the same bit for bit, including NaN payloads, signs of zero, precision and
    /// container types.
    ///
    /// `==` compares as numbers: NaN differs from itself, -0.0 equals 0.0.
    #[must_use]
    pub fn bit_eq(&self, other: &Self) -> bool {
        compare::bit_equal(self, other)
    }

    /// Returns whether the value is of a common type that owns no heap memory.
    #[inline(always)]
    pub(crate) const fn is_inline(&self) -> bool {
        match self {
            Self::Nil | Self::Bool(_) | Self::Int(_) | Self::Float(_) => true,
            Self::String(text) => text.inline().is_some(),
            Self::Vector2(vector) => matches!(vector.0, Components::Single(_)),
            Self::Vector3(vector) => matches!(vector.0, Components::Single(_)),
            _ => false,
        }
    }

    /// Returns whether dropping the value must look inside it.
    #[inline]
    pub(crate) fn may_hold_values(&self) -> bool {
        matches!(
            self,
            Self::Array(_)
                | Self::Dictionary(_)
                | Self::Object(Object::Data(_))
                | Self::TypedArray(_)
                | Self::PackedTypedArray(_)
        )
    }

    /// Returns the text of a `String` or a `StringName`.
    ///
    /// ```
    /// use varbytes::Variant;
    ///
    /// assert_eq!(*Variant::from("héros").as_text().unwrap(), "héros");
    /// assert_eq!(Variant::from(7).as_text(), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::String(text) => Some(text),
            Self::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the array if the value is any kind of array of values.
    #[inline]
    pub(crate) const fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => Some(array),
            _ => None,
        }
    }

    /// Creates a value of one of the types that consist of an array; `Array` for any other type.
    pub(crate) fn from_array(variant_type: VariantType, array: Array) -> Self {
        match variant_type {
            VariantType::TypedArray => Self::TypedArray(array),
            VariantType::PackedTypedArray => Self::PackedTypedArray(array),
            _ => Self::Array(array),
        }
    }
}

// The size of a value in a tree. If it grows, so does every decoded packet.
const _: () = assert!(size_of::<Variant>() <= 24);
