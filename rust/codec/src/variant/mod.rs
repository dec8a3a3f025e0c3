//! The tree a packet decodes to.

mod borrowed;
mod compare;
mod container;
mod content_size;
mod drop;
mod from;
mod godot2;
mod key_hash;
mod key_view;
mod math;
mod node_path;
mod object;
mod packed;
mod packed_numbers;
mod short_text;
mod show;
mod text;
mod walk;

use alloc::boxed::Box;

pub use borrowed::{ArrayRef, DictionaryRef, NodePathRef, ObjectRef, VariantRef};
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
pub(crate) use walk::RoomyWalk;
pub use walk::{Visit, Walk};

pub(crate) use borrowed::{ArrayLabel, DictionaryLabel};
pub(crate) use compare::same_key;
pub(crate) use key_hash::{ContainerHash, KeyHasher, Place};
pub(crate) use packed_numbers::element_size;
pub(crate) use short_text::{HIGHEST_BITS, IN_PLACE, ONES, ShortText};
pub(crate) use text::{is_surrogate, joined};

use crate::VariantType;

/// A value of any type Godot can write, owned.
///
/// Values keep what the wire had: single-precision components stay single precision, dictionaries keep
/// their order, typed containers their type, and objects are data that nothing instantiates. Cloning,
/// comparing, printing and dropping use no recursion, so a deep value is as safe as a shallow one.
///
/// The variants are named as in Godot 4 and follow its order.
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
    /// `null`.
    #[default]
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `String`.
    String(Text),
    /// `Vector2`.
    Vector2(Vector2),
    /// `Vector2i`.
    Vector2i(Vector2i),
    /// `Rect2`.
    Rect2(Box<Rect2>),
    /// `Rect2i`.
    Rect2i(Rect2i),
    /// `Vector3`.
    Vector3(Vector3),
    /// `Vector3i`.
    Vector3i(Vector3i),
    /// `Transform2D`.
    Transform2D(Box<Transform2D>),
    /// `Vector4`.
    Vector4(Box<Vector4>),
    /// `Vector4i`.
    Vector4i(Vector4i),
    /// `Plane`.
    Plane(Box<Plane>),
    /// `Quaternion`.
    Quaternion(Box<Quaternion>),
    /// `AABB`.
    AABB(Box<AABB>),
    /// `Basis`.
    Basis(Box<Basis>),
    /// `Transform3D`.
    Transform3D(Box<Transform3D>),
    /// `Projection`.
    Projection(Box<Projection>),
    /// `Color`.
    Color(Color),
    /// `StringName`.
    StringName(Box<Text>),
    /// `NodePath`.
    NodePath(Box<NodePath>),
    /// `RID`, its 64-bit id; 0 before Godot 4, which writes nothing of it.
    RID(u64),
    /// `Object`.
    Object(Object),
    /// `Callable`; nothing of it is ever written, so there is nothing to keep.
    Callable,
    /// `Signal`.
    Signal(Box<Signal>),
    /// `Dictionary`.
    Dictionary(Dictionary),
    /// `Array`.
    Array(Array),
    /// `PackedByteArray`.
    PackedByteArray(Box<[u8]>),
    /// `PackedInt32Array`.
    PackedInt32Array(Box<[i32]>),
    /// `PackedInt64Array`.
    PackedInt64Array(Box<[i64]>),
    /// `PackedFloat32Array`.
    PackedFloat32Array(Box<[f32]>),
    /// `PackedFloat64Array`.
    PackedFloat64Array(Box<[f64]>),
    /// `PackedStringArray`, without the NUL that the wire adds to each string.
    PackedStringArray(Box<[Text]>),
    /// `PackedVector2Array`.
    PackedVector2Array(PackedReals<2>),
    /// `PackedVector3Array`.
    PackedVector3Array(PackedReals<3>),
    /// `PackedColorArray`.
    PackedColorArray(Box<[Color]>),
    /// `PackedVector4Array`, from Godot 4.3 on.
    PackedVector4Array(PackedReals<4>),
    /// `Image` of Godot 2.
    Image(Box<Image>),
    /// `InputEvent` of Godot 2.
    InputEvent(Box<InputEvent>),
    /// `PoolVector2iArray` of Pandemonium.
    PackedVector2iArray(Box<[Vector2i]>),
    /// `PoolVector3iArray` of Pandemonium.
    PackedVector3iArray(Box<[Vector3i]>),
    /// `PoolVector4iArray` of Pandemonium.
    PackedVector4iArray(Box<[Vector4i]>),
    /// `TypedArray` of Pandemonium 5.
    TypedArray(Array),
    /// `PackedTypedArray` of Pandemonium 5.
    PackedTypedArray(Array),
}

