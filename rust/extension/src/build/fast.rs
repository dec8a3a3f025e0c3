//! Fast path for packets that are read without the decoder's and the builder's state: a value that holds no others, an Array or a
//! Dictionary. In small packets, the state takes longer to set up than the rest to read.

use godot::builtin::PackedByteArray;
use varbytes::{Decoder, Parts, Single};

use super::builder::EngineBuilder;
use super::checked_objects::{CheckedObjects, FastObjects};
use super::containers::MistypedMembers;
use super::lazy_drop::LazyDrop;
use super::object_check;
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

/// Returns whether a packet begins with more nested containers than are read here.
fn begins_too_deep(mut parts: Parts<'_>) -> bool {
    (0..=Parts::DEPTH).all(|_| parts.begin(None).is_some())
}

/// Reads a packet that may contain full objects, which the policy allows if there is one. Returns `None` for what is read with the
/// state, malformed bytes, keys that may collide, and names that are refused or new. As on the slow path, the whole packet is checked
/// before the first object is created, because that can run code.
#[inline(never)]
pub(crate) fn decode_fast_objects(
    packet: Packet<'_>,
    policy: Option<&Policy>,
    how: FastObjects,
    rejected: &mut Rejected,
) -> Option<Result<(NewValue, usize), VarBytesError>> {
    let Packet { bytes, base, array, .. } = packet;
    let decoder = engine_profile::decoder(true);
    let mut objects = CheckedObjects::new(how);
    // Resets the flag of an earlier packet.
    was_refused();
    match policy {
        None => object_check::check(&mut objects, decoder, packet, (), how)?,
        Some(policy) => {
            objects.note_rejected();
            object_check::check(&mut objects, decoder, packet, PolicyCheck::new(policy), how)?;
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
