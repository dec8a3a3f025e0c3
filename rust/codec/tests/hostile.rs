//! Malicious input: no panic, no stack overflow, no excessive allocation, no excessive time.

use std::thread;

use varbytes::variant::{Array, Dictionary};
use varbytes::{Category, DecodeErrorKind, Decoder, Encoder, Limits, Profile, Variant};

/// The default stack size of Rust threads, set explicitly because the tests depend on it.
const STACK: usize = 2 << 20;

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// Returns the headers of `levels` nested untyped arrays of one element each, without an innermost value.
fn nested_arrays(levels: usize) -> Vec<u8> {
    [28, 0, 0, 0, 1, 0, 0, 0].repeat(levels)
}

/// Returns the headers of untyped dictionaries of one entry each, each the key of the one around it.
fn nested_dictionaries(levels: usize) -> Vec<u8> {
    [27, 0, 0, 0, 1, 0, 0, 0].repeat(levels)
}

fn word(word: u32) -> [u8; 4] {
    word.to_le_bytes()
}

fn kind_of(bytes: &[u8]) -> DecodeErrorKind {
    Decoder::new().objects(true).decode(bytes).unwrap_err().kind().clone()
}

#[test]
fn inputs_shorter_than_a_header_are_truncated() {
    for bytes in [&[][..], &[4], &[4, 0], &[4, 0, 0]] {
        let error = varbytes::decode(bytes).unwrap_err();
        assert_eq!(*error.kind(), DecodeErrorKind::Truncated { needed: 4, available: bytes.len() });
        assert_eq!(error.offset(), 0);
    }
}

#[test]
fn a_2_mb_nest_of_arrays_reaches_the_depth_limit() {
    on_a_small_stack(|| {
        let error = varbytes::decode(&nested_arrays(262_144)).unwrap_err();
        assert_eq!(*error.kind(), DecodeErrorKind::DepthLimit { limit: 1024 });
        assert_eq!((error.offset(), error.path().steps().len()), (1025 * 8, 1025));
    });
}

#[test]
fn a_2_mb_nest_of_dictionaries_reaches_the_depth_limit() {
    on_a_small_stack(|| {
        let error = varbytes::decode(&nested_dictionaries(262_144)).unwrap_err();
        assert_eq!(*error.kind(), DecodeErrorKind::DepthLimit { limit: 1024 });
    });
}

#[test]
fn the_deepest_value_an_engine_reads_is_decoded_compared_cloned_printed_and_dropped() {
    on_a_small_stack(|| {
        let mut bytes = nested_arrays(1024);
        bytes.extend([28, 0, 0, 0, 0, 0, 0, 0]);
        let value = varbytes::decode(&bytes).unwrap();
        assert_eq!(value, value.clone());
        assert!(value.bit_eq(&value.clone()));
        assert_eq!(format!("{value:?}").len(), 1025 * "Array[]".len());
        assert_eq!(varbytes::encode(&value).unwrap(), bytes);
    });
}

#[test]
fn a_value_nested_a_million_deep_is_compared_cloned_printed_refused_and_dropped() {
    on_a_small_stack(|| {
        let mut value = Variant::Nil;
        for level in 0..1_000_000 {
            value = match level % 2 {
                0 => Variant::from(Array::from(vec![value])),
                _ => Variant::from(Dictionary::from(vec![(value, Variant::Nil)])),
            };
        }
        let copy = value.clone();
        assert!(value == copy && value.bit_eq(&copy));
        assert!(format!("{value:?}").starts_with("Dictionary{Array[Dictionary{"));
        let error = varbytes::encode(&value).unwrap_err();
        assert_eq!(error.category(), Category::Limit);
        assert_eq!(error.path().steps().len(), 1025);
    });
}

#[test]
fn a_strict_error_deep_inside_needs_no_more_stack() {
    on_a_small_stack(|| {
        // The innermost of 1025 values is a bool of 2.
        let mut bytes = nested_arrays(1024);
        bytes.extend([word(1), word(2)].concat());
        let error = Decoder::new().strict(true).decode(&bytes).unwrap_err();
        assert_eq!(error.category(), Category::Malformed);
        assert_eq!((error.offset(), error.path().steps().len()), (1024 * 8 + 4, 1024));
    });
}

