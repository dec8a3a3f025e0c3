//! With types enforced, and in strict reading, values of typed dictionaries match their declared type.

use varbytes::stream::{Piece, StreamDecoder};
use varbytes::variant::{Array, ContainerType, Dictionary, Object, ObjectData};
use varbytes::{Category, DecodeErrorKind, Decoder, Encoder, Limits, Profile, Variant, VariantType, tagged_json};

const INT: ContainerType = ContainerType::Builtin(VariantType::Int);
const STRING: ContainerType = ContainerType::Builtin(VariantType::String);

fn class(name: &str) -> ContainerType {
    ContainerType::Class(name.to_owned())
}

/// Returns a dictionary with these types and any entries.
fn typed<K: Into<Variant>, V: Into<Variant>>(
    key_type: impl Into<Option<ContainerType>>,
    value_type: impl Into<Option<ContainerType>>,
    entries: impl IntoIterator<Item = (K, V)>,
) -> Variant {
    let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
    Variant::from(Dictionary::with_types_unchecked(key_type.into(), value_type.into(), entries))
}

fn object(class: &str) -> Variant {
    Variant::Object(Object::Data(ObjectData { class: class.to_owned(), properties: Vec::new() }.into()))
}

fn id(id: u64) -> Variant {
    Variant::Object(Object::Id(id))
}

/// Returns the bytes of a value without checks: duplicate keys and values of any type are allowed.
fn bytes_of(value: &Variant) -> Vec<u8> {
    Encoder::new().objects(true).encode(value).unwrap()
}

fn exact() -> Decoder {
    Decoder::new().objects(true)
}

fn enforcing() -> Decoder {
    exact().enforce_types(true)
}

/// Asserts the result of every way of reading with types enforced.
#[track_caller]
fn assert_read(bytes: &[u8], expected: &Variant) {
    let decoder = enforcing();
    let tree = decoder.decode(bytes).unwrap();
    assert!(tree.bit_eq(expected), "decode: {tree:?}, expected {expected:?}");
    let borrowed = decoder.decode_borrowed(bytes).unwrap().to_variant();
    assert!(borrowed.bit_eq(expected), "decode_borrowed: {borrowed:?}");
    let json = tagged_json::decode(&decoder, bytes).unwrap();
    assert_eq!(json.value, tagged_json::to_string(expected));
    assert_eq!(decoder.check(bytes).unwrap().consumed, bytes.len());
    let canonical = bytes_of(expected);
    assert!(exact().strict(true).decode(&canonical).unwrap().bit_eq(expected));
}

/// Asserts that the bytes are read unchanged by default, as `expected` with types enforced, and refused strictly at
/// `offset`.
#[track_caller]
fn assert_enforced(value: &Variant, expected: &Variant, offset: usize, declared: VariantType, found: VariantType) {
    let bytes = bytes_of(value);
    assert_read(&bytes, expected);
    for decoder in [exact().strict(true), enforcing().strict(true)] {
        let error = decoder.decode(&bytes).unwrap_err();
        assert_eq!(*error.kind(), DecodeErrorKind::MistypedValue { declared, found });
        assert_eq!((error.offset(), error.category()), (offset, Category::Malformed));
        assert_eq!(decoder.check(&bytes).unwrap_err(), error);
        assert_eq!(decoder.decode_borrowed(&bytes).unwrap_err(), error);
        assert_eq!(tagged_json::decode(&decoder, &bytes).unwrap_err(), error);
    }
}

const FIRST_VALUE: usize = 24;

#[test]
fn a_value_of_another_type_is_read_by_default() {
    let bytes = bytes_of(&typed(INT, INT, [(0, "hello")]));
    let value = exact().decode(&bytes).unwrap();
    assert!(value.bit_eq(&typed(INT, INT, [(0, "hello")])), "{value:?}");
}

#[test]
fn a_value_that_does_not_fit_is_left_out_with_its_key() {
    let value = typed(INT, INT, [(0, Variant::from("hello")), (1, 2.into())]);
    assert_enforced(&value, &typed(INT, INT, [(1, 2)]), FIRST_VALUE, VariantType::Int, VariantType::String);
    assert_enforced(
        &typed(INT, INT, [(0, "hello")]),
        &typed(INT, INT, [(0, 0); 0]),
        FIRST_VALUE,
        VariantType::Int,
        VariantType::String,
    );
}

