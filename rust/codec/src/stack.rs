//! A stack whose first items need no heap.

use alloc::vec::Vec;
use core::borrow::BorrowMut;

/// A last-in-first-out stack: the first items in a room of a fixed size, the rest in a `Vec`.
pub(crate) struct Stack<T, R> {
    room: R,
    /// Items in the room.
    held: usize,
    spilled: Vec<T>,
}

impl<T, R: BorrowMut<[Option<T>]>> Stack<T, R> {
    /// A stack in a room that is empty.
    #[inline(always)]
    pub(crate) fn new(room: R) -> Self {
        Self { room, held: 0, spilled: Vec::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.held + self.spilled.len()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) {
        match self.room.borrow_mut().get_mut(self.held) {
            Some(place) => {
                *place = Some(item);
                self.held += 1;
            }
            None => self.spilled.push(item),
        }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        if let Some(item) = self.spilled.pop() {
            return Some(item);
        }
        self.held = self.held.checked_sub(1)?;
        self.room.borrow_mut()[self.held].take()
    }

    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        if let Some(item) = self.spilled.last_mut() {
            return Some(item);
        }
        self.room.borrow_mut()[self.held.checked_sub(1)?].as_mut()
    }
}
