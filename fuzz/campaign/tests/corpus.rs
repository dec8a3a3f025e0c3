//! Every property holds for its committed corpus, and the generated files are up to date.

use std::fs;

use varbytes::Profile;
use varbytes_fuzz_campaign::targets::{Runs, TARGETS};
use varbytes_fuzz_campaign::{dictionary, files, fuzz_folder};
use varbytes_fuzz_properties::{self as properties, PROPERTIES, PacketInput};

#[test]
fn every_property_holds_for_its_corpus() {
    for (target, property) in PROPERTIES {
        let inputs = files(&fuzz_folder().join("corpus").join(target)).unwrap();
        assert!(inputs.len() >= 20, "{} inputs of {target}", inputs.len());
        for input in inputs {
            property(&fs::read(input).unwrap());
        }
    }
}

/// Returns the packets that reached new edges of an engine's core, for reading with its profile.
fn beside_cores() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for target in ["core_decode", "core_objects"] {
        for file in files(&fuzz_folder().join("corpus").join(target)).unwrap() {
            let packet = fs::read(file).unwrap();
            for (profile, strict) in [(Profile::NEWEST, false), (Profile::NEWEST, true), (Profile::GODOT_3_5, false)] {
                let objects = target == "core_objects";
                let input = PacketInput { profile, strict, objects, enforces_types: strict, packet: &packet };
                inputs.push(input.write());
            }
        }
    }
    inputs
}

#[test]
fn every_property_of_packets_holds_for_what_reached_new_edges_of_a_core() {
    let inputs = beside_cores();
    assert!(inputs.len() > 1000, "{} inputs", inputs.len());
    for input in &inputs {
        for property in [properties::decode, properties::canonical, properties::builders, properties::paths] {
            property(input);
        }
    }
}

#[test]
fn fast_and_slow_path_agree_on_the_corpus() {
    for (target, _) in PROPERTIES.into_iter().filter(|(target, _)| *target != "convert" && *target != "roundtrip") {
        for input in files(&fuzz_folder().join("corpus").join(target)).unwrap() {
            properties::paths(&fs::read(input).unwrap());
        }
    }
}

/// Without this, a bug in the fast path would never be found.
#[test]
fn every_property_runs_the_fast_path() {
    for (target, property) in PROPERTIES {
        let inputs = files(&fuzz_folder().join("corpus").join(target)).unwrap();
        let run = || inputs.iter().for_each(|input| property(&fs::read(input).unwrap()));
        let (values, ()) = varbytes::work::fast_values_of(run);
        assert!(values >= 20, "{target}: {values} values read by the fast path");
    }
}

#[test]
fn the_committed_dictionary_is_up_to_date() {
    let committed = fs::read_to_string(fuzz_folder().join("godot.dict")).unwrap();
    assert!(committed == dictionary::text(), "run `cargo fuzz-campaign --update-corpus`");
}

#[test]
fn the_committed_options_are_up_to_date() {
    // Other runners have no engine.
    for target in TARGETS.into_iter().filter(|target| target.runs == Runs::Alone) {
        let committed = fs::read_to_string(target.options_file()).unwrap();
        assert!(committed == target.options(), "run `cargo fuzz-campaign --update-corpus`");
    }
}

#[test]
fn every_target_is_run_and_every_property_has_one() {
    let targets = files(&fuzz_folder().join("fuzz_targets")).unwrap();
    let names: Vec<String> = targets.iter().map(|path| path.file_stem().unwrap().to_string_lossy().into()).collect();
    // The target inside an engine is a library, in `addon`.
    let with_file = TARGETS.into_iter().filter(|target| target.runs != Runs::InsideEngine);
    let mut expected: Vec<&str> = with_file.map(|target| target.name).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert!(PROPERTIES.iter().all(|(name, _)| expected.contains(name)));
}
