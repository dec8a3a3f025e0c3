//! Counts a sample of the keys of one Dictionary.

use std::collections::HashMap;

use super::sample::Random;
use super::table::{Counted, REGION_OF_SMALL, Table};

/// The steps allowed for each key with a well-distributed hash. Ordinary keys take 3; sampling adds 20 by chance.
const STEPS_FOR_MIXED: u64 = 128;
/// The same in small tables, where every key is counted.
const STEPS_FOR_MIXED_IN_SMALL: u64 = 16;
/// The steps allowed for each string: this number plus more with the number of strings, as [`for_each_text`] says. The engine's
/// hash maps similar strings to close values, and more so the more there are: 36,000 hexadecimal numbers take 600 steps each,
/// 100,000 places as text 2,300, 590,000 hexadecimal numbers 3,700.
const STEPS_FOR_TEXT: u64 = 192;
const TEXTS_SQUARED_FOR_A_STEP: u64 = 2_100_000;
const TEXTS_FOR_A_STEP: u64 = 36;
const MOST_STEPS_FOR_TEXT: u64 = 4096;
/// The keys with the same hash that are allowed after two in the sample had it. The engine compares each of them with all
/// others.
const OF_ONE_HASH: u32 = 64;
/// The same in a full region of a small table, where every key is counted.
const OF_ONE_HASH_IN_SMALL: u32 = OF_ONE_HASH - REGION_OF_SMALL;
/// How many hashes of the sample are kept, to find two equal ones.
const RECENT: usize = 256;

/// The keys of one Dictionary.
pub(crate) struct Keys {
    table: Table,
    /// Whether every key is counted, because the table is small.
    is_small: bool,
    /// The next counted key is this many keys ahead.
    until_counted: u32,
    /// How many keys the next counted key stands for.
    stands_for: u32,
    texts: u64,
    /// Steps allowed to the keys that are not text.
    for_mixed: u64,
    /// Hashes of the sample. The slot of a hash depends on `secret`.
    recent: Vec<u32>,
    secret: u32,
    /// How many keys have each hash. After two keys of the sample had the same hash, every key is counted.
    of_hash: Option<HashMap<u32, u32>>,
    /// How many keys that hold other values have each hash.
    containers: HashMap<u32, u64>,
}

/// What counting a key showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Nothing,
    /// The steps must be compared with what is allowed.
    Steps,
    /// Too many keys have the same hash.
    OneHash,
}

impl Keys {
    /// For a Dictionary of up to `size` keys.
    #[cold]
    pub(super) fn new(size: usize, random: &mut Random) -> Box<Self> {
        Box::new(Self {
            table: Table::new(size),
            is_small: true,
            until_counted: 1,
            stands_for: 1,
            texts: 0,
            for_mixed: 0,
            recent: Vec::new(),
            secret: random.next() as u32 | 1,
            of_hash: None,
            containers: HashMap::new(),
        })
    }

    /// Advances by one key. Returns whether it must be counted.
    #[inline(always)]
    pub(super) fn is_next_counted(&mut self) -> bool {
        if self.until_counted <= 1 {
            return true;
        }
        self.until_counted -= 1;
        false
    }

    /// Chooses the next key to count: a random one, but not later than the one that makes the table grow.
    fn choose_next(&mut self, random: &mut Random) {
        let at_random = if self.of_hash.is_some() { 1 } else { random.gap() };
        self.until_counted = at_random.min(self.table.until_full());
        self.stands_for = self.until_counted;
    }

    /// Counts a key of the sample before it is inserted. `length` gives the number of keys in the Dictionary.
    #[inline]
    pub(super) fn count(
        &mut self,
        hash: u32,
        is_text: bool,
        length: impl FnOnce() -> usize,
        random: &mut Random,
    ) -> Shown {
        if self.is_small {
            self.count_in_small(hash, is_text, length, random)
        } else {
            self.count_in_sample(hash, is_text, length, random)
        }
    }

    /// Counts a key of a small table, and so every key.
    #[inline]
    fn count_in_small(
        &mut self,
        hash: u32,
        is_text: bool,
        length: impl FnOnce() -> usize,
        random: &mut Random,
    ) -> Shown {
        if is_text {
            self.texts += 1;
        } else {
            self.for_mixed += STEPS_FOR_MIXED_IN_SMALL;
        }
        match self.table.count(hash, 1) {
            Counted::Fine => return Shown::Nothing,
            Counted::Full => {
                self.table.grow(length());
                if !self.table.is_small() {
                    self.is_small = false;
                    self.choose_next(random);
                }
            }
            counted => {
                if self.again(hash) >= OF_ONE_HASH_IN_SMALL {
                    return Shown::OneHash;
                }
                if counted == Counted::FullRegion {
                    return Shown::Nothing;
                }
            }
        }
        Shown::Steps
    }

    #[inline(never)]
    fn count_in_sample(
        &mut self,
        hash: u32,
        is_text: bool,
        length: impl FnOnce() -> usize,
        random: &mut Random,
    ) -> Shown {
        let keys = u64::from(self.stands_for);
        if is_text {
            self.texts += keys;
        } else {
            self.for_mixed += keys * STEPS_FOR_MIXED;
        }
        let counted = self.table.count(hash, self.stands_for);
        if counted == Counted::Full {
            self.table.grow(length());
        }
        if self.again(hash) >= OF_ONE_HASH {
            return Shown::OneHash;
        }
        self.choose_next(random);
        if matches!(counted, Counted::Fine | Counted::FullRegion) { Shown::Nothing } else { Shown::Steps }
    }

