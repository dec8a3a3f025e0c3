//! What is found out by name, for names that come again in the order in which they came before.

use std::collections::HashMap;

/// Things by their names. The one asked for last and the one after it are found without a search: the objects of a
/// packet are mostly of one class, and their properties come in the order of that class.
pub(crate) struct Repeated<T> {
    found: Vec<(Box<str>, T)>,
    places: HashMap<Box<str>, usize>,
    last: usize,
}

impl<T> Default for Repeated<T> {
    fn default() -> Self {
        Self { found: Vec::new(), places: HashMap::new(), last: 0 }
    }
}

impl<T> Repeated<T> {
    /// What has that name, found out by `find` the first time.
    ///
    /// # Errors
    /// Whatever `find` gives, which is then asked again the next time.
    pub(crate) fn get<E>(&mut self, name: &str, find: impl FnOnce(&str) -> Result<T, E>) -> Result<&T, E> {
        let is_at = |place: usize| self.found.get(place).is_some_and(|(known, _)| **known == *name);
        let after = if self.last + 1 < self.found.len() { self.last + 1 } else { 0 };
        let place = if is_at(after) {
            after
        } else if is_at(self.last) {
            self.last
        } else if let Some(place) = self.places.get(name) {
            *place
        } else {
            let place = self.found.len();
            self.found.push((name.into(), find(name)?));
            self.places.insert(name.into(), place);
            place
        };
        self.last = place;
        Ok(&self.found[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::Repeated;

    fn length(repeated: &mut Repeated<usize>, name: &str, asked: &mut usize) -> usize {
        let found: Result<&usize, ()> = repeated.get(name, |name| {
            *asked += 1;
            Ok(name.len())
        });
        *found.unwrap()
    }

    #[test]
    fn every_name_is_found_out_once_in_whatever_order_it_comes() {
        let mut repeated = Repeated::default();
        let mut asked = 0;
        for name in ["a", "bb", "ccc", "a", "bb", "ccc", "ccc", "a", "ccc", "bb", "bb", "dddd", "a"] {
            assert_eq!(length(&mut repeated, name, &mut asked), name.len());
        }
        assert_eq!(asked, 4);
    }

    #[test]
    fn what_could_not_be_found_out_is_asked_again() {
        let mut repeated = Repeated::default();
        assert_eq!(repeated.get("a", |_| Err("no")), Err("no"));
        assert_eq!(repeated.get("a", |_| Ok::<_, ()>(7)), Ok(&7));
    }
}