impl Variant {
    /// The type of the value.
    #[must_use]
    pub const fn variant_type(&self) -> VariantType {
        match self {
            Self::Nil => VariantType::Nil,
            Self::Bool(_) => VariantType::Bool,
            Self::Int(_) => VariantType::Int,
            Self::Float(_) => VariantType::Float,
            Self::String(_) => VariantType::String,
            Self::Vector2(_) => VariantType::Vector2,
            Self::Vector2i(_) => VariantType::Vector2i,
            Self::Rect2(_) => VariantType::Rect2,
            Self::Rect2i(_) => VariantType::Rect2i,
            Self::Vector3(_) => VariantType::Vector3,
            Self::Vector3i(_) => VariantType::Vector3i,
            Self::Transform2D(_) => VariantType::Transform2D,
            Self::Vector4(_) => VariantType::Vector4,
            Self::Vector4i(_) => VariantType::Vector4i,
            Self::Plane(_) => VariantType::Plane,
            Self::Quaternion(_) => VariantType::Quaternion,
            Self::AABB(_) => VariantType::AABB,
            Self::Basis(_) => VariantType::Basis,
            Self::Transform3D(_) => VariantType::Transform3D,
            Self::Projection(_) => VariantType::Projection,
            Self::Color(_) => VariantType::Color,
            Self::StringName(_) => VariantType::StringName,
            Self::NodePath(_) => VariantType::NodePath,
            Self::RID(_) => VariantType::RID,
            Self::Object(_) => VariantType::Object,
            Self::Callable => VariantType::Callable,
            Self::Signal(_) => VariantType::Signal,
            Self::Dictionary(_) => VariantType::Dictionary,
            Self::Array(_) => VariantType::Array,
            Self::PackedByteArray(_) => VariantType::PackedByteArray,
            Self::PackedInt32Array(_) => VariantType::PackedInt32Array,
            Self::PackedInt64Array(_) => VariantType::PackedInt64Array,
            Self::PackedFloat32Array(_) => VariantType::PackedFloat32Array,
            Self::PackedFloat64Array(_) => VariantType::PackedFloat64Array,
            Self::PackedStringArray(_) => VariantType::PackedStringArray,
            Self::PackedVector2Array(_) => VariantType::PackedVector2Array,
            Self::PackedVector3Array(_) => VariantType::PackedVector3Array,
            Self::PackedColorArray(_) => VariantType::PackedColorArray,
            Self::PackedVector4Array(_) => VariantType::PackedVector4Array,
            Self::Image(_) => VariantType::Image,
            Self::InputEvent(_) => VariantType::InputEvent,
            Self::PackedVector2iArray(_) => VariantType::PackedVector2iArray,
            Self::PackedVector3iArray(_) => VariantType::PackedVector3iArray,
            Self::PackedVector4iArray(_) => VariantType::PackedVector4iArray,
            Self::TypedArray(_) => VariantType::TypedArray,
            Self::PackedTypedArray(_) => VariantType::PackedTypedArray,
        }
    }

