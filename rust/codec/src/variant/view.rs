//! A view of a value by shape: one form for all types with the same structure, and values created from it.
//!
//! Code that handles types by their structure matches on a [`View`], so that a new type does not change it.

use alloc::vec::Vec;

use super::godot2::{Image, InputEvent};
use super::math::{
    AABB, Basis, Color, Plane, Projection, Quaternion, Reals, Rect2, Rect2i, Transform2D, Transform3D, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use super::node_path::{NodePath, Signal};
use super::owned::{Array, Dictionary, Object, Variant};
use super::packed::PackedReals;
use super::text::Text;
use crate::VariantType;
use crate::float::widen;

/// The bytes that each element of a packed array counts.
pub(super) const ELEMENT_SIZE: usize = size_of::<[f64; 2]>();

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
    components: [i32; 4],
    count: usize,
}

impl Integers {
    #[inline]
    fn new<const N: usize>(integers: [i32; N]) -> Self {
        let mut components = [0; 4];
        components[..N].copy_from_slice(&integers);
        Self { components, count: N }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[i32] {
        &self.components[..self.count]
    }
}

/// The elements of a packed array made of 32-bit integers.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum PackedIntegers<'v> {
    One(&'v [i32]),
    Two(&'v [Vector2i]),
    Three(&'v [Vector3i]),
    Four(&'v [Vector4i]),
}

impl PackedIntegers<'_> {
    pub(crate) const fn len(self) -> usize {
        match self {
            Self::One(elements) => elements.len(),
            Self::Two(elements) => elements.len(),
            Self::Three(elements) => elements.len(),
            Self::Four(elements) => elements.len(),
        }
    }

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

macro_rules! view {
    (reals: $($real:ident)*, integers: $($integer:ident)*) => {
        impl Variant {
            #[inline]
            pub(crate) fn view(&self) -> View<'_> {
                match self {
                    $(Self::$real(value) => View::Reals(value.0.as_reals()),)*
                    $(Self::$integer(value) => View::Integers(Integers::new(value.to_array())),)*
                    Self::Nil | Self::Callable => View::Nothing,
                    Self::Bool(value) => View::Bool(*value),
                    Self::Int(value) => View::Int(*value),
                    Self::Float(value) => View::Float(*value),
                    Self::String(text) => View::Text(text),
                    Self::StringName(text) => View::Text(text),
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
                    Self::PackedVector2Array(elements) => View::PackedReals(elements.as_reals(), 2),
                    Self::PackedVector3Array(elements) => View::PackedReals(elements.as_reals(), 3),
                    Self::PackedVector4Array(elements) => View::PackedReals(elements.as_reals(), 4),
                    Self::PackedColorArray(elements) => View::PackedColors(elements),
                    Self::PackedVector2iArray(elements) => View::PackedIntegers(PackedIntegers::Two(elements)),
                    Self::PackedVector3iArray(elements) => View::PackedIntegers(PackedIntegers::Three(elements)),
                    Self::PackedVector4iArray(elements) => View::PackedIntegers(PackedIntegers::Four(elements)),
                    Self::Image(image) => View::Image(image),
                    Self::InputEvent(event) => View::InputEvent(event),
                }
            }

            /// Creates a value of a type made of reals; `None` if the type or the number of components does not match.
            ///
            /// ```
            /// use varbytes::{Variant, VariantType, variant::Reals};
            ///
            /// let vector = Variant::from_reals(VariantType::Vector2, Reals::Single(&[1.0, 2.0])).unwrap();
            /// assert_eq!(vector.to_string(), "Vector2(1, 2)");
            /// assert_eq!(Variant::from_reals(VariantType::Vector3, Reals::Single(&[1.0, 2.0])), None);
            /// ```
            #[must_use]
            pub fn from_reals(variant_type: VariantType, reals: Reals<'_>) -> Option<Self> {
                match variant_type {
                    $(VariantType::$real => Some($real(reals.to_components()?).into()),)*
                    _ => None,
                }
            }

            /// Creates a value of a type made of 32-bit integers; `None` if the type or their number does not match.
            ///
            /// ```
            /// use varbytes::{Variant, VariantType, variant::Vector2i};
            ///
            /// let vector = Variant::from_integers(VariantType::Vector2i, &[1, 2]).unwrap();
            /// assert_eq!(vector, Vector2i::new(1, 2));
            /// ```
            #[must_use]
            pub fn from_integers(variant_type: VariantType, integers: &[i32]) -> Option<Self> {
                match variant_type {
                    $(VariantType::$integer => Some($integer::from(exactly(integers)?).into()),)*
                    _ => None,
                }
            }
        }
    };
}

fn exactly<const N: usize>(integers: &[i32]) -> Option<[i32; N]> {
    integers.try_into().ok()
}

view! {
    reals: Vector2 Rect2 Vector3 Transform2D Vector4 Plane Quaternion AABB Basis Transform3D Projection,
    integers: Vector2i Rect2i Vector3i Vector4i
}

impl Variant {
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

    /// Returns whether the value is a container, which an object is if it is full.
    #[inline]
    pub(super) const fn may_hold_values(&self) -> bool {
        matches!(self, Self::Dictionary(_) | Self::Object(Object::Data(_))) || self.as_array().is_some()
    }

    /// Creates a value of one of the types that consist of an array; `Array` for any other type.
    pub(crate) fn from_array(variant_type: VariantType, array: Array) -> Self {
        match variant_type {
            VariantType::TypedArray => Self::TypedArray(array),
            VariantType::PackedTypedArray => Self::PackedTypedArray(array),
            _ => Self::Array(array),
        }
    }

    /// Returns the components of a type made of reals, in wire order; `None` for other types.
    ///
    /// ```
    /// use varbytes::{Variant, variant::Plane};
    ///
    /// let plane = Variant::from(Plane::new(0.0, 1.0, 0.0, 5.0));
    /// assert_eq!(plane.as_reals().unwrap().at(3), 5.0);
    /// assert!(Variant::from(5.0).as_reals().is_none());
    /// ```
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

    /// Returns the bytes of a value that contains no others, if the packet decides their number. Equal keys have the
    /// same, in both kinds of tree.
    pub(crate) fn content_size(&self) -> usize {
        let texts = |texts: &[Text]| texts.iter().map(|text| size_of::<Text>() + text.as_bytes().len()).sum();
        match self.view() {
            View::Text(text) => text.as_bytes().len(),
            View::NodePath(path) => texts(&path.names) + texts(&path.subnames),
            View::Signal(signal) => signal.name.len(),
            View::PackedTexts(strings) => texts(strings),
            View::PackedBytes(bytes) => bytes.len(),
            View::Image(image) => image.data.len(),
            _ => self.packed_len().unwrap_or(0) * ELEMENT_SIZE,
        }
    }

    /// Returns an element of a packed array as a value; `None` if it does not exist, and for any other value.
    pub(super) fn packed_element(&self, index: usize) -> Option<Self> {
        let vector = |reals| Self::from_reals(self.variant_type().packed_element()?, reals);
        Some(match self.view() {
            View::PackedBytes(elements) => Self::from(*elements.get(index)?),
            View::PackedInt64s(elements) => Self::from(*elements.get(index)?),
            View::PackedIntegers(PackedIntegers::One(elements)) => Self::from(*elements.get(index)?),
            View::PackedIntegers(PackedIntegers::Two(elements)) => Self::from(*elements.get(index)?),
            View::PackedIntegers(PackedIntegers::Three(elements)) => Self::from(*elements.get(index)?),
            View::PackedIntegers(PackedIntegers::Four(elements)) => Self::from(*elements.get(index)?),
            View::PackedReals(Reals::Single(elements), 1) => Self::Float(widen(*elements.get(index)?)),
            View::PackedReals(Reals::Double(elements), 1) => Self::Float(*elements.get(index)?),
            View::PackedReals(Reals::Single(reals), count) => vector(Reals::Single(reals.chunks(count).nth(index)?))?,
            View::PackedReals(Reals::Double(reals), count) => vector(Reals::Double(reals.chunks(count).nth(index)?))?,
            View::PackedColors(elements) => Self::from(*elements.get(index)?),
            View::PackedTexts(elements) => Self::from(elements.get(index)?.clone()),
            _ => return None,
        })
    }

    /// Returns the elements of a packed array as values; `None` for any other value.
    pub(crate) fn packed_elements(&self) -> Option<impl Iterator<Item = Self>> {
        Some((0..self.packed_len()?).map(|index| self.packed_element(index).unwrap_or_default()))
    }

    /// Creates a packed array of vectors or colors from the components of all its elements. An incomplete element is
    /// dropped. `None` for other types.
    pub(crate) fn from_packed_reals(variant_type: VariantType, reals: Reals<'_>) -> Option<Self> {
        Some(match (variant_type, reals) {
            (VariantType::PackedVector2Array, reals) => Self::PackedVector2Array(PackedReals::from_reals(reals)),
            (VariantType::PackedVector3Array, reals) => Self::PackedVector3Array(PackedReals::from_reals(reals)),
            (VariantType::PackedVector4Array, reals) => Self::PackedVector4Array(PackedReals::from_reals(reals)),
            (VariantType::PackedColorArray, Reals::Single(reals)) => elements::<_, 4, Color>(reals).into(),
            _ => return None,
        })
    }

    /// The same for vectors of integers.
    pub(crate) fn from_packed_integers(variant_type: VariantType, integers: &[i32]) -> Option<Self> {
        Some(match variant_type {
            VariantType::PackedVector2iArray => elements::<_, 2, Vector2i>(integers).into(),
            VariantType::PackedVector3iArray => elements::<_, 3, Vector3i>(integers).into(),
            VariantType::PackedVector4iArray => elements::<_, 4, Vector4i>(integers).into(),
            _ => return None,
        })
    }
}

fn elements<C: Copy, const N: usize, V: From<[C; N]>>(components: &[C]) -> Vec<V> {
    components.as_chunks().0.iter().map(|element| V::from(*element)).collect()
}
