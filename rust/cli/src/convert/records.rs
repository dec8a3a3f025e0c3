//! Reads records one by one.

use std::io::{BufReader, Read};

use anyhow::{Context, Result};

use super::fault::{Fault, RecordFault};

/// Large enough to read short records in few system calls.
const BUFFER: usize = 1 << 16;

/// Bytes of the length before a value.
const PREFIX: usize = 4;

/// A reader that holds one record at a time in memory.
pub struct Records<R> {
    input: BufReader<R>,
    big_endian: bool,
    /// Records read so far.
    count: u64,
    /// The offset of the next one.
    offset: u64,
    bytes: Vec<u8>,
}

/// A record, counted from 1, at the offset of its length.
pub struct Record<'r> {
    pub number: u64,
    pub offset: u64,
    pub bytes: &'r [u8],
    pub big_endian: bool,
}

impl<R: Read> Records<R> {
    pub fn new(input: R, big_endian: bool) -> Self {
        let input = BufReader::with_capacity(BUFFER, input);
        Self { input, big_endian, count: 0, offset: 0, bytes: Vec::new() }
    }

    /// Returns the next record, or `None` at the end of the input.
    pub fn next(&mut self) -> Result<Option<Record<'_>>> {
        let (number, offset) = (self.count + 1, self.offset);
        let prefix = match self.fill(PREFIX)? {
            0 => return Ok(None),
            PREFIX => [self.bytes[0], self.bytes[1], self.bytes[2], self.bytes[3]],
            read => return Err(RecordFault::new(number, offset, Fault::CutPrefix(read), &self.bytes).into()),
        };
        let length = if self.big_endian { u32::from_be_bytes(prefix) } else { u32::from_le_bytes(prefix) };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let read = self.fill(length)?;
        if read < length {
            let turned = if self.big_endian { u32::from_le_bytes(prefix) } else { u32::from_be_bytes(prefix) };
            let other_order = usize::try_from(turned).is_ok_and(|turned| turned <= read);
            return Err(RecordFault::new(number, offset, Fault::CutRecord { length, read, other_order }, &[]).into());
        }
        self.count = number;
        self.offset = offset + (PREFIX + length) as u64;
        Ok(Some(Record { number, offset, bytes: &self.bytes, big_endian: self.big_endian }))
    }

    /// Reads up to `length` bytes. Allocates for the bytes that exist, not for `length`.
    fn fill(&mut self, length: usize) -> Result<usize> {
        self.bytes.clear();
        let mut part = self.input.by_ref().take(length as u64);
        part.read_to_end(&mut self.bytes).context("cannot read the input")
    }
}
