//! A cache of Dictionary keys that repeat in a packet.

use godot::builtin::Variant;

use crate::raw::{self, NewValue, View};

/// The number of keys in the cache; a power of two.
const PLACES: usize = 64;
/// The longest key in bytes that is cached. Comparing a longer one takes longer than creating it.
const LONGEST: usize = 24;
/// How many misses are allowed for each hit before the cache is no longer used.
const PATIENCE: u32 = 4;

/// The keys of one packet by a hash of their text.
pub(crate) struct KeyCache {
    /// `None` in a packet with one Dictionary.
    known: Option<Box<KnownKeys>>,
    /// Keys repeat from one dictionary to the next.
    dictionaries: u32,
    /// Whether the next value is a key.
    is_key: bool,
    hits: u32,
    misses: u32,
}

struct KnownKeys {
    /// What is left of the hash of the last key in each place. Keys that do not repeat cost only this.
    tags: [u16; PLACES],
    /// The keys that have repeated. Empty until one does.
    places: Vec<Option<Variant>>,
}

impl KeyCache {
    pub(crate) const EMPTY: Self = Self { known: None, dictionaries: 0, is_key: false, hits: 0, misses: 0 };

    #[inline(always)]
    pub(crate) const fn owns_nothing(&self) -> bool {
        self.known.is_none()
    }

    #[inline]
    pub(crate) fn begin_dictionary(&mut self) {
        self.dictionaries += 1;
    }

    #[inline]
    pub(crate) fn begin_entry(&mut self) {
        self.is_key = self.dictionaries > 1;
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
            if text.len() <= LONGEST && self.misses <= PATIENCE * (self.hits + PLACES as u32) {
                return self.key(text);
            }
        }
        raw::string_of_ascii(text)
    }

    fn key(&mut self, text: &[u8]) -> NewValue {
        let hash = hash(text);
        // The highest bits depend on all others.
        let (place, tag) = ((hash >> 58) as usize, (hash >> 42) as u16 | 1);
        let known = self.known.get_or_insert_with(|| Box::new(KnownKeys { tags: [0; PLACES], places: Vec::new() }));
        if known.tags[place] != tag {
            known.tags[place] = tag;
            self.misses += 1;
            return raw::string_of_ascii(text);
        }
        if let Some(Some(key)) = known.places.get(place)
            && is_text(key, text)
        {
            self.hits += 1;
            return key.clone().into();
        }
        self.misses += 1;
        if known.places.is_empty() {
            known.places.resize_with(PLACES, || None);
        }
        let key = raw::string_of_ascii(text).into_variant();
        known.places[place] = Some(key.clone());
        key.into()
    }
}

/// Returns whether a String equals this ASCII text.
fn is_text(string: &Variant, text: &[u8]) -> bool {
    match raw::view(string) {
        View::String(chars) => {
            chars.len() == text.len() && chars.iter().zip(text).all(|(char, byte)| *char == u32::from(*byte))
        }
        _ => false,
    }
}

/// Hashes the ends of a text and its length. Texts that differ between these ends only share a place.
fn hash(text: &[u8]) -> u64 {
    let (first, last) = match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
            (Some(first), Some(last)) => (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()),
            _ => (text.iter().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)), 0),
        },
    };
    let mixed = (first ^ last.rotate_left(29) ^ text.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
