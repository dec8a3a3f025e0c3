//! Visiting a value and everything in it without recursion.
//!
//! Encoding, comparing, cloning and printing all go through [`Walk`], so none of them can overflow the
//! stack, however deep the value.

use super::{Object, Variant};
use crate::stack::Stack;
use core::slice;

use alloc::string::String;

/// One step of a [`Walk`].
#[derive(Clone, Copy, Debug)]
pub enum Visit<'v> {
    /// A value that holds no others. Empty containers are entered and left instead.
    Leaf(&'v Variant),
    /// An array, a dictionary (its keys and values follow in turn) or a full object (each property's
    /// value after its name).
    Enter(&'v Variant),
    /// The name of the property whose value comes next.
    Name(&'v str),
    /// The end of the container entered last.
    Leave(&'v Variant),
}

/// Whoever can do with some members what is done with a [`Visit`], without one.
pub(crate) trait TakeMember {
    /// Takes a value that holds no others, or leaves it.
    fn take(&mut self, value: &Variant) -> bool;
}

/// Every value of a tree in wire order, parents before children.
pub struct Walk<'v> {
    start: Option<&'v Variant>,
    stack: Stack<Level<'v>>,
    at_key: bool,
}

struct Level<'v> {
    container: &'v Variant,
    rest: Rest<'v>,
}

enum Rest<'v> {
    Elements(slice::Iter<'v, Variant>),
    Entries(slice::Iter<'v, (Variant, Variant)>, Option<&'v Variant>),
    Properties(slice::Iter<'v, (String, Variant)>, Option<&'v Variant>),
}

impl<'v> Walk<'v> {
    /// A walk that begins with `value` itself.
    #[must_use]
    pub fn new(value: &'v Variant) -> Self {
        Self { start: Some(value), stack: Stack::new(), at_key: false }
    }

    /// How many containers are entered and not yet left.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Passes over what is in the container entered last. Its end is not visited either.
    pub fn pass_over(&mut self) {
        self.stack.pop();
    }

    /// Passes over the values that come next in the array or dictionary entered last, as long as they are taken.
    #[inline]
    pub(crate) fn take_members(&mut self, taker: &mut impl TakeMember) {
        match self.stack.last_mut().map(|level| &mut level.rest) {
            Some(Rest::Elements(elements)) => {
                while let Some(element) = elements.as_slice().first() {
                    if !taker.take(element) {
                        return;
                    }
                    elements.next();
                }
            }
            Some(Rest::Entries(entries, pending)) => {
                if let Some(value) = *pending {
                    if !taker.take(value) {
                        return;
                    }
                    *pending = None;
                }
                while let Some((key, value)) = entries.as_slice().first() {
                    if !taker.take(key) {
                        return;
                    }
                    entries.next();
                    if !taker.take(value) {
                        *pending = Some(value);
                        return;
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether the value visited last is the key of a dictionary's entry.
    #[must_use]
    pub fn is_at_key(&self) -> bool {
        self.at_key
    }

    #[inline]
    fn visit(&mut self, value: &'v Variant) -> Visit<'v> {
        let rest = match value {
            Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                Rest::Elements(array.elements().iter())
            }
            Variant::Dictionary(dictionary) => Rest::Entries(dictionary.entries().iter(), None),
            Variant::Object(Object::Data(data)) => Rest::Properties(data.properties.iter(), None),
            _ => return Visit::Leaf(value),
        };
        self.stack.push(Level { container: value, rest });
        Visit::Enter(value)
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = Visit<'v>;

    #[inline]
    fn next(&mut self) -> Option<Visit<'v>> {
        let Some(level) = self.stack.last_mut() else {
            let start = self.start.take()?;
            return Some(self.visit(start));
        };
        self.at_key = matches!(level.rest, Rest::Entries(_, None));
        let next = match &mut level.rest {
            Rest::Elements(elements) => elements.next(),
            Rest::Entries(entries, value) => value.take().or_else(|| {
                let (key, entry_value) = entries.next()?;
                *value = Some(entry_value);
                Some(key)
            }),
            Rest::Properties(properties, value) => match value.take() {
                Some(value) => Some(value),
                None => match properties.next() {
                    Some((name, property)) => {
                        *value = Some(property);
                        return Some(Visit::Name(name));
                    }
                    None => None,
                },
            },
        };
        match next {
            Some(value) => Some(self.visit(value)),
            None => self.stack.pop().map(|level| Visit::Leave(level.container)),
        }
    }
}
