//! The types a Variant can have, named as Godot 4 names them.

use core::fmt;

use Number::{Byte, Float32, Float64, Int32, Int64, Real};
use Shape::{Container, Fixed, Other, Packed};

/// The numbers that a type is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Byte,
    Int32,
    Int64,
    /// 4 bytes in every build of the engine.
    Float32,
    Float64,
    /// 4 or 8 bytes: the precision of the build that writes it.
    Real,
}

/// What the values of a type are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// So many numbers.
    Fixed(Number, usize),
    /// Any number of elements, each made of so many numbers.
    Packed(Number, usize),
    /// Other values.
    Container,
    /// What no other type is made of.
    Other,
}

macro_rules! variant_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal: $shape:expr,)*) => {
        /// The type of a [`Variant`](crate::Variant), by concept.
        ///
        /// The number an engine writes for a type is its own and moves between generations;
        /// [`Profile::type_id`](crate::Profile::type_id) has it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum VariantType {
            $($(#[$doc])* $name,)*
        }

        impl VariantType {
            /// Every type of any engine: those of Godot 4 in its order, then those that only others have.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name that scripts print for the type, such as `"bool"` or `"PackedVector2Array"`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// The type with that name, spelled exactly as [`name`](Self::name) gives it.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// What values of the type are made of.
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
    /// How many reals one value of the type has on the wire, in wire order; 0 for types not made of reals.
    ///
    /// `Color` is not among them: its components are single precision in every build.
    #[must_use]
    #[inline]
    pub const fn real_components(self) -> usize {
        match self.shape() {
            Fixed(Real, count) => count,
            _ => 0,
        }
    }

    /// How many 32-bit integers one value of the type has on the wire; 0 for types not made of them.
    #[must_use]
    #[inline]
    pub const fn integer_components(self) -> usize {
        match self.shape() {
            Fixed(Int32, count) => count,
            _ => 0,
        }
    }

    /// The type of a value that is an element of this packed array; `None` for types that are not packed arrays.
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

    /// Whether values of the type hold other values: `Array`, `Dictionary`, `Object`, and the typed arrays.
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
