//! Checks and converts UTF-8 with the vector instructions of most processors, for text that is not short.
//!
//! The check is the lookup algorithm of Keiser and Lemire (Validating UTF-8 In Less Than One Instruction Per Byte, 2021): each error
//! shows in a byte and the one before, or in the third or fourth byte of a character. The conversion looks up by the ends of the
//! characters in 12 bytes which bytes belong to which character.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// The bytes of the vectors of the check.
const BLOCK: usize = 32;
/// The bytes whose characters are looked up in one table.
const WINDOW: usize = 12;
/// The bytes whose ends of characters are found at once.
const ENDS: usize = 64;
/// How many bytes or characters are accessed at once, at most.
const ACCESS: usize = 16;

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

/// How the first characters of a window are converted.
#[derive(Clone, Copy)]
struct Step {
    /// Which of the shuffles.
    shuffle: u16,
    bytes: u8,
    characters: u8,
}

/// For each byte of the result, the index of a byte of the window, or none. The last byte of a character comes first.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Shuffle([u8; 16]);

/// None of the bytes.
const NONE: u8 = 0x80;
/// Six characters of at most two bytes, into 2 bytes each.
const SIX: usize = 6;
const SHUFFLES_OF_SIX: usize = 1 << SIX;
/// Up to four characters of at most four bytes, into 4 bytes each: as many combinations for each number of them.
const FOUR: usize = 4;
const SHUFFLES_OF_FOUR: [usize; FOUR + 1] = [0, 0, 4, 4 + 16, 4 + 16 + 64];
const SHUFFLES: usize = SHUFFLES_OF_SIX + 4 + 16 + 64 + 256;

/// The steps by the bytes of a window that are the last of their characters.
static STEPS: [Step; 1 << WINDOW] = {
    let mut steps = [Step { shuffle: 0, bytes: 0, characters: 0 }; 1 << WINDOW];
    let mut ends = 0;
    while ends < steps.len() {
        steps[ends] = step(ends);
        ends += 1;
    }
    steps
};

const fn step(ends: usize) -> Step {
    let (mut six, mut bytes_of_six, mut are_short) = (0, 0, true);
    let (mut four, mut bytes_of_four) = (0, 0);
    let (mut characters, mut start, mut index) = (0, 0, 0);
    while index < WINDOW && characters < SIX {
        if ends >> index & 1 == 1 {
            let length = index + 1 - start;
            are_short = are_short && length <= 2;
            six |= (length - 1) << characters;
            if characters < FOUR && length <= 4 {
                four |= (length - 1) << (2 * characters);
                bytes_of_four = index + 1;
            } else if length > 4 {
                break;
            }
            characters += 1;
            (bytes_of_six, start) = (index + 1, index + 1);
        }
        index += 1;
    }
    if characters == SIX && are_short {
        return Step { shuffle: six as u16, bytes: bytes_of_six as u8, characters: SIX as u8 };
    }
    let count = if characters < FOUR { characters } else { FOUR };
    let shuffle = SHUFFLES_OF_SIX + SHUFFLES_OF_FOUR[count] + four;
    Step { shuffle: shuffle as u16, bytes: bytes_of_four as u8, characters: count as u8 }
}

static SHUFFLE: [Shuffle; SHUFFLES] = {
    let mut all = [Shuffle([NONE; 16]); SHUFFLES];
    let mut lengths = 0;
    while lengths < SHUFFLES_OF_SIX {
        all[lengths] = shuffle(SIX, lengths, 1);
        lengths += 1;
    }
    let mut count = 1;
    while count <= FOUR {
        let mut lengths = 0;
        while lengths < 1 << (2 * count) {
            all[SHUFFLES_OF_SIX + SHUFFLES_OF_FOUR[count] + lengths] = shuffle(count, lengths, 2);
            lengths += 1;
        }
        count += 1;
    }
    all
};

