//! Strict reading of padding: padding that an engine leaves undefined is accepted.

use varbytes::Precision::{Double, Single};
use varbytes::variant::{Image, NodePath, Object, ObjectData, Signal, VariantRef};
use varbytes::write::Sink;
use varbytes::{Category, DecodeErrorKind, Decoder, Encoder, Profile, Variant};

/// Written bytes, with the positions of padding.
#[derive(Default)]
struct Marked {
    bytes: Vec<u8>,
    padding: Vec<usize>,
}

impl Sink for Marked {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn put_padding(&mut self, bytes: &[u8]) {
        self.padding.extend(self.bytes.len()..self.bytes.len() + bytes.len());
        self.put(bytes);
    }
}

/// Returns the bytes of a value with non-zero padding, and the offset of the padding.
fn with_odd_padding(profile: Profile, value: &Variant) -> Option<(Vec<u8>, usize)> {
    let mut marked = Marked::default();
    Encoder::new().profile(profile).objects(true).encode_to(value, &mut marked).ok()?;
    for offset in &marked.padding {
        marked.bytes[*offset] = 0xA5;
    }
    Some((marked.bytes, *marked.padding.first().expect("a value with padding")))
}

fn strict(profile: Profile) -> Decoder {
    Decoder::new().profile(profile).objects(true).strict(true)
}

fn node_path(names: &[&str], subnames: &[&str]) -> Variant {
    let texts = |parts: &[&str]| parts.iter().map(|part| (*part).into()).collect();
    NodePath { absolute: false, names: texts(names), subnames: texts(subnames), property: None }.into()
}

/// Returns values by the kind of their padding: 1 in the strings of a `NodePath`, 2 in a `PackedByteArray`, 3 in any
/// string or name or an `Image`, 4 in a `PackedStringArray`.
fn values() -> Vec<(u8, Variant)> {
    let image = Image { format: 0, mipmaps: 0, width: 1, height: 1, data: vec![7] };
    let object = ObjectData { class: "Node".into(), properties: vec![("a".into(), Variant::from(1))] };
    vec![
        (1, node_path(&["a"], &[])),
        (1, node_path(&["abcd"], &["bc"])),
        (2, vec![1_u8].into()),
        (3, "a".into()),
        (3, Variant::StringName("abc".into())),
        (3, Variant::Signal(Box::new(Signal { name: "a".into(), object_id: 0 }))),
        (3, Variant::Object(Object::Data(Box::new(object)))),
        (3, Variant::Image(Box::new(image))),
        (4, Variant::PackedStringArray(["ab".into()].into())),
    ]
}

/// Returns up to which of these kinds the engines of a profile leave padding undefined, according to their sources.
fn undefined(profile: Profile) -> u8 {
    match profile.name() {
        // Zero in a NodePath: pull request 116105.
        "godot-4.6.3" => 0,
        // Zero in a PackedByteArray: pull request 29011, in 3.1.2.
        "godot-3.0.6" | "godot-3.1" => 2,
        // Zero in a PackedStringArray: commit feaf0342, backported to 2.1.5.
        "godot-2.1.5" => 3,
        // Zero in strings: pull request 17257, in 3.0.3.
        "godot-2.1" | "godot-3.0" => 4,
        _ => 1,
    }
}

#[test]
fn undefined_padding_of_a_profile_is_accepted() {
    for profile in Profile::ALL {
        for (place, value) in values() {
            let Some((bytes, offset)) = with_odd_padding(*profile, &value) else { continue };
            match strict(*profile).decode(&bytes) {
                Ok(read) => {
                    assert!(place <= undefined(*profile), "{profile} accepts {value:?}");
                    assert_eq!(read, value, "{profile}");
                }
                Err(error) => {
                    assert!(place > undefined(*profile), "{profile} refuses {value:?}: {error}");
                    assert!(matches!(error.kind(), DecodeErrorKind::NotCanonical { .. }), "{profile}: {error}");
                    assert_eq!(error.offset(), offset, "{profile}: {error}");
                }
            }
        }
    }
}

#[test]
fn zero_padding_refuses_all_padding_that_is_not_zero() {
    for profile in Profile::ALL {
        for (place, value) in values() {
            let Some((bytes, offset)) = with_odd_padding(*profile, &value) else { continue };
            let error = strict(*profile).zero_padding(true).decode(&bytes).unwrap_err();
            let undefined = place <= undefined(*profile);
            assert_eq!(*error.kind() == DecodeErrorKind::PaddingNotZero, undefined, "{profile}: {error}");
            assert_eq!((error.category(), error.offset()), (Category::Malformed, offset), "{profile}: {error}");
        }
    }
}

#[test]
fn zero_padding_has_no_effect_without_strict() {
    let (bytes, _) = with_odd_padding(Profile::GODOT_4_6, &node_path(&["a"], &[])).unwrap();
    for profile in [Profile::GODOT_4_6, Profile::GODOT_4_6_3] {
        assert!(Decoder::new().profile(profile).zero_padding(true).decode(&bytes).is_ok());
    }
}

