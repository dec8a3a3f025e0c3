//! Records that are collected in memory before they are written.

use super::record::PREFIX;

/// The number of bytes from which on collected records are written.
pub(super) const ENOUGH: usize = 64 << 10;

/// Collected bytes.
#[derive(Default)]
pub(super) struct Collected {
    /// The collected bytes, and what else was ever written there.
    bytes: Vec<u8>,
    length: usize,
    /// The size of the last record.
    last: usize,
}

impl Collected {
    /// The fewest bytes that a value may take.
    const LEAST: usize = 512;

    /// Returns the collected bytes.
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.space(bytes.len()).copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Adds a record. `write` writes its value to the start of a space and returns its size, or `None` if it does not fit;
    /// `prefix` returns what precedes a value of that size. The value may take [`most`](Self::most) bytes.
    pub(super) fn add_record(
        &mut self,
        write: impl FnOnce(&mut [u8]) -> Option<usize>,
        prefix: impl FnOnce(usize) -> [u8; PREFIX],
    ) -> Option<usize> {
        let (start, value) = self.space(PREFIX + self.most()).split_at_mut(PREFIX);
        let size = write(value)?;
        start.copy_from_slice(&prefix(size));
        self.length += PREFIX + size;
        self.last = size;
        Some(size)
    }

    /// Returns how many bytes a value may take: twice those of the one before, within bounds.
    #[inline]
    pub(super) fn most(&self) -> usize {
        if self.last > ENOUGH { Self::LEAST } else { (2 * self.last).clamp(Self::LEAST, ENOUGH) }
    }

    /// Remembers the size of a record that was not added by [`add_record`](Self::add_record).
    pub(super) fn note_size(&mut self, size: usize) {
        self.last = size;
    }

    /// Returns space after the collected bytes.
    fn space(&mut self, size: usize) -> &mut [u8] {
        let end = self.length + size;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        &mut self.bytes[self.length..end]
    }
}
