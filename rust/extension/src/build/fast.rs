//! Fast path for packets that are read without the decoder's and the builder's state: a value that holds no others, an Array or a
//! Dictionary. In small packets, the state takes longer to set up than the rest to read.

use godot::builtin::PackedByteArray;
use varbytes::{Decoder, Parts, Single, VariantType};

use super::builder::EngineBuilder;
use super::checked_objects::CheckedObjects;
use super::containers::MistypedMembers;
use super::lazy_drop::LazyDrop;
use super::objects::Rejected;
use super::part_reader::PartReader;
use super::single::value_of;
use super::uncommon::{ARRAY, CALLABLE, DICTIONARY, NODE_PATH, OBJECT, SIGNAL, STRINGS, without_decoder};
use crate::engine_profile;
use crate::error::VarBytesError;
use crate::floods::Floods;
use crate::outcome::Packet;
use crate::policy::{Policy, PolicyCheck};
use crate::raw::{NewValue, was_refused};

/// The longest packet in which nothing is counted: keys and names that collide cost little in any case.
const LONGEST_UNCOUNTED: usize = 1 << 10;

const FIRST_PACKED: u32 = VariantType::PackedByteArray as u32;
const LAST_PACKED: u32 = VariantType::PackedVector4Array as u32;

/// Reads a packet as without options, and puts the number of its bytes into `used`. Returns `None` for what is read faster with the
/// state, and for malformed bytes. `array` is the one that contains the packet, if it is known. `deepest` is the deepest level, which must
/// be one that is read here; `hash_collisions` says whether keys that collide are read, even many of them.
// The value is returned alone, in registers: a pair would be copied through memory, with a store-forwarding stall.
#[inline(always)]
pub(crate) fn decode_fast(
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    deepest: usize,
    hash_collisions: bool,
    used: &mut usize,
) -> Option<NewValue> {
    if let Some((value, length)) = Single::scalar(bytes) {
        *used = length;
        return Some(value_of(value, None));
    }
    let decoder = engine_profile::decoder(false);
    match bytes.first() {
        Some(&OBJECT) => return None,
        Some(&(DICTIONARY | ARRAY)) => {
            return if bytes.len() <= LONGEST_UNCOUNTED {
                decode_parts(decoder, bytes, array, deepest, None, used)
            } else {
                decode_long_parts(decoder, bytes, array, deepest, hash_collisions, used)
            };
        }
        Some(&(NODE_PATH | CALLABLE | SIGNAL | STRINGS)) => {
            if let Some((value, length)) = without_decoder(decoder, bytes, array, None) {
                *used = length;
                return unless_refused(value);
            }
        }
        _ => {}
    }
    if let Some(decoded) = decoder.decode_single(bytes) {
        *used = decoded.used;
        return unless_refused(value_of(decoded.value, array));
    }
    decode_plain(decoder, bytes, array, used)
}

/// Returns whether a packet is an Array or a Dictionary.
#[inline]
pub(crate) fn is_container(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(&(DICTIONARY | ARRAY)))
}

type Word = [u8; 4];

/// Returns whether a packet is likely to have full objects: what comes before the first one would be built in vain. Looks for the type of
/// an object with the length and the first letters of a class, which other values rarely have. Skips what seems to be a packed array.
pub(crate) fn seems_to_have_objects(bytes: &[u8]) -> bool {
    /// How many words are compared at once, without a branch.
    const AT_ONCE: usize = 16;
    match bytes.first() {
        Some(&OBJECT) => return true,
        Some(&(DICTIONARY | ARRAY)) => {}
        _ => return false,
    }
    let is_marked = |word: &Word| {
        let word = u32::from_le_bytes(*word);
        word == u32::from(OBJECT) || word.wrapping_sub(FIRST_PACKED) <= LAST_PACKED - FIRST_PACKED
    };
    // All values begin at a word.
    let mut words: &[Word] = bytes.as_chunks().0;
    while !words.is_empty() {
        let some = &words[..words.len().min(AT_ONCE)];
        let skipped = if some.iter().fold(false, |is, word| is | is_marked(word)) {
            let before = some.iter().take_while(|word| !is_marked(word)).count();
            if begins_object(&words[before..]) {
                return true;
            }
            before + long_packed_array(&words[before..]).unwrap_or(1)
        } else {
            some.len()
        };
        words = &words[skipped..];
    }
    false
}

