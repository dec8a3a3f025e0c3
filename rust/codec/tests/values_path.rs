//! A path is read from the text that it prints, and leads to its value.

use varbytes::variant::ObjectData;
use varbytes::{Path, Step, Variant, variant};

#[test]
fn a_path_reads_what_it_prints_for_any_text() {
    let texts = [
        "",
        "a",
        "a b",
        "\"",
        "\\",
        "\n\t\r\0\u{1b}\u{7f}",
        "]",
        "[0]",
        "'",
        "\u{202e}é😀e\u{301}",
        "$.a[1]<x>",
        "\\u{41}",
        "1",
    ];
    for first in texts {
        for second in texts {
            let text = format!("{first}{second}");
            let value = variant!({(text.clone()): [{(text.clone()): 7}]});
            let property = Variant::from(ObjectData { class: "A".into(), properties: vec![(text.clone(), value)] });
            let key = Some(format!("{text:?}"));
            let steps =
                [Step::Property(text.clone()), Step::Value(0, key.clone()), Step::Index(0), Step::Value(0, key)];
            let path: Path = steps.into_iter().collect();
            let parsed: Path = path.to_string().parse().unwrap_or_else(|error| panic!("{path}: {error}"));
            assert_eq!(parsed.to_string(), path.to_string());
            assert_eq!(property.at(&parsed), Some(&7.into()), "{path}");
            assert_eq!(property.at(&path), Some(&7.into()), "{path}");
        }
    }
}

#[test]
fn the_path_of_an_error_leads_to_the_value() {
    let value = variant!({"a": [{-5: {[1]: "x"}}]});
    for text in [r#"$["a"][0][-5][entry 0]"#, r#"$["a"][0][-5][key 0][0]"#] {
        let path: Path = text.parse().unwrap();
        assert_eq!(path.to_string(), text);
        assert!(value.at(&path).is_some(), "{text}");
    }
}

#[test]
fn a_key_that_is_cut_is_found() {
    let key = "long ".repeat(30);
    let path: Path = format!("$[{:?}…]", &key[..40]).parse().unwrap();
    assert_eq!(variant!({key: 1}).at(&path), Some(&1.into()));
}

#[test]
fn a_string_name_and_an_int_key_are_found() {
    let value = variant!({(Variant::StringName(Box::new("a".into()))): 1, 7: 2});
    assert_eq!(value.at(&r#"$[&"a"]"#.parse().unwrap()), Some(&1.into()));
    assert_eq!(value.at(&"$[7]".parse().unwrap()), Some(&2.into()));
    assert_eq!(value.at(&"$[8]".parse().unwrap()), None);
}

#[test]
fn text_that_is_no_path_is_refused_with_the_offset() {
    for (text, offset) in
        [("", 0), ("a", 0), ("$x", 1), ("$[", 1), ("$[0]]", 4), ("$[01]", 1), ("$.", 1), ("$[\"a]", 1)]
    {
        assert_eq!(text.parse::<Path>().unwrap_err().offset, offset, "{text}");
    }
}

#[test]
fn a_value_is_changed_by_its_path() {
    let mut value = variant!({"a": [1, 2]});
    *value.at_mut(&r#"$["a"][1]"#.parse().unwrap()).unwrap() = "x".into();
    assert_eq!(value, variant!({"a": [1, "x"]}));
    *value.at_mut(&"$[key 0]".parse().unwrap()).unwrap() = "b".into();
    assert_eq!(value["b"][0], 1);
}
