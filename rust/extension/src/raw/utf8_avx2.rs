//! Checks and converts UTF-8 with the vector instructions of most processors, for text that is not short.
//!
//! The check is the lookup algorithm of Keiser and Lemire (Validating UTF-8 In Less Than One Instruction Per Byte, 2021): each error
//! shows in a byte and the one before, or in the third or fourth byte of a character. The conversion takes 8 bytes at a time:
//! a table says where the characters are that begin in them.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// The bytes of the vectors of the check.
const BLOCK: usize = 32;
/// The bytes in which the characters begin that are converted at once, and how many these are at most.
const WINDOW: usize = 8;
/// The bytes that are read for a window.
const READ: usize = 16;

/// A proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        let is_there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        is_there.then_some(Self(()))
    }

    /// Returns the number of characters, or `None` if the bytes are not UTF-8.
    pub(super) fn count(self, bytes: &[u8]) -> Option<usize> {
        // SAFETY: the processor has the instructions.
        unsafe { checked_count(bytes) }
    }

    /// Converts UTF-8 as far as there are many bytes left. Returns how many bytes were converted into how many characters. These are
    /// right if the bytes are UTF-8.
    pub(super) fn convert(self, bytes: &[u8], places: &mut [MaybeUninit<u32>]) -> (usize, usize) {
        // SAFETY: the processor has the instructions.
        unsafe { convert(bytes, places) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn checked_count(bytes: &[u8]) -> Option<usize> {
    let mut check = Check::new();
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    blocks.iter().for_each(|block| check.block(block));
    // Zeroes are characters, so that an incomplete one before them is an error.
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    check.block(&last);
    check.is_right().then_some(check.count - (BLOCK - rest.len()))
}

/// The state of the check.
struct Check {
    /// Not zero where there is an error.
    errors: __m256i,
    /// The block before.
    before: __m256i,
    count: usize,
}

// The errors that a byte and the one before can show, by the halves of both: an error is there if all three tables have its bit.
/// No continuation where there must be one.
const TOO_SHORT: u8 = 1 << 0;
/// A continuation after ASCII.
const TOO_LONG: u8 = 1 << 1;
/// A character in more bytes than needed.
const OVERLONG_2: u8 = 1 << 2;
const OVERLONG_3: u8 = 1 << 3;
const OVERLONG_4: u8 = 1 << 4;
const SURROGATE: u8 = 1 << 5;
/// Above 10FFFF: after F4, and after F5 and more. A lead byte of F5 or more and a continuation of 8x have the bit of overlong ones.
const TOO_LARGE: u8 = 1 << 6;
/// Two continuations, which is right in the third and fourth byte of a character.
const CONTINUATIONS: u8 = 1 << 7;
/// What does not depend on the lower half of the byte before.
const ANY: u8 = TOO_SHORT | TOO_LONG | CONTINUATIONS;

const HIGH_BEFORE: [u8; 16] = {
    let mut table = [TOO_LONG; 16];
    (table[0x8], table[0x9], table[0xA], table[0xB]) = (CONTINUATIONS, CONTINUATIONS, CONTINUATIONS, CONTINUATIONS);
    table[0xC] = TOO_SHORT | OVERLONG_2;
    table[0xD] = TOO_SHORT;
    table[0xE] = TOO_SHORT | OVERLONG_3 | SURROGATE;
    table[0xF] = TOO_SHORT | OVERLONG_4 | TOO_LARGE;
    table
};
const LOW_BEFORE: [u8; 16] = {
    let mut table = [ANY | TOO_LARGE | OVERLONG_4; 16];
    table[0x0] = ANY | OVERLONG_2 | OVERLONG_3 | OVERLONG_4;
    table[0x1] = ANY | OVERLONG_2;
    (table[0x2], table[0x3]) = (ANY, ANY);
    table[0x4] = ANY | TOO_LARGE;
    table[0xD] |= SURROGATE;
    table
};
const HIGH: [u8; 16] = {
    let mut table = [TOO_SHORT; 16];
    let continuation = TOO_LONG | OVERLONG_2 | CONTINUATIONS;
    table[0x8] = continuation | OVERLONG_3 | OVERLONG_4;
    table[0x9] = continuation | OVERLONG_3 | TOO_LARGE;
    table[0xA] = continuation | SURROGATE | TOO_LARGE;
    table[0xB] = continuation | SURROGATE | TOO_LARGE;
    table
};

impl Check {
    #[target_feature(enable = "avx2")]
    fn new() -> Self {
        Self { errors: _mm256_setzero_si256(), before: _mm256_setzero_si256(), count: 0 }
    }

    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    fn block(&mut self, block: &[u8; BLOCK]) {
        // SAFETY: a block has this many bytes.
        let block = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        let table = |table: &'static [u8; 16]| {
            // SAFETY: a table has this many bytes.
            _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
        };
        let high_half = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F));
        let low_half = |bytes| _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F));
        self.count += begins(block).count_ones() as usize;
        // The last 16 bytes of the block before, and the first of this one.
        let middle = _mm256_permute2x128_si256::<0x21>(self.before, block);
        let before = _mm256_alignr_epi8::<15>(block, middle);
        let errors = _mm256_and_si256(
            _mm256_and_si256(
                _mm256_shuffle_epi8(table(&HIGH_BEFORE), high_half(before)),
                _mm256_shuffle_epi8(table(&LOW_BEFORE), low_half(before)),
            ),
            _mm256_shuffle_epi8(table(&HIGH), high_half(block)),
        );
        // The highest bit is set two bytes after E0 and more, and three bytes after F0 and more.
        let third = _mm256_subs_epu8(_mm256_alignr_epi8::<14>(block, middle), _mm256_set1_epi8(0x60));
        let fourth = _mm256_subs_epu8(_mm256_alignr_epi8::<13>(block, middle), _mm256_set1_epi8(0x70));
        let wanted = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(CONTINUATIONS.cast_signed()));
        self.errors = _mm256_or_si256(self.errors, _mm256_xor_si256(errors, wanted));
        self.before = block;
    }

    #[target_feature(enable = "avx2")]
    fn is_right(&self) -> bool {
        _mm256_testz_si256(self.errors, self.errors) == 1
    }
}

