//! UTF-32, the form in which Godot 4 keeps text in memory, to UTF-8.
//!
//! What is no character - engines replace it as soon as they see it - becomes U+FFFD.

/// The most bytes that one character takes.
pub(super) const LONGEST: usize = 4;

/// The bytes that the text takes as UTF-8.
#[inline]
pub fn utf8_len(text: &[u32]) -> usize {
    // Most text is ASCII, and that is known sooner than any length.
    if is_ascii(text) { text.len() } else { text.iter().map(|char| len(*char)).sum() }
}

#[inline]
fn is_ascii(text: &[u32]) -> bool {
    text.iter().fold(0, |all, char| all | char) < 0x80
}

/// Without a branch: whole vectors of characters at once.
#[inline]
const fn len(char: u32) -> usize {
    let longer = (char >= 0x80) as usize + (char >= 0x800) as usize + (char >= 0x1_0000) as usize;
    // Beyond the last character there is only U+FFFD, which takes 3.
    1 + longer - (char > 0x10_FFFF) as usize
}

/// Writes ASCII.
#[inline]
pub(super) fn narrow(text: &[u32], room: &mut [u8]) {
    for (place, char) in room.iter_mut().zip(text) {
        *place = (*char & 0x7F) as u8;
    }
}

/// Writes the text to the front of `room` and says how many bytes it took. Text that does not fit is cut.
#[inline]
pub fn encode(text: &[u32], room: &mut [u8]) -> usize {
    let mut at = 0;
    for char in text {
        if let Some(place) = room.get_mut(at..).and_then(|room| room.first_chunk_mut::<LONGEST>()) {
            at += encode_one(*char, place);
            continue;
        }
        let mut last = [0; LONGEST];
        let length = encode_one(*char, &mut last);
        match room.get_mut(at..at + length) {
            Some(place) => {
                place.copy_from_slice(&last[..length]);
                at += length;
            }
            None => break,
        }
    }
    at
}

/// Writes a character, and something behind it, and says how many bytes it took.
#[inline]
fn encode_one(char: u32, place: &mut [u8; LONGEST]) -> usize {
    let following = |shift: u32| 0x80 | (char >> shift & 0x3F) as u8;
    if char < 0x80 {
        place[0] = (char & 0x7F) as u8;
        1
    } else if char < 0x800 {
        *place = [0xC0 | (char >> 6 & 0x1F) as u8, following(0), 0, 0];
        2
    } else if char > 0x10_FFFF || char & !0x7FF == 0xD800 {
        *place = [0xEF, 0xBF, 0xBD, 0];
        3
    } else if char < 0x1_0000 {
        *place = [0xE0 | (char >> 12 & 0xF) as u8, following(6), following(0), 0];
        3
    } else {
        *place = [0xF0 | (char >> 18 & 0x7) as u8, following(12), following(6), following(0)];
        4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_that_of_the_bytes_written() {
        let edges = [
            0,
            0x7F,
            0x80,
            0x7FF,
            0x800,
            0xD7FF,
            0xD800,
            0xDFFF,
            0xE000,
            0xFFFF,
            0x1_0000,
            0x10_FFFF,
            0x11_0000,
            u32::MAX,
        ];
        for char in edges {
            let mut room = [0; LONGEST];
            assert_eq!(encode(&[char], &mut room), utf8_len(&[char]), "{char:#x}");
            let expected = char::from_u32(char).unwrap_or('\u{FFFD}');
            assert_eq!(core::str::from_utf8(&room[..utf8_len(&[char])]), Ok(&*expected.encode_utf8(&mut [0; 4])));
        }
    }
}
