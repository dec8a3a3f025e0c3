//! Every expression that an application tries first. The step `packages` of `.ci/run` also runs this file in a project
//! that depends on the packaged crate.
#![expect(clippy::needless_borrows_for_generic_args, reason = "as applications look up keys in a HashMap")]

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use varbytes::variant::{
    Array, Basis, Color, ContainerType, Dictionary, Entry, NodePath, PackedReals, Quaternion, Text, Transform3D,
    VariantRef, Vector2, Vector2i, Vector3, WrongType,
};
use varbytes::write::IoSink;
use varbytes::{Decoder, Encoder, Limits, Path, Profile, Variant, VariantType, variant};

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
    let (save, names) = (variant!({"a": 1, "at": Vector3::new(1.0, 2.0, 3.0)}), ["Ada", "Bob"]);
    assert_eq!(variant!({"copy": &save["a"], "all": &save})["copy"], save["a"]);
    assert_eq!(Variant::from(&[1i32, 2][..]), Variant::from([1i32, 2]));
    assert_eq!(Variant::from(&[1i64, 2][..]), Variant::from([1i64, 2]));
    assert_eq!(Variant::from(&[0.5f32][..]), Variant::from([0.5f32]));
    assert_eq!(Variant::from(&[0.1f64][..]), Variant::from([0.1f64]));
    assert_eq!(Dictionary::from(BTreeMap::from([("b", 1), ("a", 2)])), Dictionary::from([("a", 2), ("b", 1)]));
    assert_eq!(Dictionary::from(HashMap::from([("a", 1)])), Dictionary::from([("a", 1)]));
    let ints = Array::with_type(Some(VariantType::Int.into()), vec![7.into()]).unwrap();
    assert_eq!(ints.element_type(), Some(&ContainerType::Builtin(VariantType::Int)));
    assert_eq!(names.iter().collect::<Array>(), names);
    assert_eq!([1, 2].iter().collect::<Array>(), [1, 2]);
}

