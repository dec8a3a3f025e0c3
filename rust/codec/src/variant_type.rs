//! The types of values, with the names of Godot 4.

use alloc::{format, string::String};
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

/// Calls a macro with every type: its name in Rust, its content, the name that scripts print, its
/// shape, and a note for the documentation.
macro_rules! with_types {
    ($macro:ident) => {
        $macro! {
            Nil = "Nil": Other, "`null`";
            Bool(value: bool) = "bool": Other;
            Int(value: i64) = "int": Other, "64 bits";
            Float(value: f64) = "float": Other, "64 bits";
            String(value: Text) = "String": Other;
            Vector2(value: Vector2) = "Vector2": Fixed(Real, 2), "2 reals";
            Vector2i(value: Vector2i) = "Vector2i": Fixed(Int32, 2), "2 32-bit integers";
            Rect2(value: Box<Rect2>) = "Rect2": Fixed(Real, 4), "4 reals, position then size";
            Rect2i(value: Rect2i) = "Rect2i": Fixed(Int32, 4), "4 32-bit integers, position then size";
            Vector3(value: Vector3) = "Vector3": Fixed(Real, 3), "3 reals";
            Vector3i(value: Vector3i) = "Vector3i": Fixed(Int32, 3), "3 32-bit integers";
            Transform2D(value: Box<Transform2D>) = "Transform2D": Fixed(Real, 6), "6 reals, column by column";
            Vector4(value: Box<Vector4>) = "Vector4": Fixed(Real, 4), "4 reals";
            Vector4i(value: Vector4i) = "Vector4i": Fixed(Int32, 4), "4 32-bit integers";
            Plane(value: Box<Plane>) = "Plane": Fixed(Real, 4), "4 reals, normal then distance";
            Quaternion(value: Box<Quaternion>) = "Quaternion": Fixed(Real, 4), "4 reals";
            AABB(value: Box<AABB>) = "AABB": Fixed(Real, 6), "6 reals, position then size";
            Basis(value: Box<Basis>) = "Basis": Fixed(Real, 9), "9 reals, row by row";
            Transform3D(value: Box<Transform3D>) = "Transform3D": Fixed(Real, 12),
                "12 reals, the basis row by row, then the origin";
            Projection(value: Box<Projection>) = "Projection": Fixed(Real, 16), "16 reals, column by column";
            Color(value: Color) = "Color": Fixed(Float32, 4), "4 single-precision components, red first";
            StringName(value: Box<Text>) = "StringName": Other;
            NodePath(value: Box<NodePath>) = "NodePath": Other;
            RID(value: u64) = "RID": Other, "its 64-bit id; 0 before Godot 4, which does not write the id";
            Object(value: Object) = "Object": Container;
            Callable = "Callable": Other, "no content on the wire";
            Signal(value: Box<Signal>) = "Signal": Other;
            Dictionary(value: Dictionary) = "Dictionary": Container;
            Array(value: Array) = "Array": Container;
            PackedByteArray(value: Box<[u8]>) = "PackedByteArray": Packed(Byte, 1);
            PackedInt32Array(value: Box<[i32]>) = "PackedInt32Array": Packed(Int32, 1);
            PackedInt64Array(value: Box<[i64]>) = "PackedInt64Array": Packed(Int64, 1);
            PackedFloat32Array(value: Box<[f32]>) = "PackedFloat32Array": Packed(Float32, 1);
            PackedFloat64Array(value: Box<[f64]>) = "PackedFloat64Array": Packed(Float64, 1);
            PackedStringArray(value: Box<[Text]>) = "PackedStringArray": Other,
                "without the NUL that the wire adds to each string";
            PackedVector2Array(value: PackedReals<2>) = "PackedVector2Array": Packed(Real, 2);
            PackedVector3Array(value: PackedReals<3>) = "PackedVector3Array": Packed(Real, 3);
            PackedColorArray(value: Box<[Color]>) = "PackedColorArray": Packed(Float32, 4);
            PackedVector4Array(value: PackedReals<4>) = "PackedVector4Array": Packed(Real, 4), "since Godot 4.3";
            Image(value: Box<Image>) = "Image": Other, "only in Godot 2";
            InputEvent(value: Box<InputEvent>) = "InputEvent": Other, "only in Godot 2";
            PackedVector2iArray(value: Box<[Vector2i]>) = "PackedVector2iArray": Packed(Int32, 2),
                "`PoolVector2iArray` of Pandemonium";
            PackedVector3iArray(value: Box<[Vector3i]>) = "PackedVector3iArray": Packed(Int32, 3),
                "`PoolVector3iArray` of Pandemonium";
            PackedVector4iArray(value: Box<[Vector4i]>) = "PackedVector4iArray": Packed(Int32, 4),
                "`PoolVector4iArray` of Pandemonium";
            TypedArray(value: Array) = "TypedArray": Container, "only in Pandemonium 5";
            PackedTypedArray(value: Array) = "PackedTypedArray": Container, "only in Pandemonium 5";
        }
    };
}
pub(crate) use with_types;

