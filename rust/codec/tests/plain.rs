//! The fast and slow paths for reading and writing agree.

use varbytes::variant::{Array, Color, ContainerType, Dictionary, ObjectData, PackedReals, Text, Vector2, Vector3};
use varbytes::{Decoder, Encoder, Limits, Variant, VariantType, inspect};

/// Returns values of every type with a fast path, ten levels deep.
fn mixed() -> Variant {
    let typed = Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Int)), vec![1.into(), 2.into()]);
    let strings = Some(ContainerType::Builtin(VariantType::String));
    let entries = vec![("a".into(), Variant::from(vec![Variant::from(0.1)])), ("b".into(), 1.into())];
    let object = ObjectData {
        class: "Node".to_owned(),
        properties: vec![("name".to_owned(), vec![Variant::from("x")].into()), ("y".to_owned(), 7.into())],
    };
    let plain: Vec<(Variant, Variant)> = vec![
        ("null".into(), Variant::Nil),
        ("a name that a node does not hold in place".into(), true.into()),
        ("größe".into(), 0.5.into()),
        (7.into(), 0.1.into()),
        ((1i64 << 40).into(), Vector2::from([1.0f32, 2.0]).into()),
        (Variant::StringName("name".into()), Vector3::from([1.0f32, 2.0, 3.0]).into()),
        (Variant::from(vec![Variant::from("key")]), (1i64 << 40).into()),
        ("typed".into(), typed.into()),
        ("types".into(), Dictionary::with_types_unchecked(strings, None, entries).into()),
        ("object".into(), object.into()),
        ("packed".into(), vec![1u8, 2, 3].into()),
    ];
    (0..9).fold(Variant::from(plain), |inner, level| match level % 2 {
        0 => vec![Variant::from(level), inner, "after".into()].into(),
        _ => vec![("before".into(), Variant::Nil), ("inner".into(), inner), ("after".into(), 1.into())].into(),
    })
}

/// Returns the slow path's error for a packet, if it refuses it.
fn refused(decoder: &Decoder, bytes: &[u8]) -> Option<String> {
    let text = inspect(decoder, bytes);
    text.lines().last().filter(|line| line.contains(", path $")).map(str::to_owned)
}

fn assert_same_read(decoder: &Decoder, bytes: &[u8], what: &str) {
    let general = refused(decoder, bytes);
    let quick = decoder.decode(bytes).map(drop);
    let shown =
        |error: varbytes::DecodeError| format!("{:08x}  {}, path {}", error.offset(), error.kind(), error.path());
    assert_eq!(quick.err().map(shown), general, "{what}");
    let checked = decoder.check(bytes).map(drop);
    assert_eq!(checked.err().map(shown), general, "{what}, only checked");
}

#[test]
fn a_truncated_packet_has_the_error_of_the_slow_path() {
    let bytes = Encoder::new().objects(true).encode(&mixed()).unwrap();
    let decoder = Decoder::new().objects(true);
    assert!(refused(&decoder, &bytes).is_none());
    for length in 0..bytes.len() {
        assert_same_read(&decoder, &bytes[..length], &format!("{length} bytes"));
    }
}

#[test]
fn a_packet_with_a_changed_byte_has_the_error_of_the_slow_path() {
    let bytes = Encoder::new().objects(true).encode(&mixed()).unwrap();
    let decoder = Decoder::new().objects(true);
    for offset in 0..bytes.len() {
        for other in [0, 27, 28, 0xFF, bytes[offset] + 1, bytes[offset] ^ 0x40] {
            let mut bytes = bytes.clone();
            bytes[offset] = other;
            assert_same_read(&decoder, &bytes, &format!("{other} at {offset}"));
        }
    }
}

