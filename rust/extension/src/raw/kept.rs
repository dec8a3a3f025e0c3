//! What takes long to create, and stays for the next call.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_utils::atomic::AtomicCell;

/// Something that one call at a time takes and returns. Another call that runs meanwhile finds nothing.
pub(crate) struct Kept<T> {
    /// In a box, so that the cell needs no lock.
    content: AtomicCell<Option<Box<T>>>,
    is_open: AtomicBool,
}

impl<T> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self { content: AtomicCell::new(None), is_open: AtomicBool::new(false) }
    }

    /// From now on, something is kept.
    pub(crate) fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
    }

    /// Drops what is kept. From now on, nothing is kept.
    pub(crate) fn close(&self) {
        self.is_open.store(false, Ordering::SeqCst);
        self.content.take();
    }

    /// Takes what is kept, if there is something.
    #[inline]
    pub(crate) fn take(&'static self) -> Option<Taken<T>> {
        self.content.take().map(|content| self.taken(content))
    }

    /// Takes what is kept, or creates it.
    #[inline]
    pub(crate) fn take_or(&'static self, create: impl FnOnce() -> T) -> Taken<T> {
        self.taken(self.content.take().unwrap_or_else(|| Box::new(create())))
    }

    #[inline]
    fn taken(&'static self, content: Box<T>) -> Taken<T> {
        Taken { kept: self, content: ManuallyDrop::new(content) }
    }
}

/// What a call has taken. It is returned when this is dropped.
pub(crate) struct Taken<T: 'static> {
    kept: &'static Kept<T>,
    content: ManuallyDrop<Box<T>>,
}

impl<T> Drop for Taken<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is used for the last time.
        let content = unsafe { ManuallyDrop::take(&mut self.content) };
        drop(self.kept.content.swap(Some(content)));
        if !self.kept.is_open.load(Ordering::SeqCst) {
            self.kept.content.take();
        }
    }
}

impl<T> Deref for Taken<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T> DerefMut for Taken<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.content
    }
}
