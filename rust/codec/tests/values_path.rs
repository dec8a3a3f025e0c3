//! A path is read from the text that it prints, and leads to its value.

use varbytes::migrate::Migration;
use varbytes::variant::{Dictionary, ObjectData, Text};
use varbytes::{Path, Profile, Step, Variant, variant};

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
fn a_key_that_is_cut_is_not_found_if_another_begins_so() {
    let [first, second] = ["a", "b"].map(|end| "a".repeat(40) + end);
    let value = variant!({(first.clone()): 1, (second.clone()): 2});
    let cut = |position| Path::from_iter([Step::Value(position, Some(format!("{:?}…", &first[..40])))]);
    let parsed: Path = cut(0).to_string().parse().unwrap();
    assert_eq!(value.at(&parsed), None);
    // The path of an error has the position.
    assert_eq!((value.at(&cut(0)), value.at(&cut(1))), (Some(&1.into()), Some(&2.into())));
    assert_eq!(value.at(&cut(2)), None);
}

#[test]
fn a_long_key_is_found_by_its_whole_text() {
    let [first, second] = ["a", "b"].map(|end| "a".repeat(40) + end);
    let value = variant!({(first.clone()): 1, (second.clone()): 2});
    for (key, expected) in [(&first, 1), (&second, 2)] {
        let path: Path = format!("$[{key:?}]").parse().unwrap();
        assert_eq!(path.to_string(), format!("$[{key:?}]"));
        assert_eq!(value.at(&path), Some(&expected.into()));
    }
    assert_eq!(value.at(&format!("$[{:?}]", &first[..40]).parse().unwrap()), None);
}

#[test]
fn text_finds_a_key_of_the_other_text_type() {
    let value = variant!({(Variant::StringName(Box::new("hp".into()))): 1, "mp": 2});
    assert_eq!(value.at(&r#"$["hp"]"#.parse().unwrap()), Some(&1.into()));
    assert_eq!(value.at(&r#"$[&"mp"]"#.parse().unwrap()), Some(&2.into()));
}

#[test]
fn a_key_that_is_not_unicode_is_found_if_no_other_is_shown_like_it() {
    let [first, second] = [0xD800, 0xD801].map(|unit| Variant::String(Text::from_units(&[unit])));
    let mut value = variant!({(first): 1});
    let path: Path = "$[\"\u{FFFD}\"]".parse().unwrap();
    assert_eq!(value.at(&path), Some(&1.into()));
    value.as_dictionary_mut().unwrap().insert(second, 2);
    assert_eq!(value.at(&path), None);
}

#[test]
fn the_last_of_duplicate_keys_and_of_duplicate_names_is_found() {
    let twice = |name: &str| vec![(name.into(), 1.into()), (name.into(), 2.into())];
    let dictionary: Variant = Dictionary::with_types_unchecked(None, None, twice("a")).into();
    assert_eq!(dictionary.at(&r#"$["a"]"#.parse().unwrap()), Some(&2.into()));
    let properties = vec![("a".to_owned(), 1.into()), ("a".to_owned(), 2.into())];
    let mut object = Variant::from(ObjectData { class: "A".into(), properties });
    assert_eq!(object.at(&"$.a".parse().unwrap()), Some(&2.into()));
    assert_eq!(object.at_mut(&"$.a".parse().unwrap()), Some(&mut 2.into()));
}

#[test]
fn every_part_that_paths_name_is_read() {
    let value = Variant::from(vec![Variant::RID(7); 20_000]);
    let nested = (0..1000).fold(value, |inner, _| vec![inner].into());
    let losses = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).migrate(&nested).losses;
    let path = losses[999].path().to_string();
    assert!(path.ends_with("<deeper>"));
    assert_eq!(path.parse::<Path>().unwrap(), *losses[999].path());
}

#[test]
fn many_values_of_a_large_dictionary_are_found_and_changed() {
    let mut value: Variant = (0..20_000).map(|number| (format!("key {number}"), number)).collect::<Dictionary>().into();
    for number in 0..20_000 {
        let path: Path = format!("$[\"key {number}\"]").parse().unwrap();
        *value.at_mut(&path).unwrap() = (number + 1).into();
        assert_eq!(value.at(&path), Some(&(number + 1).into()));
    }
}

#[test]
fn a_string_name_and_an_int_key_are_found() {
    let value = variant!({(Variant::StringName(Box::new("a".into()))): 1, 7: 2});
    assert_eq!(value.at(&r#"$[&"a"]"#.parse().unwrap()), Some(&1.into()));
    assert_eq!(value.at(&"$[7]".parse().unwrap()), Some(&2.into()));
    assert_eq!(value.at(&"$[8]".parse().unwrap()), None);
}

#[test]
fn text_that_is_not_a_path_is_refused_with_the_offset() {
    for (text, offset) in [
        ("", 0),
        ("a", 0),
        ("$x", 1),
        ("$[", 1),
        ("$[0]]", 4),
        ("$[01]", 1),
        ("$.", 1),
        ("$[\"a]", 1),
        ("$.a\"b", 1),
        ("$.a\"[0]", 1),
        ("$.\"a\"…", 1),
        ("$.\"a\"b", 5),
        ("$[\"a\"x]", 1),
        ("$[\"a\"……]", 1),
    ] {
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
