//! Flattened fields and the content of enums, which serde reads into a buffer without Godot's types.
#![cfg(feature = "serde")]

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::variant::{Color, Vector2, Vector3, Vector3i};
use varbytes::{from_bytes, to_bytes};

#[derive(Serialize, Deserialize)]
struct Flat<T> {
    #[serde(flatten)]
    inner: Field<T>,
}

#[derive(Serialize, Deserialize)]
struct Field<T> {
    field: T,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
enum Internal<T> {
    Some { field: T },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged<T> {
    Some(T),
}

/// Asserts that a value is written and read back in each buffer, as the same bytes.
#[track_caller]
fn assert_kept<T: Serialize + DeserializeOwned>(value: T) {
    let Untagged::Some(field) = returned(Untagged::Some(value));
    let Internal::Some { field } = returned(Internal::Some { field });
    returned(Flat { inner: Field { field } });
}

#[track_caller]
fn returned<T: Serialize + DeserializeOwned>(value: T) -> T {
    let bytes = to_bytes(&value).unwrap();
    let read: T = from_bytes(&bytes).unwrap();
    assert_eq!(to_bytes(&read).unwrap(), bytes);
    read
}

#[test]
fn vectors_keep_their_precision_in_serdes_buffers() {
    assert_kept(Vector3::from_f64_array([0.1, -0.0, 1e300]));
    assert_kept(Vector3::from_f64_array([1.0, 2.0, 3.0]));
    assert_kept(Vector3::new(0.1, -0.0, f32::MAX));
    assert_kept(vec![Vector2::from_f64_array([0.1, 0.2]), Vector2::new(0.1, 0.2)]);
    assert_kept(Color::new(0.1, 0.2, 0.3, 0.4));
    assert_kept(Vector3i::new(1, -2, i32::MIN));
    assert_kept(glam::DVec3::new(0.1, 0.2, 0.3));
    assert_kept(glam::Vec3::new(0.1, 0.2, 0.3));
}

#[test]
fn the_bits_of_nan_are_kept_in_serdes_buffers() {
    // A quiet NaN, and a signalling one.
    for bits in [0xFFC0_1234, 0x7F80_0001] {
        assert_kept(Vector2::new(f32::from_bits(bits), 1.0));
    }
    for bits in [0xFFF8_0000_1234_5678, 0x7FF0_0000_0000_0001] {
        assert_kept(Vector2::from_f64_array([f64::from_bits(bits), 1.0]));
    }
}

#[test]
fn packed_fields_are_read_from_serdes_buffers() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Packed {
        #[serde(with = "varbytes::packed")]
        bytes: Vec<u8>,
        #[serde(with = "varbytes::packed")]
        doubles: Vec<Vector3>,
        #[serde(with = "varbytes::packed")]
        strings: Vec<String>,
    }
    assert_kept(Packed {
        bytes: vec![1, 2],
        doubles: vec![Vector3::from_f64_array([0.1, 0.2, 0.3])],
        strings: vec!["a".into()],
    });
}

#[test]
fn vectors_in_other_formats_have_single_precision_in_serdes_buffers() {
    let Untagged::Some(vector) = serde_json::from_str::<Untagged<Vector2>>("[0.1, 2]").unwrap();
    assert_eq!(vector.0.as_reals().precision(), varbytes::Precision::Single);
}
