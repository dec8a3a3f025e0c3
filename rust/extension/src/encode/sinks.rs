//! Targets for encoded bytes.

use arrayvec::ArrayVec;
use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use varbytes::utf32;
use varbytes::write::Sink;

use crate::raw::{Kept, Taken, put_packed};

/// The bytes that fit on the stack.
pub(crate) const STACK: usize = 4 << 10;

/// A buffer on the stack, which is not cleared first, for values whose bytes fit. A value that is long and does not fit is left to
/// another sink. When a short one does not fit, all go on into a growing sink.
#[derive(Default)]
pub(crate) struct StackSink {
    bytes: ArrayVec<u8, STACK>,
    /// All bytes, if a piece did not fit.
    rest: Option<GrowingSink>,
    /// Whether a value was left.
    is_left: bool,
}

impl StackSink {
    /// Returns the bytes, if all of them fit.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        (!self.is_full()).then_some(&self.bytes)
    }

    /// Returns a sink that contains all bytes, if a piece did not fit, which can be written on.
    pub(super) fn take_rest(&mut self) -> Option<GrowingSink> {
        self.rest.take()
    }

    /// Returns the bytes before a value that was left.
    pub(super) fn before_left(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the space of a piece that fits.
    #[inline(always)]
    pub(super) fn space(&mut self, size: usize) -> &mut [u8] {
        /// To copy them is faster than to extend the buffer by an iterator.
        static ZEROS: [u8; STACK] = [0; STACK];
        let start = self.bytes.len();
        // It fits.
        let _ = self.bytes.try_extend_from_slice(&ZEROS[..size]);
        &mut self.bytes[start..]
    }

    /// Puts bytes and their padding, which may not fit.
    #[cold]
    fn put_padded_after_stack(&mut self, head: &[u8], bytes: &[u8]) {
        self.put(head);
        self.put(bytes);
        self.put(&[0; 3][..bytes.len().next_multiple_of(4) - bytes.len()]);
    }

    /// Returns where a piece goes that does not fit.
    #[cold]
    fn rest(&mut self) -> &mut GrowingSink {
        if self.rest.is_none() {
            self.rest.insert(GrowingSink::default()).put(&self.bytes);
            // No other piece fits from now on.
            self.space(self.bytes.remaining_capacity());
        }
        self.rest.get_or_insert_default()
    }
}

impl Sink for StackSink {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if self.bytes.try_extend_from_slice(bytes).is_err() {
            self.rest().put(bytes);
        }
    }

    #[inline]
    fn put_padded<const HEAD: usize>(&mut self, head: [u8; HEAD], bytes: &[u8]) {
        const PADDING: [u8; 3] = [0; 3];
        if HEAD + bytes.len() + PADDING.len() > self.bytes.remaining_capacity() {
            return self.put_padded_after_stack(&head, bytes);
        }
        // They fit.
        let _ = self.bytes.try_extend_from_slice(&head);
        let _ = self.bytes.try_extend_from_slice(bytes);
        let _ = self.bytes.try_extend_from_slice(&PADDING[..bytes.len().next_multiple_of(4) - bytes.len()]);
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        let size = numbers.len() * SIZE;
        if size <= self.bytes.remaining_capacity() {
            fill(self.space(size), numbers, to_bytes);
        } else {
            self.rest().put_numbers(numbers, to_bytes);
        }
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        if length <= self.bytes.remaining_capacity() {
            utf32::encode_exact(text, self.space(length));
        } else {
            self.rest().put_utf32(text, length);
        }
    }

    #[inline]
    fn leaves(&mut self, size: usize) -> bool {
        self.is_left = size > self.bytes.remaining_capacity();
        self.is_left
    }

    /// Returns whether a piece did not fit, or a value was left.
    #[inline]
    fn is_full(&self) -> bool {
        self.is_left || self.rest.is_some()
    }
}