    /// The components of a type made of reals, in wire order; `None` for other types.
    #[must_use]
    pub fn as_reals(&self) -> Option<Reals<'_>> {
        Some(match self {
            Self::Vector2(value) => value.0.as_reals(),
            Self::Rect2(value) => value.0.as_reals(),
            Self::Vector3(value) => value.0.as_reals(),
            Self::Transform2D(value) => value.0.as_reals(),
            Self::Vector4(value) => value.0.as_reals(),
            Self::Plane(value) => value.0.as_reals(),
            Self::Quaternion(value) => value.0.as_reals(),
            Self::AABB(value) => value.0.as_reals(),
            Self::Basis(value) => value.0.as_reals(),
            Self::Transform3D(value) => value.0.as_reals(),
            Self::Projection(value) => value.0.as_reals(),
            _ => return None,
        })
    }

    /// The value of a type made of reals, or `None` where the type or the number of components does not fit.
    #[must_use]
    pub fn from_reals(variant_type: VariantType, reals: Reals<'_>) -> Option<Self> {
        Some(match variant_type {
            VariantType::Vector2 => Self::Vector2(Vector2(reals.to_components()?)),
            VariantType::Rect2 => Self::Rect2(Box::new(Rect2(reals.to_components()?))),
            VariantType::Vector3 => Self::Vector3(Vector3(reals.to_components()?)),
            VariantType::Transform2D => Self::Transform2D(Box::new(Transform2D(reals.to_components()?))),
            VariantType::Vector4 => Self::Vector4(Box::new(Vector4(reals.to_components()?))),
            VariantType::Plane => Self::Plane(Box::new(Plane(reals.to_components()?))),
            VariantType::Quaternion => Self::Quaternion(Box::new(Quaternion(reals.to_components()?))),
            VariantType::AABB => Self::AABB(Box::new(AABB(reals.to_components()?))),
            VariantType::Basis => Self::Basis(Box::new(Basis(reals.to_components()?))),
            VariantType::Transform3D => Self::Transform3D(Box::new(Transform3D(reals.to_components()?))),
            VariantType::Projection => Self::Projection(Box::new(Projection(reals.to_components()?))),
            _ => return None,
        })
    }

    /// The value of a type made of 32-bit integers, or `None` where the type or the number of them does not fit.
    #[must_use]
    pub fn from_integers(variant_type: VariantType, integers: &[i32]) -> Option<Self> {
        Some(match variant_type {
            VariantType::Vector2i => Self::Vector2i(<[i32; 2]>::try_from(integers).ok()?.into()),
            VariantType::Rect2i => Self::Rect2i(<[i32; 4]>::try_from(integers).ok()?.into()),
            VariantType::Vector3i => Self::Vector3i(<[i32; 3]>::try_from(integers).ok()?.into()),
            VariantType::Vector4i => Self::Vector4i(<[i32; 4]>::try_from(integers).ok()?.into()),
            _ => return None,
        })
    }

    /// The number of elements of a packed array, `None` for any other value.
    ///
    /// ```
    /// use varbytes::Variant;
    ///
    /// assert_eq!(Variant::PackedInt32Array(vec![7; 3].into()).packed_len(), Some(3));
    /// assert_eq!(Variant::from("three").packed_len(), None);
    /// ```
    #[must_use]
    pub fn packed_len(&self) -> Option<usize> {
        Some(match self {
            Self::PackedByteArray(elements) => elements.len(),
            Self::PackedInt32Array(elements) => elements.len(),
            Self::PackedInt64Array(elements) => elements.len(),
            Self::PackedFloat32Array(elements) => elements.len(),
            Self::PackedFloat64Array(elements) => elements.len(),
            Self::PackedStringArray(elements) => elements.len(),
            Self::PackedVector2Array(elements) => elements.len(),
            Self::PackedVector3Array(elements) => elements.len(),
            Self::PackedColorArray(elements) => elements.len(),
            Self::PackedVector4Array(elements) => elements.len(),
            Self::PackedVector2iArray(elements) => elements.len(),
            Self::PackedVector3iArray(elements) => elements.len(),
            Self::PackedVector4iArray(elements) => elements.len(),
            _ => return None,
        })
    }

    /// Whether both are the same value bit for bit: NaN payloads, signs of zero, precision and container
    /// types included.
    ///
    /// `==` compares as numbers do: NaN differs from itself, -0.0 equals 0.0.
    #[must_use]
    pub fn bit_eq(&self, other: &Self) -> bool {
        compare::bit_equal(self, other)
    }

    /// Whether it is one of the usual kinds and has nothing on the heap.
    #[inline(always)]
    pub(crate) const fn is_in_place(&self) -> bool {
        match self {
            Self::Nil | Self::Bool(_) | Self::Int(_) | Self::Float(_) => true,
            Self::String(text) => text.in_place().is_some(),
            Self::Vector2(vector) => matches!(vector.0, Components::Single(_)),
            Self::Vector3(vector) => matches!(vector.0, Components::Single(_)),
            _ => false,
        }
    }

    /// Whether dropping the value has to look inside it.
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

    /// The text of a `String` or a `StringName`.
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

    /// The array of a value that is one of any kind.
    #[inline]
    pub(crate) const fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => Some(array),
            _ => None,
        }
    }

    /// A value of one of the types made of an array, `Array` where it is none.
    pub(crate) fn from_array(variant_type: VariantType, array: Array) -> Self {
        match variant_type {
            VariantType::TypedArray => Self::TypedArray(array),
            VariantType::PackedTypedArray => Self::PackedTypedArray(array),
            _ => Self::Array(array),
        }
    }
}

// A node of a decoded tree: growing it makes every decoded packet larger.
const _: () = assert!(size_of::<Variant>() <= 24);
