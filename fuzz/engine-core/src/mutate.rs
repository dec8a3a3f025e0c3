//! Structure-aware mutation: edits the parts of a packet, such as headers, counts and members.

use std::env;
use std::sync::OnceLock;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use varbytes::build::{Builder, DuplicateKeys, Leaf};
use varbytes::variant::{ContainerType, Text};
use varbytes::{DecodeErrorKind, Decoder};
use varbytes_conformance::damage::Packet;
use varbytes_conformance::reference::Reference;
use varbytes_conformance::vectors::VectorSet;

/// The environment variable that turns this mutation off, to measure what it adds.
pub const MUTATOR_VARIABLE: &str = "VARBYTES_MUTATOR";

/// Only vectors up to this length are inserted.
const LONGEST_DONOR: usize = 96;

/// Extreme counts and lengths.
const EXTREMES: [u32; 10] = [0, 1, 2, 0x7F, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFC, 0xFFFF_FFFF];

/// The flags of headers: wide or by id, and kinds of member types.
const FLAGS: [u32; 8] = [0, 1, 2, 3, 4, 5, 8, 0xF];

/// The highest type of any engine.
const LAST_TYPE: u32 = 38;

/// Changes one to three parts of a packet in the first `size` bytes of `data`. Returns the new size, at most `limit`.
/// Returns `None` if the fuzzer should change the bytes by itself: in half of all cases, always if
/// [`MUTATOR_VARIABLE`] is `off`, and if there is no part to change.
pub fn mutate(data: &mut [u8], size: usize, limit: usize, seed: u32) -> Option<usize> {
    static OFF: OnceLock<bool> = OnceLock::new();
    let is_off = *OFF.get_or_init(|| env::var_os(MUTATOR_VARIABLE).is_some_and(|value| value == "off"));
    if is_off || seed.is_multiple_of(2) { None } else { mutate_parts(data, size, limit, seed) }
}

fn mutate_parts(data: &mut [u8], size: usize, limit: usize, seed: u32) -> Option<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed.into());
    let mut packet = data.get(..size)?.to_vec();
    edit(&mut packet, &mut random)?;
    for _ in 0..random.random_range(0..3) {
        // The last change may have left no part.
        if edit(&mut packet, &mut random).is_none() {
            break;
        }
    }
    packet.truncate(limit.min(data.len()));
    data[..packet.len()].copy_from_slice(&packet);
    Some(packet.len())
}

/// Changes one part.
fn edit(packet: &mut Vec<u8>, random: &mut ChaCha8Rng) -> Option<()> {
    let parts = &*Parts::of(packet).list;
    let part = *parts.choose(random)?;
    let whole = part.start..part.whole.min(packet.len());
    match random.random_range(0..11) {
        0 => change(packet, part.start, |header| header & !0xFF | random.random_range(0..=LAST_TYPE)),
        1 => {
            let flags = FLAGS.choose(random).copied().unwrap_or_default();
            change(packet, part.start, |header| header & 0xFFFF | flags << 16);
        }
        2 => {
            let count = EXTREMES.choose(random).copied().unwrap_or_default();
            change(packet, part.count_at(), |_| count);
        }
        3 => {
            let by = random.random_range(-3_i32..=3).cast_unsigned();
            change(packet, part.count_at(), |count| count.wrapping_add(by));
        }
        4 => drop(packet.splice(whole, donor(random)?.iter().copied())),
        5 => insert(packet, parts, part, random)?,
        6 => remove(packet, parts, part),
        7 => {
            let copy = packet.get(whole.clone())?.to_vec();
            packet.splice(whole.end..whole.end, copy);
            count_member(packet, parts, part, 1);
        }
        8 => {
            // Into an array, of this type or without one.
            let header = word_at(packet, part.start)?;
            let typed = [0x0001_001C, header & 0xFF, 1].map(u32::to_le_bytes).concat();
            let untyped = [0x1C, 1].map(u32::to_le_bytes).concat();
            let wrapping = if random.random() { typed } else { untyped };
            packet.splice(part.start..part.start, wrapping);
        }
        9 => {
            // The type of the members of an array, before its count.
            change(packet, part.start, |header| header | 1 << 16);
            let member_type = random.random_range(0..=LAST_TYPE).to_le_bytes();
            let at = part.start + 4;
            if at <= packet.len() {
                packet.splice(at..at, member_type);
            }
        }
        _ => {
            let words = whole.len() / 4;
            let at = whole.start + 4 * random.random_range(0..words.max(1));
            let bit = 1 << random.random_range(0..32);
            change(packet, at, |word| word ^ bit);
        }
    }
    Some(())
}

/// Inserts a vector before a part. In a dictionary, the vector becomes a key, and the part its value.
fn insert(packet: &mut Vec<u8>, parts: &[Part], part: Part, random: &mut ChaCha8Rng) -> Option<()> {
    packet.splice(part.start..part.start, donor(random)?.iter().copied());
    count_member(packet, parts, part, 1);
    Some(())
}

fn remove(packet: &mut Vec<u8>, parts: &[Part], part: Part) {
    let end = part.whole.min(packet.len());
    packet.drain(part.start..end);
    count_member(packet, parts, part, u32::MAX);
}

