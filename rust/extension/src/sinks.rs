//! Where encoded bytes go.

use varbytes::codec::{Sink, utf32};

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
