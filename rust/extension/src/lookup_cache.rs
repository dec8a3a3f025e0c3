//! A cache of lookups by name, for names that repeat in the same order.

use std::collections::HashMap;

/// Items by name. The item of the last lookup and the one after it are found without hashing: most objects of a packet are
/// of one class, and their properties come in the order of that class.
pub(crate) struct LookupCache<T> {
    found: Vec<(Box<str>, T)>,
    places: HashMap<Box<str>, usize>,
    last: usize,
    bytes: usize,
}

impl<T> Default for LookupCache<T> {
    fn default() -> Self {
        Self { found: Vec::new(), places: HashMap::new(), last: 0, bytes: 0 }
    }
}

impl<T> LookupCache<T> {
    /// Returns about how many bytes the items and their names take.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the place of the item with that name, if it was looked up before.
    #[inline(always)]
    pub(crate) fn place(&mut self, name: &[u8]) -> Option<usize> {
        let is_at = |place: usize| self.found.get(place).is_some_and(|(known, _)| known.as_bytes() == name);
        let after = if self.last + 1 < self.found.len() { self.last + 1 } else { 0 };
        if is_at(after) {
            self.last = after;
        } else if !is_at(self.last) {
            self.last = *self.places.get(str::from_utf8(name).ok()?)?;
        }
        Some(self.last)
    }

    /// Returns the name and the item at a place.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> (&str, &T) {
        let (name, item) = &self.found[place];
        (name, item)
    }

    /// Returns the place of the item with that name. `find` looks it up the first time.
    ///
    /// # Errors
    /// Returns the error of `find`, and calls `find` again the next time.
    #[inline(always)]
    pub(crate) fn place_or<E>(&mut self, name: &str, find: impl FnOnce(&str) -> Result<T, E>) -> Result<usize, E> {
        match self.place(name.as_bytes()) {
            Some(place) => Ok(place),
            None => find(name).map(|item| self.add(name, item)),
        }
    }

    #[cold]
    fn add(&mut self, name: &str, item: T) -> usize {
        self.last = self.found.len();
        self.found.push((name.into(), item));
        self.places.insert(name.into(), self.last);
        self.bytes += size_of::<(Box<str>, T)>() + size_of::<(Box<str>, usize)>() + 2 * name.len();
        self.last
    }

    /// Returns the item with that name, as [`place_or`](Self::place_or) does.
    #[inline]
    pub(crate) fn get<E>(&mut self, name: &str, find: impl FnOnce(&str) -> Result<T, E>) -> Result<&mut T, E> {
        let place = self.place_or(name, find)?;
        Ok(&mut self.found[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::LookupCache;

    fn length(cache: &mut LookupCache<usize>, name: &str, asked: &mut usize) -> usize {
        let found: Result<&mut usize, ()> = cache.get(name, |name| {
            *asked += 1;
            Ok(name.len())
        });
        *found.unwrap()
    }

    #[test]
    fn every_name_is_looked_up_once_in_any_order() {
        let mut cache = LookupCache::default();
        let mut asked = 0;
        for name in ["a", "bb", "ccc", "a", "bb", "ccc", "ccc", "a", "ccc", "bb", "bb", "dddd", "a"] {
            assert_eq!(length(&mut cache, name, &mut asked), name.len());
        }
        assert_eq!(asked, 4);
    }

    #[test]
    fn a_name_that_was_looked_up_takes_no_more_memory() {
        let (mut cache, mut asked) = (LookupCache::default(), 0);
        for name in ["", "a", "", "a"] {
            length(&mut cache, name, &mut asked);
        }
        // In the list, and in the map.
        assert_eq!(cache.bytes(), 2 * (2 * size_of::<(Box<str>, usize)>() + 1));
    }

    #[test]
    fn a_name_has_a_place_after_its_lookup() {
        let (mut cache, mut asked) = (LookupCache::default(), 0);
        for name in ["a", "bb", "ä"] {
            assert_eq!(cache.place(name.as_bytes()), None);
            length(&mut cache, name, &mut asked);
        }
        for name in ["ä", "a", "a", "bb"] {
            let place = cache.place(name.as_bytes()).unwrap();
            assert_eq!(cache.at(place), (name, &name.len()));
        }
        assert_eq!(cache.place(b"\xE4"), None);
    }

    #[test]
    fn a_failed_lookup_is_not_cached() {
        let mut cache = LookupCache::default();
        assert_eq!(cache.get("a", |_| Err("no")), Err("no"));
        assert_eq!(cache.get("a", |_| Ok::<_, ()>(7)), Ok(&mut 7));
    }
}
