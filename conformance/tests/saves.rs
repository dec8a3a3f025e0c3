//! Real saves: one engine writes them with `store_var`, the command converts them, another engine reads them with
//! `get_var`, and the descriptions of both engines are compared.
//!
//! A missing engine is reported; `cargo conformance --require-engine` fetches the engines.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::{TempDir, tempdir};
use varbytes_conformance::engine::locate;
use varbytes_conformance::reference::{Reference, Running};

/// Godot 3.6 and Godot 4, or neither.
static ENGINES: LazyLock<Option<(Running, Running)>> = LazyLock::new(|| {
    let old = running(Reference::GODOT_3_6);
    let new = running(Reference::GODOT_4);
    old.zip(new)
});

fn running(reference: Reference) -> Option<Running> {
    let engine = locate(reference.package).unwrap_or_else(|error| panic!("{error}"));
    let notice = match &engine {
        Some(engine) => format!("NOTICE: saves are written and read by Godot {}\n", engine.version),
        None => format!("NOTICE: {} was not found; its saves are not tested\n", reference.package),
    };
    // Directly on standard error, because the test harness hides the output of passing tests.
    let _ = std::io::stderr().write_all(notice.as_bytes());
    engine.map(|engine| Running::new(reference, engine).unwrap())
}

/// Lets `engine` write saves.
fn written_by(engine: &Running) -> TempDir {
    let folder = tempdir().unwrap();
    let arguments = vec!["--output".into(), folder.path().into()];
    engine.run("write_save.gd", arguments, &mut |_| ()).and_then(|output| output.completion()).unwrap();
    folder
}

/// Lets `engine` read a save, and returns a line for each record.
fn read_by(engine: &Running, save: &Path, options: &[&str]) -> Vec<String> {
    let folder = tempdir().unwrap();
    let path = folder.path().join("lines");
    let mut arguments: Vec<OsString> = vec!["--input".into(), save.into(), "--output".into(), path.clone().into()];
    arguments.extend(options.iter().map(OsString::from));
    engine.run("read_save.gd", arguments, &mut |_| ()).and_then(|output| output.completion()).unwrap();
    lines(&path)
}

/// Splits only at line feeds, because descriptions may contain other line ends.
fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.strip_suffix('\n').unwrap().split('\n').map(str::to_owned).collect()
}

/// Runs `varbytes convert` on a save, and returns the converted file and the lines of the report.
fn convert(save: &Path, from: &str, to: &str, options: &[&str]) -> (PathBuf, Vec<Value>) {
    let (output, report) = (save.with_extension("converted"), save.with_extension("report"));
    // The command is in another package, so cargo has to build and run it.
    let done = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "varbytes-cli", "--", "convert", "--records", "--from", from, "--to", to])
        .args(["--max-losses", "1000000", "--report", "json", "--report-file"])
        .args([&report, Path::new("--output"), &output, save])
        .args(options)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let report = lines(&report).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output, report)
}

/// Returns the numbers of records with losses, counted from 0.
fn with_losses(report: &[Value]) -> BTreeSet<usize> {
    let numbers = report[1..].iter().map(|loss| usize::try_from(loss["record"].as_u64().unwrap()).unwrap() - 1);
    numbers.collect()
}

/// Compares a save with its conversion: each record is either the same or reported. Returns the lines that are the
/// same.
fn assert_same_or_reported(before: &[String], after: &[String], report: &[Value]) -> Vec<String> {
    assert_eq!(before.len(), after.len());
    let lossy = with_losses(report);
    let mut same = Vec::new();
    for (number, (before, after)) in before.iter().zip(after).enumerate() {
        assert_eq!(before == after, !lossy.contains(&number), "record {}:\n{before}\n{after}", number + 1);
        if before == after {
            same.push(before.clone());
        }
    }
    same
}

/// Returns the types in the descriptions.
fn types(lines: &[String]) -> BTreeSet<&str> {
    let named = |line: &'_ String| line.match_indices("{\"type\":\"").map(|(place, lead)| place + lead.len()).collect();
    let of = |line| -> Vec<usize> { named(line) };
    lines.iter().flat_map(|line| of(line).into_iter().map(|at| line[at..].split('"').next().unwrap())).collect()
}

