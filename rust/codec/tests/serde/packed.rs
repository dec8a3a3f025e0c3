//! Sequences that are packed arrays by choice.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::math::Godot;
use varbytes::packed::{FromPacked, Packed, PackedElement, PackedSequence};
use varbytes::variant::{Color, PackedReals, Vector2, Vector2i, Vector3, Vector4};
use varbytes::{Decoder, Encoder, Precision, Profile, Variant, VariantType, from_bytes, to_bytes};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(bound(serialize = "T: PackedSequence", deserialize = "T: FromPacked<'de>"))]
struct Field<T> {
    #[serde(with = "varbytes::packed")]
    field: T,
}

/// Asserts that a packed field is written as `expected` and read back from it, from a plain sequence, and from JSON and
/// bincode.
#[track_caller]
fn assert_packed<T>(value: T, expected: impl Into<Variant>)
where
    T: PackedSequence + for<'de> FromPacked<'de> + PartialEq + Debug,
{
    assert_packed_by(Encoder::new(), Decoder::new(), value, expected);
}

#[track_caller]
fn assert_packed_by<T>(encoder: Encoder, decoder: Decoder, value: T, expected: impl Into<Variant>)
where
    T: PackedSequence + for<'de> FromPacked<'de> + PartialEq + Debug,
{
    let value = Field { field: value };
    let expected = Variant::from(vec![(Variant::from("field"), expected.into())]);
    let bytes = encoder.serialize(&value).unwrap();
    assert_eq!(bytes, encoder.encode(&expected).unwrap());
    assert_eq!(decoder.deserialize::<Field<T>>(&bytes).unwrap(), value);
    assert_eq!(bincode::deserialize::<Field<T>>(&bincode::serialize(&value).unwrap()).unwrap(), value);
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<Field<T>>(&json).unwrap(), value);
    // JSON is read as a plain sequence.
    let plain = encoder.serialize(&serde_json::from_str::<Variant>(&json).unwrap()).unwrap();
    assert_eq!(decoder.deserialize::<Field<T>>(&plain).unwrap(), value);
}

#[test]
fn numbers_and_text_are_packed() {
    assert_packed(vec![1u8, 2, 255], vec![1u8, 2, 255]);
    assert_packed(vec![-1i32, 2], vec![-1i32, 2]);
    assert_packed(vec![1i8], vec![1i32]);
    assert_packed(vec![1u16], vec![1i32]);
    assert_packed(vec![u32::MAX], vec![i64::from(u32::MAX)]);
    assert_packed(vec![1i64 << 40], vec![1i64 << 40]);
    assert_packed(vec![7u64], vec![7i64]);
    assert_packed(vec![7usize], vec![7i64]);
    assert_packed(vec![0.5f32], vec![0.5f32]);
    assert_packed(vec![0.1f64, 0.2], vec![0.1f64, 0.2]);
    let texts = vec!["a".to_owned(), "héros".to_owned()];
    assert_packed(texts.clone(), texts.clone());
    assert_packed(vec!['a'], vec!["a".to_owned()]);
    assert_packed(texts.iter().map(|text| Cow::from(text.clone())).collect::<Vec<_>>(), texts.clone());
    assert_packed(texts.iter().map(|text| text.as_str().into()).collect::<Vec<Box<str>>>(), texts);
}

#[test]
fn a_number_above_the_greatest_int_is_refused() {
    let error = to_bytes(&Field { field: vec![u64::MAX] }).unwrap_err();
    assert!(error.to_string().contains("18446744073709551615"), "{error}");
}

