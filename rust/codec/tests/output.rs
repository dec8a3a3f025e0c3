//! Messages with text from a packet: no hidden characters, and never long.

use varbytes::build::ObjectPolicy;
use varbytes::escape::MESSAGE_LENGTH;
use varbytes::migrate::Migration;
use varbytes::variant::{Array, ContainerType, Dictionary, NodePath, ObjectData, Signal};
use varbytes::{DecodeErrorKind, Decoder, Encoder, Limits, Profile, Variant, decode, encode, inspect};

/// Control characters, line ends, direction marks, zero-width characters, tags, private-use characters.
const HOSTILE: [char; 34] = [
    '\u{1}',
    '\u{7}',
    '\u{8}',
    '\t',
    '\n',
    '\r',
    '\u{1b}',
    '\u{7f}',
    '\u{80}',
    '\u{85}',
    '\u{9b}',
    '\u{9d}',
    '\u{9f}',
    '\u{ad}',
    '\u{61c}',
    '\u{200b}',
    '\u{200d}',
    '\u{200e}',
    '\u{200f}',
    '\u{2028}',
    '\u{2029}',
    '\u{202a}',
    '\u{202e}',
    '\u{2060}',
    '\u{2066}',
    '\u{2069}',
    '\u{3164}',
    '\u{e000}',
    '\u{fe0f}',
    '\u{feff}',
    '\u{fff9}',
    '\u{e0041}',
    '\u{e01ef}',
    '\u{10fffd}',
];

#[track_caller]
fn assert_clean(shown: &str) {
    let hidden = |character: char| character != '\n' && HOSTILE.contains(&character);
    assert!(!shown.contains(hidden), "{shown:?}");
}

#[track_caller]
fn assert_message(shown: &(impl ToString + ?Sized)) {
    let shown = shown.to_string();
    assert_clean(&shown);
    assert!(!shown.contains('\n'), "{shown:?}");
    assert!(shown.chars().count() <= MESSAGE_LENGTH, "{} characters: {shown}", shown.chars().count());
}

#[track_caller]
fn assert_inspected(decoder: &Decoder, bytes: &[u8]) {
    let shown = inspect(decoder, bytes);
    shown.lines().for_each(assert_message);
    // Each line has an offset, so none was forged.
    assert!(shown.lines().all(|line| u32::from_str_radix(&line[..8], 16).is_ok()), "{shown}");
}

fn full() -> Decoder {
    Decoder::new().objects(true)
}

/// Returns values with a name in every position of a packet.
fn with_name(name: &str) -> Vec<Variant> {
    let object = |class: &str, property: &str, value: Variant| {
        Variant::from(ObjectData { class: class.into(), properties: vec![(property.into(), value)] })
    };
    let types = [ContainerType::Class(name.into()), ContainerType::Script(format!("res://{name}"))];
    let path = NodePath { absolute: true, names: vec![name.into()], subnames: vec![name.into()], property: None };
    let mut values = vec![
        name.into(),
        Variant::StringName(name.into()),
        path.into(),
        Signal { name: name.into(), object_id: 7 }.into(),
        vec![(Variant::from(name), Variant::RID(7))].into(),
        vec![(Variant::StringName(format!("{name}2").into()), Variant::RID(7)), (name.into(), 1.into())].into(),
        Variant::PackedStringArray(vec![name.into(), format!("{name}\0").into()].into()),
        object(name, "a", Variant::RID(7)),
        object("Resource", name, Variant::RID(7)),
        object("Resource", "script", format!("res://{name}").into()),
        object("Resource", "script", name.into()),
        object("Resource", "script", vec![Variant::from(name)].into()),
    ];
    for member in types {
        let array = Array::with_type_unchecked(Some(member.clone()), Vec::new());
        values.push(Dictionary::with_types_unchecked(Some(member.clone()), Some(member), Vec::new()).into());
        values.push(Variant::Array(array));
    }
    values
}

/// A policy that refuses everything with text from the packet.
struct Quoting;

