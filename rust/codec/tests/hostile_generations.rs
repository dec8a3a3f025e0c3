//! Malicious input for engines that check less than Godot 4: no depth limit, text that is not Unicode, other rules for
//! duplicate keys, engine bugs that read bytes twice.

use std::thread;

use varbytes::migrate::{Migration, MigrationError};
use varbytes::variant::Text;
use varbytes::{Category, DecodeErrorKind, Decoder, Encoder, Limits, Profile, Variant, inspect};

const STACK: usize = 2 << 20;

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

fn word(word: u32) -> [u8; 4] {
    word.to_le_bytes()
}

/// Returns nested arrays of one element each around an empty array, encoded for Godot 3.
fn nested_arrays(levels: usize) -> Vec<u8> {
    let mut bytes = [19, 0, 0, 0, 1, 0, 0, 0].repeat(levels);
    bytes.extend([19, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// Returns a dictionary of Godot 3 with `count` keys with null values.
fn dictionary_of(count: u32, key: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let mut bytes = [word(18), word(count)].concat();
    for index in 0..count {
        bytes.extend(key(index));
        bytes.extend(word(0));
    }
    bytes
}

fn entries_of(profile: Profile, bytes: &[u8]) -> usize {
    let value = Decoder::new().profile(profile).decode(bytes).unwrap();
    let Variant::Dictionary(dictionary) = value else { panic!("not a dictionary") };
    dictionary.entries().len()
}

#[test]
fn an_engine_without_a_depth_limit_reads_a_quarter_million_levels_on_a_small_stack() {
    on_a_small_stack(|| {
        let bytes = nested_arrays(250_000);
        let decoder = Decoder::new().profile(Profile::GODOT_3_2);
        let value = decoder.decode(&bytes).unwrap();
        assert_eq!(Encoder::new().profile(Profile::GODOT_3_2).encode(&value).unwrap(), bytes);
        assert_eq!(decoder.check(&bytes).unwrap().used, bytes.len());
        #[cfg(feature = "tagged-json")]
        {
            use varbytes::tagged_json;
            assert_eq!(tagged_json::decode(&decoder, &bytes).unwrap().value, tagged_json::to_string(&value));
        }
        assert_eq!(inspect(&decoder, &bytes).lines().count(), 250_001);
    });
}

#[test]
fn strict_reading_has_the_depth_limit_of_writing() {
    // Godot 3.4 got its depth limit for writing before the one for reading.
    let decoder = Decoder::new().profile(Profile::GODOT_3_4);
    let (deepest, deeper) = (nested_arrays(1024), nested_arrays(1025));
    assert!(decoder.decode(&deeper).is_ok());
    assert!(decoder.strict(true).decode(&deepest).is_ok());
    let error = decoder.strict(true).decode(&deeper).unwrap_err();
    assert_eq!(*error.kind(), DecodeErrorKind::DepthLimit { limit: 1024 });
}

#[test]
fn a_depth_limit_of_the_caller_applies_if_the_engine_has_none() {
    let decoder = Decoder::new().profile(Profile::GODOT_3_2);
    let shallow = Limits::default().depth(3);
    let error = decoder.limits(shallow).decode(&nested_arrays(10)).unwrap_err();
    assert_eq!(*error.kind(), DecodeErrorKind::DepthLimit { limit: 3 });
    // Open containers beyond the depth of other engines count as memory too.
    let small = Limits::default().memory(40 * 100_000);
    let error = decoder.limits(small).check(&nested_arrays(100_000)).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
}

#[test]
fn nothing_deeper_than_1024_levels_is_converted() {
    let migration = Migration::new(Profile::GODOT_2_1, Profile::GODOT_3_2);
    let mut bytes = [21, 0, 0, 0, 1, 0, 0, 0x80].repeat(100_000);
    bytes.extend(word(0));
    match migration.migrate_bytes(&bytes).unwrap_err() {
        MigrationError::Decode(error) => assert_eq!(*error.kind(), DecodeErrorKind::DepthLimit { limit: 1024 }),
        MigrationError::Encode(error) => panic!("{error}"),
    }
}

// The next four would take hours if keys that are never equal were compared with all earlier keys.

#[test]
fn dictionaries_are_different_keys_in_linear_time() {
    let bytes = dictionary_of(200_000, |_| [word(18), word(0)].concat());
    assert_eq!(entries_of(Profile::GODOT_3_5, &bytes), 200_000);
}

#[test]
fn nans_in_float_arrays_are_different_keys_before_3_5_in_linear_time() {
    let bytes = dictionary_of(200_000, |_| [word(22), word(1), word(0x7FC0_0000)].concat());
    assert_eq!(entries_of(Profile::GODOT_3_2, &bytes), 200_000);
    assert_eq!(entries_of(Profile::GODOT_3_5, &bytes), 1);
}

#[test]
fn zeros_of_both_signs_in_float_arrays_are_different_keys_in_linear_time() {
    let bytes = dictionary_of(1 << 16, |index| {
        let members = (0..16).map(|bit| word(if index >> bit & 1 == 0 { 0 } else { 0x8000_0000 }));
        [word(22), word(16)].into_iter().chain(members).flatten().collect()
    });
    assert_eq!(entries_of(Profile::GODOT_3_5, &bytes), 1 << 16);
}

#[test]
fn surrogates_shown_as_the_same_text_are_different_keys_in_linear_time() {
    // All of them are displayed as the same text.
    let bytes = dictionary_of(1 << 16, |index| {
        let units: Vec<u8> =
            (0..16).flat_map(|bit| if index >> bit & 1 == 0 { *b"\xED\xA0\x80" } else { *b"\xED\xA0\x81" }).collect();
        [&word(4)[..], &word(48), &units].concat()
    });
    assert_eq!(entries_of(Profile::GODOT_3_5, &bytes), 1 << 16);
}

#[test]
fn text_that_is_not_unicode_stays_within_the_memory_limit() {
    let surrogates = b"\xED\xA0\x80".repeat(100_000);
    let bytes = [&word(4)[..], &word(300_000), &surrogates].concat();
    let decoder = Decoder::new().profile(Profile::GODOT_3_5);
    assert_eq!(decoder.decode(&bytes).unwrap(), Variant::String(Text::from_units(&[0xD800; 100_000])));
    let limits = Limits::default().memory(1_000_000);
    assert_eq!(decoder.limits(limits).decode(&bytes).unwrap_err().category(), Category::Limit);
}

#[test]
fn reading_vectors_twice_terminates() {
    // Pandemonium advances by three of four components, so the next value starts with the fourth.
    let mut bytes = [word(26), word(100_000)].concat();
    bytes.extend([word(11), [0; 4], [0; 4], [0; 4]].concat().repeat(100_000));
    let decoder = Decoder::new().profile(Profile::PANDEMONIUM_5);
    // The fourth component of the last vector is past the end.
    assert_eq!(decoder.decode(&bytes).unwrap_err().category(), Category::Truncated);
    bytes.extend(word(0));
    let Variant::Array(array) = decoder.decode(&bytes).unwrap() else { panic!("not an array") };
    assert_eq!(array.elements().len(), 100_000);
}

#[test]
fn counts_of_the_older_types_are_refused_at_the_count() {
    for (profile, head) in [
        (Profile::GODOT_2_1, &[word(15), word(0), word(0), word(0), word(0)][..]),
        (Profile::PANDEMONIUM_5, &[word(34)]),
        (Profile::PANDEMONIUM_5, &[word(27), word(2)]),
    ] {
        let bytes = [head.concat(), word(0x7FFF_FFFF).to_vec(), vec![0; 64]].concat();
        let error = Decoder::new().profile(profile).decode(&bytes).unwrap_err();
        assert_eq!((error.category(), error.path().to_string().as_str()), (Category::Truncated, "$"), "{profile}");
    }
}

#[test]
fn stray_bits_in_the_header_of_an_element_class_are_not_canonical() {
    let decoder = Decoder::new().profile(Profile::PANDEMONIUM_5).objects(true);
    let packet =
        |header| [word(27), word(23), word(header), word(4), word(u32::from_le_bytes(*b"Node")), word(0)].concat();
    assert!(decoder.strict(true).decode(&packet(24)).is_ok());
    let stray = packet(24 | 1 << 27);
    assert!(decoder.decode(&stray).is_ok());
    assert_eq!(decoder.strict(true).decode(&stray).unwrap_err().offset(), 11);
}