/// Adds to the count of the container that holds a part.
fn count_member(packet: &mut [u8], parts: &[Part], part: Part, by: u32) {
    if let Some(container) = part.container.and_then(|container| parts.get(container)) {
        change(packet, container.count_at(), |count| count.wrapping_add(by));
    }
}

fn word_at(packet: &[u8], at: usize) -> Option<u32> {
    packet.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn change(packet: &mut [u8], at: usize, new: impl FnOnce(u32) -> u32) {
    if let Some(word) = word_at(packet, at) {
        packet[at..at + 4].copy_from_slice(&new(word).to_le_bytes());
    }
}

/// Returns a short vector of Godot 4 or 3.
fn donor(random: &mut ChaCha8Rng) -> Option<&'static [u8]> {
    static DONORS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let donors = DONORS.get_or_init(|| {
        let sets = [Reference::GODOT_4, Reference::GODOT_3_6].into_iter();
        let sets = sets.filter_map(|reference| VectorSet::load(&reference.folder()).ok());
        let packets = sets.flat_map(|set| set.packets()).map(|Packet { bytes, .. }| bytes);
        packets.filter(|bytes| bytes.len() <= LONGEST_DONOR && bytes.len().is_multiple_of(4)).collect()
    });
    donors.choose(random).map(Vec::as_slice)
}

/// A part of a packet: a value that holds no others, or the header of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    start: usize,
    /// The end of the header, or of the value.
    end: usize,
    /// The end of the value with all of its members.
    whole: usize,
    /// The part that is the header of its container.
    container: Option<usize>,
    holds_members: bool,
}

impl Part {
    /// Returns the offset of the count of members, or of the length.
    const fn count_at(&self) -> usize {
        if self.holds_members && self.end >= 4 { self.end - 4 } else { self.start + 4 }
    }
}

/// Collects the parts of a packet, up to its first error.
#[derive(Default)]
struct Parts {
    list: Vec<Part>,
    open: Vec<usize>,
    /// Whether the next span is the header of a container.
    opens: bool,
}

impl Parts {
    fn of(packet: &[u8]) -> Self {
        let mut parts = Self::default();
        // The parts before an error are kept.
        let _ = Decoder::new().objects(true).decode_prefix_with(packet, &mut parts);
        parts
    }

    fn begin(&mut self) {
        self.opens = true;
    }

    fn end(&mut self) {
        let end = self.list.last().map(|part| part.whole);
        if let (Some(header), Some(end)) = (self.open.pop(), end) {
            self.list[header].whole = end;
        }
    }
}

impl<'a> Builder<'a> for Parts {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    type Object = ();
    type Strings = ();

    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;
    const FAST_PATH: bool = false;
    const WANTS_SPANS: bool = true;

    fn span(&mut self, start: usize, end: usize) {
        let holds_members = std::mem::take(&mut self.opens);
        let container = self.open.last().copied();
        if holds_members {
            self.open.push(self.list.len());
        }
        self.list.push(Part { start, end, whole: end, container, holds_members });
    }

    fn leaf(&mut self, _: Leaf<'_, 'a>) {}

    fn begin_strings(&mut self, _: usize) {
        self.begin();
    }
    fn push_string(&mut self, (): &mut (), _: &'a str) {}
    fn push_owned_string(&mut self, (): &mut (), _: &Text) {}
    fn end_strings(&mut self, (): ()) {
        self.end();
    }

    fn begin_array(&mut self, _: usize, _: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        self.begin();
        Ok(())
    }
    fn push_element(&mut self, (): &mut (), (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
    fn end_array(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.end();
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        _: usize,
        _: Option<ContainerType>,
        _: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        self.begin();
        Ok(())
    }
    fn push_entry(&mut self, (): &mut (), (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
    fn end_dictionary(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.end();
        Ok(())
    }

    fn begin_object(&mut self, _: &'a str, _: usize) -> Result<(), DecodeErrorKind> {
        self.begin();
        Ok(())
    }
    fn push_property(&mut self, (): &mut (), _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
    fn end_object(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[[true], 7]`
    fn nested() -> Vec<u8> {
        [28, 2, 28, 1, 1, 1, 2, 7].map(u32::to_le_bytes).concat()
    }

    #[test]
    fn a_part_ends_with_its_members() {
        let parts = Parts::of(&nested()).list;
        let ranges: Vec<_> = parts.iter().map(|part| (part.start, part.end, part.whole, part.container)).collect();
        assert_eq!(ranges, [(0, 8, 32, None), (8, 16, 24, Some(0)), (16, 24, 24, Some(1)), (24, 32, 32, Some(0))]);
    }

    #[test]
    fn a_removed_member_is_no_longer_counted() {
        let mut packet = nested();
        let parts = Parts::of(&packet).list;
        remove(&mut packet, &parts, parts[1]);
        assert_eq!(packet, [28, 1, 2, 7].map(u32::to_le_bytes).concat());
    }

    #[test]
    fn many_mutations_of_a_vector_can_be_read() {
        let mut readable = 0;
        for seed in 0..1000 {
            let mut data = nested();
            data.resize(4096, 0);
            let size = mutate_parts(&mut data, 32, 4096, seed).expect("it has parts");
            readable += u32::from(Decoder::new().objects(true).decode_prefix(&data[..size]).is_ok());
        }
        assert!(readable > 200, "{readable}");
    }
}
