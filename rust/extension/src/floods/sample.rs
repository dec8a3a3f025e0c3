//! Which keys and names are counted.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

/// About one key in this many is counted, and one name in this many.
pub(super) const SAMPLE: u32 = 16;

/// Random numbers that a packet cannot predict. The seed is made on first use, which most packets never reach.
#[derive(Default)]
pub(super) struct Random(u64);

impl Random {
    #[cfg(test)]
    pub(super) const fn of_seed(seed: u64) -> Self {
        Self(seed)
    }

    /// The distance to the next key of the sample: 1 to 32.
    pub(super) fn gap(&mut self) -> u32 {
        (self.next() >> 32) as u32 % (2 * SAMPLE) + 1
    }

    pub(super) fn next(&mut self) -> u64 {
        if self.0 == 0 {
            self.0 = RandomState::new().hash_one(0) | 1;
        }
        // A xorshift generator.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
