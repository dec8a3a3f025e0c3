//! Conversions from and to vectors and matrices of other crates.

use super::math::*;
use super::owned::Variant;
use super::try_from::WrongType;

/// Swaps the rows and columns of the matrix at the start of a `Basis` or `Transform3D`.
const fn transposed<T: Copy, const N: usize>(mut components: [T; N]) -> [T; N] {
    let from = components;
    (components[1], components[3]) = (from[3], from[1]);
    (components[2], components[6]) = (from[6], from[2]);
    (components[5], components[7]) = (from[7], from[5]);
    components
}

const fn unchanged<T: Copy, const N: usize>(components: [T; N]) -> [T; N] {
    components
}

/// Declares conversions by the components in wire order.
macro_rules! conversions {
    ($($godot:ident: $foreign:ty => $from:ident $to:ident, $components:expr, $new:expr;)*) => {$(
        impl From<$foreign> for $godot {
            fn from(value: $foreign) -> Self {
                Self::$from($components(value))
            }
        }

        impl From<$godot> for $foreign {
            fn from(value: $godot) -> Self {
                $new(value.$to())
            }
        }

        impl From<$foreign> for Variant {
            fn from(value: $foreign) -> Self {
                $godot::from(value).into()
            }
        }

        /// # Errors
        /// [`WrongType`] if the value is of another type.
        impl TryFrom<Variant> for $foreign {
            type Error = WrongType;

            fn try_from(value: Variant) -> Result<Self, WrongType> {
                $godot::try_from(value).map(Self::from)
            }
        }

        /// # Errors
        /// [`WrongType`] if the value is of another type.
        impl TryFrom<&Variant> for $foreign {
            type Error = WrongType;

            fn try_from(value: &Variant) -> Result<Self, WrongType> {
                $godot::try_from(value).map(Self::from)
            }
        }
    )*};
}

#[cfg(feature = "glam")]
mod of_glam {
    use glam::{
        Affine2, Affine3A, DAffine2, DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat3,
        Mat3A, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4,
    };

    use super::*;

    macro_rules! vectors {
        ($($godot:ident: $($foreign:ident)* => $from:ident $to:ident;)*) => {$(
            conversions! { $($godot: $foreign => $from $to, |value: $foreign| value.to_array(), $foreign::from_array;)* }
        )*};
    }

    macro_rules! matrices {
        ($($godot:ident: $($foreign:ident)* => $from:ident $to:ident, $order:ident;)*) => {$($(
            conversions! {
                $godot: $foreign => $from $to,
                    |value: $foreign| $order(value.to_cols_array()), |columns| $foreign::from_cols_array(&$order(columns));
            }
        )*)*};
    }

    vectors! {
        Vector2: Vec2 => from to_array;
        Vector2: DVec2 => from_f64_array to_f64_array;
        Vector2i: IVec2 => from to_array;
        Vector3: Vec3 Vec3A => from to_array;
        Vector3: DVec3 => from_f64_array to_f64_array;
        Vector3i: IVec3 => from to_array;
        Vector4: Vec4 => from to_array;
        Vector4: DVec4 => from_f64_array to_f64_array;
        Vector4i: IVec4 => from to_array;
        Quaternion: Quat => from to_array;
        Quaternion: DQuat => from_f64_array to_f64_array;
    }

    matrices! {
        Transform2D: Affine2 => from to_array, unchanged;
        Transform2D: DAffine2 => from_f64_array to_f64_array, unchanged;
        Basis: Mat3 Mat3A => from to_array, transposed;
        Basis: DMat3 => from_f64_array to_f64_array, transposed;
        Transform3D: Affine3A => from to_array, transposed;
        Transform3D: DAffine3 => from_f64_array to_f64_array, transposed;
        Projection: Mat4 => from to_array, unchanged;
        Projection: DMat4 => from_f64_array to_f64_array, unchanged;
    }
}

#[cfg(feature = "mint")]
mod of_mint {
    use super::*;

    macro_rules! reals {
        ($($godot:ident[$count:literal]: $($foreign:ident)*, $order:ident;)*) => {$($(
            conversions! {
                $godot: mint::$foreign<f32> => from to_array,
                    |value: mint::$foreign<f32>| $order(<[f32; $count]>::from(value)),
                    |components: [f32; $count]| Self::from($order(components));
                $godot: mint::$foreign<f64> => from_f64_array to_f64_array,
                    |value: mint::$foreign<f64>| $order(<[f64; $count]>::from(value)),
                    |components: [f64; $count]| Self::from($order(components));
            }
        )*)*};
    }

    macro_rules! integers {
        ($($godot:ident[$count:literal]: $($foreign:ident)*;)*) => {$($(
            conversions! {
                $godot: mint::$foreign<i32> => from to_array, <[i32; $count]>::from, mint::$foreign::from;
            }
        )*)*};
    }

    reals! {
        Vector2[2]: Vector2 Point2, unchanged;
        Vector3[3]: Vector3 Point3, unchanged;
        Vector4[4]: Vector4, unchanged;
        Quaternion[4]: Quaternion, unchanged;
        Transform2D[6]: ColumnMatrix2x3, unchanged;
        Basis[9]: ColumnMatrix3, transposed;
        Basis[9]: RowMatrix3, unchanged;
        Transform3D[12]: ColumnMatrix3x4, transposed;
        Projection[16]: ColumnMatrix4, unchanged;
    }

    integers! {
        Vector2i[2]: Vector2 Point2;
        Vector3i[3]: Vector3 Point3;
        Vector4i[4]: Vector4;
    }
}
