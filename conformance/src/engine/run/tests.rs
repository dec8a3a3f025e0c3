//! Tests every kind of failure in real engines.

use std::io::Write;
use std::sync::LazyLock;
use std::thread;

use rstest::rstest;

use super::*;
use crate::engine::{EnginePackage, locate, stage_project};

/// The engines on this machine. A missing engine is reported even if the test passes.
static ENGINES: LazyLock<Vec<Engine>> = LazyLock::new(|| {
    let mut found = Vec::new();
    for package in EnginePackage::ALL {
        match locate(package).expect("what is named or fetched is usable") {
            Some(engine) => found.push(engine),
            None => {
                // Written directly to the stream, because the output of `eprintln!` is hidden if a test passes.
                let line = format!("NOTICE: {package} was not found, so it was not tested\n");
                let _ = io::stderr().write_all(line.as_bytes());
            }
        }
    }
    found
});

/// Runs the body of `_init` in all engines in parallel and passes the result to `look`.
fn in_each(body: &str, set: impl Fn(&mut RunRequest<'_>) + Sync, look: impl Fn(Result<RunOutput, RunError>) + Sync) {
    let script = format!("extends SceneTree\nfunc _init():\n\t{}\n", body.replace('\n', "\n\t"));
    let try_in = |engine: &Engine| {
        let project = TempDir::new().expect("a folder");
        let heart = format!("config_version={}\n[application]\nconfig/name=\"run\"\n", engine.version.major + 1);
        fs::write(project.path().join("project.godot"), heart).expect("a file");
        fs::write(project.path().join("run.gd"), &script).expect("a file");
        let mut request = RunRequest::new(project.path(), "res://run.gd");
        request.timeout = Duration::from_secs(60);
        set(&mut request);
        look(engine.run(&request));
    };
    thread::scope(|scope| {
        for engine in ENGINES.iter() {
            let try_in = &try_in;
            scope.spawn(move || try_in(engine));
        }
    });
}

#[test]
fn a_finished_script_is_complete() {
    let body = "print('{\"complete\": true, \"cases\": 7}')\nquit()";
    in_each(
        body,
        |_| (),
        |result| {
            let output = result.expect("success");
            assert_eq!(output.completion().expect("complete")["cases"], 7);
            assert!(output.stdout.starts_with("Godot Engine"), "{}", output.stdout);
        },
    );
}

#[test]
fn arguments_and_environment_arrive() {
    let body = "print(OS.get_environment('SPOKEN'), ' ', OS.call(\n\
        'get_cmdline_user_args' if OS.has_method('get_cmdline_user_args') else 'get_cmdline_args'))\nquit()";
    let set = |request: &mut RunRequest<'_>| {
        request.arguments = vec!["--case".into(), "two words".into()];
        request.environment = vec![("SPOKEN".into(), "heard".into())];
    };
    in_each(body, set, |result| {
        let output = result.expect("success");
        let last = output.stdout.lines().last().expect("a line");
        assert!(last.starts_with("heard ") && last.contains("two words"), "{last}");
    });
}

#[test]
fn an_unfinished_script_is_incomplete() {
    in_each(
        "print('{\"complete\": false}')\nquit()",
        |_| (),
        |result| {
            let error = result.expect("success").completion().expect_err("no sentinel");
            assert!(matches!(&error, RunError::Incomplete { last, .. } if last.contains("false")), "{error}");
        },
    );
}

#[rstest]
#[case::runtime("var nothing = null\nnothing.call_it()\nquit()", "SCRIPT ERROR")]
#[case::parse("var = = 3", "Parse Error")]
#[case::missing_file("load('res://no/such.gd').new()\nquit()", "res://no/such.gd")]
fn a_reported_error_fails_the_run(#[case] body: &str, #[case] words: &str) {
    in_each(
        body,
        |_| (),
        |result| {
            let error = result.expect_err("failure");
            assert!(matches!(error, RunError::Reported { .. }), "{error}");
            assert!(error.to_string().contains(words), "{error}");
        },
    );
}

#[test]
fn a_missing_script_fails_the_run() {
    in_each(
        "pass",
        |request| request.script = Some("res://nowhere.gd"),
        |result| {
            let error = result.expect_err("failure");
            assert!(matches!(error, RunError::Reported { .. }), "{error}");
        },
    );
}

