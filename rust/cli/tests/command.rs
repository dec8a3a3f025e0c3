//! Runs the real command.

mod run;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use run::varbytes;

fn lines(arguments: &str, input: &str) -> Vec<String> {
    let output = varbytes(arguments, input.as_bytes());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

const SEVEN: &str = r#"{"type":"int","value":"7"}"#;
const SEVEN_BYTES: [u8; 8] = [2, 0, 0, 0, 7, 0, 0, 0];
const OBJECT: &str = r#"{"type":"Object","value":{"class":"RefCounted","properties":[]}}"#;
const OBJECT_HEX: &str = "180000000a000000526566436f756e746564000000000000";

#[test]
fn decode_turns_raw_bytes_into_tagged_json() {
    let output = varbytes("decode", &SEVEN_BYTES);
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{SEVEN}\n"));
}

#[test]
fn encode_turns_tagged_json_into_raw_bytes() {
    let output = varbytes("encode", SEVEN.as_bytes());
    assert!(output.status.success());
    assert_eq!(output.stdout, SEVEN_BYTES);
}

#[test]
fn malformed_input_exits_with_1_one_line_and_no_output() {
    for (arguments, input) in
        [("decode", &b"\x04\0\0\0\x03\0\0\0"[..]), ("encode", b"{"), ("encode", OBJECT.as_bytes())]
    {
        let output = varbytes(arguments, input);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        assert!(output.stdout.is_empty(), "{arguments}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.starts_with("varbytes: "), "{message}");
    }
}

#[test]
fn an_unknown_engine_is_refused_with_a_list_of_known_ones() {
    let output = varbytes("decode --engine godot-9.9", b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("godot-4.2"));
}

#[test]
fn decode_answers_every_line_and_continues_after_an_error() {
    let answers = lines("decode --lines", "0200000007000000\nno hex\n04000000\n0200000007000000ffff\n");
    assert_eq!(answers[0], format!(r#"{{"ok":{SEVEN},"used":8}}"#));
    assert!(answers[1].starts_with(r#"{"error":{"kind":"invalid_hex","category":"malformed","offset":0,"path":"$","#));
    assert!(
        answers[2]
            .starts_with(r#"{"error":{"kind":"truncated","category":"truncated","offset":4,"path":"$","message":""#)
    );
    assert_eq!(answers[3], format!(r#"{{"ok":{SEVEN},"used":8}}"#), "what follows the value is ignored");
    assert_eq!(answers.len(), 4);
}

#[test]
fn a_character_that_is_not_a_digit_is_named_before_an_odd_number_of_digits() {
    let answers = lines("decode --lines", "00 00 00 00\n000\n");
    assert!(answers[0].contains(r#""offset":2"#) && answers[0].contains("Invalid character ' ' at position 2"));
    assert!(answers[1].contains(r#""offset":3"#) && answers[1].contains("Odd number of digits"), "{}", answers[1]);
}

#[test]
fn encode_answers_every_line_and_continues_after_an_error() {
    let answers = lines("encode --lines", &format!("{SEVEN}\n[]\n{OBJECT}\n{SEVEN}"));
    assert_eq!(answers[0], r#"{"ok":"0200000007000000"}"#);
    assert!(
        answers[1].starts_with(r#"{"error":{"kind":"invalid_tagged_json","category":"malformed","#),
        "{}",
        answers[1]
    );
    assert!(answers[2].starts_with(r#"{"error":{"kind":"object_not_allowed","category":"not_allowed","#));
    assert_eq!(answers[3], answers[0]);
    assert_eq!(answers.len(), 4);
}

#[test]
fn objects_are_refused_unless_allowed() {
    let refused = lines("decode --lines", OBJECT_HEX);
    assert!(refused[0].contains(r#""kind":"object_not_allowed","category":"not_allowed","offset":0"#));
    assert_eq!(lines("decode --lines --objects", OBJECT_HEX), [format!(r#"{{"ok":{OBJECT},"used":24}}"#)]);
    assert_eq!(lines("encode --lines --objects", OBJECT), [format!(r#"{{"ok":"{OBJECT_HEX}"}}"#)]);
}

#[test]
fn strict_refuses_non_canonical_bytes() {
    let wide = "020001000700000000000000";
    assert_eq!(lines("decode --lines", wide), [format!(r#"{{"ok":{SEVEN},"used":12}}"#)]);
    assert!(
        lines("decode --lines --strict", wide)[0]
            .contains(r#""kind":"not_canonical","category":"malformed","offset":2"#)
    );
}

#[test]
fn strict_accepts_undefined_padding_unless_zero_padding_is_set() {
    let path = "16000000010000800000000000000000010000006107b0b1";
    let strict = "decode --lines --strict --engine godot-4.6";
    assert!(lines(strict, path)[0].starts_with(r#"{"ok":"#));
    assert!(lines(&format!("{strict} --zero-padding"), path)[0].contains(r#""kind":"padding_not_zero""#));
    assert!(lines("decode --lines --strict --engine godot-4.6.3", path)[0].contains(r#""kind":"not_canonical""#));
}

#[test]
fn double_writes_64_bit_components_and_single_narrows_them() {
    let single = r#"{"type":"Vector2","value":["3f800000","c0000000"]}"#;
    let double = "05000100000000000000f03f00000000000000c0";
    assert_eq!(lines("encode --lines --double", single), [format!(r#"{{"ok":"{double}"}}"#)]);
    assert_eq!(lines("decode --lines --single", double), [format!(r#"{{"ok":{single},"used":20}}"#)]);
}

#[test]
fn inspect_shows_the_meaning_and_end_of_each_part() {
    let output = varbytes("inspect", &[28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 27, 0]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "\
00000000  1c000000 02000000                    Array of 2
00000008  02000000 07000000                    . int 7
00000010  needs 4 bytes, 2 are left, path $[1]
";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn the_engine_version_decides_what_exists() {
    let packed = r#"{"type":"PackedVector4Array","value":[]}"#;
    assert_eq!(lines("encode --lines --engine godot-4.3", packed), [r#"{"ok":"2600000000000000"}"#]);
    assert!(lines("encode --lines --engine godot-4.2", packed)[0].contains("unsupported_type"));
    assert!(lines("decode --lines --engine 4.2", "2600000000000000")[0].contains("unknown_type"));
}

#[test]
fn a_program_can_wait_for_each_answer() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_varbytes"))
        .args(["decode", "--lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut question = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(question, "0200000007000000").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("{{\"ok\":{SEVEN},\"used\":8}}\n"));
    }
    drop(question);
    assert!(child.wait().unwrap().success());
}

#[test]
fn bytes_after_the_value_are_mentioned_on_standard_error() {
    let output = varbytes("decode", &[&SEVEN_BYTES[..], &[1, 2, 3]].concat());
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{SEVEN}\n"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("varbytes: ignored 3 bytes after the value, at offset 8"), "{message}");
    assert!(varbytes("decode", &SEVEN_BYTES).stderr.is_empty());
}

#[test]
fn inspect_fails_on_malformed_bytes_and_shows_the_part_before() {
    let array = ::varbytes::encode(&vec![::varbytes::Variant::from(7), "a".into()].into()).unwrap();
    assert!(varbytes("inspect", &array).status.success());
    for length in 0..array.len() {
        let output = varbytes("inspect", &array[..length]);
        assert_eq!(output.status.code(), Some(1), "{length}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("byte"), "{length}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{length}");
    }
}

#[test]
fn limits_are_set_by_options() {
    let nested =
        ::varbytes::encode(&vec![::varbytes::Variant::from(vec![1i32; 100]), "abcdefgh".into()].into()).unwrap();
    for action in ["decode", "inspect", "convert --from godot-4.6 --to godot-3.6"] {
        assert!(varbytes(action, &nested).status.success(), "{action}");
        for limit in
            ["--max-memory 200", "--max-depth 0", "--max-values 1", "--max-packed-elements 99", "--max-string-length 7"]
        {
            let output = varbytes(&format!("{action} {limit}"), &nested);
            assert_eq!(output.status.code(), Some(1), "{action} {limit}");
        }
    }
}

#[test]
fn a_conversion_that_multiplies_memory_is_refused() {
    // Array[Array] of one PackedByteArray, whose bytes would become as many ints.
    let bytes = 10 << 20;
    let mut packet = vec![28, 0, 1, 0, 28, 0, 0, 0, 1, 0, 0, 0];
    packet.extend(::varbytes::encode(&vec![0u8; bytes].into()).unwrap());
    let output = varbytes("decode", &packet);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("limit"));
}

#[test]
fn strict_refuses_trailing_bytes_in_decode_and_inspect() {
    let bytes = [&SEVEN_BYTES[..], &[1, 2, 3]].concat();
    let [decode, inspect] = ["decode --strict", "inspect --strict"].map(|arguments| varbytes(arguments, &bytes));
    assert_eq!((decode.status.code(), inspect.status.code()), (Some(1), Some(1)));
    assert_eq!(inspect.stderr, decode.stderr);
    let expected = "\
00000000  02000000 07000000                    int 7
00000008  3 bytes follow the value, path $
";
    assert_eq!(String::from_utf8(inspect.stdout).unwrap(), expected);
    assert!(varbytes("inspect", &bytes).status.success());
    assert_eq!(
        lines("inspect --strict --lines", &hex::encode(bytes)),
        expected.lines().chain([""]).collect::<Vec<_>>()
    );
}

#[test]
#[cfg(target_os = "linux")]
fn inspect_writes_its_text_as_it_reads() {
    let nulls = vec![::varbytes::Variant::Nil; 1 << 20];
    let bytes = ::varbytes::encode(&nulls.into()).unwrap();
    for (arguments, input) in
        [("", bytes.clone()), (" --strict", bytes.clone()), (" --lines", hex::encode(bytes).into())]
    {
        // 60 MB of text with 48 MB of memory, most of which the program and its input take.
        let command = format!("ulimit -v 49152 && exec \"$0\" inspect{arguments} | wc -l");
        let mut child = Command::new("sh")
            .args(["-c", &command, env!("CARGO_BIN_EXE_varbytes")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&input).unwrap();
        let output = child.wait_with_output().unwrap();
        let lines: usize = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
        assert_eq!(lines, (1 << 20) + 1 + usize::from(arguments == " --lines"), "inspect{arguments}");
    }
}

#[test]
fn decode_and_inspect_read_a_file_and_say_what_else_it_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    let name = path.display();
    for action in ["decode", "inspect"] {
        std::fs::write(&path, SEVEN_BYTES).unwrap();
        let expected = varbytes(action, &SEVEN_BYTES).stdout;
        assert_eq!(varbytes(&format!("{action} {name}"), b"").stdout, expected);
        assert_eq!(varbytes(&format!("{action} -"), &SEVEN_BYTES).stdout, expected);
        std::fs::write(&path, "0200000007000000\n").unwrap();
        assert!(!varbytes(&format!("{action} --lines {name}"), b"").stdout.is_empty());
        let records = run::record(&[4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0], false);
        for (bytes, hint) in [
            (&b"GCPF\0\0\0\0"[..], "; this is a compressed file"),
            (b"ECFG\0\0\0\0", "; this is a project.binary file"),
            (b"GDSC\0\0\0\0", "; this is a compiled script"),
            (&records, "; the input looks like store_var records; use --records"),
            (&run::record(&[8; 8], true), "; the input looks like store_var records; use --records --big-endian"),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let output = varbytes(&format!("{action} --strict {name}"), b"");
            assert_eq!(output.status.code(), Some(1));
            assert!(String::from_utf8_lossy(&output.stderr).contains(hint), "{output:?}");
        }
        // Records that are also the String "" and 8 bytes.
        let output = varbytes(action, &run::record(&[0; 4], false).repeat(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && message.ends_with("store_var records; use --records\n"), "{output:?}");
        let output = varbytes(&format!("{action} {}", folder.path().display()), b"");
        let expected = format!("varbytes: cannot read {}: ", folder.path().display());
        assert!(String::from_utf8_lossy(&output.stderr).starts_with(&expected), "{output:?}");
        let output = varbytes(&format!("{action} {name}.missing"), b"");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("varbytes: cannot open "), "{output:?}");
    }
}

/// A string, an array, and a value of Godot 3.
fn three_records(big_endian: bool) -> Vec<u8> {
    let array = ::varbytes::encode(&vec![::varbytes::Variant::from(7)].into()).unwrap();
    run::records([::varbytes::encode(&"a".into()).unwrap(), array, vec![0; 4]], big_endian)
}

#[test]
fn decode_and_inspect_show_each_record() {
    for (option, big_endian) in [("", false), ("--big-endian", true)] {
        let input = three_records(big_endian);
        let output = varbytes(&format!("decode --records {option}"), &input);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let expected = format!(
            "{{\"type\":\"String\",\"value\":\"a\"}}\n{{\"type\":\"Array\",\"value\":[{SEVEN}]}}\n{{\"type\":\"Nil\",\"value\":null}}\n"
        );
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
        let output = varbytes(&format!("inspect --records {option}"), &input);
        let expected = "\
record 1, at offset 0 (0x0)
00000000  04000000 01000000 61000000           String \"a\"

record 2, at offset 16 (0x10)
00000000  1c000000 01000000                    Array of 1
00000008  02000000 07000000                    . int 7

record 3, at offset 36 (0x24)
00000000  00000000                             Nil

";
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
    assert_eq!(varbytes("decode --records --lines", b"").status.code(), Some(2));
}

#[test]
fn the_records_before_a_damaged_one_are_shown_and_the_error_names_it() {
    let good = three_records(false);
    let input = [&good[..], &run::record(&[2, 0, 0, 0], false)].concat();
    for action in ["decode", "inspect"] {
        let output = varbytes(&format!("{action} --records"), &input);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.starts_with(&varbytes(&format!("{action} --records"), &good).stdout));
        let expected = "varbytes: record 4, at offset 44 of the input: cannot be read: needs 4 bytes, 0 are left, at \
                        offset 4 (0x4), path $\n";
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected, "{action}");
        let output = varbytes(&format!("{action} --records"), &input[..46]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("record 4, at offset 44 of the input: the input ends after 2 of the 4"), "{message}");
    }
}

#[test]
fn bytes_after_the_values_of_records_are_mentioned_once() {
    let longer = run::record(&[&SEVEN_BYTES[..], &[1]].concat(), false);
    let output = varbytes("decode --records", &[three_records(false), longer.repeat(2)].concat());
    assert!(output.status.success(), "{output:?}");
    let expected = "varbytes: ignored bytes after the value of 2 records, first of record 4, at offset 44 of the \
                    input; use --strict to refuse them\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
    assert_eq!(varbytes("decode --records --strict", &longer).status.code(), Some(1));
}

#[test]
fn refused_objects_name_the_option_that_allows_them() {
    let object = hex::decode(OBJECT_HEX).unwrap();
    for (arguments, input) in [
        ("decode", &object[..]),
        ("inspect", &object),
        ("decode --records", &run::record(&object, false)),
        ("convert --from 4.6 --to 3.6", &object),
        ("encode", OBJECT.as_bytes()),
    ] {
        let output = varbytes(arguments, input);
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            message.contains("full objects are not allowed, ") && message.ends_with("; use --objects\n"),
            "{arguments}: {message}"
        );
    }
}

#[test]
fn an_engine_version_has_one_name_in_all_commands() {
    let pool = [21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0];
    let output = varbytes("decode --from 3.6", &pool);
    assert_eq!(output.stdout, varbytes("decode --engine 3.6", &pool).stdout);
    assert_eq!(varbytes("encode --to 3.6", &output.stdout).stdout, pool);
}

#[test]
fn a_line_that_is_too_long_is_an_answer_and_the_next_line_is_read() {
    let value = r#"{"ok":{"type":"int","value":"7"},"used":8}"#;
    let input = format!("0200000007000000\n{}\n0200000007000000\n", "0".repeat(1 << 20));
    let answers = lines("decode --lines --max-length 16", &input);
    let error = r#"{"error":{"kind":"line_too_long","category":"limit","offset":16,"path":"$","message":"the line has more than 16 bytes; see --max-length"}}"#;
    assert_eq!(answers, [value, error, value]);
    let answers = lines("inspect --lines --max-length 15", "0200000007000000\n00000000");
    assert_eq!(answers[0], "the line has more than 15 bytes; see --max-length");
    assert_eq!(answers[2], "00000000  00000000                             Nil");
}

#[test]
fn input_and_records_have_a_maximum_length_by_option() {
    for arguments in ["decode", "inspect", "convert --from 4.6 --to 3.6"] {
        assert!(varbytes(&format!("{arguments} --max-length 8"), &SEVEN_BYTES).status.success());
        let output = varbytes(&format!("{arguments} --max-length 7"), &SEVEN_BYTES);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.ends_with("standard input has more than 7 bytes; see --max-length\n"), "{message}");
        let records = run::record(&SEVEN_BYTES, false);
        assert!(varbytes(&format!("{arguments} --records --max-length 8"), &records).status.success());
        let output = varbytes(&format!("{arguments} --records --max-length 7"), &records);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("the record has 8 bytes, more than 7; see --max-length"), "{message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_line_without_an_end_takes_limited_memory() {
    let text = "ulimit -v 300000; head -c 400000000 /dev/zero | \"$0\" decode --lines; exit ${PIPESTATUS[1]}";
    let output = Command::new("bash").args(["-c", text, env!("CARGO_BIN_EXE_varbytes")]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.starts_with(br#"{"error":{"kind":"line_too_long""#), "{output:?}");
}

#[test]
fn the_version_has_the_name_of_the_command() {
    let output = varbytes("--version", b"");
    assert_eq!(output.stdout, concat!("varbytes ", env!("CARGO_PKG_VERSION"), "\n").as_bytes());
}