#[test]
fn the_borrowed_tree_accepts_the_same_padding() {
    let value = node_path(&["a"], &["b"]);
    let (bytes, _) = with_odd_padding(Profile::GODOT_4_6, &value).unwrap();
    assert!(matches!(strict(Profile::GODOT_4_6).decode_borrowed(&bytes), Ok(VariantRef::NodePath(_))));
    assert!(strict(Profile::GODOT_4_6).check(&bytes).is_ok());
    assert!(strict(Profile::GODOT_4_6_3).check(&bytes).is_err());
}

#[test]
fn non_canonical_bytes_are_found_after_undefined_padding() {
    let path = with_odd_padding(Profile::GODOT_4_6, &node_path(&["a"], &["b"])).unwrap().0;
    let array = |member: &[u8]| [&[28, 0, 0, 0, 2, 0, 0, 0][..], &path, member].concat();
    let wide_seven = [2, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    let error = strict(Profile::GODOT_4_6).decode(&array(&wide_seven)).unwrap_err();
    assert_eq!(error.offset(), 8 + path.len() + 2, "{error}");

    // The first byte that the engine would write differently is in the count, before the padding.
    let entry = [&path[..], &[0, 0, 0, 0]].concat();
    let twice = [&[27, 0, 0, 0, 2, 0, 0, 0][..], &entry, &entry].concat();
    let error = strict(Profile::GODOT_4_6).decode(&twice).unwrap_err();
    assert_eq!(error.offset(), 4, "{error}");
}

#[test]
fn a_node_path_that_the_engine_reads_as_empty_is_accepted() {
    let root = |profile: Profile| {
        let id = profile.type_id(varbytes::VariantType::NodePath).unwrap();
        [id, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 1, 0, 0, 0]
    };
    for profile in Profile::ALL {
        // Every engine writes these bytes for the path "/".
        let meant = strict(*profile).decode(&root(*profile)).unwrap();
        assert!(matches!(&meant, Variant::NodePath(path) if path.absolute), "{profile}: {meant:?}");
        let read = Decoder::new().profile(*profile).decode(&root(*profile)).unwrap();
        let kept = matches!(&read, Variant::NodePath(path) if path.absolute);
        let keeps = ["godot-4.3", "godot-4.4", "godot-4.6", "godot-4.6.3", "redot-4.3", "redot-26", "blazium-4.3"];
        assert_eq!(kept, keeps.contains(&profile.name()), "{profile}");
    }
}

#[test]
fn a_node_path_whose_counts_wrap_around_is_refused() {
    for profile in Profile::ALL {
        let id = profile.type_id(varbytes::VariantType::NodePath).unwrap();
        // One subname more for the property of Godot 2.
        let packet = [id, 0, 0, 0, 0, 0, 0, 128, 255, 255, 255, 255, 3, 0, 0, 0];
        assert!(strict(*profile).decode(&packet).is_err(), "{profile}");
    }
}

#[test]
fn components_have_the_width_that_the_engine_writes() {
    let values = [
        Variant::from(varbytes::variant::Vector2::from([1.0_f32, 2.0])),
        Variant::from(varbytes::variant::Quaternion::from([1.0_f32, 2.0, 3.0, 4.0])),
        Variant::from(varbytes::variant::Transform3D::from([1.0_f32; 12])),
        Variant::PackedVector3Array(vec![[1.0_f32; 3]].into()),
    ];
    for value in &values {
        for (written, read) in [(Single, Single), (Single, Double), (Double, Single), (Double, Double)] {
            let bytes = Encoder::new().precision(written).encode(value).unwrap();
            let strict = strict(Profile::NEWEST).precision(read).decode(&bytes);
            assert_eq!(strict.as_ref().map_err(varbytes::DecodeError::offset).err(), (written != read).then_some(2));
        }
    }
    // A Color has components of 4 bytes in both.
    let colors = varbytes::encode(&Variant::PackedColorArray(vec![[1.0_f32; 4].into()].into())).unwrap();
    assert!(strict(Profile::NEWEST).precision(Double).decode(&colors).is_ok());
}

#[test]
fn byte_order_marks_that_are_kept_do_not_allow_text_that_is_not_unicode() {
    let decoder = Decoder::new().keep_byte_order_marks(true);
    let surrogate = [4, 0, 0, 0, 3, 0, 0, 0, 0xED, 0xA0, 0x80, 0];
    assert_eq!(decoder.decode(&surrogate).unwrap_err().kind(), &DecodeErrorKind::InvalidUtf8);
    // Strict reading refuses marks because readers drop them.
    let values = [node_path(&["\u{FEFF}a", "\u{FEFF}\u{FEFF}"], &["\u{FEFF}"]), vec!["\u{FEFF}a", ""].into()];
    for value in values {
        let bytes = varbytes::encode(&value).unwrap();
        assert_eq!(decoder.strict(true).decode(&bytes).unwrap(), value);
        assert!(Decoder::new().strict(true).decode(&bytes).is_err());
    }
}
