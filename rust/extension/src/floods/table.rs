//! Counts the steps of a Dictionary's keys in the engine's hash table.
//!
//! The table of Godot 4.4 to 4.6 (`core/templates/hash_map.h`) has a prime number of slots and is at most three quarters full.
//! A key belongs to the slot `hash % slots`. If the slot is taken, the key moves to the next free one. The total distance
//! depends only on how many keys belong to each slot. So this module counts the keys for every [`REGION`] slots, for the
//! current size of the table and every size that it will grow to.

/// The numbers of slots that a table has as it grows, from the smallest one that is counted.
const PRIMES: [u32; 25] = [
    97,
    193,
    389,
    769,
    1543,
    3079,
    6151,
    12289,
    24593,
    49157,
    98317,
    196_613,
    393_241,
    786_433,
    1_572_869,
    3_145_739,
    6_291_469,
    12_582_917,
    25_165_843,
    50_331_653,
    100_663_319,
    201_326_611,
    402_653_189,
    805_306_457,
    1_610_612_741,
];

/// The number of slots that are counted together.
const REGION: u32 = 32;

/// From this many keys in one region, the number of keys with the same hash is checked. The engine compares their content.
const FULL_REGION: u16 = 255;

/// Returns how many keys a table of that many slots has before it grows.
const fn most_keys(slots: u32) -> usize {
    (slots as u64 * 3 / 4) as usize
}

/// The keys of one Dictionary.
pub(super) struct Table {
    /// The current size of the table and the sizes that it will grow to, the largest first.
    sizes: Vec<Size>,
    keys: usize,
    /// The steps in the sizes before the current one.
    steps: u64,
}

/// The keys in a table of one size.
struct Size {
    slots: u32,
    /// The factor that turns a hash into its remainder, as a fraction of 2^64.
    inverse: u64,
    regions: u32,
    counts: Vec<u16>,
    /// The keys added to regions with more keys than slots since the steps were last summed.
    crowded: u32,
}

/// The effect of one more key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Nothing to check.
    Fine,
    /// The steps should be summed.
    Crowded,
    /// The table is full. It grows if the Dictionary has that many keys.
    Full,
    /// The steps should be summed. The key belongs to a region with at least [`FULL_REGION`] keys, so many keys may have its
    /// hash.
    FullRegion,
}

impl Table {
    /// Creates a table for up to `keys` keys.
    pub(super) fn new(keys: usize) -> Self {
        let needed = PRIMES.iter().position(|slots| most_keys(*slots) >= keys).unwrap_or(PRIMES.len() - 1);
        Self { sizes: PRIMES[..=needed].iter().rev().map(|slots| Size::new(*slots)).collect(), keys: 0, steps: 0 }
    }

    /// Counts a key before it is inserted.
    #[inline]
    pub(super) fn count(&mut self, hash: u32) -> Counted {
        let mut counted = Counted::Fine;
        let mut full_region = false;
        for size in &mut self.sizes {
            counted = size.count(hash);
            full_region |= counted == Counted::FullRegion;
        }
        self.keys += 1;
        match self.sizes.last() {
            Some(size) if self.keys > most_keys(size.slots) => Counted::Full,
            _ if full_region => Counted::FullRegion,
            _ => counted,
        }
    }

    /// Called when the table is full. `keys` is the number of keys in the Dictionary, without duplicates. It tells whether the
    /// engine's table has grown.
    pub(super) fn grow(&mut self, keys: usize) {
        self.keys = keys + 1;
        while self.sizes.len() > 1 && self.sizes.last().is_some_and(|size| self.keys > most_keys(size.slots)) {
            self.steps += self.sizes.pop().map_or(0, |mut size| size.steps());
        }
    }

    /// Returns whether the steps should be summed.
    pub(super) fn is_crowded(&self) -> bool {
        self.sizes.last().is_some_and(Size::is_crowded)
    }

    /// Returns the steps over taken slots that all keys took so far. Does not count steps within regions that are not full,
    /// which are fewer than half of [`REGION`] for each key.
    pub(super) fn steps(&mut self) -> u64 {
        self.steps + self.sizes.last_mut().map_or(0, Size::steps)
    }
}

