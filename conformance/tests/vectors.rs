//! Checks the codec against the committed vectors, with a test for each file and direction.
//!
//! A failure lists each vector that differs, with the first different byte and the path in the value.

use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;
use varbytes::{Precision, Profile};
use varbytes_conformance::check::{Setting, proper_prefixes};
use varbytes_conformance::compare::Difference;
use varbytes_conformance::derived::DerivedSet;
use varbytes_conformance::divergences::Divergences;
use varbytes_conformance::reference::Reference;
use varbytes_conformance::vectors::{
    self, CAPTURED, CAPTURED_REWRITTEN, Canonical, VectorSet, load_lines, load_manifest,
};
use varbytes_conformance::vectors_folder;

/// Maximum number of differences in a failure.
const SHOWN: usize = 20;

fn assert_none(differences: &[Difference], of: usize) {
    let shown: Vec<String> = differences.iter().take(SHOWN).map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{} of {of} vectors differ:\n{}", differences.len(), shown.join("\n"));
}

fn load<T: serde::de::DeserializeOwned>(path: &Path) -> Vec<T> {
    load_lines(path).unwrap_or_else(|error| panic!("{error:#}"))
}

/// Loads a canonical file with the setting of its engine.
fn canonical(path: &Path) -> (Vec<Canonical>, Setting) {
    let folder = path.ancestors().nth(2).unwrap();
    (load(path), Setting::of_manifest(&load_manifest(folder).unwrap()).unwrap())
}

/// Loads the committed vectors of an engine, its setting and its known divergences.
fn set(reference: Reference) -> (VectorSet, Setting, Divergences) {
    let set = VectorSet::load(&reference.folder()).unwrap_or_else(|error| panic!("{error:#}"));
    let setting = Setting::of_manifest(&load_manifest(&reference.folder()).unwrap()).unwrap();
    (set, setting, Divergences::load(reference.name).unwrap())
}

#[rstest]
fn values_encode_to_the_engines_bytes(#[files("vectors/godot-*/canonical/*.jsonl")] path: PathBuf) {
    let (vectors, setting) = canonical(&path);
    let differences: Vec<_> = vectors.iter().filter_map(|vector| setting.encodes(vector).unwrap()).collect();
    assert_none(&differences, vectors.len());
}

#[rstest]
fn bytes_decode_to_the_engines_values(#[files("vectors/godot-*/canonical/*.jsonl")] path: PathBuf) {
    let (vectors, setting) = canonical(&path);
    let differences: Vec<_> = vectors.iter().filter_map(|vector| setting.decodes(vector).unwrap()).collect();
    assert_none(&differences, vectors.len());
}

#[rstest]
fn proper_prefixes_are_truncated(#[files("vectors/godot-*/canonical/*.jsonl")] path: PathBuf) {
    let (vectors, setting) = canonical(&path);
    let check = |vector: &Canonical| setting.refuses_prefixes(&vector.name, &vector.bytes, vector.full_objects);
    assert_none(&vectors.iter().filter_map(check).collect::<Vec<_>>(), vectors.len());
}

#[rstest]
fn non_canonical_bytes_decode_to_the_engines_values(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let (set, setting, known) = set(reference);
    let checked = set.non_canonical.iter().filter(|vector| known.reason(&vector.name).is_none());
    let differences: Vec<_> = checked.filter_map(|vector| setting.decodes_non_canonical(vector).unwrap()).collect();
    assert_none(&differences, set.non_canonical.len());
}

#[rstest]
fn non_canonical_bytes_are_written_again_as_the_engine_writes_them(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let (set, setting, known) = set(reference);
    let checked = set.non_canonical.iter().filter(|vector| known.reason(&vector.name).is_none());
    let differences: Vec<_> = checked.filter_map(|vector| setting.rewrites(vector)).collect();
    assert_none(&differences, set.non_canonical.len());
}

#[rstest]
fn bytes_that_the_engine_rejects_are_rejected(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let (set, setting, known) = set(reference);
    let checked = set.rejected.iter().filter(|vector| known.reason(&vector.name).is_none());
    let differences: Vec<_> = checked.filter_map(|vector| setting.rejects(vector)).collect();
    assert_none(&differences, set.rejected.len());
}

#[rstest]
fn prefixes_of_non_canonical_and_rejected_bytes_never_panic(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let (set, setting, _) = set(reference);
    let non_canonical = set.non_canonical.iter().map(|vector| (&vector.bytes, vector.allow_objects));
    let rejected = set.rejected.iter().map(|vector| (&vector.bytes, vector.allow_objects));
    for (bytes, objects) in non_canonical.chain(rejected) {
        for length in proper_prefixes(bytes.len()) {
            let _ = setting.decoder(objects).decode_prefix(&bytes[..length]);
        }
    }
}

