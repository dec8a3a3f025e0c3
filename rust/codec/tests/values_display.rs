//! `Display` is the text of `var_to_str`, and `{:#?}` is indented.

use varbytes::{Decoder, Variant, variant};

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

#[test]
fn values_of_every_type_are_shown_as_godot_4_6_does() {
    let mut compared = 0;
    for line in include_str!("var_to_str.txt").lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(' ').collect();
        let [objects, packet, text] = parts[..] else { panic!("{line}") };
        let value = Decoder::new().objects(objects == "1").decode(&unhex(packet)).unwrap();
        assert_eq!(value.to_string(), String::from_utf8(unhex(text)).unwrap(), "{packet}");
        compared += 1;
    }
    assert!(compared > 600, "{compared}");
}

#[test]
fn alternate_debug_output_has_one_member_on_each_line() {
    let value = variant!({"a": [1, []], 2: {}});
    let expected = "Dictionary{\n    \"a\": Array[\n        1,\n        Array[],\n    ],\n    2: Dictionary{},\n}";
    assert_eq!(format!("{value:#?}"), expected);
    assert_eq!(format!("{value:?}"), r#"Dictionary{"a": Array[1, Array[]], 2: Dictionary{}}"#);
}

#[test]
fn the_text_of_a_deep_value_is_not_recursive() {
    let deep = (0..100_000).fold(Variant::Nil, |inner, _| Variant::Array([inner].into_iter().collect()));
    assert_eq!(deep.to_string().len(), 200_004);
    assert!(format!("{deep:#?}").len() < 100_000 * 300);
}