fn begins_object(words: &[Word]) -> bool {
    const TYPE: Word = [OBJECT, 0, 0, 0];
    const LONGEST_NAME: u32 = 64;
    let [TYPE, length, letters, ..] = words else { return false };
    let length = u32::from_le_bytes(*length);
    let is_letter = |letter: &u8| letter.is_ascii_alphanumeric() || *letter == b'_';
    (1..=LONGEST_NAME).contains(&length) && letters.iter().take(length as usize).all(is_letter)
}

/// Returns the number of words if a packed array of many elements of a fixed size begins here.
fn long_packed_array(words: &[Word]) -> Option<usize> {
    const MANY: u32 = 64;
    let [header, count, elements @ ..] = words else { return None };
    let count = u32::from_le_bytes(*count);
    let variant_type = u32::from_le_bytes(*header).checked_sub(FIRST_PACKED)?;
    let size = *[1, 4, 8, 4, 8, 0, 8, 12, 16, 16].get(variant_type as usize)?;
    let length = (count as usize).checked_mul(size)?.div_ceil(size_of::<Word>());
    (count >= MANY && size > 0 && length <= elements.len()).then_some(2 + length)
}

/// Returns whether a packet begins with more nested containers than are read here.
fn begins_too_deep(mut parts: Parts<'_>) -> bool {
    (0..=Parts::DEPTH).all(|_| parts.begin(None).is_some())
}

/// Reads a packet that may contain full objects, which the policy allows if there is one. Returns `None` for what is read with the
/// state, malformed bytes, keys that may collide, and names that are refused or new. As on the slow path, the whole packet is checked before the first object is
/// created, because that can run code.
#[inline(never)]
pub(crate) fn decode_fast_objects(
    packet: Packet<'_>,
    policy: Option<&Policy>,
    mistyped: MistypedMembers,
    hash_collisions: bool,
    rejected: &mut Rejected,
) -> Option<Result<(NewValue, usize), VarBytesError>> {
    let Packet { bytes, base, array, .. } = packet;
    let decoder = engine_profile::decoder(true);
    let mut objects = CheckedObjects::new(mistyped);
    // Resets the flag of an earlier packet.
    was_refused();
    match policy {
        None => objects.check(decoder, packet, (), hash_collisions)?,
        Some(policy) => {
            objects.note_rejected();
            objects.check(decoder, packet, PolicyCheck::new(policy), hash_collisions)?;
        }
    }
    let mut used = 0;
    let value = PartReader::read(decoder, bytes, array, Parts::DEPTH, Some(&mut objects), None, &mut used);
    Some(match value {
        Some(value) if !was_refused() => {
            *rejected = objects.take_rejected();
            Ok((value, used))
        }
        value => {
            drop(value);
            Err(objects.refuse(decoder, bytes, base))
        }
    })
}

/// Returns the value, or `None` if it is not complete: the engine had no memory, or text is not UTF-8.
#[inline(always)]
fn unless_refused(value: NewValue) -> Option<NewValue> {
    if was_refused() { None } else { Some(value) }
}

#[inline(never)]
fn decode_parts(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    deepest: usize,
    floods: Option<&mut Floods>,
    used: &mut usize,
) -> Option<NewValue> {
    let value = PartReader::read(decoder, bytes, array, deepest, None, floods, used);
    // The flag is reset also if reading has stopped early: the packet is then read again.
    if was_refused() { None } else { value }
}

/// Does the same for packets in which keys and names are counted, unless they may collide.
#[inline(never)]
fn decode_long_parts(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    deepest: usize,
    hash_collisions: bool,
    used: &mut usize,
) -> Option<NewValue> {
    if begins_too_deep(decoder.parts(bytes)?) {
        return None;
    }
    let mut floods = if hash_collisions { None } else { Some(Floods::of_packet(bytes.len())) };
    decode_parts(decoder, bytes, array, deepest, floods.as_mut(), used)
}

#[inline(never)]
fn decode_plain(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    used: &mut usize,
) -> Option<NewValue> {
    let mut builder = LazyDrop::new(EngineBuilder::new(false, MistypedMembers::AsEngine, Floods::allowed()));
    builder.array = array;
    let decoded = decoder.decode_plain_with(bytes, &mut *builder)?;
    *used = decoded.used;
    unless_refused(decoded.value)
}
