//! A cache of Dictionary keys that repeat in a packet.

use godot::builtin::Variant;

use crate::raw::{self, NewValue, STRING, View};

/// The number of keys in the cache; a power of two.
const PLACES: usize = 64;
/// The longest key in bytes that is cached. Comparing a longer one takes longer than creating it.
const LONGEST: usize = 24;
/// How many misses are allowed for each hit before the cache is no longer used.
const PATIENCE: u32 = 4;

/// The keys of one packet by a hash of their text.
#[derive(Default)]
pub(crate) struct KeyCache {
    /// Empty until a second dictionary begins: keys repeat from one dictionary to the next.
    places: Vec<Option<Variant>>,
    dictionaries: u32,
    /// Whether the next value is a key.
    is_key: bool,
    hits: u32,
    misses: u32,
}

impl KeyCache {
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
        if self.is_key {
            self.is_key = false;
            if text.len() <= LONGEST && self.misses <= PATIENCE * (self.hits + PLACES as u32) {
                return self.key(text);
            }
        }
        raw::string(text)
    }

    fn key(&mut self, text: &str) -> NewValue {
        if self.places.is_empty() {
            self.places.resize_with(PLACES, || None);
        }
        let place = &mut self.places[hash(text.as_bytes()) & (PLACES - 1)];
        if let Some(known) = place
            && is_text(known, text.as_bytes())
        {
            self.hits += 1;
            return NewValue::short(known.clone(), STRING);
        }
        self.misses += 1;
        let key = raw::string(text).into_variant();
        if text.is_ascii() {
            *place = Some(key.clone());
        }
        NewValue::short(key, STRING)
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

fn hash(text: &[u8]) -> usize {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in text {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
    }
    (hash >> 32) as usize
}
