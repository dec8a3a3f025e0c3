//! Inputs at fault, saved as libFuzzer saves those that it sees fail.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::judge::Fault;

/// With which libFuzzer ends when it has found something.
const FOUND: i32 = 77;

/// Saves the inputs at fault, says so in libFuzzer's words, and ends the process.
///
/// Neither a panic nor an ordinary end would do: libFuzzer would take the input at hand for the one at fault.
pub fn leave_with(faults: &[Fault]) -> ! {
    let prefix = artifact_prefix(std::env::args());
    let mut lines = String::new();
    for fault in faults {
        lines.push_str(&format!("\n{}\n", fault.what));
        match save(&prefix, fault) {
            Ok(paths) => lines.push_str(&said(&prefix, fault, &paths)),
            Err(error) => lines.push_str(&format!("which cannot be written: {error}\n")),
        }
    }
    end(&lines, FOUND)
}

/// Ends the process because there is no engine to ask.
pub fn leave_without(why: &str) -> ! {
    end(&format!("no engine to ask: {why}\n"), 1)
}

fn end(lines: &str, code: i32) -> ! {
    // There is nobody left to tell where this fails.
    let _ = io::stderr().write_all(lines.as_bytes());
    signal_hook::low_level::exit(code)
}

/// What the campaign reads. An input that is not known to be at fault by itself is no finding yet.
fn said(prefix: &str, fault: &Fault, paths: &[PathBuf]) -> String {
    let line = |path: &PathBuf| match fault.inputs.len() {
        1 => format!("artifact_prefix='{prefix}'; Test unit written to {}\n", path.display()),
        _ => format!("asked at that time: {}\n", path.display()),
    };
    paths.iter().map(line).collect()
}

fn save(prefix: &str, fault: &Fault) -> io::Result<Vec<PathBuf>> {
    let kind = if fault.inputs.len() == 1 { "crash" } else { "in-flight" };
    let saved = |input: &Vec<u8>| {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        let path = Path::new(&format!("{prefix}{kind}-{:016x}", hasher.finish())).to_owned();
        fs::write(&path, input).map(|()| path)
    };
    fault.inputs.iter().map(saved).collect()
}

/// What libFuzzer was told to put before the names of such files.
fn artifact_prefix(arguments: impl Iterator<Item = String>) -> String {
    let given = arguments.filter_map(|argument| argument.strip_prefix("-artifact_prefix=").map(str::to_owned));
    given.last().unwrap_or_else(|| "./".to_owned())
}
