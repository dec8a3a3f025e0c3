//! Counts the steps of a Dictionary's keys in the engine's hash table.
//!
//! The table of Godot 4.4 to 4.6 (`core/templates/hash_map.h`) has a prime number of slots and is at most three quarters full.
//! A key belongs to the slot `hash % slots`. If the slot is taken, the key moves to the next free one. The total distance
//! depends only on how many keys belong to each slot. So this module counts the keys for every [`REGION`] slots, for the
//! current size of the table and every size that it will grow to. A key of a sample counts for all keys that it stands for.
//!
//! The table grows, or it has its final size from the beginning: the second one of a size is created with space for all keys.
//! It must not depend on that whether a packet is refused. So the steps are those of the slower one.

use crate::raw::{CAPACITIES, most_entries};

/// The index of the smallest table that is counted, in the list of capacities: 97 slots.
const SMALLEST: usize = 4;

/// About how many slots are counted together. In smaller regions, a sample would overestimate the keys by chance.
const REGION: u32 = 128;
/// The same in tables of at most [`MOST_SLOTS_OF_SMALL`] slots, where every key is counted.
pub(super) const REGION_OF_SMALL: u32 = 32;
const MOST_SLOTS_OF_SMALL: u32 = 1543;

/// The keys of one Dictionary.
pub(super) struct Table {
    /// The current size of the table and the sizes that it will grow to, the largest first.
    sizes: Vec<Size>,
    keys: usize,
    /// How many keys the table has before it grows.
    most: usize,
    /// The steps in the sizes before the current one.
    steps: u64,
    /// The steps in the final size since the beginning, when they were last summed.
    steps_of_final: u64,
}

/// The keys in a table of one size.
struct Size {
    slots: u32,
    /// The factor that turns a hash into its remainder, as a fraction of 2^64.
    inverse: u64,
    /// The number of slots of a region.
    room: u16,
    counts: Vec<u16>,
    /// The keys counted in regions with more keys than slots since the steps were last summed.
    crowded: u32,
}

/// The effect of one more key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Counted {
    /// Nothing to check.
    Fine,
    /// The key belongs to a region with more keys than slots.
    FullRegion,
    /// The same, and the steps should be summed.
    Crowded,
    /// The table is full. It grows if the Dictionary has that many keys.
    Full,
}

impl Table {
    /// Creates a table for up to `keys` keys.
    pub(super) fn new(keys: usize) -> Self {
        let slots = &CAPACITIES[SMALLEST..];
        let final_size = slots.iter().position(|slots| most_entries(*slots) >= keys).unwrap_or(slots.len() - 1);
        let sizes = slots[..=final_size].iter().rev().map(|slots| Size::new(*slots)).collect();
        Self { sizes, keys: 0, most: most_entries(slots[0]), steps: 0, steps_of_final: 0 }
    }

    /// Returns whether the table is so small that every key is counted, because there are too few for a sample.
    pub(super) fn is_small(&self) -> bool {
        self.sizes.last().is_none_or(|size| size.slots <= MOST_SLOTS_OF_SMALL)
    }

    /// Returns the distance to the key that makes the table grow, which must be counted.
    pub(super) fn until_full(&self) -> u32 {
        (self.most + 1).saturating_sub(self.keys).max(1) as u32
    }

    /// Counts a key before it is inserted. It stands for `keys` keys: itself and those since the last counted one.
    #[inline]
    pub(super) fn count(&mut self, hash: u32, keys: u32) -> Counted {
        self.keys += keys as usize;
        let Some((final_size, others)) = self.sizes.split_first_mut() else { return Counted::Fine };
        let of_final = final_size.count(hash, keys);
        if of_final == Counted::Crowded {
            self.steps_of_final = final_size.steps();
        }
        let mut counted = Counted::Fine;
        for size in others {
            counted = size.count(hash, keys);
        }
        if self.keys > self.most { Counted::Full } else { counted.max(of_final) }
    }

    /// Called when the table is full. `keys` is the number of keys in the Dictionary, without duplicates. It tells whether the
    /// engine's table has grown.
    pub(super) fn grow(&mut self, keys: usize) {
        self.keys = keys + 1;
        while self.keys > self.most && self.sizes.len() > 1 {
            self.steps += self.sizes.pop().map_or(0, |mut size| size.steps());
            self.most = self.sizes.last().map_or(0, |size| most_entries(size.slots));
        }
    }

    /// Returns the steps over taken slots that all keys took so far. Does not count steps within a region, which are fewer
    /// than [`REGION`] for each key.
    pub(super) fn steps(&mut self) -> u64 {
        let of_growing = self.steps + self.sizes.last_mut().map_or(0, Size::steps);
        of_growing.max(self.steps_of_final)
    }

