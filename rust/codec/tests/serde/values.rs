//! Values of the data model that are neither numbers nor containers, as fields of Rust types.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::packed::Packed;
use varbytes::variant::{Dictionary, NodePath, Object, ObjectData, PackedReals, Signal, Text, Vector2};
use varbytes::{
    Decoder, EncodeErrorKind, Encoder, Profile, Variant, from_bytes, from_variant, to_bytes, to_variant, variant,
};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Holder<T> {
    field: T,
}

/// Asserts that a field is written as `expected`, and read back from it, also from JSON.
#[track_caller]
fn assert_kept<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    field: T,
    expected: impl Into<Variant>,
    json: &str,
) {
    let holder = Holder { field };
    let expected = Variant::from(vec![(Variant::from("field"), expected.into())]);
    let bytes = Encoder::new().objects(true).serialize(&holder).unwrap();
    assert_eq!(bytes, Encoder::new().objects(true).encode(&expected).unwrap());
    assert_eq!(Decoder::new().objects(true).deserialize::<Holder<T>>(&bytes).unwrap(), holder);
    let written = serde_json::to_string(&holder).unwrap();
    assert_eq!(written, format!("{{\"field\":{json}}}"));
    assert_eq!(serde_json::from_str::<Holder<T>>(&written).unwrap(), holder);
}

fn path(text: &str) -> NodePath {
    text.parse().unwrap()
}

