//! Targets for encoded bytes.

use arrayvec::ArrayVec;
use godot::builtin::PackedByteArray;
use varbytes::write::Sink;
use varbytes::{NumberBytes, utf32};

/// Bytes that are copied as one piece.
const LONG: usize = 4 << 10;

/// The bytes that fit on the stack.
pub(crate) const STACK: usize = 2 << 10;

/// So many bytes of other pieces do not matter beside long ones.
const FEW: usize = 512;

/// A buffer on the stack, which is not cleared first, for values whose bytes fit. If a short piece does not fit, the sink is full. If
/// a long one does not fit, pieces are counted until it is known that the value is not nearly all long ones.
#[derive(Default)]
pub(crate) struct StackSink {
    bytes: ArrayVec<u8, STACK>,
    /// Whether a piece did not fit.
    is_over: bool,
    /// How many bytes were written before the first piece that did not fit, if that was a short one, and the bytes from there on.
    rest: Option<(usize, Vec<u8>)>,
    /// The bytes of long pieces that did not fit: those that are copied, and numbers.
    long: usize,
    long_numbers: usize,
    /// The bytes of other pieces that did not fit.
    others: usize,
}

impl StackSink {
    /// Returns the bytes, if all of them fit.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        (!self.is_over).then_some(&self.bytes)
    }

    /// Puts the bytes of a number, which fit into an empty buffer.
    #[inline(always)]
    pub(super) fn put_number(&mut self, number: NumberBytes) {
        self.bytes.extend(std::iter::repeat_n(0, number.length()));
        number.copy_to(&mut self.bytes);
    }

    /// Returns the bytes that were written before the sink was full, in two parts, if it is because of a short piece.
    pub(super) fn parts(&self) -> Option<[&[u8]; 2]> {
        self.rest.as_ref().map(|(length, rest)| [&self.bytes[..*length], rest])
    }

    /// Returns the number of all bytes, if the value is nearly all long pieces.
    pub(super) fn size_of_long(&self) -> Option<usize> {
        (!self.is_full()).then_some(self.bytes.len() + self.others + self.long + self.long_numbers)
    }

    /// Returns whether no short piece was the first that did not fit, and the bytes are nearly all those of long ones.
    #[cold]
    fn is_nearly_all_long(&self) -> bool {
        self.rest.is_none() && self.bytes.len() + self.others <= FEW + (self.long + self.long_numbers) / 8
    }

    /// Returns whether the value is nearly all long pieces that are copied. The engine copies them faster in a template: only it can
    /// create an array without filling it with zeros first.
    pub(super) fn is_nearly_all_copied(&self) -> bool {
        self.bytes.len() + self.others + self.long_numbers <= FEW + self.long / 8
    }

    /// Puts bytes that do not fit.
    #[cold]
    fn put_after_stack(&mut self, bytes: &[u8]) {
        if let Some(rest) = self.after_stack(bytes.len(), true) {
            rest.put(bytes);
        }
    }

    /// Returns where a piece goes that does not fit, or counts it.
    #[cold]
    fn after_stack(&mut self, size: usize, is_copied: bool) -> Option<&mut Vec<u8>> {
        if !self.is_over && size < LONG {
            self.rest = Some((self.bytes.len(), Vec::new()));
            // No other piece fits from now on.
            self.bytes.extend(std::iter::repeat_n(0, self.bytes.remaining_capacity()));
        }
        self.is_over = true;
        if let Some((_, rest)) = &mut self.rest {
            return Some(rest);
        }
        *(if size < LONG {
            &mut self.others
        } else if is_copied {
            &mut self.long
        } else {
            &mut self.long_numbers
        }) += size;
        None
    }
}

