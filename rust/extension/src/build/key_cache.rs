//! Dictionary keys that repeat, in a packet or from one packet to the next.

use crate::raw::{self, Kept, NewValue, SharedString, Taken};

/// The number of keys that are known; a power of two.
const PLACES: usize = 256;
/// The longest key in bytes that is known.
const LONGEST: usize = 24;
/// How many misses are allowed in a packet, and how many more for each hit, before its keys are no longer looked up.
const FIRST_MISSES: u32 = 256;
const MISSES_PER_HIT: u32 = 4;

/// The keys that all packets share.
static SHARED: Kept<KnownKeys> = Kept::new();

/// Finds the keys of a packet by their text.
pub(crate) struct KeyCache {
    /// `None` until the first short key.
    known: Option<Taken<KnownKeys>>,
    /// Whether the next value is a key.
    is_key: bool,
    misses_left: u32,
}

impl KeyCache {
    pub(crate) const EMPTY: Self = Self { known: None, is_key: false, misses_left: FIRST_MISSES };

    #[inline]
    pub(crate) fn begin_entry(&mut self) {
        self.is_key = true;
    }

    /// Returns the String. It is a key if an entry has begun and no String has followed since.
    #[inline]
    pub(crate) fn string(&mut self, text: &str) -> NewValue {
        if text.is_ascii() {
            return self.ascii_string(text.as_bytes());
        }
        self.is_key = false;
        raw::string(text)
    }

    /// Returns a String of UTF-8 that is not ASCII, or `None` if the bytes are not UTF-8.
    #[inline]
    pub(crate) fn string_of_utf8(&mut self, text: &[u8]) -> Option<NewValue> {
        self.is_key = false;
        raw::string_of_utf8(text)
    }

    /// Returns a String of ASCII text without NUL, as [`string`](Self::string) does.
    #[inline]
    pub(crate) fn ascii_string(&mut self, text: &[u8]) -> NewValue {
        if self.is_key {
            self.is_key = false;
            if text.len() <= LONGEST && self.misses_left > 0 {
                return self.key(text);
            }
        }
        raw::string_of_ascii(text)
    }

    #[inline]
    fn key(&mut self, text: &[u8]) -> NewValue {
        let known = self.known.get_or_insert_with(|| SHARED.take_or(KnownKeys::none));
        let text_of_key = ShortText::of(text);
        let key = &mut known.0[text_of_key.place()];
        if key.text == text_of_key {
            if let Some(string) = &key.string {
                self.misses_left = self.misses_left.saturating_add(MISSES_PER_HIT);
                return string.value();
            }
            self.misses_left -= 1;
            return key.string.insert(SharedString::of_ascii(text)).value();
        }
        self.misses_left -= 1;
        *key = KnownKey { text: text_of_key, string: None };
        raw::string_of_ascii(text)
    }

    /// Returns the keys to those that all packets share.
    #[inline]
    pub(crate) fn finish(&mut self) {
        self.known = None;
    }
}

impl Drop for KeyCache {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The last key in each place.
struct KnownKeys([KnownKey; PLACES]);

impl KnownKeys {
    #[cold]
    const fn none() -> Self {
        Self([const { KnownKey { text: ShortText::EMPTY, string: None } }; PLACES])
    }
}

struct KnownKey {
    text: ShortText,
    /// `None` until the key has repeated.
    string: Option<SharedString>,
}

/// A text of at most [`LONGEST`] bytes.
#[derive(PartialEq, Eq)]
struct ShortText {
    length: usize,
    /// The first bytes, those in the middle and the last ones. They overlap in a text of less than 24 bytes.
    words: [u64; 3],
}

impl ShortText {
    const EMPTY: Self = Self { length: 0, words: [0; 3] };

    #[inline(always)]
    fn of(text: &[u8]) -> Self {
        let words = match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
            (Some(first), Some(last)) => {
                let middle = if text.len() > 16 { text[8..].first_chunk::<8>() } else { None };
                [*first, *middle.unwrap_or(first), *last].map(u64::from_le_bytes)
            }
            _ => match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
                (Some(first), Some(last)) => [u32::from_le_bytes(*first).into(), 0, u32::from_le_bytes(*last).into()],
                _ => [text.iter().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)), 0, 0],
            },
        };
        Self { length: text.len(), words }
    }

    /// A hash of all bytes.
    #[inline(always)]
    fn place(&self) -> usize {
        let [first, middle, last] = self.words;
        let mixed = (first ^ middle.rotate_left(43) ^ last.rotate_left(21) ^ self.length as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (u64::BITS - PLACES.ilog2())) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{KnownKeys, LONGEST, ShortText};

    #[test]
    fn short_texts_are_equal_if_all_bytes_are() {
        let text: Vec<u8> = (b'A'..).take(LONGEST).collect();
        for length in 0..=LONGEST {
            let short = ShortText::of(&text[..length]);
            assert!(short == ShortText::of(&text[..length]) && short.place() < KnownKeys::none().0.len());
            for place in 0..length {
                let mut other = text[..length].to_vec();
                other[place] ^= 0x20;
                assert!(short != ShortText::of(&other), "{length}, {place}");
            }
            for shorter in 0..length {
                assert!(short != ShortText::of(&text[..shorter]), "{length}, {shorter}");
            }
        }
    }
}
