//! Checks the format's reference and errata against the vectors and the codec.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use varbytes::{Precision, Profile, Variant, VariantType, tagged_json};
use varbytes_conformance::check::Setting;
use varbytes_conformance::compare;
use varbytes_conformance::reference::Reference;
use varbytes_conformance::vectors::{files, load_lines, load_manifest};
use varbytes_conformance::vectors_folder;

const FORMAT: &str = include_str!("../../rust/codec/FORMAT.md");
const ERRATA: &str = include_str!("../../rust/codec/ERRATA.md");
const SECURITY: &str = include_str!("../../SECURITY.md");
const CODECS: &str = include_str!("../CODECS.md");

/// The possible beginnings of a citation.
const CITATIONS: [&str; 7] = ["godot-", "redot-", "blazium-", "pandemonium-", "captured/", "public/", "derived/"];

/// The content of an empty cell.
const NOTHING: &str = "–";

/// A line of a vector file.
#[derive(Deserialize)]
struct Vector {
    name: String,
    hex: Option<String>,
}

/// Returns the bytes of every committed vector by set and name: `godot-4.6/int/0`, `captured/godot-4.2/42-String`.
/// Refused values have no bytes.
fn vectors() -> BTreeMap<String, Option<String>> {
    let mut vectors = BTreeMap::new();
    let mut add = |set: &str, path: &Path| {
        let lines: Vec<Vector> = load_lines(path).unwrap_or_else(|error| panic!("{error:#}"));
        vectors.extend(lines.into_iter().map(|vector| (format!("{set}/{}", vector.name), vector.hex)));
    };
    let root = vectors_folder();
    for group in ["captured", "public", "derived"] {
        for path in jsonl(&root.join(group)) {
            add(&format!("{group}/{}", path.file_stem().unwrap().to_string_lossy()), &path);
        }
    }
    for reference in Reference::ALL {
        let manifest = load_manifest(&reference.folder()).unwrap_or_else(|error| panic!("{error:#}"));
        let files = manifest.files.iter().filter(|(_, count)| **count > 0);
        files.for_each(|(file, _)| add(reference.name, &reference.folder().join(file)));
    }
    vectors
}

fn jsonl(folder: &Path) -> Vec<PathBuf> {
    let mut paths = files(folder).unwrap_or_else(|error| panic!("{error:#}"));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths
}

/// Returns the citations of vectors in a text: backquoted texts with a set and a vector.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|quoted| {
        let names_set = CITATIONS.iter().any(|beginning| quoted.starts_with(beginning));
        names_set && quoted.contains('/') && !quoted.ends_with('/')
    })
}

/// Returns the cells of a table row, or `None` for any other line.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(str::trim).collect())
}

/// Returns the rows of each table whose header ends with the given cell.
fn rows<'t>(text: &'t str, last: &str) -> Vec<Vec<&'t str>> {
    let mut rows = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match cells(line) {
            None => inside = false,
            Some(cells) if !inside && cells.last() == Some(&last) => inside = true,
            Some(cells) if inside && !cells[0].starts_with("---") => rows.push(cells),
            Some(_) => {}
        }
    }
    rows
}

fn unquoted(cell: &str) -> &str {
    cell.trim_matches('`')
}

/// A row with bytes in the errata.
#[derive(Debug)]
struct Evidence<'t> {
    number: &'t str,
    bytes: Vec<u8>,
    setting: Setting,
    objects: bool,
    how: &'t str,
    value: Option<Variant>,
    proof: &'t str,
}

