//! The types a Variant can have, named as Godot 4 names them.

use core::fmt;

macro_rules! variant_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
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
        }
    };
}

variant_types! {
    /// `null`.
    Nil = "Nil",
    /// `bool`.
    Bool = "bool",
    /// `int`, 64 bits.
    Int = "int",
    /// `float`, 64 bits.
    Float = "float",
    /// `String`.
    String = "String",
    /// `Vector2`: 2 reals.
    Vector2 = "Vector2",
    /// `Vector2i`: 2 32-bit integers.
    Vector2i = "Vector2i",
    /// `Rect2`: 4 reals, position then size.
    Rect2 = "Rect2",
    /// `Rect2i`: 4 32-bit integers, position then size.
    Rect2i = "Rect2i",
    /// `Vector3`: 3 reals.
    Vector3 = "Vector3",
    /// `Vector3i`: 3 32-bit integers.
    Vector3i = "Vector3i",
    /// `Transform2D`: 6 reals, column by column.
    Transform2D = "Transform2D",
    /// `Vector4`: 4 reals.
    Vector4 = "Vector4",
    /// `Vector4i`: 4 32-bit integers.
    Vector4i = "Vector4i",
    /// `Plane`: 4 reals, normal then distance.
    Plane = "Plane",
    /// `Quaternion`: 4 reals.
    Quaternion = "Quaternion",
    /// `AABB`: 6 reals, position then size.
    AABB = "AABB",
    /// `Basis`: 9 reals, row by row.
    Basis = "Basis",
    /// `Transform3D`: 12 reals, the basis row by row, then the origin.
    Transform3D = "Transform3D",
    /// `Projection`: 16 reals, column by column.
    Projection = "Projection",
    /// `Color`: 4 single-precision components, red first.
    Color = "Color",
    /// `StringName`.
    StringName = "StringName",
    /// `NodePath`.
    NodePath = "NodePath",
    /// `RID`.
    RID = "RID",
    /// `Object`.
    Object = "Object",
    /// `Callable`.
    Callable = "Callable",
    /// `Signal`.
    Signal = "Signal",
    /// `Dictionary`.
    Dictionary = "Dictionary",
    /// `Array`.
    Array = "Array",
    /// `PackedByteArray`.
    PackedByteArray = "PackedByteArray",
    /// `PackedInt32Array`.
    PackedInt32Array = "PackedInt32Array",
    /// `PackedInt64Array`.
    PackedInt64Array = "PackedInt64Array",
    /// `PackedFloat32Array`.
    PackedFloat32Array = "PackedFloat32Array",
    /// `PackedFloat64Array`.
    PackedFloat64Array = "PackedFloat64Array",
    /// `PackedStringArray`.
    PackedStringArray = "PackedStringArray",
    /// `PackedVector2Array`.
    PackedVector2Array = "PackedVector2Array",
    /// `PackedVector3Array`.
    PackedVector3Array = "PackedVector3Array",
    /// `PackedColorArray`.
    PackedColorArray = "PackedColorArray",
    /// `PackedVector4Array`, the last type of Godot 4.
    PackedVector4Array = "PackedVector4Array",
    /// `Image` of Godot 2.
    Image = "Image",
    /// `InputEvent` of Godot 2.
    InputEvent = "InputEvent",
    /// `PoolVector2iArray` of Pandemonium.
    PackedVector2iArray = "PackedVector2iArray",
    /// `PoolVector3iArray` of Pandemonium.
    PackedVector3iArray = "PackedVector3iArray",
    /// `PoolVector4iArray` of Pandemonium.
    PackedVector4iArray = "PackedVector4iArray",
    /// `TypedArray` of Pandemonium 5.
    TypedArray = "TypedArray",
    /// `PackedTypedArray` of Pandemonium 5.
    PackedTypedArray = "PackedTypedArray",
}

impl VariantType {
    /// How many reals one value of the type has on the wire, in wire order; 0 for types not made of reals.
    ///
    /// `Color` is not among them: its components are single precision in every build.
    #[must_use]
    pub const fn real_components(self) -> usize {
        match self {
            Self::Vector2 => 2,
            Self::Vector3 => 3,
            Self::Rect2 | Self::Vector4 | Self::Plane | Self::Quaternion => 4,
            Self::Transform2D | Self::AABB => 6,
            Self::Basis => 9,
            Self::Transform3D => 12,
            Self::Projection => 16,
            _ => 0,
        }
    }

    /// How many 32-bit integers one value of the type has on the wire; 0 for types not made of them.
    #[must_use]
    pub const fn integer_components(self) -> usize {
        match self {
            Self::Vector2i => 2,
            Self::Vector3i => 3,
            Self::Rect2i | Self::Vector4i => 4,
            _ => 0,
        }
    }

    /// Whether values of the type hold other values: `Array`, `Dictionary`, `Object`, and the typed arrays.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Dictionary | Self::Object | Self::TypedArray | Self::PackedTypedArray)
    }
}

impl fmt::Display for VariantType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
