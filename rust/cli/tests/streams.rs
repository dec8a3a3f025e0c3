//! Closed and full streams, redirections, and the file of the report.
#![cfg(target_os = "linux")]

mod run;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use run::record;
use tempfile::{TempDir, tempdir};

const RID: [u8; 12] = [23, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
const BAD: [u8; 4] = [99, 0, 0, 0];

/// Creates a folder with `good`, a file of one record with a loss, and `bad`, which cannot be read.
fn saves() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("good"), record(&RID, false)).unwrap();
    fs::write(folder.path().join("bad"), record(&BAD, false)).unwrap();
    folder
}

/// Runs a script, in which `$V` is the command and `$D` a conversion to an older engine.
fn script(folder: &Path, text: &str) -> Output {
    let down = concat!(env!("CARGO_BIN_EXE_varbytes"), " convert --from 4.6 --to 3.6 --records");
    let mut bash = Command::new("bash");
    bash.args(["-c", text]).env("V", env!("CARGO_BIN_EXE_varbytes")).env("D", down);
    bash.current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[track_caller]
fn assert_codes(folder: &TempDir, scripts: &[(&str, i32)]) {
    for (text, code) in scripts {
        let output = script(folder.path(), text);
        assert_eq!(output.status.code(), Some(*code), "{text}: {output:?}");
    }
}

#[test]
fn only_a_closed_standard_output_is_a_success() {
    let folder = saves();
    assert_codes(
        &folder,
        &[
            ("(sleep 0.2; exec $D bad) 2>&1 | true; exit ${PIPESTATUS[0]}", 1),
            ("(sleep 0.2; exec $D good) 2>&1 >/dev/null | true; exit ${PIPESTATUS[0]}", 0),
            ("(sleep 0.2; exec $D good) | true; exit ${PIPESTATUS[0]}", 0),
            ("(sleep 0.2; exec $D -o /dev/stdout good) | true; exit ${PIPESTATUS[0]}", 0),
            (
                "printf '\\2\\0\\0\\0\\7\\0\\0\\0' > int; (sleep 0.2; exec $V decode < int) | true; exit ${PIPESTATUS[0]}",
                0,
            ),
            ("yes 00 | $V decode --lines | head -n 1; exit ${PIPESTATUS[1]}", 0),
            (
                "mkfifo p; head -c 1 p >/dev/null & for i in {1..14}; do cat good good > more; mv more good; done; $D -o p good",
                1,
            ),
        ],
    );
}

#[test]
fn nothing_panics_if_standard_output_or_standard_error_is_full() {
    let folder = saves();
    assert_codes(
        &folder,
        &[
            ("printf zz | $V decode 2>/dev/full", 1),
            ("printf '\\0\\0\\0\\0zz' | $V decode 2>/dev/full", 0),
            ("$D bad 2>/dev/full", 1),
            ("$D good 2>/dev/full", 0),
            ("printf '\\0\\0\\0\\0' | $V decode >/dev/full", 1),
            ("printf '\\0\\0\\0\\0' | $V inspect >/dev/full", 1),
            ("echo 00 | $V decode --lines >/dev/full", 1),
            ("$D good >/dev/full", 1),
        ],
    );
}

#[test]
fn a_redirected_standard_stream_is_continued_and_not_replaced() {
    let folder = saves();
    let expected = [b"H\n", &record(&[16, 0, 0, 0], false)[..], b"F\n"].concat();
    for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"] {
        let text = format!("ln -sf /dev/stdout link; ( echo H; $D -o {name} good; echo F ) > log 2>/dev/null");
        script(folder.path(), &text);
        assert_eq!(fs::read(folder.path().join("log")).unwrap(), expected, "{name}");
        script(folder.path(), &format!("echo H > log; $D -o {name} good >> log 2>/dev/null; echo F >> log"));
        assert_eq!(fs::read(folder.path().join("log")).unwrap(), expected, "{name}");
    }
    let refused = script(folder.path(), "echo H > log; $D -o /dev/fd/3 good 3>> log");
    assert_eq!((refused.status.code(), fs::read(folder.path().join("log")).unwrap()), (Some(1), b"H\n".to_vec()));
}