/// Returns a container of one of eight kinds around a value.
fn around(kind: u64, inner: Variant) -> Variant {
    let typed = || Some(ContainerType::Builtin(VariantType::String));
    match kind % 8 {
        0 => vec![1.into(), inner, "after".into()].into(),
        1 => vec![("only".into(), inner)].into(),
        2 => vec![("before".into(), Variant::Nil), ("inner".into(), inner), ("after".into(), 1.into())].into(),
        3 => vec![(Variant::from(vec![Variant::from(1)]), 0.into()), ("inner".into(), inner), (7.into(), 1.into())]
            .into(),
        4 => Dictionary::with_types_unchecked(typed(), None, vec![("a".into(), inner), ("b".into(), 1.into())]).into(),
        5 => ObjectData { class: "Node".to_owned(), properties: vec![("a".to_owned(), inner)] }.into(),
        6 => vec![(inner, 1.into())].into(),
        _ => {
            let unsorted = |key: i32| (Variant::from(key * 7 % 12), Variant::from(key));
            let (before, after) = ((0..6).map(unsorted), (6..12).map(unsorted));
            before.chain([("inner".into(), inner)]).chain(after).collect::<Vec<_>>().into()
        }
    }
}

#[test]
fn containers_of_every_kind_in_each_other_are_read_as_by_the_slow_path() {
    const LEVELS: u64 = 24;
    let mut random = 1u64;
    for document in 0..80 {
        let value = (0..LEVELS).fold(mixed(), |inner, _| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            around(random >> 40, inner)
        });
        let bytes = Encoder::new().objects(true).encode(&value).unwrap();
        let read = Decoder::new().objects(true).decode(&bytes).unwrap();
        assert!(read.bit_eq(&value), "document {document}");
        let limits =
            (0..40).map(|depth| Limits::NONE.depth(depth)).chain((0..40).map(|part| Limits::NONE.memory(part * 400)));
        for limits in limits {
            let decoder = Decoder::new().objects(true).limits(limits);
            let (quick, slow) = (decoder.decode(&bytes), decoder.slow_path_only(true).decode(&bytes));
            assert_eq!(quick.err(), slow.err(), "document {document}, {limits:?}");
        }
    }
}

