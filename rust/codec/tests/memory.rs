//! Measures the memory of decoding. A single test, because it measures the whole process.

mod peak;

use peak::peak;
use varbytes::stream::{Piece, StreamDecoder};
use varbytes::{Category, Decoder, Limits, Variant};

#[test]
fn memory_is_proportional_to_the_bytes_and_not_to_a_count() {
    // Counts of 2^31 - 1 members, followed by few bytes.
    for id in 27..=38u8 {
        let bytes = [&[id, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F][..], &[0; 1024]].concat();
        let used = peak(|| varbytes::decode(&bytes));
        assert!(used < 2048, "type {id}: {used} bytes for an input of {}", bytes.len());
    }

    // Nested arrays, each with a count for all remaining bytes.
    let mut bytes = Vec::new();
    for level in 0..1024u32 {
        bytes.extend([28, 0, 0, 0]);
        bytes.extend((2 * (1024 - level)).to_le_bytes());
    }
    let used = peak(|| varbytes::decode(&bytes));
    assert!(used < 16 * bytes.len(), "{used} bytes for an input of {}", bytes.len());

    // The worst valid case: only nulls, 4 bytes each, with a value of the tree for each.
    let bytes = varbytes::encode(&Variant::from((0..100_000).map(|_| Variant::Nil).collect::<Vec<_>>())).unwrap();
    let used = peak(|| varbytes::decode(&bytes));
    assert!(used < 7 * bytes.len(), "{used} bytes for an input of {}", bytes.len());

    // A million different keys in descending order: the search for duplicate keys must store each.
    let keys = (0..1_000_000).rev().map(|key| (Variant::from(key), Variant::Nil)).collect::<Vec<_>>();
    let bytes = varbytes::encode(&Variant::from(keys)).unwrap();
    let used = peak(|| varbytes::decode(&bytes));
    assert!(used < 10 * bytes.len(), "{used} bytes for an input of {}", bytes.len());

    // A value of 64 MB in pieces: one member at a time, and the unread pieces.
    let member = varbytes::encode(&Variant::from(vec![0u8; 1 << 14])).unwrap();
    let used = peak(|| {
        let mut stream = StreamDecoder::new(Decoder::new(), 1);
        stream.feed(&[28, 0, 0, 0, 0, 16, 0, 0]);
        let mut members = 0;
        while !stream.is_finished() {
            match stream.next().unwrap() {
                Some(piece) => members += usize::from(matches!(piece, Piece::Value(_))),
                None => stream.feed(&member),
            }
        }
        assert_eq!(members, 4096);
    });
    assert!(used < 8 * member.len(), "{used} bytes for members of {}", member.len());

    // Members of a typed container are read separately, without copying the bytes after them.
    let of_ints = [&[28, 0, 1, 0, 2, 0, 0, 0, 0, 16, 0, 0][..], &[2, 0, 0, 0, 7, 0, 0, 0].repeat(4096)].concat();
    let mut stream = StreamDecoder::new(Decoder::new(), 1);
    stream.feed(&of_ints);
    let used = peak(|| while stream.next().unwrap().is_some() {});
    assert!(stream.is_finished());
    assert!(used < 4096, "{used} bytes for members of 8, and {} that follow", of_ints.len());

    // Array[Array] of a PackedByteArray: each byte would become a value.
    let array = varbytes::encode(&Variant::PackedByteArray(vec![0; 10_000].into())).unwrap();
    let typed = [&[28, 0, 1, 0, 28, 0, 0, 0, 1, 0, 0, 0], &array[..]].concat();
    let limits = Limits::NONE.memory(2 * typed.len());
    let used =
        peak(|| assert_eq!(Decoder::new().limits(limits).decode(&typed).unwrap_err().category(), Category::Limit));
    assert!(used < 3 * typed.len(), "{used} bytes, but {} are allowed", limits.memory);

    // Writing into a large enough buffer allocates nothing, up to the engine's depth limit.
    let deep = (0..1000).fold(Variant::Nil, |inner, _| Variant::from(vec![(inner, Variant::from(1))]));
    let mut buffer = Vec::with_capacity(varbytes::encode(&deep).unwrap().len());
    let used = peak(|| varbytes::Encoder::new().encode_into(&deep, &mut buffer).unwrap());
    assert_eq!(used, 0);

    // Checking builds nothing.
    let used = peak(|| Decoder::new().check(&bytes).map(|checked| checked.used));
    assert!(used < 4096, "{used} bytes to check an input of {}", bytes.len());
}
