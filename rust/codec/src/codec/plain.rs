//! The headers of the values that most packets are made of.

use crate::profile::Numbers;
use crate::{Profile, VariantType};

/// The header words of plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainHeaders {
    pub(super) nil: u32,
    pub(super) bool: u32,
    pub(super) int: u32,
    pub(super) float: u32,
    pub(super) string: u32,
    pub(super) vector2: u32,
    pub(super) vector3: u32,
    pub(super) dictionary: u32,
    pub(super) array: u32,
    /// Whether the engine has the wide forms of `int` and `float`.
    pub(super) has_wide: bool,
    /// Whether it writes short ints as such.
    pub(super) has_short_ints: bool,
}

impl PlainHeaders {
    pub(crate) fn of(profile: Profile) -> Self {
        // Every engine has these types; without one, no header would be all ones either.
        let header = |variant_type| profile.type_id(variant_type).map_or(u32::MAX, u32::from);
        Self {
            nil: header(VariantType::Nil),
            bool: header(VariantType::Bool),
            int: header(VariantType::Int),
            float: header(VariantType::Float),
            string: header(VariantType::String),
            vector2: header(VariantType::Vector2),
            vector3: header(VariantType::Vector3),
            dictionary: header(VariantType::Dictionary),
            array: header(VariantType::Array),
            has_wide: profile.numbers() != Numbers::Narrow,
            has_short_ints: profile.numbers() != Numbers::WideInts,
        }
    }
}
