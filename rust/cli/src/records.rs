//! Reads records one by one.

use std::io::{BufRead, BufReader, ErrorKind, Read};

use anyhow::{Context, Error, Result};
use varbytes::Profile;
use varbytes::record::{Framing, RecordError, RecordReader};

use crate::fault::{Fault, RecordFault};

/// Large enough to read short records in few system calls.
pub const BUFFER: usize = 1 << 16;

/// A reader that holds one record at a time in memory.
pub struct Records<R> {
    reader: RecordReader<BufReader<R>>,
    /// The name of the input.
    name: String,
    from: Profile,
    /// Records read so far.
    count: u64,
    /// The first bytes of the input, until its first record is read.
    start: Vec<u8>,
}

/// A record, counted from 1, at the offset of its length.
pub struct Record<'r> {
    pub number: u64,
    pub offset: u64,
    pub bytes: &'r [u8],
    pub from: Profile,
    /// The first bytes of the input, in its first record.
    pub start: &'r [u8],
}

impl<R: Read> Records<R> {
    pub fn new(input: R, name: String, framing: Framing, from: Profile) -> Result<Self> {
        let mut input = BufReader::with_capacity(BUFFER, input);
        let start = loop {
            match input.fill_buf() {
                // A signal that does not end the command.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                start => break start.with_context(|| format!("cannot read {name}"))?.to_vec(),
            }
        };
        Ok(Self { reader: RecordReader::new(input, framing), name, from, count: 0, start })
    }

    /// Returns the next record, or `None` at the end of the input.
    pub fn next(&mut self) -> Result<Option<Record<'_>>> {
        if self.count > 0 {
            self.start = Vec::new();
        }
        self.count += 1;
        let record = Record {
            number: self.count,
            offset: self.reader.offset(),
            bytes: &[],
            from: self.from,
            start: &self.start,
        };
        match self.reader.read_bytes() {
            Ok(bytes) => Ok(bytes.map(|bytes| Record { bytes, ..record })),
            Err(error) => Err(match error.downcast::<RecordError>() {
                Ok(error) => record.fault(Fault::Record(error)).into(),
                Err(error) => Error::new(error).context(format!("cannot read {}", self.name)),
            }),
        }
    }
}

impl Record<'_> {
    pub fn fault(&self, fault: Fault) -> RecordFault {
        RecordFault::new(self, fault)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Input of which every other read is interrupted by a signal.
    struct Interrupted<'b>(&'b [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(ErrorKind::Interrupted.into()) } else { self.0.read(bytes) }
        }
    }

    #[test]
    fn a_signal_does_not_end_reading() {
        let input = Interrupted(&[4, 0, 0, 0, 1, 2, 3, 4], false);
        let mut records = Records::new(input, "input".to_owned(), Framing::new(9), Profile::GODOT_4_6).unwrap();
        assert_eq!(records.next().unwrap().unwrap().bytes, [1, 2, 3, 4]);
        assert!(records.next().unwrap().is_none());
    }
}