#[test]
fn a_value_that_converts_is_converted() {
    let float = ContainerType::Builtin(VariantType::Float);
    let value = typed(INT, float.clone(), [(0, Variant::from(7)), (1, 2.5.into()), (2, true.into())]);
    let expected = typed(INT, float, [(0, 7.0), (1, 2.5), (2, 1.0)]);
    assert_enforced(&value, &expected, FIRST_VALUE, VariantType::Float, VariantType::Int);
}

#[test]
fn an_earlier_value_of_a_key_is_kept_if_a_later_one_is_left_out() {
    for count in [2, 9, 40] {
        let mut entries: Vec<(Variant, Variant)> = (1..count).map(|key| (key.into(), (10 * key).into())).collect();
        let expected = typed(INT, INT, entries.clone());
        entries.push((1.into(), "x".into()));
        assert_read(&bytes_of(&typed(INT, INT, entries)), &expected);
    }
}

#[test]
fn a_key_whose_value_was_left_out_may_occur_again() {
    let value = typed(INT, INT, [(1, Variant::from("x")), (1, 5.into())]);
    assert_enforced(&value, &typed(INT, INT, [(1, 5)]), FIRST_VALUE, VariantType::Int, VariantType::String);
}

#[test]
fn keys_are_found_again_after_values_were_left_out() {
    type Key = fn(i32) -> Variant;
    let keys: [Key; 6] = [
        |number| number.into(),
        |number| (-number).into(),
        |number| format!("{number}").into(),
        |number| format!("a key that is longer than others: {number}").into(),
        |number| vec![Variant::from(number)].into(),
        |number| f64::from(number).into(),
    ];
    for key in keys {
        for count in [2, 3, 8, 9, 50] {
            for left_out in [1, 2, 3] {
                let mut entries = Vec::new();
                let mut expected: Vec<(Variant, Variant)> = Vec::new();
                for number in 0..count {
                    // The key occurs with a value that does not fit, then with one that fits, and once more.
                    for _ in 0..left_out {
                        entries.push((key(number), Variant::Nil));
                    }
                    entries.push((key(number), 1.into()));
                    if let Some(before) = expected.last_mut() {
                        entries.push((key(number - 1), Variant::from("x")));
                        entries.push((key(number - 1), 2.into()));
                        before.1 = 2.into();
                    }
                    expected.push((key(number), 1.into()));
                }
                assert_read(&bytes_of(&typed(None, INT, entries)), &typed(None, INT, expected));
            }
        }
    }
}

#[test]
fn only_objects_and_null_fit_a_class_or_a_script() {
    let script = ContainerType::Script("res://item.gd".to_owned());
    for declared in [class("Resource"), script, ContainerType::Builtin(VariantType::Object)] {
        let entries = [(0, Variant::Nil), (1, object("Node")), (2, 7.into()), (3, "Resource".into())];
        let value = typed(INT, declared.clone(), entries.clone());
        let expected = typed(INT, declared, entries[..2].to_vec());
        assert_read(&bytes_of(&value), &expected);
        let error = exact().strict(true).decode(&bytes_of(&value)).unwrap_err();
        let kind = DecodeErrorKind::MistypedValue { declared: VariantType::Object, found: VariantType::Int };
        assert_eq!(*error.kind(), kind);
    }
}

#[test]
fn an_object_by_id_fits_no_other_class() {
    let entries = [(0, id(5)), (1, Variant::Nil)];
    for fits in ["EncodedObjectAsID", "RefCounted", "Object"] {
        let value = typed(INT, class(fits), entries.clone());
        assert_read(&bytes_of(&value), &value);
    }
    let value = typed(INT, class("Resource"), entries.clone());
    let expected = typed(INT, class("Resource"), [(1, Variant::Nil)]);
    let offset = FIRST_VALUE + "Resource".len();
    assert_enforced(&value, &expected, offset, VariantType::Object, VariantType::Object);
}

