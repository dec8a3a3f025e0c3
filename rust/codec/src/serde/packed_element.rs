//! The elements of packed arrays.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use crate::VariantType;
use crate::serde::foreign::{Godot, Math};
use crate::variant::{Color, Text, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i};

/// A type of which Godot has packed arrays.
///
/// A type of your own is written as the numbers or the text that it consists of, also a struct with fields.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use varbytes::VariantType;
/// use varbytes::packed::PackedElement;
/// use varbytes::variant::Color;
///
/// /// An element of a `PackedColorArray`.
/// #[derive(Serialize, Deserialize)]
/// struct Rgba {
///     r: f32,
///     g: f32,
///     b: f32,
///     a: f32,
/// }
///
/// impl PackedElement for Rgba {
///     const ARRAY: VariantType = VariantType::PackedColorArray;
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct Gradient {
///     #[serde(with = "varbytes::packed")]
///     colors: Vec<Rgba>,
/// }
///
/// let red = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };
/// let gradient = varbytes::to_variant(&Gradient { colors: vec![red] })?;
/// assert_eq!(gradient["colors"], varbytes::variant!(vec![Color::new(1.0, 0.0, 0.0, 1.0)]));
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
pub trait PackedElement: Serialize {
    /// The type of the packed array.
    const ARRAY: VariantType;
}

/// Every [`PackedElement`], and types that do not implement serde's traits as Godot's type.
#[doc(hidden)]
pub trait Element {
    /// The type of the packed array.
    const ARRAY: VariantType;

    /// Writes the element.
    ///
    /// # Errors
    /// Those of the serializer.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// An [`Element`] that can be read.
#[doc(hidden)]
pub trait FromElement<'de>: Element + Sized {
    /// Reads the element.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl<E: PackedElement> Element for E {
    const ARRAY: VariantType = E::ARRAY;

    #[inline]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

impl<'de, E: PackedElement + Deserialize<'de>> FromElement<'de> for E {
    #[inline]
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<E, D::Error> {
        E::deserialize(deserializer)
    }
}

impl<T: Element + Math> PackedElement for Godot<T> {
    const ARRAY: VariantType = T::ARRAY;
}

macro_rules! elements {
    ($($array:ident: $($element:ty),*;)*) => {$($(
        impl PackedElement for $element {
            const ARRAY: VariantType = VariantType::$array;
        }
    )*)*};
}

elements! {
    PackedByteArray: u8;
    PackedInt32Array: i8, i16, u16, i32;
    PackedInt64Array: u32, i64, u64, isize, usize;
    PackedFloat32Array: f32;
    PackedFloat64Array: f64;
    PackedStringArray: String, &str, Box<str>, Cow<'_, str>, Text, char;
    PackedVector2Array: Vector2, [f32; 2], [f64; 2], (f32, f32), (f64, f64);
    PackedVector3Array: Vector3, [f32; 3], [f64; 3], (f32, f32, f32), (f64, f64, f64);
    PackedVector4Array: Vector4, [f32; 4], [f64; 4], (f32, f32, f32, f32), (f64, f64, f64, f64);
    PackedColorArray: Color;
    PackedVector2iArray: Vector2i;
    PackedVector3iArray: Vector3i;
    PackedVector4iArray: Vector4i;
}

#[cfg(feature = "glam")]
elements! {
    PackedVector2Array: glam::Vec2, glam::DVec2;
    PackedVector3Array: glam::Vec3, glam::Vec3A, glam::DVec3;
    PackedVector4Array: glam::Vec4, glam::DVec4;
    PackedVector2iArray: glam::IVec2;
    PackedVector3iArray: glam::IVec3;
    PackedVector4iArray: glam::IVec4;
}

#[cfg(feature = "mint")]
macro_rules! mint_elements {
    ($($array:ident: $($element:ident<$number:ty>),*;)*) => {$($(
        impl Element for mint::$element<$number> {
            const ARRAY: VariantType = VariantType::$array;

            #[inline]
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.serialize_math(serializer)
            }
        }

        impl<'de> FromElement<'de> for mint::$element<$number> {
            #[inline]
            fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::deserialize_math(deserializer)
            }
        }
    )*)*};
}

#[cfg(feature = "mint")]
mint_elements! {
    PackedVector2Array: Vector2<f32>, Vector2<f64>, Point2<f32>, Point2<f64>;
    PackedVector3Array: Vector3<f32>, Vector3<f64>, Point3<f32>, Point3<f64>;
    PackedVector4Array: Vector4<f32>, Vector4<f64>;
    PackedVector2iArray: Vector2<i32>, Point2<i32>;
    PackedVector3iArray: Vector3<i32>, Point3<i32>;
    PackedVector4iArray: Vector4<i32>;
}
