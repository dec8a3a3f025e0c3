//! Conversions to Rust values.

use alloc::collections::BTreeMap;
use alloc::{string::String, vec::Vec};
use core::convert::Infallible;
use core::fmt;
#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::HashMap;

use super::math::{
    AABB, Basis, Color, Components, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use super::node_path::{NodePath, Signal};
use super::owned::{Array, Dictionary, Object, Variant};
use super::packed::PackedReals;
use super::text::Text;
use crate::VariantType;

/// A value is of another type than the one asked for, or does not fit into it.
///
/// ```
/// use varbytes::{VariantType, variant};
///
/// let error = i64::try_from(variant!("7")).unwrap_err();
/// assert_eq!((error.wanted, error.found), ("i64", VariantType::String));
/// assert_eq!(error.to_string(), "expected i64, found String");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongType {
    /// The type asked for, as in Rust.
    pub wanted: &'static str,
    /// The type of the value.
    pub found: VariantType,
}

impl fmt::Display for WrongType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, found } = self;
        match found {
            // A number is refused only by a smaller integer.
            VariantType::Int if wanted.starts_with(['i', 'u']) => write!(formatter, "the int does not fit in {wanted}"),
            _ => write!(formatter, "expected {wanted}, found {found}"),
        }
    }
}

impl core::error::Error for WrongType {}

macro_rules! try_from {
    (@wanted $type:ty) => { stringify!($type) };
    (@wanted $type:ty, $wanted:expr) => { $wanted };
    ($($type:ty $(as ($wanted:expr))?: $pattern:pat $(if $guard:expr)? => $value:expr;)*) => {$(
        /// # Errors
        /// [`WrongType`] if the value is of another type or does not fit.
        impl TryFrom<Variant> for $type {
            type Error = WrongType;

            fn try_from(mut value: Variant) -> Result<Self, WrongType> {
                let found = value.variant_type();
                #[expect(clippy::allow_attributes, reason = "only some patterns match everything")]
                #[allow(unreachable_patterns)]
                let converted: Option<Self> = match &mut value {
                    $pattern $(if $guard)? => $value,
                    _ => None,
                };
                converted.ok_or(WrongType { wanted: try_from!(@wanted $type $(, $wanted)?), found })
            }
        }

        /// # Errors
        /// [`WrongType`] if the value is of another type or does not fit.
        impl TryFrom<&Variant> for $type {
            type Error = WrongType;

            fn try_from(value: &Variant) -> Result<Self, WrongType> {
                Self::try_from(value.clone())
            }
        }
    )*};
}

macro_rules! try_from_content {
    (small: $($small:ident)*, boxed: $($boxed:ident)*, integers: $($integer:ty)*) => {
        try_from! {
            $($small: Variant::$small(value) => Some(value.clone());)*
            $($boxed: Variant::$boxed(value) => Some((**value).clone());)*
            $($integer: Variant::Int(value) => (*value).try_into().ok();)*
        }
    };
}

try_from_content! {
    small: Vector2 Vector2i Rect2i Vector3 Vector3i Vector4i Color,
    boxed: Rect2 Transform2D Vector4 Plane Quaternion AABB Basis Transform3D Projection NodePath Signal,
    integers: i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 isize usize
}

try_from! {
    bool: Variant::Bool(value) => Some(*value);
    (): Variant::Nil => Some(());
    // The narrowing that the engine does.
    f32: value => value.as_f64().map(crate::float::narrow);
    f64: value => value.as_f64();
    Text: value => value.as_text().cloned();
    String: value => value.as_text().filter(|text| text.is_unicode()).map(|text| text.as_str().into());
    char: value => value.as_text().filter(|text| text.is_unicode()).and_then(|text| only_character(text));
    Dictionary: Variant::Dictionary(value) => Some(core::mem::take(value));
    Array: value => value.as_array_mut().map(core::mem::take);
    Object: Variant::Object(value) => Some(core::mem::take(value));
    Vec<Variant>: value => value.as_array_mut().map(core::mem::take).map(Array::into_elements).or_else(|| {
        value.packed_elements().map(Iterator::collect)
    });
}

/// Declares conversions to a `Vec`, first of the packed array with the same elements, then of any other array.
macro_rules! try_from_vectors {
    ($($element:ty $(: $pattern:pat $(if $guard:expr)? => $vector:expr)?;)*) => {
        try_from! {
            $(Vec<$element> as (concat!("Vec<", stringify!($element), ">")): value => {
                let packed: Option<Self> = match value {
                    $($pattern $(if $guard)? => $vector,)?
                    _ => None,
                };
                packed.or_else(|| converted(value))
            };)*
        }
    };
}

