//! Converts UTF-8 to the engine's characters.

use std::mem::MaybeUninit;

/// Returns the number of characters, if the bytes are UTF-8.
#[inline]
pub(super) fn count(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 0xFF;
    // The sums of this many words fit in their bytes.
    const WORDS: usize = 0xFF;
    // Every byte is counted but the continuations of a character, which are 10xxxxxx.
    let (words, rest) = bytes.as_chunks();
    let continuations = words.chunks(WORDS).map(|words| {
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        let sums: u64 = words.map(|word| word >> 7 & !(word >> 6) & ONES).sum();
        sums.to_le_bytes().iter().map(|sum| usize::from(*sum)).sum::<usize>()
    });
    words.len() * size_of::<u64>() - continuations.sum::<usize>()
        + rest.iter().filter(|byte| byte.cast_signed() >= -0x40).count()
}

/// Checks and converts UTF-8 in one pass. Returns whether the bytes are UTF-8 and have as many characters as there are places.
/// All places are written if so.
#[inline]
pub(super) fn convert(mut bytes: &[u8], places: &mut [MaybeUninit<u32>]) -> bool {
    let mut places = places.iter_mut();
    // The payload of a continuation. More than six bits if it is none.
    let more = |byte: u8| u32::from(byte ^ 0x80);
    loop {
        // Two characters of two bytes, which most alphabets have. The least is C2 80.
        while let [first, second, third, fourth, rest @ ..] = bytes {
            let pair = u32::from_le_bytes([*first, *second, *third, *fourth]);
            if pair & 0xC0E0_C0E0 != 0x80C0_80C0 || pair & 0x1E == 0 || pair & 0x001E_0000 == 0 {
                break;
            }
            let (Some(place), Some(next)) = (places.next(), places.next()) else { return false };
            place.write((pair & 0x1F) << 6 | pair >> 8 & 0x3F);
            next.write((pair >> 16 & 0x1F) << 6 | pair >> 24 & 0x3F);
            bytes = rest;
        }
        let Some(place) = places.next() else { return bytes.is_empty() };
        let character = match *bytes {
            [first @ ..0x80, ref rest @ ..] => {
                bytes = rest;
                u32::from(first)
            }
            [first @ ..0xE0, second, ref rest @ ..] => {
                bytes = rest;
                let character = u32::from(first ^ 0xC0) << 6 | more(second);
                if more(second) > 0x3F || !(0x80..0x800).contains(&character) {
                    return false;
                }
                character
            }
            [first @ ..0xF0, second, third, ref rest @ ..] => {
                bytes = rest;
                let character = u32::from(first ^ 0xE0) << 12 | more(second) << 6 | more(third);
                if more(second) | more(third) > 0x3F || !matches!(character, 0x800..0xD800 | 0xE000..) {
                    return false;
                }
                character
            }
            [first, second, third, fourth, ref rest @ ..] => {
                bytes = rest;
                let character = u32::from(first ^ 0xF0) << 18 | more(second) << 12 | more(third) << 6 | more(fourth);
                if more(second) | more(third) | more(fourth) > 0x3F || !matches!(character, 0x1_0000..0x11_0000) {
                    return false;
                }
                character
            }
            _ => return false,
        };
        place.write(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts the bytes, and returns what was converted if they are UTF-8.
    fn converted(bytes: &[u8]) -> Option<Vec<u32>> {
        let mut places = vec![MaybeUninit::new(u32::MAX); count(bytes)];
        // Every place has been written before.
        convert(bytes, &mut places).then(|| places.iter().map(|place| unsafe { place.assume_init() }).collect())
    }

    fn expected(bytes: &[u8]) -> Option<Vec<u32>> {
        str::from_utf8(bytes).ok().map(|text| text.chars().map(u32::from).collect())
    }

    #[test]
    fn every_character_is_converted() {
        for character in char::MIN..=char::MAX {
            let text = format!("a{character}é{character}{character}");
            assert_eq!(converted(text.as_bytes()), expected(text.as_bytes()), "{character:?}");
        }
    }

    #[test]
    fn long_text_is_counted_in_blocks() {
        for length in [0, 1, 7, 8, 9, 255 * 8 - 1, 255 * 8, 255 * 8 + 1, 10_000] {
            for character in ["a", "é", "日", "😀"] {
                assert_eq!(count(character.repeat(length).as_bytes()), length, "{length} {character}");
            }
        }
    }

    #[test]
    fn what_is_not_utf8_is_refused() {
        // The ends of the ranges that decide.
        const BYTES: [u8; 22] = [
            0x01, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF4, 0xF5, 0xFF,
        ];
        let mut refused = 0;
        for code in 0..BYTES.len().pow(4) {
            let bytes: [u8; 4] = std::array::from_fn(|place| BYTES[code / BYTES.len().pow(place as u32) % BYTES.len()]);
            for length in 0..=4 {
                assert_eq!(converted(&bytes[..length]), expected(&bytes[..length]), "{:02X?}", &bytes[..length]);
                refused += u32::from(converted(&bytes[..length]).is_none());
            }
        }
        assert!(refused > 0);
    }
}
