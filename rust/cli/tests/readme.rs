//! The commands of the README print what it shows.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::tempdir;
use varbytes::Variant;
use varbytes::variant::Vector2i;

const README: &str = include_str!("../README.md");

/// The exit code of the shell. The system need not have `xxd`.
const NO_SUCH_COMMAND: i32 = 127;

/// Returns each command with what it prints.
fn commands() -> Vec<(String, String)> {
    let blocks = README.split("```console\n").skip(1).filter_map(|block| block.split("```").next());
    let steps = blocks.flat_map(|block| block.split("$ ").skip(1));
    steps.filter_map(|step| step.split_once('\n')).map(|(command, printed)| (command.into(), printed.into())).collect()
}

#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    let folder = tempdir().unwrap();
    let packet = vec![Variant::from(Vector2i { x: 3, y: -4 }), Variant::RID(7)];
    fs::write(folder.path().join("packet"), varbytes::encode(&packet.into()).unwrap()).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_varbytes")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut count = 0;
    for (command, printed) in commands() {
        // Installs, or reads a save of a game, which is not in the repository.
        if command.starts_with("cargo") || command.contains(".save") {
            continue;
        }
        let mut bash = Command::new("bash");
        bash.args(["-c", &format!("exec 2>&1; {command}")]).env("PATH", &path).current_dir(folder.path());
        let output = bash.output().unwrap();
        if output.status.code() != Some(NO_SUCH_COMMAND) {
            assert_eq!(String::from_utf8(output.stdout).unwrap(), printed, "{command}");
            count += 1;
        }
    }
    assert!(count >= 4, "{count}");
}