#[test]
fn values_are_converted_to_every_obvious_type() -> Result<(), WrongType> {
    assert_eq!(i32::try_from(variant!(7))?, 7);
    assert_eq!(f64::try_from(variant!(7))?, 7.0);
    assert_eq!(String::try_from(variant!("a"))?, "a");
    assert_eq!((char::try_from(variant!("é"))?, char::try_from(&variant!("\u{1F600}"))?), ('é', '\u{1F600}'));
    assert!(char::try_from(variant!("")).is_err() && char::try_from(variant!("ab")).is_err());
    assert!(char::try_from(Variant::from(Text::from_units(&[0xD800]))).is_err());
    let double = Vector2::from_f64_array([0.1, 0.2]);
    assert_eq!(<[f64; 2]>::try_from(Variant::from(double))?, [0.1, 0.2]);
    assert_eq!(<[f64; 3]>::try_from(Variant::from(Vector3::new(1.0, 2.0, 3.0)))?, [1.0, 2.0, 3.0]);
    assert_eq!(<[i32; 2]>::try_from(&Variant::from(Vector2i::new(1, 2)))?, [1, 2]);
    assert!(<[i32; 2]>::try_from(Variant::from(Vector2::new(1.0, 2.0))).is_err());
    assert_eq!(<&str>::try_from(&variant!("a"))?, "a");
    assert!(bool::try_from(&variant!(true))?);
    assert_eq!(Vector3::try_from(Variant::from(Vector3::new(1.0, 2.0, 3.0)))?.to_array(), [1.0, 2.0, 3.0]);
    assert_eq!(Vec::<[f32; 3]>::try_from(Variant::from(vec![[1f32, 2.0, 3.0]]))?, [[1.0, 2.0, 3.0]]);
    assert_eq!(Vec::<Variant>::try_from(variant!([1]))?, [1]);
    assert_eq!(Dictionary::try_from(variant!({"a": 1}))?["a"], 1);
    assert_eq!(Vec::<u32>::try_from(variant!([1, 2]))?, [1, 2]);
    assert_eq!(Vec::<f64>::try_from(variant!([1, 2.5]))?, [1.0, 2.5]);
    assert_eq!(Vec::<String>::try_from(&variant!(["a"]))?, ["a"]);
    assert_eq!(Vec::<Vector3>::try_from(variant!([Vector3::new(1.0, 2.0, 3.0)]))?, [Vector3::new(1.0, 2.0, 3.0)]);
    assert_eq!(Vec::<i64>::try_from(variant!(vec![1i32, 2]))?, [1, 2]);
    assert_eq!(Vec::<Variant>::try_from(variant!(vec![1i32, 2]))?, [1, 2]);
    assert_eq!(Vec::<Vec<i64>>::try_from(variant!([[1, 2], [3]]))?, [vec![1, 2], vec![3]]);
    assert!(Vec::<u8>::try_from(variant!([1, 256])).is_err() && Vec::<bool>::try_from(variant!({})).is_err());
    let error = i64::try_from(variant!("a")).unwrap_err();
    assert_eq!(error.to_string(), "expected i64, found String");
    let error = u8::try_from(variant!(256)).unwrap_err();
    assert_eq!(error.to_string(), "the int does not fit in u8");
    let error = Vec::<u8>::try_from(variant!(["a"])).unwrap_err();
    assert_eq!(error.to_string(), "expected Vec<u8>, found Array");
    let error = Vec::<[f32; 2]>::try_from(variant!(null)).unwrap_err();
    assert_eq!(error.to_string(), "expected Vec<[f32; 2]>, found Nil");
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
    *v["hp"].as_i64_mut().unwrap() -= 1;
    *v["hp"].as_i64_mut().unwrap() += 1;
    *v["alive"].as_bool_mut().unwrap() = true;
    *v["items"][1]["n"].as_f64_mut().unwrap() = 1.5;
    assert!(v["hp"].as_f64_mut().is_none() && v["hp"].as_text_mut().is_none() && v["hp"].as_bytes_mut().is_none());
    assert_eq!(v["items"].element(0), Some("axe".into()));
    assert_eq!(Variant::from(vec![1u8, 2]).element(1), Some(2.into()));
    assert_eq!((v["items"].element(9), v["name"].element(0)), (None, None));
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
    array.reserve(10);
    array.extend([3, 1, 2]);
    assert!(array.drain(..5).all(|element| element == 0));
    array.sort();
    assert_eq!(array, [1, 2, 3]);
    assert_eq!(array.binary_search(&3.into()), Ok(2));
    assert_eq!(array.swap_remove(0), 1);
    assert_eq!(array, [3, 2]);
    array.clear();
    assert!(array.is_empty() && array.get(0).is_none() && array.pop().is_none());
}

