//! Text short enough to be stored inline in a value, in three words.

/// The most bytes of UTF-8 that a value stores inline. Longer text is on the heap; keys and names are rarely longer.
pub(crate) const INLINE: usize = 22;

/// For each length, the bits of the words that belong to the text.
const MASKS: [[u64; 3]; INLINE + 1] = {
    let mut masks = [[0; 3]; INLINE + 1];
    let mut length = 0;
    while length <= INLINE {
        let mut byte = 0;
        while byte < length {
            masks[length][byte / 8] |= 0xFF << (byte % 8 * 8);
            byte += 1;
        }
        length += 1;
    }
    masks
};

/// Text stored inline: its bytes from the lowest byte of the first word on, then zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortText {
    pub(crate) length: usize,
    pub(crate) words: [u64; 3],
}

impl ShortText {
    /// Returns the text in the first `length` bytes of the words, if it is short enough.
    #[inline(always)]
    pub(crate) fn in_words(length: usize, words: [u64; 3]) -> Option<Self> {
        let [first, second, third] = MASKS.get(length)?;
        Some(Self { length, words: [words[0] & first, words[1] & second, words[2] & third] })
    }

    #[inline]
    pub(crate) fn of(text: &[u8]) -> Option<Self> {
        let length = text.len();
        let words = match text.as_chunks() {
            _ if length > INLINE => return None,
            ([], bytes) => [up_to_word(bytes), 0, 0],
            // The last word overlaps the one before.
            ([first], _) => [u64::from_le_bytes(*first), last_word(text, 8), 0],
            ([first, second, ..], _) => [u64::from_le_bytes(*first), u64::from_le_bytes(*second), last_word(text, 16)],
        };
        Some(Self { length, words })
    }

    #[inline(always)]
    pub(crate) fn is_ascii_without_nul(&self) -> bool {
        // Zeros after the text are not part of it.
        let [first, second, third] = MASKS[self.length];
        let [a, b, c] = self.words;
        odd(a | ONES & !first) | odd(b | ONES & !second) | odd(c | ONES & !third) == 0
    }
}

/// Returns the bytes from `start` on, of at least 8 bytes that end less than 8 bytes after it.
#[inline(always)]
fn last_word(bytes: &[u8], start: usize) -> u64 {
    let unused = 8 * (8 + start).saturating_sub(bytes.len());
    match bytes.last_chunk() {
        Some(last) if unused < 64 => u64::from_le_bytes(*last) >> unused,
        _ => 0,
    }
}

/// Returns less than 8 bytes in a word.
#[inline(always)]
fn up_to_word(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    match (bytes.first_chunk(), bytes.last_chunk(), bytes) {
        (Some(first), Some(last), _) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * length - 32)
        }
        (_, _, [first, .., last]) => {
            u64::from(*first) | u64::from(bytes[length / 2]) << (length / 2 * 8) | u64::from(*last) << (8 * length - 8)
        }
        (_, _, [only]) => u64::from(*only),
        _ => 0,
    }
}

/// Returns text of at most 16 bytes in two words, with zeroes after it. Returns `None` if it is longer, contains NUL, or
/// begins with a byte order mark.
#[cfg(feature = "serde")]
#[inline(always)]
pub(crate) fn words_of_text(text: &[u8]) -> Option<[u64; 2]> {
    let length = text.len();
    let shift = |bytes: usize| u32::try_from(8 * bytes).ok();
    // The first and the last bytes, which may overlap, are all of it.
    let (words, checked) = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        let unused = shift(16_usize.checked_sub(length)?)?;
        ([first, last.unbounded_shr(unused)], [first, last])
    } else {
        let word = up_to_word(text);
        ([word, 0], [word | ONES.unbounded_shl(shift(length)?), ONES])
    };
    let has_nul = |word: u64| word.wrapping_sub(ONES) & !word & HIGHEST_BITS != 0;
    let has_mark = words[0] & 0xFF_FFFF == MARK;
    (!has_nul(checked[0]) && !has_nul(checked[1]) && !has_mark).then_some(words)
}

/// The UTF-8 byte order mark as the start of a word.
#[cfg(feature = "serde")]
const MARK: u64 = 0xBF_BB_EF;

pub(crate) const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
pub(crate) const HIGHEST_BITS: u64 = ONES << 7;

/// Returns a value other than 0 if a byte is 0 or not ASCII.
#[inline(always)]
const fn odd(word: u64) -> u64 {
    // A zero byte borrows in the subtraction, which sets its highest bit.
    (word.wrapping_sub(ONES) | word) & HIGHEST_BITS
}
