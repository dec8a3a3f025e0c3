//! Numbers without a pattern, the same in every run (`SplitMix64`).
#![allow(dead_code, reason = "no test uses everything")]

pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.0;
        number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (number ^ number >> 31) % end
    }

    /// Returns a length below `end`.
    pub fn length(&mut self, end: u64) -> usize {
        usize::try_from(self.below(end)).unwrap()
    }

    pub fn one_of<T, const N: usize>(&mut self, values: [T; N]) -> T {
        values.into_iter().nth(self.length(N as u64)).unwrap()
    }
}
