//! UTF-8 as engines before Godot 4 read and write it: code units up to 2^31 - 1, in up to six bytes.

use alloc::vec::Vec;

use crate::work;
use crate::write::sink::Sink;

pub(crate) struct LenientText {
    pub(crate) units: Vec<u32>,
    /// Whether every unit has its shortest encoding.
    pub(crate) is_shortest: bool,
}

/// Decodes `bytes`, or returns the offset of the first sequence that these engines refuse: stray and missing
/// continuation bytes; C0, C1, FE and FF; and overlong forms of three or more bytes whose first two bytes add only
/// zero bits and whose third byte is too small (observed on 3.2.3 and 3.6.2).
pub(crate) fn read(bytes: &[u8]) -> Result<LenientText, usize> {
    work::add(bytes.len());
    let mut text = LenientText { units: Vec::with_capacity(bytes.len()), is_shortest: true };
    let mut offset = 0;
    while let Some(lead) = bytes.get(offset) {
        let length = sequence_length(*lead).ok_or(offset)?;
        let sequence = bytes.get(offset..offset + length).ok_or(offset)?;
        // The first byte of a sequence of n bytes has 7 - n bits of the unit; a single byte has 7.
        let mut unit = if length == 1 { u32::from(*lead) } else { u32::from(*lead) & (0x7F >> length) };
        for (index, byte) in sequence.iter().enumerate().skip(1) {
            let is_overlong = index == 2 && unit == 0 && byte & 0x3F < 0x40 >> (length - 1);
            if byte & 0xC0 != 0x80 || is_overlong {
                return Err(offset);
            }
            unit = unit << 6 | u32::from(byte & 0x3F);
        }
        text.is_shortest &= length == unit_length(unit);
        text.units.push(unit);
        offset += length;
    }
    Ok(text)
}

/// Returns the length of a sequence that starts with `lead`, or `None` if no sequence does.
const fn sequence_length(lead: u8) -> Option<usize> {
    match lead.leading_ones() {
        0 => Some(1),
        length @ 2..=6 if lead > 0xC1 => Some(length as usize),
        _ => None,
    }
}

pub(crate) const fn unit_length(unit: u32) -> usize {
    // A sequence of n bytes has space for 5 n + 1 bits, a single byte for 7.
    match u32::BITS - unit.leading_zeros() {
        0..=7 => 1,
        bits @ 8..=31 => (bits as usize + 3) / 5,
        _ => 6,
    }
}

/// Encodes a unit of at most 2^31 - 1.
pub(crate) fn write_unit(unit: u32, sink: &mut impl Sink) {
    let length = unit_length(unit);
    if length == 1 {
        return sink.put(&[unit.to_le_bytes()[0]]);
    }
    let mut bytes = [0; 6];
    for (index, byte) in bytes[..length].iter_mut().enumerate() {
        let shift = 6 * (length - 1 - index);
        *byte = 0x80 | (unit >> shift & 0x3F).to_le_bytes()[0];
    }
    // The lead byte: one bit per byte, a zero, and the highest bits of the unit.
    let lead = 0xFF00 >> length & 0xFF | unit >> (6 * (length - 1));
    bytes[0] = lead.to_le_bytes()[0];
    sink.put(&bytes[..length]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(unit: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_unit(unit, &mut bytes);
        bytes
    }

    #[test]
    fn every_length_is_written_and_read_again() {
        let edges = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD800, 0xFFFF, 0x1_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF];
        for unit in edges.into_iter().chain([0x400_0000, 0x7FFF_FFFF]) {
            let bytes = written(unit);
            assert_eq!(bytes.len(), unit_length(unit), "{unit:x}");
            let text = read(&bytes).ok().unwrap();
            assert_eq!((text.units, text.is_shortest), (Vec::from([unit]), true), "{unit:x}");
        }
        assert_eq!(written(0x1_F600), "\u{1F600}".as_bytes());
        assert_eq!(written(0x7FFF_FFFF), [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]);
    }

    #[test]
    fn only_the_third_byte_decides_whether_an_overlong_form_is_refused() {
        for (refused, taken) in [
            (&b"\xE0\x80\x8F"[..], &b"\xE0\x80\x90"[..]),
            (b"\xF0\x80\x87\xBF", b"\xF0\x80\x88\x80"),
            (b"\xF8\x80\x83\xBF\xBF", b"\xF8\x80\x84\x80\x80"),
            (b"\xFC\x80\x81\xBF\xBF\xBF", b"\xFC\x80\x82\x80\x80\x80"),
        ] {
            assert_eq!(read(refused).err(), Some(0), "{refused:x?}");
            assert!(!read(taken).ok().unwrap().is_shortest, "{taken:x?}");
        }
    }

    #[test]
    fn an_invalid_sequence_is_refused_at_its_first_byte() {
        for bytes in [&b"ab\x80"[..], b"ab\xC1\x80", b"ab\xFE", b"ab\xC3", b"ab\xC3A", b"ab\xED\xA0"] {
            assert_eq!(read(bytes).err(), Some(2), "{bytes:x?}");
        }
    }
}
