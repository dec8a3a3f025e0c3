//! Types that have a form of their own in Godot, in other formats.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use varbytes::variant::{Basis, Color, Rect2i, Vector2, Vector3, Vector3i};

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
