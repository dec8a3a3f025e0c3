//! The [`Sink`] trait, which receives written bytes, and its implementations.

use alloc::vec::Vec;

use crate::types::utf32;
use crate::variant::INLINE;
use crate::wire::{ALIGNMENT, padded, padding};

/// The length of the buffer that [`Sink::put_short_text`] receives, in bytes.
#[doc(hidden)]
pub const SHORT_TEXT: usize = INLINE;

/// The length of such a text with a NUL and padding, at most.
const SHORT_TEXT_PADDED: usize = SHORT_TEXT.next_multiple_of(ALIGNMENT);

/// A destination for the bytes of a [`Writer`](super::Writer). Implement [`put`](Self::put) only: the hidden methods
/// exist for speed and may change.
///
/// ```
/// use varbytes::Encoder;
/// use varbytes::write::Sink;
///
/// /// A checksum of what is written.
/// struct Checksum(u8);
///
/// impl Sink for Checksum {
///     fn put(&mut self, bytes: &[u8]) {
///         self.0 = bytes.iter().fold(self.0, |sum, byte| sum.wrapping_add(*byte));
///     }
/// }
///
/// let mut checksum = Checksum(0);
/// Encoder::new().encode_to(&7.into(), &mut checksum)?;
/// assert_eq!(checksum.0, 9);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
pub trait Sink {
    /// Appends bytes.
    fn put(&mut self, bytes: &[u8]);

    /// Appends padding. All of the bytes are zero.
    #[doc(hidden)]
    #[inline]
    fn put_padding(&mut self, bytes: &[u8]) {
        self.put(bytes);
    }

    /// Returns whether bytes did not fit, so that nothing written from here on is of use.
    #[doc(hidden)]
    #[inline]
    fn is_full(&self) -> bool {
        false
    }

    /// Called before a long value, or one of many short pieces, of about `size` bytes. Returns whether the value has to be written to
    /// another sink. Then this one [is full](Self::is_full).
    #[doc(hidden)]
    #[inline]
    fn leaves(&mut self, size: usize) -> bool {
        let _ = size;
        false
    }

    /// Returns whether the sink only counts bytes from here on. If so, [`count`](Self::count) may replace any of the
    /// other calls.
    #[doc(hidden)]
    #[inline]
    fn only_counts(&self) -> bool {
        false
    }

    /// Counts `length` bytes. Only called if [`only_counts`](Self::only_counts) returns `true`.
    #[doc(hidden)]
    #[inline]
    fn count(&mut self, length: usize) {
        let _ = length;
    }

    /// Appends `head`, `length` bytes of a short text, and padding.
    ///
    /// In `text`, zeroes follow the text, so that a sink can copy a block of fixed size, which is faster. The last of
    /// the `length` bytes may be a NUL, so `length` can be one more than the size of `text`.
    #[doc(hidden)]
    #[inline]
    fn put_short_text<const HEAD: usize>(&mut self, head: [u8; HEAD], text: &[u8; SHORT_TEXT], length: usize) {
        self.put(&head);
        match text.get(..length) {
            Some(text) => self.put(text),
            None => {
                self.put(text);
                self.put(&[0]);
            }
        }
        self.put_padding(&[0; 3][..padding(length)]);
    }

    /// Appends `head`, bytes, and their padding.
    #[doc(hidden)]
    #[inline]
    fn put_padded<const HEAD: usize>(&mut self, head: [u8; HEAD], bytes: &[u8]) {
        self.put(&head);
        self.put(bytes);
        self.put_padding(&[0; 3][..padding(bytes.len())]);
    }

    /// Appends numbers. `to_bytes` converts each of them to `SIZE` bytes.
    #[doc(hidden)]
    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        if numbers.len() * SIZE <= FEW {
            put_numbers_in_blocks::<FEW, _, SIZE>(self, numbers, to_bytes);
        } else {
            put_many_numbers(self, numbers, to_bytes);
        }
    }

    /// Appends UTF-32 text as UTF-8, which takes `length` bytes.
    #[doc(hidden)]
    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        if length <= FEW {
            put_utf32_in_blocks::<FEW>(self, text);
        } else {
            put_long_utf32(self, text);
        }
    }
}

