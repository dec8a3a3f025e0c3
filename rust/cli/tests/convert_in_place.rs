//! Files that `varbytes convert` replaces: completely or not at all, with a backup.

mod run;

use std::fs;
use std::path::{Path, PathBuf};

use run::{read_records, records, varbytes};
use tempfile::{TempDir, tempdir};
use varbytes::{Encoder, Profile, Variant};

const UP: &str = "convert --from godot-3.6 --to godot-4.6 --records";

fn old(number: i64) -> Vec<u8> {
    let value = Variant::from(vec![Variant::from(number), Variant::from(vec![1i32])]);
    Encoder::new().profile(Profile::GODOT_3_5).encode(&value).unwrap()
}

/// Creates a folder with a file of 1,000 records, and returns the records.
fn save(damaged: Option<usize>) -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("game.save");
    let record = |number: usize| {
        let mut bytes = old(i64::try_from(number).unwrap());
        if damaged == Some(number) {
            // The type of the second member.
            bytes[16] = 99;
        }
        bytes
    };
    let bytes = records((1..=1000).map(record), false);
    fs::write(&path, &bytes).unwrap();
    (folder, path, bytes)
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_converted(path: &Path) {
    let read = read_records(&fs::read(path).unwrap(), false);
    assert_eq!(read.len(), 1000);
    let value = varbytes::decode(&read[899]).unwrap();
    assert_eq!(value, Variant::from(vec![Variant::from(900), Variant::from(vec![1i32])]));
}

#[test]
fn a_thousand_records_are_converted_in_place_with_a_backup() {
    let (folder, path, bytes) = save(None);
    let output = varbytes(&format!("{UP} --in-place {}", path.display()), b"");
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("game.save.bak"));
    assert_eq!(names(&folder), ["game.save", "game.save.bak"]);
    assert_eq!(fs::read(folder.path().join("game.save.bak")).unwrap(), bytes);
    assert_converted(&path);
}

#[test]
fn a_failure_in_record_900_leaves_the_original_untouched_and_nothing_else() {
    let (folder, path, bytes) = save(Some(900));
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    let output = varbytes(&format!("{UP} --in-place {}", path.display()), b"");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    let offset = 899 * bytes.len() / 1000;
    assert!(message.contains(&format!("record 900, at offset {offset} of the input")), "{message}");
    assert!(message.contains("at offset 16 (0x10), path $[1]"), "{message}");
    assert_eq!(names(&folder), ["game.save"]);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
}

#[test]
fn a_failure_in_record_900_leaves_no_half_written_output() {
    let (folder, path, _) = save(Some(900));
    let target = folder.path().join("new.save");
    let arguments = format!("{UP} {} -o {}", path.display(), target.display());
    assert_eq!(varbytes(&arguments, b"").status.code(), Some(1));
    assert_eq!(names(&folder), ["game.save"]);
    fs::write(&target, "kept").unwrap();
    assert_eq!(varbytes(&arguments, b"").status.code(), Some(1));
    assert_eq!(fs::read(&target).unwrap(), b"kept");
}

#[test]
fn a_backup_never_uses_an_existing_name() {
    let (folder, path, bytes) = save(None);
    fs::write(folder.path().join("game.save.old"), "older").unwrap();
    let output = varbytes(&format!("{UP} --in-place --backup-suffix .old {}", path.display()), b"");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(names(&folder), ["game.save", "game.save.old", "game.save.old.1"]);
    assert_eq!(fs::read(folder.path().join("game.save.old")).unwrap(), b"older");
    assert_eq!(fs::read(folder.path().join("game.save.old.1")).unwrap(), bytes);
}

#[test]
fn exact_leaves_a_file_with_losses_untouched() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("game.save");
    let rid = records([vec![23, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]], false);
    fs::write(&path, &rid).unwrap();
    let down = "convert --from godot-4.6 --to godot-3.6 --records --in-place --exact";
    assert_eq!(varbytes(&format!("{down} {}", path.display()), b"").status.code(), Some(1));
    assert_eq!(fs::read(&path).unwrap(), rid);
    assert_eq!(names(&folder), ["game.save"]);
}