/// Returns the shuffle for characters of these lengths minus one, which are numbers of one or two bits.
const fn shuffle(count: usize, lengths: usize, bits: usize) -> Shuffle {
    let mut shuffle = [NONE; 16];
    let (mut end, mut character) = (0, 0);
    while character < count {
        let length = (lengths >> (bits * character) & ((1 << bits) - 1)) + 1;
        end += length;
        let mut byte = 0;
        while byte < length {
            shuffle[2 * bits * character + byte] = (end - 1 - byte) as u8;
            byte += 1;
        }
        character += 1;
    }
    Shuffle(shuffle)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn convert(bytes: &[u8], places: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut at, mut written) = (0, 0);
    while bytes.len() - at >= ENDS + ACCESS && places.len() - written >= ENDS + ACCESS {
        let (source, target) = (bytes[at..].as_ptr(), places[written..].as_mut_ptr());
        // SAFETY: there are `ENDS + ACCESS` bytes and places. Each window begins before `ENDS`. It has fewer characters than bytes,
        // so there are at least as many places. The tests compare all characters at all places with the standard library.
        unsafe {
            let blocks: [_; 2] = std::array::from_fn(|index| _mm256_loadu_si256(source.add(BLOCK * index).cast()));
            let both = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
            let not_ascii = both(blocks.map(|block| _mm256_movemask_epi8(block).cast_unsigned()));
            if not_ascii == 0 {
                for index in (0..ENDS).step_by(8) {
                    let characters = _mm256_cvtepu8_epi32(_mm_loadl_epi64(source.add(index).cast()));
                    _mm256_storeu_si256(target.add(index).cast(), characters);
                }
                (at, written) = (at + ENDS, written + ENDS);
                continue;
            }
            let begins = both(blocks.map(|block| begins(block)));
            // A byte is the last of its character if the next one is not a continuation.
            let ends = begins >> 1;
            // The last character may be incomplete. Where it begins, and how many there are before it, is known before they are converted:
            // so the processor need not wait for that.
            let Some(length @ 1..) = begins.checked_ilog2() else { break };
            let (mut from, mut to) = (0, 0);
            while from < length as usize {
                let window = _mm_loadu_si128(source.add(from).cast());
                let target: *mut __m256i = target.add(to).cast();
                let step = STEPS[(ends >> from) as usize & ((1 << WINDOW) - 1)];
                if step.bytes == 0 {
                    // This is not UTF-8.
                    return (at, written);
                }
                let shuffle = _mm_load_si128(SHUFFLE[usize::from(step.shuffle)].0.as_ptr().cast());
                let characters = _mm_shuffle_epi8(window, shuffle);
                if usize::from(step.characters) == SIX {
                    let low = _mm_and_si128(characters, _mm_set1_epi16(0x7F));
                    let high = _mm_and_si128(characters, _mm_set1_epi16(0x1F00));
                    let characters = _mm_or_si128(low, _mm_srli_epi16::<2>(high));
                    _mm256_storeu_si256(target, _mm256_cvtepu16_epi32(characters));
                } else {
                    let part = |bits| _mm_and_si128(characters, _mm_set1_epi32(bits));
                    // The third byte from the end has six bits if it is a continuation, otherwise four and this one.
                    let is_first = _mm_srli_epi32::<1>(part(0x40_0000));
                    let third = _mm_srli_epi32::<4>(_mm_andnot_si128(is_first, part(0x3F_0000)));
                    let fourth = _mm_srli_epi32::<6>(part(0x0700_0000));
                    let high = _mm_or_si128(third, fourth);
                    let low = _mm_or_si128(part(0x7F), _mm_srli_epi32::<2>(part(0x3F00)));
                    _mm_storeu_si128(target.cast(), _mm_or_si128(low, high));
                }
                (from, to) = (from + usize::from(step.bytes), to + usize::from(step.characters));
            }
            (at, written) = (at + length as usize, written + begins.count_ones() as usize - 1);
        }
    }
    (at, written)
}
