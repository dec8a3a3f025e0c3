//! Where encoded bytes go.

use godot::builtin::PackedByteArray;
use varbytes::utf32;
use varbytes::write::Sink;

use crate::raw::packed_bytes;

/// Bytes that are collected without an allocation.
const ROOM: usize = 512;

/// Keeps a small number of bytes, and counts them all.
pub(crate) struct Collected {
    room: [u8; ROOM],
    len: usize,
}

impl Collected {
    pub(crate) const fn new() -> Self {
        Self { room: [0; ROOM], len: 0 }
    }

    /// All bytes that were put, where they are few enough to have been kept.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        self.room.get(..self.len)
    }

    /// How many were put.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }
}

impl Sink for Collected {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if let Some(room) = self.room.get_mut(self.len..self.len + bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.len += bytes.len();
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        if self.len + numbers.len() * SIZE <= ROOM {
            numbers.iter().for_each(|number| self.put(&to_bytes(*number)));
        } else {
            self.len += numbers.len() * SIZE;
        }
    }
}

/// Writes into room of exactly the right size.
pub(crate) struct Exact<'r> {
    room: &'r mut [u8],
    at: usize,
    missing: usize,
}

impl<'r> Exact<'r> {
    pub(crate) fn new(room: &'r mut [u8]) -> Self {
        Self { room, at: 0, missing: 0 }
    }

    /// How many bytes there were too many or too few.
    pub(crate) fn missing(&self) -> usize {
        self.missing + self.room.len() - self.at
    }
}

impl Sink for Exact<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        match self.room.get_mut(self.at..self.at + bytes.len()) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.at += bytes.len();
            }
            None => self.missing += bytes.len(),
        }
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        let size = numbers.len() * SIZE;
        match self.room.get_mut(self.at..self.at + size) {
            Some(room) => {
                for (place, number) in room.as_chunks_mut().0.iter_mut().zip(numbers) {
                    *place = to_bytes(*number);
                }
                self.at += size;
            }
            None => self.missing += size,
        }
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        match self.room.get_mut(self.at..self.at + length) {
            Some(room) if length == text.len() => {
                for (place, char) in room.iter_mut().zip(text) {
                    // As many bytes as characters: all of them are ASCII.
                    *place = (*char & 0x7F) as u8;
                }
                self.at += length;
            }
            Some(room) => self.at += utf32::encode(text, room),
            None => self.missing += length,
        }
    }
}

/// Writes into an array that grows, for values whose size is only known when they are written.
///
/// Nothing beside the array holds more than a block, and the array has no more bytes than were put: what an engine
/// keeps ready behind them is neither cleared nor touched.
#[derive(Default)]
pub(crate) struct Growing {
    array: PackedByteArray,
    /// What comes behind the array: asking the engine for room takes longer than writing a number.
    block: Vec<u8>,
}

impl Growing {
    const BLOCK: usize = 64 << 10;

    /// All bytes that were put.
    pub(crate) fn finish(mut self) -> PackedByteArray {
        if self.array.is_empty() {
            return packed_bytes(self.block.len(), |room| room.copy_from_slice(&self.block));
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

impl Sink for Growing {
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