#[test]
fn counts_of_2_to_31_minus_1_are_refused_at_the_count() {
    let count = word(0x7FFF_FFFF);
    for id in [27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38] {
        let bytes = [&[id, 0, 0, 0][..], &count, &[0; 64]].concat();
        let error = varbytes::decode(&bytes).unwrap_err();
        let expected = DecodeErrorKind::CountExceedsInput { count: 0x7FFF_FFFF, available: 64 };
        assert_eq!((error.kind(), error.offset()), (&expected, 4), "type {id}");
    }
}

#[test]
fn messages_count_one_byte_as_one() {
    let message = |decoder: Decoder, bytes: &[u8]| decoder.decode(bytes).unwrap_err().to_string();
    let array = [28, 0, 0, 0, 1, 0, 0, 0, 7];
    assert!(
        message(Decoder::new(), &array[..8])
            .starts_with("count is 1, which does not fit: 0 bytes are left, at offset 4")
    );
    assert!(message(Decoder::new(), &array).starts_with("count is 1, which does not fit: 1 byte is left, at offset 4"));
    let strict = Decoder::new().strict(true);
    assert!(message(strict, &[0, 0, 0, 0, 7]).starts_with("1 byte follows the value, at offset 4"));
    assert!(message(strict, &[0, 0, 0, 0, 7, 7]).starts_with("2 bytes follow the value, at offset 4"));
}

#[test]
fn a_count_of_properties_of_2_to_31_minus_1_is_refused() {
    let bytes = [&[24, 0, 0, 0, 4, 0, 0, 0][..], b"Node", &word(0x7FFF_FFFF), &[0; 64]].concat();
    assert_eq!(kind_of(&bytes), DecodeErrorKind::CountExceedsInput { count: 0x7FFF_FFFF, available: 64 });
}

#[test]
fn counts_that_only_fit_one_at_a_time_are_refused() {
    // Each array announces as many members as the rest of the input has words. Allocating for all of them would take
    // memory in proportion to the square of the input.
    let mut bytes = Vec::new();
    for level in 0..1000u32 {
        bytes.extend([28, 0, 0, 0]);
        bytes.extend(word(2 * (1000 - level) - 2));
    }
    assert_eq!(kind_of(&bytes).category(), Category::Truncated);
}

#[test]
fn lengths_that_overflow_when_padded_are_refused() {
    for length in [0x7FFF_FFFF, 0x7FFF_FFFD, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFC] {
        for id in [4, 21, 22, 24, 26, 34] {
            let head: &[&[u8]] = match id {
                22 => &[&[22, 0, 0, 0], &word(0x8000_0001), &word(0), &word(0)],
                34 => &[&[34, 0, 0, 0], &word(1)],
                _ => &[&[id, 0, 0, 0]],
            };
            let bytes = [&head.concat()[..], &word(length), b"text"].concat();
            let category = kind_of(&bytes).category();
            let expected = if length < 0x8000_0000 { Category::Truncated } else { Category::Malformed };
            assert_eq!(category, expected, "type {id}, length {length:#x}");
        }
    }
}

#[test]
fn a_node_path_whose_counts_wrap_around_has_the_remaining_strings() {
    // The engine adds the counts in 32 bits: 0x7FFFFFFF + 0x80000001 is 0.
    let bytes = [word(22), word(0xFFFF_FFFF), word(0x8000_0001), word(0)].concat();
    assert_eq!(varbytes::decode(&bytes).unwrap(), Variant::from(varbytes::variant::NodePath::default()));
}

#[test]
fn many_duplicate_keys_become_one_entry_with_the_last_value() {
    let mut bytes = [word(27), word(200_000)].concat();
    for value in 0..200_000u32 {
        bytes.extend([word(4), word(1), word(0x61), word(2), word(value)].concat());
    }
    let Variant::Dictionary(dictionary) = varbytes::decode(&bytes).unwrap() else { panic!("not a dictionary") };
    assert_eq!(dictionary.entries(), [(Variant::from("a"), Variant::from(199_999))]);
    assert_eq!(Decoder::new().check(&bytes).unwrap().used, bytes.len());
    assert_eq!(Decoder::new().strict(true).decode(&bytes).unwrap_err().offset(), 4);
}

#[test]
fn half_a_million_different_keys_are_all_kept() {
    let entries = (0..500_000).map(|key| (Variant::from(key), Variant::Nil)).collect::<Vec<_>>();
    let bytes = varbytes::encode(&Variant::from(entries)).unwrap();
    let Variant::Dictionary(dictionary) = varbytes::decode(&bytes).unwrap() else { panic!("not a dictionary") };
    assert_eq!(dictionary.entries().len(), 500_000);
}

