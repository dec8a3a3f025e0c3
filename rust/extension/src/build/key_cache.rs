//! Dictionary keys that repeat, in a packet or from one packet to the next.

use std::mem::take;

use crate::raw::{self, Kept, NewValue, SharedText, Taken};

/// The number of keys that are known; a power of two.
const PLACES: usize = 256;
/// The longest key in bytes that is known.
const LONGEST: usize = 24;
/// How many misses are allowed in a packet, and how many more for each hit, before its keys are no longer looked up.
const FIRST_MISSES: u32 = 16;
const MISSES_PER_HIT: u32 = 1;
/// How many misses in its place a known key stays for after it was last found.
const LIVES: u8 = 3;

/// The keys that all packets share.
static SHARED: Kept<KnownKeys> = Kept::new();

/// Finds the keys of a packet by their text.
pub(super) struct KeyCache {
    /// `None` until the first short key, and while another call uses them.
    known: Option<Taken<KnownKeys>>,
    misses_left: u32,
}

impl KeyCache {
    pub(super) const EMPTY: Self = Self { known: None, misses_left: FIRST_MISSES };

    /// Returns a String of ASCII text without NUL if it is known, which it is from its second lookup on.
    #[inline(always)]
    pub(super) fn string(&mut self, text: &[u8]) -> Option<&SharedText> {
        self.find(text, false, || SharedText::string_of_ascii(text))
    }

    /// Returns a StringName, as [`string`](Self::string) does.
    #[inline(always)]
    pub(super) fn name(&mut self, text: &[u8]) -> Option<&SharedText> {
        self.find(text, true, || SharedText::name_of_ascii(text))
    }

    /// Returns a String or a StringName of other text without NUL, as [`string`](Self::string) does. Returns `None` if it is not UTF-8.
    #[inline(never)]
    pub(super) fn not_ascii(&mut self, text: &[u8], is_name: bool) -> Option<&SharedText> {
        if text.len() > LONGEST {
            return None;
        }
        let text = str::from_utf8(text).ok()?;
        self.find(text.as_bytes(), is_name, || match is_name {
            true => SharedText::name(text),
            false => SharedText::string(text),
        })
    }

    #[inline(always)]
    fn find(&mut self, text: &[u8], is_name: bool, create: impl FnOnce() -> SharedText) -> Option<&SharedText> {
        if self.misses_left == 0 {
            return None;
        }
        let text = ShortText::of(text, is_name)?;
        if self.known.is_none() {
            self.known = SHARED.take_if_free(KnownKeys::none);
        }
        let Some(known) = &mut self.known else {
            self.misses_left = 0;
            return None;
        };
        let key = &mut known.0[text.place()];
        if key.text == text {
            self.misses_left = self.misses_left.saturating_add(MISSES_PER_HIT);
            key.lives = LIVES;
            return Some(key.value.get_or_insert_with(create));
        }
        self.misses_left -= 1;
        key.miss(text);
        None
    }

    /// Returns the keys to those that all packets share.
    #[inline]
    pub(super) fn finish(&mut self) {
        self.known = None;
    }
}

/// Finds the keys among the text that a decoder reads.
pub(super) struct PacketKeys {
    cache: KeyCache,
    /// Whether the next value is a key.
    is_key: bool,
}

impl PacketKeys {
    pub(super) const EMPTY: Self = Self { cache: KeyCache::EMPTY, is_key: false };

    #[inline]
    pub(super) fn begin_entry(&mut self) {
        self.is_key = true;
    }

    /// Returns the String. It is a key if an entry has begun and no text has followed since.
    #[inline]
    pub(super) fn string(&mut self, text: &str) -> NewValue {
        if text.is_ascii() {
            return self.ascii_string(text.as_bytes());
        }
        self.is_key = false;
        raw::string(text)
    }

    /// Returns a String of UTF-8 that is not ASCII, or `None` if the bytes are not UTF-8.
    #[inline]
    pub(super) fn string_of_utf8(&mut self, text: &[u8]) -> Option<NewValue> {
        self.is_key = false;
        raw::string_of_utf8(text)
    }

    /// Returns a String of ASCII text without NUL, as [`string`](Self::string) does.
    #[inline]
    pub(super) fn ascii_string(&mut self, text: &[u8]) -> NewValue {
        if take(&mut self.is_key)
            && let Some(known) = self.cache.string(text)
        {
            return known.value();
        }
        raw::string_of_ascii(text)
    }

    /// Returns the keys to those that all packets share.
    #[inline]
    pub(super) fn finish(&mut self) {
        self.cache.finish();
    }
}

/// The last key in each place.
struct KnownKeys([KnownKey; PLACES]);

impl KnownKeys {
    #[cold]
    const fn none() -> Self {
        Self([const { KnownKey { text: ShortText::EMPTY, lives: 0, value: None } }; PLACES])
    }
}

struct KnownKey {
    text: ShortText,
    lives: u8,
    /// `None` until the key has repeated.
    value: Option<SharedText>,
}

impl KnownKey {
    /// Notes that another key belongs to this place.
    #[inline(never)]
    fn miss(&mut self, text: ShortText) {
        match self.lives.checked_sub(1) {
            Some(lives) => self.lives = lives,
            None => *self = Self { text, lives: 0, value: None },
        }
    }
}

/// A text of at most [`LONGEST`] bytes, of a String or of a StringName.
struct ShortText {
    /// With [`NAME`](Self::NAME), if it is that of a StringName.
    length: usize,
    /// The first bytes, those in the middle and the last ones. They overlap in a text of less than 24 bytes.
    words: [u64; 3],
}

impl PartialEq for ShortText {
    // Word by word: the text was just written so. To load two words at once causes a store-forwarding stall.
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        let ([first, middle, last], [other_first, other_middle, other_last]) = (self.words, other.words);
        self.length == other.length && first == other_first && middle == other_middle && last == other_last
    }
}

impl ShortText {
    /// No text has this length.
    const EMPTY: Self = Self { length: usize::MAX, words: [0; 3] };
    const NAME: usize = 1 << 8;

    /// Returns `None` for longer text.
    #[inline(always)]
    fn of(text: &[u8], is_name: bool) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
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
        Some(Self { length: text.len() | if is_name { Self::NAME } else { 0 }, words })
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
    fn short_texts_are_equal_if_all_bytes_and_the_type_are() {
        let text: Vec<u8> = (b'A'..).take(LONGEST).collect();
        let string = |text: &[u8]| ShortText::of(text, false).unwrap();
        for length in 0..=LONGEST {
            let short = string(&text[..length]);
            assert!(short == string(&text[..length]) && short.place() < KnownKeys::none().0.len());
            assert!(short != ShortText::of(&text[..length], true).unwrap() && short != ShortText::EMPTY, "{length}");
            for place in 0..length {
                let mut other = text[..length].to_vec();
                other[place] ^= 0x20;
                assert!(short != string(&other), "{length}, {place}");
            }
            for shorter in 0..length {
                assert!(short != string(&text[..shorter]), "{length}, {shorter}");
            }
        }
    }

    #[test]
    fn longer_text_is_not_kept() {
        assert!(ShortText::of(&[b'a'; LONGEST + 1], false).is_none());
    }
}