#[test]
fn an_extension_that_does_not_load_fails_the_run() {
    let Some(engine) = ENGINES.iter().find(|engine| engine.version.major >= 4) else {
        return;
    };
    let project = TempDir::new().expect("a folder");
    let extension = "[configuration]\nentry_symbol = \"init\"\ncompatibility_minimum = \"4.1\"\n\
        [libraries]\nlinux = \"res://none.so\"\nmacos = \"res://none.so\"\nwindows = \"res://none.so\"\n";
    let script = "extends SceneTree\nfunc _init():\n\tquit()\n";
    for (name, text) in [("project.godot", "config_version=5\n"), ("none.gdextension", extension), ("run.gd", script)] {
        fs::write(project.path().join(name), text).expect("a file");
    }
    let stage = stage_project(project.path(), &[]).expect("a copy");
    let error = engine.run(&RunRequest::new(stage.path(), "res://run.gd")).expect_err("failure");
    assert!(matches!(error, RunError::Reported { .. }), "{error}");
    assert!(!project.path().join(".godot").exists());
}

#[test]
fn script_errors_can_be_left_to_the_script() {
    let body = "call_deferred('quit')\nvar nothing = null\nnothing.call_it()";
    in_each(
        body,
        |request| request.allow_script_errors = true,
        |result| {
            let output = result.expect("success");
            assert!(output.stderr.contains("SCRIPT ERROR"), "{}", output.stderr);
        },
    );
}

#[test]
fn an_exit_code_fails_the_run() {
    // Godot 3.2 has no argument to `quit`.
    let body = "set('exit_code', 3)\nOS.set('exit_code', 3)\nif Engine.get_version_info().major >= 4:\n\tcall('quit', 3)\nelse:\n\tquit()";
    in_each(
        body,
        |_| (),
        |result| {
            let error = result.expect_err("failure");
            assert!(matches!(error, RunError::ExitCode { code: 3, .. }), "{error}");
        },
    );
}

#[rstest]
#[case::own("OS.crash('on purpose')", "signal")]
#[case::killed("OS.kill(OS.get_process_id())", "signal 9 (SIGKILL)")]
fn a_crash_is_told_as_one(#[case] body: &str, #[case] how: &str) {
    in_each(
        body,
        |_| (),
        |result| {
            let error = result.expect_err("failure");
            // Godot 3.2 has no `OS.crash`, which is a failure of another kind.
            let absent = error.to_string().contains("Nonexistent function 'crash'");
            assert!(absent || matches!(error, RunError::Crashed { .. }), "{error}");
            assert!(absent || error.to_string().contains(how), "{error}");
        },
    );
}

#[test]
fn an_endless_script_is_killed_in_time() {
    let set = |request: &mut RunRequest<'_>| request.timeout = Duration::from_secs(5);
    in_each("print('still here')\nwhile true:\n\tpass", set, |result| {
        let error = result.expect_err("failure");
        assert!(matches!(error, RunError::TimedOut { .. }), "{error}");
        assert!(error.to_string().contains("still here"), "{error}");
    });
}

#[test]
fn a_leak_fails_only_where_asked() {
    let body = "Node.new()\nquit()";
    in_each(body, |_| (), |result| drop(result.expect("success")));
    in_each(
        body,
        |request| request.fail_on_leaks = true,
        |result| {
            let error = result.expect_err("failure");
            assert!(matches!(error, RunError::Leaked { .. }), "{error}");
        },
    );
}

#[test]
fn the_users_own_settings_are_left_alone() {
    in_each(
        "print(OS.get_user_data_dir())\nquit()",
        |_| (),
        |result| {
            let output = result.expect("success");
            let folder = output.stdout.lines().last().expect("a line");
            assert!(folder.contains("varbytes-home-"), "{folder}");
        },
    );
}

#[rstest]
#[case("SCRIPT ERROR: Invalid call.", false, true)]
#[case("SCRIPT ERROR: Invalid call.", true, false)]
#[case("SCRIPT ERROR: GDScript::reload: Parse Error: Expected", true, true)]
#[case("ERROR: Error loading extension: 'res://a.gdextension'.", false, true)]
#[case("handle_crash: Program crashed with signal 4", true, true)]
#[case("ERROR: Not enough bytes for decoding", false, false)]
#[case("a case named Parse Error", false, false)]
#[case("ERROR: user://policy.tres:6 - Parse Error: Expected string.", false, false)]
fn failures_are_told_by_their_beginning(#[case] line: &str, #[case] allow: bool, #[case] fails: bool) {
    assert_eq!(is_failure(line, allow), fails);
}