/// Returns the rows with bytes, without rows that explain why there are none.
fn evidence() -> Vec<Evidence<'static>> {
    let rows = rows(ERRATA, "Proof").into_iter().filter(|row| row[1] != NOTHING);
    rows.map(|row| {
        let [number, bytes, engine, how, value, proof] = row[..] else { panic!("not six cells: {row:?}") };
        let mut words = engine.split(", ");
        let profile = Profile::from_name(unquoted(words.next().unwrap_or_default()));
        let profile = profile.unwrap_or_else(|error| panic!("{number}: {error}"));
        let words: Vec<_> = words.collect();
        assert!(words.iter().all(|word| ["objects", "double"].contains(word)), "{number}: {engine}");
        let precision = if words.contains(&"double") { Precision::Double } else { Precision::Single };
        let value = (value != NOTHING).then(|| {
            tagged_json::from_str(unquoted(value)).unwrap_or_else(|error| panic!("{number}: {value}: {error}"))
        });
        Evidence {
            number,
            bytes: hex::decode(unquoted(bytes)).unwrap_or_else(|error| panic!("{number}: {bytes}: {error}")),
            setting: Setting { profile, precision, ..Setting::NEWEST },
            objects: words.contains(&"objects"),
            how,
            value,
            proof,
        }
    })
    .collect()
}

impl Evidence<'_> {
    fn reads(&self) -> Result<(), String> {
        let read = self.setting.decoder(self.objects).decode_prefix(&self.bytes);
        let mut read = read.map_err(|error| format!("cannot be read: {error}"))?.value;
        compare::forget_precision_of_empty(&mut read);
        let expected = self.value.as_ref().ok_or("has no value")?;
        compare::values(self.number, expected, &read).map_or(Ok(()), |difference| Err(difference.to_string()))
    }

    fn writes(&self) -> Result<(), String> {
        let value = self.value.as_ref().ok_or("has no value")?;
        let written = self.setting.encoder(self.objects).encode(value);
        let written = written.map_err(|error| format!("cannot be written: {error}"))?;
        if written == self.bytes { Ok(()) } else { Err(format!("is written as {}", hex::encode(written))) }
    }

    fn holds(&self) -> Result<(), String> {
        match self.how {
            "both" => self.reads().and_then(|()| self.writes()),
            "read" => self.reads(),
            "written" => self.writes(),
            "refused" if self.value.is_some() => Err("is refused and has a value".to_owned()),
            "refused" => match self.setting.decoder(self.objects).decode_prefix(&self.bytes) {
                Ok(decoded) => Err(format!("is not refused but read as {:?}", decoded.value)),
                Err(_) => Ok(()),
            },
            other => Err(format!("`{other}` is not one of both, read, written, refused")),
        }
    }
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_vector_that_a_document_cites_is_committed() {
    let vectors = vectors();
    for document in [FORMAT, ERRATA] {
        assert_eq!(document.matches('`').count() % 2, 0, "an unpaired backquote");
    }
    let cited: BTreeSet<_> = citations(FORMAT).chain(citations(ERRATA)).collect();
    assert!(cited.len() >= 300, "only {} citations are found", cited.len());
    let missing: Vec<_> = cited.into_iter().filter(|citation| !vectors.contains_key(*citation)).collect();
    assert!(missing.is_empty(), "no vectors of these names are committed: {missing:#?}");
}

#[test]
fn every_fact_of_the_reference_has_a_proof() {
    let rows = rows(FORMAT, "Proof");
    assert!(rows.len() >= 150, "only {} rows are found", rows.len());
    let proved = |row: &Vec<&str>| {
        row.last().is_some_and(|proof| citations(proof).next().is_some() || proof.contains("*derived*"))
    };
    assert_none(&rows.iter().filter(|row| !proved(row)).map(|row| row.join(" | ")).collect::<Vec<_>>());
}

#[test]
fn every_statement_of_the_errata_has_its_bytes() {
    let stated: Vec<_> = rows(ERRATA, "The engine does").into_iter().map(|row| row[0]).collect();
    let shown: BTreeSet<_> = rows(ERRATA, "Proof").into_iter().map(|row| row[0]).collect();
    assert_eq!(stated.iter().copied().collect::<BTreeSet<_>>(), shown, "statements and rows of bytes");
    // C: common to all, K and E: Godot 3 in Korean and in English, R: Redot, P: Pandemonium, M: Mole.
    for (letter, count) in [("C", 11), ("K", 9), ("E", 9), ("R", 22), ("P", 12), ("M", 10)] {
        let expected: Vec<_> = (1..=count).map(|number| format!("{letter}{number}")).collect();
        let own: Vec<_> = stated.iter().filter(|number| number.starts_with(letter)).collect();
        assert_eq!(own, expected.iter().collect::<Vec<_>>());
    }
}

