//! Names of newtype structs by which a value that serde's data model lacks passes through serde. Other formats ignore
//! them. RON refuses names that are not identifiers.

use crate::VariantType;
use crate::variant_type::with_types;

const PREFIX: &str = "__varbytes_";

/// The name of a [`Variant`](crate::Variant) of any type.
pub(super) const VARIANT: &str = "__varbytes_Variant";

/// The name of a full object: its class and its properties.
pub(super) const OBJECT: &str = "__varbytes_FullObject";

const TYPED: &str = "__varbytes_typed_";

/// The name of a typed container with members of a class. The name of the newtype struct in it is the class.
pub(super) const TYPED_CLASS: &str = "__varbytes_typed_class";

/// What a typed container declares for its members.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    /// The type; `Nil` for any.
    pub(super) variant_type: VariantType,
    /// The class, or the path of a script. Empty until its name follows.
    pub(super) class: Option<&'static str>,
}

macro_rules! names {
    ($($name:ident $(($value:ident: $content:ty))? = $text:literal: $shape:expr $(, $note:literal)?;)*) => {
        /// Returns the name of a type.
        pub(super) const fn of(variant_type: VariantType) -> &'static str {
            match variant_type {
                $(VariantType::$name => concat!("__varbytes_", $text),)*
            }
        }

        /// Returns the name of a typed container with members of a type.
        pub(super) const fn typed_member(variant_type: VariantType) -> &'static str {
            match variant_type {
                $(VariantType::$name => concat!("__varbytes_typed_", $text),)*
            }
        }
    };
}
with_types! { names }

/// Returns the type with this name.
#[inline]
pub(super) fn type_of(name: &str) -> Option<VariantType> {
    VariantType::from_name(name.strip_prefix(PREFIX)?)
}

/// Returns what a typed container with this name declares.
#[inline]
pub(super) fn typed_of(name: &str) -> Option<Declared> {
    let declared = name.strip_prefix(TYPED)?;
    if name == TYPED_CLASS {
        return Some(Declared { variant_type: VariantType::Object, class: Some("") });
    }
    Some(Declared { variant_type: VariantType::from_name(declared)?, class: None })
}

/// Returns the type of one of glam's tuple structs, given its name and the number of its fields.
#[inline]
pub(super) fn glam_type(name: &str, fields: usize) -> Option<VariantType> {
    Some(match (name, fields) {
        ("Vec2" | "DVec2", 2) => VariantType::Vector2,
        ("Vec3" | "Vec3A" | "DVec3", 3) => VariantType::Vector3,
        ("Vec4" | "DVec4", 4) => VariantType::Vector4,
        ("IVec2", 2) => VariantType::Vector2i,
        ("IVec3", 3) => VariantType::Vector3i,
        ("IVec4", 4) => VariantType::Vector4i,
        ("Quat" | "DQuat", 4) => VariantType::Quaternion,
        ("Affine2" | "DAffine2", 6) => VariantType::Transform2D,
        ("Mat3" | "Mat3A" | "DMat3", 9) => VariantType::Basis,
        ("Affine3A" | "DAffine3", 12) => VariantType::Transform3D,
        ("Mat4" | "DMat4", 16) => VariantType::Projection,
        _ => return None,
    })
}

/// Swaps the rows and columns of the matrix at the start of a `Basis` or `Transform3D`, which glam has column by column.
/// The other types have the same order in both.
pub(super) fn transpose<T>(variant_type: VariantType, components: &mut [T]) {
    if let (VariantType::Basis | VariantType::Transform3D, [_, b, c, d, _, f, g, h, _, ..]) = (variant_type, components)
    {
        core::mem::swap(b, d);
        core::mem::swap(c, g);
        core::mem::swap(f, h);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_identifier() {
        let types = VariantType::ALL.iter().flat_map(|variant_type| [of(*variant_type), typed_member(*variant_type)]);
        for name in types.chain([VARIANT, OBJECT, TYPED_CLASS]) {
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{name}");
        }
    }

    #[test]
    fn names_are_found_again() {
        for variant_type in VariantType::ALL {
            assert_eq!(type_of(of(*variant_type)), Some(*variant_type));
            assert_eq!(type_of(typed_member(*variant_type)), None);
            assert_eq!(typed_of(typed_member(*variant_type)).map(|found| found.variant_type), Some(*variant_type));
        }
    }
}
