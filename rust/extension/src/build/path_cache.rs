//! Paths that repeat, in a packet or from one packet to the next. To create a `NodePath`, the engine looks up each of its names.

use std::iter;

use varbytes::VariantType;

use crate::raw::{self, Kept, NewValue, SharedPath};

/// The number of paths that are known; a power of two.
const PLACES: usize = 256;
/// The longest path that is known, in bytes on the wire.
const LONGEST: usize = 96;
/// How many misses are allowed in a packet, and how many more for each hit, before its paths are no longer looked up.
const FIRST_MISSES: u32 = 32;
const MISSES_PER_HIT: u32 = 4;

const WORD: usize = 4;

/// The paths that all packets share.
static SHARED: Kept<KnownPaths> = Kept::new();

/// Returns the path at the start of a packet and the number of its bytes, if it is not long. A path that is not known is created from its
/// bytes.
pub(super) fn known_path(packet: &[u8], create: impl FnOnce(&[u8]) -> Option<NewValue>) -> Option<(NewValue, usize)> {
    /// A path without names, which `NodePath` properties have that are not set.
    const EMPTY: [u8; 16] = [VariantType::NodePath as u8, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];
    if packet.starts_with(&EMPTY) {
        return Some((raw::empty_path(), EMPTY.len()));
    }
    let bytes = bytes_of_path(packet)?;
    Some((look_up(bytes, || create(bytes)).0?, bytes.len()))
}

/// Returns the bytes of each name in the bytes of a path.
pub(super) fn names_of(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = path.get(4 * WORD..).unwrap_or_default();
    iter::from_fn(move || {
        let (size, after) = rest.split_first_chunk()?;
        let size = u32::from_le_bytes(*size) as usize;
        let name = after.get(..size)?;
        rest = after.get(size.next_multiple_of(WORD)..).unwrap_or_default();
        Some(name)
    })
}

/// Finds the paths of a packet by their bytes.
pub(super) struct PathCache {
    misses_left: u32,
}

impl PathCache {
    pub(super) const EMPTY: Self = Self { misses_left: FIRST_MISSES };

    /// Returns the path at the start of `packet`, or creates it.
    pub(super) fn path(&mut self, packet: &[u8], create: impl FnOnce() -> Option<NewValue>) -> Option<NewValue> {
        let bytes = if self.misses_left > 0 { bytes_of_path(packet) } else { None };
        let Some(bytes) = bytes else { return create() };
        let (path, was_known) = look_up(bytes, create);
        self.misses_left =
            if was_known { self.misses_left.saturating_add(MISSES_PER_HIT) } else { self.misses_left - 1 };
        path
    }
}

/// Returns the path with these bytes, or creates it, and whether the bytes were known.
fn look_up(bytes: &[u8], create: impl FnOnce() -> Option<NewValue>) -> (Option<NewValue>, bool) {
    let mut known = SHARED.take_or(KnownPaths::none);
    let place = &mut known.0[place_of(bytes)];
    if !place.is_of(bytes) {
        place.length = bytes.len();
        place.bytes[..bytes.len()].copy_from_slice(bytes);
        place.path = None;
        return (create(), false);
    }
    if let Some(path) = &place.path {
        return (Some(path.value()), true);
    }
    let created = create().map(|path| {
        let value = path.into_variant();
        place.path = SharedPath::of(&value);
        value.into()
    });
    (created, true)
}

/// Returns the bytes of the `NodePath` at the start of a packet, if it is in the usual form, complete with its padding, and not long.
fn bytes_of_path(packet: &[u8]) -> Option<&[u8]> {
    const IS_CURRENT: u32 = 1 << 31;
    const IS_ABSOLUTE: u32 = 1;
    let packet = packet.get(..LONGEST).unwrap_or(packet);
    let ([header, names, subnames, flags], _) = packet.as_chunks().0.split_first_chunk()?;
    let [header, names, subnames, flags] = [header, names, subnames, flags].map(|word| u32::from_le_bytes(*word));
    if header != VariantType::NodePath as u32 || names & IS_CURRENT == 0 || flags & !IS_ABSOLUTE != 0 {
        return None;
    }
    let mut length = 4 * WORD;
    for _ in 0..u64::from(names & !IS_CURRENT) + u64::from(subnames) {
        let size = packet.get(length..)?.first_chunk().map(|word| u32::from_le_bytes(*word))?;
        length += WORD + usize::try_from(size).ok()?.checked_next_multiple_of(WORD)?;
    }
    packet.get(..length)
}

/// Returns the place of a path. All of its bytes count.
fn place_of(bytes: &[u8]) -> usize {
    let mix = |mixed: u64, word: u64| (mixed ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let (words, rest) = bytes.as_chunks();
    let mixed = words.iter().fold(bytes.len() as u64, |mixed, word| mix(mixed, u64::from_le_bytes(*word)));
    let mixed = rest.first_chunk().map_or(mixed, |half| mix(mixed, u32::from_le_bytes(*half).into()));
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (u64::BITS - PLACES.ilog2())) as usize
}

/// The last path in each place.
struct KnownPaths([KnownPath; PLACES]);

impl KnownPaths {
    #[cold]
    const fn none() -> Self {
        Self([const { KnownPath { length: 0, bytes: [0; LONGEST], path: None } }; PLACES])
    }
}

struct KnownPath {
    length: usize,
    bytes: [u8; LONGEST],
    /// `None` until the path has repeated.
    path: Option<SharedPath>,
}

impl KnownPath {
    fn is_of(&self, bytes: &[u8]) -> bool {
        self.bytes.get(..self.length) == Some(bytes)
    }
}
