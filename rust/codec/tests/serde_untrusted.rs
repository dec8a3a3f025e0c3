//! Untrusted bytes read into Rust types: errors without panic, overflow of the stack, or large allocations.
#![cfg(feature = "serde")]

use std::collections::HashMap;

use allocation_counter::measure;
use serde::{Deserialize, Serialize};
use varbytes::variant::Vector3;
use varbytes::{Category, Decoder, Limits, Variant, from_bytes, to_bytes};

#[derive(Serialize, Deserialize, Debug, PartialEq, Default)]
struct Game {
    player: Player,
    #[serde(default)]
    map: HashMap<i32, Vec<(String, f32)>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Default)]
struct Player {
    name: String,
    hp: i32,
    position: Option<[f32; 3]>,
}

fn game() -> Game {
    Game {
        player: Player { name: "Ada".into(), hp: 10, position: Some([1.0, 2.0, 3.0]) },
        map: HashMap::from([(7, vec![("x".into(), 0.1)])]),
    }
}

#[test]
fn limits_and_strictness_apply() {
    let bytes = to_bytes(&game()).unwrap();
    assert_eq!(Decoder::untrusted(&bytes).strict(true).deserialize::<Game>(&bytes).unwrap(), game());
    let limited = |limits| Decoder::new().limits(limits).deserialize::<Game>(&bytes).unwrap_err().category();
    assert_eq!(limited(Limits::NONE.depth(1)), Category::Limit);
    assert_eq!(limited(Limits::NONE.values(3)), Category::Limit);
    assert_eq!(limited(Limits::NONE.memory(64)), Category::Limit);
    assert_eq!(limited(Limits::NONE.string_length(2)), Category::Limit);
    let trailing = [&bytes[..], &[0; 4]].concat();
    assert_eq!(from_bytes::<Game>(&trailing).unwrap(), game());
    assert!(Decoder::new().strict(true).deserialize::<Game>(&trailing).is_err());
    let wide_one = [2, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(from_bytes::<i32>(&wide_one).unwrap(), 1);
    assert_eq!(Decoder::new().strict(true).deserialize::<i32>(&wide_one).unwrap_err().offset(), 2);
}

#[test]
fn both_paths_read_the_same() {
    let bytes = to_bytes(&game()).unwrap();
    assert_eq!(Decoder::new().slow_path_only(true).deserialize::<Game>(&bytes).unwrap(), game());
}

/// Reads bytes into types of all kinds.
fn read_into_all(bytes: &[u8]) {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Any {
        #[expect(dead_code, reason = "only read")]
        Game(Game),
        #[expect(dead_code, reason = "only read")]
        Many(Vec<Any>),
        #[expect(dead_code, reason = "only read")]
        Number(f64),
    }
    for decoder in [Decoder::new(), Decoder::untrusted(bytes).strict(true), Decoder::new().objects(true)] {
        let _ = decoder.deserialize::<Game>(bytes);
        let _ = decoder.deserialize::<Any>(bytes);
        let _ = decoder.deserialize::<Variant>(bytes);
        let _ = decoder.deserialize::<Vec<Vec<u64>>>(bytes);
        let _ = decoder.deserialize::<Vec<Vector3>>(bytes);
        let _ = decoder.deserialize::<serde::de::IgnoredAny>(bytes);
        let _ = decoder.deserialize::<&str>(bytes);
    }
}

#[test]
fn hostile_bytes_give_errors_without_panic() {
    let bytes = to_bytes(&game()).unwrap();
    for end in 0..bytes.len() {
        assert!(from_bytes::<Game>(&bytes[..end]).is_err(), "cut at {end}");
        read_into_all(&bytes[..end]);
    }
    for position in 0..bytes.len() {
        for value in [0, 1, 4, 27, 28, 35, 0x7F, 0xFF] {
            let mut damaged = bytes.clone();
            damaged[position] = value;
            read_into_all(&damaged);
        }
    }
}

#[test]
fn deep_nesting_is_refused_and_skipped_without_overflowing_the_stack() {
    #[derive(Deserialize, Debug)]
    struct Nested(#[expect(dead_code, reason = "only read")] Vec<Nested>);
    let deep = |levels: usize| {
        let mut bytes = [28, 0, 0, 0, 1, 0, 0, 0].repeat(levels);
        bytes.extend([28, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    };
    assert!(from_bytes::<Nested>(&deep(127)).is_ok());
    let error = from_bytes::<Nested>(&deep(100_000)).unwrap_err();
    assert_eq!(error.kind().name(), "depth_limit");
    for profile in varbytes::Profile::ALL {
        let decoder = Decoder::new().profile(*profile);
        let _ = decoder.deserialize::<serde::de::IgnoredAny>(&deep(100_000));
        let _ = decoder.deserialize::<Variant>(&deep(100_000));
    }
    // What is not read may be as deep as the engine allows.
    let mut unread = vec![28, 0, 0, 0, 2, 0, 0, 0];
    unread.extend(deep(1000));
    unread.extend(to_bytes(&5).unwrap());
    assert_eq!(from_bytes::<(serde::de::IgnoredAny, i32)>(&unread).unwrap().1, 5);
    let (value, five): (Variant, i32) = from_bytes(&unread).unwrap();
    assert_eq!((varbytes::encode(&value).unwrap(), five), (deep(1000), 5));
}

#[cfg(feature = "std")]
#[test]
fn records_that_are_cut_off_are_errors() {
    let mut file = Vec::new();
    varbytes::to_writer(&mut file, &game()).unwrap();
    assert_eq!(varbytes::from_reader::<Game>(&file[..]).unwrap(), Some(game()));
    assert_eq!(varbytes::from_reader::<Game>(&[][..]).unwrap(), None);
    for end in 1..file.len() {
        let error = varbytes::from_reader::<Game>(&file[..end]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
    }
    let huge = [255, 255, 255, 255, 0, 0];
    assert_eq!(varbytes::from_reader::<Game>(&huge[..]).unwrap_err().kind(), std::io::ErrorKind::UnexpectedEof);
    let wrong = varbytes::from_reader::<Vec<Game>>(&file[..]).unwrap_err();
    assert_eq!(wrong.kind(), std::io::ErrorKind::InvalidData);
}

#[test]
fn announced_members_take_no_memory() {
    let packets: Vec<Vec<u8>> = (0..45)
        .flat_map(|id| [u32::MAX, 0x7FFF_FFFF, 0x4000_0000, 0x8000_0004].map(|count| (id, count)))
        .map(|(id, count)| [&[id, 0, 0, 0][..], &count.to_le_bytes(), &[0; 16]].concat())
        .collect();
    let taken = measure(|| {
        for bytes in &packets {
            let decoder = Decoder::new().objects(true);
            let _ = decoder.deserialize::<Variant>(bytes);
            let _ = decoder.deserialize::<Vec<Vec<u64>>>(bytes);
            let _ = decoder.deserialize::<Vec<Vector3>>(bytes);
            let _ = decoder.deserialize::<Vec<String>>(bytes);
            let _ = decoder.deserialize::<serde::de::IgnoredAny>(bytes);
        }
    });
    assert!(taken.bytes_max < 1 << 16, "counts of 4 billion took {} bytes", taken.bytes_max);
}
