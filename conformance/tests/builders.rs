//! All builders agree: the owned tree, the borrowed tree, the check that builds nothing, and tagged JSON. Strict
//! reading and writing agree too.

use std::sync::LazyLock;

use varbytes::stream::{Piece, StreamDecoder};
use varbytes::variant::{Array, Dictionary, Object, Visit, Walk};
use varbytes::{
    Category, DecodeErrorKind, Decoder, EncodeErrorKind, Encoder, Limits, Profile, Variant, VariantType, tagged_json,
};
use varbytes_conformance::compare::first_difference;
use varbytes_conformance::damage::{Packet, damaged};
use varbytes_conformance::derived::DerivedSet;
use varbytes_conformance::reference::Reference;
use varbytes_conformance::vectors::{CAPTURED, VectorSet, load_manifest};

/// Every committed packet of every engine, with the engine's profile, and damaged packets from a fixed seed.
static PACKETS: LazyLock<Vec<(Profile, Packet)>> = LazyLock::new(|| {
    let live = Reference::ALL.map(|reference| {
        let profile = Profile::from_name(&load_manifest(&reference.folder()).unwrap().profile).unwrap();
        (profile, VectorSet::load(&reference.folder()).unwrap().packets())
    });
    let captured = CAPTURED.map(|captured| {
        let vectors = captured.load().unwrap().into_iter();
        let packets = vectors.map(|vector| Packet { bytes: vector.bytes, objects: vector.full_objects });
        (captured.setting().unwrap().profile, packets.collect())
    });
    let derived = DerivedSet::load_all().unwrap().into_iter().map(|set| (set.profile, set.packets().unwrap()));
    let sets = live.into_iter().chain(captured).chain(derived);
    sets.flat_map(|(profile, mut packets)| {
        packets.extend(damaged(&packets.clone(), profile, 20, packets.len() * 3));
        packets.into_iter().map(move |packet| (profile, packet))
    })
    .collect()
});

/// Each packet is read by one in this many of the decoders, another part for each next packet.
const PART: usize = 5;

/// Every packet, with the number of the first decoder to read it.
fn packets() -> impl Iterator<Item = (usize, &'static Packet)> {
    PACKETS.iter().enumerate().map(|(number, (_, packet))| (number % PART, packet))
}

/// Every packet with the decoder and the encoder of its engine.
fn own_packets() -> impl Iterator<Item = (&'static Packet, Decoder, Encoder)> {
    PACKETS.iter().map(|(profile, packet)| {
        let decoder = Decoder::new().profile(*profile).objects(packet.objects);
        (packet, decoder, Encoder::new().profile(*profile).objects(packet.objects))
    })
}

/// Decoders of every engine, strict ones, and those that enforce types for engines with typed dictionaries.
fn decoders(packet: &Packet) -> impl Iterator<Item = Decoder> {
    let objects = packet.objects;
    let decoder = move |profile: &Profile| Decoder::new().profile(*profile).objects(objects);
    let enforcing = Profile::ALL.iter().filter(|profile| profile.types_dictionaries());
    Profile::ALL
        .iter()
        .flat_map(move |profile| [false, true].map(|strict| decoder(profile).strict(strict)))
        .chain(enforcing.map(move |profile| decoder(profile).enforce_types(true)))
}

#[test]
fn the_untrusted_decoder_reads_everything_that_engines_write() {
    let mut read = 0;
    for (packet, decoder, _) in own_packets() {
        let decoder = decoder.fix_engine_bugs(true);
        let Ok(value) = decoder.strict(true).decode(&packet.bytes) else { continue };
        let untrusted = decoder.enforce_types(true).limits(Limits::untrusted(packet.bytes.len()));
        match untrusted.decode(&packet.bytes) {
            Ok(again) => assert!(again.bit_eq(&value), "{}", hex::encode(&packet.bytes)),
            Err(error) => panic!("{error}: {}", hex::encode(&packet.bytes)),
        }
        read += 1;
    }
    assert!(read > 2000, "{read} packets");
}

#[test]
fn tree_check_and_tagged_json_accept_and_use_the_same_bytes() {
    for (first, packet) in packets() {
        for decoder in decoders(packet).skip(first).step_by(PART) {
            let shown = || format!("{decoder:?} on {}", hex::encode(&packet.bytes));
            let tree = decoder.decode_prefix(&packet.bytes);
            match (&tree, decoder.decode_with(&packet.bytes, &mut varbytes::build::Validator::new(()))) {
                (Ok(tree), Ok(check)) => assert_eq!(tree.used, check.used, "{}", shown()),
                (Err(tree), Err(check)) => assert_eq!(tree, &check, "{}", shown()),
                (tree, check) => panic!("{}:\n{tree:?}\n{check:?}", shown()),
            }
            // Strict reading refuses trailing bytes.
            let whole = decoder.decode(&packet.bytes).and(tree);
            match (whole, tagged_json::decode(&decoder, &packet.bytes)) {
                (Ok(tree), Ok(json)) => {
                    assert_eq!(tree.used, json.used, "{}", shown());
                    assert_eq!(tagged_json::to_string(&tree.value), json.value, "{}", shown());
                }
                (Err(tree), Err(json)) => assert_eq!(tree, json, "{}", shown()),
                (tree, json) => panic!("{}:\n{tree:?}\n{json:?}", shown()),
            }
        }
    }
}

