//! The memory that reading Rust types takes. All in one test, because the allocator counts for the whole process.
#![cfg(feature = "serde")]

use peak_alloc::PeakAlloc;
use serde::Deserialize;
use varbytes::variant::{Dictionary, NodePath, Vector3};
use varbytes::{Decoder, Variant, from_bytes};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn dictionary<const N: usize>(entries: [(&str, Variant); N]) -> Variant {
    entries.into_iter().collect::<Dictionary>().into()
}

/// Returns the most memory that a call takes, in bytes.
fn peak_of(call: impl FnOnce()) -> usize {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.peak_usage();
    call();
    ALLOCATOR.peak_usage() - before
}

#[derive(Deserialize)]
struct Only<'a> {
    name: &'a str,
}

#[test]
fn memory_is_taken_only_for_what_is_read() {
    let unread = dictionary([
        ("a", vec![Variant::from("text that is longer than inline storage"), dictionary([("k", 1.into())])].into()),
        ("b", vec!["x".to_owned(), "y".to_owned()].into()),
        ("c", vec![0.5f32; 100].into()),
        ("d", NodePath { absolute: true, names: vec!["a".into(), "b".into()], ..Default::default() }.into()),
    ]);
    let bytes = varbytes::encode(&dictionary([("unread", unread), ("name", "Ada".into())])).unwrap();
    let unread = peak_of(|| assert_eq!(from_bytes::<Only>(&bytes).unwrap().name, "Ada"));
    assert_eq!(unread, 0, "what is not read");

    let packets: Vec<Vec<u8>> = (0..45)
        .flat_map(|id| [u32::MAX, 0x7FFF_FFFF, 0x4000_0000, 0x8000_0004].map(|count| (id, count)))
        .map(|(id, count)| [&[id, 0, 0, 0][..], &count.to_le_bytes(), &[0; 16]].concat())
        .collect();
    let hostile = peak_of(|| {
        for bytes in &packets {
            let decoder = Decoder::new().objects(true);
            let _ = decoder.deserialize::<Variant>(bytes);
            let _ = decoder.deserialize::<Vec<Vec<u64>>>(bytes);
            let _ = decoder.deserialize::<Vec<Vector3>>(bytes);
            let _ = decoder.deserialize::<Vec<String>>(bytes);
            let _ = decoder.deserialize::<serde::de::IgnoredAny>(bytes);
        }
    });
    assert!(hostile < 1 << 16, "counts of 4 billion took {hostile} bytes");
}