#[test]
fn a_node_path_is_text_in_other_formats() {
    assert_kept(path("/root/Player:position:x"), path("/root/Player:position:x"), r#""/root/Player:position:x""#);
    assert_kept(path(""), path(""), r#""""#);
    let map = BTreeMap::from([(path("a"), path("b"))]);
    assert_kept(map, vec![(Variant::from(path("a")), Variant::from(path("b")))], r#"{"a":"b"}"#);
    let bytes = bincode::serialize(&path("a/b")).unwrap();
    assert_eq!(bincode::deserialize::<NodePath>(&bytes).unwrap(), path("a/b"));
}

#[test]
fn a_node_path_whose_text_has_another_meaning_is_kept() {
    let odd = NodePath { absolute: false, names: vec!["a/b".into(), "".into()], subnames: vec![], property: None };
    assert_eq!(from_bytes::<NodePath>(&to_bytes(&odd).unwrap()).unwrap(), odd);
}

#[test]
fn text_is_read_as_a_node_path() {
    for text in [Variant::from("a:b"), Variant::StringName(Box::new("a:b".into()))] {
        assert_eq!(from_variant::<NodePath>(&text).unwrap(), path("a:b"));
    }
    let error = from_bytes::<Holder<NodePath>>(&varbytes::encode(&variant!({"field": 7})).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), r#"expected NodePath, found int, at offset 24 (0x18), path $["field"]"#);
}

#[test]
fn a_node_path_is_read_from_a_flattened_field() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Outer {
        #[serde(flatten)]
        inner: Holder<NodePath>,
    }
    let outer = Outer { inner: Holder { field: path("/a/b:c") } };
    assert_eq!(from_bytes::<Outer>(&to_bytes(&outer).unwrap()).unwrap(), outer);
}

#[test]
fn a_signal_is_a_map_in_other_formats() {
    let signal = || Signal { name: "pressed".into(), object_id: 7 };
    assert_kept(signal(), signal(), r#"{"name":"pressed","object_id":7}"#);
    assert_eq!(bincode::deserialize::<Signal>(&bincode::serialize(&signal()).unwrap()).unwrap(), signal());
    assert!(from_bytes::<Signal>(&to_bytes(&1).unwrap()).is_err());
}

#[test]
fn an_object_keeps_its_class_and_the_order_of_its_properties() {
    let properties = vec![("b".to_owned(), 1.into()), ("a".to_owned(), variant!([2]))];
    let data = ObjectData { class: "Node".into(), properties };
    let json = r#"["Node",{"b":1,"a":[2]}]"#;
    assert_kept(data.clone(), data.clone(), json);
    assert_kept(Object::Data(data.clone().into()), data.clone(), json);
    assert_kept(vec![data.clone()], vec![Variant::from(data)], &format!("[{json}]"));
    assert_kept(Object::Id(7), Object::Id(7), "7");
    assert_kept(Object::Null, (), "null");
    assert!(from_bytes::<Object>(&to_bytes(&1).unwrap()).is_err());
}

#[test]
fn a_packed_array_of_vectors_keeps_its_precision() {
    let single = || PackedReals::from(vec![[1.0f32, 2.0]]);
    assert_kept(single(), Variant::PackedVector2Array(single()), "[[1.0,2.0]]");
    for vectors in [vec![[0.1, 0.2]], vec![]] {
        let double = PackedReals::from_f64_vec(vectors);
        let bytes = to_bytes(&double).unwrap();
        assert_eq!(bytes, varbytes::encode(&Variant::PackedVector2Array(double)).unwrap());
        assert_eq!(to_bytes(&from_bytes::<PackedReals<2>>(&bytes).unwrap()).unwrap(), bytes);
    }
    assert_kept(PackedReals::<3>::default(), Variant::PackedVector3Array(PackedReals::default()), "[]");
    let array = to_bytes(&[Vector2::new(1.0, 2.0)]).unwrap();
    assert_eq!(from_bytes::<PackedReals<2>>(&array).unwrap(), single());
    assert!(from_bytes::<PackedReals<3>>(&array).is_err());
}

#[test]
fn text_that_is_not_unicode_is_refused() {
    let text = Text::from_units(&[0x41, 0xD800]);
    for profile in [Profile::GODOT_4_6, Profile::GODOT_3_5] {
        let encoder = Encoder::new().profile(profile);
        for written in [encoder.serialize(&text), encoder.serialize(&Packed(vec![text.clone()]))] {
            let error = written.unwrap_err().to_string();
            assert!(error.starts_with("text is not valid Unicode"), "{error}");
        }
    }
    assert_eq!(serde_json::to_string(&text).unwrap(), "\"A\u{FFFD}\"");
    let with_nul = to_bytes(&Text::from("a\0b")).unwrap_err();
    assert_eq!(*with_nul.kind(), EncodeErrorKind::NulInText { position: 1 });
}

/// Engines would replace or drop a part of each.
#[test]
fn text_that_no_engine_keeps_passes_from_a_variant_to_a_variant() {
    let units = [&[0x41, 0xD800][..], &[0xD83D, 0xDE00], &[0x11_0000], &[0xFEFF, 0x61], &[0xFEFF, 0xFEFF], &[0xFEFF]];
    for text in units.map(Text::from_units) {
        let keys = [(Variant::String(text.clone()), variant!(1)), (Variant::from("A"), variant!(2))];
        for value in [
            Variant::String(text.clone()),
            Variant::StringName(text.clone().into()),
            Variant::PackedStringArray([Text::from("A"), text.clone()].into()),
            variant!([{"name": text.clone()}]),
            keys.into_iter().collect(),
        ] {
            assert_eq!(from_variant::<Variant>(&value).unwrap(), value);
            let Ok(converted) = to_variant(&value) else {
                assert!(text.starts_with('\u{FEFF}'), "{value:?}");
                continue;
            };
            assert_eq!(converted, value);
        }
    }
    assert_eq!(from_variant::<String>(&Variant::from("\u{FEFF}a")).unwrap(), "\u{FEFF}a");
}

/// A value with a duplicate key is read from a tree. Engines drop one mark of two.
#[test]
fn a_duplicate_key_does_not_change_the_text_next_to_it() {
    #[derive(Deserialize)]
    struct Named {
        id: i64,
        name: String,
    }
    let entries = [("id", variant!(0)), ("name", "\u{FEFF}\u{FEFF}a".into()), ("id", variant!(1))];
    let twice = Dictionary::with_types_unchecked(None, None, entries.map(|(key, value)| (key.into(), value)).into());
    let read: Named = from_bytes(&varbytes::encode(&twice.into()).unwrap()).unwrap();
    assert_eq!((read.id, read.name.as_str()), (1, "\u{FEFF}a"));
}
