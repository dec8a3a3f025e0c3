//! Conversion of UTF-32, the form in which Godot 4 stores text, to UTF-8.
//!
//! Units that are not characters become U+FFFD. Engines replace nearly all of them when a String is made, and cannot read the others.

/// The greatest number of bytes of a character.
pub(crate) const LONGEST: usize = 4;

/// Returns the number of bytes of the text as UTF-8.
#[inline]
pub fn utf8_len(text: &[u32]) -> usize {
    // Most text is ASCII, and that check is faster than computing a length.
    if is_ascii(text) { text.len() } else { text.chunks(BLOCK).map(|block| block_len(block) as usize).sum() }
}

#[inline]
fn is_ascii(text: &[u32]) -> bool {
    text.iter().fold(0, |all, char| all | char) < 0x80
}

/// The number of characters whose lengths are added in 32 bits, as wide as the characters, which vectorizes best.
const BLOCK: usize = 1 << 16;

fn block_len(text: &[u32]) -> u32 {
    text.iter().map(|char| len(*char)).sum()
}

/// Returns the length of a character. Has no branches, so that the compiler can vectorize its callers.
#[inline]
const fn len(char: u32) -> u32 {
    let longer = (char >= 0x80) as u32 + (char >= 0x800) as u32 + (char >= 0x1_0000) as u32;
    // Units above the last character become U+FFFD, which takes 3 bytes.
    1 + longer - (char > 0x10_FFFF) as u32
}

/// Writes the text into a buffer of exactly its length as UTF-8.
#[inline]
pub fn encode_exact(text: &[u32], buffer: &mut [u8]) {
    // Only ASCII takes as many bytes as it has characters.
    if buffer.len() == text.len() {
        narrow(text, buffer);
    } else {
        encode(text, buffer);
    }
}

#[inline]
fn narrow(text: &[u32], buffer: &mut [u8]) {
    for (byte, char) in buffer.iter_mut().zip(text) {
        *byte = (*char & 0x7F) as u8;
    }
}

/// Writes the text to the start of `buffer` and returns the number of bytes. Text that does not fit is cut.
#[inline]
pub fn encode(text: &[u32], buffer: &mut [u8]) -> usize {
    let mut at = 0;
    let (parts, last) = text.as_chunks::<PART>();
    for (index, part) in parts.iter().enumerate() {
        let Some(space) = buffer[at..].first_chunk_mut() else {
            return at + encode_each(&text[index * PART..], &mut buffer[at..]);
        };
        at += encode_part(part, space);
    }
    at + encode_each(last, &mut buffer[at..])
}

/// The number of characters that are narrowed at once if all of them are ASCII.
const PART: usize = 8;

#[inline]
fn encode_part(text: &[u32; PART], buffer: &mut [u8; PART * LONGEST]) -> usize {
    if is_ascii(text) {
        narrow(text, buffer);
        return PART;
    }
    let mut at = 0;
    for char in text {
        // There is space for the longest characters.
        let Some(space) = buffer[at..].first_chunk_mut() else { break };
        at += encode_one(*char, space);
    }
    at
}

/// Writes characters one by one.
#[inline]
fn encode_each(text: &[u32], buffer: &mut [u8]) -> usize {
    let mut at = 0;
    let mut chars = text.iter();
    while let Some(space) = buffer.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        let Some(char) = chars.next() else { return at };
        at += encode_one(*char, space);
    }
    // Less space is left than the longest character takes.
    for char in chars {
        let mut bytes = [0; LONGEST];
        let length = encode_one(*char, &mut bytes);
        let rest = buffer.get_mut(at..).unwrap_or_default();
        let fits = length.min(rest.len());
        rest[..fits].copy_from_slice(&bytes[..fits]);
        at += fits;
        if fits < length {
            break;
        }
    }
    at
}

/// Writes a character and returns its length. The remaining bytes of the buffer may be overwritten.
///
/// Uses branches on purpose: the position of the next character must not depend on computing this one's length.
#[inline]
fn encode_one(char: u32, buffer: &mut [u8; LONGEST]) -> usize {
    let following = |shift: u32| 0x80 | char >> shift & 0x3F;
    let (bytes, length) = if char < 0x80 {
        (char, 1)
    } else if char < 0x800 {
        (0xC0 | char >> 6 | following(0) << 8, 2)
    } else if char < 0x1_0000 && char & !0x7FF != 0xD800 {
        (0xE0 | char >> 12 | following(6) << 8 | following(0) << 16, 3)
    } else if (0x1_0000..=0x10_FFFF).contains(&char) {
        (0xF0 | char >> 18 | following(12) << 8 | following(6) << 16 | following(0) << 24, 4)
    } else {
        (0xBD_BFEF, 3)
    };
    *buffer = bytes.to_le_bytes();
    length
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec, vec::Vec};

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
            let mut buffer = [0; LONGEST];
            assert_eq!(encode(&[char], &mut buffer), utf8_len(&[char]), "{char:#x}");
            let expected = char::from_u32(char).unwrap_or('\u{FFFD}');
            assert_eq!(core::str::from_utf8(&buffer[..utf8_len(&[char])]), Ok(&*expected.encode_utf8(&mut [0; 4])));
        }
    }

    #[test]
    fn text_that_is_longer_than_the_buffer_is_cut_at_its_end() {
        let text: Vec<u32> = "Größe 日本語 🦀 ".repeat(20).chars().map(u32::from).collect();
        let expected: String = text.iter().filter_map(|char| char::from_u32(*char)).collect();
        for size in 0..=expected.len() + 5 {
            let mut buffer = vec![0; size];
            let written = encode(&text, &mut buffer);
            assert_eq!(written, size.min(expected.len()));
            assert_eq!(buffer[..written], expected.as_bytes()[..written]);
        }
    }
}
