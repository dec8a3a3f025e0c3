//! The quick way for the values that most packets are made of.

use super::Builder;
use super::convert::{Fit, Member};
use super::cursor::Cursor;
use crate::float::widen;
use crate::wire::{BYTE_ORDER_MARK, FLAG_WIDE, WORD, padding};
use crate::{Profile, VariantType};

/// What reading a plain value touches, apart from the stack of open containers.
pub(super) struct Plain<'r, 'a, B> {
    pub(super) cursor: &'r mut Cursor<'a>,
    pub(super) builder: &'r mut B,
    pub(super) memory: &'r mut usize,
    pub(super) last_text: &'r mut &'a str,
    pub(super) longest: usize,
    pub(super) headers: PlainHeaders,
}

/// The header words of plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainHeaders {
    int: u32,
    float: u32,
    string: u32,
}

impl PlainHeaders {
    pub(crate) fn of(profile: Profile) -> Self {
        // Every engine has these types; without one, no header would be all ones either.
        let header = |variant_type| profile.type_id(variant_type).map_or(u32::MAX, u32::from);
        Self { int: header(VariantType::Int), float: header(VariantType::Float), string: header(VariantType::String) }
    }
}

impl<'a, B: Builder<'a>> Plain<'_, 'a, B> {
    /// The next value, where it is plain and fits; nothing is read otherwise.
    #[inline(always)]
    pub(super) fn read(&mut self, member: Member) -> Option<B::Value> {
        let (header, payload) = self.cursor.peek_value()?;
        let fits = |variant_type| member == Member::Any || member.fit(variant_type, false) == Fit::Fits;
        if header == self.headers.int && fits(VariantType::Int) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.int(i64::from(payload.cast_signed())));
        }
        if header == self.headers.string && fits(VariantType::String) {
            let text = self.text(payload)?;
            *self.last_text = text;
            return Some(self.builder.string(text));
        }
        if header == self.headers.float && fits(VariantType::Float) {
            self.cursor.advance(2 * WORD);
            return Some(self.builder.float(widen(f32::from_bits(payload))));
        }
        if header == self.headers.float | FLAG_WIDE && fits(VariantType::Float) {
            let wide = self.cursor.peek_wide()?;
            self.cursor.advance(3 * WORD);
            return Some(self.builder.float(f64::from_bits(wide)));
        }
        if header == self.headers.int | FLAG_WIDE && fits(VariantType::Int) {
            let wide = self.cursor.peek_wide()?;
            self.cursor.advance(3 * WORD);
            return Some(self.builder.int(wide.cast_signed()));
        }
        None
    }

    /// Ordinary text of that length: all there, within the limits, UTF-8, and taken as it stands.
    #[inline]
    fn text(&mut self, length: u32) -> Option<&'a str> {
        let length = usize::try_from(length.cast_signed()).ok()?;
        let memory_left = self.memory.checked_sub(length).filter(|_| length <= self.longest)?;
        let bytes = self.cursor.peek_at(2 * WORD, length, padding(length))?;
        // One pass tells ASCII without NUL, which is what keys are made of.
        let text = if bytes.iter().all(|byte| byte.wrapping_sub(1) < 0x7F) {
            core::str::from_utf8(bytes).ok()?
        } else {
            if bytes.contains(&0) || bytes.starts_with(BYTE_ORDER_MARK) {
                return None;
            }
            core::str::from_utf8(bytes).ok()?
        };
        *self.memory = memory_left;
        self.cursor.advance(2 * WORD + length + padding(length));
        Some(text)
    }
}
