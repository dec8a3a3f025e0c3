//! Types that ignore errors, and keys that are no names: the next value is read from where it begins.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use varbytes::variant::{ContainerType, ObjectData, Vector3, Vector3i};
use varbytes::{Decoder, Variant, VariantType, variant};

fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(T::deserialize(deserializer).unwrap_or_default())
}

/// A number, or 0 for anything else.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
struct Lenient(#[serde(deserialize_with = "or_default")] i32);

#[derive(Debug, Default, PartialEq, Deserialize)]
enum Action {
    #[default]
    Wait,
    Jump(i32),
}

macro_rules! player {
    ($name:ident, $type:ty) => {
        #[derive(Debug, PartialEq, Deserialize)]
        struct $name {
            #[serde(deserialize_with = "or_default")]
            hp: $type,
            #[serde(default)]
            admin: bool,
            name: String,
        }
    };
}

player!(Player, i32);
player!(Acting, Action);
player!(Placed, Vector3);
player!(Listing, Vec<i32>);
player!(Naming, BTreeMap<String, i32>);
player!(Pair, (f32, f32));

/// A value of every kind, most of them with parts that look like fields.
fn values() -> Vec<Variant> {
    let typed = variant::Array::with_type(Some(ContainerType::Builtin(VariantType::Int)), vec![1.into()]);
    let object = ObjectData { class: "Resource".into(), properties: vec![("admin".into(), true.into())] };
    vec![
        Variant::Nil,
        "text".into(),
        variant!({"admin": true}),
        variant!({"admin": true, "name": "other"}),
        variant!(["admin", true]),
        variant!(["admin", true, "name"]),
        variant!([["admin", true], {"admin": true}]),
        variant!({"Jump": "high"}),
        variant!({"Jump": {"admin": true}}),
        variant!({"Fly": 1, "admin": true}),
        variant!([1.5, "admin"]),
        variant!([1, 2, "admin"]),
        Vector3i::new(1, 2, 3).into(),
        Variant::from(vec!["admin", "name"]),
        Variant::from(vec![1i32, 2]),
        Variant::from(vec![1u8, 2, 3]),
        typed.unwrap().into(),
        object.into(),
        Variant::StringName("admin".into()),
        "/root/admin".parse::<variant::NodePath>().unwrap().into(),
    ]
}

#[test]
fn a_field_that_ignores_errors_does_not_change_the_others() {
    let decoder = Decoder::new().objects(true);
    for value in values() {
        let orders = [
            variant!({"hp": value.clone(), "name": "Ada"}),
            variant!({"name": "Ada", "hp": value.clone()}),
            variant!({"other": 1, "hp": value.clone(), "name": "Ada"}),
            variant!({"hp": value.clone(), "admin": false, "name": "Ada"}),
        ];
        for player in orders {
            let bytes = varbytes::Encoder::new().objects(true).encode(&player).unwrap();
            macro_rules! check {
                ($($type:ident),*) => {$(
                    let read: $type = decoder.deserialize(&bytes).unwrap();
                    assert!(!read.admin && read.name == "Ada", "{}: {player:?}: {read:?}", stringify!($type));
                )*};
            }
            check!(Player, Acting, Placed, Listing, Naming, Pair);
        }
    }
}

#[test]
fn an_element_that_ignores_errors_is_one_element() {
    for value in values() {
        let bytes = varbytes::Encoder::new().objects(true).encode(&variant!([1, value.clone(), 2])).unwrap();
        let read: Vec<Lenient> = Decoder::new().objects(true).deserialize(&bytes).unwrap();
        assert_eq!(read, [Lenient(1), Lenient(0), Lenient(2)], "{value:?}");
    }
}

#[test]
fn a_property_that_ignores_errors_does_not_change_the_others() {
    for value in values() {
        let properties = vec![("hp".into(), value.clone()), ("name".into(), "Ada".into())];
        let object: Variant = ObjectData { class: "Resource".into(), properties }.into();
        let bytes = varbytes::Encoder::new().objects(true).encode(&object).unwrap();
        let read: Player = Decoder::new().objects(true).deserialize(&bytes).unwrap();
        assert!(!read.admin && read.name == "Ada", "{value:?}: {read:?}");
    }
}

#[test]
fn malformed_bytes_are_an_error_also_if_the_type_ignores_it() {
    let bytes = varbytes::encode(&variant!({"hp": "text", "name": "Ada"})).unwrap();
    // The header, then the length of the text.
    for (index, wrong) in [(20, 99), (24, 255)] {
        let mut bytes = bytes.clone();
        bytes[index] = wrong;
        assert!(varbytes::from_bytes::<Player>(&bytes).is_err(), "{wrong} at {index}");
    }
    let mut bytes = varbytes::encode(&variant!({"hp": ["a", "b"], "name": "Ada"})).unwrap();
    bytes[28] = 99;
    assert!(varbytes::from_bytes::<Player>(&bytes).is_err());
}

#[test]
fn the_length_of_a_value_that_ignores_errors_is_known() {
    for value in values() {
        let mut bytes = varbytes::Encoder::new().objects(true).encode(&value).unwrap();
        let length = bytes.len();
        bytes.extend([2, 0, 0, 0, 7, 0, 0, 0]);
        let decoded = Decoder::new().objects(true).deserialize_prefix::<Lenient>(&bytes).unwrap();
        assert_eq!((decoded.value, decoded.consumed), (Lenient(0), length), "{value:?}");
    }
}

#[test]
fn a_member_that_has_to_be_converted_is_converted_also_if_the_type_ignores_errors() {
    // Array[float] of the int 7
    let bytes = [28, 0, 1, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(transparent)]
    struct Floats(#[serde(deserialize_with = "or_default")] Vec<f64>);
    assert_eq!(varbytes::from_bytes::<Floats>(&bytes).unwrap(), Floats(vec![7.0]));
}

#[test]
fn a_struct_ignores_keys_that_are_not_text() {
    let keys: [Variant; 6] = [0.into(), 7.into(), 1.5.into(), Variant::Nil, true.into(), Vector3i::new(1, 2, 3).into()];
    for key in keys {
        for bytes in [
            varbytes::encode(&variant!({"name": "Ada", (key.clone()): [1, "admin"], "hp": 3})).unwrap(),
            varbytes::encode(&variant!({(key.clone()): true, "hp": 3, "name": "Ada"})).unwrap(),
        ] {
            let expected = Player { hp: 3, admin: false, name: "Ada".into() };
            assert_eq!(varbytes::from_bytes::<Player>(&bytes).unwrap(), expected, "{key:?}");
        }
    }
}

#[test]
fn a_struct_that_denies_unknown_fields_denies_keys_that_are_not_text() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        #[expect(dead_code, reason = "only read")]
        hp: i32,
    }
    let bytes = varbytes::encode(&variant!({"hp": 1, 0: 2})).unwrap();
    let error = varbytes::from_bytes::<Strict>(&bytes).unwrap_err();
    assert!(error.to_string().starts_with("expected the name of a field, found int, at offset"), "{error}");
}

#[test]
fn a_flattened_map_has_the_keys_that_are_not_text() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Rest {
        hp: i32,
        #[serde(flatten)]
        rest: BTreeMap<i64, String>,
    }
    let bytes = varbytes::encode(&variant!({"hp": 1, 7: "seven"})).unwrap();
    let expected = Rest { hp: 1, rest: BTreeMap::from([(7, "seven".to_owned())]) };
    assert_eq!(varbytes::from_bytes::<Rest>(&bytes).unwrap(), expected);
}
