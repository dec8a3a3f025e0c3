//! Standard output and standard error, each of which may be closed or full.

use std::fmt;
use std::io::{self, ErrorKind, Write, stderr};

use anyhow::Error;

/// The reader of standard output closed its end, as `head` does. This is not a failure.
#[derive(Debug)]
pub struct OutputClosed;

impl fmt::Display for OutputClosed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the reader of standard output closed it")
    }
}

impl std::error::Error for OutputClosed {}

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