#[test]
fn a_save_of_every_type_of_godot_3_is_read_by_godot_4_as_the_same_values() {
    let Some((old, new)) = &*ENGINES else { return };
    let saved = written_by(old);
    let (converted, report) = convert(&saved.path().join("every_type.save"), "godot-3.6", "godot-4.6", &[]);
    let before = lines(&saved.path().join("every_type.jsonl"));
    let same = assert_same_or_reported(&before, &read_by(new, &converted, &[]), &report);
    println!("{} of {} records are the same; {}", same.len(), before.len(), report[0]);
    // All types of Godot 3. The only losses are duplicate keys in Godot 4.
    assert_eq!(types(&same).len(), 27, "{:?}", types(&same));
    assert!(report[1..].iter().all(|loss| loss["kind"] == "duplicate_keys"), "{report:?}");
    assert!(same.len() > 600, "{} records", same.len());
}

#[test]
fn a_save_of_every_type_of_godot_4_is_read_by_godot_3_as_the_same_values_or_reported() {
    let Some((old, new)) = &*ENGINES else { return };
    let saved = written_by(new);
    let (converted, report) = convert(&saved.path().join("every_type.save"), "godot-4.6", "godot-3.6", &[]);
    let before = lines(&saved.path().join("every_type.jsonl"));
    let same = assert_same_or_reported(&before, &read_by(old, &converted, &[]), &report);
    println!("{} of {} records are the same; {}", same.len(), before.len(), report[0]);
    assert!(types(&same).len() >= 26, "{:?}", types(&same));
    assert!(same.len() > 600, "{} records", same.len());
}

#[test]
fn godot_4_creates_objects_of_godot_3_with_names_from_the_table() {
    const CLASSES: [(&str, &str); 3] =
        [("Reference", "RefCounted"), ("Sprite", "Sprite2D"), ("BoxShape", "BoxShape3D")];
    let Some((old, new)) = &*ENGINES else { return };
    let saved = written_by(old);
    let names = saved.path().join("names.json");
    let classes: serde_json::Map<String, Value> =
        CLASSES.iter().map(|(old, new)| ((*old).into(), (*new).into())).collect();
    fs::write(
        &names,
        serde_json::json!({"classes": classes, "properties": {"Sprite": {"pause_mode": "process_mode"}}}).to_string(),
    )
    .unwrap();
    let options = ["--objects", "--names", names.to_str().unwrap()];
    let (converted, report) = convert(&saved.path().join("objects.save"), "godot-3.6", "godot-4.6", &options);
    assert_eq!(report.len(), 1, "{report:?}");
    let before = lines(&saved.path().join("objects.jsonl"));
    let after = read_by(new, &converted, &["--objects"]);
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        let renamed = CLASSES.iter().fold(before.replace("\"pause_mode\"", "\"process_mode\""), |text, (old, new)| {
            text.replace(&format!("\"class\":\"{old}\""), &format!("\"class\":\"{new}\""))
        });
        let (renamed, after) = (serde_json::from_str(&renamed).unwrap(), serde_json::from_str(after).unwrap());
        assert_has_all_of(&renamed, &after);
    }
    let whole = after.concat();
    assert!(whole.contains("größe") && whole.contains("[\"frame\",{\"type\":\"int\",\"value\":\"3\"}]"), "{whole}");
}

/// Checks that each property of the objects in `before` kept its value, if the class still has it.
fn assert_has_all_of(before: &Value, after: &Value) {
    match (&before["value"]["properties"], &after["value"]["properties"]) {
        (Value::Array(old), Value::Array(new)) => {
            assert_eq!(before["value"]["class"], after["value"]["class"]);
            for property in new.iter().filter(|property| old.iter().any(|other| other[0] == property[0])) {
                let found = old.iter().find(|other| other[0] == property[0]).unwrap();
                // A property for objects holds a null object in a live object.
                let null = found[1]["type"] == "Nil" && property[1]["value"].is_null();
                assert!(null || found[1] == property[1], "{property} was {found}");
            }
            assert!(new.iter().any(|property| old.iter().any(|other| other[0] == property[0])));
        }
        // An `EncodedObjectAsID` written in full is described by the id that it holds.
        (Value::Array(old), _) => assert_eq!(old[0][1]["value"], after["value"]["id"]),
        _ if before["type"] == "Array" => {
            for (before, after) in members(before).zip(members(after)) {
                assert_has_all_of(before, after);
            }
        }
        _ if before["type"] == "Dictionary" => {
            for (before, after) in members(before).zip(members(after)) {
                assert_eq!(before[0], after[0]);
                assert_has_all_of(&before[1], &after[1]);
            }
        }
        _ => assert_eq!(before, after),
    }
}

fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value["value"].as_array().unwrap().iter()
}
