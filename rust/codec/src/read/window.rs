//! A fixed-size window of the next bytes of a packet, which is loaded at once.

use crate::variant::{HIGHEST_BITS, ONES, ShortText};
use crate::wire::{BYTE_ORDER_MARK, WORD, little_endian_words, padded};
use crate::work;

/// The size of the window: a header, a length, and text that fits in inline storage, with its padding.
const WINDOW: usize = 32;

/// The next 32 bytes of the input, with zeroes after its end. All values of the fast path fit, except longer text.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    words: [u64; WINDOW / 8],
    /// The number of bytes until the end of the input.
    available: usize,
}

impl Window {
    /// Loads the window at a position of `input`.
    #[inline(always)]
    pub(crate) fn of(input: &[u8], position: usize) -> Self {
        let rest = input.get(position..).unwrap_or_default();
        let words = match rest.first_chunk::<WINDOW>() {
            Some(bytes) => little_endian_words(bytes),
            None => [word_at(rest, 0), word_at(rest, 8), word_at(rest, 16), word_at(rest, 24)],
        };
        Self { words, available: rest.len() }
    }

    /// Returns whether the input has `count` more bytes.
    #[inline(always)]
    pub(crate) const fn has(&self, count: usize) -> bool {
        count <= self.available
    }

    #[inline(always)]
    pub(crate) const fn header(&self) -> u32 {
        (self.words[0] & 0xFFFF_FFFF) as u32
    }

    /// Returns whether two nulls follow, or one and nothing or zeroes.
    #[inline(always)]
    pub(crate) const fn may_be_nulls(&self) -> bool {
        self.words[0] == 0
    }

    #[inline(always)]
    pub(crate) const fn payload(&self) -> u32 {
        (self.words[0] >> 32) as u32
    }

    /// Returns the eight bytes after the first word.
    #[inline(always)]
    pub(crate) const fn wide(&self) -> u64 {
        self.words[0] >> 32 | self.words[1] << 32
    }

    /// Returns the eight bytes after the first three words.
    #[inline(always)]
    pub(crate) const fn last(&self) -> u64 {
        self.words[1] >> 32 | self.words[2] << 32
    }

    /// Returns the three words after the first.
    #[inline(always)]
    pub(crate) const fn three(&self) -> [u32; 3] {
        [self.payload(), (self.words[1] & 0xFFFF_FFFF) as u32, (self.words[1] >> 32) as u32]
    }

    /// Returns the text after a header and a length, if it fits in inline storage and is complete with its padding.
    #[inline(always)]
    pub(crate) fn short_text(&self) -> Option<ShortText> {
        let length = self.payload() as usize;
        let [_, first, second, third] = self.words;
        let text = ShortText::in_words(length, [first, second, third])?;
        self.has(2 * WORD + padded(length)).then_some(text)
    }

    /// Returns the bytes of the text after a header and a length, if it is complete and has no NUL or byte order mark, and whether
    /// it is ASCII. `rest` is the input after the length.
    #[inline(always)]
    pub(crate) fn long_text<'a>(&self, rest: &'a [u8]) -> Option<(&'a [u8], bool)> {
        let length = usize::try_from(self.payload().cast_signed()).ok()?;
        let bytes = rest.get(..length).filter(|_| self.has(2 * WORD + padded(length)))?;
        work::add_bytes(bytes.len());
        match alphabet(bytes) {
            Alphabet::Ascii => Some((bytes, true)),
            Alphabet::Other if !bytes.starts_with(BYTE_ORDER_MARK) => Some((bytes, false)),
            Alphabet::Other | Alphabet::WithNul => None,
        }
    }
}

/// Returns the eight bytes at a position, with zeroes after the end of the input. They are not copied to memory first, because
/// they could not be loaded from there until the copies have ended.
#[inline(always)]
fn word_at(input: &[u8], position: usize) -> u64 {
    let rest = input.get(position..).unwrap_or_default();
    if let Some(word) = rest.first_chunk() {
        return u64::from_le_bytes(*word);
    }
    match rest.split_first_chunk() {
        Some((low, high)) => u64::from(u32::from_le_bytes(*low)) | up_to_three_bytes(high) << 32,
        None => up_to_three_bytes(rest),
    }
}