    /// How many counted keys have this hash, as far as known.
    fn again(&mut self, hash: u32) -> u32 {
        if self.recent.is_empty() {
            self.recent = vec![0; RECENT];
        }
        // Mixed twice: the products of equally spaced hashes are equally spaced, and may all have the same highest bits.
        let product = hash.wrapping_mul(self.secret);
        let place = ((product ^ product >> 16).wrapping_mul(0x9E37_79B1) >> 24) as usize % RECENT;
        let was_recent = std::mem::replace(&mut self.recent[place], hash) == hash;
        if !was_recent && self.of_hash.is_none() {
            return 1;
        }
        let count = self.of_hash.get_or_insert_default().entry(hash).or_insert(0);
        *count += 1;
        *count
    }

    /// Counts a key that holds other values. Returns how many earlier ones had the same hash.
    pub(super) fn containers_before(&mut self, hash: u32) -> u64 {
        let count = self.containers.entry(hash).or_insert(0);
        *count += 1;
        *count - 1
    }

    /// How many keys are texts.
    pub(super) const fn texts(&self) -> u64 {
        self.texts
    }

    /// Returns the steps allowed for the keys minus the steps that they took.
    pub(super) fn steps_left(&mut self) -> i64 {
        let taken = self.table.steps();
        self.allowed().saturating_sub(taken as i64)
    }

    /// Returns the same when all keys are counted.
    pub(super) fn all_steps_left(&mut self) -> i64 {
        let taken = self.table.all_steps();
        self.allowed().saturating_sub(taken as i64)
    }

    fn allowed(&self) -> i64 {
        (self.for_mixed + self.texts * for_each_text(self.texts)) as i64
    }
}

/// Returns the steps allowed for each of so many strings. Quadratic for a few, linear for many.
fn for_each_text(texts: u64) -> u64 {
    let for_many = (texts * texts / TEXTS_SQUARED_FOR_A_STEP).min(texts / TEXTS_FOR_A_STEP);
    MOST_STEPS_FOR_TEXT.min(STEPS_FOR_TEXT + for_many)
}

#[cfg(test)]
mod tests {
    use super::{Keys, Random, STEPS_FOR_MIXED, STEPS_FOR_MIXED_IN_SMALL, Shown};

    /// After how many keys there were too many of one hash, if ever, and the steps counted for each key.
    fn counted(hashes: &[u32]) -> (Option<usize>, u64) {
        let mut random = Random::default();
        let mut keys = Keys::new(hashes.len(), &mut random);
        for (before, hash) in hashes.iter().enumerate() {
            if keys.is_next_counted() && keys.count(*hash, false, || before, &mut random) == Shown::OneHash {
                return (Some(before), 0);
            }
        }
        let steps = (keys.for_mixed as i64 - keys.steps_left()) as u64;
        (None, steps / hashes.len() as u64)
    }

    fn mixed(count: u32, seed: u32) -> Vec<u32> {
        let mut random = Random::of_seed(u64::from(seed) << 32 | 0x9E37_79B9);
        (0..count).map(|_| (random.next() >> 16) as u32).collect()
    }

    #[test]
    fn chance_in_the_sample_stays_far_below_what_is_allowed() {
        for count in [65, 72, 100, 144, 290, 577, 1157, 5000, 20_000, 73_737, 200_000] {
            let packets = 200_000 / count;
            let all: Vec<u64> = (1..=packets)
                .map(|seed| {
                    let (of_one_hash, steps) = counted(&mixed(count, seed));
                    assert_eq!(of_one_hash, None);
                    steps
                })
                .collect();
            let mean = all.iter().sum::<u64>() / all.len() as u64;
            let allowed = if count > 1157 { STEPS_FOR_MIXED } else { STEPS_FOR_MIXED_IN_SMALL };
            assert!(mean < allowed / 2, "{count} keys take {mean} steps each");
            assert!(all.iter().all(|steps| *steps < allowed), "{count} keys: {all:?}");
        }
    }

    #[test]
    fn keys_of_one_slot_of_a_small_table_take_more_than_is_allowed() {
        for (count, slots) in [(90, 193), (140, 193), (250, 389), (500, 769), (1100, 1543)] {
            let hashes: Vec<u32> = (0..count).map(|key| 5 + key * slots).collect();
            let steps = counted(&hashes).1;
            assert!(steps > STEPS_FOR_MIXED_IN_SMALL, "{count} keys: {steps}");
        }
    }

    #[test]
    fn keys_of_one_hash_are_found_after_few_in_any_dictionary() {
        for attempt in 0..20 {
            let alone = counted(&[7; 2000]).0.unwrap_or(2000);
            assert!(alone < 320, "{alone}");
            // After as many others, and among them.
            let mut hidden = mixed(20_000, attempt + 1);
            hidden.extend([7; 1000]);
            let after = counted(&hidden).0.unwrap_or(usize::MAX);
            assert!(after < 20_000 + 320, "{after}");
            let among: Vec<u32> = mixed(2000, attempt + 1).into_iter().flat_map(|hash| [hash, 7]).collect();
            let after = counted(&among).0.unwrap_or(usize::MAX);
            assert!(after < 2000, "{after}");
        }
    }

    #[test]
    fn keys_of_many_hashes_in_turn_are_always_found() {
        // The hashes are equally spaced, so without a second mixing step, some secrets give all of them one slot.
        let groups: Vec<u32> = (0..50_000).map(|key| key % 200 * 0x0123_4567).collect();
        for attempt in 0..1000 {
            assert!(counted(&groups).0.is_some(), "{attempt}");
        }
    }
}
