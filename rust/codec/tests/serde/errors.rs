//! Errors of reading Rust types: what and where.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use varbytes::variant::{Array, ContainerType, Dictionary, Vector2, Vector3};
use varbytes::{Category, Decoder, Variant, VariantType, from_bytes, to_bytes, variant};

#[derive(Deserialize)]
#[expect(dead_code, reason = "only read")]
struct Game {
    player: Player,
    #[serde(default)]
    map: HashMap<i32, Vec<(String, f32)>>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only read")]
struct Player {
    name: String,
    hp: i32,
    position: Option<[f32; 3]>,
}

fn dictionary<const N: usize>(entries: [(&str, Variant); N]) -> Variant {
    entries.into_iter().collect::<Dictionary>().into()
}

#[track_caller]
fn assert_error<'de, T: Deserialize<'de>>(bytes: &'de [u8], message: &str) {
    let error = from_bytes::<T>(bytes).err().expect("is refused");
    assert_eq!(error.to_string(), message);
}

#[expect(clippy::needless_pass_by_value, reason = "shorter where it is called")]
fn encode(value: Variant) -> Vec<u8> {
    varbytes::encode(&value).unwrap()
}

#[test]
fn a_wrong_type_at_depth_has_its_path_and_offset() {
    let bytes = encode(dictionary([("player", dictionary([("name", "Ada".into()), ("hp", "ten".into())]))]));
    // The outer header and count, the key, the inner header and count, the entry of the name, the key.
    let offset = 8 + 16 + 8 + 12 + 12 + 12;
    assert_error::<Game>(
        &bytes,
        &format!(r#"expected i32, found String, at offset {offset} ({offset:#x}), path $["player"]["hp"]"#),
    );
    let bytes = to_bytes(&(1, HashMap::from([(7, vec![("x", true)])]))).unwrap();
    let error = from_bytes::<(i32, HashMap<i32, Vec<(String, f32)>>)>(&bytes).unwrap_err();
    assert_eq!(error.path().to_string(), "$[1][7][0][1]");
    assert_eq!(error.category(), Category::Mismatch);
    assert!(error.to_string().starts_with("expected f32, found bool, at offset"), "{error}");
}

#[test]
fn a_value_out_of_range_is_named_with_its_value() {
    assert_error::<(u8,)>(&to_bytes(&(300,)).unwrap(), "expected u8, found int 300, at offset 8 (0x8), path $[0]");
    assert_error::<u64>(&to_bytes(&-1).unwrap(), "expected u64, found int -1, at offset 0 (0x0), path $");
}

#[test]
fn a_missing_field_is_reported_at_its_dictionary() {
    let bytes = encode(dictionary([("player", dictionary([("name", "Ada".into())]))]));
    assert_error::<Game>(&bytes, r#"missing field `hp`, at offset 24 (0x18), path $["player"]"#);
}

#[test]
fn vectors_and_packed_arrays_are_named_by_their_type() {
    assert_error::<i32>(
        &to_bytes(&Vector2::from([1.0f32, 2.0])).unwrap(),
        "expected i32, found Vector2, at offset 0 (0x0), path $",
    );
    assert_error::<Vector3>(
        &to_bytes(&Vector2::from([1.0f32, 2.0])).unwrap(),
        "expected Vector3, found Vector2, at offset 0 (0x0), path $",
    );
    assert_error::<String>(
        &encode(vec![1i32].into()),
        "expected a string, found PackedInt32Array, at offset 0 (0x0), path $",
    );
    assert_error::<Vec<bool>>(
        &encode(vec![1i32].into()),
        "expected a boolean, found int, at offset 0 (0x0), path $[0]",
    );
    assert_error::<bool>(&encode(Variant::Nil), "expected a boolean, found Nil, at offset 0 (0x0), path $");
}

#[test]
fn the_path_is_complete_in_an_enum_with_its_content_beside_its_tag() {
    #[derive(Deserialize)]
    #[serde(tag = "type", content = "data", rename_all = "snake_case")]
    #[expect(dead_code, reason = "only read")]
    enum Message {
        Chat { text: String },
    }
    assert_error::<Message>(
        &encode(variant!({"type": "chat", "data": {"text": 7}})),
        r#"expected a string, found int, at offset 64 (0x40), path $["data"]["text"]"#,
    );
}

#[test]
fn more_members_than_a_tuple_takes_are_refused() {
    let bytes = to_bytes(&(1, 2, 3)).unwrap();
    assert_error::<(i32, i32)>(&bytes, "expected 2 members, found 3, at offset 0 (0x0), path $");
    assert_error::<(i32, i32, i32, i32)>(
        &bytes,
        "expected a tuple of size 4, found 3 members, at offset 0 (0x0), path $",
    );
    assert_error::<[f32; 2]>(
        &to_bytes(&Vector3::from([1.0f32; 3])).unwrap(),
        "expected 2 members, found 3, at offset 0 (0x0), path $",
    );
    assert_error::<[i32; 1]>(&bytes, "expected 1 member, found 3, at offset 0 (0x0), path $");
    assert_error::<(i32, i32)>(
        &to_bytes(&(1,)).unwrap(),
        "expected a tuple of size 2, found 1 member, at offset 0 (0x0), path $",
    );
}

#[test]
fn enums_are_refused_with_what_they_expect() {
    #[derive(Deserialize, Debug)]
    enum Command {
        #[expect(dead_code, reason = "only read")]
        Move(i32),
    }
    assert_error::<Command>(
        &to_bytes("Jump").unwrap(),
        "unknown variant `Jump`, expected `Move`, at offset 0 (0x0), path $",
    );
    assert_error::<Command>(
        &to_bytes(&1).unwrap(),
        "expected a String or a Dictionary with one entry, found int, at offset 0 (0x0), path $",
    );
    let two = to_bytes(&BTreeMap::from([("Move", 1), ("Turn", 2)])).unwrap();
    assert_error::<Command>(&two, "expected a Dictionary with one entry, found 2 entries, at offset 0 (0x0), path $");
}

#[test]
fn text_of_a_packet_is_escaped_in_messages() {
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    let bytes = to_bytes(&BTreeMap::from([("\u{1b}[2J\u{202e}".repeat(100), 1)])).unwrap();
    let message = from_bytes::<Nothing>(&bytes).unwrap_err().to_string();
    assert!(message.is_ascii() || message.contains('…'));
    assert!(!message.contains(['\u{1b}', '\u{202e}']) && message.chars().count() <= 500, "{message}");
}

#[test]
fn the_last_value_of_a_key_counts() {
    // {"hp": 1, "name": "a", "hp": 2}
    let mut bytes = vec![27, 0, 0, 0, 3, 0, 0, 0];
    for (key, value) in [("hp", to_bytes(&1)), ("name", to_bytes("a")), ("hp", to_bytes(&2))] {
        bytes.extend(to_bytes(key).unwrap());
        bytes.extend(value.unwrap());
    }
    let player: Player = from_bytes(&bytes).unwrap();
    assert_eq!((player.hp, &*player.name), (2, "a"));
    let tail = [&bytes[..], &[1, 2, 3]].concat();
    assert_eq!(Decoder::new().deserialize_prefix::<Player>(&tail).unwrap().consumed, bytes.len());
    assert!(Decoder::new().strict(true).deserialize::<Player>(&bytes).is_err());
    #[derive(Deserialize, Debug)]
    enum Command {
        Move(i32),
    }
    let mut twice = vec![27, 0, 0, 0, 2, 0, 0, 0];
    for value in [1, 2] {
        twice.extend(to_bytes("Move").unwrap());
        twice.extend(to_bytes(&value).unwrap());
    }
    let Command::Move(value) = from_bytes(&twice).unwrap();
    assert_eq!(value, 2);
}

#[test]
fn members_of_typed_containers_are_converted_or_left_out_as_in_godot() {
    // Array[int] of the members 1, "2" and 3.5, which Godot 4.6 converts or leaves out.
    let mut bytes = vec![28, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0];
    bytes.extend([to_bytes(&1), to_bytes("2"), to_bytes(&3.5f32)].map(Result::unwrap).concat());
    let Variant::Array(expected) = varbytes::decode(&bytes).unwrap() else { unreachable!() };
    let expected: Vec<i64> = varbytes::from_variant(&expected.into()).unwrap();
    assert_eq!(from_bytes::<Vec<i64>>(&bytes).unwrap(), expected);
    assert!(expected.len() < 3 || expected[2] == 3);

    let typed = Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Int)), vec![1.into(), 2.into()]);
    assert_eq!(from_bytes::<Vec<i64>>(&encode(typed.into())).unwrap(), [1, 2]);
}

