//! Converts UTF-8 to the engine's characters.

use std::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use super::utf8_avx2::Avx2;

/// The least length of text that is worth a call of another function.
#[cfg(target_arch = "x86_64")]
const LONG: usize = 32;

/// Returns the number of characters if the bytes are UTF-8, and `None` or any number otherwise.
#[inline]
pub(super) fn count(bytes: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= LONG
        && let Some(avx2) = Avx2::detect()
    {
        return avx2.count(bytes);
    }
    Some(count_unchecked(bytes))
}

/// Checks and converts UTF-8. Returns whether the bytes are UTF-8 and have as many characters as there are places. All places are
/// written if so. The bytes must have been counted.
#[inline]
pub(super) fn convert(bytes: &[u8], places: &mut [MaybeUninit<u32>]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= LONG
        && let Some(avx2) = Avx2::detect()
    {
        let (read, written) = avx2.convert(bytes, places);
        return convert_each(&bytes[read..], &mut places[written..]);
    }
    convert_each(bytes, places)
}

/// Returns the number of characters, if the bytes are UTF-8.
#[inline]
fn count_unchecked(bytes: &[u8]) -> usize {
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

/// The bits of two characters of two bytes, if that is what the word begins with. The least is C2 80.
#[inline(always)]
const fn pair(word: u32) -> Option<[u32; 2]> {
    if word & 0xC0E0_C0E0 != 0x80C0_80C0 || word & 0x1E == 0 || word & 0x001E_0000 == 0 {
        return None;
    }
    Some([(word & 0x1F) << 6 | word >> 8 & 0x3F, (word >> 16 & 0x1F) << 6 | word >> 24 & 0x3F])
}

/// The bits of a character of three bytes, if that is what the word begins with.
#[inline(always)]
const fn triple(word: u32) -> Option<u32> {
    let character = (word & 0x0F) << 12 | word >> 2 & 0xFC0 | word >> 16 & 0x3F;
    let is_valid = word & 0x00C0_C0F0 == 0x0080_80E0 && character >= 0x800 && character & 0xF800 != 0xD800;
    if is_valid { Some(character) } else { None }
}

/// Does the same as [`convert`], with what every processor has, in one pass.
#[inline]
fn convert_each(bytes: &[u8], places: &mut [MaybeUninit<u32>]) -> bool {
    let (mut at, mut written) = (0, 0);
    let (mut rest, mut free) = (bytes, &mut *places);
    // Several characters of the same length at once, which most alphabets have.
    while let (Some(window), Some(next)) = (rest.first_chunk(), free.first_chunk_mut::<4>()) {
        let window = u64::from_le_bytes(*window);
        let word = window as u32;
        let (length, count) = if word & 0x80 == 0 {
            if word & 0x8080_8080 == 0 {
                *next = word.to_le_bytes().map(|byte| MaybeUninit::new(u32::from(byte)));
                (4, 4)
            } else {
                next[0].write(word & 0x7F);
                (1, 1)
            }
        } else if let Some([first, second]) = pair(word) {
            next[0].write(first);
            next[1].write(second);
            if let Some([third, fourth]) = pair((window >> 32) as u32) {
                next[2].write(third);
                next[3].write(fourth);
                (8, 4)
            } else {
                (4, 2)
            }
        } else if let Some(character) = triple(word) {
            next[0].write(character);
            if let Some(character) = triple((window >> 24) as u32) {
                next[1].write(character);
                (6, 2)
            } else {
                (3, 1)
            }
        } else {
            let Some((character, rest_of_it)) = first_character(rest) else { return false };
            next[0].write(character);
            (rest.len() - rest_of_it.len(), 1)
        };
        (at, written) = (at + length, written + count);
        (rest, free) = (&bytes[at..], &mut places[written..]);
    }
    for place in free {
        let Some((character, after)) = first_character(rest) else { return false };
        place.write(character);
        rest = after;
    }
    rest.is_empty()
}

/// Returns the first character and the bytes after it, or `None` if there is none that is valid.
#[inline(always)]
fn first_character(bytes: &[u8]) -> Option<(u32, &[u8])> {
    // The payload of a continuation. More than six bits if it is none.
    let more = |byte: u8| u32::from(byte ^ 0x80);
    match *bytes {
        [first @ ..0x80, ref rest @ ..] => Some((u32::from(first), rest)),
        [first @ ..0xE0, second, ref rest @ ..] => {
            let character = u32::from(first ^ 0xC0) << 6 | more(second);
            (more(second) <= 0x3F && (0x80..0x800).contains(&character)).then_some((character, rest))
        }
        [first @ ..0xF0, second, third, ref rest @ ..] => {
            let character = u32::from(first ^ 0xE0) << 12 | more(second) << 6 | more(third);
            let is_valid = more(second) | more(third) <= 0x3F && matches!(character, 0x800..0xD800 | 0xE000..);
            is_valid.then_some((character, rest))
        }
        [first, second, third, fourth, ref rest @ ..] => {
            let character = u32::from(first ^ 0xF0) << 18 | more(second) << 12 | more(third) << 6 | more(fourth);
            let is_valid = more(second) | more(third) | more(fourth) <= 0x3F;
            (is_valid && matches!(character, 0x1_0000..0x11_0000)).then_some((character, rest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts the bytes, and returns what was converted if they are UTF-8. The result must be the same on every processor.
    fn converted(bytes: &[u8]) -> Option<Vec<u32>> {
        let places = |count| vec![MaybeUninit::new(u32::MAX); count];
        let characters = |places: &[MaybeUninit<u32>]| {
            // Every place has been written before.
            places.iter().map(|place| unsafe { place.assume_init() }).collect::<Vec<_>>()
        };
        let mut each = places(count_unchecked(bytes));
        let each = convert_each(bytes, &mut each).then(|| characters(&each));
        let fast = count(bytes).map(places).and_then(|mut fast| convert(bytes, &mut fast).then(|| characters(&fast)));
        assert_eq!(fast, each, "{bytes:02X?}");
        fast
    }

    /// Text of characters of all lengths, long enough for both ways, in which the bytes are at a position that depends on a number.
    fn within_long_text(bytes: &[u8], number: usize) -> Vec<u8> {
        let before = "a".repeat(number % 64) + &"é😀日".repeat(8);
        [before.as_bytes(), bytes, "日a😀é".repeat(30).as_bytes()].concat()
    }

    fn expected(bytes: &[u8]) -> Option<Vec<u32>> {
        str::from_utf8(bytes).ok().map(|text| text.chars().map(u32::from).collect())
    }

    #[test]
    fn every_character_is_converted() {
        for character in char::MIN..=char::MAX {
            let text = format!("a{character}é{character}{character}日{character}éé{character}abcd{character}😀😀");
            assert_eq!(converted(text.as_bytes()), expected(text.as_bytes()), "{character:?}");
            if !(character as u32).is_multiple_of(31) {
                continue;
            }
            let text = within_long_text(character.to_string().as_bytes(), character as usize);
            assert_eq!(converted(&text), expected(&text), "{character:?}");
        }
    }

    #[test]
    fn long_text_is_counted_in_blocks() {
        for length in [0, 1, 7, 8, 9, 255 * 8 - 1, 255 * 8, 255 * 8 + 1, 10_000] {
            for character in ["a", "é", "日", "😀"] {
                let text = character.repeat(length);
                assert_eq!(count(text.as_bytes()), Some(length), "{length} {character}");
                assert_eq!(count_unchecked(text.as_bytes()), length, "{length} {character}");
                assert_eq!(converted(text.as_bytes()), expected(text.as_bytes()), "{length} {character}");
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
        for length in 0..=4 {
            for code in 0..BYTES.len().pow(length) {
                let bytes: Vec<u8> =
                    (0..length).map(|place| BYTES[code / BYTES.len().pow(place) % BYTES.len()]).collect();
                assert_eq!(converted(&bytes), expected(&bytes), "{bytes:02X?}");
                refused += u32::from(converted(&bytes).is_none());
                for before in ["", "é"] {
                    let long = [before.as_bytes(), &bytes, b"12345678"].concat();
                    assert_eq!(converted(&long), expected(&long), "{long:02X?}");
                }
            }
        }
        assert!(refused > 0);
        // Every place in the blocks of the fast path.
        for code in 0..BYTES.len().pow(2) {
            let bytes = [0, 1].map(|place: u32| BYTES[code / BYTES.len().pow(place) % BYTES.len()]);
            for sequence in [
                &bytes[..],
                &[bytes[0], bytes[1], 0x80],
                &[bytes[0], 0x80, bytes[1], 0x80],
                &[0xF0, bytes[0], 0x80, bytes[1]],
            ] {
                for position in 0..140 {
                    let mut text = "a".repeat(position).into_bytes();
                    text.extend_from_slice(sequence);
                    text.extend_from_slice("é日".repeat(position % 50).as_bytes());
                    assert_eq!(converted(&text), expected(&text), "{text:02X?}");
                }
            }
        }
    }
}
