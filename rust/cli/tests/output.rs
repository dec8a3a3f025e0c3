//! Output about a packet: no hidden characters, no long lines, no unlimited reports.

mod run;

use std::fs;

use run::{record, varbytes};
use serde_json::Value;
use tempfile::tempdir;
use varbytes::variant::ObjectData;
use varbytes::{Encoder, Variant};

const NAME: &str = "a\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\u{2066}\u{2028}\u{200b}\u{feff}\u{e0041}\r\nvarbytes: forged";
const DOWN: &str = "convert --from godot-4.6 --to godot-3.6";

fn object() -> Vec<u8> {
    let properties = vec![(NAME.into(), vec![(Variant::from(NAME), Variant::RID(7))].into())];
    let object = ObjectData { class: NAME.into(), properties };
    Encoder::new().objects(true).encode(&object.into()).unwrap()
}

#[track_caller]
fn assert_clean(bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let hidden = |character: char| {
        !(' '..='~').contains(&character) && character != '\n' && (character.is_control() || NAME.contains(character))
    };
    assert!(!text.contains(hidden), "{text:?}");
    assert!(!text.lines().any(|line| line.starts_with("varbytes: forged")), "{text}");
    text
}

#[track_caller]
fn assert_short(bytes: &[u8]) -> String {
    let text = assert_clean(bytes);
    for line in text.lines() {
        assert!(line.chars().count() <= 500, "{line}");
    }
    text
}

#[test]
fn names_in_a_packet_cannot_move_the_cursor_or_forge_lines() {
    let object = object();
    let hex = hex::encode(&object);
    for length in [object.len(), object.len() - 1, object.len() - 30, 12] {
        for arguments in ["decode", "decode --objects", "inspect --objects", "decode --strict --objects"] {
            let output = varbytes(arguments, &object[..length]);
            assert_short(&output.stderr);
            assert_clean(&output.stdout);
            let lines = varbytes(&format!("{arguments} --lines"), &hex.as_bytes()[..2 * length]);
            assert_clean(&lines.stdout);
        }
        for report in ["", "--report json", "--records", "--records --report json"] {
            let input = if report.contains("records") { record(&object[..length], false) } else { object.clone() };
            let output = varbytes(&format!("{DOWN} --objects {report}"), &input);
            if report.contains("json") {
                assert_clean(&output.stderr)
            } else {
                assert_short(&output.stderr)
            };
        }
    }
}

#[test]
fn json_with_hidden_characters_reads_back_to_the_same_value() {
    let json = varbytes("decode --objects", &object()).stdout;
    assert_eq!(varbytes("encode --objects", &json).stdout, object());
    assert_eq!(serde_json::from_slice::<Value>(&json).unwrap()["value"]["class"], NAME);
}

#[test]
fn invalid_tagged_json_is_shown_escaped_and_cut() {
    for input in [format!("{{\"type\":\"{NAME}\"}}"), format!("\"{NAME}"), format!("{{\"{}\":1}}", NAME.repeat(1000))] {
        assert_short(&varbytes("encode", input.as_bytes()).stderr);
        assert_clean(&varbytes("encode --lines", input.as_bytes()).stdout);
    }
}

#[test]
fn names_in_a_table_are_shown_escaped_and_cut() {
    let folder = tempdir().unwrap();
    let table = folder.path().join("names.json");
    let name = serde_json::to_string(&NAME.repeat(1000)).unwrap();
    for text in [format!("{{{name}: 1}}"), format!("{{\"classes\": {{{name}: \"\"}}}}")] {
        fs::write(&table, text).unwrap();
        let output = varbytes(&format!("{DOWN} --objects --names {}", table.display()), b"");
        assert_eq!(output.status.code(), Some(1));
        assert_short(&output.stderr);
    }
}

#[test]
fn a_megabyte_of_losses_makes_a_short_report() {
    let callables = varbytes::encode(&vec![Variant::Callable; 1 << 18].into()).unwrap();
    for form in ["", "--report json"] {
        let output = varbytes(&format!("{DOWN} {form}"), &callables);
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.len() < 1 << 20, "{}", output.stderr.len());
        let report = String::from_utf8(output.stderr).unwrap();
        assert_eq!(report.lines().count(), 1001);
        let summary = report.lines().next().unwrap();
        if form.is_empty() {
            assert!(summary.ends_with("; 262144 losses (dropped 262144), 1000 of them listed"), "{summary}");
        } else {
            let summary = &serde_json::from_str::<Value>(summary).unwrap()["summary"];
            assert_eq!(summary["losses"]["dropped"], 1 << 18);
            assert_eq!(summary["unlisted"]["dropped"], (1 << 18) - 1000);
        }
    }
}

#[test]
fn the_maximum_number_of_losses_applies_to_all_records_together() {
    let ids = varbytes::encode(&vec![Variant::RID(7); 6].into()).unwrap();
    let input = record(&ids, false).repeat(3);
    let output = varbytes(&format!("{DOWN} --records --max-losses 8"), &input);
    let report = String::from_utf8(output.stderr).unwrap();
    assert_eq!(report.lines().count(), 9);
    assert!(report.lines().next().unwrap().ends_with("; 18 losses (rid_id 18), 8 of them listed"), "{report}");
    let output = varbytes(&format!("{DOWN} --records --max-losses 0 --exact"), &input);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}
