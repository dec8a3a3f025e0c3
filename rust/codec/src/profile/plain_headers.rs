//! The headers of the most common values.

use super::types::NO_ID;
use crate::VariantType;
use crate::wire::FLAG_WIDE;

/// The size in which `int` and `float` are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Always 4 bytes.
    Narrow,
    /// Ints always 8 bytes, floats as in `Shortest`.
    WideInts,
    /// 4 bytes if that is exact, otherwise 8.
    Shortest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainHeaders {
    pub(crate) nil: u32,
    pub(crate) bool: u32,
    pub(crate) int: u32,
    pub(crate) float: u32,
    pub(crate) string: u32,
    /// Not every engine has this type.
    pub(crate) string_name: Option<u32>,
    pub(crate) vector2: u32,
    pub(crate) vector3: u32,
    pub(crate) dictionary: u32,
    pub(crate) array: u32,
    /// Not every engine has this type.
    pub(crate) object: Option<u32>,
    /// Whether the engine supports 8-byte `int` and `float`.
    pub(crate) has_wide: bool,
    /// Whether it writes ints in 4 bytes if they fit.
    pub(crate) has_short_ints: bool,
}

impl PlainHeaders {
    /// Returns whether this is the header of a common value that contains no others, in either size.
    #[inline]
    pub(crate) fn may_be_plain(&self, header: u32) -> bool {
        let narrow = [self.nil, self.bool, self.int, self.float, self.string];
        narrow.contains(&(header & !FLAG_WIDE))
            || [self.vector2, self.vector3].contains(&header)
            || self.string_name == Some(header)
    }

    /// Returns whether a value with this header may be null, by its type alone.
    #[inline]
    #[cfg(feature = "serde")]
    pub(crate) fn may_be_null(&self, header: u32) -> bool {
        let id = header & crate::wire::TYPE_MASK;
        id == self.nil || Some(id) == self.object
    }

    pub(super) const fn new(ids: &[u8; VariantType::ALL.len()], numbers: Numbers) -> Self {
        Self {
            nil: header(ids, VariantType::Nil),
            bool: header(ids, VariantType::Bool),
            int: header(ids, VariantType::Int),
            float: header(ids, VariantType::Float),
            string: header(ids, VariantType::String),
            string_name: header_if_any(ids, VariantType::StringName),
            vector2: header(ids, VariantType::Vector2),
            vector3: header(ids, VariantType::Vector3),
            dictionary: header(ids, VariantType::Dictionary),
            array: header(ids, VariantType::Array),
            object: header_if_any(ids, VariantType::Object),
            has_wide: !matches!(numbers, Numbers::Narrow),
            has_short_ints: !matches!(numbers, Numbers::WideInts),
        }
    }
}

const fn header(ids: &[u8; VariantType::ALL.len()], variant_type: VariantType) -> u32 {
    header_if_any(ids, variant_type).expect("every engine has the plain types")
}

/// Returns the header of a type, if the engine has it.
const fn header_if_any(ids: &[u8; VariantType::ALL.len()], variant_type: VariantType) -> Option<u32> {
    match ids[variant_type as usize] {
        NO_ID => None,
        id => Some(id as u32),
    }
}
