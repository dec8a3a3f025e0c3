//! Writing Rust types into a buffer: every size, and what the buffer has afterwards.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::ser::{Error as _, SerializeSeq as _, SerializeStructVariant as _, SerializeTupleVariant as _};
use serde::{Serialize, Serializer};
use varbytes::packed::Packed;
use varbytes::variant::{NodePath, Text, Vector2};
use varbytes::{EncodeErrorKind, Encoder, FullObject, Profile, Variant, to_bytes, to_variant, variant};

/// Text of letters of one, two or three bytes.
fn text(length: usize) -> String {
    "aé→".chars().cycle().take(length).collect()
}

/// The writer has other code for short text, and for the end of its buffer.
#[test]
fn text_of_every_length_is_written_at_every_place_of_the_buffer() {
    for before in 0..300 {
        for length in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 100, 1000] {
            let value = ("a".repeat(before), "b".repeat(length), text(length), length % 2 == 0, -1, 0.1);
            let tree = variant!([value.0.as_str(), value.1.as_str(), value.2.as_str(), value.3, -1, 0.1]);
            assert_eq!(to_bytes(&value).unwrap(), varbytes::encode(&tree).unwrap(), "{before} and {length} bytes");
        }
    }
}

#[test]
fn a_nul_is_found_at_every_place_of_text_of_every_length() {
    for length in 1..70 {
        for position in 0..length {
            let mut text = vec![b'a'; length];
            text[position] = 0;
            let error = to_bytes(std::str::from_utf8(&text).unwrap()).unwrap_err();
            assert_eq!(*error.kind(), EncodeErrorKind::NulInText { position });
        }
    }
}

/// The engine drops it when it reads the text; a later one is kept.
#[test]
fn a_byte_order_mark_at_the_start_of_text_of_every_length_is_refused() {
    for length in 0..70 {
        let text = format!("\u{feff}{}", "a".repeat(length));
        let kept = format!("{}\u{feff}", "a".repeat(length + 1));
        for strings in [(text.as_str(), Err(EncodeErrorKind::ByteOrderMark)), (kept.as_str(), Ok(()))] {
            let (text, expected) = strings;
            let written = [
                to_bytes(text),
                to_bytes(&(0.5, text.to_owned())),
                to_bytes(&BTreeMap::from([(text, 1)])),
                to_bytes(&Packed(vec![text])),
                to_bytes(&Variant::StringName(text.into())),
                Encoder::new().objects(true).serialize(&FullObject {
                    class: "A".into(),
                    properties: [(text, 1)].into_iter().collect::<BTreeMap<_, _>>(),
                }),
            ];
            for (place, written) in written.into_iter().enumerate() {
                assert_eq!(written.map(drop).map_err(|error| error.kind().clone()), expected, "{place}: {length}");
            }
            assert_eq!(to_variant(text).is_ok(), expected.is_ok());
            assert_eq!(Text::new(text).is_ok(), expected.is_ok());
            assert_eq!(format!("/a/{text}").parse::<NodePath>().is_ok(), expected.is_ok());
        }
    }
    assert_eq!(*to_bytes(&'\u{feff}').unwrap_err().kind(), EncodeErrorKind::ByteOrderMark);
}

#[test]
fn every_engine_gets_the_same_bytes_as_from_a_tree() {
    let value = (7, i64::MIN, 0.5, 0.1, f32::NAN, f64::NAN, "text", Vector2::new(1.0, 2.0), [Some(true), None]);
    let array = [variant!(true), variant!(null)];
    let nan = f64::from(f32::NAN);
    let tree = variant!([7, i64::MIN, 0.5, 0.1, nan, f64::NAN, "text", Vector2::new(1.0, 2.0), array.to_vec()]);
    for profile in Profile::ALL {
        let encoder = Encoder::new().profile(*profile);
        assert_eq!(encoder.serialize(&value), encoder.encode(&tree), "{profile}");
    }
}

#[test]
fn values_are_appended_to_what_the_buffer_has() {
    let (mut appended, mut expected) = (Vec::new(), Vec::new());
    for length in 0..200 {
        let value = vec![text(length); 3];
        Encoder::new().serialize_into(&value, &mut appended).unwrap();
        expected.extend(to_bytes(&value).unwrap());
        assert_eq!(appended, expected);
    }
}

