//! Structs whose keys are their fields, in order and in any other order: both are read the same.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use varbytes::{Variant, from_bytes, variant};

#[derive(Deserialize, PartialEq, Debug)]
struct Unit {
    id: u32,
    name: String,
    position: [f32; 2],
    weapon: Weapon,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Weapon {
    damage: i64,
    range: f64,
}

fn bytes(value: &Variant) -> Vec<u8> {
    varbytes::encode(value).unwrap()
}

/// Every order of the entries.
fn orders(entries: &[(&'static str, Variant)]) -> Vec<Vec<(&'static str, Variant)>> {
    if entries.is_empty() {
        return vec![vec![]];
    }
    let mut all = vec![];
    for first in 0..entries.len() {
        let mut rest = entries.to_vec();
        let entry = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, entry.clone());
            order
        }));
    }
    all
}

fn dictionary(entries: Vec<(&'static str, Variant)>) -> Variant {
    Variant::Dictionary(entries.into_iter().collect())
}

#[test]
fn fields_are_read_in_every_order_at_every_level() {
    let expected = Unit { id: 7, name: "Ada".into(), position: [1.0, 2.0], weapon: Weapon { damage: -1, range: 0.1 } };
    let weapons = orders(&[("damage", variant!(-1)), ("range", variant!(0.1))]).into_iter().map(dictionary);
    let mut all = vec![];
    for weapon in weapons {
        let position = variant!([1.0, 2.0]);
        let entries = [("id", variant!(7)), ("name", variant!("Ada")), ("position", position), ("weapon", weapon)];
        for order in orders(&entries) {
            let unit = dictionary(order);
            assert_eq!(from_bytes::<Unit>(&bytes(&unit)).unwrap(), expected, "{unit}");
            all.push(unit);
        }
    }
    let count = all.len();
    assert_eq!(count, 48);
    for unit in from_bytes::<Vec<Unit>>(&bytes(&Variant::from(all))).unwrap() {
        assert_eq!(unit, expected);
    }
}

#[derive(Deserialize, PartialEq, Debug)]
struct Aliased {
    #[serde(alias = "hp")]
    health: i32,
    armor: i32,
}

#[test]
fn an_alias_is_not_a_field_of_its_own() {
    for value in [variant!({"health": 1, "armor": 2}), variant!({"hp": 1, "armor": 2}), variant!({"armor": 2, "hp": 1})]
    {
        assert_eq!(from_bytes::<Aliased>(&bytes(&value)).unwrap(), Aliased { health: 1, armor: 2 });
    }
    for order in orders(&[("health", variant!(1)), ("hp", variant!(2)), ("armor", variant!(3))]) {
        from_bytes::<Aliased>(&bytes(&dictionary(order))).unwrap_err();
    }
}

#[derive(Deserialize, PartialEq, Debug)]
struct Partial {
    first: i32,
    #[serde(skip)]
    cache: i32,
    #[serde(default)]
    second: i32,
    third: Option<i32>,
}

#[test]
fn fields_that_are_skipped_or_missing_have_their_default() {
    let expected = |second, third| Partial { first: 1, cache: 0, second, third };
    for (value, expected) in [
        (variant!({"first": 1, "second": 2, "third": 3}), expected(2, Some(3))),
        (variant!({"first": 1, "second": 2, "third": null}), expected(2, None)),
        (variant!({"first": 1, "third": 3}), expected(0, Some(3))),
        (variant!({"first": 1}), expected(0, None)),
        (variant!({"first": 1, "cache": 9, "third": 3}), expected(0, Some(3))),
        (variant!({"first": 1, "second": 2, "unknown": 3}), expected(2, None)),
    ] {
        assert_eq!(from_bytes::<Partial>(&bytes(&value)).unwrap(), expected, "{value}");
    }
}

/// Reads a struct from a map only.
#[derive(PartialEq, Debug)]
struct OnlyMap(i32);

impl<'de> Deserialize<'de> for OnlyMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapVisitor;

        impl<'de> Visitor<'de> for MapVisitor {
            type Value = OnlyMap;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OnlyMap, A::Error> {
                match map.next_entry::<String, i32>()? {
                    Some((name, value)) if name == "value" => Ok(OnlyMap(value)),
                    _ => Err(A::Error::custom("no value")),
                }
            }
        }

        deserializer.deserialize_struct("OnlyMap", &["value"], MapVisitor)
    }
}

#[test]
fn a_visitor_without_sequences_gets_a_map() {
    assert_eq!(from_bytes::<OnlyMap>(&bytes(&variant!({"value": 7}))).unwrap(), OnlyMap(7));
    let value = variant!([{"value": 7}, {"value": 8}]);
    assert_eq!(from_bytes::<Vec<OnlyMap>>(&bytes(&value)).unwrap(), [OnlyMap(7), OnlyMap(8)]);
}

