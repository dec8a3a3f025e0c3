//! The hash that finds duplicate dictionary keys.
//!
//! Keys come from untrusted input, so the hash starts from a seed that the sender cannot know. Otherwise a packet could
//! contain many colliding keys and take quadratic time to read.

use super::short_text::ShortText;
use crate::work;

/// A running hash of words and bytes: one folded 128-bit multiplication for each word.
#[derive(Clone)]
pub(crate) struct Hash(u64);

/// The fractional digits of the golden ratio: an odd number without structure.
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Marks text: the fractional digits of pi, a number without structure.
const TEXT: u64 = 0x243F_6A88_85A3_08D3;

impl Hash {
    #[inline]
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    pub(crate) fn word(&mut self, word: u64) {
        self.fold(self.0 ^ word, MULTIPLIER ^ self.0.rotate_left(32) | 1);
    }

    /// Adds two words with one multiplication.
    #[inline]
    fn pair(&mut self, first: u64, second: u64) {
        self.fold(self.0 ^ first, MULTIPLIER ^ self.0.rotate_left(32) ^ second);
    }

    #[inline]
    fn fold(&mut self, first: u64, second: u64) {
        work::add(1);
        let product = u128::from(first) * u128::from(second);
        #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
        let folded = (product >> 64) as u64 ^ product as u64;
        self.0 = folded.wrapping_add(MULTIPLIER);
    }

    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        // At most seven bytes, with their number in the eighth: no other bytes produce the same words.
        let last = rest.iter().rev().fold(rest.len() as u64, |last, byte| last << 8 | u64::from(*byte));
        self.word(last);
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &[u8]) {
        match ShortText::of(text) {
            Some(short) => self.short_text(short),
            None => {
                self.word(TEXT);
                self.bytes(text);
            }
        }
    }

    /// Adds text that is stored in words.
    #[inline]
    pub(crate) fn short_text(&mut self, text: ShortText) {
        let [first, second, third] = text.words;
        self.pair(first, second);
        // The highest bytes of the third word are unused.
        self.word(third ^ TEXT ^ (text.length as u64) << 56);
    }

    #[inline]
    pub(crate) fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns a number that differs between runs. It never leaves this crate, so one number for each run is enough.
#[cfg(feature = "std")]
pub(crate) fn seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    use std::sync::OnceLock;

    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| RandomState::new().hash_one(TEXT))
}

/// Returns a number that differs between runs.
///
/// Without the standard library there is no source of randomness. This function uses the address of the stack instead,
/// which the system randomizes if it can.
#[cfg(not(feature = "std"))]
pub(crate) fn seed() -> u64 {
    let local = 0u8;
    let mut hash = Hash::new(MULTIPLIER);
    hash.word((&raw const local).addr() as u64);
    hash.finish()
}