macro_rules! variant_types {
    ($($name:ident $(($value:ident: $content:ty))? = $text:literal: $shape:expr $(, $note:literal)?;)*) => {
        /// The type of a [`Variant`](crate::Variant), independent of the engine version.
        ///
        /// The id on the wire depends on the engine version: see [`Profile::type_id`](crate::Profile::type_id).
        ///
        /// ```
        /// use varbytes::{VariantType, variant};
        ///
        /// let value = variant!(vec![1.5f32]);
        /// assert_eq!(value.variant_type(), VariantType::PackedFloat32Array);
        /// assert_eq!(value.variant_type().to_string(), "PackedFloat32Array");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum VariantType {
            $(#[doc = concat!("`", $text, "`" $(, ": ", $note)?, ".")] $name,)*
        }

        impl VariantType {
            /// Every type of any engine: those of Godot 4 in its order, then the types of other engines.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the name that scripts print for the type, for example `"bool"` or `"PackedVector2Array"`.
            ///
            /// ```
            /// assert_eq!(varbytes::VariantType::Int.name(), "int");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Returns the type with this name, spelled exactly as [`name`](Self::name) returns it.
            ///
            /// ```
            /// use varbytes::VariantType;
            ///
            /// assert_eq!(VariantType::from_name("Vector2i"), Some(VariantType::Vector2i));
            /// assert_eq!(VariantType::from_name("vector2i"), None);
            /// ```
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

with_types! { variant_types }

impl VariantType {
    /// Returns the number of reals in a value of the type; 0 if it does not consist of reals.
    ///
    /// `Color` returns 0: its components have single precision in every build.
    ///
    /// ```
    /// use varbytes::VariantType;
    ///
    /// assert_eq!(VariantType::Transform3D.real_components(), 12);
    /// assert_eq!(VariantType::Vector3i.real_components(), 0);
    /// ```
    #[must_use]
    #[inline]
    pub const fn real_components(self) -> usize {
        match self.shape() {
            Fixed(Real, count) => count,
            _ => 0,
        }
    }

    /// Returns the number of 32-bit integers in a value of the type; 0 if it does not consist of them.
    ///
    /// ```
    /// use varbytes::VariantType;
    ///
    /// assert_eq!(VariantType::Vector3i.integer_components(), 3);
    /// ```
    #[must_use]
    #[inline]
    pub const fn integer_components(self) -> usize {
        match self.shape() {
            Fixed(Int32, count) => count,
            _ => 0,
        }
    }

    /// Returns the name after `a` or `an`.
    pub(crate) fn with_article(self) -> String {
        let article = if self.name().starts_with(['A', 'I', 'O', 'i']) { "an" } else { "a" };
        format!("{article} {self}")
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

    /// Returns whether Godot 4 has this packed array.
    pub(crate) const fn is_packed_in_godot_4(self) -> bool {
        Self::PackedByteArray as u8 <= self as u8 && self as u8 <= Self::PackedVector4Array as u8
    }

    /// Returns whether values of the type contain other values: `Array`, `Dictionary`, `Object`, and the typed arrays.
    ///
    /// ```
    /// use varbytes::VariantType;
    ///
    /// assert!(VariantType::Array.is_container() && !VariantType::PackedByteArray.is_container());
    /// ```
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