/// Fails or panics after it has written some elements.
enum Broken {
    Fails,
    Panics,
}

impl Serialize for Broken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        for _ in 0..1000 {
            sequence.serialize_element("element")?;
        }
        match self {
            Self::Fails => Err(S::Error::custom("no end")),
            Self::Panics => panic!("no end"),
        }
    }
}

#[test]
fn the_buffer_keeps_its_bytes_when_a_value_fails_or_panics() {
    let mut packet = b"head".to_vec();
    assert!(Encoder::new().serialize_into(&Broken::Fails, &mut packet).is_err());
    assert_eq!(packet, b"head");
    catch_unwind(AssertUnwindSafe(|| Encoder::new().serialize_into(&Broken::Panics, &mut packet))).unwrap_err();
    assert_eq!(packet, b"head");
}

/// Ignores the error of an element.
struct Tolerant;

impl Serialize for Tolerant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        sequence.serialize_element("first")?;
        let _ = sequence.serialize_element(&Broken::Fails);
        sequence.serialize_element("last")?;
        sequence.end()
    }
}

#[test]
fn nothing_is_kept_of_an_element_that_failed() {
    assert_eq!(to_variant(&Tolerant).unwrap(), variant!(["first", "last"]));
}

/// On 2 MiB, the default of Rust. Builds without optimization use several KiB for each call of `Serialize`.
#[test]
fn a_value_of_the_greatest_depth_is_written_and_read_on_the_stack_of_a_thread() {
    let nest = |mut value: Variant, levels: usize, wrap: fn(Variant) -> Variant| {
        for _ in 0..levels {
            value = wrap(value);
        }
        value
    };
    let wraps: [fn(Variant) -> Variant; 3] =
        [|value| vec![value].into(), |value| variant!({"a": 1, "b": (value)}), |value| variant!([1, {(value): "key"}])];
    let written = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        for (wrap, levels) in wraps.into_iter().zip([1023, 1023, 511]) {
            for levels in [1, 31, 32, 63, 64, 65, 66, 200, levels] {
                let value = nest(7.into(), levels, wrap);
                let bytes = varbytes::encode(&value).unwrap();
                assert_eq!(to_bytes(&value).unwrap(), bytes, "{levels} levels");
                assert_eq!(to_variant(&value).unwrap(), value);
                assert_eq!(varbytes::from_bytes::<Variant>(&bytes).unwrap(), value);
            }
            let error = to_bytes(&nest(7.into(), 1100, wrap)).unwrap_err();
            assert!(matches!(error.kind(), EncodeErrorKind::DepthLimit { .. }), "{error}");
        }
    });
    written.unwrap().join().unwrap();
}

/// An array in an array, and so on, with an enum variant in the innermost.
struct Nested {
    levels: usize,
    is_struct: bool,
}

impl Serialize for Nested {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.levels.checked_sub(1) {
            Some(levels) => serializer.collect_seq([Self { levels, ..*self }]),
            None if self.is_struct => serializer.serialize_struct_variant("Enum", 0, "Empty", 0)?.end(),
            None => serializer.serialize_tuple_variant("Enum", 0, "Empty", 0)?.end(),
        }
    }
}

#[test]
fn a_variant_without_fields_at_the_greatest_depth_is_refused_as_its_reader_does() {
    let written = std::thread::Builder::new().stack_size(16 << 20).spawn(|| {
        for is_struct in [true, false] {
            let bytes = to_bytes(&Nested { levels: 1023, is_struct }).unwrap();
            assert!(varbytes::decode(&bytes).is_ok());
            let error = to_bytes(&Nested { levels: 1024, is_struct }).unwrap_err();
            assert!(matches!(error.kind(), EncodeErrorKind::DepthLimit { .. }), "{error}");
        }
    });
    written.unwrap().join().unwrap();
}

/// A sequence that goes on after many containers in it have failed.
struct ManyFail;

impl Serialize for ManyFail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        for _ in 0..1100 {
            let _ = sequence.serialize_element(&[Broken::Fails]);
        }
        sequence.serialize_element(&["last"])?;
        sequence.end()
    }
}

#[test]
fn containers_that_failed_do_not_count_as_levels() {
    assert_eq!(to_variant(&ManyFail).unwrap(), variant!([["last"]]));
}
