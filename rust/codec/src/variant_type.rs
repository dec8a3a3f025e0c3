//! The types of values, with the names of Godot 4.

use core::fmt;

use Number::{Byte, Float32, Float64, Int32, Int64, Real};
use Shape::{Container, Fixed, Other, Packed};

/// The kind of number that a type consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Byte,
    Int32,
    Int64,
    /// 4 bytes in every build of the engine.
    Float32,
    Float64,
    /// 4 or 8 bytes, depending on the precision of the engine that writes it.
    Real,
}

/// What the values of a type consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A fixed number of numbers.
    Fixed(Number, usize),
    /// Any number of elements with a fixed number of numbers each.
    Packed(Number, usize),
    /// Other values.
    Container,
    /// Anything else.
    Other,
}

macro_rules! variant_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal: $shape:expr,)*) => {
        /// The type of a [`Variant`](crate::Variant), independent of the engine version.
        ///
        /// The id on the wire depends on the engine version: see [`Profile::type_id`](crate::Profile::type_id).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum VariantType {
            $($(#[$doc])* $name,)*
        }

        impl VariantType {
            /// Every type of any engine: those of Godot 4 in its order, then the types of other engines.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the name that scripts print for the type, for example `"bool"` or `"PackedVector2Array"`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Returns the type with this name, spelled exactly as [`name`](Self::name) returns it.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Returns what values of the type consist of.
            #[inline]
            pub(crate) const fn shape(self) -> Shape {
                match self {
                    $(Self::$name => $shape,)*
                }
            }
        }
    };
}

variant_types! {
    /// `null`.
    Nil = "Nil": Other,
    /// `bool`.
    Bool = "bool": Other,
    /// `int`, 64 bits.
    Int = "int": Other,
    /// `float`, 64 bits.
    Float = "float": Other,
    /// `String`.
    String = "String": Other,
    /// `Vector2`: 2 reals.
    Vector2 = "Vector2": Fixed(Real, 2),
    /// `Vector2i`: 2 32-bit integers.
    Vector2i = "Vector2i": Fixed(Int32, 2),
    /// `Rect2`: 4 reals, position then size.
    Rect2 = "Rect2": Fixed(Real, 4),
    /// `Rect2i`: 4 32-bit integers, position then size.
    Rect2i = "Rect2i": Fixed(Int32, 4),
    /// `Vector3`: 3 reals.
    Vector3 = "Vector3": Fixed(Real, 3),
    /// `Vector3i`: 3 32-bit integers.
    Vector3i = "Vector3i": Fixed(Int32, 3),
    /// `Transform2D`: 6 reals, column by column.
    Transform2D = "Transform2D": Fixed(Real, 6),
    /// `Vector4`: 4 reals.
    Vector4 = "Vector4": Fixed(Real, 4),
    /// `Vector4i`: 4 32-bit integers.
    Vector4i = "Vector4i": Fixed(Int32, 4),
    /// `Plane`: 4 reals, normal then distance.
    Plane = "Plane": Fixed(Real, 4),
    /// `Quaternion`: 4 reals.
    Quaternion = "Quaternion": Fixed(Real, 4),
    /// `AABB`: 6 reals, position then size.
    AABB = "AABB": Fixed(Real, 6),
    /// `Basis`: 9 reals, row by row.
    Basis = "Basis": Fixed(Real, 9),
    /// `Transform3D`: 12 reals, the basis row by row, then the origin.
    Transform3D = "Transform3D": Fixed(Real, 12),
    /// `Projection`: 16 reals, column by column.
    Projection = "Projection": Fixed(Real, 16),
    /// `Color`: 4 single-precision components, red first.
    Color = "Color": Fixed(Float32, 4),
    /// `StringName`.
    StringName = "StringName": Other,
    /// `NodePath`.
    NodePath = "NodePath": Other,
    /// `RID`.
    RID = "RID": Other,
    /// `Object`.
    Object = "Object": Container,
    /// `Callable`.
    Callable = "Callable": Other,
    /// `Signal`.
    Signal = "Signal": Other,
    /// `Dictionary`.
    Dictionary = "Dictionary": Container,
    /// `Array`.
    Array = "Array": Container,
    /// `PackedByteArray`.
    PackedByteArray = "PackedByteArray": Packed(Byte, 1),
    /// `PackedInt32Array`.
    PackedInt32Array = "PackedInt32Array": Packed(Int32, 1),
    /// `PackedInt64Array`.
    PackedInt64Array = "PackedInt64Array": Packed(Int64, 1),
    /// `PackedFloat32Array`.
    PackedFloat32Array = "PackedFloat32Array": Packed(Float32, 1),
    /// `PackedFloat64Array`.
    PackedFloat64Array = "PackedFloat64Array": Packed(Float64, 1),
    /// `PackedStringArray`.
    PackedStringArray = "PackedStringArray": Other,
    /// `PackedVector2Array`.
    PackedVector2Array = "PackedVector2Array": Packed(Real, 2),
    /// `PackedVector3Array`.
    PackedVector3Array = "PackedVector3Array": Packed(Real, 3),
    /// `PackedColorArray`.
    PackedColorArray = "PackedColorArray": Packed(Float32, 4),
    /// `PackedVector4Array`, the last type of Godot 4.
    PackedVector4Array = "PackedVector4Array": Packed(Real, 4),
    /// `Image` of Godot 2.
    Image = "Image": Other,
    /// `InputEvent` of Godot 2.
    InputEvent = "InputEvent": Other,
    /// `PoolVector2iArray` of Pandemonium.
    PackedVector2iArray = "PackedVector2iArray": Packed(Int32, 2),
    /// `PoolVector3iArray` of Pandemonium.
    PackedVector3iArray = "PackedVector3iArray": Packed(Int32, 3),
    /// `PoolVector4iArray` of Pandemonium.
    PackedVector4iArray = "PackedVector4iArray": Packed(Int32, 4),
    /// `TypedArray` of Pandemonium 5.
    TypedArray = "TypedArray": Container,
    /// `PackedTypedArray` of Pandemonium 5.
    PackedTypedArray = "PackedTypedArray": Container,
}

impl VariantType {
    /// Returns the number of reals in a value of the type; 0 if it does not consist of reals.
    ///
    /// `Color` returns 0: its components have single precision in every build.
    #[must_use]
    #[inline]
    pub const fn real_components(self) -> usize {
        match self.shape() {
            Fixed(Real, count) => count,
            _ => 0,
        }
    }

    /// Returns the number of 32-bit integers in a value of the type; 0 if it does not consist of them.
    #[must_use]
    #[inline]
    pub const fn integer_components(self) -> usize {
        match self.shape() {
            Fixed(Int32, count) => count,
            _ => 0,
        }
    }

    /// Returns the element type of a packed array; `None` for other types.
    pub(crate) const fn packed_element(self) -> Option<Self> {
        Some(match self.shape() {
            Packed(Byte | Int32 | Int64, 1) => Self::Int,
            Packed(Float32 | Float64, 1) => Self::Float,
            Packed(Real, 2) => Self::Vector2,
            Packed(Real, 3) => Self::Vector3,
            Packed(Real, 4) => Self::Vector4,
            Packed(Float32, 4) => Self::Color,
            Packed(Int32, 2) => Self::Vector2i,
            Packed(Int32, 3) => Self::Vector3i,
            Packed(Int32, 4) => Self::Vector4i,
            _ => return None,
        })
    }

    /// Returns whether values of the type contain other values: `Array`, `Dictionary`, `Object`, and the typed arrays.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self.shape(), Container)
    }
}

impl fmt::Display for VariantType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
