//! Types that a Rust type selects: typed containers and full objects.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::math::Godot;
use varbytes::packed::Packed;
use varbytes::typed::{Class, Member};
use varbytes::variant::{
    Array, Basis, ContainerType, Dictionary, NodePath, ObjectData, PackedReals, Signal, Vector2i, Vector3,
};
use varbytes::{Decoder, Encoder, FullObject, Profile, Variant, VariantType, from_bytes, to_bytes, variant};

/// Asserts that a Rust value is written as `expected`, and read back from it.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "shorter where it is called")]
fn assert_same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, expected: impl Into<Variant>) {
    let expected = expected.into();
    let bytes = Encoder::new().objects(true).serialize(&value).unwrap();
    let encoded = Encoder::new().objects(true).encode(&expected).unwrap();
    assert_eq!(bytes, encoded, "{:?}", Decoder::new().objects(true).decode(&bytes));
    assert_eq!(Decoder::new().objects(true).deserialize::<T>(&bytes).unwrap(), value);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Typed<T: varbytes::typed::Container + DeserializeOwned>(#[serde(with = "varbytes::typed")] T);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Item {
    name: String,
}

impl Member for Item {
    const TYPE: VariantType = VariantType::Dictionary;
}

/// A type that declares that it is an int.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Wrong(String);

impl Member for Wrong {
    const TYPE: VariantType = VariantType::Int;
}

fn builtin(variant_type: VariantType) -> Option<ContainerType> {
    Some(ContainerType::Builtin(variant_type))
}

#[test]
fn a_typed_vec_is_a_typed_array() {
    let ints = Array::with_type(builtin(VariantType::Int), vec![1.into(), 2.into()]).unwrap();
    assert_same(Typed(vec![1i64, 2]), ints);
    assert_same(Typed(Vec::<f32>::new()), Array::with_type(builtin(VariantType::Float), vec![]).unwrap());
    let items = Array::with_type(builtin(VariantType::Dictionary), vec![variant!({"name": "axe"})]).unwrap();
    assert_same(Typed(vec![Item { name: "axe".into() }]), items);
    let arrays = Array::with_type(builtin(VariantType::Array), vec![variant!([1])]).unwrap();
    assert_same(Typed(vec![vec![1]]), arrays);
}

#[test]
fn a_typed_map_is_a_typed_dictionary() {
    let typed =
        |entries| Dictionary::with_types(builtin(VariantType::String), builtin(VariantType::Int), entries).unwrap();
    assert_same(Typed(BTreeMap::from([("a".to_owned(), 1)])), typed(vec![("a".into(), 1.into())]));
    assert_same(Typed(HashMap::<String, u8>::new()), typed(vec![]));
}

/// Asserts that a value is a typed array with these members.
#[track_caller]
fn assert_typed<T>(value: T, member: VariantType, members: Vec<Variant>)
where
    T: varbytes::typed::Container + DeserializeOwned + PartialEq + Debug,
{
    assert_same(Typed(value), Array::with_type(builtin(member), members).unwrap());
}

#[test]
fn members_of_every_crate_have_their_type() {
    let vector = || vec![Vector3::new(1.0, 2.0, 3.0).into()];
    assert_typed(vec![Vector3::new(1.0, 2.0, 3.0)], VariantType::Vector3, vector());
    assert_typed(vec![glam::Vec3::new(1.0, 2.0, 3.0)], VariantType::Vector3, vector());
    assert_typed(vec![glam::Vec3A::new(1.0, 2.0, 3.0)], VariantType::Vector3, vector());
    assert_typed(vec![Godot(glam::Vec3::new(1.0, 2.0, 3.0))], VariantType::Vector3, vector());
    assert_typed(vec![Godot(mint::Point3::<f32>::from([1.0, 2.0, 3.0]))], VariantType::Vector3, vector());
    let matrix = glam::Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_typed(vec![matrix], VariantType::Basis, vec![Basis::from(matrix).into()]);
    let path: NodePath = "a:b".parse().unwrap();
    assert_typed(vec![path.clone()], VariantType::NodePath, vec![path.into()]);
    let signal = || Signal { name: "pressed".into(), object_id: 7 };
    assert_typed(vec![signal()], VariantType::Signal, vec![signal().into()]);
    assert_typed(vec![Cow::<str>::Owned("a".into())], VariantType::String, vec!["a".into()]);
    assert_typed(vec![Box::new(1)], VariantType::Int, vec![1.into()]);
    assert_typed(vec![(1, "a".to_owned())], VariantType::Array, vec![variant!([1, "a"])]);
    let map = || BTreeMap::from([("a".to_owned(), 1)]);
    assert_typed(vec![map()], VariantType::Dictionary, vec![variant!({"a": 1})]);
}

#[test]
fn members_are_typed_containers_and_packed_arrays_by_newtypes() {
    let ints = || Array::with_type(builtin(VariantType::Int), vec![1.into()]).unwrap();
    assert_typed(vec![varbytes::typed::Typed(vec![1])], VariantType::Array, vec![ints().into()]);
    assert_typed(vec![Packed(vec![1.5f32])], VariantType::PackedFloat32Array, vec![vec![1.5f32].into()]);
    let packed = || PackedReals::from(vec![[1.0f32, 2.0]]);
    let expected = vec![Variant::PackedVector2Array(packed())];
    assert_typed(vec![packed()], VariantType::PackedVector2Array, expected);
    let key = varbytes::typed::Typed(vec![1]);
    assert_same(BTreeMap::from([(key, 2)]), vec![(Variant::from(ints()), Variant::from(2))]);
}

#[test]
fn sequences_of_every_form_are_typed_arrays() {
    let one = || vec![Variant::from(1)];
    assert_typed([1], VariantType::Int, one());
    assert_typed(vec![1].into_boxed_slice(), VariantType::Int, one());
    assert_typed(VecDeque::from([1]), VariantType::Int, one());
    assert_typed(BTreeSet::from([1]), VariantType::Int, one());
    assert_typed(HashSet::<i32>::from([1]), VariantType::Int, one());
    assert_typed(Cow::<[i32]>::Owned(vec![1]), VariantType::Int, one());
    assert_typed(Some(vec![1]), VariantType::Int, one());
    assert_same(Typed(None::<Vec<i32>>), ());
}

#[test]
fn maps_have_keys_and_values_of_every_crate() {
    let key = Godot(mint::Vector2::<i32>::from([1, 2]));
    let entries = vec![(Vector2i::new(1, 2).into(), Vector3::new(1.0, 2.0, 3.0).into())];
    let expected =
        Dictionary::with_types(builtin(VariantType::Vector2i), builtin(VariantType::Vector3), entries).unwrap();
    assert_same(Typed(BTreeMap::from([(key, glam::Vec3::new(1.0, 2.0, 3.0))])), expected.clone());
    assert_same(Typed(Some(HashMap::from([(glam::IVec2::new(1, 2), Vector3::new(1.0, 2.0, 3.0))]))), expected);
}

#[test]
fn members_of_any_type_leave_their_side_untyped() {
    assert_same(Typed(vec![Variant::from(1), "a".into()]), variant!([1, "a"]));
    let map = BTreeMap::from([("a".to_owned(), variant!([1])), ("b".to_owned(), Variant::Nil)]);
    let entries = vec![("a".into(), variant!([1])), ("b".into(), Variant::Nil)];
    let expected = Dictionary::with_types(builtin(VariantType::String), None, entries).unwrap();
    assert_same(Typed(map), expected);
    assert!(Encoder::new().profile(Profile::GODOT_3_5).serialize(&Typed(vec![Variant::Nil])).is_ok());
}

impl Class for Item {
    const CLASS: &'static str = "Resource";
}

#[test]
fn full_objects_have_the_class_that_they_declare() {
    let object = |class: &str| FullObject { class: class.into(), properties: Item { name: "axe".into() } };
    let data = |class: &str| {
        Variant::from(ObjectData { class: class.into(), properties: vec![("name".to_owned(), "axe".into())] })
    };
    let class = Some(ContainerType::Class("Resource".into()));
    let members = vec![data("Resource"), data("Texture")];
    let expected = Array::with_type(class.clone(), members).unwrap();
    assert_same(Typed(vec![object("Resource"), object("Texture")]), expected);
    assert_same(Typed(Vec::<FullObject<Item>>::new()), Array::with_type(class.clone(), vec![]).unwrap());
    let expected = Array::with_type(class.clone(), vec![data("Resource"), Variant::Nil]).unwrap();
    assert_same(Typed(vec![Some(object("Resource")), None]), expected);
    let entries = vec![("a".into(), data("Resource"))];
    let expected = Dictionary::with_types(builtin(VariantType::String), class, entries).unwrap();
    assert_same(Typed(BTreeMap::from([("a".to_owned(), object("Resource"))])), expected);
}

#[test]
fn full_objects_have_the_script_that_they_declare() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Scripted {}
    impl Class for Scripted {
        const CLASS: &'static str = "res://item.gd";
    }
    let expected = Array::with_type(Some(ContainerType::Script("res://item.gd".into())), vec![]).unwrap();
    assert_same(Typed(Vec::<FullObject<Scripted>>::new()), expected);
}

