//! Compares the codec with running engines.
//!
//! These tests use engines that are found (named by a variable, on PATH, or fetched before) and never download one.
//! They print a notice for a missing engine. `cargo conformance --require-engine` requires all engines.

use std::io::Write;
use std::sync::LazyLock;

use rstest::rstest;
use varbytes::variant::{Visit, Walk};
use varbytes::{Precision, Variant};
use varbytes_conformance::check::Setting;
use varbytes_conformance::damage::{Packet, damaged, holds_object};
use varbytes_conformance::differential::Comparison;
use varbytes_conformance::divergences::Divergences;
use varbytes_conformance::engine::locate;
use varbytes_conformance::live::{Batch, Live};
use varbytes_conformance::recipe::{self, Components};
use varbytes_conformance::reference::{Reference, Running};
use varbytes_conformance::vectors::{VectorSet, load_manifest};
use varbytes_conformance::{compare, differential, generate, judge};

/// The engines to test against. A missing one is reported directly on standard error, because the test harness hides
/// the output of passing tests.
static ENGINES: LazyLock<Vec<Running>> = LazyLock::new(|| Reference::ALL.into_iter().filter_map(running).collect());

fn running(reference: Reference) -> Option<Running> {
    let engine = locate(reference.package).unwrap_or_else(|error| panic!("{error}"));
    let notice = match &engine {
        Some(engine) => format!("NOTICE: also tested live, against Godot {}\n", engine.version),
        None => format!("NOTICE: {} was not found; only its committed vectors are checked\n", reference.package),
    };
    let _ = std::io::stderr().write_all(notice.as_bytes());
    engine.map(|engine| Running::new(reference, engine).unwrap())
}

fn find(reference: Reference) -> Option<&'static Running> {
    ENGINES.iter().find(|running| running.reference == reference)
}

fn setting(running: &Running) -> Setting {
    Setting::of(&running.engine.version, running.profile(), Precision::Single)
}

fn assert_none_disagree(comparison: &Comparison, packets: &str) {
    let shown = comparison.disagreements.iter().take(20);
    let shown: Vec<String> = shown.map(|(packet, difference)| format!("{packet}: {difference}")).collect();
    let count = comparison.disagreements.len();
    assert!(shown.is_empty(), "{count} disagreements about {packets}:\n{}", shown.join("\n"));
}

/// The bytes of every committed vector.
fn sources(reference: Reference) -> Vec<Packet> {
    VectorSet::load(&reference.folder()).unwrap().packets()
}

#[rstest]
fn the_engine_and_the_codec_agree_on_20_000_damaged_packets(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let Some(running) = find(reference) else { return };
    // The seed comes from the clock, so that each run tests other packets; a failure prints it.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let seed = std::env::var("VARBYTES_SEED").map_or(now.as_secs(), |seed| seed.parse().unwrap());
    println!("seed {seed}; VARBYTES_SEED={seed} repeats it");
    let packets = damaged(&sources(reference), running.profile(), seed, 20_000);
    let comparison = differential::compare(running, &setting(running), &packets).unwrap();
    assert_eq!(comparison.packets, 20_000);
    assert!(comparison.accepted > 2_000, "only {} packets were read by both", comparison.accepted);
    assert_none_disagree(&comparison, &format!("damaged packets of seed {seed}"));
}

#[rstest]
fn the_engine_agrees_with_its_own_committed_packets(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let Some(running) = find(reference) else { return };
    let mut packets = sources(reference);
    if reference != Reference::GODOT_4 {
        // Godot 3.6 frees an object when it attaches the script from its bytes, and may crash. Full objects are tested
        // by the vectors.
        packets.retain(|packet| !(packet.objects && holds_object(running.profile(), &packet.bytes)));
    }
    let comparison = differential::compare(running, &setting(running), &packets).unwrap();
    assert_none_disagree(&comparison, "committed packets");
}