    /// Returns the same when all keys are counted.
    pub(super) fn all_steps(&mut self) -> u64 {
        self.steps_of_final = self.sizes.first_mut().map_or(0, Size::steps);
        self.steps()
    }
}

impl Size {
    fn new(slots: u32) -> Self {
        let inverse = u64::MAX / u64::from(slots) + 1;
        let regions = slots / if slots <= MOST_SLOTS_OF_SMALL { REGION_OF_SMALL } else { REGION };
        Self { slots, inverse, room: (slots / regions) as u16, counts: vec![0; regions as usize], crowded: 0 }
    }

    #[inline]
    fn count(&mut self, hash: u32, keys: u32) -> Counted {
        let fraction = self.inverse.wrapping_mul(u64::from(hash));
        let region = (u128::from(fraction) * self.counts.len() as u128) >> 64;
        let Some(count) = self.counts.get_mut(region as usize) else { return Counted::Fine };
        *count = count.saturating_add(keys as u16);
        if *count <= self.room {
            return Counted::Fine;
        }
        self.crowded += 1;
        // So many that summing the steps takes little time in comparison.
        if self.crowded as usize > 8 + self.counts.len() / 16 { Counted::Crowded } else { Counted::FullRegion }
    }

    fn steps(&mut self) -> u64 {
        let room = u64::from(self.room);
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
                over = (over + u64::from(*count)).saturating_sub(room);
                steps += over * room;
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPACITIES, Counted, REGION, SMALLEST, Table, most_entries};

    /// Returns the steps that a table like the engine's takes for keys of these hashes as it grows.
    fn steps_taken(hashes: &[u32]) -> u64 {
        let mut steps = 0;
        for slots in CAPACITIES.into_iter().skip(SMALLEST) {
            let held = &hashes[..most_entries(slots).min(hashes.len())];
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

    /// Returns the steps that are counted if one key in `every` is counted.
    fn steps_counted(hashes: &[u32], every: u32) -> u64 {
        let mut table = Table::new(hashes.len());
        let mut keys = 0;
        for (before, hash) in hashes.iter().enumerate() {
            keys += 1;
            if keys >= every.min(table.until_full()) {
                if table.count(*hash, keys) == Counted::Full {
                    table.grow(before);
                }
                keys = 0;
            }
        }
        table.steps()
    }

    fn hashes(count: u32, hash: impl Fn(u32) -> u32) -> Vec<u32> {
        (0..count).map(hash).collect()
    }

    #[test]
    fn counted_steps_differ_from_real_ones_by_at_most_one_region_per_key() {
        let spread = hashes(20_000, |key| key.wrapping_mul(2_654_435_761));
        let narrow = hashes(5000, |key| key.wrapping_mul(2_654_435_761) % 4000);
        // The last slots of a table of 12,289, and so also its first.
        let wrapped = hashes(9000, |key| key % 30 + 12_260 + 12_289 * key);
        let dense = hashes(20_000, |key| key / 2);
        for hashes in [spread, narrow, wrapped, dense] {
            let taken = steps_taken(&hashes);
            for every in [1, 16] {
                let within = hashes.len() as u64 * u64::from(REGION) + taken / 50;
                let counted = steps_counted(&hashes, every);
                assert!(counted.abs_diff(taken) <= within, "{counted} steps counted, {taken} taken");
            }
        }
    }

    #[test]
    fn the_steps_of_a_later_table_are_known_when_the_table_grows_to_it() {
        // All belong to one slot of a table of 12,289 slots, and to different ones in smaller tables.
        let mut table = Table::new(20_000);
        let mut before = 0;
        for key in 0..4614 {
            before = table.steps();
            if table.count(7 + key * 12_289, 1) == Counted::Full {
                table.grow(key as usize);
            }
        }
        assert!(before < 100_000 && table.steps() > 9_000_000, "{before} {}", table.steps());
    }

    #[test]
    fn the_steps_of_a_final_table_are_known_before_the_table_grows_to_it() {
        // All belong to one slot of the final table of 49,157 slots.
        let mut table = Table::new(20_000);
        for key in 0..4000 {
            if table.count(7 + key * 49_157, 1) == Counted::Full {
                table.grow(key as usize);
            }
        }
        assert!(table.steps() > 7_000_000, "{}", table.steps());
    }

    #[test]
    fn duplicate_keys_do_not_grow_a_table() {
        let mut table = Table::new(1000);
        for key in 0..72 {
            assert_ne!(table.count(key * 1000, 1), Counted::Full, "{key}");
        }
        assert_eq!(table.count(5, 1), Counted::Full);
        // Half of them were duplicates.
        table.grow(36);
        assert_ne!(table.count(6, 1), Counted::Full);
    }
}
