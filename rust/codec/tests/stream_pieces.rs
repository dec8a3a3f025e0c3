//! Streams: when pieces are returned, for every split of the input, and what is refused without waiting.

use varbytes::stream::{Piece, StreamDecoder};
use varbytes::variant::{Array, ContainerType, Dictionary, NodePath, ObjectData, Signal};
use varbytes::{Category, DecodeError, DecodeErrorKind, Decoder, Encoder, Limits, Profile, Variant, VariantType};

fn full(profile: Profile) -> Decoder {
    Decoder::new().profile(profile).objects(true)
}

/// Returns values with every type of member.
fn values() -> Vec<Variant> {
    let path =
        NodePath { absolute: true, names: vec!["a".into(), "bcd".into()], subnames: vec!["e".into()], property: None };
    let object = ObjectData {
        class: "Resource".into(),
        properties: vec![("name".into(), "x".into()), ("data".into(), vec![1.into(), Variant::from(2.5)].into())],
    };
    let int = Some(ContainerType::Builtin(VariantType::Int));
    let text = Some(ContainerType::Builtin(VariantType::String));
    let inner = Variant::from(vec![(Variant::from("key"), Variant::from(vec![1u8, 2, 3])), (1.into(), Variant::Nil)]);
    vec![
        Variant::Nil,
        7.into(),
        i64::MAX.into(),
        "hello".into(),
        Variant::StringName("name".into()),
        path.into(),
        Signal { name: "pressed".into(), object_id: 7 }.into(),
        vec![0u8; 5].into(),
        vec![1i32, 2, 3].into(),
        vec![1.5f64].into(),
        Variant::PackedStringArray(vec!["a".into(), "bcde".into(), "".into()].into()),
        object.into(),
        Array::with_type_unchecked(int.clone(), vec![1.into(), i64::MAX.into()]).into(),
        Dictionary::with_types_unchecked(int, text, vec![(1.into(), "a".into()), (2.into(), "bcdef".into())]).into(),
        vec![inner.clone(), vec![inner.clone(), Variant::Callable].into(), Variant::RID(7)].into(),
        vec![(inner.clone(), inner)].into(),
    ]
}

fn packets() -> impl Iterator<Item = (Decoder, Vec<u8>)> {
    let profiles = [Profile::GODOT_4_6, Profile::GODOT_3_5, Profile::GODOT_2_1];
    profiles.into_iter().flat_map(|profile| {
        let encoder = Encoder::new().profile(profile).objects(true);
        let packets = values().into_iter().filter_map(move |value| encoder.encode(&value).ok());
        packets.map(move |bytes| (full(profile), bytes))
    })
}

/// Returns the pieces available before the end is known.
fn drain(stream: &mut StreamDecoder) -> Result<Vec<Piece>, DecodeError> {
    std::iter::from_fn(|| stream.next().transpose()).collect()
}

fn at_once(decoder: Decoder, levels: usize, bytes: &[u8]) -> Vec<Piece> {
    let mut stream = StreamDecoder::new(decoder, levels);
    stream.feed(bytes);
    stream.end();
    drain(&mut stream).unwrap()
}

#[test]
fn a_value_is_returned_with_its_last_byte_for_every_split() {
    for (decoder, bytes) in packets() {
        for (levels, strict) in [(0, false), (1, false), (2, false), (0, true), (2, true)] {
            let decoder = decoder.strict(strict);
            let pieces = at_once(decoder, levels, &bytes);
            for cut in 0..bytes.len() {
                let mut stream = StreamDecoder::new(decoder, levels);
                stream.feed(&bytes[..cut]);
                let mut given = drain(&mut stream).unwrap();
                assert!(!stream.is_finished());
                stream.feed(&bytes[cut..]);
                given.extend(drain(&mut stream).unwrap());
                assert_eq!(given, pieces, "{levels} levels, cut at {cut} of {bytes:?}");
                assert!(stream.is_finished());
            }
            let mut stream = StreamDecoder::new(decoder, levels);
            let mut given = Vec::new();
            for byte in &bytes {
                assert!(!stream.is_finished());
                stream.feed(&[*byte]);
                given.extend(drain(&mut stream).unwrap());
            }
            assert_eq!(given, pieces);
            assert!(stream.is_finished());
        }
    }
}

#[test]
fn consecutive_values_are_returned_one_by_one_for_every_split() {
    let packets: Vec<Vec<u8>> =
        values().iter().map(|value| Encoder::new().objects(true).encode(value).unwrap()).collect();
    let bytes = packets.concat();
    for size in [1, 3, 7, 64, bytes.len()] {
        for levels in [0, 1] {
            let mut stream = StreamDecoder::new(full(Profile::GODOT_4_6), levels);
            let mut pieces = Vec::new();
            let mut lengths = Vec::new();
            for part in bytes.chunks(size) {
                stream.feed(part);
                loop {
                    match stream.next().unwrap() {
                        Some(piece) => pieces.push(piece),
                        None if stream.is_finished() => {
                            lengths.push(stream.consumed());
                            stream.next_value();
                        }
                        None => break,
                    }
                }
            }
            let expected = packets.iter().flat_map(|bytes| at_once(full(Profile::GODOT_4_6), levels, bytes));
            assert_eq!(pieces, expected.collect::<Vec<_>>());
            assert_eq!(lengths, packets.iter().map(Vec::len).collect::<Vec<_>>());
            assert!(stream.unread().is_empty() && stream.consumed() == 0);
        }
    }
}

