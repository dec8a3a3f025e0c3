//! The editor of saves.

use std::fs;
use std::process::{Command, Output};

use tempfile::tempdir;
use varbytes::record::{Framing, RecordWriter};
use varbytes::variant;

use crate::{ENGINE, PROGRAMS, run_script};

fn edit(save: &str, path: &str) -> Output {
    Command::new(PROGRAMS.join("save_editor")).args([save, path, "100"]).output().unwrap()
}

#[test]
fn the_save_editor_changes_a_save_that_the_engine_reads() {
    if ENGINE.is_none() {
        return;
    }
    let folder = tempdir().unwrap();
    let save = folder.path().join("game.save");
    let save = save.to_str().unwrap();
    run_script("save.gd", &["write", save]);
    let missing = edit(save, r#"$["player"]["mana"]"#);
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no record has"), "{missing:?}");
    let edited = edit(save, r#"$["player"]["hp"]"#);
    assert_eq!(String::from_utf8_lossy(&edited.stdout), "$[\"player\"][\"hp\"]: 7 becomes 100\n", "{edited:?}");
    run_script("save.gd", &["read", save]);
}

/// Asserts that a save cannot be edited, that the error says why and where, and that nothing changes.
fn assert_refused(save: &[u8], message: &str) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("game.save");
    fs::write(&path, save).unwrap();
    let refused = edit(path.to_str().unwrap(), r#"$["hp"]"#);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains(message), "{said:?} has no {message:?}");
    assert_eq!(fs::read(&path).unwrap(), save);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A save of the record "header", which has 20 bytes, and of another one.
fn after_header(record: &[u8]) -> Vec<u8> {
    let mut save = Vec::new();
    RecordWriter::new(&mut save, Framing::new(1 << 16)).write(&"header".into()).unwrap();
    assert_eq!(save.len(), 20);
    save.extend(u32::try_from(record.len()).unwrap().to_le_bytes());
    [&save, record].concat()
}

#[test]
fn the_save_editor_refuses_an_empty_save() {
    assert_refused(&[], "no record has $[\"hp\"], up to offset 0");
}

#[test]
fn the_save_editor_refuses_a_truncated_save() {
    let save = after_header(&varbytes::encode(&variant!({"hp": 7})).unwrap());
    assert_refused(&save[..save.len() - 4], "a record of 28 bytes is cut off after 24, at offset 20");
    assert_refused(&save[..22], "the length of a record is cut off after 2 of its 4 bytes, at offset 20");
    // A record whose value is cut off, but not the record.
    let cut = after_header(&varbytes::encode(&variant!({"hp": 7})).unwrap()[..20]);
    assert_refused(&cut, "in the record at offset 20");
}

#[test]
fn the_save_editor_refuses_a_damaged_save() {
    assert_refused(&after_header(&[99, 0, 0, 0]), "in the record at offset 20");
    assert_refused(&[0xFF; 100], "a record of 4294967295 bytes is longer than the limit of 1073741824, at offset 0");
    assert_refused(&after_header(&[0xFF; 100]), "in the record at offset 20");
}

#[test]
fn the_save_editor_refuses_hostile_counts() {
    for header in [27, 28, 32, 38] {
        assert_refused(&after_header(&[header, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F]), "in the record at offset 20");
    }
}

#[test]
fn the_save_editor_refuses_a_save_that_is_too_deep() {
    let deep = [28, 0, 0, 0, 1, 0, 0, 0].repeat(100_000);
    assert_refused(&after_header(&deep), "in the record at offset 20");
}

#[cfg(unix)]
#[test]
fn the_save_editor_keeps_the_permissions_of_the_save() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let path = folder.path().join("game.save");
    fs::write(&path, after_header(&varbytes::encode(&variant!({"hp": 7})).unwrap())).unwrap();
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    assert!(edit(path.to_str().unwrap(), r#"$["hp"]"#).status.success());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}
