//! The class through which a script runs the suite.
#![allow(clippy::needless_pass_by_value, reason = "methods for scripts take arguments by value")]

use std::fs;
use std::path::Path;
use std::thread;

use godot::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use varbytes::Profile;
use varbytes_conformance::damage::{Packet, damaged, damaged_with_objects};
use varbytes_conformance::vectors::VectorSet;

use crate::calls::{Side, quietly};
use crate::checks::{check_packet, check_value};
use crate::fuzzed::Addon;
use crate::paths;
use crate::random_values::{Objects, RandomValues};
use crate::report::Report;
use crate::variety::Variety;

/// One value in this many contains full objects.
const WITH_OBJECTS: u64 = 4;

/// This many values contain every kind at least once.
const VARIOUS: u64 = 10_000;

/// The number of threads that compare at the same time.
const THREADS: u64 = 4;

/// The parts of the suite. Each returns the number of checks, the number of failures, and the first failures.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
struct VarBytesParity;

#[godot_api]
impl VarBytesParity {
    /// Checks every vector in a folder.
    #[func]
    fn vectors(folder: GString) -> VarDictionary {
        part(|report| {
            for (index, packet) in packets(&folder)?.iter().enumerate() {
                check_packet(report, &packet.bytes, packet.objects, &format!("vector packet {index}"));
            }
            Ok(())
        })
    }

    /// Checks random values.
    #[func]
    fn random_values(seed: u32, count: u32) -> VarDictionary {
        part(|report| check_values(report, seed.into(), count.into()))
    }

    /// Checks damaged copies of the vectors in a folder and of random values.
    #[func]
    fn damaged_packets(folder: GString, seed: u32, count: u32) -> VarDictionary {
        part(|report| {
            let mut sources = packets(&folder)?;
            sources.extend(written(seed.into(), None));
            let damaged = damaged(&sources, Profile::NEWEST, seed.into(), count as usize);
            check_packets(report, &damaged, &format!("damaged packet of seed {seed}"));
            Ok(())
        })
    }

    /// Writes the results for every vector and for damaged packets to a file: a line for each call, with value, bytes used
    /// and error.
    #[func]
    fn record_results(folder: GString, seed: u32, count: u32, path: GString) -> VarDictionary {
        part(|report| {
            let vectors = packets(&folder)?;
            let mut sources = vectors.clone();
            sources.extend(written(seed.into(), None));
            let mut all = vectors;
            all.extend(damaged(&sources, Profile::NEWEST, seed.into(), count as usize));
            let with_objects = written(seed.into(), Some(Objects::load()?));
            all.extend(damaged_with_objects(&with_objects, Profile::NEWEST, seed.into(), count as usize / 4));
            let lines = paths::record(&Addon::load()?, &all, &path.to_string())?;
            report.check(lines > all.len() as u64, || format!("only {lines} results for {} packets", all.len()));
            Ok(())
        })
    }

    /// Checks damaged packets with full objects.
    #[func]
    fn damaged_objects(seed: u32, count: u32) -> VarDictionary {
        part(|report| {
            let sources = written(seed.into(), Some(Objects::load()?));
            let damaged = damaged_with_objects(&sources, Profile::NEWEST, seed.into(), count as usize);
            check_packets(report, &damaged, &format!("damaged objects of seed {seed}"));
            Ok(())
        })
    }

    /// Checks the property of the fuzz target `addon` for every input of its corpus.
    #[func]
    fn corpus(folder: GString) -> VarDictionary {
        part(|report| {
            let addon = Addon::load()?;
            let entries = fs::read_dir(folder.to_string()).map_err(|error| format!("{folder}: {error}"))?;
            for entry in entries {
                let path = entry.map_err(|error| error.to_string())?.path();
                let input = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                let answer = addon.holds(&input);
                report.check(answer.is_ok(), || format!("{}: {}", path.display(), answer.unwrap_err()));
            }
            Ok(())
        })
    }

    /// Checks `count` random values and damaged packets in each of several threads at the same time.
    #[func]
    fn in_threads(seed: u32, count: u32) -> VarDictionary {
        part(|report| {
            let compare = |thread: u64| {
                let mut report = Report::default();
                let seed = u64::from(seed) + thread;
                check_values(&mut report, seed, count.into())?;
                let damaged = damaged(&written(seed, None), Profile::NEWEST, seed, count as usize);
                check_packets(&mut report, &damaged, &format!("damaged packet in thread {thread}"));
                Ok::<_, String>(report)
            };
            thread::scope(|scope| {
                let compare = &compare;
                let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || compare(thread))).collect();
                for thread in threads {
                    report.add(thread.join().map_err(|_| "a thread panicked".to_owned())??);
                }
                Ok(())
            })
        })
    }
}

/// Runs a part. An error counts as a failure.
fn part(body: impl FnOnce(&mut Report) -> Result<(), String>) -> VarDictionary {
    let mut report = Report::default();
    if let Err(reason) = quietly(|| body(&mut report)) {
        report.check(false, || reason);
    }
    report.to_dictionary()
}

fn check_values(report: &mut Report, seed: u64, count: u64) -> Result<(), String> {
    let mut plain = random_values(seed, None);
    let mut with_objects = random_values(seed, Some(Objects::load()?));
    let mut variety = Variety::default();
    for index in 0..count {
        let objects = index % WITH_OBJECTS == WITH_OBJECTS - 1;
        let value = if objects { with_objects.value() } else { plain.value() };
        variety.add(&value);
        check_value(report, &value, objects, &format!("value {index} of seed {seed}"));
    }
    // A kind that did not occur was not tested.
    if count >= VARIOUS {
        report.check(variety.missing().is_empty(), || format!("seed {seed} gives no {}", variety.missing().join(", ")));
    }
    Ok(())
}

fn check_packets(report: &mut Report, packets: &[Packet], name: &str) {
    for (index, packet) in packets.iter().enumerate() {
        check_packet(report, &packet.bytes, packet.objects, &format!("{name}, {index}"));
    }
}

/// Returns the values of a seed.
fn random_values(seed: u64, objects: Option<Objects>) -> RandomValues {
    RandomValues::new(ChaCha8Rng::seed_from_u64(seed), objects)
}

/// Returns the bytes of some random values.
fn written(seed: u64, objects: Option<Objects>) -> Vec<Packet> {
    const COUNT: usize = 2000;
    let full = objects.is_some();
    let mut values = random_values(seed, objects);
    let mut packet = || Packet { bytes: Side::BuiltIn.write(&values.value(), full).to_vec(), objects: full };
    (0..COUNT).map(|_| packet()).collect()
}

fn packets(folder: &GString) -> Result<Vec<Packet>, String> {
    let set = VectorSet::load(Path::new(&folder.to_string())).map_err(|error| format!("{error:#}"))?;
    Ok(set.packets())
}
