//! A `Dictionary` behaves as a map that keeps the order, with the keys of Godot 4.
#![expect(clippy::needless_borrows_for_generic_args, reason = "as applications look up keys in a HashMap")]

mod numbers;

use numbers::Numbers;
use varbytes::variant::{Array, ContainerType, Dictionary, Entry, NodePath, ObjectData, Text, TextError};
use varbytes::{EncodeErrorKind, Encoder, Variant, VariantType, variant};

fn key(number: u64) -> Variant {
    match number % 4 {
        0 => Variant::try_from(number).unwrap(),
        1 => format!("key {number}").into(),
        2 => (number as f64 / 2.0).into(),
        _ => variant!([format!("a longer key in an array {number}")]),
    }
}

#[test]
fn a_dictionary_equals_its_model_after_any_changes() {
    for (seed, keys) in [(1, 8), (2, 40), (3, 400)] {
        let mut numbers = Numbers(seed);
        let mut dictionary = Dictionary::new();
        let mut model: Vec<(u64, u64)> = Vec::new();
        for _ in 0..4000 {
            let number = numbers.below(keys);
            let value = numbers.below(100);
            let place = model.iter().position(|(key, _)| *key == number);
            let earlier = place.map(|place| Variant::try_from(model[place].1).unwrap());
            match numbers.below(6) {
                0..=2 => {
                    assert_eq!(dictionary.insert(key(number), i64::try_from(value).unwrap()), earlier);
                    match place {
                        Some(place) => model[place].1 = value,
                        None => model.push((number, value)),
                    }
                }
                3 => {
                    assert_eq!(dictionary.remove(&key(number)), earlier);
                    place.map(|place| model.remove(place));
                }
                4 => {
                    let entry = dictionary.entry(key(number));
                    assert_eq!(matches!(entry, Entry::Occupied(_)), place.is_some());
                    entry.or_insert(i64::try_from(value).unwrap());
                    if place.is_none() {
                        model.push((number, value));
                    }
                }
                _ => assert_eq!(dictionary.get(&key(number)), earlier.as_ref()),
            }
            assert_eq!(dictionary.len(), model.len());
        }
        let expected: Vec<_> = model.iter().map(|(k, value)| (key(*k), Variant::try_from(*value).unwrap())).collect();
        assert_eq!(dictionary.clone().into_entries(), expected);
        assert_eq!(dictionary, expected.into_iter().rev().collect());
    }
}

#[test]
fn the_last_of_duplicate_keys_wins_at_the_position_of_the_first() {
    let dictionary = Dictionary::from([("a", 1), ("b", 2), ("a", 3)]);
    assert_eq!(dictionary.entries(), [("a".into(), 3.into()), ("b".into(), 2.into())]);
    assert_eq!(
        varbytes::decode(&varbytes::encode(&dictionary.clone().into()).unwrap()).unwrap(),
        Variant::from(dictionary)
    );
}

#[test]
fn an_int_and_a_float_are_different_keys() {
    let dictionary = Dictionary::from([(variant!(1), "int"), (variant!(1.0), "float")]);
    assert_eq!((&dictionary[1], &dictionary[1.0]), (&"int".into(), &"float".into()));
}

#[test]
fn a_string_and_a_string_name_are_one_key() {
    let name = Variant::StringName(Box::new("a".into()));
    assert_eq!(Dictionary::from([(name.clone(), 1)])["a"], 1);
    assert_eq!(Dictionary::from([("a", 1)])[&name], 1);
}

#[test]
fn nan_is_one_key_and_so_is_zero() {
    let dictionary = Dictionary::from([(f64::NAN, 1), (-0.0, 2), (f64::NAN, 3), (0.0, 4)]);
    assert_eq!(dictionary.len(), 2);
    assert_eq!((dictionary[f64::NAN].as_i64(), dictionary[-0.0].as_i64()), (Some(3), Some(4)));
}

#[test]
fn keys_of_a_large_decoded_dictionary_are_found() {
    let written: Dictionary = (0..10_000).map(|number| (format!("key {number}"), number)).collect();
    let read = varbytes::decode(&varbytes::encode(&written.into()).unwrap()).unwrap();
    for number in 0..10_000 {
        assert_eq!(read[&format!("key {number}")], number);
    }
    assert!(read["key 10000"].is_nil());
    assert_eq!(read.clone()["key 9999"], 9999);
}

#[test]
fn keys_that_are_changed_in_place_are_found() {
    let mut dictionary: Dictionary = (0..100).map(|number| (number, number)).collect();
    assert_eq!(dictionary[50], 50);
    dictionary.entries_mut()[50].0 = "fifty".into();
    assert_eq!(dictionary["fifty"], 50);
    assert!(!dictionary.contains_key(50));
    dictionary.edit(|entries| entries.reverse());
    assert_eq!(dictionary["fifty"], 50);
    dictionary.retain(|key, _| *key != 99);
    assert_eq!((dictionary.get(99), dictionary[98].as_i64()), (None, Some(98)));
}

