//! Saves findings in the same way as libFuzzer.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::judge::Fault;

/// The exit code of libFuzzer for a finding.
const FOUND: i32 = 77;

/// Saves the findings, prints libFuzzer's messages, and ends the process.
///
/// After a panic or an ordinary exit, libFuzzer would report the current input instead.
pub fn leave_with(faults: &[Fault]) -> ! {
    let prefix = artifact_prefix(std::env::args());
    let mut lines = String::new();
    for fault in faults {
        lines.push_str(&format!("\n{}\n", fault.what));
        match save(&prefix, fault) {
            Ok(paths) => lines.push_str(&said(&prefix, fault, &paths)),
            Err(error) => lines.push_str(&format!("cannot write the input: {error}\n")),
        }
    }
    end(&lines, FOUND)
}

/// Ends the process because no engine is available.
pub fn leave_without(why: &str) -> ! {
    end(&format!("no engine is available: {why}\n"), 1)
}

fn end(lines: &str, code: i32) -> ! {
    // An error here cannot be reported.
    let _ = io::stderr().write_all(lines.as_bytes());
    signal_hook::low_level::exit(code)
}

/// The message that the campaign parses. An input that does not fail by itself is not a finding.
fn said(prefix: &str, fault: &Fault, paths: &[PathBuf]) -> String {
    let line = |path: &PathBuf| match fault.inputs.len() {
        1 => format!("artifact_prefix='{prefix}'; Test unit written to {}\n", path.display()),
        _ => format!("in flight at that time: {}\n", path.display()),
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

/// Returns the prefix for these files that libFuzzer was given.
fn artifact_prefix(arguments: impl Iterator<Item = String>) -> String {
    let given = arguments.filter_map(|argument| argument.strip_prefix("-artifact_prefix=").map(str::to_owned));
    given.last().unwrap_or_else(|| "./".to_owned())
}
