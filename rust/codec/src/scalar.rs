//! `null`, `bool`, `int` and `float` as a whole packet: to set up the state of a reader or writer takes longer than to read or write
//! them. Within containers, the fast paths treat them in the same way; the fuzz targets check that both agree.

use crate::float::{narrow_exactly, widen};
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

/// The bytes of such a value. They stay in registers.
#[derive(Clone, Copy, Debug)]
pub struct ScalarBytes {
    first: u64,
    third: u32,
    length: usize,
}

impl ScalarBytes {
    /// The number of bytes: 4, 8 or 12.
    #[must_use]
    #[inline(always)]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Copies the bytes to the start of a space, as far as they fit.
    #[inline(always)]
    pub fn copy_to(&self, space: &mut [u8]) {
        if self.length == WORD {
            if let Some(place) = space.first_chunk_mut() {
                *place = ((self.first & 0xFFFF_FFFF) as u32).to_le_bytes();
            }
        } else if let Some((place, rest)) = space.split_first_chunk_mut() {
            *place = self.first.to_le_bytes();
            if let Some(place) = rest.first_chunk_mut().filter(|_| self.length == 3 * WORD) {
                *place = self.third.to_le_bytes();
            }
        }
    }
}

impl Scalar {
    /// Returns the bytes of the value, or `None` if the engine cannot store it exactly.
    #[inline(always)]
    pub(crate) fn bytes(self, headers: &PlainHeaders) -> Option<ScalarBytes> {
        let short = |header: u32, word: u32| ScalarBytes {
            first: u64::from(header) | u64::from(word) << 32,
            third: 0,
            length: 2 * WORD,
        };
        let wide = |header: u32, bits: u64| ScalarBytes {
            first: u64::from(header | FLAG_WIDE) | bits << 32,
            third: (bits >> 32) as u32,
            length: 3 * WORD,
        };
        match self {
            Self::Nil => Some(ScalarBytes { first: headers.nil.into(), third: 0, length: WORD }),
            Self::Bool(value) => Some(short(headers.bool, value.into())),
            Self::Int(value) => match i32::try_from(value) {
                Ok(narrow) if headers.has_short_ints => Some(short(headers.int, narrow.cast_unsigned())),
                _ => headers.has_wide.then(|| wide(headers.int, value.cast_unsigned())),
            },
            Self::Float(value) => match narrow_exactly(value) {
                Some(narrow) => Some(short(headers.float, narrow.to_bits())),
                None => headers.has_wide.then(|| wide(headers.float, value.to_bits())),
            },
        }
    }
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