#[test]
fn a_dictionary_is_iterated_as_a_map() {
    let mut dictionary = Dictionary::from([("a", 1), ("b", 2)]);
    dictionary.reserve(10);
    dictionary.extend([("c", 3)]);
    for (_, value) in &mut dictionary {
        *value = (value.as_i64().unwrap() * 10).into();
    }
    let shown: Vec<String> = (&dictionary).into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(shown, [r#""a"=10"#, r#""b"=20"#, r#""c"=30"#]);
    assert_eq!(dictionary.keys().count() + dictionary.values().count(), 6);
    assert!(!dictionary.is_empty());
    dictionary.sort_keys();
    assert_eq!(dictionary.drain().count(), 3);
    assert!(dictionary.is_empty() && !dictionary.contains_key("a"));
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

#[test]
fn bytes_and_small_numbers_become_packed_arrays() {
    let bytes = Variant::from(vec![1u8, 2]);
    assert_eq!(
        [Variant::from(&[1u8, 2]), Variant::from(&vec![1u8, 2]), [1u8, 2].into()],
        [&bytes; 3].map(Clone::clone)
    );
    assert_eq!(Variant::from(vec![1u16, 2]), Variant::from(vec![1i32, 2]));
    assert_eq!(Variant::from(vec![u32::MAX]), Variant::from(vec![i64::from(u32::MAX)]));
}

#[test]
fn maps_and_vectors_are_read_back() -> Result<(), WrongType> {
    let scores = variant!({"Ada": 7, "Bob": 0});
    assert_eq!(HashMap::<String, i32>::try_from(&scores)?["Ada"], 7);
    assert_eq!(BTreeMap::<String, Variant>::try_from(&scores)?["Bob"], 0);
    let error = BTreeMap::<i64, i64>::try_from(scores).unwrap_err();
    assert_eq!(error.to_string(), "expected i64, found String");
    let points = vec![Vector2::new(1.0, 2.0)];
    assert_eq!(Vec::<Vector2>::try_from(Variant::from(points.clone()))?, points);
    let tiles = vec![Vector2i::new(1, 2)];
    assert_eq!(Vec::<Vector2i>::try_from(Variant::from(tiles.clone()))?, tiles);
    Ok(())
}

#[test]
fn an_array_has_the_methods_of_slices_and_compares_with_them() {
    let mut array = Array::with_capacity(8);
    array.extend([3, 1, 2]);
    array.sort_by_key(Variant::as_i64);
    assert_eq!(array, [1, 2, 3]);
    assert_eq!(array, vec![1, 2, 3]);
    array.swap(0, 2);
    array.retain(|member| *member != 2);
    assert_eq!(array[..], [3, 1]);
    assert_eq!(array.iter().rev().filter_map(Variant::as_i64).collect::<Vec<_>>(), [1, 3]);
    assert!(array.windows(2).all(|pair| pair[0].as_i64() > pair[1].as_i64()));
    array.truncate(1);
    assert_eq!(Vec::<Variant>::from(array), [3]);
}

#[test]
fn a_dictionary_has_the_usual_keys() {
    let id = "a".to_owned();
    let mut dictionary = Dictionary::with_capacity(8);
    for (position, key) in ["a", "b", "a"].iter().enumerate() {
        dictionary.insert(*key, position);
    }
    assert_eq!(dictionary.get(&id), Some(&2.into()));
    assert!(dictionary.contains_key(id.as_str()) && dictionary.contains_key(&Variant::from("b")));
    assert!(dictionary.get(7u64).is_none() && dictionary.get(u64::MAX).is_none() && dictionary.get(&7usize).is_none());
    dictionary.insert(i64::MAX, true);
    assert!(dictionary.get(usize::MAX).is_none() && dictionary.get(u64::MAX).is_none());
    assert!(matches!(dictionary.entry("b"), Entry::Occupied(entry) if *entry.get() == 1));
    assert_eq!(dictionary.remove(&id), Some(2.into()));
    assert_eq!(dictionary.clone().into_keys().next(), Some("b".into()));
    assert_eq!(dictionary.into_values().next_back(), Some(true.into()));
}

#[test]
fn the_last_of_duplicate_keys_wins_everywhere() {
    let twice = || vec![("a".into(), 1.into()), ("b".into(), Variant::Nil), ("a".into(), 2.into())];
    assert_eq!(twice().into_iter().collect::<Dictionary>()["a"], 2);
    let unchecked = Dictionary::with_types_unchecked(None, None, twice());
    assert_eq!(unchecked["a"], 2);
    let written = varbytes::encode(&Variant::from(twice())).unwrap();
    assert!(Decoder::new().strict(true).decode(&written).is_ok());
    assert_eq!(variant!({"a": 1, "b": 2}), variant!({"b": 2, "a": 1}));
}

#[test]
fn nothing_is_lost_in_silence() {
    let ints = || Some(ContainerType::Builtin(VariantType::Int));
    assert!(Array::with_type(ints(), vec!["x".into()]).is_err());
    assert!(Dictionary::with_types(None, ints(), vec![(1.into(), "x".into())]).is_err());
    assert!(Text::new("a\0b").is_err() && "a\0b".parse::<Text>().is_err());
    assert!(varbytes::encode(&"a\0b".into()).is_err());
    assert_eq!(varbytes::encode(&PackedReals::from(vec![[1.0, 2.0]]).into_variant()).unwrap().len(), 16);
}

/// As a program that fills the variant itself.
trait IntoVariant {
    fn into_variant(self) -> Variant;
}

impl IntoVariant for PackedReals<2> {
    fn into_variant(self) -> Variant {
        Variant::PackedVector2Array(self)
    }
}

#[test]
fn parts_are_looked_up_by_the_path_of_an_error() {
    let mut save = variant!({"player": {"hp": 7}, 2: ["a"]});
    let path: Path = r#"$["player"]["hp"]"#.parse().unwrap();
    *save.at_mut(&path).unwrap() = 5.into();
    assert_eq!((save.at(&path), save.at(&"$[2][0]".parse().unwrap())), (Some(&5.into()), Some(&"a".into())));
}

#[test]
fn variants_are_matched_and_made_by_hand() {
    let event = variant!({"kind": "hit", "at": Vector3::new(1.0, 2.0, 3.0)});
    let damage = match &event["kind"] {
        Variant::String(kind) if kind == "hit" => 7,
        _ => 0,
    };
    assert_eq!(damage, 7);
    assert_eq!(event["kind"].as_str().map(str::len), Some(3));
    assert_eq!(event.get("hp").and_then(Variant::as_i64).unwrap_or_default(), 0);
    let made = [
        Variant::String("a".into()),
        Variant::StringName("a".into()),
        Variant::Vector3([1.0, 2.0, 3.0].into()),
        Variant::Array(vec![1.into()].into()),
        Variant::Dictionary([("a", 1)].into()),
        Variant::PackedByteArray(vec![1].into()),
        Variant::PackedStringArray(["a".into()].into()),
        Variant::PackedVector3Array(vec![[1.0, 2.0, 3.0]].into()),
    ];
    assert!(made.iter().all(|value| varbytes::encode(value).is_ok()));
    let hit =
        variant!({"to": -1, "from": &String::from("Ada"), "when": Some(1.5), (1 + 1): [-1, [null, {}],], "v": vec![1]});
    assert_eq!((&hit["to"], &hit[2][0], &hit[2][1][0]), (&(-1).into(), &(-1).into(), &Variant::Nil));
    let (text, owned) = (Text::from("Ada"), String::from("Ada"));
    assert_eq!("Ada", text);
    assert_eq!(text, owned);
}

#[test]
fn values_are_shown_as_scripts_show_them() {
    let value = variant!({"a": [1, 2.0, Vector2::new(1.0, 0.5)]});
    assert_eq!(value.to_string(), "{\n\"a\": [1, 2.0, Vector2(1, 0.5)]\n}");
    assert!(format!("{value:#?}").lines().count() > 3 && !format!("{value:?}").contains("Some("));
}

#[test]
fn settings_are_chained() {
    let bytes = varbytes::encode(&"Ada".into()).unwrap();
    let limits = Limits::untrusted(bytes.len()).depth(10).memory(1 << 20);
    let decoder = Decoder::untrusted(&bytes).profile(Profile::GODOT_4_5).limits(limits).strict(true).objects(false);
    assert!(matches!(decoder.decode_borrowed(&bytes), Ok(VariantRef::String("Ada"))));
    let old = Encoder::new().profile(Profile::GODOT_3_6).encode(&"Ada".into()).unwrap();
    assert_eq!(old, bytes);
    fn boxed(bytes: &[u8]) -> Result<Variant, Box<dyn std::error::Error + Send + Sync>> {
        Ok(varbytes::decode(bytes)?)
    }
    assert!(boxed(&[9, 9]).is_err());
}

#[cfg(all(feature = "glam", feature = "mint"))]
#[test]
fn vectors_of_other_crates_convert() -> Result<(), WrongType> {
    let position = variant!({"at": glam::Vec3::new(1.0, 2.0, 3.0), "to": mint::Vector2 { x: 1, y: 2 }});
    assert_eq!((&position["at"], &position["to"]), (&Vector3::new(1.0, 2.0, 3.0).into(), &Vector2i::new(1, 2).into()));
    assert_eq!(glam::Vec3::try_from(&position["at"])?, glam::Vec3::from(Vector3::new(1.0, 2.0, 3.0)));
    assert_eq!(mint::Vector2::<i32>::try_from(&position["to"])?, Vector2i::new(1, 2).into());
    Ok(())
}

#[cfg(all(feature = "serde", feature = "tokio", feature = "mint"))]
mod structs {
    use std::collections::BTreeMap;

    use bytes::BytesMut;
    use serde::{Deserialize, Serialize};
    use tokio_util::codec::{Decoder as _, Encoder as _};
    use varbytes::record::{Framing, RecordCodec, RecordReader, TypedRecordCodec};
    use varbytes::variant::{NodePath, Vector2i, Vector3};
    use varbytes::{Decoder, Encoder, FullObject, Variant, VariantType, variant};

    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Item {
        name: String,
        count: u8,
    }

    impl varbytes::typed::Member for Item {
        const TYPE: VariantType = VariantType::Dictionary;
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Player {
        name: String,
        hp: i32,
        speed: f32,
        position: Vector3,
        #[serde(with = "varbytes::math")]
        target: mint::Point3<f32>,
        #[serde(with = "varbytes::typed")]
        items: Vec<Item>,
        tiles: BTreeMap<Vector2i, Option<u16>>,
        #[serde(with = "varbytes::packed")]
        path: Vec<[f32; 3]>,
        #[serde(with = "serde_bytes")]
        icon: Vec<u8>,
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Command {
        Move { to: Vector3 },
        Stop,
    }

    fn player() -> Player {
        Player {
            name: "Ada".into(),
            hp: 7,
            speed: 1.5,
            position: [1.0, 2.0, 3.0].into(),
            target: [1.0, 2.0, 3.0].into(),
            items: vec![Item { name: "axe".into(), count: 1 }],
            tiles: BTreeMap::from([(Vector2i::new(1, 2), None)]),
            path: vec![[1.0, 2.0, 3.0]],
            icon: vec![1, 2],
        }
    }

    #[test]
    fn a_struct_has_the_types_that_its_fields_choose() {
        let value = varbytes::to_variant(&player()).unwrap();
        let types = ["position", "target", "items", "tiles", "path", "icon"].map(|key| value[key].variant_type());
        let expected = ["Vector3", "Vector3", "Array", "Dictionary", "PackedVector3Array", "PackedByteArray"];
        assert_eq!(types.map(VariantType::name), expected);
        assert_eq!(value["items"].to_string().split('(').next(), Some("Array[Dictionary]"));
        assert!(value["tiles"][Vector2i::new(1, 2)].is_nil());
        assert_eq!(varbytes::from_variant::<Player>(&value).unwrap(), player());
        let command = varbytes::to_bytes(&Command::Move { to: [1.0, 2.0, 3.0].into() }).unwrap();
        assert_eq!(varbytes::decode(&command).unwrap()["type"], "move");
        assert_eq!(varbytes::from_bytes::<Command>(&command).unwrap(), Command::Move { to: [1.0, 2.0, 3.0].into() });
    }

    #[test]
    fn a_struct_reads_what_scripts_send() {
        let mut value = varbytes::to_variant(&player()).unwrap();
        value["speed"] = 2.into();
        value["unread"] = "/root/Main".parse::<NodePath>().unwrap().into();
        let bytes = varbytes::encode(&value).unwrap();
        assert_eq!(varbytes::from_bytes::<Player>(&bytes).unwrap().speed, 2.0);
        value["hp"] = "7".into();
        let error = varbytes::from_variant::<Player>(&value).unwrap_err();
        assert!(error.to_string().contains(r#"expected i32, found String"#), "{error}");
        assert_eq!(error.path().to_string(), r#"$["hp"]"#);
        assert!(varbytes::to_bytes(&u64::MAX).is_err());
    }

    #[test]
    fn records_and_objects_are_read_into_structs() {
        let mut file = Vec::new();
        varbytes::to_writer(&mut file, &player()).unwrap();
        assert_eq!(varbytes::from_reader::<Player>(&file[..]).unwrap().unwrap(), player());
        let mut reader = RecordReader::new(&file[..], Framing::new(1 << 20));
        assert_eq!(reader.deserialize::<Player>().unwrap(), Some(player()));
        let mut codec = TypedRecordCodec::<Item>::new(RecordCodec::new(Framing::new(1 << 16)));
        let mut buffer = BytesMut::new();
        codec.encode(&player().items[0], &mut buffer).unwrap();
        assert_eq!(codec.decode(&mut buffer).unwrap(), player().items.pop());
        let object = FullObject { class: "Resource".into(), properties: player().items.remove(0) };
        let bytes = Encoder::new().objects(true).serialize(&object).unwrap();
        assert_eq!(Decoder::new().objects(true).deserialize::<FullObject<Item>>(&bytes).unwrap(), object);
        let json = serde_json::to_value(variant!({"hp": 7})).unwrap();
        assert_eq!(serde_json::from_value::<Variant>(json).unwrap()["hp"], 7);
    }
}
