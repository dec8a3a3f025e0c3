//! A stack that stores its first items inline.

use alloc::vec::Vec;
use core::borrow::BorrowMut;

/// A last-in-first-out stack. The first items are stored in an array of fixed size, the others in a `Vec`.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Stack<T, R> {
    inline: R,
    /// The number of items in the array.
    held: usize,
    spilled: Vec<T>,
}

impl<T, R: BorrowMut<[Option<T>]>> Stack<T, R> {
    /// Creates a stack. `inline` must be empty.
    #[inline(always)]
    pub fn new(inline: R) -> Self {
        Self { inline, held: 0, spilled: Vec::new() }
    }

    /// Returns the number of items.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "hidden from the documentation")]
    pub fn len(&self) -> usize {
        self.held + self.spilled.len()
    }

    /// Adds an item.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        match self.inline.borrow_mut().get_mut(self.held) {
            Some(place) => {
                *place = Some(item);
                self.held += 1;
            }
            None => self.spilled.push(item),
        }
    }

    /// Removes the last item.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        if let Some(item) = self.spilled.pop() {
            return Some(item);
        }
        self.held = self.held.checked_sub(1)?;
        self.inline.borrow_mut()[self.held].take()
    }

    /// Returns the items, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.inline.borrow().iter().take(self.held).flatten().chain(&self.spilled)
    }

    /// Returns the last item.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        if let Some(item) = self.spilled.last_mut() {
            return Some(item);
        }
        self.inline.borrow_mut()[self.held.checked_sub(1)?].as_mut()
    }
}