impl Size {
    fn new(slots: u32) -> Self {
        let regions = slots / REGION;
        let inverse = u64::MAX / u64::from(slots) + 1;
        Self { slots, inverse, regions, counts: vec![0; regions as usize], crowded: 0 }
    }

    #[inline]
    fn count(&mut self, hash: u32) -> Counted {
        let fraction = self.inverse.wrapping_mul(u64::from(hash));
        let region = (u128::from(fraction) * u128::from(self.regions)) >> 64;
        let Some(count) = self.counts.get_mut(region as usize) else { return Counted::Fine };
        *count = count.saturating_add(1);
        if u32::from(*count) <= REGION {
            return Counted::Fine;
        }
        self.crowded += 1;
        if *count > FULL_REGION {
            Counted::FullRegion
        } else if self.is_crowded() {
            Counted::Crowded
        } else {
            Counted::Fine
        }
    }

    /// Returns whether enough keys were added to full regions that summing the steps takes little time in comparison.
    fn is_crowded(&self) -> bool {
        self.crowded > 64 + self.regions / 64
    }

    fn steps(&mut self) -> u64 {
        let room = u64::from(REGION);
        self.crowded = 0;
        let mut over = 0;
        let mut steps = 0;
        // In two rounds if keys move from the end to the start.
        for round in 0..2 {
            if round == 1 && over == 0 {
                break;
            }
            steps = 0;
            for count in &self.counts {
                let waiting = over + u64::from(*count);
                over = waiting.saturating_sub(room);
                if over > 0 {
                    steps += waiting * room - room * room / 2;
                }
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, REGION, Table, most_keys};

    /// Returns the steps that a table like the engine's takes for keys of these hashes as it grows.
    fn steps_taken(hashes: &[u32]) -> u64 {
        let mut steps = 0;
        for slots in super::PRIMES {
            let held = &hashes[..most_keys(slots).min(hashes.len())];
            let mut taken = vec![false; slots as usize];
            for hash in held {
                let mut place = (hash % slots) as usize;
                while taken[place] {
                    place = (place + 1) % taken.len();
                    steps += 1;
                }
                taken[place] = true;
            }
            if held.len() == hashes.len() {
                break;
            }
        }
        steps
    }

    /// Returns the counted steps, and after how many keys a region was full.
    fn steps_counted(hashes: &[u32]) -> (u64, Option<usize>) {
        let mut table = Table::new(hashes.len());
        let mut full_region = None;
        for (before, hash) in hashes.iter().enumerate() {
            match table.count(*hash) {
                Counted::Full => table.grow(before),
                Counted::FullRegion => full_region = full_region.or(Some(before)),
                Counted::Fine | Counted::Crowded => {}
            }
        }
        (table.steps(), full_region)
    }

    fn hashes(count: u32, hash: impl Fn(u32) -> u32) -> Vec<u32> {
        (0..count).map(hash).collect()
    }

    #[test]
    fn counted_steps_differ_from_real_ones_by_at_most_half_a_region_for_each_key() {
        let spread = hashes(20_000, |key| key.wrapping_mul(2_654_435_761));
        let narrow = hashes(5000, |key| key.wrapping_mul(2_654_435_761) % 4000);
        // The last slots of a table of 12,289, and so also its first.
        let wrapped = hashes(9000, |key| key % 30 + 12_260 + 12_289 * key);
        let dense = hashes(20_000, |key| key / 2);
        for hashes in [spread, narrow, wrapped, dense] {
            let taken = steps_taken(&hashes);
            let within = hashes.len() as u64 * u64::from(REGION) * 3;
            let (counted, _) = steps_counted(&hashes);
            assert!(counted <= taken + within && taken <= counted + within, "{counted} steps counted, {taken} taken");
        }
    }

    #[test]
    fn keys_of_one_slot_of_a_later_table_are_found_early() {
        assert_eq!(steps_counted(&hashes(20_000, |key| 7 + key * 49_157)).1, Some(255));
    }

    #[test]
    fn duplicate_keys_do_not_grow_a_table() {
        let mut table = Table::new(1000);
        for key in 0..72 {
            assert_ne!(table.count(key * 1000), Counted::Full, "{key}");
        }
        assert_eq!(table.count(5), Counted::Full);
        // Half of them were duplicates.
        table.grow(36);
        assert_ne!(table.count(6), Counted::Full);
    }
}