#[test]
fn the_order_of_entries_does_not_affect_equality() {
    assert_eq!(variant!({"a": 1, "b": [{"c": 2, "d": 3}]}), variant!({"b": [{"d": 3, "c": 2}], "a": 1}));
    assert_ne!(variant!({"a": 1, "b": 2}), variant!({"b": 1, "a": 2}));
    assert_ne!(variant!([1, 2]), variant!([2, 1]));
}

#[test]
fn a_typed_container_refuses_members_of_other_types() {
    let int = || Some(ContainerType::Builtin(VariantType::Int));
    assert!(Array::with_type(int(), vec!["x".into()]).is_err());
    let mut array = Array::with_type(int(), vec![1.into()]).unwrap();
    assert!(array.try_push("x").is_err());
    assert_eq!(array.len(), 1);
    let entries = || vec![(Variant::from(1), Variant::from("x"))];
    let error = Dictionary::with_types(int(), int(), entries()).unwrap_err();
    assert_eq!(error.to_string(), "value 0 is a String, but the container declares int");
    let mut dictionary = Dictionary::with_types(int(), None, entries()).unwrap();
    assert!(dictionary.try_insert("x", 1).is_err());
    assert_eq!(Array::with_type_unchecked(int(), vec!["x".into()]).len(), 1);
}

#[test]
fn text_with_a_nul_is_refused_by_checked_construction() {
    assert_eq!(Text::new("a\0b"), Err(TextError::Nul { position: 1 }));
    assert!("a\0".parse::<Text>().is_err());
}

#[test]
fn text_with_a_nul_is_refused_when_it_is_written() {
    let long = format!("{}\0", "long ".repeat(20));
    let node_path = NodePath { names: vec!["a\0".into()], ..NodePath::default() };
    let object =
        |class: &str, name: &str| ObjectData { class: class.into(), properties: vec![(name.into(), Variant::Nil)] };
    for value in [
        Variant::from("a\0b"),
        "\0".into(),
        long.into(),
        Variant::StringName(Box::new("a\0".into())),
        vec!["a\0".to_owned()].into(),
        node_path.into(),
        object("A\0", "a").into(),
        object("A", "a\0").into(),
        variant!([{"a\0": 1}]),
    ] {
        let error = Encoder::new().objects(true).encode(&value).unwrap_err();
        assert!(matches!(error.kind(), EncodeErrorKind::NulInText { .. }), "{value:?}: {error}");
    }
}

#[test]
fn text_with_a_nul_equals_the_same_str() {
    assert_eq!(Text::from("a\0b"), "a\0b");
    assert_ne!(Text::from("a\0b"), "a\0c");
    assert_eq!(format!("{:?}", Text::from("a\0b")), r#""a\0b""#);
}

#[test]
fn values_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&variant!({"a": 1}));
}

#[test]
fn a_removed_key_is_absent_even_if_it_had_duplicates() {
    for count in [3, 32, 40, 100] {
        let mut entries: Vec<(Variant, Variant)> = (0..count).map(|number| (number.into(), number.into())).collect();
        entries.insert(0, (2.into(), "first".into()));
        entries.push((2.into(), "last".into()));
        let mut dictionary = Dictionary::with_types_unchecked(None, None, entries);
        assert_eq!(dictionary.remove(2), Some("last".into()));
        assert_eq!((dictionary.get(2), dictionary.clone().get(2)), (None, None));
        assert_eq!(dictionary.len(), usize::try_from(count).unwrap() - 1);
        assert_eq!(dictionary.insert(2, "new"), None);
        assert_eq!((dictionary.get(2), dictionary.get(1)), (Some(&"new".into()), Some(&1.into())));

        dictionary.entries_mut()[0].0 = 1.into();
        let Entry::Occupied(entry) = dictionary.entry(1) else { panic!("{count}") };
        assert_eq!(entry.remove(), 1);
        assert!(!dictionary.contains_key(1));
    }
}

#[test]
fn an_occupied_entry_is_read_replaced_and_removed() {
    let int = || Some(ContainerType::Builtin(VariantType::Int));
    let mut dictionary = Dictionary::with_types(None, int(), vec![("a".into(), 1.into())]).unwrap();
    let Entry::Occupied(mut entry) = dictionary.entry("a") else { panic!() };
    assert_eq!(entry.key(), "a");
    assert_eq!(entry.insert(2), 1);
    assert_eq!(entry.remove_entry(), ("a".into(), 2.into()));
    dictionary.insert("a", 1);
    let Entry::Occupied(mut entry) = dictionary.entry("a") else { panic!() };
    let inserted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| entry.insert("x")));
    assert!(inserted.is_err(), "a String in a dictionary of ints");
    assert_eq!(dictionary["a"], 1);
}