/// Ignores the error of its value.
#[derive(PartialEq, Debug)]
struct Lenient(Option<Weapon>);

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Weapon::deserialize(deserializer).ok()))
    }
}

#[derive(Deserialize, PartialEq, Debug)]
struct Outer {
    before: i32,
    lenient: Lenient,
}

/// The engine's order of the keys is no error, so nothing is there to be ignored.
#[test]
fn a_type_that_ignores_errors_gets_its_value_in_every_order() {
    for order in orders(&[("damage", variant!(3)), ("range", variant!(0.5))]) {
        let weapon = dictionary(order);
        let expected = Lenient(Some(Weapon { damage: 3, range: 0.5 }));
        assert_eq!(from_bytes::<Lenient>(&bytes(&weapon)).unwrap(), expected);
        let outer = variant!({"before": 1, "lenient": weapon});
        assert_eq!(from_bytes::<Outer>(&bytes(&outer)).unwrap(), Outer { before: 1, lenient: expected });
    }
}

#[test]
fn the_last_value_of_a_key_counts_in_a_dictionary_that_begins_like_the_fields() {
    assert_eq!(from_bytes::<Weapon>(&damage_twice()).unwrap(), Weapon { damage: 0, range: 0.5 });
    let mut twice = bytes(&variant!({"damage": 1, "ranges": 2}));
    let second = twice.windows(6).position(|window| window == b"ranges").unwrap();
    twice.splice(second..second + 6, *b"damage");
    let error = from_bytes::<Weapon>(&twice).unwrap_err();
    assert!(error.to_string().contains("range"), "{error}");
}

#[derive(Deserialize, PartialEq, Debug)]
struct Flattened {
    #[serde(flatten)]
    weapon: Option<Weapon>,
}

/// A weapon with the damage 1 and then, by the same key, 0.
fn damage_twice() -> Vec<u8> {
    let mut packet = bytes(&variant!({"damage": 1, "range": 0.5, "other": 0}));
    let other = packet.windows(5).position(|window| window == b"other").unwrap();
    // In words of the same size.
    packet.splice(other - 4..other + 8, *b"\x06\0\0\0damage\0\0");
    packet
}

/// serde drops errors of flattened fields that are optional, and of untagged enums.
#[test]
fn the_last_value_of_a_key_counts_where_serde_drops_errors() {
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Number(i64),
        Weapon(Weapon),
    }
    let weapon = || Weapon { damage: 0, range: 0.5 };
    assert_eq!(from_bytes::<Flattened>(&damage_twice()).unwrap(), Flattened { weapon: Some(weapon()) });
    assert_eq!(from_bytes::<Untagged>(&damage_twice()).unwrap(), Untagged::Weapon(weapon()));
    let error = from_bytes::<(Untagged, Untagged)>(&bytes(&variant!([7, "text"]))).unwrap_err();
    assert!(error.to_string().contains("any variant"), "{error}");
}

/// Otherwise it would be read by a tree, which cannot lend text.
#[test]
fn text_is_borrowed_whatever_is_twice_in_another_packet() {
    #[derive(Deserialize)]
    struct Envelope<'a> {
        sender: &'a str,
        #[serde(deserialize_with = "packet_in_packet")]
        content: Flattened,
    }
    fn packet_in_packet<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Flattened, D::Error> {
        let packet = <&[u8]>::deserialize(deserializer)?;
        from_bytes(packet).map_err(D::Error::custom)
    }
    let envelope = bytes(&variant!({"sender": "Ada", "content": damage_twice()}));
    let is_done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                from_bytes::<Flattened>(&damage_twice()).unwrap();
            }
        });
        let read: Vec<_> = (0..1000).map(|_| from_bytes::<Envelope>(&envelope)).collect();
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        for envelope in read {
            let Envelope { sender, content } = envelope.unwrap();
            assert_eq!((sender, content.weapon.unwrap().damage), ("Ada", 0));
        }
    });
}

#[test]
fn an_error_in_a_field_has_its_path_in_every_order() {
    for order in orders(&[("damage", variant!("three")), ("range", variant!(0.5))]) {
        let value = variant!([{"before": 1, "lenient": null}, dictionary(order)]);
        let error = from_bytes::<(Variant, Weapon)>(&bytes(&value)).unwrap_err();
        assert!(error.to_string().contains(r#"expected i64, found String"#), "{error}");
        assert_eq!(error.path().to_string(), r#"$[1]["damage"]"#);
    }
}
