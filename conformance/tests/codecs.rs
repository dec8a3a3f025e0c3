//! Checks codecs that are wrong on purpose, each in one way, with `varbytes-conformance check`.
//!
//! This program is also these codecs: with a fault as its first argument, it answers lines. So it has its own `main`.

use std::fs;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};
use varbytes::variant::{Array, Reals};
use varbytes::{Decoder, Encoder, Precision, Variant, tagged_json};

/// A fault, and what the check must say about it.
struct Fault {
    name: &'static str,
    class: &'static str,
    /// A case that must be found.
    id: &'static str,
    section: &'static str,
    /// A part of the first difference.
    difference: &'static str,
}

const FAULTS: [Fault; 15] = [
    Fault {
        name: "reads-basis-by-columns",
        class: "wrong_value",
        id: "decode godot-4.6/Basis/ascending",
        section: "7. Vectors, transforms, colours",
        difference: "expected Basis",
    },
    Fault {
        name: "counts-no-padding",
        class: "wrong_value",
        id: "decode godot-4.6/String/one-byte",
        section: "6.1 The string field",
        difference: "the value takes 12 bytes",
    },
    Fault {
        name: "drops-element-types",
        class: "wrong_value",
        id: "decode godot-4.6/Array/of-int",
        section: "11.1 Layout",
        difference: "expected Array of Some(Builtin(Int))",
    },
    Fault {
        name: "reads-unsigned-ints",
        class: "wrong_value",
        id: "decode godot-4.6/int/-1",
        section: "5. Numbers",
        difference: "no int can hold it",
    },
    Fault {
        name: "writes-narrow-floats",
        class: "wrong_value",
        id: "encode godot-4.6/float/tenth",
        section: "5. Numbers",
        difference: "byte 2 of 12: expected 03000100",
    },
    Fault {
        name: "panics-without-a-header",
        class: "crash",
        id: "decode godot-4.6/rejected/header-of-3-bytes",
        section: "2. Header",
        difference: "there is no answer",
    },
    Fault {
        name: "overflows-its-stack",
        class: "crash",
        id: "decode godot-4.6/Array/nested-to-the-limit",
        section: "15. Depth and length",
        difference: "there is no answer",
    },
    Fault {
        name: "counts-up-to-any-count",
        class: "hang",
        id: "decode godot-4.6/rejected/Array-count-max",
        section: "11.1 Layout",
        difference: "there is no answer",
    },
    Fault {
        name: "allocates-for-any-count",
        class: "memory",
        id: "decode godot-4.6/rejected/Array-count-max",
        section: "11.1 Layout",
        difference: "there is no answer",
    },
    Fault {
        name: "answers-twice",
        class: "bad_answer",
        id: "decode godot-4.6/Callable/empty",
        section: "9. RID, Callable, Signal",
        difference: "one line was expected",
    },
    Fault {
        name: "answers-without-json",
        class: "bad_answer",
        id: "encode godot-4.6/Callable/empty",
        section: "9. RID, Callable, Signal",
        difference: "not an answer in JSON",
    },
    Fault {
        name: "refuses-wide-ints",
        class: "valid_refused",
        id: "decode godot-4.6/int/2147483648",
        section: "5. Numbers",
        difference: "it is valid",
    },
    Fault {
        name: "reads-any-utf-8",
        class: "invalid_accepted",
        id: "decode godot-4.6/rejected/String-utf-8-surrogate-first",
        section: "6.2 Which bytes are text",
        difference: "",
    },
    Fault {
        name: "writes-any-depth",
        class: "invalid_accepted",
        id: "encode godot-4.6/refused/arrays-too-deep",
        section: "15. Depth and length",
        difference: "nested more than 1025 levels deep",
    },
    Fault {
        name: "writes-wide-ints",
        class: "not_canonical",
        id: "encode godot-4.6/int/0",
        section: "5. Numbers",
        difference: "an engine reads the same value",
    },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if words.get(2).is_some_and(|word| word == "decode" || word == "encode") {
        answer_lines(&words[1], words[2] == "decode", words.iter().any(|word| word == "--objects"));
        return ExitCode::SUCCESS;
    }
    let mut trials: Vec<Trial> = FAULTS
        .iter()
        .map(|fault| {
            Trial::test(format!("{} is found", fault.name.replace('-', "_")), || is_found(fault).map_err(Into::into))
        })
        .collect();
    let others: [(&str, fn()); 14] = [
        ("a_codec_without_faults_has_no_findings", a_codec_without_faults_has_no_findings),
        ("answers_may_be_held_back", answers_may_be_held_back),
        ("a_crash_is_found_when_answers_are_held_back", a_crash_is_found_when_answers_are_held_back),
        ("types_that_a_codec_skips_are_shown", types_that_a_codec_skips_are_shown),
        ("types_named_by_skip_are_not_asked_about", types_named_by_skip_are_not_asked_about),
        ("other_engines_have_suites", other_engines_have_suites),
        ("an_unknown_engine_is_an_error_that_lists_the_known_ones", an_unknown_engine_is_an_error),
        ("a_command_that_is_not_a_codec_is_an_error", a_command_that_is_not_a_codec_is_an_error),
        ("with_a_baseline_only_what_became_worse_fails", with_a_baseline_only_what_became_worse_fails),
        ("damaged_packets_are_shortened", damaged_packets_are_shortened),
        ("the_same_seed_asks_the_same_questions", the_same_seed_asks_the_same_questions),
        ("reports_have_every_form", reports_have_every_form),
        ("hostile_answers_do_not_break_the_page", hostile_answers_do_not_break_the_page),
        ("the_python_codec_of_the_page_works", the_python_codec_of_the_page_works),
    ];
    trials.extend(others.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

// The codecs.

fn answer_lines(fault: &str, decodes: bool, objects: bool) {
    let mut held = String::new();
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        let answer = if decodes { decode(fault, &line, objects) } else { encode(fault, &line, objects) };
        held.push_str(&answer);
        held.push('\n');
        if !fault.starts_with("holds-back") {
            stdout().write_all(held.as_bytes()).unwrap();
            held.clear();
        }
    }
    stdout().write_all(held.as_bytes()).unwrap();
}

fn word(bytes: &[u8], offset: usize) -> u32 {
    bytes.get(offset..offset + 4).map_or(0, |word| u32::from_le_bytes(word.try_into().unwrap()))
}

fn decode(fault: &str, line: &str, objects: bool) -> String {
    let bytes = hex::decode(line).unwrap();
    let (header, count) = (word(&bytes, 0), word(&bytes, 4));
    let is_large_array = header == 28 && (1 << 20..1 << 31).contains(&count);
    match fault {
        "panics-without-a-header" | "holds-back-and-panics" => drop(bytes[..4].to_vec()),
        "overflows-its-stack" if bytes.len() > 8000 && header == 28 && word(&bytes, 8) == 28 => std::process::abort(),
        "counts-up-to-any-count" if is_large_array => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        "allocates-for-any-count" if is_large_array => {
            let mut allocated: Vec<Vec<u8>> = Vec::new();
            loop {
                allocated.push(vec![1; 1 << 22]);
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
        }
        "answers-twice" if header == 25 => return "{\"skip\":1}\n{\"skip\":2}".to_owned(),
        "refuses-wide-ints" if header == 0x1_0002 => return json!({"error": "64 bits"}).to_string(),
        "skips-colors" if header == 20 => return json!({"skip": "Color"}).to_string(),
        "says-script" if header == 20 => return json!({"error": "<script>alert(1)</script> `]]> \u{7}"}).to_string(),
        _ => {}
    }
    let decoder = Decoder::new().precision(Precision::Single).objects(objects);
    match decoder.decode_prefix(&bytes) {
        Ok(mut decoded) => {
            match (fault, &mut decoded.value) {
                ("reads-basis-by-columns", value) => transpose(value),
                ("counts-no-padding", Variant::String(text)) => decoded.used = 8 + text.as_str().len(),
                ("drops-element-types", Variant::Array(array)) => {
                    *array = Array::with_type(None, std::mem::take(array).into_elements()).unwrap();
                }
                ("reads-unsigned-ints", Variant::Int(number)) => {
                    let number = number.cast_unsigned().to_string();
                    return json!({"ok": {"type": "int", "value": number}, "used": decoded.used}).to_string();
                }
                _ => {}
            }
            format!("{{\"ok\":{},\"used\":{}}}", tagged_json::to_string(&decoded.value), decoded.used)
        }
        Err(_) if fault == "reads-any-utf-8" && header == 4 && bytes.len() >= 8 + count as usize => {
            let text = String::from_utf8_lossy(&bytes[8..8 + count as usize]).into_owned();
            json!({"ok": {"type": "String", "value": text}, "used": bytes.len()}).to_string()
        }
        Err(error) => json!({"error": {"message": error.to_string()}}).to_string(),
    }
}

fn transpose(value: &mut Variant) {
    let varbytes::VariantType::Basis = value.variant_type() else { return };
    let Some(Reals::Single(&[a, b, c, d, e, f, g, h, i])) = value.as_reals() else { return };
    let columns = [a, d, g, b, e, h, c, f, i];
    *value = Variant::from_reals(varbytes::VariantType::Basis, Reals::Single(&columns)).unwrap();
}

fn encode(fault: &str, line: &str, objects: bool) -> String {
    let value = tagged_json::from_str(line).unwrap();
    let hexadecimal = |bytes: &[u8]| json!({"ok": hex::encode(bytes)}).to_string();
    match (fault, &value) {
        ("writes-narrow-floats", Variant::Float(number)) if !number.is_nan() => {
            #[expect(clippy::cast_possible_truncation, reason = "the fault")]
            let narrow = *number as f32;
            return hexadecimal(&[3u32.to_le_bytes(), narrow.to_le_bytes()].concat());
        }
        ("writes-wide-ints", Variant::Int(number)) => {
            return hexadecimal(&[&0x1_0002_u32.to_le_bytes()[..], &number.to_le_bytes()[..]].concat());
        }
        ("answers-without-json", Variant::Callable) => return "OK 19000000".to_owned(),
        _ => {}
    }
    match Encoder::new().objects(objects).encode(&value) {
        Ok(bytes) => hexadecimal(&bytes),
        Err(_) if fault == "writes-any-depth" => hexadecimal(&nested(&value)),
        Err(error) => json!({"error": error.to_string()}).to_string(),
    }
}

/// Writes arrays of one element at any depth.
fn nested(mut value: &Variant) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Variant::Array(array) = value
        && let [inner] = array.elements()
    {
        bytes.extend([28, 0, 0, 0, 1, 0, 0, 0]);
        value = inner;
    }
    bytes.extend(varbytes::encode(value).unwrap_or_default());
    bytes
}

// The checks.

/// Runs the check of a codec of this program.
fn check(fault: &str, arguments: &[&str]) -> Output {
    let program = std::env::current_exe().unwrap();
    check_command(&format!("'{}' {fault}", program.display()), arguments)
}

fn check_command(command: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_varbytes-conformance"))
        .args(["check", "--command", command])
        .args(arguments)
        // Not the repository: the vectors are in the program.
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn findings(report: &Value) -> Vec<&Value> {
    report["findings"].as_array().unwrap().iter().collect()
}

fn is_found(fault: &Fault) -> Result<(), String> {
    let seconds = if fault.class == "hang" { "0.5" } else { "30" };
    let limits = ["--time-limit", seconds, "--memory-limit", "128", "--packets", "0", "--report", "json"];
    let output = check(fault.name, &limits);
    let report = report(&output);
    let findings = findings(&report);
    let others: Vec<_> = findings.iter().filter(|finding| finding["class"] != fault.class).collect();
    if output.status.code() != Some(1) || !others.is_empty() {
        let shown: String = format!("{others:?}").chars().take(2000).collect();
        return Err(format!("other classes than {}: {shown}, {}", fault.class, output.status));
    }
    let finding = findings.iter().find(|finding| finding["id"] == fault.id);
    let Some(finding) = finding else {
        let ids: Vec<_> = findings.iter().map(|finding| &finding["id"]).collect();
        return Err(format!("{} is not found, only {ids:?}", fault.id));
    };
    let explains = finding["section"] == fault.section
        && finding["difference"].as_str().is_some_and(|difference| difference.contains(fault.difference))
        && finding["expected"].as_str().is_some_and(|expected| !expected.is_empty())
        && finding["found"].as_str().is_some_and(|found| !found.is_empty());
    if explains { Ok(()) } else { Err(format!("not explained: {finding}")) }
}

fn a_codec_without_faults_has_no_findings() {
    let output = check("none", &["--report", "json"]);
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{:?}", findings(&report));
    assert!(report["scores"]["damaged packets"]["decode"]["right"].as_u64().unwrap() > 1900);
    assert!(report["skipped"].as_array().unwrap().is_empty());
}

fn answers_may_be_held_back() {
    let output = check("holds-back", &["--packets", "0"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

fn a_crash_is_found_when_answers_are_held_back() {
    let output = check("holds-back-and-panics", &["--packets", "0", "--report", "json"]);
    let report = report(&output);
    let found = findings(&report);
    assert!(found.len() >= 4 && found.iter().all(|finding| finding["class"] == "crash"), "{found:?}");
    assert!(found.iter().all(|finding| finding["input"].as_str().unwrap().len() < 8), "{found:?}");
}

fn types_that_a_codec_skips_are_shown() {
    let output = check("skips-colors", &["--packets", "0"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let row = text.lines().find(|line| line.contains(" Color ")).unwrap();
    assert!(row.contains("skipped") && row.contains("20/20"), "{row}");
    assert!(text.contains("cases, Color."), "{text}");
}

fn types_named_by_skip_are_not_asked_about() {
    let arguments = ["--packets", "0", "--skip", "Color,Basis", "--report", "json", "--no-objects"];
    let report = report(&check("reads-basis-by-columns", &arguments));
    assert!(findings(&report).is_empty(), "{report}");
    assert_eq!(report["scores"]["Color"]["decode"], json!({"right": 0, "wrong": 0, "skipped": 20}));
    let skipped = report["skipped"].as_array().unwrap();
    assert!(skipped.iter().any(|skipped| skipped["reason"] == "full objects"));
    assert!(skipped.iter().any(|skipped| skipped["reason"] == "Basis"));
}

fn other_engines_have_suites() {
    // This codec is for Godot 4, so it fails with the types of others, but every suite is asked.
    for (engine, origin) in [
        ("godot-3.6", "Godot 3.6.2"),
        ("godot-3.2", "Godot 3.2.3"),
        ("godot-4.4-double", "captured/godot-4.4-double (captured)"),
        ("pandemonium-5", "captured/pandemonium-5.3 (captured)"),
        ("godot-2.1", "captured/godot-1-generation (captured)"),
        ("godot-3.1", "public/godot-3.1 (seen in public)"),
        ("godot-4.0", "derived/godot-4.0 (derived, not observed)"),
    ] {
        let report = report(&check("none", &["--engine", engine, "--packets", "0", "--report", "json"]));
        let origins = report["origins"].as_array().unwrap();
        assert!(origins.iter().any(|found| found == origin), "{engine}: {origins:?}");
        assert!(!report["scores"].as_object().unwrap().is_empty());
    }
}

fn an_unknown_engine_is_an_error() {
    let output = check("none", &["--engine", "godot-9"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("godot-9") && said.contains("godot-3.6") && said.contains("pandemonium-5"), "{said}");
}

fn a_command_that_is_not_a_codec_is_an_error() {
    for (command, part) in
        [("/nowhere/codec", "cannot start"), ("true", "ended without an answer"), ("'open", "cannot split")]
    {
        let output = check_command(command, &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(part), "{said}");
    }
}

fn with_a_baseline_only_what_became_worse_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baseline.json");
    let file = format!("json={}", path.display());
    let baseline = ["--baseline", path.to_str().unwrap()];
    assert_eq!(check("writes-wide-ints", &["--packets", "50", "--report", &file]).status.code(), Some(1));
    assert_eq!(check("writes-wide-ints", &[&["--packets", "50"][..], &baseline].concat()).status.code(), Some(0));
    assert_eq!(check("none", &[&["--packets", "50"][..], &baseline].concat()).status.code(), Some(0));
    let forms = ["--report", "text", "--report", "junit", "--report", "markdown", "--packets", "50"];
    let output = check("refuses-wide-ints", &[&forms[..], &baseline].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("Worse than the baseline") && text.contains("\n  decode godot-4.6/int/2147483648"), "{text}");
    assert!(text.contains("type=\"valid refused\"") && text.contains("\n- ` decode godot-4.6/int/2147483648 `"));
    let output = check("writes-wide-ints", &[&["--report", "junit", "--packets", "50"][..], &baseline].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("failures=\"0\"") && text.contains("no worse than in the baseline: not canonical"), "{text}");
}

fn damaged_packets_are_shortened() {
    let output = check("refuses-wide-ints", &["--packets", "4000", "--report", "json"]);
    let report = report(&output);
    let findings = findings(&report);
    let shortened = findings.iter().find(|finding| finding["shortened_from"].is_number());
    let shortened = shortened.expect("a damaged packet that is a wide int");
    assert_eq!(shortened["judge"], "varbytes");
    assert_eq!(shortened["input"], "020001000000000000000000", "{shortened}");
}

fn the_same_seed_asks_the_same_questions() {
    let ids = |seed| {
        let output = check("refuses-wide-ints", &["--packets", "2000", "--seed", seed, "--report", "json"]);
        let report = report(&output);
        findings(&report).iter().map(|finding| finding["id"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids("7"), ids("7"));
    assert_ne!(ids("7"), ids("8"));
}

fn reports_have_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let file = |format: &str| format!("{format}={}", folder.path().join(format).display());
    let formats = ["text", "json", "junit", "html", "markdown"];
    let files = formats.map(file);
    let arguments: Vec<&str> = files.iter().flat_map(|file| ["--report", file]).chain(["--packets", "0"]).collect();
    let output = check("writes-wide-ints", &arguments);
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("28 wrong (28 not canonical)"), "{output:?}");
    for format in formats {
        let text = fs::read_to_string(folder.path().join(format)).unwrap();
        assert!(text.contains("godot-4.6/int/0"), "{format}");
    }
    let junit = fs::read_to_string(folder.path().join("junit")).unwrap();
    assert!(
        junit.contains("failures=\"28\"") && junit.contains("<testcase name=\"decode godot-4.6/int/0\""),
        "{junit}"
    );
}

fn hostile_answers_do_not_break_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = |format: &str| folder.path().join(format);
    let files = ["html", "junit", "markdown"].map(|format| format!("{format}={}", path(format).display()));
    let arguments: Vec<&str> = files.iter().flat_map(|file| ["--report", file]).chain(["--packets", "0"]).collect();
    let output = check("says-script", &arguments);
    let read = |format: &str| fs::read_to_string(path(format)).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert!(read("html").contains("&lt;script&gt;alert(1)") && !read("html").contains("<script"));
    assert!(read("junit").contains("&lt;script&gt;") && !read("junit").contains('\u{7}'));
    assert!(read("markdown").contains("`` the error: <script>alert(1)</script> `]]>"));
}

fn the_python_codec_of_the_page_works() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = std::io::stderr().write_all(b"NOTICE: no python3 found, the codec of CODECS.md is not tried\n");
        return;
    }
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CODECS.md")).unwrap();
    let codec = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a codec");
    assert!(codec.lines().count() <= 10, "{codec}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my_codec.py");
    fs::write(&path, codec).unwrap();
    let output = check_command(&format!("python3 '{}'", path.display()), &["--report", "json"]);
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{:?}", findings(&report));
    assert!(report["scores"]["int"]["decode"]["right"].as_u64().unwrap() > 20, "{}", report["scores"]["int"]);
    assert!(report["scores"]["int"]["encode"]["right"].as_u64().unwrap() > 20, "{}", report["scores"]["int"]);
}
