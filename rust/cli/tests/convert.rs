//! Runs `varbytes convert`.

mod run;

use std::fs;

use run::{read_records, record, records, varbytes};
use serde_json::Value;
use tempfile::tempdir;
use varbytes::{Decoder, Encoder, Profile, Variant};

fn old(value: &Variant) -> Vec<u8> {
    Encoder::new().profile(Profile::GODOT_3_5).objects(true).encode(value).unwrap()
}

fn new(bytes: &[u8]) -> Variant {
    Decoder::new().objects(true).strict(true).decode(bytes).unwrap()
}

/// A RID with its id, which Godot 4.6 has and Godot 3 does not.
const RID: [u8; 12] = [23, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
const UP: &str = "convert --from godot-3.6 --to godot-4.6";
const DOWN: &str = "convert --from godot-4.6 --to godot-3.6";

/// A packet of Godot 3 with an object.
fn sprite() -> Vec<u8> {
    let properties = vec![("frame".to_owned(), Variant::from(3))];
    old(&varbytes::variant::ObjectData { class: "Sprite".to_owned(), properties }.into())
}

#[test]
fn a_packet_of_godot_3_becomes_one_of_godot_4() {
    let value = Variant::from(vec![Variant::from("a"), Variant::from(vec![1i32, 2])]);
    let output = varbytes(UP, &old(&value));
    assert!(output.status.success(), "{output:?}");
    assert!(new(&output.stdout).bit_eq(&value));
    let report = String::from_utf8(output.stderr).unwrap();
    assert_eq!(report, "varbytes: 1 value, 36 bytes became 36; no losses\n");
}

#[test]
fn a_loss_is_reported_and_the_rest_is_converted() {
    let output = varbytes(DOWN, &RID);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, [16, 0, 0, 0]);
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "varbytes: 1 value, 12 bytes became 4; 1 loss (rid_id 1)\n\
         $: RID(7) becomes RID(0): this engine version does not write the id of a RID\n"
    );
}

#[test]
fn with_exact_a_loss_is_a_failure_that_writes_nothing() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("out");
    for place in [String::new(), format!("-o {}", path.display())] {
        let output = varbytes(&format!("{DOWN} --exact {place}"), &RID);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let report = String::from_utf8(output.stderr).unwrap();
        assert!(report.contains("$: RID(7) becomes RID(0)") && report.contains("nothing was written"), "{report}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "not even a temporary file is left");
    assert!(varbytes(&format!("{UP} --exact"), &old(&7.into())).status.success());
}

#[test]
fn records_are_converted_one_by_one_in_either_byte_order() {
    let values = [Variant::from("one"), Variant::from(vec![0.5f32]), Variant::Nil];
    for (flag, big_endian) in [("", false), ("--big-endian", true)] {
        let input = records(values.iter().map(old), big_endian);
        let output = varbytes(&format!("{UP} --records {flag}"), &input);
        assert!(output.status.success(), "{output:?}");
        let read: Vec<Variant> = read_records(&output.stdout, big_endian).iter().map(|bytes| new(bytes)).collect();
        assert_eq!(read, values);
    }
}

#[test]
fn the_report_names_each_record_and_can_be_json() {
    let folder = tempdir().unwrap();
    let report = folder.path().join("report.jsonl");
    let input = records([vec![0; 4], RID.to_vec()], false);
    let output = varbytes(&format!("{DOWN} --records --report json --report-file {}", report.display()), &input);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = fs::read_to_string(report).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["summary"]["records"], 2);
    assert_eq!(lines[0]["summary"]["losses"], serde_json::json!({"rid_id": 1}));
    assert_eq!(
        lines[1],
        serde_json::json!({
            "record": 2, "offset": 8, "path": "$", "kind": "rid_id", "what": "RID(7) becomes RID(0)",
            "why": "this engine version does not write the id of a RID",
        })
    );
    assert_eq!(lines.len(), 2);
    for form in ["", "--report text", "--report human"] {
        let report = varbytes(&format!("{DOWN} --records {form}"), &input).stderr;
        assert!(String::from_utf8(report).unwrap().contains("\nrecord 2, $: RID(7) becomes"), "{form}");
    }
}

#[test]
fn losses_before_a_failure_are_reported_but_not_as_written() {
    let input = records([RID.to_vec(), vec![99, 0, 0, 0]], false);
    let output = varbytes(&format!("{DOWN} --records"), &input);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let report = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[0], "varbytes: nothing was written; 1 record converted before the error; 1 loss (rid_id 1)");
    assert!(lines[1].starts_with("record 1, $: RID(7)") && lines[2].starts_with("varbytes: record 2, at offset 16"));
}

