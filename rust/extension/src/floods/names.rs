//! Counts the steps of a packet's names in the engine's table of names.
//!
//! The engine stores every StringName, name in a NodePath, signal and class once in one table (`core/string/string_name.cpp`).
//! The table has 65,536 chains. A new name is compared with all names in its chain. The lowest bits of the hash select the
//! chain; in some versions, the lowest bits of the hash after another mixing step. Only a sample of the names is counted:
//! every occurrence of a name, or none.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

/// One name in this many is counted.
const SAMPLE: u64 = super::sample::SAMPLE as u64;
/// The number of names that are not counted, because they cannot fill a chain.
const UNCOUNTED: u64 = 64;
/// From this many names of the sample in a chain, each name is stored to tell new names from repeated ones.
const UNSURE: u16 = 4;
/// The size of the cache of recent names.
const RECENT: usize = 256;
/// The steps along chains that a packet may take, and the steps for each of its names.
const STEPS: u64 = 4096;
const STEPS_FOR_EACH: u64 = 32;

/// The names of one packet.
#[derive(Default)]
pub(super) struct Names {
    /// The number of names, including repeated ones.
    count: u64,
    /// The steps along chains of names in the sample, over others in the sample.
    steps: u64,
    counted: Option<Box<Chains>>,
}

struct Chains {
    /// How many names of the sample each chain has. Not a table of all chains: to clear it would take longer than to read a packet.
    by_hash: HashMap<u16, u16>,
    by_mixed_hash: HashMap<u16, u16>,
    recent: [u64; RECENT],
    sure: HashSet<u64>,
    /// A random seed, so that a sender cannot predict the identities of names.
    seed: RandomState,
    /// An odd factor for identities. The product tells whether a name is in the sample.
    secret: u64,
}

impl Names {
    #[inline(always)]
    pub(super) const fn owns_nothing(&self) -> bool {
        self.counted.is_none()
    }

    /// Counts a name. `identity` is different for each name, `hash` is the engine's. Returns whether there are too many.
    #[inline]
    pub(super) fn count(&mut self, identity: impl FnOnce(&RandomState) -> u64, hash: impl FnOnce() -> u32) -> bool {
        self.count += 1;
        if self.count <= UNCOUNTED {
            return false;
        }
        let chains = self.counted.get_or_insert_with(Chains::new);
        let identity = identity(&chains.seed);
        // Mixed twice: the products of equally spaced addresses are equally spaced, and may all miss the sample.
        let product = identity.wrapping_mul(chains.secret);
        if (product ^ product >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 & (SAMPLE - 1) != 0 {
            return false;
        }
        self.steps += u64::from(chains.count(identity, hash));
        self.are_too_many()
    }

    /// Counts a name that was already chosen as one of [`SAMPLE`].
    pub(super) fn count_one_of_sample(&mut self, identity: u64, hash: impl FnOnce() -> u32) -> bool {
        self.count += SAMPLE;
        if self.count <= UNCOUNTED {
            return false;
        }
        self.steps += u64::from(self.counted.get_or_insert_with(Chains::new).count(identity, hash));
        self.are_too_many()
    }

    fn are_too_many(&self) -> bool {
        // If all chains have the same length, a name takes half as many steps as a chain has names.
        self.steps * SAMPLE * SAMPLE > STEPS + self.count * (STEPS_FOR_EACH + self.count / 16_384)
    }
}

impl Chains {
    #[cold]
    fn new() -> Box<Self> {
        let seed = RandomState::new();
        Box::new(Self {
            by_hash: HashMap::new(),
            by_mixed_hash: HashMap::new(),
            recent: [0; RECENT],
            sure: HashSet::new(),
            secret: seed.hash_one(0) | 1,
            seed,
        })
    }

    /// Returns the steps that the engine takes to find that the name is new, or 0 for a repeated name.
    #[inline]
    fn count(&mut self, identity: u64, hash: impl FnOnce() -> u32) -> u16 {
        let recent = &mut self.recent[(identity.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize];
        if *recent == identity {
            return 0;
        }
        *recent = identity;
        let hash = hash();
        let first = self.by_hash.entry(hash as u16).or_default();
        let second = self.by_mixed_hash.entry(mixed(hash) as u16).or_default();
        let steps = (*first).max(*second);
        if steps >= UNSURE && !self.sure.insert(identity) {
            return 0;
        }
        *first = first.saturating_add(1);
        *second = second.saturating_add(1);
        steps
    }
}

/// The finishing step of MurmurHash3.
const fn mixed(mut hash: u32) -> u32 {
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85EB_CA6B);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xC2B2_AE35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::Names;

    /// Returns after how many names the names are refused.
    fn refused_after(count: u64, name: impl Fn(u64) -> (u64, u32)) -> Option<u64> {
        let mut names = Names::default();
        (0..count).find(|place| {
            let (identity, hash) = name(*place);
            names.count(|_| identity, || hash)
        })
    }

    #[test]
    fn names_of_one_hash_are_refused_after_few() {
        let after = refused_after(20_000, |place| (place + 1, 7)).unwrap();
        assert!(after < 1000, "{after}");
    }

    #[test]
    fn names_of_one_chain_are_refused_after_few() {
        let after = refused_after(20_000, |place| (place + 1, 7 + ((place as u32) << 16))).unwrap();
        assert!(after < 1000, "{after}");
    }

    #[test]
    fn names_at_equally_spaced_addresses_are_always_refused() {
        for attempt in 0..3000 {
            let after = refused_after(2000, |place| (0x7F00_0000_0000 + attempt * 4096 + place * 64, 7));
            assert!(after.is_some(), "{attempt}");
        }
    }

    #[test]
    fn repeated_names_are_counted_once() {
        // A few names of one chain, each repeated very often. Of 64 names, the sample has too many in one of 20 packets.
        assert_eq!(refused_after(1_000_000, |place| (place % 20 * 8 + 8, 7)), None);
        assert_eq!(refused_after(1_000_000, |place| (place % 5000 * 8 + 8, (place % 5000) as u32 * 33)), None);
    }

    #[test]
    fn a_million_names_of_any_hash_pass() {
        assert_eq!(refused_after(1_000_000, |place| (place + 1, (place as u32).wrapping_mul(2_654_435_761))), None);
    }
}
