//! Values decoded in pieces.

use varbytes::stream::{Piece, StreamDecoder};
use varbytes::variant::{Array, ContainerType, Dictionary};
use varbytes::{Category, DecodeError, DecodeErrorKind, Decoder, Limits, Variant, VariantType};

/// Returns all pieces of complete input.
fn pieces(decoder: Decoder, levels: usize, bytes: &[u8]) -> Result<Vec<Piece>, DecodeError> {
    let mut stream = StreamDecoder::new(decoder, levels);
    stream.feed(bytes);
    stream.end();
    std::iter::from_fn(|| stream.next().transpose()).collect()
}

fn save() -> Variant {
    let player = |name: &str| Variant::from(vec![("name".into(), name.into()), ("hp".into(), 7.into())]);
    let players = Variant::from(vec![player("a"), player("b")]);
    Variant::from(vec![("players".into(), players), ("level".into(), 3.into())])
}

fn begin(variant_type: VariantType, count: usize) -> Piece {
    Piece::Begin { variant_type, first_type: None, second_type: None, count, shared: false }
}

#[test]
fn the_requested_number_of_levels_is_entered() {
    let bytes = varbytes::encode(&save()).unwrap();
    assert_eq!(pieces(Decoder::new(), 0, &bytes).unwrap(), [Piece::Value(save())]);
    let pieces = pieces(Decoder::new(), 2, &bytes).unwrap();
    assert_eq!(
        pieces[..3],
        [begin(VariantType::Dictionary, 2), Piece::Key("players".into()), begin(VariantType::Array, 2)]
    );
    assert!(matches!(&pieces[3], Piece::Value(Variant::Dictionary(player)) if player.get("name").is_some()));
    assert_eq!(pieces[5..], [Piece::End, Piece::Key("level".into()), Piece::Value(3.into()), Piece::End]);
}

#[test]
fn no_piece_is_returned_before_its_last_byte() {
    let bytes = varbytes::encode(&save()).unwrap();
    let mut stream = StreamDecoder::new(Decoder::new(), 0);
    for byte in &bytes[..bytes.len() - 1] {
        stream.feed(&[*byte]);
        assert_eq!(stream.next().unwrap(), None);
    }
    stream.feed(&bytes[bytes.len() - 1..]);
    stream.end();
    assert_eq!(stream.next().unwrap(), Some(Piece::Value(save())));
    assert!(stream.is_finished());
    assert_eq!(stream.consumed(), bytes.len());
}

#[test]
fn truncated_input_is_an_error_after_the_end() {
    let bytes = varbytes::encode(&save()).unwrap();
    for length in 0..bytes.len() {
        let error = pieces(Decoder::new(), 2, &bytes[..length]).unwrap_err();
        assert_eq!(error.category(), Category::Truncated, "{length}");
    }
}

#[test]
fn an_error_offset_counts_from_the_start_of_the_value() {
    let mut bytes = varbytes::encode(&save()).unwrap();
    let name = bytes.windows(4).position(|window| window == b"b\0\0\0").unwrap();
    bytes[name] = 0xFF;
    let whole = Decoder::new().decode(&bytes).unwrap_err();
    for levels in 0..4 {
        let error = pieces(Decoder::new(), levels, &bytes).unwrap_err();
        assert_eq!((error.offset(), error.path()), (whole.offset(), whole.path()), "{levels}");
    }
}

#[test]
fn an_error_in_a_typed_array_has_its_offset_too() {
    let names =
        Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::String)), vec!["a".into(), "b".into()]);
    let mut bytes = varbytes::encode(&Variant::Array(names)).unwrap();
    let name = bytes.len() - 4;
    bytes[name] = 0xFF;
    let whole = Decoder::new().decode(&bytes).unwrap_err();
    let error = pieces(Decoder::new(), 1, &bytes).unwrap_err();
    assert_eq!((error.offset(), error.path()), (whole.offset(), whole.path()));
}

