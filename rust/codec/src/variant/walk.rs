//! Visits a value and everything in it without recursion.
//!
//! Encoding, comparing, cloning and printing use [`Walk`], so none of them can overflow the stack.

use super::owned::{Object, Variant};
use crate::stack::Stack;

use alloc::string::String;
use core::borrow::BorrowMut;
use core::slice;

/// Levels that a walk stores inline. Most values are nested less deeply.
const INLINE: usize = 4;

/// One step of a [`Walk`].
#[derive(Clone, Copy, Debug)]
pub enum Visit<'v> {
    /// A value that contains no others. Empty containers are entered and left instead.
    Leaf(&'v Variant),
    /// An array, a dictionary (its keys and values alternate) or a full object (each value follows its property name).
    Enter(&'v Variant),
    /// The name of the property whose value comes next.
    Name(&'v str),
    /// The end of the innermost open container.
    Leave(&'v Variant),
}

/// Visits every value of a tree in wire order, parents before children.
pub struct Walk<'v>(InlineWalk<'v, [Option<Level<'v>>; INLINE]>);

/// A walk that stores its first levels in `R` and deeper ones on the heap.
pub(crate) struct InlineWalk<'v, R> {
    start: Option<&'v Variant>,
    stack: Stack<Level<'v>, R>,
    at_key: bool,
}

/// An open container, and its members that are not visited yet.
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
    /// Creates a walk that starts with `value`.
    #[must_use]
    pub fn new(value: &'v Variant) -> Self {
        Self(InlineWalk::new(value, [const { None }; INLINE]))
    }

    /// Returns the number of open containers.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.0.depth()
    }

    /// Skips the contents of the innermost container. Its end is not visited either.
    pub fn pass_over(&mut self) {
        self.0.stack.pop();
    }

    /// Returns whether the last visited value is a dictionary key.
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
    /// Creates a walk that starts with `value`, with empty inline storage.
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

/// The separators in the text of a container.
pub(crate) struct Separators {
    has_keys: bool,
    /// The members so far; keys and values count separately.
    count: usize,
}

impl Separators {
    pub(crate) const fn of(container: &Variant) -> Self {
        Self { has_keys: matches!(container, Variant::Dictionary(_)), count: 0 }
    }

    /// Returns the separator before the next member.
    pub(crate) const fn next(&mut self) -> &'static str {
        self.count += 1;
        match self.count {
            1 => "",
            count if self.has_keys && count.is_multiple_of(2) => ": ",
            _ => ", ",
        }
    }
}