#[test]
fn types_are_enforced_at_every_position_of_a_dictionary() {
    let wrong = || typed(INT, INT, [(0, "x")]);
    let right = || typed(INT, INT, [(0, 0); 0]);
    let wrap: [fn(Variant) -> Variant; 5] = [
        |inner| Variant::from(vec![inner]),
        |inner| Variant::from(vec![(Variant::from("key"), inner)]),
        |inner| Variant::from(vec![(inner, Variant::from("value"))]),
        |inner| {
            let element_type = ContainerType::Builtin(inner.variant_type());
            Variant::Array(Array::with_type_unchecked(Some(element_type), vec![inner]))
        },
        |inner| {
            let properties = vec![("name".to_owned(), inner)];
            Variant::Object(Object::Data(ObjectData { class: "Resource".to_owned(), properties }.into()))
        },
    ];
    for outer in wrap {
        for inner in wrap {
            assert_read(&bytes_of(&outer(inner(wrong()))), &outer(inner(right())));
        }
    }
    // Deeper than the recursive path reads.
    let deep = |inner: Variant| (0..20).fold(inner, |inner, _| Variant::from(vec![inner]));
    assert_read(&bytes_of(&deep(wrong())), &deep(right()));
}

#[test]
fn keys_that_become_equal_after_values_are_left_out_are_duplicates() {
    let first = typed(INT, INT, [(1, "x"), (2, "y")]);
    let second = typed(INT, INT, [(0, 0); 0]);
    let value = Variant::from(vec![(first, Variant::from(1)), (second.clone(), Variant::from(2))]);
    assert_read(&bytes_of(&value), &Variant::from(vec![(second, Variant::from(2))]));

    let float = || ContainerType::Builtin(VariantType::Float);
    let (whole, real) = (typed(INT, float(), [(1, 2)]), typed(INT, float(), [(1, 2.0)]));
    let value = Variant::from(vec![(whole, Variant::from(1)), (real.clone(), Variant::from(2))]);
    assert_read(&bytes_of(&value), &Variant::from(vec![(real, Variant::from(2))]));
}

/// Returns a value of every type of Godot 4.6: zeros, and an object by id.
fn one_of_each() -> Vec<Variant> {
    let zeroes = |id: u8| {
        let flags = if id == 24 { 1 } else { 0 };
        let first = if id == 22 { 0x80 } else { 1 };
        let bytes = [&[id, 0, flags, 0, 0, 0, 0, 0][..], &[0; 60]].concat();
        let bytes = match id {
            22 => [&bytes[..7], &[first], &bytes[8..]].concat(),
            24 => [&bytes[..4], &[first], &bytes[5..]].concat(),
            _ => bytes,
        };
        exact().decode_prefix(&bytes).unwrap().value
    };
    (0..=38).map(zeroes).collect()
}

#[test]
fn values_are_converted_and_left_out_as_keys_are() {
    for profile in [Profile::GODOT_4_4, Profile::GODOT_4_6] {
        let exact = Decoder::new().profile(profile).objects(true);
        let encoder = Encoder::new().profile(profile).objects(true);
        for declared in 1..=38 {
            let declared = ContainerType::Builtin(profile.type_of_id(declared).unwrap());
            for value in one_of_each() {
                let as_key = typed(declared.clone(), None, [(value.clone(), 0)]);
                let as_value = typed(None, declared.clone(), [(0, value.clone())]);
                let keys = exact.decode(&encoder.encode(&as_key).unwrap());
                let values = exact.enforce_types(true).decode(&encoder.encode(&as_value).unwrap());
                match (keys, values) {
                    (Ok(Variant::Dictionary(keys)), Ok(Variant::Dictionary(values))) => {
                        let keys = keys.entries().iter().map(|(key, _)| key);
                        let values = values.entries().iter().map(|(_, value)| value);
                        assert!(
                            keys.clone().count() == values.clone().count()
                                && keys.clone().zip(values.clone()).all(|(key, value)| key.bit_eq(value)),
                            "{declared:?}: {keys:?}, {values:?}"
                        );
                    }
                    (Err(key), Err(value)) => assert_eq!(key.kind(), value.kind()),
                    (keys, values) => panic!("{declared:?} of {value:?}: {keys:?}, {values:?}"),
                }
            }
        }
    }
}

