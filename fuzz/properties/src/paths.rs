//! The fast and the slow path of the reader agree.

use std::fmt::Debug;
use std::mem;

use varbytes::build::{Leaf, TreeBuilder};
use varbytes::variant::{Array, ContainerType, Dictionary, PackedNumbers, Reals};
use varbytes::{
    Beginning, DecodeError, DecodeErrorKind, Decoded, Decoder, KnownNames, Limits, Parts, Precision, Single, Variant,
    VariantType,
};

use crate::PacketInput;

/// With every option of the reader, the fast path and the slow path return the same, for the owned tree, the borrowed
/// tree and the check that builds nothing, and for canonical and other bytes.
///
/// # Panics
/// If that does not hold.
pub fn paths(input: &[u8]) {
    let Some(input) = PacketInput::read(input) else { return };
    for choice in 0..CHOICES {
        paths_agree(decoder(&input, choice), input.packet);
    }
}

/// Checks one of the decoders of [`paths`], chosen by the bytes, for a fuzz target that tries many inputs.
pub(crate) fn one_decoder(input: &PacketInput<'_>) -> Decoder {
    let sum: usize = input.packet.iter().map(|byte| usize::from(*byte)).sum();
    decoder(input, sum % CHOICES)
}

/// Returns the decoders to try.
const CHOICES: usize = 12;

fn decoder(input: &PacketInput<'_>, choice: usize) -> Decoder {
    let length = input.packet.len();
    let exact = input.exact();
    let enforcing = exact.enforce_types(true);
    let limited = |limits: Limits| exact.limits(limits);
    match choice {
        0 => exact,
        1 => enforcing,
        2 => enforcing.limits(Limits::untrusted(length)),
        3 => exact.precision(Precision::Single),
        4 => enforcing.precision(Precision::Double),
        5 => exact.fix_engine_bugs(true).release_build(true),
        6 => limited(Limits::NONE.depth(length % 12)),
        7 => limited(Limits::NONE.values(length / 16)),
        8 => limited(Limits::NONE.packed_elements(length / 32)),
        9 => limited(Limits::NONE.string_length(length % 32)),
        10 => limited(Limits::NONE.memory(needed_memory(exact, input.packet))),
        _ => limited(Limits::NONE.memory(needed_memory(exact, input.packet).saturating_sub(1))),
    }
}

/// Returns the lowest memory limit with which the packet is read.
fn needed_memory(decoder: Decoder, packet: &[u8]) -> usize {
    let (mut low, mut high) = (0, packet.len() * 64 + 4096);
    while low < high {
        let memory = low.midpoint(high);
        let read = decoder.limits(Limits::NONE.memory(memory)).decode_prefix(packet);
        let crosses = read.is_err_and(|error| matches!(error.kind(), DecodeErrorKind::MemoryLimit { .. }));
        if crosses { low = memory + 1 } else { high = memory }
    }
    low
}

/// Asserts that both paths return the same value bit for bit, the same number of bytes, and the same error.
pub(crate) fn paths_agree(decoder: Decoder, packet: &[u8]) {
    let slow = decoder.slow_path_only(true);
    let (fast_tree, slow_tree) = (decoder.decode_prefix(packet), slow.decode_prefix(packet));
    same(&decoder, packet, &fast_tree, &slow_tree, Variant::bit_eq);
    let (fast, slow_borrowed) = (decoder.decode_borrowed_prefix(packet), slow.decode_borrowed_prefix(packet));
    same(&decoder, packet, &fast, &slow_borrowed, |fast, slow| fast.to_variant().bit_eq(&slow.to_variant()));
    let (fast, slow_check) = (decoder.check(packet), slow.check(packet));
    same(&decoder, packet, &fast, &slow_check, |(), ()| true);
    if let Some(fast) = decoder.decode_plain_with(packet, &mut TreeBuilder) {
        same(&decoder, packet, &Ok(fast), &slow_tree, Variant::bit_eq);
    }
    // The second pass begins with the names that the first one has read.
    let mut names = KnownNames::default();
    for _ in 0..2 {
        let named = decoder.decode_with_names(packet, &mut TreeBuilder, &mut names);
        same(&decoder, packet, &named, &slow_tree, Variant::bit_eq);
    }
    let single =
        decoder.decode_single(packet).and_then(|fast| Some((of_single(fast.value)?, fast.consumed, fast.used)));
    let parts = decoder.parts(packet).and_then(|mut parts| {
        let value = of_parts(&mut parts, None, Parts::DEPTH)?;
        Some((value, parts.used(), parts.used()))
    });
    if let Some((value, consumed, used)) = single.or(parts) {
        let is_same = slow_tree.is_ok_and(|slow| {
            value.bit_eq(&with_keys_of_newest(slow.value)) && (consumed, used) == (slow.consumed, slow.used)
        });
        assert!(is_same, "{value:?}\n{decoder:?} on {}", hex::encode(packet));
    }
}