#[test]
fn an_output_file_is_written_completely() {
    let (folder, path, bytes) = save(None);
    let target = folder.path().join("new.save");
    let output = varbytes(&format!("{UP} {} --output {}", path.display(), target.display()), b"");
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_converted(&target);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn an_output_never_overwrites_the_input() {
    use std::fs::File;
    use std::process::Command;

    let (folder, path, bytes) = save(None);
    let mut outputs = vec![path.clone(), folder.path().join(".").join("game.save")];
    #[cfg(unix)]
    {
        let links = ["hard", "soft"].map(|name| folder.path().join(name));
        fs::hard_link(&path, &links[0]).unwrap();
        std::os::unix::fs::symlink(&path, &links[1]).unwrap();
        outputs.extend(links);
    }
    let before = names(&folder);
    for (output, is_named) in outputs.iter().flat_map(|output| [(output, true), (output, false)]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_varbytes"));
        command.args(UP.split_whitespace()).arg("-o").arg(output);
        if is_named {
            command.arg(&path)
        } else {
            command.stdin(File::open(&path).unwrap())
        };
        let done = command.output().unwrap();
        assert_eq!(done.status.code(), Some(1), "{}", output.display());
        let message = String::from_utf8(done.stderr).unwrap();
        assert!(message.contains("which is the input; use --in-place"), "{message}");
        assert_eq!((names(&folder), fs::read(&path).unwrap()), (before.clone(), bytes.clone()));
    }
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_and_a_link_stays_a_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, path, _) = save(None);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let link = folder.path().join("link");
    symlink(&path, &link).unwrap();
    let output = varbytes(&format!("{UP} --in-place {}", link.display()), b"");
    assert!(output.status.success(), "{output:?}");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_converted(&path);
    for file in ["game.save", "game.save.bak"] {
        assert_eq!(fs::metadata(folder.path().join(file)).unwrap().permissions().mode() & 0o777, 0o640, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_a_file_before_it_is_whole() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let (folder, path, bytes) = save(None);
    for mode in [0o600, 0o640, 0o666] {
        fs::write(&path, &bytes).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        // It waits for input after it created the output.
        let mut child = Command::new(env!("CARGO_BIN_EXE_varbytes"))
            .args(UP.split_whitespace())
            .arg("-o")
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let began = Instant::now();
        let temporary = loop {
            if let Some(name) = names(&folder).into_iter().find(|name| name.starts_with(".varbytes-")) {
                break folder.path().join(name);
            }
            assert!(began.elapsed() < Duration::from_secs(20), "it did not start");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(fs::metadata(temporary).unwrap().permissions().mode() & 0o777, 0o600);
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), &bytes).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        assert_converted(&path);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_regular_is_refused_without_blocking() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    for path in [pipe.as_path(), &link, folder.path(), Path::new("/dev/null"), Path::new("/dev/tty")] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_varbytes"))
            .args(UP.split_whitespace())
            .arg("--in-place")
            .arg(path)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(20), "{} blocks", path.display());
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("not a regular file"), "{message}");
    }
    assert_eq!(names(&folder), ["link", "pipe"]);
}

#[test]
fn a_file_named_without_its_folder_is_converted_in_place() {
    use std::process::Command;
    let (folder, path, bytes) = save(None);
    let output = Command::new(env!("CARGO_BIN_EXE_varbytes"))
        .args(UP.split_whitespace())
        .args(["--in-place", "game.save"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(names(&folder), ["game.save", "game.save.bak"]);
    assert_eq!(fs::read(folder.path().join("game.save.bak")).unwrap(), bytes);
    assert_converted(&path);
}

#[test]
fn a_report_never_overwrites_a_converted_file() {
    let (folder, path, bytes) = save(None);
    let same = format!("{UP} --in-place {0} --report-file {0}", path.display());
    let output = varbytes(&same, b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("name another file"));
    assert_eq!(names(&folder), ["game.save"]);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_report_that_cannot_be_written_fails_before_a_file_is_replaced() {
    let (folder, path, bytes) = save(None);
    for report in [folder.path().join("no/such/report"), folder.path().to_owned()] {
        let output = varbytes(&format!("{UP} --in-place {} --report-file {}", path.display(), report.display()), b"");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(names(&folder), ["game.save"]);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_conversion_leaves_no_file() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = tempdir().unwrap();
    let target = folder.path().join("new.save");
    // It waits for records that never arrive.
    let mut child = Command::new(env!("CARGO_BIN_EXE_varbytes"))
        .args(UP.split_whitespace())
        .arg("-o")
        .arg(&target)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // `wait` would close it, and the end of the records could be read before the signal.
    let _records = child.stdin.take();
    let began = Instant::now();
    while names(&folder).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(20), "it did not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Not SIGINT: a shell without job control starts commands in the background with it ignored, which stays so.
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    // An exit code would let the loop of a shell go on.
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.wait().unwrap()), Some(15));
    assert!(names(&folder).is_empty());
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_conversion_whose_standard_error_is_not_read() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = tempdir().unwrap();
    let rid = [23, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    let [path, target] = ["game.save", "new.save"].map(|name| folder.path().join(name));
    fs::write(&path, records(vec![rid.to_vec(); 2000], false)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_varbytes"))
        .args("convert --from godot-4.6 --to godot-3.6 --records --max-losses 2000 -o".split_whitespace())
        .args([&target, &path])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !target.exists() {
        assert!(began.elapsed() < Duration::from_secs(20), "it did not write the output");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Its report, which is longer than a pipe, begins after the output.
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it does not wait for the reader");
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let sent = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if sent.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("the signal does not end it");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(status.signal(), Some(15));
    assert_eq!(names(&folder), ["game.save", "new.save"]);
}

#[cfg(unix)]
#[test]
fn other_hard_links_to_the_original_are_mentioned() {
    let (folder, path, bytes) = save(None);
    let link = folder.path().join("link");
    fs::hard_link(&path, &link).unwrap();
    let output = varbytes(&format!("{UP} --in-place {}", path.display()), b"");
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.contains("; another hard link still leads to the original; no losses"), "{report}");
    assert_eq!(fs::read(&link).unwrap(), bytes);
}
