//! Math types of mint and glam, which are the same type in Godot.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::math::Godot;
use varbytes::variant::{
    Array, Basis, Dictionary, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector2i, Vector3, Vector3i,
    Vector4, Vector4i,
};
use varbytes::{Variant, from_bytes, to_bytes, variant};

/// Asserts that a Rust value is written as `expected`, and read back from it.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "shorter where it is called")]
fn assert_same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, expected: impl Into<Variant>) {
    let bytes = to_bytes(&value).unwrap();
    assert_eq!(bytes, varbytes::encode(&expected.into()).unwrap(), "{:?}", varbytes::decode(&bytes));
    assert_eq!(from_bytes::<T>(&bytes).unwrap(), value);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Field<T: varbytes::math::Math>(#[serde(with = "varbytes::math")] T);

#[test]
fn types_of_mint_are_the_same_type_in_godot() {
    let numbers: [f32; 16] = std::array::from_fn(|index| index as f32);
    let first = |count: usize| numbers[..count].to_vec();
    fn sized<const N: usize>(numbers: Vec<f32>) -> [f32; N] {
        numbers.try_into().unwrap()
    }
    assert_same(Field(mint::Vector2::<f32>::from([1.0, 2.0])), Vector2::new(1.0, 2.0));
    assert_same(Field(mint::Point3::<f32>::from([1.0, 2.0, 3.0])), Vector3::new(1.0, 2.0, 3.0));
    assert_same(Field(mint::Vector3::<f64>::from([0.1, 2.0, 3.0])), Vector3::from_f64_array([0.1, 2.0, 3.0]));
    assert_same(Field(mint::Vector4::<f32>::from(sized(first(4)))), Vector4::from(sized(first(4))));
    assert_same(Field(mint::Vector2::<i32>::from([1, 2])), Vector2i::new(1, 2));
    assert_same(Field(mint::Vector3::<i32>::from([1, 2, 3])), Vector3i::new(1, 2, 3));
    assert_same(Field(mint::Vector4::<i32>::from([1, 2, 3, 4])), Vector4i::new(1, 2, 3, 4));
    assert_same(Field(mint::Quaternion::<f32>::from([1.0, 2.0, 3.0, 4.0])), Quaternion::new(1.0, 2.0, 3.0, 4.0));
    assert_same(Field(mint::ColumnMatrix2x3::<f32>::from(sized(first(6)))), Transform2D::from(sized(first(6))));
    let columns = [0.0, 3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0, 8.0];
    assert_same(Field(mint::ColumnMatrix3::<f32>::from(columns)), Basis::from(sized(first(9))));
    assert_same(Field(mint::RowMatrix3::<f32>::from(sized::<9>(first(9)))), Basis::from(sized(first(9))));
    let columns = [0.0, 3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 9.0, 10.0, 11.0];
    assert_same(Field(mint::ColumnMatrix3x4::<f32>::from(columns)), Transform3D::from(sized(first(12))));
    assert_same(Field(mint::ColumnMatrix4::<f32>::from(numbers)), Projection::from(numbers));
}

#[test]
fn types_of_mint_keep_their_type_in_keys_and_containers() {
    let vector = || mint::Vector2::<i32>::from([1, 2]);
    assert_same(Field(vec![vector()]), Array::from([Vector2i::new(1, 2)]));
    assert_same(Field(Some(vector())), Vector2i::new(1, 2));
    assert_same(Field(None::<mint::Vector2<i32>>), ());
    let map = BTreeMap::from([(Godot(vector()), [Godot(vector())])]);
    assert_same(map, Dictionary::from([(Vector2i::new(1, 2), Array::from([Vector2i::new(1, 2)]))]));
}

#[test]
fn types_of_glam_and_mint_convert_to_values_and_back() {
    let matrix = glam::Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let basis = Basis::from(matrix);
    // The x axis is the first column.
    assert_eq!([basis.x_x(), basis.x_y(), basis.x_z()], [1.0, 2.0, 3.0]);
    assert_eq!(glam::Mat3::from(basis), matrix);
    let mint = mint::ColumnMatrix3::from(matrix.to_cols_array());
    assert_eq!(Basis::from(mint), matrix.into());

    let affine = glam::Affine3A::from_cols_array(&std::array::from_fn(|index| index as f32));
    let transform = Transform3D::from(affine);
    assert_eq!([transform.origin_x(), transform.origin_y(), transform.origin_z()], [9.0, 10.0, 11.0]);
    assert_eq!([transform.y_x(), transform.y_y(), transform.y_z()], [3.0, 4.0, 5.0]);
    assert_eq!(glam::Affine3A::from(transform), affine);

    assert_eq!(variant!([glam::Vec3::new(1.0, 2.0, 3.0)]), variant!([Vector3::new(1.0, 2.0, 3.0)]));
    assert_eq!(glam::IVec2::try_from(&variant!(Vector2i::new(1, 2))).unwrap(), glam::IVec2::new(1, 2));
    assert_eq!(mint::Vector2::<f64>::try_from(variant!(Vector2::new(1.0, 2.0))).unwrap(), [1.0, 2.0].into());
    assert!(glam::Vec2::try_from(variant!(1)).is_err());
    assert_eq!(varbytes::encode(&glam::DVec2::new(0.1, 0.2).into()).unwrap().len(), 20);
}

#[test]
fn types_of_mint_keep_their_type_in_every_container() {
    let vector = || mint::Vector2::<i32>::from([1, 2]);
    let expected = || Array::from([Vector2i::new(1, 2)]);
    assert_same(Field([vector()]), expected());
    assert_same(Field([vector(); 40]), (0..40).map(|_| Variant::from(Vector2i::new(1, 2))).collect::<Array>());
    assert_same(Field(VecDeque::from([vector()])), expected());
    assert_same(Field(vec![vector()].into_boxed_slice()), expected());
    assert_same(Field(Some(vec![vector()])), expected());
    assert_same(Field(None::<Vec<mint::Vector2<i32>>>), ());
    assert_same(Field(vec![Some(vector()), None]), variant!([Vector2i::new(1, 2), null]));
    assert_same(Field(vec![vec![vector()]]), Array::from([expected()]));
    assert_same(Field(BTreeSet::from([vector()])), expected());
    assert_same(Field(HashSet::from([vector()])), expected());
}

#[test]
fn types_of_mint_are_keys_and_values_of_maps() {
    let point = || mint::Point3::<f32>::from([1.0, 2.0, 3.0]);
    let vector = || mint::Vector2::<i32>::from([1, 2]);
    assert_same(
        Field(BTreeMap::from([("a".to_owned(), point())])),
        Dictionary::from([("a", Vector3::new(1.0, 2.0, 3.0))]),
    );
    assert_same(Field(HashMap::from([(vector(), 7)])), Dictionary::from([(Vector2i::new(1, 2), 7)]));
    let nested = BTreeMap::from([(1, BTreeMap::from([("a".to_owned(), vec![Some(vector())])]))]);
    assert_same(Field(nested), variant!({1: {"a": [Vector2i::new(1, 2)]}}));
}

#[test]
fn an_array_of_another_length_is_refused() {
    let bytes = to_bytes(&Field([[1.0f32, 2.0].map(|x| mint::Vector2::from([x, x]))])).unwrap();
    let error = from_bytes::<Field<[[mint::Vector2<f32>; 3]; 1]>>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "expected 3 members, found 2 members, at offset 8 (0x8), path $[0]");
}

#[test]
fn types_of_mint_return_from_json() {
    let value = Field(BTreeMap::from([("a".to_owned(), [mint::Vector2::<f32>::from([0.1, 2.0])])]));
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, r#"{"a":[[0.1,2.0]]}"#);
    assert_eq!(serde_json::from_str::<Field<BTreeMap<String, [mint::Vector2<f32>; 1]>>>(&json).unwrap(), value);
}

#[test]
fn matrices_of_glam_are_read_from_flattened_fields() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Inner {
        #[serde(with = "varbytes::math")]
        basis: glam::DMat3,
        #[serde(with = "varbytes::math")]
        transforms: Vec<glam::Affine3A>,
    }
    let basis = glam::DMat3::from_cols_array(&std::array::from_fn(|index| index as f64 + 0.1));
    let transform = glam::Affine3A::from_cols_array(&std::array::from_fn(|index| index as f32));
    let inner = Inner { basis, transforms: vec![transform] };
    assert_same(Outer { inner }, variant!({"basis": basis, "transforms": [transform]}));
}
