//! Names of classes and properties, which repeat in the same order in objects of the same class.

use alloc::vec::Vec;

/// The first names that were read, in their order. A name that is known does not have to be checked again.
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct KnownNames<'a> {
    names: Vec<&'a str>,
    last: usize,
}

impl<'a> KnownNames<'a> {
    /// The most names that are kept.
    const MOST: usize = 64;

    /// Returns the name that came after the last one before, or the first if there was none, if it has these bytes.
    #[inline]
    pub(crate) fn next(&mut self, bytes: &[u8]) -> Option<&'a str> {
        let after = if self.last + 1 < self.names.len() { self.last + 1 } else { 0 };
        let name = self.names.get(after).copied().filter(|name| name.as_bytes() == bytes)?;
        self.last = after;
        Some(name)
    }

    /// Expects the first name again.
    pub(crate) fn again(mut self) -> Self {
        self.last = self.names.len().saturating_sub(1);
        self
    }

    /// Keeps a name that was not the next one.
    #[inline]
    pub(crate) fn add(&mut self, name: &'a str) {
        if self.names.len() < Self::MOST {
            // At once for as many names as most classes have.
            if self.names.is_empty() {
                self.names.reserve(16);
            }
            self.last = self.names.len();
            self.names.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_first_pass_are_known_in_a_second_one() {
        let mut known = KnownNames::default();
        for name in ["A", "b", "A", "b", "B", "c", "A"] {
            if known.next(name.as_bytes()).is_none() {
                known.add(name);
            }
        }
        let mut known = known.again();
        for name in ["A", "b"] {
            assert_eq!(known.next(name.as_bytes()), Some(name));
        }
    }

    #[test]
    fn names_that_repeat_in_their_order_are_known() {
        let mut known = KnownNames::default();
        let mut found = 0;
        for name in ["A", "b", "c", "A", "b", "c", "A", "b", "d", "A", "b", "d"] {
            match known.next(name.as_bytes()) {
                Some(same) => {
                    assert_eq!(same, name);
                    found += 1;
                }
                None => known.add(name),
            }
        }
        assert_eq!(found, 7);
    }
}