#[test]
fn malformed_input_is_an_error_at_the_first_wrong_byte() {
    // An array of a String and a type that does not exist.
    let mut bytes = varbytes::encode(&vec![Variant::from("abcdefg"), Variant::from(vec![0u8; 1000])].into()).unwrap();
    bytes[24] = 99;
    for levels in [0, 1] {
        let whole = Decoder::new().decode(&bytes).unwrap_err();
        let mut stream = StreamDecoder::new(Decoder::new(), levels);
        for byte in &bytes[..27] {
            stream.feed(&[*byte]);
            drain(&mut stream).unwrap();
        }
        stream.feed(&bytes[27..28]);
        let error = drain(&mut stream).unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.path()), (whole.kind(), whole.offset(), whole.path()));
        assert_eq!(stream.next().unwrap_err(), error, "the error stays");
    }
}

#[test]
fn errors_are_those_of_the_whole_packet_for_every_split() {
    for (decoder, bytes) in packets() {
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x95;
            let whole = decoder.decode_prefix(&damaged);
            for (levels, size) in [(0, 1), (0, 5), (1, 1), (3, 2)] {
                let mut stream = StreamDecoder::new(decoder, levels);
                let mut failed = None;
                for part in damaged.chunks(size) {
                    stream.feed(part);
                    failed = failed.or(drain(&mut stream).err());
                }
                stream.end();
                failed = failed.or(drain(&mut stream).err());
                assert_eq!(failed.is_some(), whole.is_err(), "{levels}, {damaged:?}: {failed:?}, {whole:?}");
                let (Some(error), Err(whole)) = (failed, &whole) else { continue };
                if whole.category() != Category::Truncated {
                    let same =
                        (error.kind(), error.offset(), error.path()) == (whole.kind(), whole.offset(), whole.path());
                    assert!(same, "{levels}, {size}, {damaged:?}: {error}, {whole}");
                }
            }
        }
    }
}

#[track_caller]
fn assert_refused_at(limits: Limits, levels: usize, bytes: &[u8], known_at: usize, category: Category) {
    let mut stream = StreamDecoder::new(Decoder::new().limits(limits), levels);
    stream.feed(&bytes[..known_at - 1]);
    drain(&mut stream).unwrap();
    stream.feed(&bytes[known_at - 1..known_at]);
    assert_eq!(drain(&mut stream).unwrap_err().category(), category);
}

#[test]
fn announced_sizes_are_checked_against_the_limits_before_their_bytes_arrive() {
    let memory = Limits::NONE.memory(1 << 20);
    for levels in [0, 1] {
        // 256 MiB in a PackedByteArray, in a String, in ints and in members.
        let huge = (256u32 << 20).to_le_bytes();
        for (header, limits) in [
            (29, memory),
            (4, memory),
            (30, memory),
            (34, memory),
            (28, memory),
            (27, memory),
            (4, Limits::NONE.string_length(1000)),
        ] {
            assert_refused_at(limits, levels, &[&[header, 0, 0, 0], &huge[..]].concat(), 8, Category::Limit);
            // The same as a member.
            let inside = [&[28, 0, 0, 0, 2, 0, 0, 0, header, 0, 0, 0], &huge[..]].concat();
            assert_refused_at(limits, levels, &inside, 16, Category::Limit);
            let in_typed = [&[28, 0, 1, 0, header, 0, 0, 0, 2, 0, 0, 0, header, 0, 0, 0], &huge[..]].concat();
            assert_refused_at(limits, levels, &in_typed, 20, Category::Limit);
        }
    }
}

#[test]
fn limits_apply_to_all_pieces_together() {
    let members = vec![Variant::from(vec![1i32; 100]); 100];
    let typed =
        Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::PackedInt32Array)), members.clone());
    for value in [Variant::from(members), typed.into()] {
        let bytes = varbytes::encode(&value).unwrap();
        // Finds the lowest sufficient limit by trying.
        let fits = |memory: usize| Decoder::new().limits(Limits::NONE.memory(memory)).decode(&bytes).is_ok();
        let least = (0..1 << 20).collect::<Vec<_>>().partition_point(|memory| !fits(*memory));
        for levels in [0, 1] {
            for size in [1, 100, bytes.len()] {
                for (memory, passes) in [(least + 200, true), (least - 200, false)] {
                    let limits = Limits::NONE.memory(memory);
                    let mut stream = StreamDecoder::new(Decoder::new().limits(limits), levels);
                    let done = bytes.chunks(size).try_for_each(|part| {
                        stream.feed(part);
                        drain(&mut stream).map(drop)
                    });
                    assert_eq!(done.is_ok(), passes, "{levels} levels, {memory} bytes: {done:?}");
                    let is_memory =
                        |error: DecodeError| *error.kind() == DecodeErrorKind::MemoryLimit { limit: memory };
                    assert!(done.err().is_none_or(is_memory));
                }
            }
        }
    }
}

