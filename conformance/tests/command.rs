//! The command `cargo conformance` as people and machines run it, with and without an engine.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use varbytes_conformance::engine::{EnginePackage, locate};

fn conformance(arguments: &[&str], cache: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(arguments).env("VARBYTES_CACHE", cache).env_remove("GDRUST_GODOT_BIN");
    command
}

/// Runs it on a machine that has no engine and no apt to fetch one with.
fn without_engine(arguments: &[&str]) -> Output {
    let empty = tempfile::tempdir().unwrap();
    conformance(arguments, empty.path()).env("PATH", empty.path()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_an_engine_it_says_so_and_checks_the_committed_vectors() {
    let output = without_engine(&[]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("No engine can be had: "), "{said}");
    assert!(said.contains("GDRUST_GODOT_BIN"), "what to do is not said: {said}");
    assert!(said.contains("checking the committed vectors"), "{said}");
    assert!(said.contains("PackedVector4Array") && said.contains("All agree."), "{said}");
}

#[test]
fn without_an_engine_that_is_required_it_fails() {
    let output = without_engine(&["--require-engine"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("--require-engine"), "{output:?}");
}

#[test]
fn an_engine_that_is_named_and_cannot_be_used_is_an_error_and_not_passed_over() {
    let empty = tempfile::tempdir().unwrap();
    let output = conformance(&[], empty.path()).env("GDRUST_GODOT_BIN", "/nowhere/godot").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("GDRUST_GODOT_BIN"), "{output:?}");
}

/// Runs it with the engine of this machine behind a script that says another version, or does something else
/// first; `None` after saying so where there is no engine.
#[cfg(unix)]
fn with_engine_behind(script: &str) -> Option<Output> {
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    let Some(engine) = locate(EnginePackage::GODOT_4).unwrap() else {
        let _ = std::io::stderr().write_all(b"NOTICE: no engine found, cargo conformance is not tried with one\n");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("godot");
    let launcher: Vec<_> = engine.launcher.iter().map(|part| format!("'{}'", part.display())).collect();
    fs::write(&path, script.replace("ENGINE", &launcher.join(" "))).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    Some(conformance(&["--packets", "500"], folder.path()).env("GDRUST_GODOT_BIN", &path).output().unwrap())
}

#[cfg(unix)]
#[test]
fn an_engine_newer_than_the_table_runs_with_the_newest_profile_and_a_notice() {
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 4.99.stable.official; exit; }\nexec ENGINE \"$@\"\n";
    let Some(output) = with_engine_behind(script) else { return };
    let said = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("NOTICE: this engine is newer"), "{said}");
    assert!(said.contains("read and written as godot-4.6"), "{said}");
    assert!(said.contains("not compared"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_generator_that_does_not_say_it_is_complete_is_a_failure() {
    let script = "#!/bin/sh\nENGINE \"$@\" | grep -v complete\n";
    let Some(output) = with_engine_behind(script) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("the generator"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_crash_of_the_engine_is_a_failure() {
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && exec ENGINE \"$@\"\nENGINE \"$@\"\nkill -SEGV $$\n";
    let Some(output) = with_engine_behind(script) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("the generator"), "{output:?}");
}