#[inline(always)]
fn up_to_three_bytes(bytes: &[u8]) -> u64 {
    // Nearly every value ends at a multiple of four.
    if bytes.is_empty() { 0 } else { bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// ASCII without NUL.
    Ascii,
    /// Other bytes, without NUL.
    Other,
    /// The text contains a NUL.
    WithNul,
}

/// Classifies text, eight bytes at a time. Most text is short.
#[inline(always)]
pub(crate) fn alphabet(bytes: &[u8]) -> Alphabet {
    // Bytes may be read twice. Shorter text is filled up with bytes that do not matter.
    let (mut high, mut nul) = (0, 0);
    let mut add = |word: u64| {
        high |= word;
        nul |= nul_in(word);
    };
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        add(u64::from_le_bytes(*first));
        add(u64::from_le_bytes(*last));
        if bytes.len() > 16 {
            let (words, _) = bytes.as_chunks();
            words.iter().skip(1).for_each(|word| add(u64::from_le_bytes(*word)));
        }
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        add(u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)));
    } else {
        add(bytes.iter().fold(ONES, |word, byte| word << 8 | u64::from(*byte)));
    }
    if nul & HIGHEST_BITS != 0 {
        Alphabet::WithNul
    } else if high & HIGHEST_BITS != 0 {
        Alphabet::Other
    } else {
        Alphabet::Ascii
    }
}

/// Returns a word whose highest bits show whether a byte is 0. The subtraction borrows for such a byte and sets its
/// highest bit.
#[inline(always)]
pub(crate) const fn nul_in(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::INLINE;
    use crate::wire::padding;
    use alloc::vec::Vec;

    #[test]
    fn every_byte_at_every_position_is_classified() {
        for length in 1..=26 {
            for place in 0..length {
                for byte in 0..=u8::MAX {
                    let mut text = [b'k'; 26];
                    text[place] = byte;
                    let text = &text[..length];
                    let expected = match byte {
                        0 => Alphabet::WithNul,
                        1..0x80 => Alphabet::Ascii,
                        0x80.. => Alphabet::Other,
                    };
                    assert_eq!(alphabet(text), expected, "{byte} at {place} of {length}");
                    if let Some(short) = ShortText::of(text) {
                        let is_ascii = short.is_ascii_without_nul();
                        assert_eq!(is_ascii, expected == Alphabet::Ascii, "{byte} at {place} of {length}");
                    }
                }
            }
        }
        assert!(alphabet(b"") == Alphabet::Ascii && ShortText::of(b"").unwrap().is_ascii_without_nul());
        assert_eq!(alphabet("\0größe".as_bytes()), Alphabet::WithNul);
        assert_eq!(alphabet("\u{1}\u{80}größe".as_bytes()), Alphabet::Other);
    }

    #[test]
    fn zeroes_follow_the_end_of_the_input() {
        let input: Vec<u8> = (1..=80).collect();
        for length in 0..=input.len() {
            for position in 0..=length {
                let mut bytes = input[position..length].to_vec();
                let available = bytes.len();
                bytes.resize(bytes.len().max(WINDOW), 0);
                let expected = little_endian_words(bytes.first_chunk::<WINDOW>().unwrap());
                let window = Window::of(&input[..length], position);
                assert_eq!((window.words, window.available), (expected, available), "{length}, {position}");
            }
        }
    }

    #[test]
    fn short_text_is_the_same_wherever_the_input_ends() {
        for length in 0..=INLINE {
            let text = &b"abcdefghijklmnopqrstuvwxyz"[..length];
            let mut packet = [&[4, 0, 0, 0, 0, 0, 0, 0], text, &[0; 4][..padding(length)]].concat();
            packet[4] = u8::try_from(length).unwrap();
            for after in 0..30 {
                let input = [&packet[..], &[0xFF; 30][..after]].concat();
                assert_eq!(Window::of(&input, 0).short_text(), ShortText::of(text), "{length}, {after}");
            }
            for missing in 1..=packet.len() - 8 {
                assert_eq!(Window::of(&packet[..packet.len() - missing], 0).short_text(), None);
            }
            for before in 1..40 {
                let input = [&[0xFF; 40][..before], &packet].concat();
                assert_eq!(Window::of(&input, before).short_text(), ShortText::of(text), "{length}, {before}");
                assert_eq!(Window::of(&input, input.len()).words, [0; 4]);
            }
        }
    }
}