#[test]
fn bytes_after_a_value_are_an_error_unless_they_are_dropped_by_option() {
    let value = [0, 0, 0, 0, 9, 9];
    for (form, input, kept) in
        [("", value.to_vec(), vec![0; 4]), ("--records", record(&value, false), record(&[0; 4], false))]
    {
        let refused = varbytes(&format!("{UP} {form}"), &input);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
        let message = String::from_utf8(refused.stderr).unwrap();
        assert!(message.contains("2 bytes after the value, at offset 4; --drop-trailing drops them"), "{message}");
        let output = varbytes(&format!("{UP} {form} --drop-trailing"), &input);
        assert_eq!(output.stdout, kept);
        assert!(String::from_utf8(output.stderr).unwrap().contains("$: 2 bytes after the value are dropped: "));
        assert_eq!(varbytes(&format!("{UP} {form} --drop-trailing --exact"), &input).status.code(), Some(1));
    }
}

#[test]
fn an_error_names_an_engine_version_that_reads_the_bytes_completely() {
    // A Dictionary of Godot 3.6, whose type is Transform3D in Godot 4.6.
    let pairs: varbytes::variant::Dictionary = (0..9).map(|key| (Variant::from(key), Variant::from("value"))).collect();
    let bytes = old(&pairs.into());
    let same = "convert --from godot-4.6 --to godot-4.6";
    for (form, input) in [("", bytes.clone()), ("--records", record(&bytes, false))] {
        let output = varbytes(&format!("{same} {form}"), &input);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.ends_with("; it reads completely as godot-3.5: check --from\n"), "{message}");
    }
}

#[test]
fn a_truncated_packet_is_not_taken_for_records() {
    let bytes = old(&vec![Variant::from("a"); 9].into());
    let message = String::from_utf8(varbytes(UP, &bytes[..bytes.len() - 4]).stderr).unwrap();
    assert!(!message.contains("--records"), "{message}");
}

#[test]
fn a_damaged_record_is_named_by_number_offset_and_path() {
    let good = old(&Variant::from(vec![1.into(), Variant::from("a")]));
    let bad = good[..good.len() - 4].to_vec();
    let input = records([good.clone(), bad], false);
    let output = varbytes(&format!("{UP} --records"), &input);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "all or nothing");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        message,
        "varbytes: record 2, at offset 32 of the input: cannot be read: needs 4 bytes, 0 are left, at offset 24 (0x18), path $[1]\n"
    );
    let output = varbytes(&format!("{UP} --records --report json"), &input);
    let lines: Vec<Value> =
        String::from_utf8(output.stderr).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let error = &lines[0]["error"];
    assert_eq!((&error["record"], &error["record_offset"]), (&2.into(), &32.into()));
    assert_eq!((&error["kind"], &error["offset"], &error["path"]), (&"truncated".into(), &24.into(), &"$[1]".into()));
    assert_eq!(lines.len(), 1);
}

#[test]
fn input_that_ends_within_a_record_is_a_failure() {
    let input = records([vec![0; 4]], false);
    for (end, message) in [(6, "record 1, at offset 0"), (3, "ends after 3 of the 4 bytes of the record's length")] {
        let output = varbytes(&format!("{UP} --records"), &input[..end]);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(message), "{text}");
    }
    // The claimed length is not allocated.
    assert_eq!(varbytes(&format!("{UP} --records"), &[0xFF; 8]).status.code(), Some(1));
}

#[test]
fn an_error_hints_at_the_actual_form_of_the_input() {
    let records = records([old(&7.into())], false);
    let message = |arguments: &str, input: &[u8]| String::from_utf8(varbytes(arguments, input).stderr).unwrap();
    assert!(message(UP, &records).contains("use --records"), "{}", message(UP, &records));
    let swapped = record(&old(&7.into()), true);
    assert!(message(&format!("{UP} --records"), &swapped).contains("--big-endian"));
    for input in [swapped.repeat(2), record(&[1; 8000], true)] {
        let message = message(UP, &input);
        assert!(
            message.ends_with("; the input looks like store_var records; use --records --big-endian\n"),
            "{message}"
        );
    }
    let [short, long] = [1, 99_999].map(|count| old(&vec![Variant::from(7); count].into()));
    for packet in [&old(&7.into()), &short, &long] {
        let message = message(&format!("{UP} --records"), packet);
        assert!(message.ends_with("; the input looks like one value; leave --records out\n"), "{message}");
    }
    assert!(message(UP, b"GCPF\0\0\0\0").contains("compressed"));
    assert!(message(&format!("{UP} --records"), b"GCPF\0\0\0\0").contains("compressed"));
    let followed = [old(&7.into()), vec![1]].concat();
    assert!(message(UP, &followed).contains("1 byte after the value, at offset 8"));
}

#[test]
fn a_folder_as_the_input_is_named() {
    let folder = tempdir().unwrap();
    for form in ["", "--records"] {
        let output = varbytes(&format!("{UP} {form} {}", folder.path().display()), b"");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with(&format!("varbytes: cannot read {}: ", folder.path().display())), "{message}");
    }
}

