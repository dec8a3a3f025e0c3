//! Every expression that an application tries first.
#![expect(clippy::needless_borrows_for_generic_args, reason = "as applications look up keys in a HashMap")]

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use varbytes::variant::{
    Array, Basis, Color, Dictionary, NodePath, PackedReals, Quaternion, Text, Transform3D, Vector2i, Vector3, WrongType,
};
use varbytes::write::IoSink;
use varbytes::{Encoder, Variant, variant};

#[test]
fn values_are_made_from_every_obvious_type() {
    assert_eq!(Variant::try_from(7u64).unwrap(), 7);
    assert!(Variant::try_from(u64::MAX).is_err());
    assert_eq!(Variant::from("four".len()), 4);
    assert!(Variant::from(None::<i32>).is_nil());
    assert_eq!(Variant::from(Some("a")), "a");
    assert_eq!(Variant::from('é'), "é");
    assert_eq!(Variant::from(&String::from("a")), "a");
    assert_eq!(Variant::from(Cow::from("a")), "a");
    assert_eq!(Variant::from([1, 2]), Variant::PackedInt32Array([1, 2].into()));
    assert_eq!(Variant::from(&[1u8, 2][..]).as_bytes(), Some(&[1, 2][..]));
    assert_eq!(Variant::from(vec!["a", "b"]), Variant::PackedStringArray(["a".into(), "b".into()].into()));
    assert_eq!(Variant::from(vec![true]), variant!([true]));
    assert_eq!(Variant::from(vec![[1f32, 2.0, 3.0]]), Variant::from(vec![Vector3::new(1.0, 2.0, 3.0)]));
    assert_eq!(Variant::from(HashMap::from([("a", 1)])), variant!({"a": 1}));
    assert_eq!(Variant::from(BTreeMap::from([(1, "a"), (2, "b")])), variant!({1: "a", 2: "b"}));
    assert_eq!(Variant::from(Dictionary::from([("a", 1)])), variant!({"a": 1}));
}

#[test]
fn values_are_converted_to_every_obvious_type() -> Result<(), WrongType> {
    assert_eq!(i32::try_from(variant!(7))?, 7);
    assert_eq!(f64::try_from(variant!(7))?, 7.0);
    assert_eq!(String::try_from(variant!("a"))?, "a");
    assert_eq!(<&str>::try_from(&variant!("a"))?, "a");
    assert!(bool::try_from(&variant!(true))?);
    assert_eq!(Vector3::try_from(Variant::from(Vector3::new(1.0, 2.0, 3.0)))?.to_array(), [1.0, 2.0, 3.0]);
    assert_eq!(Vec::<[f32; 3]>::try_from(Variant::from(vec![[1f32, 2.0, 3.0]]))?, [[1.0, 2.0, 3.0]]);
    assert_eq!(Vec::<Variant>::try_from(variant!([1]))?, [1]);
    assert_eq!(Dictionary::try_from(variant!({"a": 1}))?["a"], 1);
    let error = i64::try_from(variant!("a")).unwrap_err();
    assert_eq!(error.to_string(), "expected i64, found String");
    let error = u8::try_from(variant!(256)).unwrap_err();
    assert_eq!(error.to_string(), "the int does not fit in u8");
    Ok(())
}

#[test]
fn values_are_read_and_changed_in_place() {
    let mut v = variant!({"hp": 7, "name": "Ada", "items": [1, {"n": 1.5}], 2: null, "alive": true});
    assert_eq!(v["hp"].as_i64(), Some(7));
    assert_eq!(v["items"][1]["n"].as_f64(), Some(1.5));
    assert_eq!(v["alive"].as_bool(), Some(true));
    assert_eq!(v["name"].as_str(), Some("Ada"));
    assert!(v[2].is_nil() && v["absent"]["deeper"].is_nil());
    assert!(v["hp"] == 7 && v["name"] == "Ada" && v["alive"] == true && v["hp"] != 7.0);
    v["hp"] = 5.into();
    v["new"]["nested"] = 1.into();
    v["items"][0] = "axe".into();
    v.get_mut("items").unwrap().as_array_mut().unwrap().push(3);
    *v.as_dictionary_mut().unwrap().get_mut(2).unwrap() = 9.into();
    assert_eq!(v.as_dictionary().unwrap().get(&2), Some(&9.into()));
    assert_eq!(v["name"].take(), "Ada");
    let expected =
        variant!({"hp": 5, "name": null, "items": ["axe", {"n": 1.5}, 3], 2: 9, "alive": true, "new": {"nested": 1}});
    assert_eq!(v, expected);
    let hash = RandomState::new();
    assert_eq!(hash.hash_one(&v), hash.hash_one(&expected));
}

