//! Measures times of Rust types with serde's traits, in this crate and in other formats, and look-ups in a dictionary.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

use criterion::Criterion;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use varbytes::variant::Dictionary;

/// A game save.
#[derive(Serialize, Deserialize, PartialEq)]
struct Save {
    version: u32,
    player: Player,
    inventory: Vec<Item>,
    quests: BTreeMap<String, Quest>,
    flags: BTreeMap<String, bool>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Player {
    name: String,
    level: u32,
    experience: u64,
    health: f32,
    position: [f32; 3],
    skills: Vec<String>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Item {
    id: u32,
    name: String,
    count: u16,
    quality: Quality,
    durability: Option<f32>,
}

#[derive(Serialize, Deserialize, PartialEq)]
enum Quality {
    Common,
    Rare,
    Unique(String),
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Quest {
    stage: i32,
    done: bool,
    notes: String,
}

/// A packet of 112 bytes.
#[derive(Serialize, Deserialize, PartialEq)]
struct Packet {
    id: u32,
    time: f64,
    position: [f32; 2],
    kind: String,
}

/// The state of a thousand entities.
#[derive(Serialize, Deserialize, PartialEq)]
struct Snapshot {
    tick: u64,
    entities: Vec<Entity>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Entity {
    id: u32,
    position: [f32; 3],
    velocity: [f32; 3],
    health: i32,
    team: u8,
    visible: bool,
}

fn save() -> Save {
    let item = |index: u32| Item {
        id: index,
        name: format!("item number {index}"),
        count: u16::try_from(index % 99).unwrap_or_default(),
        quality: match index % 3 {
            0 => Quality::Common,
            1 => Quality::Rare,
            _ => Quality::Unique(format!("blade {index}")),
        },
        durability: index.is_multiple_of(2).then_some(0.5),
    };
    let quest = |index: i32| {
        (
            format!("quest_{index}"),
            Quest { stage: index, done: index % 2 == 0, notes: "find the lighthouse keeper".into() },
        )
    };
    Save {
        version: 3,
        player: Player {
            name: "Ada".into(),
            level: 31,
            experience: 1_234_567,
            health: 87.5,
            position: [1.5, 2.25, -3.0],
            skills: (0..20).map(|index| format!("skill_{index}")).collect(),
        },
        inventory: (0..500).map(item).collect(),
        quests: (0..200).map(quest).collect(),
        flags: (0..300).map(|index| (format!("flag_{index}"), index % 3 == 0)).collect(),
    }
}

fn packet() -> Packet {
    Packet { id: 7, time: 1234.5, position: [10.5, -4.25], kind: "jump".into() }
}

fn snapshot() -> Snapshot {
    let entity = |index: u16| Entity {
        id: index.into(),
        position: [f32::from(index) * 0.1, 1.5, -2.0],
        velocity: [0.1, 0.2, 0.3],
        health: 100 - i32::from(index % 100),
        team: (index % 4) as u8,
        visible: index.is_multiple_of(2),
    };
    Snapshot { tick: 123_456, entities: (0..1000).map(entity).collect() }
}

/// Measures a format both ways, after it returned the value.
fn format<T: Serialize + DeserializeOwned + PartialEq>(
    criterion: &mut Criterion,
    (name, format): (&str, &str),
    value: &T,
    encode: impl Fn(&T) -> Vec<u8>,
    decode: impl Fn(&[u8]) -> T,
) {
    let bytes = encode(value);
    assert!(decode(&bytes) == *value, "{format} does not return {name}");
    eprintln!("{name}, {format}: {} bytes", bytes.len());
    let mut group = criterion.benchmark_group(name);
    group.bench_function(format!("encode/{format}"), |bencher| bencher.iter(|| encode(black_box(value))));
    group.bench_function(format!("decode/{format}"), |bencher| bencher.iter(|| decode(black_box(&bytes))));
    group.finish();
}

fn formats<T: Serialize + DeserializeOwned + PartialEq>(criterion: &mut Criterion, name: &str, value: &T) {
    let works = "the format has the type";
    let of = |format| (name, format);
    format(
        criterion,
        of("varbytes"),
        value,
        |value| varbytes::to_bytes(value).expect(works),
        |bytes| varbytes::from_bytes(bytes).expect(works),
    );
    format(
        criterion,
        of("rmp-serde"),
        value,
        |value| rmp_serde::to_vec_named(value).expect(works),
        |bytes| rmp_serde::from_slice(bytes).expect(works),
    );
    format(
        criterion,
        of("ciborium"),
        value,
        |value| {
            let mut bytes = Vec::new();
            ciborium::into_writer(value, &mut bytes).expect(works);
            bytes
        },
        |bytes| ciborium::from_reader(bytes).expect(works),
    );
    format(
        criterion,
        of("serde_json"),
        value,
        |value| serde_json::to_vec(value).expect(works),
        |bytes| serde_json::from_slice(bytes).expect(works),
    );
    format(
        criterion,
        of("bincode"),
        value,
        |value| bincode::serialize(value).expect(works),
        |bytes| bincode::deserialize(bytes).expect(works),
    );
    format(
        criterion,
        of("postcard"),
        value,
        |value| postcard::to_stdvec(value).expect(works),
        |bytes| postcard::from_bytes(bytes).expect(works),
    );
}

/// Measures look-ups of every key of 10,000 entries, beside a `HashMap`.
fn look_ups(criterion: &mut Criterion) {
    // Keys in an order that does not follow the entries.
    let order = || (0..10_000u64).map(|index| index * 7919 % 10_000);
    let texts: Vec<String> = order().map(|key| format!("entry {key}")).collect();
    let numbers: Vec<i64> = order().map(|key| key.cast_signed() * 1_000_003).collect();
    let map: HashMap<String, i64> = texts.iter().cloned().zip(0..).collect();
    let dictionary: Dictionary = texts.iter().map(String::as_str).zip(0i64..).collect();
    let number_map: HashMap<i64, i64> = numbers.iter().copied().zip(0..).collect();
    let number_dictionary: Dictionary = numbers.iter().copied().zip(0i64..).collect();
    let texts: Vec<&str> = (0..10_000).map(|key| texts[key * 7907 % 10_000].as_str()).collect();
    let numbers: Vec<i64> = (0..10_000).map(|key| numbers[key * 7907 % 10_000]).collect();

    let mut group = criterion.benchmark_group("look-ups");
    group.bench_function("text/HashMap", |bencher| {
        bencher.iter(|| texts.iter().map(|key| map[*key]).sum::<i64>());
    });
    group.bench_function("text/Dictionary", |bencher| {
        bencher.iter(|| texts.iter().filter_map(|key| dictionary[*key].as_i64()).sum::<i64>());
    });
    group.bench_function("int/HashMap", |bencher| {
        bencher.iter(|| numbers.iter().map(|key| number_map[key]).sum::<i64>());
    });
    group.bench_function("int/Dictionary", |bencher| {
        bencher.iter(|| numbers.iter().filter_map(|key| number_dictionary[*key].as_i64()).sum::<i64>());
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    formats(&mut criterion, "struct-save", &save());
    formats(&mut criterion, "struct-packet", &packet());
    formats(&mut criterion, "struct-snapshot", &snapshot());
    look_ups(&mut criterion);
    criterion.final_summary();
}