#[rstest]
#[case::godot_4(Reference::GODOT_4, 8)]
#[case::godot_3_6(Reference::GODOT_3_6, 3)]
fn values_that_the_engine_refuses_are_refused(#[case] reference: Reference, #[case] undescribed: usize) {
    let (set, setting, _) = set(reference);
    let outcomes: Vec<_> = set.refused.iter().filter_map(|vector| setting.refuses(vector).unwrap()).collect();
    // Values that hold themselves, and objects that the engine refuses because of their class, only exist in an engine.
    assert_eq!(set.refused.len() - outcomes.len(), undescribed, "refused values that cannot be described as data");
    assert_none(&outcomes.into_iter().flatten().collect::<Vec<_>>(), set.refused.len());
}

#[test]
fn godot_3_2_refuses_no_value() {
    assert!(set(Reference::GODOT_3_2).0.refused.is_empty());
}

#[rstest]
fn captured_vectors_agree_in_both_directions(#[values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)] which: usize) {
    let captured = CAPTURED[which];
    let (vectors, setting) = (captured.load().unwrap(), captured.setting().unwrap());
    let known = Divergences::load(captured.file).unwrap();
    let encoded = vectors.iter().filter_map(|vector| setting.encodes(vector).unwrap());
    let decoded = vectors.iter().filter_map(|vector| setting.decodes(vector).unwrap());
    let mut differences: Vec<_> = encoded.chain(decoded).collect();
    differences.retain(|difference| known.reason(&difference.name).is_none());
    assert_none(&differences, vectors.len());
}

#[rstest]
fn proper_prefixes_of_captured_vectors_are_truncated(#[values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)] which: usize) {
    let (vectors, setting) = (CAPTURED[which].load().unwrap(), CAPTURED[which].setting().unwrap());
    let check = |vector: &Canonical| setting.refuses_prefixes(&vector.name, &vector.bytes, vector.full_objects);
    assert_none(&vectors.iter().filter_map(check).collect::<Vec<_>>(), vectors.len());
}

/// In double precision, in a release build, and on another architecture.
#[rstest]
fn conversions_of_other_builds_match_the_engine(#[values(0, 1, 2)] which: usize) {
    let captured = CAPTURED_REWRITTEN[which];
    let (vectors, setting) = (captured.load().unwrap(), captured.setting().unwrap());
    assert_none(
        &vectors.iter().filter_map(|vector| setting.reads_and_rewrites(vector)).collect::<Vec<_>>(),
        vectors.len(),
    );
}

#[test]
fn every_captured_file_is_tested() {
    let rewritten = CAPTURED_REWRITTEN.iter().map(|captured| captured.file);
    let files = CAPTURED.iter().map(|captured| captured.file).chain(rewritten);
    let mut held: Vec<PathBuf> = files.map(|file| vectors_folder().join(file)).collect();
    held.sort();
    let found = ["captured", "public"].map(|folder| vectors::files(&vectors_folder().join(folder)).unwrap());
    assert_eq!(found.concat(), held);
}

/// A line of a file in `public/`.
#[derive(serde::Deserialize)]
struct Public {
    name: String,
    engine: String,
    source: String,
}

#[test]
fn every_vector_seen_in_public_names_its_engine_and_its_source() {
    for captured in CAPTURED.iter().filter(|captured| captured.origin() == "seen in public") {
        let profile = captured.setting().unwrap().profile;
        for Public { name, engine, source } in load_lines(&vectors_folder().join(captured.file)).unwrap() {
            let version = engine.strip_prefix("Godot ").unwrap_or_else(|| panic!("{name}: {engine}"));
            assert_eq!(Profile::from_name(&format!("godot-{version}")), Ok(profile), "{name}");
            assert!(source.starts_with("github.com/") && source.contains(" at "), "{name}: {source}");
        }
    }
}

#[test]
fn double_precision_bytes_are_read_without_setting_the_precision() {
    let captured = CAPTURED.iter().find(|captured| captured.setting().unwrap().precision == Precision::Double).unwrap();
    let profile = captured.setting().unwrap().profile;
    for vector in captured.load().unwrap() {
        let decoder = varbytes::Decoder::new().profile(profile).objects(vector.full_objects);
        let decoded = decoder.decode(&vector.bytes).unwrap_or_else(|error| panic!("{}: {error}", vector.name));
        let again = varbytes::Encoder::new().profile(profile).objects(vector.full_objects);
        assert_eq!(again.encoded_len(&decoded).unwrap(), vector.bytes.len(), "{}", vector.name);
    }
}

#[test]
fn derived_vectors_agree() {
    let sets = DerivedSet::load_all().unwrap_or_else(|error| panic!("{error:#}"));
    for set in &sets {
        let check = |vector| set.check(vector).unwrap_or_else(|error| panic!("{error:#}"));
        let outcomes: Vec<_> = set.vectors.iter().map(check).collect();
        let differences = outcomes.into_iter().flat_map(|outcome| [outcome.encode, outcome.decode]);
        assert_none(&differences.flatten().flatten().collect::<Vec<_>>(), set.vectors.len());
    }
}

