//! The work that a stream costs follows its length, whatever its bytes are cut into. Steps are counted, not time: see
//! `varbytes::work`.

use varbytes::stream::StreamDecoder;
use varbytes::variant::{Array, ContainerType, NodePath};
use varbytes::{Decoder, Variant, VariantType, work};

/// How much faster than the bytes the work may grow.
const SLACK: f64 = 1.2;

/// Below this many steps per byte, constant work dominates.
const FEW_STEPS: f64 = 1.0;

/// The steps that a byte may cost where each comes alone.
const STEPS_FOR_A_BYTE: f64 = 5.0;

type Shape = (&'static str, fn(usize) -> Variant);

const SHAPES: [Shape; 10] = [
    ("bytes", |count| vec![0u8; 8 * count].into()),
    ("a long text", |count| "x".repeat(8 * count).into()),
    ("ints", |count| vec![Variant::from(1); count].into()),
    ("packed strings", |count| Variant::PackedStringArray(vec!["ab".into(); count].into())),
    ("a path of many names", |count| NodePath { names: vec!["ab".into(); count], ..NodePath::default() }.into()),
    ("entries", |count| (0_i64..).take(count).map(|key| (key.into(), Variant::Nil)).collect::<Vec<_>>().into()),
    ("deep", |count| (0..count / 16).fold(Variant::Nil, |inner, _| vec![inner].into())),
    ("members of a typed array", |count| {
        Array::with_type_unchecked(Some(ContainerType::Builtin(VariantType::Int)), vec![1.into(); count]).into()
    }),
    ("arrays in an array", |count| vec![Variant::from(vec![Variant::from("text"); 10]); count / 10].into()),
    ("a text in each member", |count| vec![Variant::from("x".repeat(count / 10)); 10].into()),
];

/// The steps for a byte where so many come at a time.
fn steps(bytes: &[u8], size: usize, decoder: Decoder, levels: usize) -> f64 {
    let (steps, stream) = work::of(|| {
        let mut stream = StreamDecoder::new(decoder, levels);
        for part in bytes.chunks(size) {
            stream.feed(part);
            while stream.next().unwrap().is_some() {}
        }
        stream
    });
    assert!(stream.is_finished());
    steps as f64 / bytes.len() as f64
}

#[test]
fn work_follows_the_length_of_a_stream_however_it_is_cut() {
    for (name, shape) in SHAPES {
        let [small, large] = [500, 4000].map(|count| varbytes::encode(&shape(count)).unwrap());
        for (levels, size) in [(0, 1), (1, 1), (2, 1), (0, 7), (1, 100), (1, 10_000)] {
            for decoder in [Decoder::new(), Decoder::new().strict(true)] {
                let [small, large] = [&small, &large].map(|bytes| steps(bytes, size, decoder, levels));
                let what = format!("{name}, {levels} levels, {size} bytes at a time");
                let grows = large > FEW_STEPS && large > SLACK * small;
                assert!(!grows, "{what}: {large:.1} steps for a byte, {small:.1} where they are few");
                assert!(large <= STEPS_FOR_A_BYTE, "{what}: {large:.1} steps for a byte");
            }
        }
    }
}