impl ObjectPolicy for Quoting {
    fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
        if class == "Resource" { Ok(()) } else { Err(DecodeErrorKind::Refused { reason: class.to_owned().into() }) }
    }

    fn property(&mut self, _: &str, _: Option<&str>, property: &str) -> Result<(), DecodeErrorKind> {
        Err(DecodeErrorKind::Refused { reason: property.to_owned().into() })
    }

    fn script(&mut self, _: &str, path: &str) -> Result<(), DecodeErrorKind> {
        Err(DecodeErrorKind::Refused { reason: path.to_owned().into() })
    }

    fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
        Err(DecodeErrorKind::Refused { reason: format!("{container_type:?}").into() })
    }
}

/// Checks every kind of output for these bytes.
fn assert_all_is_clean(bytes: &[u8]) {
    for profile in [Profile::GODOT_4_6, Profile::GODOT_3_5, Profile::GODOT_2_1] {
        for decoder in [Decoder::new(), full(), full().strict(true), full().limits(Limits::NONE.depth(1))] {
            let decoder = decoder.profile(profile);
            assert_inspected(&decoder, bytes);
            if let Err(error) = decoder.check_with(bytes, Quoting) {
                assert_message(&error);
                assert_message(&format!("{error:?}"));
                assert_message(&format!("{:?}", error.kind()));
                assert_clean(&format!("{:?}", error.path()));
            }
            match decoder.decode(bytes) {
                Ok(value) => {
                    assert_clean(&format!("{value:?}"));
                    assert_values_messages_are_clean(profile, &value);
                }
                Err(error) => {
                    assert_message(&error);
                    assert_message(&format!("{error:?}"));
                    assert_message(&format!("{:?}", error.kind()));
                    assert_clean(&format!("{:?}", error.path()));
                }
            }
        }
    }
}

fn assert_values_messages_are_clean(from: Profile, value: &Variant) {
    for to in [Profile::GODOT_4_6, Profile::GODOT_3_5, Profile::GODOT_2_1] {
        for full in [false, true] {
            if let Err(error) = Encoder::new().profile(to).objects(full).encode(value) {
                assert_message(&error);
                assert_message(&format!("{error:?}"));
                assert_message(&format!("{:?}", error.kind()));
                assert_clean(&format!("{:?}", error.path()));
            }
        }
        let converted = Migration::new(from, to).objects(true).migrate(value);
        for loss in &converted.losses {
            assert_message(loss);
            assert_message(loss.what());
            assert_clean(&loss.path().to_string());
            assert_clean(&format!("{loss:?}"));
        }
    }
}

fn packets(name: &str) -> Vec<Vec<u8>> {
    let values = with_name(name);
    let mut packets = Vec::new();
    for value in &values {
        for profile in [Profile::GODOT_4_6, Profile::GODOT_3_5, Profile::GODOT_2_1] {
            assert_values_messages_are_clean(Profile::GODOT_4_6, value);
            packets.extend(Encoder::new().profile(profile).objects(true).encode(value));
        }
    }
    packets
}

#[test]
fn no_hidden_character_of_a_packet_is_shown_unescaped() {
    for (number, character) in HOSTILE.into_iter().enumerate() {
        for packet in packets(&format!("a{character}b")) {
            assert_all_is_clean(&packet);
            // Other words for each next character.
            let words = (number % 4 * 8..packet.len()).step_by(32);
            for length in words.clone() {
                assert_all_is_clean(&packet[..length]);
            }
            for at in words {
                let mut damaged = packet.clone();
                damaged[at] ^= 0x7f;
                assert_all_is_clean(&damaged);
            }
        }
    }
}

#[test]
fn long_names_make_short_messages() {
    for packet in packets(&"\u{1b}n".repeat(1 << 10)) {
        assert_all_is_clean(&packet);
        assert_all_is_clean(&packet[..packet.len() - 1]);
    }
}

