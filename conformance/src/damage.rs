//! Damaged packets: vectors with random damage from a seed.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use varbytes::{DecodeErrorKind, Decoder, Profile, VariantType};

/// A packet, and whether objects are allowed in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether objects are allowed.
    pub objects: bool,
}

/// Vectors longer than this are not damaged: damage to short ones tests the same in less time.
const LONGEST: usize = 1024;

/// Extreme sizes, and counts with bit 31.
const SIZES: [u32; 16] =
    [0, 1, 2, 3, 4, 5, 7, 8, 0x7F, 0xFF, 0x100, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFF, 0xFFFF_FFFC];

/// Headers with flags: wide, by id, with types of members.
const HEADERS: [(VariantType, u32); 8] = [
    (VariantType::Int, 1),
    (VariantType::Float, 1),
    (VariantType::Object, 1),
    (VariantType::Array, 1),
    (VariantType::Array, 2),
    (VariantType::Dictionary, 5),
    (VariantType::PackedByteArray, 0),
    (VariantType::PackedStringArray, 0),
];

/// Returns damaged copies of `sources`, which are packets of an engine. The same seed returns the same copies. If the
/// sources are short, no copy is nested too deeply for an engine without a limit.
///
/// One packet in eight allows objects, unless it has a full object; the others are read without objects. Damaged full
/// objects cannot be compared: the engine runs the setters of a class with any values, and some setters never return.
#[must_use]
pub fn damaged(sources: &[Packet], profile: Profile, seed: u64, count: usize) -> Vec<Packet> {
    damaged_where(sources, profile, seed, count, |bytes, random| {
        random.random_ratio(1, 8) && !holds_object(profile, bytes)
    })
}

/// Like [`damaged`], but all packets allow objects: for sources whose objects only have fast setters.
#[must_use]
pub fn damaged_with_objects(sources: &[Packet], profile: Profile, seed: u64, count: usize) -> Vec<Packet> {
    damaged_where(sources, profile, seed, count, |_, _| true)
}

fn damaged_where(
    sources: &[Packet],
    profile: Profile,
    seed: u64,
    count: usize,
    allows_objects: impl Fn(&[u8], &mut ChaCha8Rng) -> bool,
) -> Vec<Packet> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let short: Vec<&Packet> = sources.iter().filter(|source| source.bytes.len() <= LONGEST).collect();
    let headers = HEADERS
        .iter()
        .filter_map(|(variant_type, flags)| profile.type_id(*variant_type).map(|id| u32::from(id) | flags << 16));
    let words: Vec<u32> = SIZES.into_iter().chain(headers).collect();
    let mut packets = Vec::with_capacity(count);
    while packets.len() < count {
        let Some(source) = short.choose(&mut random) else { break };
        let mut bytes = source.bytes.clone();
        for _ in 0..random.random_range(1..=4) {
            damage(&mut bytes, &words, &short, &mut random);
        }
        let objects = allows_objects(&bytes, &mut random);
        packets.push(Packet { bytes, objects });
    }
    packets
}

/// Returns whether the engine may reach a full object. The engine reads the members of a container before it finds that
/// there are fewer than the count says, while the codec refuses the count.
#[must_use]
pub fn holds_object(profile: Profile, bytes: &[u8]) -> bool {
    Decoder::new().profile(profile).check(bytes).is_err_and(|error| {
        matches!(error.kind(), DecodeErrorKind::ObjectNotAllowed | DecodeErrorKind::CountExceedsInput { .. })
    })
}

fn damage(bytes: &mut Vec<u8>, words: &[u32], others: &[&Packet], random: &mut impl Rng) {
    if bytes.is_empty() {
        bytes.extend([0; 4]);
        return;
    }
    let place = random.random_range(0..bytes.len());
    let word = place / 4 * 4;
    match random.random_range(0..10) {
        0 | 1 => bytes[place] ^= 1 << random.random_range(0..8),
        2 => bytes[place] = random.random(),
        3 | 4 => overwrite(bytes, word, words.choose(random).copied().unwrap_or_default()),
        5 => {
            // A count or a length that is slightly wrong.
            if let Some(old) = bytes.get(word..word + 4).and_then(|old| old.try_into().ok()) {
                let off = random.random_range(-3i32..=3).cast_unsigned();
                overwrite(bytes, word, u32::from_le_bytes(old).wrapping_add(off));
            }
        }
        6 => overwrite(bytes, word, random.random_range(0..40)),
        7 => bytes.truncate(place),
        8 => {
            // Part of another packet in between.
            if let Some(other) = others.choose(random).map(|other| &other.bytes).filter(|other| !other.is_empty()) {
                let start = random.random_range(0..other.len()) / 4 * 4;
                let end = (start + 4 * random.random_range(1..=8)).min(other.len());
                bytes.splice(word..word, other[start..end].iter().copied());
            }
        }
        _ => {
            let end = (word + 4 * random.random_range(1..=3)).min(bytes.len());
            bytes.drain(word..end);
        }
    }
}

fn overwrite(bytes: &mut [u8], place: usize, word: u32) {
    for (byte, new) in bytes.iter_mut().skip(place).zip(word.to_le_bytes()) {
        *byte = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Vec<Packet> {
        (0..20u8).map(|value| Packet { bytes: vec![value; 40], objects: false }).collect()
    }

    fn damaged_by(seed: u64) -> Vec<Packet> {
        damaged(&sources(), Profile::NEWEST, seed, 200)
    }

    #[test]
    fn the_same_seed_returns_the_same_packets() {
        assert_eq!(damaged_by(7), damaged_by(7));
        assert_ne!(damaged_by(7), damaged_by(8));
    }

    /// Godot 3.2 compiles the script of the first element of `[object, …]`, and then misses the second.
    #[test]
    fn an_object_before_the_end_of_too_short_an_array_is_held() {
        let array = [[19, 0, 0, 0], [200, 0, 0, 0], [17, 0, 0, 0], [9, 0, 0, 0]].concat();
        assert!(holds_object(Profile::GODOT_3_2, &array));
    }

    #[test]
    fn most_packets_differ_from_every_source() {
        let sources = sources();
        let packets = damaged(&sources, Profile::NEWEST, 1, 1000);
        let changed = packets.iter().filter(|packet| sources.iter().all(|source| source.bytes != packet.bytes));
        assert!(changed.count() > 900);
    }
}
