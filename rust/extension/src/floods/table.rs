//! What the keys of one Dictionary do to the engine's hash table.
//!
//! The table of Godot 4.4 to 4.6 (`core/templates/hash_map.h`) has a prime number of places and is at most three quarters
//! full. A key belongs to the place `hash % places`; where that is taken, it moves on to the next free one. How far keys
//! move in sum depends on nothing but the number of keys that belong to each place. So the keys are counted here for
//! every [`REGION`] places, for the size that the table has and for every size that it will grow to.

/// The numbers of places that a table has as it grows, from the smallest worth watching on.
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

/// Places that are counted together.
const REGION: u32 = 32;

/// From how many keys in one region on it is asked whether they have one hash: the engine compares such keys whole.
const PILED: u16 = 255;

/// How many keys a table of that many places holds before it grows.
const fn most_keys(places: u32) -> usize {
    (places as u64 * 3 / 4) as usize
}

/// The keys of one Dictionary.
pub(super) struct Table {
    /// The size that the table has and those it will grow to, the largest first.
    sizes: Vec<Size>,
    keys: usize,
    /// Steps in the sizes that the table has outgrown.
    steps: u64,
}

/// The keys as a table of one size has them.
struct Size {
    places: u32,
    /// What a hash is multiplied by to get its remainder as a fraction of 2^64.
    inverse: u64,
    regions: u32,
    counts: Vec<u16>,
    /// Keys that came into a region that had as many keys as places, since the steps were last added up.
    crowded: u32,
}

/// What one more key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Nothing to be looked into.
    Fine,
    /// The steps should be added up.
    Crowded,
    /// The table is full, and grows if the Dictionary has that many keys.
    Full,
    /// The steps should be added up, and the key belongs to a region that has [`PILED`] keys and more: it may have
    /// the hash of many others.
    Piled,
}

impl Table {
    /// A table that will hold up to `keys` keys.
    pub(super) fn new(keys: usize) -> Self {
        let needed = PRIMES.iter().position(|places| most_keys(*places) >= keys).unwrap_or(PRIMES.len() - 1);
        Self { sizes: PRIMES[..=needed].iter().rev().map(|places| Size::new(*places)).collect(), keys: 0, steps: 0 }
    }

    /// Counts a key before it is inserted.
    #[inline]
    pub(super) fn count(&mut self, hash: u32) -> Counted {
        let mut counted = Counted::Fine;
        let mut piled = false;
        for size in &mut self.sizes {
            counted = size.count(hash);
            piled |= counted == Counted::Piled;
        }
        self.keys += 1;
        match self.sizes.last() {
            Some(size) if self.keys > most_keys(size.places) => Counted::Full,
            _ if piled => Counted::Piled,
            _ => counted,
        }
    }

    /// The table is full: whether it has grown is told by the number of keys in the Dictionary, of which equal ones are
    /// one.
    pub(super) fn grow(&mut self, keys: usize) {
        self.keys = keys + 1;
        while self.sizes.len() > 1 && self.sizes.last().is_some_and(|size| self.keys > most_keys(size.places)) {
            self.steps += self.sizes.pop().map_or(0, |mut size| size.steps());
        }
    }

    /// Whether it is time to add up the steps.
    pub(super) fn is_crowded(&self) -> bool {
        self.sizes.last().is_some_and(Size::is_crowded)
    }

    /// The steps past taken places that all keys took so far, without those within a region that is not full: these are
    /// fewer than half of [`REGION`] a key.
    pub(super) fn steps(&mut self) -> u64 {
        self.steps + self.sizes.last_mut().map_or(0, Size::steps)
    }
}

impl Size {
    fn new(places: u32) -> Self {
        let regions = places / REGION;
        let inverse = u64::MAX / u64::from(places) + 1;
        Self { places, inverse, regions, counts: vec![0; regions as usize], crowded: 0 }
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
        if *count > PILED {
            Counted::Piled
        } else if self.is_crowded() {
            Counted::Crowded
        } else {
            Counted::Fine
        }
    }

    /// Whether so many keys came into full regions that adding up the steps costs little beside them.
    fn is_crowded(&self) -> bool {
        self.crowded > 64 + self.regions / 64
    }

    fn steps(&mut self) -> u64 {
        let room = u64::from(REGION);
        self.crowded = 0;
        let mut over = 0;
        let mut steps = 0;
        // Twice, where keys move past the end to the beginning.
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

    /// The steps that a table of the engine's kind takes for keys of these hashes as it grows.
    fn steps_taken(hashes: &[u32]) -> u64 {
        let mut steps = 0;
        for places in super::PRIMES {
            let held = &hashes[..most_keys(places).min(hashes.len())];
            let mut taken = vec![false; places as usize];
            for hash in held {
                let mut place = (hash % places) as usize;
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

    /// The steps that are counted, and how many keys there were before they piled up.
    fn steps_counted(hashes: &[u32]) -> (u64, Option<usize>) {
        let mut table = Table::new(hashes.len());
        let mut piled = None;
        for (before, hash) in hashes.iter().enumerate() {
            match table.count(*hash) {
                Counted::Full => table.grow(before),
                Counted::Piled => piled = piled.or(Some(before)),
                Counted::Fine | Counted::Crowded => {}
            }
        }
        (table.steps(), piled)
    }

    fn hashes(count: u32, hash: impl Fn(u32) -> u32) -> Vec<u32> {
        (0..count).map(hash).collect()
    }

    #[test]
    fn the_steps_counted_are_those_that_the_table_takes_but_for_half_a_region_a_key() {
        let spread = hashes(20_000, |key| key.wrapping_mul(2_654_435_761));
        let narrow = hashes(5000, |key| key.wrapping_mul(2_654_435_761) % 4000);
        // The last places of a table of 12,289, and so also its first.
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
    fn keys_of_one_place_of_a_table_that_is_yet_to_come_are_piled_up_at_once() {
        assert_eq!(steps_counted(&hashes(20_000, |key| 7 + key * 49_157)).1, Some(255));
    }

    #[test]
    fn a_table_does_not_grow_by_keys_that_it_has() {
        let mut table = Table::new(1000);
        for key in 0..72 {
            assert_ne!(table.count(key * 1000), Counted::Full, "{key}");
        }
        assert_eq!(table.count(5), Counted::Full);
        // Half of them were equal to others.
        table.grow(36);
        assert_ne!(table.count(6), Counted::Full);
    }
}