#[test]
fn an_error_in_writing_has_its_path_at_any_depth() {
    for depth in 0..30 {
        let object = ObjectData { class: "Node".to_owned(), properties: vec![("script".to_owned(), 1.into())] };
        let value = (0..depth).fold(Variant::from(object), |inner, _| {
            vec![("x".into(), Variant::Nil), ("y".into(), vec![Variant::Nil, inner].into())].into()
        });
        let error = Encoder::new().objects(true).encode(&value).unwrap_err();
        assert_eq!(error.path().to_string(), format!("${}.script", r#"["y"][1]"#.repeat(depth)));
    }
}

/// Returns the entries of a dictionary with these keys: each key at its first position, with its last value.
fn merged(keys: &[(usize, Variant)]) -> Vec<(Variant, Variant)> {
    let mut entries: Vec<(usize, (Variant, Variant))> = Vec::new();
    for (value, (number, key)) in keys.iter().enumerate() {
        let value = Variant::from(u32::try_from(value).unwrap());
        match entries.iter_mut().find(|(earlier, _)| earlier == number) {
            Some((_, entry)) => entry.1 = value,
            None => entries.push((*number, (key.clone(), value))),
        }
    }
    entries.into_iter().map(|(_, entry)| entry).collect()
}

fn assert_merged(keys: &[(usize, Variant)]) {
    let all: Vec<(Variant, Variant)> =
        keys.iter().zip(0u32..).map(|((_, key), value)| (key.clone(), value.into())).collect();
    let bytes = varbytes::encode(&Variant::from(all)).unwrap();
    let expected = Variant::from(merged(keys));
    assert_eq!(varbytes::decode(&bytes).unwrap(), expected, "{keys:?}");
    assert_eq!(Decoder::new().decode_borrowed(&bytes).unwrap().to_variant(), expected, "{keys:?}, borrowed");
}

#[test]
fn a_duplicate_key_is_found_in_dictionaries_of_every_size_and_order() {
    let kinds: [fn(usize) -> Variant; 7] = [
        |number| Variant::Int(i64::try_from(number).unwrap() - 5),
        |number| format!("key_{number}").into(),
        |number| format!("a key that is longer than what a node holds {number}").into(),
        |number| format!("größe {number}").into(),
        |number| Variant::StringName(format!("key_{number}").into()),
        |number| 0.1f64.mul_add(f64::from(u32::try_from(number).unwrap()), 0.5).into(),
        |number| match number % 3 {
            0 => number.to_string().into(),
            1 => Variant::Int(i64::try_from(number).unwrap()),
            _ => vec![Variant::Int(i64::try_from(number).unwrap())].into(),
        },
    ];
    for kind in kinds {
        for (count, step) in (2..=11).map(|count| (count, 1)).chain([(14, 2), (40, 5)]) {
            for again in (0..count).rev().step_by(step) {
                for first in 0..again {
                    // Ascending keys except one duplicate, and the same descending.
                    let number = |place: usize| if place == again { first } else { place };
                    let rising: Vec<_> = (0..count).map(|place| (number(place), kind(number(place)))).collect();
                    assert_merged(&rising);
                    let falling: Vec<_> = rising.into_iter().rev().collect();
                    assert_merged(&falling);
                }
            }
        }
    }
}

#[test]
fn a_string_and_a_string_name_are_duplicates_after_ascending_keys() {
    for count in [3, 8, 9, 30] {
        let mut keys: Vec<_> = (0..count).map(|number| (number, Variant::from(format!("key_{number:02}")))).collect();
        keys.push((1, Variant::StringName("key_01".into())));
        keys.push((count, "later".into()));
        assert_merged(&keys);
    }
}

#[test]
fn keys_of_different_types_and_lengths_are_different_keys() {
    let texts = ["", "a", "b", "aa", "ab", "ba", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopqrstuv"];
    let mut keys: Vec<Variant> = texts.iter().map(|text| (*text).into()).collect();
    keys.extend([i64::MIN, -1, 0, 1, i64::from(i32::MAX), i64::MAX].map(Variant::from));
    for rotation in 0..keys.len() {
        keys.rotate_left(1);
        let numbered: Vec<_> = keys.iter().cloned().enumerate().collect();
        assert_merged(&numbered);
        assert_eq!(merged(&numbered).len(), keys.len(), "{rotation}");
    }
}

#[test]
fn a_packet_is_read_the_same_at_every_alignment() {
    let packed = Variant::from(vec![
        Variant::from(vec![1u8, 2, 3]),
        vec![1i32, -2].into(),
        vec![1i64, -2].into(),
        vec![0.5f32, f32::INFINITY].into(),
        vec![0.1f64, f64::NEG_INFINITY].into(),
        vec![Text::from("one"), Text::from("two")].into(),
        Variant::PackedVector2Array(PackedReals::from(vec![[0.5f32, 1.0]; 3])),
        Variant::PackedVector3Array(PackedReals::from_f64_vec(vec![[0.1f64, 1.0, 2.0]; 3])),
        Variant::PackedVector4Array(PackedReals::from(vec![[0.5f32, 1.0, 2.0, 3.0]; 3])),
        vec![Color::from([0.5, 0.25, 0.125, 1.0])].into(),
        mixed(),
    ]);
    let encoder = Encoder::new().objects(true);
    let bytes = encoder.encode(&packed).unwrap();
    for odd in 0..16 {
        let memory = [vec![0xFF; odd], bytes.clone()].concat();
        let read = Decoder::new().objects(true).decode(&memory[odd..]).unwrap();
        assert!(read.bit_eq(&packed), "{odd}");
    }
}

#[test]
fn a_value_is_written_into_a_buffer_of_its_exact_length() {
    let encoder = Encoder::new().objects(true);
    let texts: Vec<Variant> = (0..100).map(|length| "é".repeat(length / 2).as_str().into()).collect();
    for value in
        [mixed(), texts.into(), (0..1000).map(|bits| Variant::from(1i64 << (bits % 64))).collect::<Array>().into()]
    {
        for depth in 0..20 {
            let value = (0..depth).fold(value.clone(), |inner, _| vec![(inner, "after".into())].into());
            let bytes = encoder.encode(&value).unwrap();
            assert_eq!(bytes.capacity(), bytes.len());
            assert_eq!(encoder.encoded_len(&value).unwrap(), bytes.len());
            let mut buffer = Vec::new();
            encoder.encode_into(&value, &mut buffer).unwrap();
            assert_eq!(buffer, bytes);
        }
    }
}