impl Sink for StackSink {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if self.bytes.try_extend_from_slice(bytes).is_err() {
            self.put_after_stack(bytes);
        }
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        let size = numbers.len() * SIZE;
        if size <= self.bytes.remaining_capacity() {
            for number in numbers {
                // They fit.
                let _ = self.bytes.try_extend_from_slice(&to_bytes(*number));
            }
        } else if let Some(rest) = self.after_stack(size, false) {
            rest.put_numbers(numbers, to_bytes);
        }
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        if length > self.bytes.remaining_capacity() {
            if let Some(rest) = self.after_stack(length, false) {
                rest.put_utf32(text, length);
            }
            return;
        }
        if length == text.len() {
            self.bytes.extend(text.iter().map(|char| (char & 0x7F) as u8));
            return;
        }
        let start = self.bytes.len();
        self.bytes.extend(std::iter::repeat_n(0, length));
        utf32::encode_exact(text, &mut self.bytes[start..]);
    }

    /// Returns whether a short piece did not fit, or a long one did not and the bytes are not nearly all those of long pieces.
    #[inline]
    fn is_full(&self) -> bool {
        self.is_over && !self.is_nearly_all_long()
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
        let Some(space) = self.next(numbers.len() * SIZE) else { return };
        for (place, number) in space.as_chunks_mut().0.iter_mut().zip(numbers) {
            *place = to_bytes(*number);
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

/// Writes into an array that grows, in one pass: sizes are not computed before.
///
/// The array grows by blocks. So the space that the engine reserves after its bytes is neither cleared nor touched.
#[derive(Default)]
pub(super) struct GrowingSink {
    array: PackedByteArray,
    /// Space for the bytes after those of the array. It grows up to [`BLOCK`](Self::BLOCK).
    block: Vec<u8>,
    /// The number of bytes in the block.
    at: usize,
}

impl GrowingSink {
    const BLOCK: usize = 64 << 10;
    const FIRST_BLOCK: usize = 4 << 10;

    /// Returns all bytes.
    pub(super) fn finish(mut self) -> PackedByteArray {
        self.empty_block();
        self.array
    }

    fn empty_block(&mut self) {
        append(&mut self.array, &self.block[..self.at]);
        self.at = 0;
    }

    /// Returns space for `size` bytes, at most [`BLOCK`](Self::BLOCK), and moves past it.
    #[inline(always)]
    fn space(&mut self, size: usize) -> &mut [u8] {
        if self.block.len() - self.at < size {
            self.make_space(size);
        }
        let start = self.at;
        self.at += size;
        &mut self.block[start..start + size]
    }

    #[cold]
    fn make_space(&mut self, size: usize) {
        if self.block.len() == Self::BLOCK {
            return self.empty_block();
        }
        let needed = (self.at + size).max(Self::FIRST_BLOCK).max(4 * self.block.len());
        self.block.resize(needed.min(Self::BLOCK), 0);
        if self.block.len() - self.at < size {
            self.empty_block();
        }
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
        if bytes.len() >= LONG {
            return self.put_long(bytes);
        }
        self.space(bytes.len()).copy_from_slice(bytes);
    }

    #[inline]
    fn put_numbers<T: Copy, const SIZE: usize>(&mut self, numbers: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        const BLOCK: usize = 4096;
        let fill = |space: &mut [u8], numbers: &[T]| {
            for (place, number) in space.as_chunks_mut().0.iter_mut().zip(numbers) {
                *place = to_bytes(*number);
            }
        };
        if numbers.len() * SIZE >= Self::BLOCK {
            self.empty_block();
            return fill(grown(&mut self.array, numbers.len() * SIZE), numbers);
        }
        for numbers in numbers.chunks(BLOCK / SIZE) {
            fill(self.space(numbers.len() * SIZE), numbers);
        }
    }

    #[inline]
    fn put_utf32(&mut self, text: &[u32], length: usize) {
        const BLOCK: usize = 4096;
        const LONGEST_CHAR: usize = 4;
        let is_ascii = length == text.len();
        if is_ascii {
            return self.put_numbers(text, |char| [(char & 0x7F) as u8]);
        }
        if length >= Self::BLOCK {
            self.empty_block();
            utf32::encode_exact(text, grown(&mut self.array, length));
            return;
        }
        for text in text.chunks(BLOCK) {
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
