//! Text that is short enough to be kept in a value, in three words.

use crate::wire::little_endian_words;

/// The most bytes of UTF-8 that a value keeps itself. Longer text is on the heap; keys and names seldom are longer.
pub(crate) const IN_PLACE: usize = 22;

/// The bits of text of each length that a value keeps itself.
const MASKS: [[u64; 3]; IN_PLACE + 1] = {
    let mut masks = [[0; 3]; IN_PLACE + 1];
    let mut length = 0;
    while length <= IN_PLACE {
        let mut byte = 0;
        while byte < length {
            masks[length][byte / 8] |= 0xFF << (byte % 8 * 8);
            byte += 1;
        }
        length += 1;
    }
    masks
};

/// Text that a value keeps itself: its bytes from the lowest of the first word on, zeroes after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortText {
    pub(crate) length: usize,
    pub(crate) words: [u64; 3],
}

impl ShortText {
    /// The text of `length` bytes that the words begin with, where it is short enough.
    #[inline(always)]
    pub(crate) fn in_words(length: usize, words: [u64; 3]) -> Option<Self> {
        let [first, second, third] = MASKS.get(length)?;
        Some(Self { length, words: [words[0] & first, words[1] & second, words[2] & third] })
    }

    /// The same of bytes that are at hand, where they are few enough.
    #[inline]
    pub(crate) fn of(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; 24];
        if text.len() > IN_PLACE {
            return None;
        }
        bytes[..text.len()].copy_from_slice(text);
        Some(Self { length: text.len(), words: little_endian_words(&bytes) })
    }

    /// Whether it is of the kind that keys are made of.
    #[inline(always)]
    pub(crate) fn is_ascii_without_nul(&self) -> bool {
        // Zeroes behind the text are no NUL of it.
        let [first, second, third] = MASKS[self.length];
        let [a, b, c] = self.words;
        odd(a | ONES & !first) | odd(b | ONES & !second) | odd(c | ONES & !third) == 0
    }
}

pub(crate) const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
pub(crate) const HIGHEST_BITS: u64 = ONES << 7;

/// Not 0 where a byte is, or is none of ASCII.
#[inline(always)]
const fn odd(word: u64) -> u64 {
    // From a byte of 0 the subtraction borrows, and leaves its highest bit set.
    (word.wrapping_sub(ONES) | word) & HIGHEST_BITS
}
