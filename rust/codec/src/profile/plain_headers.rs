//! The headers of the most common values.

use super::types::NO_ID;
use super::{Numbers, Rules};
use crate::VariantType;
use crate::wire::FLAG_WIDE;

/// The header words of common values in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainHeaders {
    pub(crate) nil: u32,
    pub(crate) bool: u32,
    pub(crate) int: u32,
    pub(crate) float: u32,
    pub(crate) string: u32,
    pub(crate) vector2: u32,
    pub(crate) vector3: u32,
    pub(crate) dictionary: u32,
    pub(crate) array: u32,
    /// Whether the engine supports 8-byte `int` and `float`.
    pub(crate) has_wide: bool,
    /// Whether it writes ints in 4 bytes if they fit.
    pub(crate) has_short_ints: bool,
}

impl PlainHeaders {
    /// Headers of a row whose ids are not computed yet.
    pub(super) const NONE: Self = Self {
        nil: 0,
        bool: 0,
        int: 0,
        float: 0,
        string: 0,
        vector2: 0,
        vector3: 0,
        dictionary: 0,
        array: 0,
        has_wide: false,
        has_short_ints: false,
    };

    /// Returns whether this is the header of a common value that contains no others, in either size.
    #[inline]
    pub(crate) fn may_be_plain(&self, header: u32) -> bool {
        let narrow = [self.nil, self.bool, self.int, self.float, self.string];
        narrow.contains(&(header & !FLAG_WIDE)) || header == self.vector2 || header == self.vector3
    }

    pub(super) const fn of(rules: &Rules) -> Self {
        Self {
            nil: header(rules, VariantType::Nil),
            bool: header(rules, VariantType::Bool),
            int: header(rules, VariantType::Int),
            float: header(rules, VariantType::Float),
            string: header(rules, VariantType::String),
            vector2: header(rules, VariantType::Vector2),
            vector3: header(rules, VariantType::Vector3),
            dictionary: header(rules, VariantType::Dictionary),
            array: header(rules, VariantType::Array),
            has_wide: !matches!(rules.numbers, Numbers::Narrow),
            has_short_ints: !matches!(rules.numbers, Numbers::WideInts),
        }
    }
}

const fn header(rules: &Rules, variant_type: VariantType) -> u32 {
    let id = rules.ids[variant_type as usize];
    assert!(id != NO_ID, "every engine has the plain types");
    id as u32
}