#[test]
fn a_report_on_a_redirected_stream_continues_it() {
    let folder = saves();
    script(folder.path(), "( echo H; $D --report-file /dev/stderr good >/dev/null; echo F ) > log 2>&1");
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.starts_with("H\nvarbytes: 1 record") && log.ends_with("\nF\n"), "{log}");
    let output = script(folder.path(), "$D --report-file - -o new good");
    assert!(text(&output.stdout).starts_with("varbytes: 1 record"), "{output:?}");
    assert_codes(&folder, &[("$D --report-file - good", 1)]);
    assert_eq!(names(&folder), ["bad", "good", "log", "new"]);
}

#[test]
fn a_report_never_overwrites_a_file_that_the_command_uses_or_keeps() {
    let folder = saves();
    script(folder.path(), "echo '{}' > names; echo older > good.bak; mkdir sub");
    let before = names(&folder);
    for arguments in [
        "good -o new --report-file ./new",
        "good -o new --report-file sub/../new",
        "good -o new --objects --names names --report-file sub/../names",
        "good -o new --report-file ./good",
        "--in-place good --report-file good.bak",
        "--in-place good --report-file ./good.bak.1",
        "-o new --report-file good < good",
        "/dev/stdin -o new --report-file good < good",
        "/dev/fd/3 -o new --report-file good 3< good",
        "good --report-file good.bak >> good.bak",
        "good --objects --names names -o ./names",
        "--objects --names good --in-place good",
    ] {
        let output = script(folder.path(), &format!("$D {arguments}"));
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        assert!(text(&output.stderr).contains("name another file"), "{arguments}: {output:?}");
        assert_eq!(names(&folder), before, "{arguments}");
    }
    assert_eq!(fs::read(folder.path().join("good")).unwrap(), record(&RID, false));
    assert_eq!(fs::read_to_string(folder.path().join("good.bak")).unwrap(), "older\n");
}

#[test]
fn a_dangling_link_with_the_name_of_a_backup_does_not_hide_the_next_name() {
    let folder = saves();
    let output = script(folder.path(), "ln -s nowhere good.bak; $D --in-place good --report-file good.bak.1");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("name another file"), "{output:?}");
    assert_codes(&folder, &[("$D --in-place good --report-file report", 0)]);
    assert_eq!(fs::read(folder.path().join("good.bak.1")).unwrap(), record(&RID, false));
    assert_eq!(names(&folder), ["bad", "good", "good.bak", "good.bak.1", "report"]);
}

#[test]
fn the_output_and_the_report_never_share_a_stream() {
    let folder = saves();
    for arguments in [
        "-o p --report-file ./p",
        "-o /dev/stderr",
        "--report-file /dev/stdout",
        "-o /dev/fd/3 --report-file /dev/fd/3 3>&1 | cat; exit ${PIPESTATUS[0]}",
    ] {
        let output = script(folder.path(), &format!("mkfifo p; timeout 20 $D good {arguments}"));
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        assert!(text(&output.stderr).contains("name another file"), "{arguments}: {output:?}");
    }
    assert_codes(&folder, &[("$D good -o /dev/null --report-file /dev/null", 0)]);
}

#[test]
fn a_closed_standard_output_does_not_hide_a_missing_report() {
    let folder = saves();
    let text = "(sleep 0.2; exec $D good --report-file /dev/full) | true; exit ${PIPESTATUS[0]}";
    let output = script(folder.path(), text);
    assert_eq!(output.status.code(), Some(3));
    assert!(self::text(&output.stderr).contains("there is no report"), "{output:?}");
}

#[test]
fn a_failure_replaces_the_report_of_the_last_conversion() {
    let folder = saves();
    script(folder.path(), "echo stale > report; $D --objects --names missing good --report-file report");
    let report = fs::read_to_string(folder.path().join("report")).unwrap();
    assert!(report.starts_with("varbytes: cannot read the table of names missing"), "{report}");
    assert_eq!(names(&folder), ["bad", "good", "report"]);
}