/// Returns a bit for each byte that is not a continuation.
#[target_feature(enable = "avx2")]
#[inline]
fn begins(block: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpgt_epi8(block, _mm256_set1_epi8(-0x41))).cast_unsigned()
}

/// For each combination of the bytes of a window that begin characters: the indices of the four bytes from each of them on.
static SHUFFLES: [Shuffle; 1 << WINDOW] = {
    let mut shuffles = [Shuffle([0; BLOCK]); 1 << WINDOW];
    let mut begins = 0;
    while begins < shuffles.len() {
        let (mut byte, mut character) = (0, 0);
        while byte < WINDOW {
            if begins >> byte & 1 == 1 {
                let mut index = 0;
                while index < 4 {
                    shuffles[begins].0[4 * character + index] = (byte + index) as u8;
                    index += 1;
                }
                character += 1;
            }
            byte += 1;
        }
        begins += 1;
    }
    shuffles
};

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Shuffle([u8; BLOCK]);

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn convert(bytes: &[u8], places: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut at, mut written) = (0, 0);
    while bytes.len() - at >= BLOCK - WINDOW + READ && places.len() - written >= BLOCK {
        let (source, target) = (bytes[at..].as_ptr(), places[written..].as_mut_ptr());
        // SAFETY: the last window begins `WINDOW` bytes before the end of the block. There is a place for each byte of the block, and a
        // window has no more characters than bytes.
        unsafe {
            let block = _mm256_loadu_si256(source.cast());
            let mut begins = begins(block);
            if _mm256_movemask_epi8(block) == 0 {
                for index in (0..BLOCK).step_by(WINDOW) {
                    let characters = _mm256_cvtepu8_epi32(_mm_loadl_epi64(source.add(index).cast()));
                    _mm256_storeu_si256(target.add(index).cast(), characters);
                }
                (at, written) = (at + BLOCK, written + BLOCK);
                continue;
            }
            let mut to = 0;
            for index in (0..BLOCK).step_by(WINDOW) {
                window(source.add(index), begins as u8, target.add(to));
                to += (begins as u8).count_ones() as usize;
                begins >>= WINDOW;
            }
            (at, written) = (at + BLOCK, written + to);
        }
    }
    while bytes.len() - at >= READ && places.len() - written >= WINDOW {
        let (source, target) = (bytes[at..].as_ptr(), places[written..].as_mut_ptr());
        // SAFETY: there are as many bytes and places as for one window.
        unsafe {
            let begins = begins(_mm256_castsi128_si256(_mm_loadu_si128(source.cast()))) as u8;
            window(source, begins, target);
            (at, written) = (at + WINDOW, written + begins.count_ones() as usize);
        }
    }
    // The rest of a character that was converted.
    while bytes.get(at).is_some_and(|byte| byte.cast_signed() < -0x40) {
        at += 1;
    }
    (at, written)
}

/// Converts the characters that begin in a window.
///
/// # Safety
/// There must be [`READ`] bytes, and [`WINDOW`] places.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn window(source: *const u8, begins: u8, target: *mut MaybeUninit<u32>) {
    // By the upper half of the first byte of a character: how far up the bits move to drop those that only tell the length, and how far
    // down after that. There are 26 bits of 32, and less if the character has less than four bytes.
    const fn table(of: [u8; 4]) -> [u8; 16] {
        let [one, two, three, four] = of;
        [one, one, one, one, one, one, one, one, 0, 0, 0, 0, two, two, three, four]
    }
    const UP: [u8; 16] = table([7, 6 + 3, 6 + 4, 6 + 5]);
    const DOWN: [u8; 16] = table([7 + 18, 6 + 3 + 12, 6 + 4 + 6, 6 + 5]);
    // SAFETY: by the caller. A table has 16 bytes.
    unsafe {
        let wide = |table: &'static [u8; 16]| _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
        let bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128(source.cast()));
        let shuffle = _mm256_load_si256(SHUFFLES[usize::from(begins)].0.as_ptr().cast());
        let characters = _mm256_shuffle_epi8(bytes, shuffle);
        // Eight bits of the first byte, and six of each of the others, next to each other.
        let payload = _mm256_and_si256(characters, _mm256_set1_epi32(0x3F3F_3FFF));
        let pairs = _mm256_maddubs_epi16(payload, _mm256_set1_epi16(0x0140));
        let bits = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_1000));
        let half = _mm256_and_si256(_mm256_srli_epi32::<4>(characters), _mm256_set1_epi32(0x0F));
        let index = _mm256_or_si256(half, _mm256_set1_epi32(0x8080_8000_u32.cast_signed()));
        let up = _mm256_shuffle_epi8(wide(&UP), index);
        let down = _mm256_shuffle_epi8(wide(&DOWN), index);
        let characters = _mm256_srlv_epi32(_mm256_sllv_epi32(bits, up), down);
        _mm256_storeu_si256(target.cast(), characters);
    }
}
