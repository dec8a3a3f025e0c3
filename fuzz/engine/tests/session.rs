//! For every behaviour of an engine, the failing input is reported, and a failure is never treated as agreement.
//!
//! The engines here are shell scripts that pretend to be engines.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// `nil`, `true` and a truncated `null`, for Godot 4.
const INPUTS: [&[u8]; 3] = [b"\0\0\0\0\0\0", b"\0\0\x01\0\0\0\x01\0\0\0", b"\0\0\0\0"];

/// Rejects everything.
const REJECTS: &str = "answer";
/// Dies on `true`, and rejects everything else.
const DIES: &str = r#"[[ "$message" == *0100000001000000* ]] && exit 3; answer"#;
/// Dies on more than two questions.
const DIES_OVER_MANY: &str = "((questions > 2)) && exit 3; answer";
/// Answers too few questions.
const SKIPS: &str = "((questions--)); answer";
/// Never answers.
const HANGS: &str = "sleep 60";

struct Run {
    output: Output,
    folder: TempDir,
}

impl Run {
    /// Replays the inputs as files, or as a folder, with an engine that answers in this way.
    fn new(answering: &str, files: bool) -> Self {
        Self::with(answering, files, &[])
    }

    fn with(answering: &str, files: bool, variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inputs = folder.path().join("inputs");
        fs::create_dir(&inputs).unwrap();
        let paths: Vec<PathBuf> = (0..INPUTS.len()).map(|index| inputs.join(index.to_string())).collect();
        paths.iter().zip(INPUTS).for_each(|(path, input)| fs::write(path, input).unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_replay-engine"));
        command.arg("--target=engine_decode").args(if files { paths } else { vec![inputs] });
        command.arg(format!("-artifact_prefix={}/", folder.path().display()));
        command.env("GDRUST_GODOT_BIN", engine(folder.path(), "4.6.3", answering));
        command.env("VARBYTES_GODOT_3_6_BIN", engine(folder.path(), "3.6.2", answering));
        command.envs(variables.iter().copied());
        Self { output: command.output().unwrap(), folder }
    }

    fn said(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Returns the saved inputs whose names have this prefix.
    fn saved(&self, kind: &str) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap());
        let entries = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(kind));
        entries.map(|entry| fs::read(entry.path()).unwrap()).collect()
    }
}

/// A script that answers like an engine.
fn engine(folder: &Path, version: &str, answering: &str) -> PathBuf {
    let path = folder.join(version);
    let script = format!(
        r#"#!/bin/bash
[[ "$*" == *--version* ]] && {{ echo {version}.stable.false; exit; }}
exec 3<>/dev/tcp/127.0.0.1/"${{!#}}" || exit 4
number() {{ head -c 4 <&3 | od -An -tu4; }}
answer() {{
    printf "\\x$(printf %02x $((questions * 8)))\\0\\0\\0" >&3
    head -c $((questions * 8)) /dev/zero >&3
}}
while length=$(number) && [ -n "$length" ]; do
    message=$(head -c $((length)) <&3 | od -An -v -tx1 | tr -d ' \n')
    questions=$((16#${{message:0:2}}))
    {answering}
done
"#
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_disagreement_in_the_last_batch_is_saved_and_reported_like_libfuzzer_does() {
    let run = Run::new(REJECTS, false);
    let saved = run.saved("crash-");
    assert_eq!(saved.len(), 2, "{}", run.said());
    assert!(saved.iter().all(|input| INPUTS[..2].contains(&&**input)), "{saved:?}");
    let named = format!("Test unit written to {}/crash-", run.folder.path().display());
    assert_eq!(run.said().matches(&named).count(), 2, "{}", run.said());
    assert_eq!(run.output.status.code(), Some(77));
}

#[test]
fn a_single_file_is_judged_immediately_and_panics() {
    let run = Run::new(REJECTS, true);
    assert!(run.said().contains("panicked"), "{}", run.said());
    assert!(run.said().contains("the engine rejects it, but the codec reads Nil"), "{}", run.said());
    assert_eq!((run.saved("crash-").len(), run.output.status.code()), (0, Some(101)));
}

#[test]
fn an_input_on_which_the_engine_dies_is_found() {
    let run = Run::new(DIES, false);
    assert_eq!(run.saved("crash-"), [INPUTS[1]], "{}", run.said());
    assert!(run.said().contains("the engine has ended (exit code 3)"), "{}", run.said());
}

#[test]
fn an_engine_that_dies_on_no_single_input_saves_all_inputs_in_flight() {
    let run = Run::new(DIES_OVER_MANY, false);
    assert_eq!((run.saved("in-flight-").len(), run.saved("crash-").len()), (3, 0), "{}", run.said());
    assert!(!run.said().contains("Test unit written to"), "{}", run.said());
    assert_eq!(run.output.status.code(), Some(77));
}

#[test]
fn too_few_answers_are_a_failure() {
    let run = Run::new(SKIPS, false);
    assert!(run.said().contains("sent an invalid answer: no answer to"), "{}", run.said());
    assert_eq!(run.output.status.code(), Some(77));
}

#[test]
fn an_engine_that_hangs_is_a_failure() {
    let run = Run::with(HANGS, false, &[("VARBYTES_ANSWER_SECONDS", "2")]);
    assert!(run.said().contains("did not answer within 2.0 s and was killed"), "{}", run.said());
    assert_eq!(run.output.status.code(), Some(77));
}

#[test]
fn without_an_engine_there_is_no_finding_and_the_process_fails() {
    let run = Run::new(REJECTS, false);
    let inputs = run.folder.path().join("inputs");
    let nowhere = run.folder.path().join("nowhere");
    let mut command = Command::new(env!("CARGO_BIN_EXE_replay-engine"));
    command.arg("--target=engine_decode").arg(inputs).env("PATH", "").env("VARBYTES_CACHE", nowhere);
    command.env_remove("GDRUST_GODOT_BIN").env_remove("VARBYTES_GODOT_3_6_BIN");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("`cargo conformance` and `cargo fuzz-campaign` fetch it"), "{said}");
    assert!(!said.contains("Test unit written to"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}
