//! Types that have a form of their own in Godot, in other formats.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use varbytes::variant::{Basis, Color, ObjectData, Rect2i, Vector2, Vector3, Vector3i};
use varbytes::{Encoder, Variant, variant};

/// Asserts the form in JSON, and that JSON and bincode return the value.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "shorter where it is called")]
fn assert_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    assert_eq!(bincode::deserialize::<T>(&bincode::serialize(&value).unwrap()).unwrap(), value);
}

#[test]
fn math_types_are_sequences_of_numbers_in_other_formats() {
    assert_json(Vector2::new(0.1, 2.0), "[0.1,2.0]");
    assert_json(Vector3i::new(1, -2, 3), "[1,-2,3]");
    assert_json(Rect2i::from([1, 2, 3, 4]), "[1,2,3,4]");
    assert_json(Color::new(0.1, 0.2, 0.3, 0.4), "[0.1,0.2,0.3,0.4]");
    assert_json(vec![Vector3::new(1.0, 2.0, 3.0)], "[[1.0,2.0,3.0]]");
    assert_json(Basis::default(), "[1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0]");
}

/// Other formats write by recursion.
#[test]
fn a_value_nested_deeper_than_128_levels_is_refused_by_other_formats() {
    let nested = |levels: usize| (0..levels).fold(Variant::Nil, |inner, _| variant!([inner]));
    let object = |inner| ObjectData { class: "Resource".into(), properties: vec![("inner".into(), inner)] };
    let stack = 512 << 10;
    let on_small_stack = std::thread::Builder::new().stack_size(stack).spawn(move || {
        assert!(serde_json::to_value(nested(128)).is_ok());
        let objects = (0..100_000).fold(Variant::Nil, |inner, _| object(inner).into());
        for deep in [nested(129), nested(100_000), variant!({nested(128): 1}), objects] {
            for error in [
                serde_json::to_value(&deep).unwrap_err().to_string(),
                serde_json::to_string(&deep).unwrap_err().to_string(),
                bincode::serialize(&deep).unwrap_err().to_string(),
            ] {
                assert!(error.contains("128 levels"), "{error}");
            }
        }
    });
    on_small_stack.unwrap().join().unwrap();
}

#[test]
fn a_value_of_any_depth_is_serialized_for_an_engine_without_a_limit() {
    let deep = (0..1100).fold(Variant::Nil, |inner, _| variant!([inner]));
    for engine in ["godot-2.1", "godot-3.0", "godot-3.2", "godot-3.3.5"] {
        let encoder = Encoder::new().profile(engine.parse().unwrap());
        assert_eq!(encoder.serialize(&deep).unwrap(), encoder.encode(&deep).unwrap(), "{engine}");
        assert_eq!(
            encoder.serialize(&(&deep,)).unwrap(),
            encoder.encode(&variant!([deep.clone()])).unwrap(),
            "{engine}"
        );
    }
    assert_eq!(varbytes::from_variant::<Variant>(&deep).unwrap(), deep);
}
