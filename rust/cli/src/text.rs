//! Text written to an output of bytes.

use std::fmt;
use std::io::{self, Write};

/// Gives `write` the output to write text to. Once the output fails it takes nothing more, and its error is returned.
pub fn write_text<T>(output: &mut impl Write, write: impl FnOnce(&mut Text<'_>) -> T) -> io::Result<T> {
    let mut text = Text { output, error: None };
    let result = write(&mut text);
    text.error.map_or(Ok(result), Err)
}

/// See [`write_text`].
pub struct Text<'o> {
    output: &'o mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.output.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
