//! Runs the command `cargo conformance` with and without an engine.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use varbytes_conformance::engine::{EnginePackage, locate};
use varbytes_conformance::reference::Reference;

fn conformance(arguments: &[&str], cache: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_varbytes-conformance"));
    command.args(arguments).env("VARBYTES_CACHE", cache);
    for package in EnginePackage::ALL {
        command.env_remove(package.variable);
    }
    command
}

/// Runs it without an engine and without apt.
fn without_engine(arguments: &[&str]) -> Output {
    let empty = tempfile::tempdir().unwrap();
    conformance(arguments, empty.path()).env("PATH", empty.path()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_an_engine_the_committed_vectors_are_checked() {
    let output = without_engine(&[]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    for package in EnginePackage::ALL {
        assert!(said.contains(&format!("{package} is not available: ")), "{said}");
        assert!(said.contains(package.variable), "the variable is not named: {said}");
    }
    assert!(said.contains("the committed vectors are checked"), "{said}");
    assert!(said.contains("4.6.3") && said.contains("3.6.2") && said.contains("3.2.3"), "{said}");
    assert!(said.contains("PackedVector4Array") && said.contains("All agree."), "{said}");
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt;

    let cache = tempfile::tempdir().unwrap();
    let engine = cache.path().join("varbytes/engines/godot-forky/usr/bin/godot");
    fs::create_dir_all(engine.parent().unwrap()).unwrap();
    fs::write(&engine, "#!/bin/sh\ntouch \"$(dirname \"$0\")/started\"\n").unwrap();
    fs::set_permissions(cache.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let empty = tempfile::tempdir().unwrap();
    let output = conformance(&["--require-engine"], cache.path()).env("PATH", empty.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("can be written to by others") && said.contains("VARBYTES_CACHE"), "{output:?}");
    assert!(!engine.with_file_name("started").exists(), "a program in the cache was started");
}

#[test]
fn a_missing_required_engine_is_a_failure() {
    let output = without_engine(&["--require-engine"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Godot 4 is required but not available"), "{output:?}");
}

#[test]
fn without_an_engine_an_update_fails() {
    let output = without_engine(&["--update"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn any_missing_required_engine_is_a_failure() {
    let output = without_engine(&["--engine", "godot-3.2", "--require-engine"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Godot 3.2 is required but not available"), "{output:?}");
}

#[test]
fn an_unknown_engine_is_refused_with_a_list_of_known_ones() {
    let output = without_engine(&["--engine", "godot-3.5"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(Reference::ALL.iter().all(|reference| said.contains(reference.name)), "{said}");
}

#[test]
fn only_the_named_engines_are_used() {
    let output = without_engine(&["--engine", "godot-3.6", "--engine", "godot-3.2"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("Godot 3.6 is not available") && said.contains("Godot 3.2 is not available"), "{said}");
    assert!(!said.contains("Godot 4"), "{said}");
}

#[test]
fn derived_vectors_are_shown_as_not_observed() {
    let output = without_engine(&["--engine", "godot-3.2"]);
    assert!(text(&output.stdout).contains("derived, not observed"), "{output:?}");
}

#[test]
fn an_unusable_named_engine_is_an_error_and_not_skipped() {
    let empty = tempfile::tempdir().unwrap();
    let output = conformance(&[], empty.path()).env("GDRUST_GODOT_BIN", "/nowhere/godot").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("GDRUST_GODOT_BIN"), "{output:?}");
}

#[test]
fn the_page_shows_engines_types_rules_and_divergences() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let output = without_engine(&["--report", &format!("html={}", path.display())]);
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(path).unwrap();
    for part in ["All agree.", "Godot 4.6.3", "PackedVector4Array", "captured/godot-4.2.jsonl", "depth limit"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("Only the engine knows which scripts a project has"));
}

#[test]
fn a_build_that_does_not_exist_is_an_error() {
    let output = without_engine(&["--godot", "/nowhere/godot"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("/nowhere/godot --version"), "{output:?}");
}

/// Compares this machine's engine as any build. Prints a notice and returns `None` if there is no engine.
#[cfg(unix)]
fn as_any_build(arguments: &[&str]) -> Option<Output> {
    use std::io::Write;

    let Some(engine) = locate(EnginePackage::GODOT_4).unwrap() else {
        let _ = std::io::stderr().write_all(b"NOTICE: no engine found, --godot is not tried with one\n");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("godot");
    let launcher: Vec<_> = engine.launcher.iter().map(|part| format!("'{}'", part.display())).collect();
    fs::write(&path, format!("#!/bin/sh\nexec {} \"$@\"\n", launcher.join(" "))).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = path.to_string_lossy().into_owned();
    let mut command = conformance(&["--packets", "300", "--seed", "1", "--godot", &program], folder.path());
    Some(command.args(arguments).current_dir(folder.path()).output().unwrap())
}

#[cfg(unix)]
#[test]
fn any_build_is_compared_with_its_profile() {
    let Some(output) = as_any_build(&[]) else { return };
    let said = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("compared with the profile godot-4.6.3") && said.contains("none wrong"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_build_that_differs_from_its_profile_is_reported_by_rule() {
    let Some(output) = as_any_build(&["--profile", "godot-4.3"]) else { return };
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said.contains("of Dictionary, ") && said.contains("FORMAT.md, 11. Array and Dictionary"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_fork_may_have_other_endings() {
    // This engine reads no such scripts, so the run fails, and says which script it tried.
    let Some(output) = as_any_build(&["--script-ending", "other"]) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("judge"), "{output:?}");
}

/// Runs it with this machine's engine wrapped in a script that prints another version, or does something else first.
/// Prints a notice and returns `None` if there is no engine.
#[cfg(unix)]
fn with_wrapped_engine(script: &str) -> Option<Output> {
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
    Some(
        conformance(&["--packets", "500", "--engine", "godot-4.6"], folder.path())
            .env("GDRUST_GODOT_BIN", &path)
            .output()
            .unwrap(),
    )
}

#[cfg(unix)]
#[test]
fn an_engine_newer_than_the_table_runs_with_the_newest_profile_and_a_notice() {
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && { echo 4.99.stable.official; exit; }\nexec ENGINE \"$@\"\n";
    let Some(output) = with_wrapped_engine(script) else { return };
    let said = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("NOTICE: this engine is newer"), "{said}");
    assert!(said.contains("read and written as godot-4.6"), "{said}");
    assert!(said.contains("not compared"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_generator_that_does_not_report_completion_is_a_failure() {
    let script = "#!/bin/sh\nENGINE \"$@\" | grep -v complete\n";
    let Some(output) = with_wrapped_engine(script) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("the generator"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_crash_of_the_engine_is_a_failure() {
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && exec ENGINE \"$@\"\nENGINE \"$@\"\nkill -SEGV $$\n";
    let Some(output) = with_wrapped_engine(script) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text(&output.stderr).contains("the generator"), "{output:?}");
}