try_from_vectors! {
    u8: Variant::PackedByteArray(elements) => Some(core::mem::take(elements).into_vec());
    i32: Variant::PackedInt32Array(elements) => Some(core::mem::take(elements).into_vec());
    i64: Variant::PackedInt64Array(elements) => Some(core::mem::take(elements).into_vec());
    f32: Variant::PackedFloat32Array(elements) => Some(core::mem::take(elements).into_vec());
    f64: Variant::PackedFloat64Array(elements) => Some(core::mem::take(elements).into_vec());
    Color: Variant::PackedColorArray(elements) => Some(core::mem::take(elements).into_vec());
    Text: Variant::PackedStringArray(elements) => Some(core::mem::take(elements).into_vec());
    Vector2i: Variant::PackedVector2iArray(elements) => Some(core::mem::take(elements).into_vec());
    Vector3i: Variant::PackedVector3iArray(elements) => Some(core::mem::take(elements).into_vec());
    Vector4i: Variant::PackedVector4iArray(elements) => Some(core::mem::take(elements).into_vec());
    Vector2: Variant::PackedVector2Array(elements) => Some(vectors(elements));
    Vector3: Variant::PackedVector3Array(elements) => Some(vectors(elements));
    Vector4: Variant::PackedVector4Array(elements) => Some(vectors(elements));
    [f32; 2]: Variant::PackedVector2Array(elements) => elements.as_slice().map(Vec::from);
    [f32; 3]: Variant::PackedVector3Array(elements) => elements.as_slice().map(Vec::from);
    [f32; 4]: Variant::PackedVector4Array(elements) => elements.as_slice().map(Vec::from);
    bool; i8; i16; u16; u32; u64; isize; usize; String; Dictionary; Array; Object; NodePath; Rect2i; Rect2; Transform2D;
    Plane; Quaternion; AABB; Basis; Transform3D; Projection; Vec<Variant>; Vec<i64>; Vec<f64>; Vec<String>;
}

try_from! {
    [f32; 2]: Variant::Vector2(vector) => single(&vector.0);
    [f32; 3]: Variant::Vector3(vector) => single(&vector.0);
    [f32; 4]: Variant::Vector4(vector) => single(&vector.0);
    [f64; 2]: Variant::Vector2(vector) => Some(vector.to_f64_array());
    [f64; 3]: Variant::Vector3(vector) => Some(vector.to_f64_array());
    [f64; 4]: Variant::Vector4(vector) => Some(vector.to_f64_array());
    [i32; 2]: Variant::Vector2i(vector) => Some(vector.to_array());
    [i32; 3]: Variant::Vector3i(vector) => Some(vector.to_array());
    [i32; 4]: Variant::Vector4i(vector) => Some(vector.to_array());
}

fn only_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Returns the components if they have single precision.
fn single<const N: usize>(components: &Components<N>) -> Option<[f32; N]> {
    match components {
        Components::Single(components) => Some(*components),
        Components::Double(_) => None,
    }
}

/// Converts every member of an array, or every element of a packed array; `None` if one is of another type.
fn converted<T: TryFrom<Variant>>(array: &Variant) -> Option<Vec<T>> {
    match array.as_array() {
        Some(members) => members.iter().map(|member| T::try_from(member.clone()).ok()).collect(),
        None => array.packed_elements()?.map(|element| T::try_from(element).ok()).collect(),
    }
}

/// Returns the vectors in their own precision.
fn vectors<const N: usize, V: From<Components<N>>>(packed: &PackedReals<N>) -> Vec<V> {
    match packed {
        PackedReals::Single(vectors) => vectors.iter().map(|vector| Components::from(*vector).into()).collect(),
        PackedReals::Double(vectors) => {
            vectors.iter().map(|vector| Components::from_f64_array(*vector).into()).collect()
        }
    }
}

/// A value of every type is a [`Variant`].
impl From<Infallible> for WrongType {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

macro_rules! maps {
    ($($map:ident[$($bound:tt)*] $(, $hasher:ident)?;)*) => {$(
        /// # Errors
        /// [`WrongType`] if the value is not a `Dictionary`, and for the first key or value of another type.
        impl<K, V, $($hasher)?> TryFrom<Variant> for $map<K, V, $($hasher)?>
        where
            K: TryFrom<Variant> + $($bound)*,
            V: TryFrom<Variant>,
            WrongType: From<K::Error> + From<V::Error>,
            $($hasher: BuildHasher + Default,)?
        {
            type Error = WrongType;

            fn try_from(value: Variant) -> Result<Self, WrongType> {
                let entries = Dictionary::try_from(value)?.into_iter();
                entries.map(|(key, value)| Ok((K::try_from(key)?, V::try_from(value)?))).collect()
            }
        }

        /// # Errors
        /// [`WrongType`] if the value is not a `Dictionary`, and for the first key or value of another type.
        impl<K, V, $($hasher)?> TryFrom<&Variant> for $map<K, V, $($hasher)?>
        where
            Self: TryFrom<Variant>,
        {
            type Error = <Self as TryFrom<Variant>>::Error;

            fn try_from(value: &Variant) -> Result<Self, Self::Error> {
                Self::try_from(value.clone())
            }
        }
    )*};
}

maps! { BTreeMap[Ord]; }

#[cfg(feature = "std")]
maps! { HashMap[Eq + Hash], S; }

/// # Errors
/// [`WrongType`] if the value is neither a `String` nor a `StringName`, or not Unicode.
impl<'v> TryFrom<&'v Variant> for &'v str {
    type Error = WrongType;

    fn try_from(value: &'v Variant) -> Result<Self, WrongType> {
        let text = value.as_text().filter(|text| text.is_unicode()).map(Text::as_str);
        text.ok_or(WrongType { wanted: "&str", found: value.variant_type() })
    }
}