#[test]
fn members_of_typed_arrays_are_converted_and_left_out_as_in_the_engine() {
    // Array[int] of 2.5, which becomes 2, and of a string, which is left out.
    let mut bytes = vec![28, 0, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0];
    bytes.extend(varbytes::encode(&2.5.into()).unwrap());
    bytes.extend(varbytes::encode(&"x".into()).unwrap());
    let whole = Decoder::new().decode(&bytes).unwrap();
    let Variant::Array(whole) = whole else { panic!("{whole:?}") };
    let members: Vec<Piece> = whole.elements().iter().cloned().map(Piece::Value).collect();
    let pieces = pieces(Decoder::new(), 1, &bytes).unwrap();
    assert_eq!(&pieces[1..pieces.len() - 1], members);
    assert!(members.len() < 2);
}

#[test]
fn members_of_typed_containers_are_the_same_for_every_split_of_the_input() {
    let elements = (0..100).map(Variant::from).collect();
    let array = Variant::Array(Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Int)), elements));
    let entries = (0..100).map(|key| (key.into(), format!("value {key}").into())).collect();
    let keys = Some(ContainerType::Builtin(VariantType::Int));
    let dictionary = Variant::Dictionary(Dictionary::with_types_unchecked(keys, None, entries));
    let bytes = varbytes::encode(&vec![array, dictionary].into()).unwrap();
    let at_once = pieces(Decoder::new(), 2, &bytes).unwrap();
    for size in [1, 5, 12, 64, 1000] {
        let mut stream = StreamDecoder::new(Decoder::new(), 2);
        let mut parts = bytes.chunks(size);
        let mut in_parts = Vec::new();
        while !stream.is_finished() {
            match stream.next().unwrap() {
                Some(piece) => in_parts.push(piece),
                None => match parts.next() {
                    Some(part) => stream.feed(part),
                    None => stream.end(),
                },
            }
        }
        assert_eq!(in_parts, at_once, "{size} bytes at a time");
        assert_eq!(stream.consumed(), bytes.len());
    }
}

#[test]
fn depth_counts_from_the_outermost_value() {
    let limits = Limits::NONE.depth(3);
    let nested = |levels| (0..levels).fold(Variant::Nil, |inner, _| Variant::from(vec![inner]));
    for levels in 0..6 {
        let decoder = Decoder::new().limits(limits);
        assert!(pieces(decoder, levels, &varbytes::encode(&nested(3)).unwrap()).is_ok());
        let error = pieces(decoder, levels, &varbytes::encode(&nested(4)).unwrap()).unwrap_err();
        assert_eq!(*error.kind(), DecodeErrorKind::DepthLimit { limit: 3 }, "{levels}");
    }
}

#[test]
fn a_length_near_the_greatest_number_is_read() {
    let bytes = varbytes::encode(&save()).unwrap();
    let decoder = Decoder::new().limits(Limits::NONE.memory(1 << 20));
    for length in [0xFFFF_FFF8, 0xFFFF_FFFC, 0xFFFF_FFFF, u64::MAX - 8, u64::MAX - 3, u64::MAX] {
        for levels in 0..3 {
            let mut stream = StreamDecoder::new(decoder, levels).with_length(length);
            for byte in &bytes {
                stream.next().unwrap();
                stream.feed(&[*byte]);
            }
            while stream.next().unwrap().is_some() {}
            assert_eq!(stream.consumed(), bytes.len(), "{length} {levels}");
            // The rest of the length is skipped.
            stream.next_value();
            stream.feed(&bytes);
            assert_eq!((stream.next(), stream.unread().len()), (Ok(None), 0), "{length} {levels}");
        }
    }
}

#[test]
fn an_announced_length_near_the_greatest_number_is_awaited() {
    let mut stream = StreamDecoder::new(Decoder::new(), 0).with_length(u64::MAX);
    stream.feed(&[4, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F]);
    assert_eq!(stream.next(), Ok(None));
}

#[test]
fn a_piece_that_is_too_long_names_the_limit_on_pieces() {
    let mut stream = StreamDecoder::new(Decoder::new(), 0).max_piece(8);
    stream.feed(&[4, 0, 0, 0, 5, 0, 0, 0]);
    assert_eq!(*stream.next().unwrap_err().kind(), DecodeErrorKind::PieceLimit { limit: 8 });
}