#[test]
fn a_report_that_cannot_be_written_does_not_hide_that_the_file_was_converted() {
    let folder = saves();
    let output = script(folder.path(), "$D --in-place good --report-file /dev/full");
    assert_eq!(output.status.code(), Some(3));
    let message = text(&output.stderr);
    let expected = "varbytes: the input was converted, the original is kept as good.bak, but there is no report: \
                    cannot write the report to /dev/full: ";
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(names(&folder), ["bad", "good", "good.bak"]);
}

#[test]
fn an_output_that_is_a_dangling_link_is_created_at_its_target() {
    let folder = saves();
    assert_codes(&folder, &[("ln -s new link; $D good -o link && test -L link -a -f new", 0)]);
}

#[test]
fn each_signal_has_its_own_exit_code_and_ignored_ones_stay_ignored() {
    let folder = saves();
    // The command has created its temporary file, so it listens.
    // Signals that are ignored where the tests run, as in the background of a script, stay so; bash cannot change that.
    let all = r#"perl -e '$SIG{$_} = "DEFAULT" for qw(INT HUP QUIT); exec @ARGV'"#;
    let wait = "until ls -A | grep -q '^.varbytes-'; do sleep 0.01; done";
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131)] {
        let text = format!(
            "ulimit -c 0; mkfifo p; set -m; {all} $D -o new p & exec 3> p; {wait}; kill -{signal} $!; wait $!; c=$?; rm p; exit $c"
        );
        let output = script(folder.path(), &text);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let message = format!("varbytes: stopped by SIG{signal}; nothing was written\n");
        assert!(self::text(&output.stderr).contains(&message), "{output:?}");
        assert_eq!(names(&folder), ["bad", "good"]);
    }
    let text = format!(
        "mkfifo p; trap '' HUP; $D -o new p & exec 3> p; {wait}; kill -HUP $!; cat good >&3; exec 3>&-; wait $!"
    );
    assert_codes(&folder, &[(&text, 0)]);
    assert_eq!(names(&folder), ["bad", "good", "new", "p"]);
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_that_leaves_nothing() {
    let folder = saves();
    let text = "for i in {1..999}; do cat good; done > many; before=$(ls -A); ulimit -f 1; $D many -o new 2>/dev/null; \
                c=$?; test \"$before\" = \"$(ls -A)\" && exit $c";
    assert_codes(&folder, &[(text, 1)]);
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_of_standard_output() {
    let folder = saves();
    script(folder.path(), "for i in {1..999}; do cat good; done > many; yes 00 | head -n 9999 > lines");
    for command in ["$D many", "$V decode --lines lines"] {
        let output = script(folder.path(), &format!("ulimit -f 1; {command} > new"));
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(text(&output.stderr).contains("cannot write standard output: File too large"), "{output:?}");
    }
}

#[test]
fn an_output_that_was_written_in_part_is_called_incomplete() {
    let folder = saves();
    script(folder.path(), "mkfifo p; cp good more; for i in {1..14}; do cat more more > x; mv x more; done");
    let output = script(folder.path(), "head -c 1 p >/dev/null & $D -o p more");
    let report = text(&output.stderr);
    assert!(report.starts_with("varbytes: the output is incomplete; 16384 records"), "{report}");
    assert!(report.contains("\nvarbytes: incomplete output: cannot write p: "), "{report}");
    assert!(!report.contains("nothing was written"), "{report}");
}

#[test]
fn the_backup_of_a_name_that_is_not_utf_8_is_in_the_summary() {
    let folder = saves();
    let output = script(folder.path(), "cp good $'\\xff'; $D --report json --in-place $'\\xff'");
    let report = text(&output.stderr);
    let summary: serde_json::Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    assert_eq!(summary["summary"]["backup"], "\u{fffd}.bak");
}

#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let folder = saves();
    let many = record(&varbytes::encode(&vec![0u8; 9 << 20].into()).unwrap(), false);
    fs::write(folder.path().join("many"), many).unwrap();
    let output = script(folder.path(), "TMPDIR=/no/such $D many");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(text(&output.stderr).contains("cannot use the folder /no/such for temporary files"), "{output:?}");
}