#[test]
fn a_stream_returns_no_value_of_another_type() {
    let entries = [(1, Variant::from("x")), (2, 3.into()), (4, Variant::Nil), (5, 6.into())];
    let bytes = bytes_of(&typed(INT, INT, entries));
    let mut stream = StreamDecoder::new(enforcing(), 1);
    stream.feed(&bytes);
    let mut pieces = Vec::new();
    while let Some(piece) = stream.next().unwrap() {
        pieces.push(piece);
    }
    assert!(stream.is_finished());
    let piece = |key: i64, value: i64| [Piece::Key(key.into()), Piece::Value(value.into())];
    assert_eq!(pieces[1..], [&piece(2, 3)[..], &piece(5, 6), &[Piece::End]].concat());

    let mut stream = StreamDecoder::new(exact().strict(true), 1);
    stream.feed(&bytes);
    let error = loop {
        match stream.next() {
            Ok(piece) => assert!(matches!(piece, Some(Piece::Begin { .. })), "{piece:?}"),
            Err(error) => break error,
        }
    };
    let kind = DecodeErrorKind::MistypedValue { declared: VariantType::Int, found: VariantType::String };
    assert_eq!((error.kind(), error.offset()), (&kind, FIRST_VALUE));
}

#[test]
fn the_error_for_a_mistyped_value_has_both_types_and_its_path() {
    let value = Variant::from(vec![typed(STRING, INT, [("gold", Variant::from(1)), ("name", "x".into())])]);
    let error = exact().strict(true).decode(&bytes_of(&value)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a value of type String in a dictionary with values of type int, at offset 56 (0x38), path $[0][\"name\"]"
    );
}

#[test]
fn enforcing_types_stays_within_the_limits() {
    // Each byte of the packed array would become a member.
    let array = ContainerType::Builtin(VariantType::Array);
    let value = typed(INT, array, [(0, Variant::PackedByteArray(vec![0; 10_000].into()))]);
    let decoder = enforcing().limits(Limits::NONE.memory(20_000));
    assert_eq!(decoder.decode(&bytes_of(&value)).unwrap_err().category(), Category::Limit);
    assert_eq!(decoder.check(&bytes_of(&value)).unwrap_err().category(), Category::Limit);
}

#[test]
fn an_empty_array_of_vectors_keeps_its_precision_in_tagged_json() {
    for (header, name) in [(35, "PackedVector2Array"), (36, "PackedVector3Array"), (38, "PackedVector4Array")] {
        for (width, precision) in [(0, ""), (1, r#","precision":"double""#)] {
            let bytes = [header, 0, width, 0, 0, 0, 0, 0];
            let text = format!("{{\"type\":\"{name}\",\"value\":[]{precision}}}");
            assert_eq!(tagged_json::decode(&Decoder::new(), &bytes).unwrap().value, text);
            assert_eq!(varbytes::encode(&tagged_json::from_str(&text).unwrap()).unwrap(), bytes);
        }
    }
}

#[test]
fn a_precision_that_is_not_that_of_the_vectors_is_refused() {
    let accepts = |text: &str| tagged_json::from_str(text).is_ok();
    let single = r#"{"type":"PackedVector2Array","value":[["00000000","00000000"]],"precision":"PRECISION"}"#;
    assert!(accepts(&single.replace("PRECISION", "single")));
    assert!(!accepts(&single.replace("PRECISION", "double")));
    assert!(!accepts(&single.replace("PRECISION", "half")));
    assert!(!accepts(r#"{"type":"PackedFloat32Array","value":[],"precision":"double"}"#));
}

/// Asserts that tagged JSON is read as the other, which has the lossless form.
#[track_caller]
fn assert_reads_as(text: &str, lossless: &str) {
    assert_eq!(
        tagged_json::from_str(text).map(|value| tagged_json::to_string(&value)).as_deref(),
        Ok(lossless),
        "{text}"
    );
}

#[track_caller]
fn assert_not_read(variant_type: &str, value: &str, message: &str) {
    let error = tagged_json::from_str(&format!("{{\"type\":\"{variant_type}\",\"value\":{value}}}")).unwrap_err();
    assert_eq!(error.message(), message);
}

/// Godot's JSON reads every number as a float and writes it with a decimal point.
#[test]
fn a_number_without_a_fractional_part_is_an_integer_everywhere_in_tagged_json() {
    for (found, lossless) in [
        (r#""Vector2i","value":[3.0,-30e-1]"#, r#""Vector2i","value":[3,-3]"#),
        (r#""PackedInt32Array","value":[3e0,-0.0,2.147483647E+9]"#, r#""PackedInt32Array","value":[3,0,2147483647]"#),
        (r#""PackedInt64Array","value":[3.0,"4"]"#, r#""PackedInt64Array","value":["3","4"]"#),
        (r#""PackedVector2iArray","value":[[1.0,2.0]]"#, r#""PackedVector2iArray","value":[[1,2]]"#),
        (r#""int","value":-9223372036854775808.0"#, r#""int","value":"-9223372036854775808""#),
        (r#""int","value":0e99999999999999999999"#, r#""int","value":"0""#),
        (r#""RID","value":1.8446744073709551615e19"#, r#""RID","value":"18446744073709551615""#),
        (r#""Object","value":{"id":-1.0}"#, r#""Object","value":{"id":"-1"}"#),
        (r#""Signal","value":{"name":"a","object_id":7.0}"#, r#""Signal","value":{"name":"a","object_id":"7"}"#),
        (r#""String","value":{"code_units":[5.5296e4]}"#, r#""String","value":{"code_units":[55296]}"#),
        (
            r#""TypedArray","element_type":{"unknown":77.0},"value":[]"#,
            r#""TypedArray","element_type":{"unknown":"77"},"value":[]"#,
        ),
        (
            r#""Image","value":{"format":5.0,"mipmaps":0.0,"width":1.0,"height":1.0,"data":"00"}"#,
            r#""Image","value":{"format":5,"mipmaps":0,"width":1,"height":1,"data":"00"}"#,
        ),
        (
            r#""InputEvent","value":{"event":"joy_motion","device":1.0,"axis":2.0,"value":0.5}"#,
            r#""InputEvent","value":{"event":"joy_motion","device":1,"axis":2,"value":"3f000000"}"#,
        ),
        (
            r#""Dictionary","value":[[{"type":"int","value":3.0},{"type":"Vector2i","value":[1.0,2.0]}]]"#,
            r#""Dictionary","value":[[{"type":"int","value":"3"},{"type":"Vector2i","value":[1,2]}]]"#,
        ),
    ] {
        assert_reads_as(&format!("{{\"type\":{found}}}"), &format!("{{\"type\":{lossless}}}"));
    }
    for (variant_type, number, what) in [
        ("PackedInt32Array", "3.5", "a 32-bit integer"),
        ("PackedInt32Array", "30e-2", "a 32-bit integer"),
        ("PackedInt32Array", "2147483648.0", "a 32-bit integer"),
        ("PackedInt64Array", "9223372036854775807.5", "a 64-bit integer"),
        ("PackedInt64Array", "9.3e18", "a 64-bit integer"),
        ("PackedInt64Array", "1e9223372036854775807", "a 64-bit integer"),
        ("PackedInt64Array", "10e-9223372036854775808", "a 64-bit integer"),
    ] {
        assert_not_read(variant_type, &format!("[{number}]"), &format!("{number} is not {what}"));
    }
    assert_not_read("int", r#""3.0""#, r#""3.0" is not a 64-bit integer"#);
    assert_not_read("RID", "-1.0", "-1.0 is not an unsigned 64-bit integer");
    assert_not_read("RID", "null", "an unsigned 64-bit integer must be a decimal string or a number");
}

#[test]
fn a_number_is_a_real_of_its_width_in_tagged_json() {
    for (found, lossless) in [
        (r#""float","value":1.5"#, r#""float","value":"3ff8000000000000""#),
        (r#""float","value":-0"#, r#""float","value":"8000000000000000""#),
        (r#""Vector2","value":[0.1,-0.0]"#, r#""Vector2","value":["3dcccccd","80000000"]"#),
        // Between two numbers of 32 bits, and nearer to the greater one. Rounded to 64 bits first, it would be the smaller one.
        (r#""Vector2","value":[1.00000005960464477540,1e-50]"#, r#""Vector2","value":["3f800001","00000000"]"#),
        (
            r#""Vector2","value":[0.1,"4000000000000000"]"#,
            r#""Vector2","value":["3fb999999999999a","4000000000000000"]"#,
        ),
        (
            r#""Vector2","precision":"double","value":[0.1,-0]"#,
            r#""Vector2","value":["3fb999999999999a","8000000000000000"]"#,
        ),
        (r#""Color","value":[1,0,0.5,1.0]"#, r#""Color","value":["3f800000","00000000","3f000000","3f800000"]"#),
        (r#""PackedFloat32Array","value":[0.1]"#, r#""PackedFloat32Array","value":["3dcccccd"]"#),
        (r#""PackedFloat64Array","value":[0.1]"#, r#""PackedFloat64Array","value":["3fb999999999999a"]"#),
        (r#""PackedVector2Array","value":[[0.1,1]]"#, r#""PackedVector2Array","value":[["3dcccccd","3f800000"]]"#),
        (
            r#""PackedVector2Array","value":[[0.1,1],["0000000000000000",0]]"#,
            r#""PackedVector2Array","value":[["3fb999999999999a","3ff0000000000000"],["0000000000000000","0000000000000000"]]"#,
        ),
        (
            r#""PackedVector2Array","precision":"double","value":[[0.1,1]]"#,
            r#""PackedVector2Array","value":[["3fb999999999999a","3ff0000000000000"]]"#,
        ),
        (
            r#""PackedColorArray","value":[[1,0,0.5,1.0]]"#,
            r#""PackedColorArray","value":[["3f800000","00000000","3f000000","3f800000"]]"#,
        ),
    ] {
        assert_reads_as(&format!("{{\"type\":{found}}}"), &format!("{{\"type\":{lossless}}}"));
    }
    let (numbers, digits) = (["2.0"; 16].join(","), [r#""40000000""#; 16].join(","));
    let projection = |components| format!("{{\"type\":\"Projection\",\"value\":[{components}]}}");
    assert_reads_as(&projection(numbers), &projection(digits));

    assert_not_read("float", "1e309", "1e309 is out of range of a 64-bit real");
    assert_not_read("Vector2", "[0,-3.5e38]", "-3.5e38 is out of range of a 32-bit real");
    assert_not_read("Vector2", "[0,1,2]", "a Vector2 must have 2 components");
    assert_not_read("PackedVector2Array", "[[0]]", "each vector must have 2 components");
    assert_not_read("float", "null", "a real must be a string of hexadecimal digits or a number");
    assert_not_read(
        "Vector2",
        r#"["3f800000","0000000000000000"]"#,
        r#""0000000000000000" is not 8 hexadecimal digits"#,
    );
}

/// The parser reads the second escape of a pair beyond the end of the string.
#[test]
fn an_invalid_escape_at_the_end_of_tagged_json_is_not_the_end_of_the_text() {
    for (escape, end, message, offset) in [
        ("\\ud800", "\"}", "\\uD800 is a high surrogate and should be followed by a low surrogate \\uXXXX", 32),
        ("\\ud800", "\"}      ", "\\uD800 is a high surrogate and should be followed by a low surrogate \\uXXXX", 32),
        ("\\udc00", "\"}", "\\uDC00 is not a valid high surrogate", 26),
        ("\\u12", "\"}", "Unexpected character in a unicode escape: '\"'", 28),
        ("\\ud800", "", "Unexpected end of file", 25),
        ("a\\\"b", "", "Unexpected end of file", 25),
        ("", "", "Unexpected end of file", 25),
    ] {
        let text = format!("{{\"type\":\"String\",\"value\":\"{escape}{end}");
        let error = tagged_json::from_str(&text).unwrap_err();
        assert_eq!(error.to_string(), format!("not JSON: {message}, at byte {offset} of the text"), "{text}");
    }
}

#[test]
fn an_error_in_tagged_json_of_several_lines_names_line_and_column() {
    let error = tagged_json::from_str("{\"type\": \"Array\",\n \"größe\": }").unwrap_err();
    assert!(error.to_string().ends_with(", at byte 30 of the text, line 2, column 11"), "{error}");
}

#[test]
fn an_error_in_tagged_json_names_the_form_that_a_type_has() {
    assert_not_read("bool", "1", "`value` of a bool must be true or false");
    assert_not_read(
        "PackedByteArray",
        "[1,2]",
        "`value` of a PackedByteArray must be a string of hexadecimal digits, two for each byte",
    );
    assert_not_read("Nil", "0", "`value` of a Nil must be null");
    let unknown = |name: &str| {
        tagged_json::from_str(&format!(r#"{{"type":"{name}","value":5}}"#)).unwrap_err().message().to_owned()
    };
    assert_eq!(unknown("Int"), r#"unknown type "Int": did you mean int?"#);
    assert_eq!(unknown("Vec2"), r#"unknown type "Vec2""#);
}

#[test]
fn tagged_json_is_read_to_the_documented_depth() {
    let nested = |levels: usize| {
        let (begin, end) = (r#"{"type":"Array","value":["#.repeat(levels), "]}".repeat(levels));
        tagged_json::from_str(&format!("{begin}{end}")).is_ok()
    };
    assert!(nested(32_768) && !nested(32_769));
}
