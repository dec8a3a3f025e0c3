//! A stack whose first levels need no heap.

use alloc::vec::Vec;

/// Levels kept in place. Most real values nest less deep, so working on them allocates nothing.
const INLINE: usize = 4;

/// A last-in-first-out stack: the first [`INLINE`] items in place, the rest in a `Vec`.
pub(crate) struct Stack<T> {
    inline: [Option<T>; INLINE],
    inline_len: usize,
    spilled: Vec<T>,
}

impl<T> Stack<T> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { inline: core::array::from_fn(|_| None), inline_len: 0, spilled: Vec::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.inline_len + self.spilled.len()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) {
        if self.inline_len < INLINE {
            self.inline[self.inline_len] = Some(item);
            self.inline_len += 1;
        } else {
            self.spilled.push(item);
        }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        if let Some(item) = self.spilled.pop() {
            return Some(item);
        }
        self.inline_len = self.inline_len.checked_sub(1)?;
        self.inline[self.inline_len].take()
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<&T> {
        if let Some(item) = self.spilled.last() {
            return Some(item);
        }
        self.inline[self.inline_len.checked_sub(1)?].as_ref()
    }

    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        if let Some(item) = self.spilled.last_mut() {
            return Some(item);
        }
        self.inline[self.inline_len.checked_sub(1)?].as_mut()
    }

    /// The items from the bottom up.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.inline.iter().flatten().chain(&self.spilled)
    }
}