/// The bytes of a block for few bytes: the components of any type, or short text. A longer block takes longer to clear.
const FEW: usize = 128;
/// The bytes of a block for many.
const MANY: usize = 4096;

/// Appends numbers in blocks on the stack: the conversion is vectorized, and the copy reads from the first-level cache.
#[inline]
fn put_numbers_in_blocks<const BLOCK: usize, T: Copy, const SIZE: usize>(
    sink: &mut (impl Sink + ?Sized),
    numbers: &[T],
    to_bytes: impl Fn(T) -> [u8; SIZE],
) {
    let mut block = [0; BLOCK];
    for numbers in numbers.chunks(BLOCK / SIZE) {
        let chunks = block.as_chunks_mut::<SIZE>().0;
        for (bytes, number) in chunks.iter_mut().zip(numbers) {
            *bytes = to_bytes(*number);
        }
        sink.put(&block[..numbers.len() * SIZE]);
    }
}

// Not inlined, so that a nested value takes no space for a long block.
#[inline(never)]
fn put_many_numbers<T: Copy, const SIZE: usize>(
    sink: &mut (impl Sink + ?Sized),
    numbers: &[T],
    to_bytes: impl Fn(T) -> [u8; SIZE],
) {
    put_numbers_in_blocks::<MANY, _, SIZE>(sink, numbers, to_bytes);
}

// As above.
#[inline(never)]
fn put_long_utf32(sink: &mut (impl Sink + ?Sized), text: &[u32]) {
    put_utf32_in_blocks::<{ MANY / 4 }>(sink, text);
}

/// Appends text in blocks on the stack.
#[inline]
fn put_utf32_in_blocks<const BLOCK: usize>(sink: &mut (impl Sink + ?Sized), text: &[u32]) {
    let mut block = [0; BLOCK];
    for text in text.chunks(BLOCK / utf32::LONGEST) {
        let length = utf32::encode(text, &mut block);
        sink.put(&block[..length]);
    }
}

impl Sink for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        let start = self.len();
        self.resize(start + length, 0);
        utf32::encode_exact(text, &mut self[start..]);
    }

    #[inline]
    fn put_short_text<const HEAD: usize>(&mut self, head: [u8; HEAD], text: &[u8; SHORT_TEXT], length: usize) {
        self.extend_from_slice(&head);
        let end = self.len() + padded(length);
        // Never reserves memory for the zeroes: the capacity may be exactly the length of the packet.
        if self.capacity() - self.len() >= SHORT_TEXT_PADDED {
            self.extend_from_slice(text);
            self.extend_from_slice(&[0; SHORT_TEXT_PADDED - SHORT_TEXT]);
            self.truncate(end);
        } else {
            self.extend_from_slice(&text[..length.min(SHORT_TEXT)]);
            self.resize(end, 0);
        }
    }

    // Not inlined, so that the length of the vector stays in a register between the pieces.
    #[inline(never)]
    fn put_padded<const HEAD: usize>(&mut self, head: [u8; HEAD], text: &[u8]) {
        self.extend_from_slice(&head);
        let start = self.len();
        let length = text.len();
        // Most text is not much longer than inline storage: its first and last bytes, which may overlap, are all of it.
        match (text.first_chunk::<HALF>(), text.last_chunk::<HALF>()) {
            (Some(first), Some(last)) if length <= 2 * HALF && self.capacity() - start >= 2 * HALF + ALIGNMENT => {
                self.extend_from_slice(first);
                self.truncate(start + length - HALF);
                self.extend_from_slice(last);
                self.extend_from_slice(&[0; ALIGNMENT]);
                self.truncate(start + padded(length));
            }
            _ => {
                self.extend_from_slice(text);
                self.resize(start + padded(length), 0);
            }
        }
    }
}

/// Half of the longest text that is copied in two pieces.
const HALF: usize = 16;

