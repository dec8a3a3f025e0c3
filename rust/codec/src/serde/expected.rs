//! Text that is probably one of the names that a type expects, such as the key of a field.

use core::slice;

use crate::build::builder::Builder;
use crate::read::window::{Alphabet, alphabet};
use crate::serde::leaves::Leaves;
use crate::serde::reader::{SHORT_NAME, State, ValueReader};
use crate::variant::{HIGHEST_BITS, ONES};
use crate::wire::{BYTE_ORDER_MARK, WORD, little_endian_words, padded};

/// Names that the next key may have.
pub(super) type Names = slice::Iter<'static, &'static str>;

/// The number of names that the next text is compared with.
const EXPECTED_NAMES: usize = 8;

/// Returns whether the input begins with this name as a `String`, with its padding, and the name is read unchanged: it has
/// no NUL and no byte order mark. A short name is found only if the bytes of the shortest value after it exist too.
#[inline(always)]
fn begins_with(rest: &[u8], name: &str, string_header: u32, string_limit: usize) -> Option<bool> {
    const TEXT: usize = 2 * WORD;
    let (name, length) = (name.as_bytes(), name.len());
    let near: &[u8; 16] = rest.first_chunk()?;
    let [head, text] = little_endian_words(near);
    if head != (length as u64) << 32 | u64::from(string_header) {
        return None;
    }
    let is_ascii = match length {
        0..4 => {
            let (word, mask) = match *name {
                [first] => ([first, 0, 0, 0], 0xFF),
                [first, second] => ([first, second, 0, 0], 0xFFFF),
                [first, second, third] => ([first, second, third, 0], 0xFF_FFFF),
                _ => return None,
            };
            let filler = ONES & !mask;
            are_same([text & mask | filler], [u64::from(u32::from_le_bytes(word)) | filler])?
        }
        4..=8 => are_same([pair(near, TEXT, length)], [pair(name, 0, length)])?,
        9..=SHORT_NAME => {
            let far: &[u8; TEXT + SHORT_NAME] = rest.first_chunk()?;
            let ends = |bytes, start| [chunk(bytes, start), chunk(bytes, start + length - 8)].map(u64::from_le_bytes);
            are_same(ends(far, TEXT), ends(name, 0))?
        }
        _ => {
            let is_same = length <= string_limit && rest.get(TEXT..TEXT + padded(length))?.starts_with(name);
            if is_same { false } else { return None }
        }
    };
    Some(is_ascii || is_unchanged(name))
}

/// Returns whether words that are equal are ASCII without NUL, or `None` if they are not equal.
#[inline(always)]
fn are_same<const N: usize>(found: [u64; N], expected: [u64; N]) -> Option<bool> {
    (found == expected).then(|| found.iter().all(|word| (word.wrapping_sub(ONES) | word) & HIGHEST_BITS == 0))
}

/// Returns the first and the last four of `length` bytes, which may overlap.
#[inline(always)]
fn pair(bytes: &[u8], start: usize, length: usize) -> u64 {
    let [first, last] = [chunk(bytes, start), chunk(bytes, start + length - 4)].map(u32::from_le_bytes);
    u64::from(first) | u64::from(last) << 32
}

/// Returns the `N` bytes at a position, which exist.
#[inline(always)]
fn chunk<const N: usize>(bytes: &[u8], start: usize) -> [u8; N] {
    let mut chunk = [0; N];
    chunk.copy_from_slice(&bytes[start..start + N]);
    chunk
}

/// Returns whether text that may have other characters is read unchanged.
#[inline(never)]
fn is_unchanged(text: &[u8]) -> bool {
    alphabet(text) != Alphabet::WithNul && !text.starts_with(BYTE_ORDER_MARK)
}

impl<'t, M> ValueReader<'t, '_, M> {
    /// Reads the text at `state` if it is the first of the expected names, which is removed.
    #[inline(always)]
    pub(super) fn take_first_name(&self, names: &mut Names, state: &mut State) -> Option<&'static str> {
        let mut rest = names.clone();
        let name = rest.next()?;
        self.take_expected(name, state)?;
        *names = rest;
        Some(name)
    }

    /// Reads the next value if it is a `String` in the usual form. Returns it, and the expected names without those up to
    /// it.
    #[inline(never)]
    pub(super) fn take_other_name(&mut self, names: Names) -> (Option<&'t str>, Names) {
        let announced = self.two_words().map(|(_, announced)| announced as usize);
        let mut state = self.state();
        for (index, name) in names.as_slice().iter().enumerate().take(EXPECTED_NAMES).skip(1) {
            if announced == Some(name.len()) && self.take_expected(name, &mut state).is_some() {
                self.set_state(state);
                return (Some(name), names.as_slice().get(index + 1..).unwrap_or_default().iter());
            }
        }
        (self.take_text(), names)
    }

    /// Reads the text at `state` if it is this name. It needs no check then.
    #[inline(always)]
    pub(super) fn take_expected(&self, name: &str, state: &mut State) -> Option<()> {
        let rest = self.bytes.get(state.position..)?;
        let (header, limit) = (self.input.plain_headers.string, self.input.options.limits.string_length);
        if begins_with(rest, name, header, limit) != Some(true) {
            return None;
        }
        state.memory = state.memory.checked_sub(Leaves::COSTS.text(name.len()) + Leaves::COSTS.string)?;
        state.position += 2 * WORD + padded(name.len());
        Some(())
    }
}
