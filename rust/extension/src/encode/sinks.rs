//! Targets for encoded bytes.

use godot::builtin::PackedByteArray;
use varbytes::utf32;
use varbytes::write::Sink;

use crate::raw::packed_bytes;

/// Writes into a slice that should have exactly the right size.
pub(super) struct SliceSink<'t> {
    target: &'t mut [u8],
    at: usize,
    excess: usize,
}

impl<'t> SliceSink<'t> {
    pub(super) fn new(target: &'t mut [u8]) -> Self {
        Self { target, at: 0, excess: 0 }
    }

    /// The number of bytes written too many or too few.
    pub(super) fn difference(&self) -> usize {
        self.excess + self.target.len() - self.at
    }
}

impl Sink for SliceSink<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        match self.target.get_mut(self.at..self.at + bytes.len()) {
            Some(target) => {
                target.copy_from_slice(bytes);
                self.at += bytes.len();
            }
            None => self.excess += bytes.len(),
        }
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        let size = numbers.len() * SIZE;
        match self.target.get_mut(self.at..self.at + size) {
            Some(target) => {
                for (place, number) in target.as_chunks_mut().0.iter_mut().zip(numbers) {
                    *place = to_bytes(*number);
                }
                self.at += size;
            }
            None => self.excess += size,
        }
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        match self.target.get_mut(self.at..self.at + length) {
            Some(target) if length == text.len() => {
                for (place, char) in target.iter_mut().zip(text) {
                    // There are as many bytes as characters, so all of them are ASCII.
                    *place = (*char & 0x7F) as u8;
                }
                self.at += length;
            }
            Some(target) => self.at += utf32::encode(text, target),
            None => self.excess += length,
        }
    }
}

/// Writes into an array that grows, for values whose size is not known before they are written.
///
/// Uses no more memory than the array and one block. The array never has more bytes than were written, so the space that
/// the engine reserves after them is neither cleared nor touched.
#[derive(Default)]
pub(super) struct GrowingSink {
    array: PackedByteArray,
    /// The bytes after those of the array. Resizing the array takes longer than writing a number.
    block: Vec<u8>,
}

impl GrowingSink {
    const BLOCK: usize = 64 << 10;

    /// Returns all bytes.
    pub(super) fn finish(mut self) -> PackedByteArray {
        if self.array.is_empty() {
            return packed_bytes(self.block.len(), |target| target.copy_from_slice(&self.block));
        }
        self.empty_block();
        self.array
    }

    #[cold]
    fn empty_block(&mut self) {
        append(&mut self.array, &self.block);
        self.block.clear();
    }
}

impl Sink for GrowingSink {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if self.block.len() + bytes.len() > Self::BLOCK {
            self.empty_block();
            if bytes.len() > Self::BLOCK {
                return append(&mut self.array, bytes);
            }
        }
        self.block.extend_from_slice(bytes);
    }
}

fn append(array: &mut PackedByteArray, bytes: &[u8]) {
    let before = array.len();
    array.resize(before + bytes.len());
    array.as_mut_slice()[before..].copy_from_slice(bytes);
}