/// Asserts that a type reads the same from a packet as from its tree.
#[track_caller]
fn assert_reads_as_tree<T: DeserializeOwned + PartialEq + Debug>(value: Variant, expected: &T) {
    let bytes = encode(value);
    let decoder = Decoder::untrusted(&bytes);
    assert_eq!(varbytes::from_variant::<T>(&decoder.decode(&bytes).unwrap()).unwrap(), *expected);
    assert_eq!(decoder.deserialize::<T>(&bytes).unwrap(), *expected);
}

#[test]
fn a_member_that_is_left_out_may_have_any_type_and_any_key() {
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Hp {
        hp: i64,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    enum Command {
        Move(i64),
    }
    let ints = |entries| {
        let int = Some(ContainerType::Builtin(VariantType::Int));
        Variant::from(Dictionary::with_types_unchecked(None, int, entries))
    };
    let texts = |members| Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::String)), members);
    assert_reads_as_tree(ints(vec![(1.into(), "x".into())]), &BTreeMap::<String, i64>::new());
    assert_reads_as_tree(ints(vec![("hp".into(), 7.into()), ("mp".into(), "x".into())]), &Hp { hp: 7 });
    assert_reads_as_tree(ints(vec![("Move".into(), 7.into()), ("Stop".into(), "x".into())]), &Command::Move(7));
    assert_reads_as_tree(texts(vec!["a".into(), 5.into()]).into(), &("a".to_owned(),));
    assert_reads_as_tree(texts(vec!["a".into(), variant!([5])]).into(), &["a".to_owned()]);
}