/// Returns a dictionary of `count` keys with null values.
fn dictionary_of(count: u32, key: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = [word(27), word(count)].concat();
    for index in 0..count {
        bytes.extend(key(index));
        bytes.extend(word(0));
    }
    bytes
}

fn entries_of(bytes: &[u8]) -> usize {
    let Variant::Dictionary(dictionary) = varbytes::decode(bytes).unwrap() else { panic!("not a dictionary") };
    dictionary.entries().len()
}

// The next three would take hours if keys that are never equal were compared with all earlier keys.

#[test]
fn objects_with_the_same_id_are_different_keys_in_linear_time() {
    let bytes = dictionary_of(200_000, |_| [word(0x0001_0018), word(7), word(0)].concat());
    assert_eq!(entries_of(&bytes), 200_000);
}

#[test]
fn nans_inside_keys_are_different_keys_in_linear_time() {
    let bytes = dictionary_of(200_000, |_| [word(28), word(1), word(3), word(0x7FC0_0000)].concat());
    assert_eq!(entries_of(&bytes), 200_000);
}

#[test]
fn strings_and_string_names_inside_keys_are_different_keys_in_linear_time() {
    let bytes = dictionary_of(1 << 16, |index| {
        let members = (0..16).flat_map(|bit| [word(if index >> bit & 1 == 0 { 4 } else { 21 }), word(0)]);
        [word(28), word(16)].into_iter().chain(members).flatten().collect()
    });
    assert_eq!(entries_of(&bytes), 1 << 16);
}

#[test]
fn deep_keys_that_are_equal_at_every_level_are_read_in_one_pass() {
    // Each level is a dictionary with the same deep key twice, so both are compared.
    let mut key = Variant::from(0);
    for _ in 0..12 {
        key = Variant::from(vec![(key.clone(), Variant::Nil), (key, Variant::from(1))]);
    }
    let bytes = varbytes::encode(&key).unwrap();
    let decoded = varbytes::decode(&bytes).unwrap();
    let mut levels = 0;
    let mut inner = &decoded;
    while let Variant::Dictionary(dictionary) = inner {
        assert_eq!(dictionary.entries().len(), 1);
        inner = &dictionary.entries()[0].0;
        levels += 1;
    }
    assert_eq!(levels, 12);
}

#[test]
fn every_limit_has_its_own_error() {
    let value = Variant::from(vec![Variant::from("twelve bytes"), Variant::from(vec![1i32, 2, 3])]);
    let bytes = varbytes::encode(&value).unwrap();
    let kind = |limits| Decoder::new().limits(limits).decode(&bytes).unwrap_err().kind().clone();
    let none = Limits::default();
    assert_eq!(kind(none.depth(0)), DecodeErrorKind::DepthLimit { limit: 0 });
    assert_eq!(kind(none.values(1)), DecodeErrorKind::ValueLimit { limit: 1 });
    assert_eq!(kind(none.packed_elements(2)), DecodeErrorKind::ElementLimit { limit: 2 });
    assert_eq!(kind(none.memory(95)), DecodeErrorKind::MemoryLimit { limit: 95 });
    assert_eq!(kind(none.string_length(11)), DecodeErrorKind::StringLimit { limit: 11, length: 12 });
    let enough = none.depth(1).values(2).packed_elements(3).memory(96).string_length(12);
    assert_eq!(Decoder::new().limits(enough).decode(&bytes).unwrap(), value);
}

#[test]
fn the_nul_at_the_end_of_a_packed_string_does_not_count_as_text() {
    let value = Variant::from(vec!["lant".to_owned()]);
    let bytes = varbytes::encode(&value).unwrap();
    for slow in [false, true] {
        let read = |limit, bytes: &[u8]| {
            Decoder::new().slow_path_only(slow).limits(Limits::default().string_length(limit)).decode(bytes)
        };
        assert_eq!(read(4, &bytes).unwrap(), value);
        let kind = |limit, bytes: &[u8]| read(limit, bytes).unwrap_err().kind().clone();
        assert_eq!(kind(3, &bytes), DecodeErrorKind::StringLimit { limit: 3, length: 4 });
        // A length of 5, without a NUL at the end.
        let unterminated = [&bytes[..12], b"plant\0\0\0"].concat();
        assert_eq!(kind(4, &unterminated), DecodeErrorKind::StringLimit { limit: 4, length: 5 });
    }
}