/// Counts bytes, as long as nearly all of them are those of long pieces: to count these takes less time than to copy them twice.
#[derive(Default)]
pub(super) struct LongPieces {
    length: usize,
    long: usize,
}

impl LongPieces {
    /// The least size of a long piece.
    pub(super) const LEAST: usize = 1 << 10;
    /// At most so many bytes of others count as few.
    const FEW: usize = 512;

    /// Returns the number of bytes, if nearly all are those of long pieces.
    pub(super) fn length(&self) -> Option<usize> {
        (!self.is_full()).then_some(self.length)
    }
}

impl Sink for LongPieces {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
    }

    #[inline]
    fn only_counts(&self) -> bool {
        true
    }

    #[inline]
    fn count(&mut self, length: usize) {
        self.length += length;
        if length >= Self::LEAST {
            self.long += length;
        }
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], _: impl Fn(T) -> [u8; SIZE]) {
        self.count(numbers.len() * SIZE);
    }

    #[inline]
    fn put_utf32(&mut self, _: &[u32], length: usize) {
        self.count(length);
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.length > Self::FEW + self.long + self.long / 8
    }
}

/// Writes numbers to a space of their size.
#[inline(always)]
fn fill<T: Copy, const SIZE: usize>(space: &mut [u8], numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
    for (place, number) in space.as_chunks_mut().0.iter_mut().zip(numbers) {
        *place = to_bytes(*number);
    }
}

/// A space of a fixed size, for values whose bytes fit.
pub(super) struct FixedSink<'s> {
    space: &'s mut [u8],
    at: usize,
    /// Whether a piece did not fit.
    is_over: bool,
}

impl<'s> FixedSink<'s> {
    pub(super) const fn new(space: &'s mut [u8]) -> Self {
        Self { space, at: 0, is_over: false }
    }

    /// Returns the number of bytes, if all of them fit.
    pub(super) fn length(&self) -> Option<usize> {
        (!self.is_over).then_some(self.at)
    }

    /// Clears the bytes that were not written. There are some only if the value has changed meanwhile.
    #[inline]
    pub(super) fn clear_rest(&mut self) {
        self.space[self.at..].fill(0);
    }

    #[inline(always)]
    fn next(&mut self, size: usize) -> Option<&mut [u8]> {
        match self.space.get_mut(self.at..).and_then(|rest| rest.get_mut(..size)) {
            Some(space) if !self.is_over => {
                self.at += size;
                Some(space)
            }
            _ => {
                self.is_over = true;
                None
            }
        }
    }
}

impl Sink for FixedSink<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if let Some(space) = self.next(bytes.len()) {
            space.copy_from_slice(bytes);
        }
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        if let Some(space) = self.next(numbers.len() * SIZE) {
            fill(space, numbers, to_bytes);
        }
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        if let Some(space) = self.next(length) {
            utf32::encode_exact(text, space);
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.is_over
    }
}

/// Compares the bytes of a value with those that are expected.
pub(super) struct ComparingSink<'b> {
    expected: &'b [u8],
    /// Whether a piece was another one.
    differs: bool,
}

impl<'b> ComparingSink<'b> {
    pub(super) const fn new(expected: &'b [u8]) -> Self {
        Self { expected, differs: false }
    }

    /// Returns whether all pieces, and no others, were expected.
    pub(super) const fn is_equal(&self) -> bool {
        !self.differs && self.expected.is_empty()
    }
}

impl Sink for ComparingSink<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        match self.expected.strip_prefix(bytes) {
            Some(rest) => self.expected = rest,
            None => self.differs = true,
        }
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        let Some((expected, rest)) = self.expected.split_at_checked(numbers.len() * SIZE) else {
            self.differs = true;
            return;
        };
        let pairs = expected.as_chunks().0.iter().zip(numbers);
        // Does not stop at the first difference, so that it is vectorized.
        self.differs |= pairs.fold(false, |differs, (bytes, number)| differs | (*bytes != to_bytes(*number)));
        self.expected = rest;
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        const PART: usize = 128;
        const LONGEST_CHAR: usize = 4;
        if length == text.len() {
            return self.put_numbers(text, |char| [(char & 0x7F) as u8]);
        }
        let mut part = [0; PART * LONGEST_CHAR];
        for text in text.chunks(PART) {
            let length = utf32::encode(text, &mut part);
            self.put(&part[..length]);
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.differs
    }
}

