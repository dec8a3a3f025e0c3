//! A sink that writes to `std::io`.

use std::io::{Result, Write};

use super::sink::Sink;

/// A [`Sink`] for anything that implements [`std::io::Write`]. Give it a [`BufWriter`](std::io::BufWriter) if writes are
/// expensive.
///
/// Nothing is written after an error of the writer; [`finish`](Self::finish) returns it.
///
/// ```
/// use varbytes::Encoder;
/// use varbytes::write::IoSink;
///
/// let mut sink = IoSink::new(Vec::new());
/// let mut writer = Encoder::new().writer(&mut sink);
/// writer.begin_array(2, None).unwrap();
/// writer.int(7).unwrap();
/// writer.string("seven").unwrap();
/// let bytes = sink.finish()?;
/// assert_eq!(varbytes::decode(&bytes)?, varbytes::variant!([7, "seven"]));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct IoSink<W> {
    writer: W,
    result: Result<()>,
}

impl<W: Write> IoSink<W> {
    /// Creates a sink for a writer.
    ///
    /// [`IoSink`] has an example.
    pub const fn new(writer: W) -> Self {
        Self { writer, result: Ok(()) }
    }

    /// Flushes and returns the writer.
    ///
    /// [`IoSink`] has an example.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn finish(mut self) -> Result<W> {
        self.result?;
        self.writer.flush()?;
        Ok(self.writer)
    }
}

impl<W: Write> Sink for IoSink<W> {
    fn put(&mut self, bytes: &[u8]) {
        if self.result.is_ok() {
            self.result = self.writer.write_all(bytes);
        }
    }

    fn is_full(&self) -> bool {
        self.result.is_err()
    }
}