#[test]
fn objects_are_refused_unless_allowed_and_keep_their_names_without_a_table() {
    let output = varbytes(UP, &sprite());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("object"));
    let output = varbytes(&format!("{UP} --objects"), &sprite());
    assert!(format!("{:?}", new(&output.stdout)).contains("Sprite"));
}

#[test]
fn names_are_mapped_by_the_table() {
    let folder = tempdir().unwrap();
    let table = folder.path().join("names.json");
    fs::write(&table, r#"{"classes": {"Sprite": "Sprite2D"}, "properties": {"*": {"frame": "index"}}}"#).unwrap();
    let output = varbytes(&format!("{UP} --objects --names {}", table.display()), &sprite());
    let Variant::Object(varbytes::variant::Object::Data(data)) = new(&output.stdout) else { panic!("{output:?}") };
    assert_eq!((data.class.as_str(), data.property("index")), ("Sprite2D", Some(&3.into())));
}

#[test]
fn the_error_for_a_malformed_table_has_its_line_and_the_expected_form() {
    let folder = tempdir().unwrap();
    let table = folder.path().join("names.json");
    for (text, message) in [
        ("{\n\"clases\": {}}", "unknown field `clases`, expected `classes` or `properties` at line 2"),
        (r#"{"classes": {"A": 1}}"#, "invalid type: integer `1`, expected a string at line 1"),
        (r#"{"classes": {"A": "B", "A": "C"}}"#, "the key \"A\" exists twice at line 1"),
        (r#"{"properties": {"*": {"a": "b", "a": "c"}}}"#, "the key \"a\" exists twice at line 1"),
        (r#"{"properties": {"*": {}, "*": {}}}"#, "the key \"*\" exists twice at line 1"),
        ("", "EOF"),
    ] {
        fs::write(&table, text).unwrap();
        let output = varbytes(&format!("{UP} --objects --names {}", table.display()), &sprite());
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("names.json is not a table of names") && error.contains(message), "{error}");
    }
}

#[test]
fn a_wrong_command_line_exits_with_2_and_a_list_of_choices() {
    for (arguments, message) in [
        ("convert --from godot-3.6 --to godot-9", "godot-4.6"),
        ("convert --from godot-3.6", "--to"),
        ("convert --from godot-3.6 --to godot-4.6 --in-place", "<INPUT>"),
        ("convert --from godot-3.6 --to godot-4.6 --big-endian", "--records"),
        ("convert --from godot-3.6 --to godot-4.6 --in-place -", "name a file"),
        ("convert --from godot-3.6 --to godot-4.6 --in-place x --backup-suffix a/b", "it contains a path separator"),
        ("convert --from godot-3.6 --to godot-4.6 --in-place x --backup-suffix=", "it is empty"),
    ] {
        let output = varbytes(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(message), "{arguments}: {error}");
    }
}

#[test]
fn engine_bugs_are_imitated_unless_they_are_fixed_by_option() {
    let vector = r#"{"type":"Array","value":[{"type":"Vector4","value":["3f800000","40000000","40400000","40800000"]},{"type":"int","value":"7"}]}"#;
    let bytes = varbytes("encode --engine pandemonium-5", vector.as_bytes()).stdout;
    let meant = varbytes("decode --engine pandemonium-5 --fix-engine-bugs", &bytes).stdout;
    assert_eq!(String::from_utf8(meant.clone()).unwrap().trim(), vector);
    assert_ne!(varbytes("decode --engine pandemonium-5", &bytes).stdout, meant);
}

#[test]
fn double_precision_is_refused_for_an_engine_without_it() {
    for (arguments, option) in
        [("convert --from 4.6 --to 3.6 --double", "--to"), ("encode --engine 3.6 --double", "--engine")]
    {
        let output = varbytes(arguments, b"\"\"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        let expected =
            format!("varbytes: the engine version of {option} has no double precision; leave --double out\n");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
    }
}

#[test]
fn a_failure_before_the_conversion_is_json_in_a_report_of_json() {
    let folder = tempdir().unwrap();
    let missing = folder.path().join("missing");
    for arguments in
        [format!("--objects --names {}", missing.display()), format!("--report-file {}/x", missing.display())]
    {
        let output = varbytes(&format!("{DOWN} --report json {arguments}"), &RID);
        assert_eq!(output.status.code(), Some(1));
        let report: Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!(report["error"]["kind"], "other", "{report}");
    }
}

#[test]
fn a_failure_after_a_loss_is_inexact_only_if_exactness_was_asked_for() {
    let folder = tempdir().unwrap();
    for (arguments, kind) in [(format!("-o {}", folder.path().display()), "other"), ("--exact".to_owned(), "not_exact")]
    {
        let output = varbytes(&format!("{DOWN} --report json {arguments}"), &RID);
        let report = String::from_utf8(output.stderr).unwrap();
        let first: Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
        assert_eq!(first["error"]["kind"], kind, "{report}");
    }
}