#[rstest]
fn the_engine_still_shows_its_listed_bugs(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let Some(running) = find(reference) else { return };
    let not_shown = Divergences::load(reference.name).unwrap().bugs_not_shown(running).unwrap();
    assert!(not_shown.is_empty(), "{}", not_shown.join("\n"));
}

#[rstest]
fn the_engine_writes_the_committed_vectors_again(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let Some(running) = find(reference) else { return };
    let fresh = tempfile::tempdir().unwrap();
    let manifest = generate::vectors(running, fresh.path(), &mut |_| ()).unwrap();
    let committed = reference.folder();
    if load_manifest(&committed).unwrap().version != manifest.version {
        println!("the committed vectors are those of another version");
        return;
    }
    let differences = generate::differences(&committed, fresh.path()).unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[rstest]
fn a_connected_engine_answers_like_a_single_run(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6)] reference: Reference,
) {
    let Some(running) = find(reference) else { return };
    let mut packets = damaged(&sources(reference), running.profile(), 1, 2_000);
    packets.iter_mut().for_each(|packet| packet.objects = false);
    // Ids and the padding in a NodePath change with every run.
    packets.retain(|packet| {
        let value = setting(running).decoder(false).decode(&packet.bytes).unwrap_or_default();
        let has_path = Walk::new(&value).any(|visit| matches!(visit, Visit::Leaf(Variant::NodePath(_))));
        !has_path && !compare::holds_ids(&value)
    });
    let mut batch = Batch::default();
    packets.iter().for_each(|packet| batch.read(&packet.bytes, packet.objects, 0));
    let answers = Live::start(running).unwrap().ask(&batch).unwrap();
    let verdicts = judge::verdicts(running, &packets).unwrap();
    assert!(packets.len() > 1_000, "{} packets", packets.len());
    for ((packet, answer), verdict) in packets.iter().zip(&answers).zip(&verdicts) {
        let shown = hex::encode(&packet.bytes);
        assert_eq!((answer.used, &answer.rewritten), (verdict.used, &verdict.rewritten), "{shown}");
    }
}

#[rstest]
fn a_script_makes_the_value_of_a_recipe(#[values(Reference::GODOT_4, Reference::GODOT_3_6)] reference: Reference) {
    let Some(running) = find(reference) else { return };
    let setting = setting(running);
    let mut batch = Batch::default();
    let mut expected = Vec::new();
    let set = VectorSet::load(&reference.folder()).unwrap();
    for vector in set.canonical.values().flatten() {
        let value = vector.value().unwrap();
        // A value that had to be changed is not the vector's value.
        if vector.full_objects
            || !recipe::makeable(value.clone(), setting.profile, false, Components::OfScripts).bit_eq(&value)
        {
            continue;
        }
        let mut ingredients = Vec::new();
        recipe::write(&value, setting.profile, &mut ingredients);
        batch.write(&ingredients, false);
        expected.push(vector);
    }
    assert!(expected.len() > 600, "{} vectors", expected.len());
    let answers = Live::start(running).unwrap().ask(&batch).unwrap();
    for (vector, answer) in expected.into_iter().zip(answers) {
        let difference = setting.writes(&vector.name, vector.value().unwrap(), false, &answer.rewritten);
        assert_eq!(difference, None, "{}", hex::encode(answer.rewritten));
    }
}

#[rstest]
fn bytes_after_a_value_never_create_an_object(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let Some(running) = find(reference) else { return };
    // A Reference with a script, encoded for Godot 3. Godot 3.6 crashes when it creates one.
    let object = "11000000 09000000 52656665 72656e63 65000000 01000000 06000000 73637269 70740000 11000000 08000000 \
                  47445363 72697074 01000000 0d000000 73637269 70742f73 6f757263 65000000 04000000 11000000 \
                  65787465 6e647320 52656665 72656e63 65000000";
    let bytes = hex::decode(format!("00000000{}", object.replace(' ', ""))).unwrap();
    let verdicts = judge::verdicts(running, &[Packet { bytes, objects: true }]).unwrap();
    assert_eq!((verdicts[0].used, &*verdicts[0].rewritten), (4, &[0; 4][..]));
}
