//! Standard input or a file in its place, and standard output and standard error, which may be closed or full.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write, stderr, stdin};
use std::path::Path;

use anyhow::{Context, Error, Result, ensure};

/// The reader of standard output closed its end, as `head` does. This is not a failure.
#[derive(Debug)]
pub struct OutputClosed;

impl fmt::Display for OutputClosed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the reader of standard output closed it")
    }
}

impl std::error::Error for OutputClosed {}

/// The command line is wrong.
#[derive(Debug)]
pub struct WrongUsage(pub &'static str);

impl fmt::Display for WrongUsage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

impl std::error::Error for WrongUsage {}

/// Opens a file, or standard input for `-` and nothing. Returns it with its name.
pub fn open(path: Option<&Path>) -> Result<(Box<dyn Read>, String)> {
    match path.filter(|path| path.as_os_str() != "-") {
        None => Ok((Box::new(stdin().lock()), "standard input".to_owned())),
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
            Ok((Box::new(file), name))
        }
    }
}

/// Reads all of an input of at most `max_length` bytes.
pub fn read_all(input: impl Read, name: &str, max_length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = input.take((max_length as u64).saturating_add(1));
    input.read_to_end(&mut bytes).with_context(|| format!("cannot read {name}"))?;
    ensure!(bytes.len() <= max_length, "{name} has more than {max_length} bytes; see --max-length");
    Ok(bytes)
}

/// Lets a write beyond the limit of a file's size fail, instead of ending the command without a word.
pub fn survive_size_limit() {
    #[cfg(unix)]
    // If it cannot be registered, the signal ends the command.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Returns the error of a write to standard output.
pub fn output_error(error: io::Error) -> Error {
    if error.kind() == ErrorKind::BrokenPipe {
        return OutputClosed.into();
    }
    Error::new(error).context("cannot write standard output")
}

/// Prints a line to standard error. If that fails, there is nowhere left to say so.
pub fn say(line: impl fmt::Display) {
    let _ = writeln!(stderr().lock(), "{line}");
}