#[test]
fn a_class_name_of_a_megabyte_makes_a_short_message() {
    let object = ObjectData { class: "\u{202e}n".repeat(1 << 18), properties: vec![("a".into(), Variant::RID(7))] };
    let bytes = Encoder::new().objects(true).encode(&object.into()).unwrap();
    assert_message(&full().check_with(&bytes, Quoting).unwrap_err());
    assert_inspected(&full(), &bytes);
    let value = full().decode(&bytes).unwrap();
    let converted = Migration::new(Profile::GODOT_4_6, Profile::GODOT_2_1).objects(true).migrate(&value);
    assert!(!converted.losses.is_empty());
    converted.losses.iter().for_each(assert_message);
}

#[test]
fn a_class_name_of_a_typed_container_makes_a_short_message() {
    let class = Some(ContainerType::Class("\u{202e}n".repeat(1 << 18)));
    let error = Array::with_type(class.clone(), vec![7.into()]).unwrap_err();
    assert_message(&error);
    assert_message(&format!("{error:?}"));
    assert!(error.to_string().starts_with("member 0 is an int, but the container declares "), "{error}");
    let mut array = Array::with_type(class, vec![Variant::Nil]).unwrap();
    array[0] = 7.into();
    let error = encode(&array.into()).unwrap_err();
    assert_message(&error);
    assert_message(&format!("{error:?} {:?}", error.kind()));
}

#[test]
fn an_unknown_profile_with_a_long_name_makes_a_short_message() {
    let error = "\u{202e}n".repeat(1 << 18).parse::<Profile>().unwrap_err();
    assert_message(&format!("{error:?}"));
}

#[test]
fn a_long_path_makes_a_short_message_of_a_migration() {
    let value = (0..1000).fold(Variant::from("x"), |inner, _| vec![(Variant::from(&*"k".repeat(40)), inner)].into());
    let mut bytes = encode(&value).unwrap();
    let last = bytes.len() - 4;
    bytes[last] = 0xFF;
    let error = Migration::default().migrate_bytes(&bytes).unwrap_err();
    assert_message(&error);
    assert_message(&format!("{error:?}"));
}

#[test]
fn a_thousand_nested_keys_make_a_short_message_and_a_complete_path() {
    let key = "k".repeat(40);
    let value = (0..1000).fold(Variant::from("x"), |inner, _| vec![(Variant::from(&*key), inner)].into());
    let mut bytes = encode(&value).unwrap();
    let last = bytes.len() - 4;
    bytes[last] = 0xFF;
    let error = decode(&bytes).unwrap_err();
    assert_message(&error);
    assert!(error.to_string().ends_with(&format!("[\"{key}\"]")), "{error}");
    assert_eq!(error.path().to_string(), format!("${}", format!("[\"{key}\"]").repeat(1000)));
    assert_message(&format!("{error:?}"));
    assert_inspected(&Decoder::new(), &bytes);
}

#[cfg(feature = "tagged-json")]
#[test]
fn tagged_json_has_no_hidden_characters_and_reads_back() {
    use varbytes::tagged_json;
    for character in HOSTILE {
        for value in with_name(&format!("a{character}b")) {
            let text = tagged_json::to_string(&value);
            if character < '\u{e000}' || character == '\u{e0041}' {
                assert!(!text.contains(character), "{text:?}");
            }
            assert_eq!(tagged_json::from_str(&text).unwrap(), value);
            let Ok(bytes) = Encoder::new().objects(true).encode(&value) else { continue };
            // In an engine, text ends at a NUL.
            if full().decode(&bytes).unwrap() == value {
                assert_eq!(tagged_json::decode(&full(), &bytes).unwrap().value, text);
            }
            // Messages quote invalid tagged JSON.
            for damaged in [text.replacen("\"type\"", &format!("\"a{character}\""), 1), text.replacen('S', "s", 1)] {
                if let Err(error) = tagged_json::from_str(&damaged) {
                    assert_message(&error);
                    assert_message(&format!("{error:?}"));
                    assert_message(error.message());
                    assert_message(&tagged_json::from_str(&format!("{{\"type\":\"{damaged}")).unwrap_err());
                }
            }
        }
    }
}
