//! Dictionary keys that come again and again in a packet, made once.

use godot::builtin::Variant;

use crate::raw::{self as engine, Made, STRING, View};

/// Places in the cache; a power of two.
const PLACES: usize = 64;
/// The longest key worth comparing instead of making it anew.
const LONGEST: usize = 24;
/// How many keys may miss for each that hits before the cache is given up.
const PATIENCE: u32 = 4;

/// The keys of one packet, by a hash of their text.
#[derive(Default)]
pub(crate) struct KeyCache {
    /// Made when a second dictionary begins: keys repeat from one dictionary to another.
    places: Vec<Option<Variant>>,
    dictionaries: u32,
    /// Whether the value that comes next is a key.
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

    /// The String, which is a key where an entry has begun and no String has come since.
    #[inline]
    pub(crate) fn string(&mut self, text: &str) -> Made {
        if self.is_key {
            self.is_key = false;
            if text.len() <= LONGEST && self.misses <= PATIENCE * (self.hits + PLACES as u32) {
                return self.key(text);
            }
        }
        engine::string(text)
    }

    fn key(&mut self, text: &str) -> Made {
        if self.places.is_empty() {
            self.places.resize_with(PLACES, || None);
        }
        let place = &mut self.places[hash(text.as_bytes()) & (PLACES - 1)];
        if let Some(known) = place
            && is_text(known, text.as_bytes())
        {
            self.hits += 1;
            return Made::short(known.clone(), STRING);
        }
        self.misses += 1;
        let key = engine::string(text).into_variant();
        if text.is_ascii() {
            *place = Some(key.clone());
        }
        Made::short(key, STRING)
    }
}

/// Whether a String is this ASCII text.
fn is_text(string: &Variant, text: &[u8]) -> bool {
    match engine::view(string) {
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
