//! Where written bytes go.

use alloc::vec::Vec;

use super::utf32;

/// What a [`Writer`](super::Writer) writes to.
pub trait Sink {
    /// Appends bytes.
    fn put(&mut self, bytes: &[u8]);

    /// Appends bytes that pad a part to the alignment. All of them are zero.
    #[inline]
    fn put_padding(&mut self, bytes: &[u8]) {
        self.put(bytes);
    }

    /// Appends numbers, each `SIZE` bytes as `to_bytes` gives them.
    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        // Block by block through the stack: the conversion runs over whole vectors of numbers, and the
        // copy that follows reads what is still in the first-level cache.
        const BLOCK: usize = 4096;
        let mut block = [0; BLOCK];
        for numbers in numbers.chunks(BLOCK / SIZE) {
            let places = block.as_chunks_mut::<SIZE>().0;
            for (place, number) in places.iter_mut().zip(numbers) {
                *place = to_bytes(*number);
            }
            self.put(&block[..numbers.len() * SIZE]);
        }
    }

    /// Appends the UTF-8 of UTF-32 text, which is `length` bytes.
    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        const BLOCK: usize = 1024;
        let mut block = [0; BLOCK];
        if length == text.len() && length <= BLOCK {
            utf32::narrow(text, &mut block[..length]);
            return self.put(&block[..length]);
        }
        for text in text.chunks(BLOCK / utf32::LONGEST) {
            let length = utf32::encode(text, &mut block);
            self.put(&block[..length]);
        }
    }
}

impl Sink for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Counts the bytes instead of keeping them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Length(pub usize);

impl Sink for Length {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], _: impl Fn(T) -> [u8; SIZE]) {
        self.0 += numbers.len() * SIZE;
    }

    #[inline]
    fn put_utf32(&mut self, _: &[u32], length: usize) {
        self.0 += length;
    }
}
