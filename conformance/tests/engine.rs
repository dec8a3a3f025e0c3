//! The codec and a running engine, side by side.
//!
//! These tests run where an engine is found (`GDRUST_GODOT_BIN`, PATH, or one fetched before) and never
//! download one; without one they say so. `cargo conformance --require-engine` makes sure of an engine.

use std::io::Write;
use std::sync::LazyLock;

use varbytes::Precision;
use varbytes_conformance::check::Setting;
use varbytes_conformance::damage::{Packet, damaged};
use varbytes_conformance::differential::Comparison;
use varbytes_conformance::engine::{Engine, EnginePackage, locate};
use varbytes_conformance::vectors::{GODOT_4, VectorSet, load_manifest};
use varbytes_conformance::{differential, generate, stage_generator, vectors_folder};

/// The engine to test against. Where there is none, that is said on standard error itself: the test harness
/// would keep to itself what a test that passes prints.
static ENGINE: LazyLock<Option<Engine>> = LazyLock::new(|| {
    let engine = locate(EnginePackage::GODOT_4).unwrap_or_else(|error| panic!("{error}"));
    let notice = match &engine {
        Some(engine) => format!("NOTICE: also tested live, against Godot {}\n", engine.version),
        None => "NOTICE: no engine found, only the committed vectors are checked\n".to_owned(),
    };
    let _ = std::io::stderr().write_all(notice.as_bytes());
    engine
});

fn setting(engine: &Engine) -> Setting {
    Setting::of(engine, Precision::Single)
}

fn assert_none_disagree(comparison: &Comparison, packets: &str) {
    let shown = comparison.disagreements.iter().take(20);
    let shown: Vec<String> = shown.map(|(packet, difference)| format!("{packet}: {difference}")).collect();
    let count = comparison.disagreements.len();
    assert!(shown.is_empty(), "{count} disagreements about {packets}:\n{}", shown.join("\n"));
}

/// The bytes of every committed vector.
fn sources() -> Vec<Packet> {
    VectorSet::load(&vectors_folder().join(GODOT_4)).unwrap().packets()
}

#[test]
fn the_engine_and_the_codec_agree_about_20_000_damaged_packets() {
    let Some(engine) = &*ENGINE else { return };
    // The clock gives the seed, so that each run looks elsewhere; a failure prints it.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let seed = std::env::var("VARBYTES_SEED").map_or(now.as_secs(), |seed| seed.parse().unwrap());
    println!("seed {seed}; VARBYTES_SEED={seed} repeats it");
    let project = stage_generator().unwrap();
    let packets = damaged(&sources(), seed, 20_000);
    let comparison = differential::compare(engine, project.path(), &setting(engine), &packets).unwrap();
    assert_eq!(comparison.packets, 20_000);
    assert!(comparison.accepted > 2_000, "only {} packets were read by both", comparison.accepted);
    assert_none_disagree(&comparison, &format!("damaged packets of seed {seed}"));
}

#[test]
fn the_engine_agrees_with_its_own_committed_packets() {
    let Some(engine) = &*ENGINE else { return };
    let project = stage_generator().unwrap();
    let comparison = differential::compare(engine, project.path(), &setting(engine), &sources()).unwrap();
    assert_none_disagree(&comparison, "committed packets");
}

#[test]
fn the_engine_writes_the_committed_vectors_again() {
    let Some(engine) = &*ENGINE else { return };
    let project = stage_generator().unwrap();
    let fresh = tempfile::tempdir().unwrap();
    let manifest = generate::vectors(engine, project.path(), fresh.path(), &mut |_| ()).unwrap();
    let committed = vectors_folder().join(GODOT_4);
    if load_manifest(&committed).unwrap().version != manifest.version {
        println!("the committed vectors are those of another version");
        return;
    }
    let differences = generate::differences(&committed, fresh.path()).unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
