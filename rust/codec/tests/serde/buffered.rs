//! Flattened fields and the content of enums, which serde reads into a buffer without Godot's types.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::variant::{Basis, Color, Reals, Transform3D, Vector2, Vector2i, Vector3, Vector3i, Vector4};
use varbytes::{Variant, VariantType, from_bytes, to_bytes, variant};

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
    let Untagged::Some(field) = returned(&Untagged::Some(value));
    let Internal::Some { field } = returned(&Internal::Some { field });
    returned(&Flat { inner: Field { field } });
}

#[track_caller]
fn returned<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let bytes = to_bytes(value).unwrap();
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
fn matrices_are_not_transposed_in_serdes_buffers() {
    let basis = Basis::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let transform = Transform3D::from([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
    assert_kept(basis.clone());
    assert_kept(transform.clone());
    assert_kept(Variant::from(basis.clone()));
    assert_kept(Variant::from(transform));
    assert_kept(Basis::from_f64_array([0.1, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
    let matrix = glam::Mat3::from_cols_array(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0]);
    assert_eq!(varbytes::to_variant(&matrix).unwrap(), basis);
    assert_kept(matrix);
    assert_kept(glam::Affine3A::from_mat3_translation(matrix, glam::Vec3::new(10.0, 11.0, 12.0)));
    assert_kept(glam::Mat4::from_cols_array(&std::array::from_fn(|index| index as f32)));
    assert_kept(glam::Affine2::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
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

#[test]
fn values_keep_the_types_made_of_numbers_in_serdes_buffers() {
    let numbers = |count: u16| (0..count).map(|number| f32::from(number) - 0.1).collect::<Vec<f32>>();
    for variant_type in VariantType::ALL {
        let reals = numbers(16);
        let count = variant_type.real_components();
        if let Some(value) = Variant::from_reals(*variant_type, Reals::Single(&reals[..count])) {
            assert_kept(value);
        }
        let integers = [1, i32::MIN, i32::MAX, 0];
        if let Some(value) = Variant::from_integers(*variant_type, &integers[..variant_type.integer_components()]) {
            assert_kept(value);
        }
    }
    assert_kept(Variant::from(Color::new(0.1, 0.2, 0.3, 0.4)));
    for length in [1, 2, 3, 4, 6, 9, 12, 16, 17] {
        assert_kept(Variant::from(vec![1u8; length]));
        assert_kept(Variant::from(vec![-1i32; length]));
        assert_kept(Variant::from(numbers(u16::try_from(length).unwrap())));
        assert_kept(Variant::from(vec![Vector2::new(0.1, 2.0); length]));
        assert_kept(Variant::from(vec![Vector3::new(0.1, 2.0, 3.0); length]));
        assert_kept(Variant::from(vec![Vector4::new(0.1, 2.0, 3.0, 4.0); length]));
        assert_kept(Variant::from(vec![Color::new(0.1, 2.0, 3.0, 4.0); length]));
        // Arrays of the same numbers stay arrays.
        let array = |value: Variant| Variant::from(vec![value; length]);
        assert_kept(array(1.into()));
        assert_kept(array(1.5.into()));
        assert_kept(array(0.1.into()));
        assert_kept(array(Vector2::new(0.1, 2.0).into()));
        assert_kept(array(Color::new(0.1, 2.0, 3.0, 4.0).into()));
        assert_kept(array(Vector2i::new(1, 2).into()));
        assert_kept(array(vec![0.1f32, 2.0].into()));
    }
    assert_kept(variant!({"at": Vector3::new(0.1, 2.0, 3.0), Vector2i::new(1, 2): [null, true, "a", 1, 1.5]}));
}

/// On the wire, a float has 32 bits if that keeps its value. In a buffer, such a mixture stands for a vector in single precision.
#[test]
fn an_array_of_floats_is_read_in_its_order_whatever_their_sizes_on_the_wire() {
    for wide in 0..9 {
        let numbers: [f64; 9] = std::array::from_fn(|index| index as f64 + if index == wide { 0.1 } else { 0.0 });
        let packet = varbytes::encode(&numbers.map(Variant::from).to_vec().into()).unwrap();
        let expected = Basis::from_f64_array(numbers);
        assert_eq!(from_bytes::<Basis>(&packet).unwrap(), expected);
        assert_eq!(
            from_bytes::<Flat<Basis>>(&to_bytes(&Field { field: numbers }).unwrap()).unwrap().inner.field,
            expected
        );
        assert_eq!(varbytes::from_variant::<Basis>(&varbytes::decode(&packet).unwrap()).unwrap(), expected);
    }
}

/// An application that keeps the fields that it does not know.
#[test]
fn unknown_fields_keep_the_types_made_of_numbers() {
    #[derive(Serialize, Deserialize)]
    struct Save {
        version: u32,
        #[serde(flatten)]
        others: BTreeMap<String, Variant>,
    }
    let save = variant!({"version": 1, "color": Color::new(1.0, 0.5, 0.0, 1.0), "spawn": Vector2::new(0.1, 2.0)});
    let read: Save = from_bytes(&varbytes::encode(&save).unwrap()).unwrap();
    assert_eq!((read.version, &read.others["spawn"]), (1, &Vector2::new(0.1, 2.0).into()));
    assert_eq!(varbytes::to_variant(&read).unwrap(), save);
}
