//! Packets that are one common value: to set up the state of a reader or writer takes longer than to read or write it. Within
//! containers, the fast paths treat these values in the same way; the fuzz targets check that both agree.

use crate::float::{narrow_exactly, widen};
use crate::profile::PlainHeaders;
use crate::read::window::Window;
use crate::variant::ShortText;
use crate::wire::{FLAG_WIDE, WORD, padded};

/// Such a value.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Single<'a> {
    /// `null`.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `String` of ASCII without NUL.
    Ascii(&'a [u8]),
    /// `Vector2` with components of 4 bytes.
    Vector2([f32; 2]),
    /// `Vector3` with components of 4 bytes.
    Vector3([f32; 3]),
}

/// The bytes of `null`, a `bool`, an `int` or a `float`. They stay in registers.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct NumberBytes {
    first: u64,
    third: u32,
    length: usize,
}

impl NumberBytes {
    /// The number of bytes: 4, 8 or 12.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Copies the bytes to the start of a space, as far as they fit.
    #[doc(hidden)]
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

impl<'a> Single<'a> {
    /// Reads the value and returns the number of its bytes.
    #[inline(always)]
    pub(crate) fn read(bytes: &'a [u8], headers: &PlainHeaders) -> Option<(Self, usize)> {
        let window = Window::of(bytes, 0);
        let header = window.header();
        if header == headers.int && window.has(2 * WORD) {
            return Some((Self::Int(i64::from(window.payload().cast_signed())), 2 * WORD));
        }
        if header == headers.string {
            let rest = bytes.get(2 * WORD..)?;
            let text = match window.short_text().filter(ShortText::is_ascii_without_nul) {
                Some(short) => rest.get(..short.length)?,
                None => long_ascii(&window, rest)?,
            };
            return Some((Self::Ascii(text), 2 * WORD + padded(text.len())));
        }
        if header == headers.float && window.has(2 * WORD) {
            return Some((Self::Float(widen(f32::from_bits(window.payload()))), 2 * WORD));
        }
        if header == headers.bool && window.has(2 * WORD) {
            return Some((Self::Bool(window.payload() != 0), 2 * WORD));
        }
        if header == headers.nil && window.has(WORD) {
            return Some((Self::Nil, WORD));
        }
        if header == headers.vector3 && window.has(4 * WORD) {
            return Some((Self::Vector3(window.three().map(f32::from_bits)), 4 * WORD));
        }
        if header == headers.vector2 && window.has(3 * WORD) {
            let [x, y, _] = window.three().map(f32::from_bits);
            return Some((Self::Vector2([x, y]), 3 * WORD));
        }
        if !headers.has_wide || !window.has(3 * WORD) {
            return None;
        }
        if header == headers.float | FLAG_WIDE {
            return Some((Self::Float(f64::from_bits(window.wide())), 3 * WORD));
        }
        (header == headers.int | FLAG_WIDE).then(|| (Self::Int(window.wide().cast_signed()), 3 * WORD))
    }

    /// Returns the bytes of `null`, a `bool` or a number that the engine can store exactly.
    #[inline(always)]
    pub(crate) fn number_bytes(self, headers: &PlainHeaders) -> Option<NumberBytes> {
        let short = |header: u32, word: u32| NumberBytes {
            first: u64::from(header) | u64::from(word) << 32,
            third: 0,
            length: 2 * WORD,
        };
        let wide = |header: u32, bits: u64| NumberBytes {
            first: u64::from(header | FLAG_WIDE) | bits << 32,
            third: (bits >> 32) as u32,
            length: 3 * WORD,
        };
        match self {
            Self::Nil => Some(NumberBytes { first: headers.nil.into(), third: 0, length: WORD }),
            Self::Bool(value) => Some(short(headers.bool, value.into())),
            Self::Int(value) => match i32::try_from(value) {
                Ok(narrow) if headers.has_short_ints => Some(short(headers.int, narrow.cast_unsigned())),
                _ => headers.has_wide.then(|| wide(headers.int, value.cast_unsigned())),
            },
            Self::Float(value) => match narrow_exactly(value) {
                Some(narrow) => Some(short(headers.float, narrow.to_bits())),
                None => headers.has_wide.then(|| wide(headers.float, value.to_bits())),
            },
            Self::Ascii(_) | Self::Vector2(_) | Self::Vector3(_) => None,
        }
    }
}

#[inline(never)]
fn long_ascii<'a>(window: &Window, rest: &'a [u8]) -> Option<&'a [u8]> {
    let (text, is_ascii) = window.long_text(rest)?;
    is_ascii.then_some(text)
}