#[test]
fn an_array_is_used_as_a_vec() {
    let mut array: Array = [1, 2].into_iter().collect();
    array.push("c");
    array.extend([4, 5]);
    array.insert(0, ());
    assert_eq!((array.len(), array.first(), array.last()), (6, Some(&Variant::Nil), Some(&5.into())));
    assert_eq!(array.remove(0), Variant::Nil);
    assert_eq!(array[2], "c");
    for element in &mut array {
        *element = 0.into();
    }
    assert!((&array).into_iter().all(|element| *element == 0) && array.contains(&0.into()));
    array.clear();
    assert!(array.is_empty() && array.get(0).is_none() && array.pop().is_none());
}

#[test]
fn a_dictionary_is_iterated_as_a_map() {
    let mut dictionary = Dictionary::from([("a", 1), ("b", 2)]);
    dictionary.extend([("c", 3)]);
    for (_, value) in &mut dictionary {
        *value = (value.as_i64().unwrap() * 10).into();
    }
    let shown: Vec<String> = (&dictionary).into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(shown, [r#""a"=10"#, r#""b"=20"#, r#""c"=30"#]);
    assert_eq!(dictionary.keys().count() + dictionary.values().count(), 6);
    assert!(!dictionary.is_empty());
    assert_eq!(Dictionary::from([(Vector2i::new(1, 2), 3)])[Vector2i::new(1, 2)], 3);
}

#[test]
fn math_is_made_of_single_precision() {
    assert_eq!(varbytes::encode(&Vector3::new(1.0, 2.0, 3.0).into()).unwrap().len(), 16);
    assert_eq!(varbytes::encode(&Vector3::from([1.0, 2.0, 3.0]).into()).unwrap().len(), 16);
    assert_eq!(varbytes::encode(&Vector3::from_f64_array([1.0, 2.0, 3.0]).into()).unwrap().len(), 28);
    let array: [f32; 3] = Vector3::new(1.0, 2.0, 3.0).into();
    assert_eq!(array, [1.0, 2.0, 3.0]);
    assert_eq!(Vector3::default().to_array(), [0.0; 3]);
    assert_eq!(Quaternion::default().w(), 1.0);
    assert_eq!((Basis::default().x_x(), Basis::default().y_x(), Transform3D::default().z_z()), (1.0, 0.0, 1.0));
    assert_eq!(Color::default().a, 1.0);
    assert_eq!(PackedReals::from(vec![[1f32, 2.0]]).iter().next(), Some([1.0, 2.0]));
}

#[test]
fn text_and_paths_convert() {
    let mut texts = [Text::from("b"), Text::from("a")];
    texts.sort();
    let text: String = texts[0].clone().into();
    assert_eq!(text, "a");
    let shown: &str = texts[0].as_ref();
    assert_eq!(shown, "a");
    let path: NodePath = "/root/Main:position:x".parse().unwrap();
    assert_eq!(path.to_string(), "/root/Main:position:x");
    assert_eq!((path.absolute, path.names.len(), path.subnames.len()), (true, 2, 2));
}

#[test]
fn errors_become_errors_of_input_and_output() {
    let error: std::io::Error = varbytes::decode(&[9]).unwrap_err().into();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}

#[test]
fn anything_that_is_written_to_is_a_sink() {
    /// Takes 8 bytes, then fails.
    struct Full(usize);

    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut sink = IoSink::new(Vec::new());
    Encoder::new().writer(&mut sink).int(7).unwrap();
    assert_eq!(sink.finish().unwrap(), [2, 0, 0, 0, 7, 0, 0, 0]);
    let mut sink = IoSink::new(Full(8));
    for number in 0..100 {
        Encoder::new().writer(&mut sink).int(number).unwrap();
    }
    assert_eq!(sink.finish().err().unwrap().kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn components_are_read_by_name_in_single_precision() {
    let vector = Vector3::new(1.0, 2.5, 3.0);
    let sum: f32 = vector.x() + vector.y() + vector.z();
    assert_eq!(sum, 6.5);
    assert_eq!(Vector3::from_f64_array([0.1, 0.0, 0.0]).x(), 0.1f32);
    assert_eq!(variant!({"position": vector.clone()})["position"], vector);
}

#[test]
fn vectors_of_integers_are_ordered_by_their_components() {
    let tiles = BTreeMap::from([(Vector2i::new(1, 0), "b"), (Vector2i::new(0, 9), "a")]);
    assert_eq!(tiles.into_values().collect::<Vec<_>>(), ["a", "b"]);
}