#[test]
fn an_error_in_a_typed_container_has_its_offset_and_path() {
    let texts = Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::String)), vec!["a".into()]);
    let error = from_bytes::<(Vec<i64>,)>(&encode(variant!([(texts)]))).unwrap_err();
    assert_eq!(error.to_string(), "expected i64, found String, at offset 20 (0x14), path $[0][0]");
}

#[test]
fn text_with_a_nul_is_refused() {
    for error in [to_bytes(&["a\0"]), to_bytes(&[variant::Text::from("a\0")])].map(Result::unwrap_err) {
        let message = "text has a NUL at byte 1, where engines end it; remove it, path $[0]";
        assert_eq!(error.to_string(), message);
    }
}

/// A dictionary with this key and the value 1, by the format's rules.
fn one_entry(key: &[u8]) -> Vec<u8> {
    let length = u32::try_from(key.len()).unwrap().to_le_bytes();
    let padding = &[0; 3][..key.len().wrapping_neg() % 4];
    [&[27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0][..], &length, key, padding, &[2, 0, 0, 0, 1, 0, 0, 0]].concat()
}

/// Reads the field of each name from a dictionary whose key is made of the name.
macro_rules! fields {
    ($key:expr => $($name:literal)*) => {[$({
        #[derive(Deserialize)]
        struct Field {
            #[serde(rename = $name, default)]
            field: i32,
        }
        let key: fn(&str) -> Vec<u8> = $key;
        ($name, from_bytes::<Field>(&one_entry(&key($name))).unwrap().field)
    }),*]};
}

#[test]
fn fields_are_found_by_names_of_every_length_and_alphabet() {
    let found = fields! { |name| name.into() =>
        "" "a" "hp" "pos" "name" "speed" "health" "visible" "velocity" "direction" "attributes" "max_stamina"
        "acceleration" "exponentially_1" "exponentially_12" "exponentially_123" "longer_than_four_words_of_eight_bytes"
        "é" "né" "größe" "größen" "名前と位置" "位置" "ÿÿÿÿÿÿÿÿÿÿ"
    };
    for (name, value) in found {
        assert_eq!(value, 1, "{name:?}");
    }
}

#[test]
fn a_name_that_differs_in_a_byte_is_another_field() {
    let unequal = [
        fields! { |name| [&[name.as_bytes()[0] ^ 1], &name.as_bytes()[1..]].concat() =>
        "a" "hp" "pos" "name" "speed" "visible" "velocity" "direction" "exponentially_12" "exponentially_123" },
        fields! { |name| [&name.as_bytes()[..name.len() - 1], &[name.as_bytes()[name.len() - 1] ^ 1]].concat() =>
        "a" "hp" "pos" "name" "speed" "visible" "velocity" "direction" "exponentially_12" "exponentially_123" },
        fields! { |name| { let mut key = name.as_bytes().to_vec(); key[name.len() / 2] ^= 1; key } =>
        "a" "hp" "pos" "name" "speed" "visible" "velocity" "direction" "exponentially_12" "exponentially_123" },
        fields! { |name| name.as_bytes()[..name.len() - 1].into() =>
        "a" "hp" "pos" "name" "speed" "visible" "velocity" "direction" "exponentially_12" "exponentially_123" },
    ];
    for (name, value) in unequal.as_flattened() {
        assert_eq!(*value, 0, "{name:?}");
    }
}

/// The engine ends text at a NUL, and drops a byte order mark.
#[test]
fn a_field_whose_bytes_the_engine_reads_differently_is_not_found() {
    let found = fields! { |name| name.into() =>
        "\0" "a\0" "a\0b" "a\0bc" "abc\0" "abcdef\0" "abcdefg\0i" "abcdefghijklmno\0" "a\0cdefghijklmnopqrstuvw"
        "\u{feff}" "\u{feff}a" "\u{feff}abcde" "\u{feff}abcdefgh" "\u{feff}abcdefghijklmnopqr"
    };
    for (name, value) in found {
        assert_eq!(value, 0, "{name:?}");
    }
}
