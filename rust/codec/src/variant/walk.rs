//! Visiting a value and everything in it without recursion.
//!
//! Encoding, comparing, cloning and printing all go through [`Walk`], so none of them can overflow the
//! stack, however deep the value.

use super::{Object, Variant};
use crate::stack::Stack;

use alloc::string::String;
use core::borrow::BorrowMut;
use core::slice;

/// Levels that a walk stores without the heap. Most real values nest less deep.
const INLINE: usize = 4;

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

/// Every value of a tree in wire order, parents before children.
pub struct Walk<'v>(InlineWalk<'v, [Option<Level<'v>>; INLINE]>);

/// A walk whose first levels are in `R`, deeper ones on the heap.
pub(crate) struct InlineWalk<'v, R> {
    start: Option<&'v Variant>,
    stack: Stack<Level<'v>, R>,
    at_key: bool,
}

/// A container that was entered, and what is still to be visited of it.
pub(crate) struct Level<'v> {
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
        Self(InlineWalk::new(value, [const { None }; INLINE]))
    }

    /// How many containers are entered and not yet left.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.0.depth()
    }

    /// Passes over what is in the container entered last. Its end is not visited either.
    pub fn pass_over(&mut self) {
        self.0.stack.pop();
    }

    /// Whether the value visited last is the key of a dictionary's entry.
    #[must_use]
    pub fn is_at_key(&self) -> bool {
        self.0.at_key
    }
}

impl<'v> Iterator for Walk<'v> {
    type Item = Visit<'v>;

    #[inline]
    fn next(&mut self) -> Option<Visit<'v>> {
        self.0.next()
    }
}

impl<'v, R: BorrowMut<[Option<Level<'v>>]>> InlineWalk<'v, R> {
    /// A walk that begins with `value` itself, with empty inline storage.
    pub(crate) fn new(value: &'v Variant, inline: R) -> Self {
        Self { start: Some(value), stack: Stack::new(inline), at_key: false }
    }

    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
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

impl<'v, R: BorrowMut<[Option<Level<'v>>]>> Iterator for InlineWalk<'v, R> {
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