#[test]
fn vectors_of_every_crate_are_packed() {
    let two = || vec![Vector2::new(1.0, 2.0)];
    assert_packed(two(), two());
    assert_packed(vec![[1.0f32, 2.0]], two());
    assert_packed(vec![(1.0f32, 2.0f32)], two());
    assert_packed(vec![glam::Vec2::new(1.0, 2.0)], two());
    assert_packed(vec![mint::Vector2::<f32>::from([1.0, 2.0])], two());
    assert_packed(vec![mint::Point2::<f32>::from([1.0, 2.0])], two());
    assert_packed(vec![Godot(mint::Vector2::<f32>::from([1.0, 2.0]))], two());
    let three = || vec![Vector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0)];
    assert_packed(three(), three());
    assert_packed(vec![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]], three());
    assert_packed(vec![glam::Vec3::new(1.0, 2.0, 3.0), glam::Vec3::new(4.0, 5.0, 6.0)], three());
    assert_packed(vec![glam::Vec3A::new(1.0, 2.0, 3.0), glam::Vec3A::new(4.0, 5.0, 6.0)], three());
    assert_packed(vec![mint::Point3::<f32>::from([1.0, 2.0, 3.0]), [4.0, 5.0, 6.0].into()], three());
    let four = || vec![Vector4::new(1.0, 2.0, 3.0, 4.0)];
    assert_packed(vec![(1.0f32, 2.0f32, 3.0f32, 4.0f32)], four());
    assert_packed(vec![glam::Vec4::new(1.0, 2.0, 3.0, 4.0)], four());
    assert_packed(vec![mint::Vector4::<f32>::from([1.0, 2.0, 3.0, 4.0])], four());
    assert_packed(vec![Color::new(0.1, 0.2, 0.3, 0.4)], vec![Color::new(0.1, 0.2, 0.3, 0.4)]);
}

#[test]
fn vectors_of_double_precision_are_packed_in_it() {
    let doubles = || Variant::PackedVector3Array(PackedReals::from_f64_vec(vec![[0.1, 2.0, 3.0]]));
    assert_packed(vec![[0.1f64, 2.0, 3.0]], doubles());
    assert_packed(vec![glam::DVec3::new(0.1, 2.0, 3.0)], doubles());
    let doubles = Variant::PackedVector2Array(PackedReals::from_f64_vec(vec![[0.1, 2.0]]));
    let value = Field { field: vec![mint::Vector2::<f64>::from([0.1, 2.0])] };
    let bytes = to_bytes(&value).unwrap();
    assert_eq!(bytes, varbytes::encode(&varbytes::variant!({"field": doubles})).unwrap());
    assert_eq!(from_bytes::<Field<Vec<mint::Vector2<f64>>>>(&bytes).unwrap(), value);
}

#[test]
fn one_vector_of_double_precision_makes_all_of_a_packed_array_double() {
    let (single, double) = (Vector2::new(1.0, 2.0), Vector2::from_f64_array([0.1, 0.2]));
    for vectors in [vec![single.clone(), double.clone()], vec![double, single]] {
        let expected = Variant::from(vectors.clone());
        assert_eq!(varbytes::to_variant(&Packed(vectors)).unwrap(), expected);
    }
}

#[test]
fn vectors_of_integers_are_packed_in_pandemonium() {
    let profile: Profile = "pandemonium-5.3".parse().unwrap();
    let by = |value, expected: Vec<Vector2i>| {
        assert_packed_by(Encoder::new().profile(profile), Decoder::new().profile(profile), value, expected);
    };
    by(vec![glam::IVec2::new(1, 2)], vec![Vector2i::new(1, 2)]);
    let (encoder, decoder) = (Encoder::new().profile(profile), Decoder::new().profile(profile));
    assert_packed_by(encoder, decoder, vec![mint::Point2::<i32>::from([1, 2])], vec![Vector2i::new(1, 2)]);
    assert!(to_bytes(&Field { field: vec![glam::IVec2::new(1, 2)] }).is_err());
}

#[test]
fn a_struct_of_numbers_is_packed_as_it_declares() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Rgba {
        red: f32,
        green: f32,
        blue: f32,
        alpha: f32,
    }
    impl PackedElement for Rgba {
        const ARRAY: VariantType = VariantType::PackedColorArray;
    }
    let value = Field { field: vec![Rgba { red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4 }] };
    let bytes = to_bytes(&value).unwrap();
    let color = Color::new(0.1, 0.2, 0.3, 0.4);
    assert_eq!(bytes, varbytes::encode(&varbytes::variant!({"field": vec![color]})).unwrap());
    assert_eq!(from_bytes::<Field<Vec<Rgba>>>(&bytes).unwrap(), value);
}