/// Returns `None` if text is not UTF-8.
fn of_single(single: Single<'_>) -> Option<Variant> {
    let text = |ascii| str::from_utf8(ascii).expect("ASCII");
    let leaf = match &single {
        Single::Nil => Leaf::Nil,
        Single::Bool(value) => Leaf::Bool(*value),
        Single::Int(value) => Leaf::Int(*value),
        Single::Float(value) => Leaf::Float(*value),
        Single::Ascii(ascii) => Leaf::String(text(ascii)),
        Single::NotAscii(text) => Leaf::String(str::from_utf8(text).ok()?),
        Single::AsciiName(ascii) => Leaf::StringName(text(ascii)),
        Single::NotAsciiName(text) => Leaf::StringName(str::from_utf8(text).ok()?),
        Single::Numbers(variant_type, bytes) => {
            let bytes = bytes.as_chunks().0;
            let reals: Vec<f32> = bytes.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            let integers: Vec<i32> = bytes.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
            let leaf = match variant_type {
                VariantType::Color => Leaf::Color(reals.try_into().expect("four components")),
                _ if variant_type.integer_components() > 0 => Leaf::Integers(*variant_type, &integers),
                _ => Leaf::Reals(*variant_type, Reals::Single(&reals)),
            };
            return Some(leaf.into_variant());
        }
        Single::Rid(id) => Leaf::RID(*id),
        Single::Packed(VariantType::PackedByteArray, bytes) => Leaf::PackedBytes(bytes),
        Single::Packed(variant_type, elements) => {
            Leaf::PackedNumbers(PackedNumbers::of_elements(*variant_type, elements))
        }
    };
    Some(leaf.into_variant())
}

/// Reads a value of the declared type.
fn of_parts(parts: &mut Parts<'_>, declared: Option<VariantType>, depth: usize) -> Option<Variant> {
    let mut single = [Single::Nil];
    if parts.read_singles(&mut single, [declared; 2]) == 1 {
        return of_single(single[0]);
    }
    if declared.is_none_or(|declared| declared == VariantType::PackedStringArray)
        && let Some(strings) = of_strings(parts)
    {
        return Some(strings);
    }
    let Beginning { is_dictionary, count, types } = parts.begin(declared)?;
    let depth = depth.checked_sub(1)?;
    let [first, second] = types.map(|declared| declared.map(ContainerType::Builtin));
    if !is_dictionary {
        let members: Option<Vec<_>> = (0..count).map(|_| of_parts(parts, types[0], depth)).collect();
        return Some(Array::with_type_unchecked(first, members?).into());
    }
    let mut dictionary = Dictionary::new();
    for _ in 0..count {
        let mut key = [Single::Nil];
        if parts.read_singles(&mut key, [types[0]; 2]) == 0 {
            return None;
        }
        dictionary.insert(of_single(key[0])?, of_parts(parts, types[1], depth)?);
    }
    Some(Dictionary::with_types_unchecked(first, second, dictionary.into_entries()).into())
}

/// Reads a `PackedStringArray`. Reads nothing if there is none, or if its strings are not read as they are.
fn of_strings(parts: &mut Parts<'_>) -> Option<Variant> {
    let mut read = parts.clone();
    let count = read.begin_strings()?;
    let strings = (0..count).map(|_| match of_single(read.terminated_text()?)? {
        Variant::String(text) => Some(text),
        other => panic!("{other:?} is no text"),
    });
    let strings = strings.collect::<Option<Vec<_>>>()?;
    *parts = read;
    Some(Variant::PackedStringArray(strings.into()))
}

/// Inserts every entry of Dictionaries again, by the rules of the newest engine for duplicate keys, as the addon inserts them into a
/// Dictionary of the engine. Older engines keep some keys apart that are equal in it.
fn with_keys_of_newest(value: Variant) -> Variant {
    match value {
        Variant::Array(mut array) => {
            for element in array.elements_mut_unchecked() {
                *element = with_keys_of_newest(mem::take(element));
            }
            array.into()
        }
        Variant::Dictionary(dictionary) => {
            let [first, second] = [dictionary.key_type(), dictionary.value_type()].map(Option::<&_>::cloned);
            let mut inserted = Dictionary::new();
            for (key, value) in dictionary.into_entries() {
                inserted.insert(key, with_keys_of_newest(value));
            }
            Dictionary::with_types_unchecked(first, second, inserted.into_entries()).into()
        }
        leaf => leaf,
    }
}

/// Asserts the same value, number of bytes and error.
pub(crate) fn same<T: Debug>(
    decoder: &Decoder,
    packet: &[u8],
    fast: &Result<Decoded<T>, DecodeError>,
    slow: &Result<Decoded<T>, DecodeError>,
    is_same: impl Fn(&T, &T) -> bool,
) {
    let shown = || format!("fast: {fast:?}\nslow: {slow:?}\n{decoder:?} on {}", hex::encode(packet));
    match (fast, slow) {
        (Ok(fast), Ok(slow)) => {
            assert_eq!((fast.used, fast.consumed), (slow.used, slow.consumed), "{}", shown());
            assert!(is_same(&fast.value, &slow.value), "{}", shown());
        }
        (Err(fast), Err(slow)) => {
            assert_eq!(fast, slow, "{}", shown());
            assert_eq!(fast.to_string(), slow.to_string(), "{}", shown());
        }
        _ => panic!("{}", shown()),
    }
}
