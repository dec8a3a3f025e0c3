//! Reads records one by one.

use std::io::{BufReader, Read};

use anyhow::{Error, Result};
use varbytes::Profile;
use varbytes::record::{Framing, RecordError, RecordReader};

use super::fault::{Fault, RecordFault};

/// Large enough to read short records in few system calls.
const BUFFER: usize = 1 << 16;

/// A reader that holds one record at a time in memory.
pub struct Records<R> {
    reader: RecordReader<BufReader<R>>,
    from: Profile,
    /// Records read so far.
    count: u64,
}

/// A record, counted from 1, at the offset of its length.
pub struct Record<'r> {
    pub number: u64,
    pub offset: u64,
    pub bytes: &'r [u8],
}

impl<R: Read> Records<R> {
    pub fn new(input: R, framing: Framing, from: Profile) -> Self {
        Self { reader: RecordReader::new(BufReader::with_capacity(BUFFER, input), framing), from, count: 0 }
    }

    /// Returns the next record, or `None` at the end of the input.
    pub fn next(&mut self) -> Result<Option<Record<'_>>> {
        let (number, offset) = (self.count + 1, self.reader.offset());
        self.count = number;
        match self.reader.read_bytes() {
            Ok(bytes) => Ok(bytes.map(|bytes| Record { number, offset, bytes })),
            Err(error) => Err(match error.downcast::<RecordError>() {
                Ok(error) => RecordFault::new(number, offset, Fault::Record(error), &[], self.from).into(),
                Err(error) => Error::new(error).context("cannot read the input"),
            }),
        }
    }
}
