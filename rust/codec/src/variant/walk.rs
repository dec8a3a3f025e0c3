//! Visits a value and everything in it without recursion.
//!
//! Encoding, comparing, cloning and printing use [`Walk`], so none of them can overflow the stack.

use super::owned::{Object, Variant};
use crate::stack::Stack;

use core::borrow::BorrowMut;

/// Levels that a walk stores inline. Most values are nested less deeply.
const INLINE: usize = 4;

/// One step of a [`Walk`].
///
/// ```
/// use varbytes::variant;
/// use varbytes::variant::{Visit, Walk};
///
/// // The longest text in a save.
/// let save = variant!({"players": [{"name": "Ada"}]});
/// let texts = Walk::new(&save).filter_map(|visit| match visit {
///     Visit::Leaf(value) => value.as_str(),
///     Visit::Enter(_) | Visit::Name(_) | Visit::Leave(_) => None,
/// });
/// assert_eq!(texts.max_by_key(|text| text.len()), Some("players"));
/// ```
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
///
/// ```
/// use varbytes::variant;
/// use varbytes::variant::{Visit, Walk};
///
/// let save = variant!({"name": "Ada", "secret": [1, 2, 3]});
/// let mut walk = Walk::new(&save);
/// let (mut values, mut deepest) = (0, 0);
/// while let Some(visit) = walk.next() {
///     deepest = deepest.max(walk.depth());
///     match visit {
///         Visit::Enter(array) if array.as_array().is_some() => walk.pass_over(),
///         Visit::Leaf(_) if !walk.is_at_key() => values += 1,
///         _ => {}
///     }
/// }
/// assert_eq!((values, deepest), (1, 2));
/// ```
pub struct Walk<'v>(pub(crate) InlineWalk<'v, [Option<Level<'v>>; INLINE]>);

/// A walk that stores its first levels in `R` and deeper ones on the heap.
pub(crate) struct InlineWalk<'v, R> {
    start: Option<&'v Variant>,
    stack: Stack<Level<'v>, R>,
    at_key: bool,
}

/// An open container, and the number of visited members. The names of properties count, too.
pub(crate) struct Level<'v> {
    container: &'v Variant,
    visited: usize,
}

impl<'v> Walk<'v> {
    /// Creates a walk that starts with `value`.
    ///
    /// [`Walk`] has an example.
    #[must_use]
    pub fn new(value: &'v Variant) -> Self {
        Self(InlineWalk::new(value, [const { None }; INLINE]))
    }

    /// Returns the number of open containers.
    ///
    /// [`Walk`] has an example.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.0.depth()
    }

    /// Skips the contents of the innermost container. Its end is not visited either.
    ///
    /// [`Walk`] has an example.
    pub fn pass_over(&mut self) {
        self.0.stack.pop();
    }

    /// Returns whether the last visited value is a dictionary key.
    ///
    /// [`Walk`] has an example.
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
    pub(crate) fn new(value: &'v Variant, inline: R) -> Self {
        Self { start: Some(value), stack: Stack::new(inline), at_key: false }
    }

    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Returns the open containers in which a member was visited, each with the index of the last one. Keys and values
    /// of a dictionary count separately, but not the names of properties.
    pub(crate) fn last_members(&self) -> impl Iterator<Item = (&'v Variant, usize)> {
        self.stack.iter().filter(|level| level.visited > 0).map(|Level { container, visited }| match container {
            Variant::Object(_) => (*container, (visited - 1) / 2),
            _ => (*container, visited - 1),
        })
    }
}

impl<'v, R: BorrowMut<[Option<Level<'v>>]>> Iterator for InlineWalk<'v, R> {
    type Item = Visit<'v>;

    #[inline]
    fn next(&mut self) -> Option<Visit<'v>> {
        let next = match self.stack.last_mut() {
            None => Some(self.start.take()?),
            Some(Level { container, visited }) => {
                let (index, is_first) = (*visited / 2, visited.is_multiple_of(2));
                *visited += 1;
                self.at_key = is_first && matches!(container, Variant::Dictionary(_));
                match container {
                    Variant::Dictionary(dictionary) => {
                        dictionary.entries().get(index).map(|(key, value)| if is_first { key } else { value })
                    }
                    Variant::Object(Object::Data(data)) => match data.properties.get(index) {
                        Some((name, _)) if is_first => return Some(Visit::Name(name)),
                        property => property.map(|(_, value)| value),
                    },
                    container => container.as_array().and_then(|array| array.elements().get(*visited - 1)),
                }
            }
        };
        let Some(value) = next else {
            return self.stack.pop().map(|level| Visit::Leave(level.container));
        };
        if !value.may_hold_values() {
            return Some(Visit::Leaf(value));
        }
        self.stack.push(Level { container: value, visited: 0 });
        Some(Visit::Enter(value))
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