#[test]
fn the_codec_treats_the_bytes_of_the_errata_as_stated() {
    let rows = evidence();
    assert!(rows.len() >= 150, "only {} rows are found", rows.len());
    let wrong = rows.iter().filter_map(|row| {
        let error = row.holds().err()?;
        Some(format!("{} {}: {error}", row.number, hex::encode(&row.bytes)))
    });
    assert_none(&wrong.collect::<Vec<_>>());
}

#[test]
fn the_bytes_of_the_errata_are_those_of_the_vectors() {
    let vectors = vectors();
    let mut wrong = Vec::new();
    for row in evidence() {
        let bytes = hex::encode(&row.bytes);
        match citations(row.proof).next() {
            Some(citation) if vectors.get(citation).is_some_and(|vector| vector.as_ref() == Some(&bytes)) => {}
            Some(citation) => wrong.push(format!("{}: {bytes} is not {citation}", row.number)),
            None if row.proof.starts_with("*derived*") => {
                let observed = vectors.iter().find(|(name, vector)| {
                    !name.starts_with("derived/")
                        && set_profile(name) == Some(row.setting.profile)
                        && vector.as_ref() == Some(&bytes)
                });
                wrong.extend(observed.map(|(name, _)| format!("{}: {bytes} is no longer derived: {name}", row.number)));
            }
            None => wrong.push(format!("{}: {bytes} has no proof", row.number)),
        }
    }
    assert_none(&wrong);
}

#[test]
fn the_page_for_codecs_shows_the_value_of_every_type() {
    let mut missing: BTreeSet<_> = VariantType::ALL.iter().copied().collect();
    missing.retain(|variant_type| Profile::NEWEST.type_id(*variant_type).is_some());
    for row in rows(CODECS, "notes") {
        let names: Vec<_> = row[0].split('`').skip(1).step_by(2).collect();
        let text = format!("{{\"type\":\"{}\",\"value\":{}}}", names[0], unquoted(row[1]));
        let value = tagged_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(tagged_json::to_string(&value), text.replace(", ", ",").replace("\": ", "\":"));
        missing.retain(|variant_type| !names.contains(&variant_type.name()));
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// Collects the names of functions below an attribute in every Rust file of a folder, except build output.
fn rust_tests(folder: &Path, tests: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            rust_tests(&path, tests);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            let lines: Vec<_> = source.lines().map(str::trim).collect();
            let below_attribute = lines.windows(2).filter(|pair| pair[0].starts_with("#[") && pair[0].ends_with(']'));
            let names = below_attribute.filter_map(|pair| pair[1].strip_prefix("fn ")?.split('(').next());
            tests.extend(names.map(str::to_owned));
        }
    }
}

#[test]
fn every_test_that_the_security_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut tests = BTreeSet::new();
    ["rust", "conformance", "fuzz"].iter().for_each(|folder| rust_tests(&root.join(folder), &mut tests));
    let file =
        |folder: &str, name: &str, extension: &str| root.join(folder).join(format!("{name}.{extension}")).exists();
    let is_test = |name: &str| {
        tests.contains(name)
            || file("godot_project/tests/suites", name, "gd")
            || file("godot_project/tests", name, "gd")
            || file("fuzz/fuzz_targets", name, "rs")
    };
    let rows = rows(SECURITY, "held by");
    assert!(rows.len() >= 15, "only {} promises are found", rows.len());
    for row in rows {
        let named: Vec<_> = row[1].split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no test holds: {}", row[0]);
        let missing: Vec<_> = named.into_iter().filter(|name| !is_test(name)).collect();
        assert!(missing.is_empty(), "no tests of these names exist: {missing:?}");
    }
}

/// Returns the profile of the engine that wrote a vector.
fn set_profile(citation: &str) -> Option<Profile> {
    let mut parts = citation.split('/');
    let set = parts.next()?;
    let name = if ["captured", "public"].contains(&set) { parts.next()? } else { set };
    Profile::from_name(name.strip_suffix("-double").unwrap_or(name).trim_end_matches("-generation")).ok()
}