#[test]
fn a_piece_that_is_too_long_is_refused_at_its_length() {
    let value = Variant::from(vec![Variant::from("a"), Variant::from(vec![0u8; 5000]), "b".into()]);
    let bytes = varbytes::encode(&value).unwrap();
    for size in [1, 64, bytes.len()] {
        for (max, passes) in [(5008, true), (5007, false), (100, false)] {
            let mut stream = StreamDecoder::new(Decoder::new(), 1).max_piece(max);
            let mut fed = 0;
            let done = bytes.chunks(size).try_for_each(|part| {
                stream.feed(part);
                fed += part.len();
                drain(&mut stream).map(drop)
            });
            assert_eq!(done.is_ok(), passes, "{max}: {done:?}");
            assert!(passes || fed <= 28 + size, "{fed}");
        }
    }
}

#[test]
fn with_a_known_length_a_size_beyond_it_is_refused_immediately() {
    for (decoder, bytes) in packets() {
        for levels in [0, 1] {
            for length in 0..bytes.len() {
                // None of the announced bytes needs to arrive.
                let mut stream = StreamDecoder::new(decoder, levels).with_length(length as u64);
                stream.feed(&bytes[..length]);
                let error = drain(&mut stream).err();
                let whole = decoder.decode_prefix(&bytes[..length]);
                assert_eq!(error.is_some(), whole.is_err(), "{length} of {bytes:?}: {error:?}, {whole:?}");
                assert!(error.is_none_or(|error| error.category() == Category::Truncated));
            }
            let mut stream = StreamDecoder::new(decoder, levels).with_length(bytes.len() as u64);
            stream.feed(&bytes);
            assert_eq!(drain(&mut stream).unwrap(), at_once(decoder, levels, &bytes));
            assert!(stream.is_finished());
        }
    }
    for header in [29u8, 4, 30, 28, 27] {
        let mut stream = StreamDecoder::new(Decoder::new(), 1).with_length(1000);
        stream.feed(&[header, 0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(drain(&mut stream).unwrap_err().category(), Category::Truncated, "{header}");
    }
}

#[test]
fn bytes_after_a_value_of_known_length_are_refused_if_strict_and_skipped_otherwise() {
    let seven = varbytes::encode(&7.into()).unwrap();
    let eight = varbytes::encode(&8.into()).unwrap();
    let bytes = [&seven[..], &[1, 2, 3], &eight].concat();
    for size in [1, 4, bytes.len()] {
        let mut stream = StreamDecoder::new(Decoder::new().strict(true), 0).with_length(11);
        let error = bytes.chunks(size).find_map(|part| {
            stream.feed(part);
            drain(&mut stream).err()
        });
        let error = error.unwrap();
        assert_eq!((error.kind(), error.offset()), (&DecodeErrorKind::TrailingBytes { count: 3 }, 8));
        assert!(!stream.is_finished());

        let mut stream = StreamDecoder::new(Decoder::new(), 0).with_length(11);
        let mut pieces = Vec::new();
        for part in bytes.chunks(size) {
            stream.feed(part);
            while let Some(piece) = stream.next().unwrap() {
                pieces.push(piece);
                stream.next_value();
            }
        }
        assert_eq!(pieces, [Piece::Value(7.into()), Piece::Value(8.into())]);
    }
}

/// Godot 4.0 to 4.3 read such a key as a String.
#[test]
fn a_string_name_key_is_read_as_the_engine_reads_it_at_every_level() {
    let packet = [27, 0, 0, 0, 1, 0, 0, 0, 21, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    for (engine, key) in [("godot-4.2", Variant::from("a")), ("godot-4.6", Variant::StringName("a".into()))] {
        let decoder = Decoder::new().profile(engine.parse().unwrap());
        let whole = decoder.decode(&packet).unwrap();
        assert_eq!(at_once(decoder, 0, &packet), [Piece::Value(whole)], "{engine}");
        assert_eq!(
            at_once(decoder, 1, &packet)[1..],
            [Piece::Key(key), Piece::Value(7.into()), Piece::End],
            "{engine}"
        );
    }
    let strict = Decoder::new().profile(Profile::GODOT_4_2).strict(true);
    let mut stream = StreamDecoder::new(strict, 1);
    stream.feed(&packet);
    assert_eq!(drain(&mut stream).unwrap_err(), strict.decode(&packet).unwrap_err());
}