#[test]
fn every_profile_has_vectors() {
    let derived = DerivedSet::load_all().unwrap().into_iter().map(|set| set.profile);
    let captured = CAPTURED.iter().map(|captured| captured.setting().unwrap().profile);
    let live = Reference::ALL.into_iter().map(|reference| set(reference).1.profile);
    let held: Vec<_> = derived.chain(captured).chain(live).collect();
    let missing: Vec<_> = Profile::ALL.iter().filter(|profile| !held.contains(profile)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[rstest]
fn known_divergences_still_differ(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let (set, setting, known) = set(reference);
    for name in known.vectors() {
        let non_canonical = set.non_canonical.iter().find(|vector| vector.name == name);
        let rejected = set.rejected.iter().find(|vector| vector.name == name);
        let differs = match (non_canonical, rejected) {
            (Some(vector), _) => {
                setting.decodes_non_canonical(vector).unwrap().is_some() || setting.rewrites(vector).is_some()
            }
            (None, Some(vector)) => setting.rejects(vector).is_some(),
            (None, None) => panic!("the list of divergences names {name}, which does not exist"),
        };
        assert!(differs, "{name} is listed as a known divergence and does not differ any more");
    }
}

/// With engine bugs fixed, and types enforced.
#[test]
fn the_codec_is_right_where_an_engine_has_a_bug() {
    let live = Reference::ALL.map(|reference| (reference.name, set(reference).1));
    let captured = CAPTURED.map(|captured| (captured.file, captured.setting().unwrap()));
    for (set, setting) in live.into_iter().chain(captured) {
        for bug in Divergences::load(set).unwrap().bugs() {
            let enforces = !bug.should_write.is_empty();
            let should_write = if enforces { &bug.should_write } else { &bug.input };
            let decoder = setting.decoder(bug.objects).fix_engine_bugs(true).enforce_types(enforces);
            let value = decoder.decode(&bug.input).unwrap();
            let written = setting.encoder(bug.objects).fix_engine_bugs(true).encode(&value).unwrap();
            assert_eq!(hex::encode(written), hex::encode(should_write), "{}", bug.title);
            assert_ne!(&bug.engine_writes, should_write, "{}", bug.title);
        }
    }
}

#[test]
fn every_list_of_divergences_belongs_to_a_set_of_vectors() {
    let live = Reference::ALL.map(|reference| Divergences::file(reference.name));
    let held: Vec<PathBuf> =
        live.into_iter().chain(CAPTURED.map(|captured| Divergences::file(captured.file))).collect();
    let lists: Vec<PathBuf> = fs::read_dir(Divergences::folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!lists.is_empty() && lists.iter().all(|list| held.contains(list)), "{lists:?}");
}

#[rstest]
fn there_are_enough_vectors_of_each_engine(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let (set, setting, _) = set(reference);
    assert_eq!(set.canonical.len(), setting.profile.types().len());
    let canonical: usize = set.canonical.values().map(Vec::len).sum();
    assert!(canonical >= 600, "{canonical} canonical vectors");
    let objects = &set.canonical["Object"];
    assert!(objects.len() >= 40, "{} object vectors", objects.len());
    assert!(objects.iter().any(|vector| vector.full_objects) && objects.iter().any(|vector| !vector.full_objects));
}

#[test]
fn a_file_must_have_the_number_of_vectors_in_its_manifest() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("canonical")).unwrap();
    let committed = Reference::GODOT_3_2.folder();
    for name in load_manifest(&committed).unwrap().files.keys().map(String::as_str).chain(["manifest.json"]) {
        fs::copy(committed.join(name), folder.path().join(name)).unwrap();
    }
    assert!(VectorSet::load(folder.path()).is_ok());
    fs::write(folder.path().join("rejected.jsonl"), "").unwrap();
    let error = VectorSet::load(folder.path()).unwrap_err().to_string();
    assert!(error.contains("rejected.jsonl has 0 vectors, but its manifest says"), "{error}");
}

#[rstest]
fn names_of_vectors_are_unique(
    #[values(Reference::GODOT_4, Reference::GODOT_3_6, Reference::GODOT_3_2)] reference: Reference,
) {
    let (set, ..) = set(reference);
    let canonical = set.canonical.values().flatten().map(|vector| &vector.name);
    let others =
        set.non_canonical.iter().map(|vector| &vector.name).chain(set.rejected.iter().map(|vector| &vector.name));
    let mut names: Vec<_> = canonical.chain(others).chain(set.refused.iter().map(|vector| &vector.name)).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}