#[test]
fn the_borrowed_tree_equals_the_owned_tree() {
    for (first, packet) in packets() {
        for decoder in decoders(packet).skip(first).step_by(PART) {
            let shown = || format!("{decoder:?} on {}", hex::encode(&packet.bytes));
            let tree = decoder.decode_prefix(&packet.bytes);
            let borrowed = decoder.decode_borrowed_prefix(&packet.bytes);
            match (tree, borrowed) {
                (Ok(tree), Ok(borrowed)) => {
                    assert_eq!((tree.used, tree.consumed), (borrowed.used, borrowed.consumed), "{}", shown());
                    assert_eq!(tree.value.variant_type(), borrowed.value.variant_type(), "{}", shown());
                    assert!(tree.value.bit_eq(&borrowed.value.to_variant()), "{:?}: {}", borrowed.value, shown());
                }
                (Err(tree), Err(borrowed)) => assert_eq!(tree, borrowed, "{}", shown()),
                (tree, borrowed) => panic!("{}:\n{tree:?}\n{borrowed:?}", shown()),
            }
        }
    }
}

#[test]
fn a_value_decoded_in_pieces_is_the_same() {
    for (index, (packet, decoder, encoder)) in own_packets().enumerate() {
        let (levels, size) = (index % 4, 1 + index % 13);
        let shown = || format!("{decoder:?}, {levels} levels, on {}", hex::encode(&packet.bytes));
        let whole = decoder.decode_prefix(&packet.bytes);
        match (whole, put_together(decoder, levels, size, &packet.bytes)) {
            (Ok(whole), Ok((value, consumed))) => {
                assert_eq!(whole.consumed, consumed, "{}", shown());
                if value.bit_eq(&whole.value) || has_null_object(&value) {
                    continue;
                }
                // Duplicate keys are still separate. Reading joins them, except keys with null objects, which become
                // null when written.
                let encoder = encoder.fix_engine_bugs(true);
                let merged = decoder.fix_engine_bugs(true).decode(&encoder.encode(&value).unwrap()).unwrap();
                assert!(merged.bit_eq(&whole.value), "{value:?} for {:?}: {}", whole.value, shown());
            }
            (Err(_), Err(_)) => {}
            (whole, pieces) => panic!("{}:\n{whole:?}\n{pieces:?}", shown()),
        }
    }
}

/// Reads the first value of the bytes in pieces of `size` bytes, and returns it with the bytes used.
fn put_together(
    decoder: Decoder,
    levels: usize,
    size: usize,
    bytes: &[u8],
) -> Result<(Variant, usize), varbytes::DecodeError> {
    let mut chunks = bytes.chunks(size);
    let mut stream = StreamDecoder::new(decoder, levels);
    // The open containers, each with its members so far.
    let mut open: Vec<(Piece, Vec<Variant>)> = Vec::new();
    let mut last = Variant::Nil;
    while !stream.is_finished() {
        match stream.next()? {
            None => match chunks.next() {
                Some(chunk) => stream.feed(chunk),
                None => stream.end(),
            },
            Some(begin @ Piece::Begin { .. }) => open.push((begin, Vec::new())),
            Some(Piece::End) => {
                let (begin, members) = open.pop().unwrap();
                last = container(begin, members);
                if let Some((_, outer)) = open.last_mut() {
                    outer.push(last.clone());
                }
            }
            Some(Piece::Key(value) | Piece::Value(value)) => match open.last_mut() {
                Some((_, members)) => members.push(value),
                None => last = value,
            },
            Some(other) => panic!("{other:?}"),
        }
    }
    Ok((last, stream.consumed()))
}

fn container(begin: Piece, members: Vec<Variant>) -> Variant {
    let Piece::Begin { variant_type, first_type, second_type, shared, .. } = begin else { panic!("{begin:?}") };
    if variant_type == VariantType::Dictionary {
        let mut members = members.into_iter();
        let entries = std::iter::from_fn(|| Some((members.next()?, members.next()?))).collect();
        return Variant::Dictionary(
            Dictionary::with_types_unchecked(first_type, second_type, entries).with_shared(shared),
        );
    }
    let array = Array::with_type_unchecked(first_type, members).with_shared(shared);
    match variant_type {
        VariantType::TypedArray => Variant::TypedArray(array),
        VariantType::PackedTypedArray => Variant::PackedTypedArray(array),
        _ => Variant::Array(array),
    }
}