/// Returns the lowest memory limit with which the packet is read.
fn needed_memory(decoder: Decoder, packet: &[u8]) -> usize {
    let limits: Vec<usize> = (0..1 << 16).collect();
    limits.partition_point(|memory| decoder.limits(Limits::default().memory(*memory)).decode(packet).is_err())
}

// The memory of a member is free again when it was converted or left out. That of the list of open containers is not.
#[test]
fn a_member_that_does_not_fit_returns_only_its_own_memory() {
    let text = varbytes::encode(&"x".repeat(10_000).into()).unwrap();
    // An array of an array of the declared type, at `levels`, and long text after it.
    let needed = |declared: u8, levels: usize, member: &[u8], slow: bool| {
        let typed = [&[28, 0, 1, 0, declared, 0, 0, 0, 1, 0, 0, 0], member].concat();
        let packet = [&[28, 0, 0, 0, 2, 0, 0, 0][..], &nested_arrays(levels), &typed, &text].concat();
        needed_memory(Decoder::new().slow_path_only(slow), &packet)
    };
    for declared in [2, 35] {
        let flat = [28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
        for levels in 0..40 {
            assert_eq!(
                needed(declared, levels, &flat, false),
                needed(declared, levels, &flat, true),
                "{levels} levels"
            );
        }
        let deep = [&nested_arrays(20)[..], &flat].concat();
        assert!(needed(declared, 0, &deep, false) > needed(declared, 0, &flat, false));
    }
}

#[test]
fn no_short_input_panics_in_any_profile_or_mode() {
    let words = [0, 1, 3, 4, 24, 27, 34, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];
    for profile in Profile::ALL {
        for (objects, strict) in [(false, false), (false, true), (true, false), (true, true)] {
            let decoder = Decoder::new().profile(*profile).objects(objects).strict(strict);
            for id in 0..=40u32 {
                for flags in [0, 1, 3, 5, 15] {
                    let id = word(id | flags << 16);
                    let short = words.map(|first| [&id[..], &word(first), &[1, 0, 0]].concat());
                    let long = words
                        .iter()
                        .flat_map(|first| words.map(|second| [id, word(*first), word(second), word(1)].concat()));
                    for bytes in [id.to_vec()].into_iter().chain(short).chain(long) {
                        if let Ok(decoded) = decoder.decode_prefix(&bytes) {
                            assert!(decoded.consumed <= bytes.len() && decoded.used < bytes.len() + 4);
                            let encoder = Encoder::new().profile(*profile).objects(objects);
                            assert!(encoder.encode(&decoded.value).is_ok(), "{bytes:x?}");
                        }
                    }
                }
            }
        }
    }
}

/// Only on 32-bit targets: elsewhere these packets are read, if there is enough memory.
#[cfg(target_pointer_width = "32")]
#[test]
fn an_allocation_beyond_the_address_space_is_a_limit_error() {
    // As many members of 4 or 8 zero bytes as 400 MB can hold; in memory they take 2.4 GB.
    let size = 400 << 20;
    for (id, count) in [(28, size / 4), (27, size / 8), (34, size / 4)] {
        let mut bytes = vec![0; 8 + size];
        bytes[0] = id;
        bytes[4..8].copy_from_slice(&word(u32::try_from(count).unwrap()));
        let decoder = Decoder::new();
        assert_eq!(decoder.decode(&bytes).unwrap_err().category(), Category::Limit, "type {id}");
        if id != 34 {
            // Borrowed strings do fit.
            let borrowed = decoder.decode_borrowed(&bytes).map(drop);
            assert_eq!(borrowed.unwrap_err().category(), Category::Limit, "type {id}");
        }
        assert_eq!(decoder.check(&bytes).unwrap_err().category(), Category::Limit, "type {id}");
    }
    // Array[Array] of a PackedByteArray of 100 MB.
    let size = 100 << 20;
    let mut bytes = vec![0; 20 + size];
    for (place, part) in bytes.as_chunks_mut().0.iter_mut().zip([28 | 1 << 16, 28, 1, 29, 100 << 20]) {
        *place = word(part);
    }
    assert_eq!(Decoder::new().decode(&bytes).unwrap_err().category(), Category::Limit);
}
