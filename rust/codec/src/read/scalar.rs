//! `null`, `bool`, `int` and `float` as a whole packet: to set up the state of the reader takes longer than to read them. The
//! fast path reads them in the same way within containers; the property `paths` of the fuzz targets checks that both agree.

use crate::float::widen;
use crate::profile::PlainHeaders;
use crate::read::window::Window;
use crate::wire::{FLAG_WIDE, WORD};

/// A value of one of these types.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    /// `null`.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
}

impl Window {
    /// Returns the next value if it is one of these types, and the number of its words.
    #[inline(always)]
    pub(crate) fn scalar(&self, headers: &PlainHeaders) -> Option<(Scalar, usize)> {
        let header = self.header();
        let is_short = self.has(2 * WORD);
        if header == headers.int && is_short {
            return Some((Scalar::Int(i64::from(self.payload().cast_signed())), 2));
        }
        if header == headers.float && is_short {
            return Some((Scalar::Float(widen(f32::from_bits(self.payload()))), 2));
        }
        if header == headers.bool && is_short {
            return Some((Scalar::Bool(self.payload() != 0), 2));
        }
        if header == headers.nil && self.has(WORD) {
            return Some((Scalar::Nil, 1));
        }
        if !headers.has_wide || !self.has(3 * WORD) {
            return None;
        }
        if header == headers.float | FLAG_WIDE {
            return Some((Scalar::Float(f64::from_bits(self.wide())), 3));
        }
        if header == headers.int | FLAG_WIDE {
            return Some((Scalar::Int(self.wide().cast_signed()), 3));
        }
        None
    }
}