#[test]
fn typed_containers_return_from_other_formats() {
    let value = Typed(BTreeMap::from([("a".to_owned(), [Vector3::new(1.0, 2.0, 3.0)])]));
    type Map = Typed<BTreeMap<String, [Vector3; 1]>>;
    assert_eq!(serde_json::from_str::<Map>(&serde_json::to_string(&value).unwrap()).unwrap(), value);
    assert_eq!(bincode::deserialize::<Map>(&bincode::serialize(&value).unwrap()).unwrap(), value);
    let object = || FullObject { class: "Resource".into(), properties: Item { name: "axe".into() } };
    let json = serde_json::to_string(&Typed(vec![object()])).unwrap();
    assert_eq!(json, r#"[["Resource",{"name":"axe"}]]"#);
    assert_eq!(serde_json::from_str::<Typed<Vec<FullObject<Item>>>>(&json).unwrap(), Typed(vec![object()]));
}

#[test]
fn an_untyped_container_is_read_into_a_typed_one() {
    assert_eq!(from_bytes::<Typed<Vec<i64>>>(&to_bytes(&[1, 2]).unwrap()).unwrap(), Typed(vec![1, 2]));
}

#[test]
fn a_member_of_another_type_than_its_declared_one_is_refused() {
    let error = to_bytes(&("first", Typed(vec![Wrong("a".into())]))).unwrap_err();
    assert_eq!(error.to_string(), "expected int, found String, path $[1][0]");
    let error = to_bytes(&Typed(BTreeMap::from([("a".to_owned(), Wrong("b".into()))]))).unwrap_err();
    assert_eq!(error.to_string(), r#"expected int, found String, path $["a"]"#);
}

#[test]
fn an_engine_without_typed_containers_refuses_them() {
    assert!(Encoder::new().profile(Profile::GODOT_3_5).serialize(&Typed(vec![1])).is_err());
}

#[test]
fn a_typed_container_is_a_container_in_other_formats() {
    assert_eq!(serde_json::to_string(&Typed(vec![1, 2])).unwrap(), "[1,2]");
    assert_eq!(serde_json::from_str::<Typed<Vec<i32>>>("[1,2]").unwrap(), Typed(vec![1, 2]));
    let map = Typed(BTreeMap::from([("a".to_owned(), 1)]));
    assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"a":1}"#);
}

#[test]
fn a_struct_with_a_class_is_a_full_object() {
    let properties = vec![("name".to_owned(), "axe".into())];
    let expected = ObjectData { class: "Resource".into(), properties };
    assert_same(FullObject { class: "Resource".into(), properties: Item { name: "axe".into() } }, expected.clone());
    let map = BTreeMap::from([("name".to_owned(), "axe".to_owned())]);
    assert_same(FullObject { class: "Resource".into(), properties: map }, expected.clone());
    let inner = FullObject { class: "Resource".into(), properties: Item { name: "axe".into() } };
    let properties = BTreeMap::from([("0".to_owned(), vec![inner])]);
    let nested = vec![("0".to_owned(), Array::from([Variant::from(expected)]).into())];
    let nested = ObjectData { class: "Node".into(), properties: nested };
    assert_same(FullObject { class: "Node".into(), properties }, nested);
}

#[test]
fn full_objects_need_permission_both_ways() {
    let object = FullObject { class: "Resource".into(), properties: Item { name: "axe".into() } };
    assert_eq!(to_bytes(&object).unwrap_err().to_string(), "full objects are not allowed, path $");
    let bytes = Encoder::new().objects(true).serialize(&object).unwrap();
    assert!(from_bytes::<FullObject<Item>>(&bytes).is_err());
    assert!(from_bytes::<Item>(&bytes).is_err());
}

#[test]
fn a_value_that_is_not_a_full_object_is_refused() {
    for value in [variant!({"name": "axe"}), variant!(["Resource", {"name": "axe"}]), Variant::Nil] {
        let bytes = varbytes::encode(&value).unwrap();
        let error = Decoder::new().objects(true).deserialize::<FullObject<Item>>(&bytes).unwrap_err();
        assert!(error.to_string().starts_with("expected a full Object, found "), "{error}");
    }
}

#[test]
fn an_error_in_a_property_has_its_path() {
    let object = FullObject { class: "A".into(), properties: BTreeMap::from([("big".to_owned(), u64::MAX)]) };
    let error = Encoder::new().objects(true).serialize(&object).unwrap_err();
    assert!(error.to_string().ends_with("path $.big"), "{error}");
    let keys = FullObject { class: "A".into(), properties: BTreeMap::from([(1, 2)]) };
    assert!(Encoder::new().objects(true).serialize(&keys).is_err());
}

#[test]
fn the_script_of_a_full_object_is_a_path_or_null() {
    let object = |script: Variant| {
        let properties = BTreeMap::from([("script".to_owned(), script)]);
        vec![FullObject { class: "Node".into(), properties }]
    };
    let encoder = Encoder::new().objects(true);
    for script in ["res://player.gd".into(), Variant::Nil] {
        let object = object(script);
        let bytes = encoder.serialize(&object).unwrap();
        let tree = Decoder::new().objects(true).decode(&bytes).unwrap();
        assert_eq!(encoder.encode(&tree).unwrap(), bytes);
        assert_eq!(Decoder::new().objects(true).deserialize::<Vec<FullObject<_>>>(&bytes).unwrap(), object);
    }
    let name = Variant::StringName(Box::new("res://player.gd".into()));
    for script in ["user://player.gd".into(), "".into(), name, 7.into(), variant!([])] {
        let data = ObjectData { class: "Node".into(), properties: vec![("script".into(), script.clone())] };
        let expected = encoder.encode(&vec![Variant::from(data)].into()).unwrap_err();
        let error = encoder.serialize(&object(script.clone())).unwrap_err();
        assert_eq!(error, expected);
        assert_eq!(error.path().to_string(), "$[0].script");
        // Engines before 4.3 write an object there, and ignore anything else.
        assert!(encoder.profile(Profile::GODOT_4_2).serialize(&object(script)).is_ok());
    }
}