#[test]
fn sequences_of_every_form_are_packed() {
    let packed = || vec![0.5f32, 2.0];
    assert_packed(packed().into_boxed_slice(), packed());
    assert_packed([0.5f32, 2.0], packed());
    assert_packed(VecDeque::from(packed()), packed());
    assert_packed(Cow::<[f32]>::Owned(packed()), packed());
    assert_packed(Some(packed()), packed());
    assert_packed(Some([0.5f32, 2.0]), packed());
    assert_packed(None::<Vec<f32>>, ());
    assert_packed([[0.5f32; 3]; 40], Variant::PackedVector3Array(vec![[0.5f32; 3]; 40].into()));
    assert_eq!(to_bytes(&Packed(&[0.5f32, 2.0][..])).unwrap(), varbytes::encode(&packed().into()).unwrap());
}

#[test]
fn an_empty_sequence_is_the_packed_array_of_its_type() {
    assert_packed(Vec::<glam::Vec4>::new(), Variant::PackedVector4Array(PackedReals::default()));
    assert_packed(Vec::<mint::Vector2<f32>>::new(), Variant::PackedVector2Array(PackedReals::default()));
    assert_packed([0u8; 0], Vec::<u8>::new());
}

#[test]
fn an_array_of_another_length_is_refused() {
    let bytes = to_bytes(&Field { field: vec![1.0f32, 2.0, 3.0] }).unwrap();
    let error = from_bytes::<Field<[f32; 2]>>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), r#"expected 2 members, found 3 members, at offset 24 (0x18), path $["field"]"#);
}

#[test]
fn packed_arrays_are_in_keys_and_containers_by_a_newtype() {
    let value = BTreeMap::from([(Packed(vec![1i32]), vec![Packed(vec!["a".to_owned()])])]);
    let strings = Variant::from(vec!["a".to_owned()]);
    let expected = Variant::from(vec![(Variant::from(vec![1i32]), Variant::from(vec![strings]))]);
    let bytes = to_bytes(&value).unwrap();
    assert_eq!(bytes, varbytes::encode(&expected).unwrap());
    assert_eq!(from_bytes::<BTreeMap<Packed<Vec<i32>>, Vec<Packed<Vec<String>>>>>(&bytes).unwrap(), value);
}

#[test]
fn a_generic_type_has_packed_elements() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(bound(deserialize = "E: PackedElement + DeserializeOwned"))]
    struct Generic<E: PackedElement>(#[serde(with = "varbytes::packed")] Vec<E>);
    let value = Generic(vec![1i32]);
    assert_eq!(from_bytes::<Generic<i32>>(&to_bytes(&value).unwrap()).unwrap(), value);
}

#[test]
fn packed_arrays_are_read_into_plain_sequences_and_arrays_into_packed_fields() {
    let packed = varbytes::encode(&Variant::PackedVector2Array(vec![[1.0f32, 2.0]].into())).unwrap();
    assert_eq!(from_bytes::<Vec<(f32, f32)>>(&packed).unwrap(), [(1.0, 2.0)]);
    assert_eq!(from_bytes::<Vec<Vector2>>(&packed).unwrap(), [Vector2::from([1.0f32, 2.0])]);
    assert_eq!(from_bytes::<Vec<glam::Vec2>>(&packed).unwrap(), [glam::Vec2::new(1.0, 2.0)]);
    #[derive(Deserialize)]
    struct Field(#[serde(with = "varbytes::packed")] Vec<i64>);
    assert_eq!(from_bytes::<Field>(&to_bytes(&vec![1, 2]).unwrap()).unwrap().0, [1, 2]);
}

#[test]
fn an_empty_packed_array_has_the_precision_of_the_encoder() {
    for precision in [Precision::Single, Precision::Double] {
        let encoder = Encoder::new().precision(precision);
        let decoder = Decoder::new().precision(precision).strict(true);
        assert_packed_by(encoder, decoder, Vec::<[f32; 2]>::new(), Vec::<Vector2>::new());
        assert_packed_by(encoder, decoder, Vec::<[f64; 3]>::new(), Vec::<Vector3>::new());
        assert_packed_by(encoder, decoder, Vec::<Vector4>::new(), Vec::<Vector4>::new());
        assert_packed_by(encoder, decoder, Vec::<f32>::new(), Vec::<f32>::new());
        assert_packed_by(encoder, decoder, Vec::<Color>::new(), Vec::<Color>::new());
    }
}
