//! The codec held to the committed vectors, a test for each file and direction.
//!
//! A failure names every vector that differs, the first byte that does, and the path into the value.

use std::path::{Path, PathBuf};

use rstest::rstest;
use varbytes::Precision;
use varbytes_conformance::check::Setting;
use varbytes_conformance::compare::Difference;
use varbytes_conformance::divergences::Divergences;
use varbytes_conformance::vectors::{CAPTURED, Canonical, GODOT_4, VectorSet, load_lines, load_manifest};
use varbytes_conformance::vectors_folder;

/// The most differences that a failure shows.
const SHOWN: usize = 20;

fn assert_none(differences: &[Difference], of: usize) {
    let shown: Vec<String> = differences.iter().take(SHOWN).map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{} of {of} vectors differ:\n{}", differences.len(), shown.join("\n"));
}

fn load<T: serde::de::DeserializeOwned>(path: &Path) -> Vec<T> {
    load_lines(path).unwrap_or_else(|error| panic!("{error:#}"))
}

fn set() -> VectorSet {
    VectorSet::load(&vectors_folder().join(GODOT_4)).unwrap_or_else(|error| panic!("{error:#}"))
}

#[rstest]
fn values_encode_to_the_engines_bytes(#[files("vectors/godot-4.6/canonical/*.jsonl")] path: PathBuf) {
    let vectors: Vec<Canonical> = load(&path);
    let differences: Vec<_> = vectors.iter().filter_map(|vector| Setting::NEWEST.encodes(vector).unwrap()).collect();
    assert_none(&differences, vectors.len());
}

#[rstest]
fn bytes_decode_to_the_engines_values(#[files("vectors/godot-4.6/canonical/*.jsonl")] path: PathBuf) {
    let vectors: Vec<Canonical> = load(&path);
    let differences: Vec<_> = vectors.iter().filter_map(|vector| Setting::NEWEST.decodes(vector).unwrap()).collect();
    assert_none(&differences, vectors.len());
}

#[rstest]
fn every_proper_prefix_is_truncated(#[files("vectors/godot-4.6/canonical/*.jsonl")] path: PathBuf) {
    let vectors: Vec<Canonical> = load(&path);
    let check = |vector: &Canonical| Setting::NEWEST.refuses_prefixes(&vector.name, &vector.bytes, vector.full_objects);
    assert_none(&vectors.iter().filter_map(check).collect::<Vec<_>>(), vectors.len());
}

#[test]
fn degenerate_bytes_decode_to_the_engines_values() {
    let (set, known) = (set(), Divergences::load().unwrap());
    let checked = set.degenerate.iter().filter(|vector| known.reason(&vector.name).is_none());
    let differences: Vec<_> =
        checked.filter_map(|vector| Setting::NEWEST.decodes_degenerate(vector).unwrap()).collect();
    assert_none(&differences, set.degenerate.len());
}

#[test]
fn degenerate_bytes_are_written_again_as_the_engine_writes_them() {
    let (set, known) = (set(), Divergences::load().unwrap());
    let checked = set.degenerate.iter().filter(|vector| known.reason(&vector.name).is_none());
    let differences: Vec<_> = checked.filter_map(|vector| Setting::NEWEST.rewrites(vector)).collect();
    assert_none(&differences, set.degenerate.len());
}

#[test]
fn bytes_that_the_engine_rejects_are_rejected() {
    let (set, known) = (set(), Divergences::load().unwrap());
    let checked = set.rejected.iter().filter(|vector| known.reason(&vector.name).is_none());
    let differences: Vec<_> = checked.filter_map(|vector| Setting::NEWEST.rejects(vector)).collect();
    assert_none(&differences, set.rejected.len());
}

#[test]
fn prefixes_of_degenerate_and_rejected_bytes_never_panic() {
    let set = set();
    let degenerate = set.degenerate.iter().map(|vector| (&vector.bytes, vector.allow_objects));
    let rejected = set.rejected.iter().map(|vector| (&vector.bytes, vector.allow_objects));
    for (bytes, objects) in degenerate.chain(rejected) {
        for length in 0..bytes.len() {
            let _ = Setting::NEWEST.decoder(objects).decode_prefix(&bytes[..length]);
        }
    }
}

