//! Shapes of Rust types: each is written as the value that Godot would write, and read back.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};
use varbytes::variant::{
    AABB, Array, Basis, Color, ContainerType, Dictionary, NodePath, Plane, Projection, Quaternion, Rect2, Rect2i,
    Transform2D, Transform3D, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use varbytes::{Decoder, Encoder, Profile, Variant, VariantType, from_bytes, to_bytes, variant};

/// Asserts that a Rust value is written as `expected`, and read back from it.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "shorter where it is called")]
fn assert_same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, expected: impl Into<Variant>) {
    let bytes = to_bytes(&value).unwrap();
    let expected = expected.into();
    assert_eq!(bytes, varbytes::encode(&expected).unwrap(), "{:?}", varbytes::decode(&bytes));
    assert_eq!(from_bytes::<T>(&bytes).unwrap(), value);
    assert_eq!(varbytes::to_variant(&value).unwrap(), expected);
    assert_eq!(varbytes::from_variant::<T>(&expected).unwrap(), value);
}

fn dictionary<const N: usize>(entries: [(&str, Variant); N]) -> Variant {
    entries.into_iter().collect::<Dictionary>().into()
}

fn array<const N: usize>(elements: [Variant; N]) -> Variant {
    Vec::from(elements).into()
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
struct Item {
    name: String,
    count: u16,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Empty {}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct UnitStruct;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Newtype(i32);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Pair(i32, String);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum External {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct { a: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Struct { a: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct { a: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Text(String),
    Many(Vec<i32>),
    Struct { a: i32 },
}

#[test]
fn structs_are_dictionaries_with_string_keys_in_order() {
    assert_same(Item { name: "rope".into(), count: 2 }, dictionary([("name", "rope".into()), ("count", 2.into())]));
    assert_same(Empty {}, dictionary([]));
}

#[test]
fn unit_newtype_and_tuple_structs_are_null_their_content_and_an_array() {
    assert_same(UnitStruct, Variant::Nil);
    assert_same((), Variant::Nil);
    assert_same(Newtype(7), 7);
    assert_same(Pair(7, "x".into()), array([7.into(), "x".into()]));
    assert_same((1i32, true, "z".to_owned()), array([1.into(), true.into(), "z".into()]));
    assert_same([1i32, 2, 3], array([1.into(), 2.into(), 3.into()]));
}

#[test]
fn numbers_are_ints_and_floats() {
    assert_same(i8::MIN, i8::MIN);
    assert_same(i16::MIN, i16::MIN);
    assert_same(i32::MIN, i32::MIN);
    assert_same(i64::MIN, i64::MIN);
    assert_same(u8::MAX, u8::MAX);
    assert_same(u16::MAX, u16::MAX);
    assert_same(u32::MAX, u32::MAX);
    assert_same(i64::MAX as u64, i64::MAX);
    assert_same(i32::MAX as usize, i64::from(i32::MAX));
    assert_same(0.1f32, 0.1f32);
    assert_same(0.1f64, 0.1f64);
    assert_same(-0.0f64, -0.0f64);
    assert_same(f64::INFINITY, f64::INFINITY);
    assert!(from_bytes::<f32>(&to_bytes(&f32::NAN).unwrap()).unwrap().is_nan());
    assert_eq!(to_bytes(&f32::NAN).unwrap(), varbytes::encode(&f32::NAN.into()).unwrap());
}

#[test]
fn float_fields_take_ints() {
    let bytes = to_bytes(&(3, 1i64 << 40)).unwrap();
    assert_eq!(from_bytes::<(f32, f64)>(&bytes).unwrap(), (3.0, (1u64 << 40) as f64));
}

#[test]
fn int_fields_take_no_floats() {
    assert!(from_bytes::<i32>(&to_bytes(&1.0f32).unwrap()).is_err());
}

#[test]
fn unsigned_numbers_above_the_greatest_int_are_refused() {
    let error = to_bytes(&vec![1, u64::MAX]).unwrap_err();
    assert_eq!(error.to_string(), "18446744073709551615 is more than 9223372036854775807, the greatest int, path $[1]");
}

#[test]
fn numbers_of_128_bits_are_written_if_they_fit_in_an_int() {
    let greatest = to_bytes(&i64::MAX).unwrap();
    assert_eq!(
        (to_bytes(&i128::from(i64::MAX)).unwrap(), to_bytes(&(i64::MAX as u128)).unwrap()),
        (greatest.clone(), greatest)
    );
    assert_eq!(to_bytes(&i128::from(i64::MIN)).unwrap(), to_bytes(&i64::MIN).unwrap());
    assert_eq!(to_bytes(&5u128).unwrap(), to_bytes(&5).unwrap());
    assert_eq!(to_bytes(&u128::from(u64::MAX)).unwrap_err(), to_bytes(&u64::MAX).unwrap_err());
    assert_eq!(to_bytes(&i128::from(u64::MAX)).unwrap_err(), to_bytes(&u64::MAX).unwrap_err());
    for error in [to_bytes(&u128::MAX), to_bytes(&i128::MIN), to_bytes(&(i128::from(i64::MIN) - 1))] {
        let message = error.unwrap_err().to_string();
        assert!(message.contains("does not fit in an int, which has 64 bits"), "{message}");
    }
}

#[test]
fn numbers_of_128_bits_are_read() {
    assert_same(vec![5u128], variant!([5]));
    assert_same(i128::from(i64::MIN), i64::MIN);
    assert!(from_bytes::<u128>(&to_bytes(&-1).unwrap()).is_err());
    let packed = varbytes::encode(&vec![1i64, -1].into()).unwrap();
    assert_eq!(from_bytes::<Vec<i128>>(&packed).unwrap(), [1, -1]);
    assert_eq!(from_bytes::<BTreeMap<u128, ()>>(&to_bytes(&BTreeMap::from([(7, ())])).unwrap()).unwrap().len(), 1);
}

#[test]
fn an_object_whose_class_is_read_as_empty_is_null() {
    let bytes = [24, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let decoder = Decoder::new().objects(true);
    assert_eq!(decoder.decode(&bytes).unwrap(), Variant::Object(variant::Object::Null));
    assert_eq!(decoder.deserialize::<Option<Option<i64>>>(&bytes).unwrap(), None);
}

#[test]
fn text_and_characters_are_strings() {
    assert_same("héros".to_owned(), "héros");
    assert_same(String::new(), "");
    assert_same('é', "é");
    assert_same(
        "a text that is much longer than any inline storage".to_owned(),
        "a text that is much longer than any inline storage",
    );
}

#[test]
fn options_are_null_or_their_value() {
    assert_same(None::<i32>, Variant::Nil);
    assert_same(Some(5), 5);
    assert_same(vec![Some("a".to_owned()), None], array(["a".into(), Variant::Nil]));
    assert_same(Some(Item::default()), dictionary([("name", "".into()), ("count", 0.into())]));
}

#[test]
fn externally_tagged_enums_are_a_string_or_a_dictionary_of_one_entry() {
    assert_same(External::Unit, "Unit");
    assert_same(External::Newtype(1), dictionary([("Newtype", 1.into())]));
    assert_same(External::Tuple(1, true), dictionary([("Tuple", array([1.into(), true.into()]))]));
    assert_same(External::Struct { a: 1 }, dictionary([("Struct", dictionary([("a", 1.into())]))]));
    // A unit variant may also be a dictionary, as in serde_json.
    let unit = varbytes::encode(&dictionary([("Unit", Variant::Nil)])).unwrap();
    assert_eq!(from_bytes::<External>(&unit).unwrap(), External::Unit);
}

#[test]
fn other_enum_representations_are_those_of_serde_json() {
    assert_same(Internal::Unit, dictionary([("type", "Unit".into())]));
    assert_same(Internal::Struct { a: 1 }, dictionary([("type", "Struct".into()), ("a", 1.into())]));
    assert_same(Adjacent::Unit, dictionary([("t", "Unit".into())]));
    assert_same(Adjacent::Newtype(1), dictionary([("t", "Newtype".into()), ("c", 1.into())]));
    assert_same(Adjacent::Tuple(1, true), dictionary([("t", "Tuple".into()), ("c", array([1.into(), true.into()]))]));
    assert_same(Adjacent::Struct { a: 1 }, dictionary([("t", "Struct".into()), ("c", dictionary([("a", 1.into())]))]));
    assert_same(Untagged::Number(1), 1);
    assert_same(Untagged::Text("x".into()), "x");
    assert_same(Untagged::Many(vec![1, 2]), array([1.into(), 2.into()]));
    assert_same(Untagged::Struct { a: 1 }, dictionary([("a", 1.into())]));
}

#[test]
fn enums_nest_in_every_container() {
    assert_same(
        vec![External::Unit, External::Struct { a: 2 }],
        array(["Unit".into(), dictionary([("Struct", dictionary([("a", 2.into())]))])]),
    );
    let map = BTreeMap::from([("k".to_owned(), External::Tuple(1, false))]);
    assert_same(map, dictionary([("k", dictionary([("Tuple", array([1.into(), false.into()]))]))]));
}

#[test]
fn maps_have_keys_of_any_type() {
    assert_same(
        BTreeMap::from([(1, "a".to_owned()), (2, "b".to_owned())]),
        vec![(1.into(), "a".into()), (2.into(), Variant::from("b"))],
    );
    assert_same(BTreeMap::from([(true, 1)]), vec![(Variant::from(true), Variant::from(1))]);
    assert_same(BTreeMap::from([((1, 2), 3)]), vec![(array([1.into(), 2.into()]), Variant::from(3))]);
    assert_same(
        HashMap::from([(Vector2i { x: 1, y: -2 }, 3)]),
        vec![(Variant::from(Vector2i { x: 1, y: -2 }), Variant::from(3))],
    );
    assert_same(HashMap::from([('x', ())]), dictionary([("x", Variant::Nil)]));
}

#[test]
fn bytes_are_a_packed_byte_array() {
    assert_same(ByteBuf::from(vec![1, 2, 3]), vec![1u8, 2, 3]);
    assert_same(ByteBuf::new(), Vec::<u8>::new());
    assert_eq!(to_bytes(Bytes::new(&[9])).unwrap(), varbytes::encode(&vec![9u8].into()).unwrap());
    // Without serde_bytes, it is an array of ints.
    assert_same(vec![1u8, 2], array([1.into(), 2.into()]));
}

#[test]
fn a_packed_byte_array_is_also_read_as_a_sequence() {
    let bytes = varbytes::encode(&vec![1u8, 2, 255].into()).unwrap();
    assert_eq!(from_bytes::<Vec<u8>>(&bytes).unwrap(), [1, 2, 255]);
    assert_eq!(from_bytes::<Vec<i64>>(&bytes).unwrap(), [1, 2, 255]);
    assert_eq!(from_bytes::<[u8; 3]>(&bytes).unwrap(), [1, 2, 255]);
    let error = from_bytes::<Vec<i8>>(&bytes).unwrap_err();
    assert_eq!((error.path().to_string().as_str(), error.offset()), ("$[2]", 0));
    assert!(from_bytes::<[u8; 2]>(&bytes).is_err() && from_bytes::<Vec<String>>(&bytes).is_err());
}

#[test]
fn borrowed_text_and_bytes_point_into_the_packet() {
    #[derive(Serialize, Deserialize)]
    struct View<'a> {
        name: &'a str,
        #[serde(with = "serde_bytes")]
        data: &'a [u8],
        #[serde(borrow)]
        tags: Vec<&'a str>,
        #[serde(borrow)]
        cow: Cow<'a, str>,
    }
    let view = View { name: "Ada", data: &[1, 2, 3], tags: vec!["x", "y"], cow: "c".into() };
    let bytes = to_bytes(&view).unwrap();
    let read: View = from_bytes(&bytes).unwrap();
    assert_eq!((read.name, read.data, &read.tags[..], &*read.cow), ("Ada", &[1u8, 2, 3][..], &["x", "y"][..], "c"));
    let range = bytes.as_ptr_range();
    assert!(range.contains(&read.name.as_ptr()) && range.contains(&read.data.as_ptr()));
    assert!(read.tags.iter().all(|tag| range.contains(&tag.as_ptr())));

    let strings = varbytes::encode(&vec!["a".to_owned(), "b".to_owned()].into()).unwrap();
    let read: Vec<&str> = from_bytes(&strings).unwrap();
    assert_eq!(read, ["a", "b"]);
    assert!(strings.as_ptr_range().contains(&read[0].as_ptr()));
}

#[test]
fn field_attributes_work() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Attributes {
        #[serde(rename = "Name")]
        name: String,
        #[serde(default)]
        absent: i32,
        #[serde(skip)]
        skipped: i32,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        rarely: Option<i32>,
        #[serde(flatten)]
        item: Flat,
        #[serde(flatten)]
        rest: BTreeMap<String, i32>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Flat {
        weight: f32,
    }
    let value = Attributes {
        name: "x".into(),
        absent: 1,
        skipped: 0,
        rarely: None,
        item: Flat { weight: 0.5 },
        rest: BTreeMap::from([("more".to_owned(), 2)]),
    };
    assert_same(
        value,
        dictionary([("Name", "x".into()), ("absent", 1.into()), ("weight", 0.5.into()), ("more", 2.into())]),
    );
    let short = varbytes::encode(&dictionary([("Name", "x".into()), ("weight", 1.into())])).unwrap();
    let read: Attributes = from_bytes(&short).unwrap();
    assert_eq!((read.absent, read.item.weight, read.rest.len()), (0, 1.0, 0));
}

#[test]
fn unknown_fields_of_every_type_are_skipped_or_denied() {
    #[derive(Deserialize, Debug)]
    struct Only {
        b: i32,
    }
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        #[expect(dead_code, reason = "only read")]
        b: i32,
    }
    let unread: Vec<Variant> = vec![
        Variant::Nil,
        dictionary([("x", array([1.into(), dictionary([])]))]),
        vec![1.5f32].into(),
        vec!["a".to_owned()].into(),
        NodePath { absolute: true, names: vec!["a".into()], subnames: vec!["b".into()], property: None }.into(),
        Variant::Callable,
        Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Int)), vec![1.into()]).into(),
        Projection::from_f64_array([1.0f64; 16]).into(),
    ];
    for value in unread {
        let bytes = varbytes::encode(&dictionary([("a", value.clone()), ("b", 5.into())])).unwrap();
        assert_eq!(from_bytes::<Only>(&bytes).unwrap().b, 5, "{value:?}");
        let error = from_bytes::<Strict>(&bytes).unwrap_err();
        assert!(error.to_string().starts_with("unknown field `a`, expected `b`"), "{error}");
    }
}

#[test]
fn names_of_fields_and_variants_are_string_names_by_choice() {
    let encoder = Encoder::new().names_as_string_names(true);
    let bytes = encoder.serialize(&(Item { name: "x".into(), count: 1 }, External::Unit)).unwrap();
    let name = |text: &str| Variant::StringName(text.into());
    let item = Variant::from(vec![(name("name"), "x".into()), (name("count"), 1.into())]);
    assert_eq!(varbytes::decode(&bytes).unwrap(), array([item, name("Unit")]));
    assert_eq!(from_bytes::<(Item, External)>(&bytes).unwrap().1, External::Unit);
}

#[test]
fn math_types_keep_their_type_in_values_keys_and_containers() {
    fn assert_kept<T: Serialize + DeserializeOwned + PartialEq + Debug + Into<Variant> + Clone>(value: T) {
        assert_same(value.clone(), value.clone());
        assert_same(vec![value.clone()], array([value.clone().into()]));
        assert_same(Some(value.clone()), value.clone());
        assert_same((1, value.clone()), array([1.into(), value.into()]));
    }
    assert_kept(Vector2::from([1.5f32, 2.0]));
    assert_kept(Vector2::from_f64_array([0.1f64, 2.0]));
    assert_kept(Vector3::from([1.5f32, 2.0, 3.0]));
    assert_kept(Vector4::from([1.5f32, 2.0, 3.0, 4.0]));
    assert_kept(Rect2::from([1.5f32, 2.0, 3.0, 4.0]));
    assert_kept(Plane::from([1.5f32, 2.0, 3.0, 4.0]));
    assert_kept(Quaternion::from_f64_array([1.5f64, 2.0, 3.0, 4.0]));
    assert_kept(AABB::from([1.5f32, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_kept(Transform2D::from([1.5f32, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_kept(Basis::from([1.5f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
    assert_kept(Transform3D::from([1.5f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]));
    assert_kept(Projection::from([1.5f32; 16]));
    assert_kept(Color::from([0.1, 0.2, 0.3, 0.4]));
    assert_kept(Vector2i { x: 1, y: 2 });
    assert_kept(Vector3i { x: 1, y: 2, z: i32::MIN });
    assert_kept(Vector4i { x: 1, y: 2, z: 3, w: 4 });
    assert_kept(Rect2i::from([1, 2, 3, 4]));
}

#[test]
fn vectors_are_read_into_arrays_tuples_and_structs_of_numbers() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Position {
        x: f32,
        y: f64,
    }
    let bytes = to_bytes(&Vector2::from([1.5f32, 2.0])).unwrap();
    assert_eq!(from_bytes::<[f32; 2]>(&bytes).unwrap(), [1.5, 2.0]);
    assert_eq!(from_bytes::<(f32, f64)>(&bytes).unwrap(), (1.5, 2.0));
    assert_eq!(from_bytes::<Vec<f64>>(&bytes).unwrap(), [1.5, 2.0]);
    assert_eq!(from_bytes::<Position>(&bytes).unwrap(), Position { x: 1.5, y: 2.0 });
    let array = to_bytes(&[1.5f32, 2.0]).unwrap();
    let vector = from_bytes::<Vector2>(&array).unwrap();
    assert_eq!((&vector, vector.0.as_reals().precision()), (&Vector2::new(1.5, 2.0), varbytes::Precision::Single));
    let integers = to_bytes(&Vector3i { x: 1, y: 2, z: 3 }).unwrap();
    assert_eq!(from_bytes::<[i64; 3]>(&integers).unwrap(), [1, 2, 3]);
}

#[test]
fn types_of_glam_are_the_same_type_in_godot() {
    use glam::{Affine2, Affine3A, DVec3, IVec2, Mat3, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4};
    assert_same(Vec2::new(1.0, 2.0), Vector2::from([1.0f32, 2.0]));
    assert_same(Vec3::new(1.0, 2.0, 3.0), Vector3::from([1.0f32, 2.0, 3.0]));
    assert_same(Vec3A::new(1.0, 2.0, 3.0), Vector3::from([1.0f32, 2.0, 3.0]));
    assert_same(Vec4::new(1.0, 2.0, 3.0, 4.0), Vector4::from([1.0f32, 2.0, 3.0, 4.0]));
    assert_same(DVec3::new(0.1, 2.0, 3.0), Vector3::from_f64_array([0.1f64, 2.0, 3.0]));
    assert_same(IVec2::new(1, 2), Vector2i { x: 1, y: 2 });
    assert_same(Quat::from_xyzw(0.0, 0.0, 0.0, 1.0), Quaternion::from([0.0f32, 0.0, 0.0, 1.0]));
    let columns = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    assert_same(Mat3::from_cols_array_2d(&columns), Basis::from([1.0f32, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0]));
    assert_same(
        Affine3A::from_cols_array_2d(&[columns[0], columns[1], columns[2], [10.0, 11.0, 12.0]]),
        Transform3D::from([1.0f32, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0, 10.0, 11.0, 12.0]),
    );
    assert_same(
        Affine2::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        Transform2D::from([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]),
    );
    let sixteen: [f32; 16] = std::array::from_fn(|index| index as f32);
    assert_same(Mat4::from_cols_array(&sixteen), Projection::from(sixteen));
    assert_same(
        HashMap::from([(IVec2::new(3, 4), Vec2::ONE)]),
        vec![(Variant::from(Vector2i { x: 3, y: 4 }), Variant::from(Vector2::from([1.0f32, 1.0])))],
    );
}

#[test]
fn other_engine_versions_are_chosen_by_the_builders() {
    for profile in Profile::ALL {
        let value = (vec![Item { name: "x".into(), count: 1 }], 2.5f32, Vector3::from([1.0f32, 2.0, 3.0]), -5i32);
        let bytes = Encoder::new().profile(*profile).serialize(&value).unwrap();
        let tree = Decoder::new().profile(*profile).strict(true).decode(&bytes).unwrap();
        assert_eq!(Encoder::new().profile(*profile).encode(&tree).unwrap(), bytes, "{profile}");
        let decoder = Decoder::new().profile(*profile).fix_engine_bugs(true);
        assert_eq!(decoder.deserialize::<(Vec<Item>, f32, Vector3, i32)>(&bytes).unwrap(), value, "{profile}");
        assert_eq!(decoder.strict(true).deserialize::<(Vec<Item>, f32, Vector3, i32)>(&bytes).unwrap(), value);
    }
}

#[test]
fn properties_of_objects_are_read_into_structs() {
    let data = variant::ObjectData {
        class: "Resource".into(),
        properties: vec![("name".into(), "x".into()), ("script".into(), Variant::Nil), ("count".into(), 3.into())],
    };
    let bytes = Encoder::new().objects(true).encode(&vec![Variant::from(data)].into()).unwrap();
    assert!(from_bytes::<Vec<Item>>(&bytes).is_err());
    let items: Vec<Item> = Decoder::new().objects(true).deserialize(&bytes).unwrap();
    assert_eq!(items, [Item { name: "x".into(), count: 3 }]);
}

#[test]
fn other_formats_receive_plain_forms() {
    let value = dictionary([
        ("position", Vector2::from([1.5f32, 2.0]).into()),
        ("path", NodePath { absolute: false, names: vec!["a".into()], subnames: vec![], property: None }.into()),
        ("list", vec![1i32, 2].into()),
    ]);
    assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"position":[1.5,2.0],"path":"a","list":[1,2]}"#);
    let read: Variant = serde_json::from_str(r#"{"a": [1, 2.5, null, "x", true]}"#).unwrap();
    let list = array([1.into(), 2.5.into(), Variant::Nil, "x".into(), true.into()]);
    assert_eq!(read, dictionary([("a", list)]));
    let vector: Vector2 = serde_json::from_str("[0.1, 2]").unwrap();
    assert_eq!(vector.0.as_reals().precision(), varbytes::Precision::Single);
}
