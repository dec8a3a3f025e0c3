//! A view of a value by shape: one form for all types with the same structure, and values created from it.
//!
//! Code that handles types by their structure matches on a [`View`], so that a new type does not change it.

use alloc::vec::Vec;

use super::{
    AABB, Array, Basis, Color, Dictionary, Image, InputEvent, NodePath, Object, PackedReals, Plane, Projection,
    Quaternion, Reals, Rect2, Rect2i, Signal, Text, Transform2D, Transform3D, Variant, Vector2, Vector2i, Vector3,
    Vector3i, Vector4, Vector4i,
};
use crate::VariantType;
use crate::float::widen;

/// The content of a value, without its type.
#[derive(Clone, Copy)]
pub(crate) enum View<'v> {
    /// `Nil` and `Callable`.
    Nothing,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// `String` and `StringName`.
    Text(&'v Text),
    NodePath(&'v NodePath),
    Rid(u64),
    Object(&'v Object),
    Signal(&'v Signal),
    /// Any array of values.
    Array(&'v Array),
    Dictionary(&'v Dictionary),
    /// The components of a type made of reals.
    Reals(Reals<'v>),
    /// The components of a type made of 32-bit integers.
    Integers(Integers),
    Color(Color),
    PackedBytes(&'v [u8]),
    PackedInt64s(&'v [i64]),
    PackedIntegers(PackedIntegers<'v>),
    /// The reals of all elements, and the number of reals in each.
    PackedReals(Reals<'v>, usize),
    PackedColors(&'v [Color]),
    PackedTexts(&'v [Text]),
    Image(&'v Image),
    InputEvent(&'v InputEvent),
}

/// The components of a type made of 32-bit integers.
#[derive(Clone, Copy)]
pub(crate) struct Integers {
    components: [i32; Self::MOST],
    count: usize,
}

impl Integers {
    const MOST: usize = 4;

    #[inline]
    fn new<const N: usize>(integers: [i32; N]) -> Self {
        const { assert!(N <= Self::MOST) };
        let mut components = [0; Self::MOST];
        components[..N].copy_from_slice(&integers);
        Self { components, count: N }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[i32] {
        &self.components[..self.count]
    }
}

/// The elements of a packed array made of 32-bit integers.
#[derive(Clone, Copy)]
pub(crate) enum PackedIntegers<'v> {
    One(&'v [i32]),
    Two(&'v [Vector2i]),
    Three(&'v [Vector3i]),
    Four(&'v [Vector4i]),
}

impl PackedIntegers<'_> {
    /// Returns the number of elements.
    pub(crate) const fn len(self) -> usize {
        match self {
            Self::One(elements) => elements.len(),
            Self::Two(elements) => elements.len(),
            Self::Three(elements) => elements.len(),
            Self::Four(elements) => elements.len(),
        }
    }

    /// Displays the components of each element.
    #[inline]
    pub(crate) fn for_each(self, mut show: impl FnMut(&[i32])) {
        match self {
            Self::One(elements) => elements.chunks(1).for_each(show),
            Self::Two(elements) => elements.iter().for_each(|element| show(&element.to_array())),
            Self::Three(elements) => elements.iter().for_each(|element| show(&element.to_array())),
            Self::Four(elements) => elements.iter().for_each(|element| show(&element.to_array())),
        }
    }
}

impl PartialEq for PackedIntegers<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(left), Self::One(right)) => left == right,
            (Self::Two(left), Self::Two(right)) => left == right,
            (Self::Three(left), Self::Three(right)) => left == right,
            (Self::Four(left), Self::Four(right)) => left == right,
            _ => false,
        }
    }
}

impl Variant {
    /// Returns the content of the value.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        match self {
            Self::Nil | Self::Callable => View::Nothing,
            Self::Bool(value) => View::Bool(*value),
            Self::Int(value) => View::Int(*value),
            Self::Float(value) => View::Float(*value),
            Self::String(text) => View::Text(text),
            Self::StringName(text) => View::Text(text),
            Self::Vector2(value) => View::Reals(value.0.as_reals()),
            Self::Rect2(value) => View::Reals(value.0.as_reals()),
            Self::Vector3(value) => View::Reals(value.0.as_reals()),
            Self::Transform2D(value) => View::Reals(value.0.as_reals()),
            Self::Vector4(value) => View::Reals(value.0.as_reals()),
            Self::Plane(value) => View::Reals(value.0.as_reals()),
            Self::Quaternion(value) => View::Reals(value.0.as_reals()),
            Self::AABB(value) => View::Reals(value.0.as_reals()),
            Self::Basis(value) => View::Reals(value.0.as_reals()),
            Self::Transform3D(value) => View::Reals(value.0.as_reals()),
            Self::Projection(value) => View::Reals(value.0.as_reals()),
            Self::Vector2i(value) => View::Integers(Integers::new(value.to_array())),
            Self::Rect2i(value) => View::Integers(Integers::new(value.to_array())),
            Self::Vector3i(value) => View::Integers(Integers::new(value.to_array())),
            Self::Vector4i(value) => View::Integers(Integers::new(value.to_array())),
            Self::Color(color) => View::Color(*color),
            Self::NodePath(path) => View::NodePath(path),
            Self::RID(id) => View::Rid(*id),
            Self::Object(object) => View::Object(object),
            Self::Signal(signal) => View::Signal(signal),
            Self::Dictionary(dictionary) => View::Dictionary(dictionary),
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => View::Array(array),
            Self::PackedByteArray(elements) => View::PackedBytes(elements),
            Self::PackedInt32Array(elements) => View::PackedIntegers(PackedIntegers::One(elements)),
            Self::PackedInt64Array(elements) => View::PackedInt64s(elements),
            Self::PackedFloat32Array(elements) => View::PackedReals(Reals::Single(elements), 1),
            Self::PackedFloat64Array(elements) => View::PackedReals(Reals::Double(elements), 1),
            Self::PackedStringArray(elements) => View::PackedTexts(elements),
            Self::PackedVector2Array(elements) => elements.view(),
            Self::PackedVector3Array(elements) => elements.view(),
            Self::PackedVector4Array(elements) => elements.view(),
            Self::PackedColorArray(elements) => View::PackedColors(elements),
            Self::PackedVector2iArray(elements) => View::PackedIntegers(PackedIntegers::Two(elements)),
            Self::PackedVector3iArray(elements) => View::PackedIntegers(PackedIntegers::Three(elements)),
            Self::PackedVector4iArray(elements) => View::PackedIntegers(PackedIntegers::Four(elements)),
            Self::Image(image) => View::Image(image),
            Self::InputEvent(event) => View::InputEvent(event),
        }
    }

    /// Returns the components of a type made of reals, in wire order; `None` for other types.
    #[must_use]
    #[inline]
    pub fn as_reals(&self) -> Option<Reals<'_>> {
        match self.view() {
            View::Reals(reals) => Some(reals),
            _ => None,
        }
    }

    /// Returns the number of elements of a packed array; `None` for any other value.
    ///
    /// ```
    /// use varbytes::Variant;
    ///
    /// assert_eq!(Variant::PackedInt32Array(vec![7; 3].into()).packed_len(), Some(3));
    /// assert_eq!(Variant::from("three").packed_len(), None);
    /// ```
    #[must_use]
    pub fn packed_len(&self) -> Option<usize> {
        match self.view() {
            View::PackedBytes(elements) => Some(elements.len()),
            View::PackedInt64s(elements) => Some(elements.len()),
            View::PackedIntegers(elements) => Some(elements.len()),
            View::PackedReals(reals, components) => Some(reals.len() / components),
            View::PackedColors(elements) => Some(elements.len()),
            View::PackedTexts(elements) => Some(elements.len()),
            _ => None,
        }
    }

    /// Returns the elements of a packed array as values; `None` for any other value.
    pub(crate) fn packed_elements(&self) -> Option<Vec<Self>> {
        let vector = |reals: Reals<'_>| {
            let element = self.variant_type().packed_element()?;
            Self::from_reals(element, reals)
        };
        Some(match self.view() {
            View::PackedBytes(elements) => elements.iter().map(|byte| Self::from(*byte)).collect(),
            View::PackedInt64s(elements) => elements.iter().map(|integer| Self::from(*integer)).collect(),
            View::PackedIntegers(PackedIntegers::One(elements)) => elements.iter().map(|i| Self::from(*i)).collect(),
            View::PackedIntegers(PackedIntegers::Two(elements)) => elements.iter().map(|v| Self::from(*v)).collect(),
            View::PackedIntegers(PackedIntegers::Three(elements)) => elements.iter().map(|v| Self::from(*v)).collect(),
            View::PackedIntegers(PackedIntegers::Four(elements)) => elements.iter().map(|v| Self::from(*v)).collect(),
            View::PackedReals(Reals::Single(elements), 1) => elements.iter().map(|r| Self::Float(widen(*r))).collect(),
            View::PackedReals(Reals::Double(elements), 1) => elements.iter().map(|r| Self::Float(*r)).collect(),
            View::PackedReals(Reals::Single(reals), count) => {
                reals.chunks_exact(count).filter_map(|element| vector(Reals::Single(element))).collect()
            }
            View::PackedReals(Reals::Double(reals), count) => {
                reals.chunks_exact(count).filter_map(|element| vector(Reals::Double(element))).collect()
            }
            View::PackedColors(elements) => elements.iter().map(|color| Self::from(*color)).collect(),
            View::PackedTexts(elements) => elements.iter().map(|text| Self::from(text.clone())).collect(),
            _ => return None,
        })
    }

    /// Creates a value of a type made of reals; `None` if the type or the number of components does not match.
    #[must_use]
    pub fn from_reals(variant_type: VariantType, reals: Reals<'_>) -> Option<Self> {
        Some(match variant_type {
            VariantType::Vector2 => Vector2(reals.to_components()?).into(),
            VariantType::Rect2 => Rect2(reals.to_components()?).into(),
            VariantType::Vector3 => Vector3(reals.to_components()?).into(),
            VariantType::Transform2D => Transform2D(reals.to_components()?).into(),
            VariantType::Vector4 => Vector4(reals.to_components()?).into(),
            VariantType::Plane => Plane(reals.to_components()?).into(),
            VariantType::Quaternion => Quaternion(reals.to_components()?).into(),
            VariantType::AABB => AABB(reals.to_components()?).into(),
            VariantType::Basis => Basis(reals.to_components()?).into(),
            VariantType::Transform3D => Transform3D(reals.to_components()?).into(),
            VariantType::Projection => Projection(reals.to_components()?).into(),
            _ => return None,
        })
    }

    /// Creates a value of a type made of 32-bit integers; `None` if the type or their number does not match.
    #[must_use]
    pub fn from_integers(variant_type: VariantType, integers: &[i32]) -> Option<Self> {
        Some(match variant_type {
            VariantType::Vector2i => Vector2i::from(<[i32; 2]>::try_from(integers).ok()?).into(),
            VariantType::Rect2i => Rect2i::from(<[i32; 4]>::try_from(integers).ok()?).into(),
            VariantType::Vector3i => Vector3i::from(<[i32; 3]>::try_from(integers).ok()?).into(),
            VariantType::Vector4i => Vector4i::from(<[i32; 4]>::try_from(integers).ok()?).into(),
            _ => return None,
        })
    }

    /// Creates a packed array of vectors or colors from the components of all its elements. An incomplete element is
    /// dropped. `None` for other types.
    pub(crate) fn from_packed_reals(variant_type: VariantType, reals: Reals<'_>) -> Option<Self> {
        Some(match variant_type {
            VariantType::PackedVector2Array => Self::PackedVector2Array(PackedReals::from_reals(reals)),
            VariantType::PackedVector3Array => Self::PackedVector3Array(PackedReals::from_reals(reals)),
            VariantType::PackedVector4Array => Self::PackedVector4Array(PackedReals::from_reals(reals)),
            VariantType::PackedColorArray => match reals {
                Reals::Single(components) => vectors_of::<_, 4, Color>(components).into(),
                Reals::Double(_) => return None,
            },
            _ => return None,
        })
    }

    /// The same for vectors of integers.
    pub(crate) fn from_packed_integers(variant_type: VariantType, integers: &[i32]) -> Option<Self> {
        Some(match variant_type {
            VariantType::PackedVector2iArray => vectors_of::<_, 2, Vector2i>(integers).into(),
            VariantType::PackedVector3iArray => vectors_of::<_, 3, Vector3i>(integers).into(),
            VariantType::PackedVector4iArray => vectors_of::<_, 4, Vector4i>(integers).into(),
            _ => return None,
        })
    }
}

fn vectors_of<C: Copy, const N: usize, V: From<[C; N]>>(components: &[C]) -> Vec<V> {
    components.as_chunks().0.iter().map(|vector| V::from(*vector)).collect()
}

impl<const N: usize> PackedReals<N> {
    #[inline]
    fn view(&self) -> View<'_> {
        View::PackedReals(self.as_reals(), N)
    }
}