#[test]
fn strict_reading_accepts_exactly_bytes_that_come_back_and_match_their_declared_types() {
    for (first, packet) in packets() {
        for profile in Profile::ALL.iter().skip(first).step_by(PART) {
            // Strict reading reads what is meant, not the result of an engine bug.
            let decoder = Decoder::new().profile(*profile).objects(packet.objects).fix_engine_bugs(true);
            let encoder = Encoder::new().profile(*profile).objects(packet.objects).fix_engine_bugs(true);
            let shown = || format!("{decoder:?} on {}", hex::encode(&packet.bytes));
            let strict = decoder.strict(true).zero_padding(true).decode(&packet.bytes);
            match decoder.decode(&packet.bytes) {
                Err(_) => assert!(strict.is_err(), "{}", shown()),
                Ok(value) => {
                    let written = match encoder.encode(&value) {
                        Ok(written) => written,
                        // Godot 3.4 has a lower depth limit for writing than for reading.
                        Err(error) if matches!(error.kind(), EncodeErrorKind::DepthLimit { .. }) => {
                            assert!(strict.is_err(), "{}", shown());
                            continue;
                        }
                        Err(error) => panic!("{error}: {}", shown()),
                    };
                    let enforced = decoder.enforce_types(true).decode(&packet.bytes);
                    let well_typed = enforced.is_ok_and(|enforced| enforced.bit_eq(&value));
                    match (first_difference(&packet.bytes, &written), strict) {
                        (None, Ok(_)) => assert!(well_typed, "{}", shown()),
                        (_, Err(error)) if matches!(error.kind(), DecodeErrorKind::MistypedValue { .. }) => {
                            assert!(!well_typed, "{error}: {}", shown());
                        }
                        (Some(offset), Err(error)) if error.category() == Category::Malformed => {
                            assert_eq!(error.offset(), offset, "{error}: {}", shown());
                        }
                        (difference, strict) => panic!("{difference:?}, {strict:?}: {}", shown()),
                    }
                }
            }
        }
    }
}

#[test]
fn accepted_bytes_are_stable_after_writing_once() {
    for (packet, decoder, encoder) in own_packets() {
        // A value with an engine bug changes each time it is read.
        let (decoder, encoder) = (decoder.fix_engine_bugs(true), encoder.fix_engine_bugs(true));
        let Ok(value) = decoder.decode(&packet.bytes) else { continue };
        let bytes = encoder.encode(&value).unwrap();
        assert_eq!(encoder.encoded_len(&value).unwrap(), bytes.len());
        let again = decoder.decode(&bytes).unwrap_or_else(|error| panic!("{error}: {}", hex::encode(&packet.bytes)));
        // As in the engine, a string loses a byte order mark each time it is read, a null object becomes null, and
        // surrogates become characters, which may be duplicate keys.
        let has_mark = bytes.windows(3).any(|window| window == [0xEF, 0xBB, 0xBF]);
        let has_odd_text = tagged_json::to_string(&value).contains("code_units");
        if !has_null_object(&value) && !has_mark && !has_odd_text {
            assert_eq!(encoder.encode(&again).unwrap(), bytes, "{}", hex::encode(&packet.bytes));
        }
    }
}

fn has_null_object(value: &Variant) -> bool {
    Walk::new(value).any(|visit| matches!(visit, Visit::Leaf(Variant::Object(Object::Null))))
}

#[test]
fn tagged_json_returns_every_value() {
    for (packet, decoder, _) in own_packets() {
        let Ok(value) = decoder.decode(&packet.bytes) else { continue };
        let text = tagged_json::to_string(&value);
        let again = tagged_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(tagged_json::to_string(&again), text);
    }
}

#[test]
fn every_error_of_a_damaged_packet_has_an_offset() {
    for (packet, decoder, _) in own_packets() {
        if let Err(error) = decoder.decode(&packet.bytes) {
            assert!(error.offset() <= packet.bytes.len(), "{error}: {}", hex::encode(&packet.bytes));
            assert!(error.to_string().contains(&format!("at offset {}", error.offset())));
        }
    }
}

#[test]
fn inspect_shows_every_accepted_byte_in_order() {
    for (packet, decoder, _) in own_packets() {
        let Ok(checked) = decoder.check(&packet.bytes) else { continue };
        let text = varbytes::inspect(&decoder, &packet.bytes);
        let offsets: Vec<usize> =
            text.lines().map(|line| usize::from_str_radix(line.get(..8).unwrap(), 16).unwrap()).collect();
        assert_eq!(offsets[0], 0);
        assert!(offsets.is_sorted(), "{text}");
        assert!(*offsets.last().unwrap() <= checked.used, "{text}");
    }
}