const CAPACITY: usize = 512;

/// A buffer on the stack. It keeps the bytes if all of them fit, and counts them in any case.
#[derive(Debug)]
pub(crate) struct SmallBufferSink {
    bytes: [u8; CAPACITY],
    /// The number of bytes written, including those that did not fit.
    length: usize,
}

impl Default for SmallBufferSink {
    #[inline]
    fn default() -> Self {
        Self { bytes: [0; CAPACITY], length: 0 }
    }
}

impl SmallBufferSink {
    /// Returns all bytes, if they fit.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.get(..self.length)
    }

    /// Returns the number of bytes written, including those that did not fit.
    #[must_use]
    #[inline]
    pub const fn length(&self) -> usize {
        self.length
    }
}

impl Sink for SmallBufferSink {
    #[inline]
    fn only_counts(&self) -> bool {
        self.length > CAPACITY
    }

    #[inline]
    fn count(&mut self, length: usize) {
        self.length += length;
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if let Some(buffer) = self.bytes.get_mut(self.length..).and_then(|rest| rest.get_mut(..bytes.len())) {
            buffer.copy_from_slice(bytes);
        }
        self.length += bytes.len();
    }

    #[inline]
    fn put_short_text<const HEAD: usize>(&mut self, head: [u8; HEAD], text: &[u8; SHORT_TEXT], length: usize) {
        self.put(&head);
        // Nothing has been written after this position yet, so the padding is already zero.
        if let Some(buffer) = self.bytes.get_mut(self.length..).and_then(|rest| rest.first_chunk_mut()) {
            *buffer = *text;
        } else {
            let kept = CAPACITY.saturating_sub(self.length).min(SHORT_TEXT);
            self.bytes[CAPACITY - kept..].copy_from_slice(&text[..kept]);
        }
        self.length += padded(length);
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        if self.length + numbers.len() * SIZE <= CAPACITY {
            numbers.iter().for_each(|number| self.put(&to_bytes(*number)));
        } else {
            self.length += numbers.len() * SIZE;
        }
    }
}

/// Counts the bytes instead of keeping them.
///
/// ```
/// use varbytes::Encoder;
/// use varbytes::write::Length;
///
/// let mut length = Length::default();
/// Encoder::new().encode_to(&"hi".into(), &mut length)?;
/// assert_eq!(length.0, 12);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Length(pub usize);

impl Sink for Length {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }

    #[inline]
    fn only_counts(&self) -> bool {
        true
    }

    #[inline]
    fn count(&mut self, length: usize) {
        self.0 += length;
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

/// Keeps bytes, and the offsets of padding.
#[derive(Default)]
pub(crate) struct MarkedPadding {
    pub(crate) bytes: Vec<u8>,
    /// The offsets of padding bytes, in ascending order.
    pub(crate) padding: Vec<usize>,
}

impl Sink for MarkedPadding {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn put_padding(&mut self, bytes: &[u8]) {
        self.padding.extend(self.bytes.len()..self.bytes.len() + bytes.len());
        self.put(bytes);
    }
}

#[cfg(test)]
mod tests {
    use crate::Variant;
    use crate::variant::Text;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn a_packet_around_the_length_that_is_kept_is_written_as_into_a_buffer() {
        for members in 0..40 {
            for text in 0..26 {
                let text = Variant::from("x".repeat(text).as_str());
                let strings =
                    Variant::PackedStringArray(["é".repeat(11), "y".repeat(22), "z".repeat(21)].map(Text::from).into());
                let value: Vec<Variant> = (0..members).flat_map(|number| [text.clone(), number.into()]).collect();
                let value = Variant::from(vec![Variant::from(value), strings]);
                let mut buffer = Vec::new();
                crate::Encoder::new().encode_into(&value, &mut buffer).unwrap();
                let bytes = crate::encode(&value).unwrap();
                assert_eq!(bytes, buffer);
                assert_eq!(crate::decode(&bytes).unwrap(), value);
            }
        }
    }
}
