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
        let char = char::from_u32(*char).unwrap_or(char::REPLACEMENT_CHARACTER);
        match room.get_mut(at..at + char.len_utf8()) {
            Some(place) => at += char.encode_utf8(place).len(),
            None => break,
        }
    }
    at
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