#[test]
fn values_that_the_engine_refuses_are_refused() {
    let set = set();
    let outcomes: Vec<_> = set.refused.iter().filter_map(|vector| Setting::NEWEST.refuses(vector).unwrap()).collect();
    // Values that hold themselves, and objects whose class alone makes them unwritable, exist only in an engine.
    assert_eq!(set.refused.len() - outcomes.len(), 8, "refused values that cannot be described as data");
    assert_none(&outcomes.into_iter().flatten().collect::<Vec<_>>(), set.refused.len());
}

#[rstest]
#[case::godot_4_2(0)]
#[case::godot_4_4_double(1)]
fn captured_vectors_agree_in_both_directions(#[case] which: usize) {
    let (file, profile, precision) = CAPTURED[which];
    let setting = Setting { profile, precision, mask_padding: true };
    let vectors: Vec<Canonical> = load(&vectors_folder().join(file));
    let encoded = vectors.iter().filter_map(|vector| setting.encodes(vector).unwrap());
    let decoded = vectors.iter().filter_map(|vector| setting.decodes(vector).unwrap());
    assert_none(&encoded.chain(decoded).collect::<Vec<_>>(), vectors.len());
}

#[test]
fn double_precision_bytes_are_read_the_same_without_being_told() {
    let (file, profile, precision) = CAPTURED[1];
    assert_eq!(precision, Precision::Double);
    for vector in load::<Canonical>(&vectors_folder().join(file)) {
        let decoder = varbytes::Decoder::new().profile(profile).objects(vector.full_objects);
        let decoded = decoder.decode(&vector.bytes).unwrap_or_else(|error| panic!("{}: {error}", vector.name));
        let again = varbytes::Encoder::new().profile(profile).full_objects(vector.full_objects);
        assert_eq!(again.encoded_len(&decoded).unwrap(), vector.bytes.len(), "{}", vector.name);
    }
}

#[test]
fn known_divergences_still_differ() {
    let (set, known) = (set(), Divergences::load().unwrap());
    for name in known.vectors() {
        let degenerate = set.degenerate.iter().find(|vector| vector.name == name);
        let rejected = set.rejected.iter().find(|vector| vector.name == name);
        let differs = match (degenerate, rejected) {
            (Some(vector), _) => {
                Setting::NEWEST.decodes_degenerate(vector).unwrap().is_some()
                    || Setting::NEWEST.rewrites(vector).is_some()
            }
            (None, Some(vector)) => Setting::NEWEST.rejects(vector).is_some(),
            (None, None) => panic!("divergences.json names {name}, and there is no such vector"),
        };
        assert!(differs, "{name} is listed as a known divergence and does not differ any more");
    }
}

#[test]
fn the_manifest_counts_every_vector_and_there_are_enough_of_each() {
    let folder = vectors_folder().join(GODOT_4);
    let (manifest, set) = (load_manifest(&folder).unwrap(), set());
    assert_eq!(manifest.files.values().sum::<usize>(), set.len());
    assert_eq!(set.canonical.len(), varbytes::Profile::NEWEST.types().len());
    let canonical: usize = set.canonical.values().map(Vec::len).sum();
    assert!(canonical >= 600, "{canonical} canonical vectors");
    assert!(set.canonical["Object"].len() >= 40, "{} object vectors", set.canonical["Object"].len());
}

#[test]
fn no_two_vectors_have_one_name() {
    let set = set();
    let canonical = set.canonical.values().flatten().map(|vector| &vector.name);
    let others = set.degenerate.iter().map(|vector| &vector.name).chain(set.rejected.iter().map(|vector| &vector.name));
    let mut names: Vec<_> = canonical.chain(others).chain(set.refused.iter().map(|vector| &vector.name)).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}