/// Writes into an array that grows, in one pass: sizes are not computed before.
///
/// The array grows by blocks. So the space that the engine reserves after its bytes is neither cleared nor touched.
pub(super) struct GrowingSink {
    array: PackedByteArray,
    /// Space for the bytes after those of the array.
    block: Taken<Block>,
    /// The number of bytes in the block.
    at: usize,
}

const BLOCK: usize = 64 << 10;

type Block = [u8; BLOCK];

/// The block of the next sink, which need not be cleared.
static SHARED_BLOCK: Kept<Block> = Kept::new();

impl Default for GrowingSink {
    fn default() -> Self {
        Self { array: PackedByteArray::new(), block: SHARED_BLOCK.take_or(|| [0; BLOCK]), at: 0 }
    }
}

impl GrowingSink {
    /// A piece that is copied into the array at once.
    const LONG: usize = 4 << 10;

    /// Puts all bytes in place of `out`, as a PackedByteArray. Returns their number.
    pub(super) fn finish(mut self, out: &mut Variant) -> usize {
        if self.array.is_empty() {
            let bytes = &self.block[..self.at];
            put_packed(out, bytes.len(), |target| target.copy_from_slice(bytes));
            return bytes.len();
        }
        self.empty_block();
        *out = self.array.to_variant();
        self.array.len()
    }

    fn empty_block(&mut self) {
        append(&mut self.array, &self.block[..self.at]);
        self.at = 0;
    }

    /// Returns space for `size` bytes, at most [`BLOCK`], and moves past it.
    #[inline(always)]
    fn space(&mut self, size: usize) -> &mut [u8] {
        if BLOCK - self.at < size {
            self.empty_block();
        }
        let start = self.at;
        self.at += size;
        &mut self.block[start..start + size]
    }

    #[cold]
    fn put_long(&mut self, bytes: &[u8]) {
        self.empty_block();
        append(&mut self.array, bytes);
    }
}

impl Sink for GrowingSink {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if bytes.len() >= Self::LONG {
            return self.put_long(bytes);
        }
        self.space(bytes.len()).copy_from_slice(bytes);
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        const PART: usize = 4096;
        if numbers.len() * SIZE >= BLOCK {
            self.empty_block();
            return fill(grown(&mut self.array, numbers.len() * SIZE), numbers, to_bytes);
        }
        for numbers in numbers.chunks(PART / SIZE) {
            fill(self.space(numbers.len() * SIZE), numbers, &to_bytes);
        }
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        const PART: usize = 4096;
        const LONGEST_CHAR: usize = 4;
        let is_ascii = length == text.len();
        if is_ascii {
            return self.put_numbers(text, |char| [(char & 0x7F) as u8]);
        }
        if length >= BLOCK {
            self.empty_block();
            utf32::encode_exact(text, grown(&mut self.array, length));
            return;
        }
        for text in text.chunks(PART) {
            let most = text.len() * LONGEST_CHAR;
            let length = utf32::encode(text, self.space(most));
            self.at -= most - length;
        }
    }
}

fn append(array: &mut PackedByteArray, bytes: &[u8]) {
    grown(array, bytes.len()).copy_from_slice(bytes);
}

/// Makes an array longer and returns the new bytes.
fn grown(array: &mut PackedByteArray, size: usize) -> &mut [u8] {
    let before = array.len();
    array.resize(before + size);
    &mut array.as_mut_slice()[before..]
}
