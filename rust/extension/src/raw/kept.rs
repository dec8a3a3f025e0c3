//! What takes long to create, and stays for the next call.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crossbeam_utils::atomic::AtomicCell;

/// Something that one call at a time takes and returns. Another call that runs meanwhile creates its own.
pub(crate) struct Kept<T> {
    /// In a box, so that the cell needs no lock.
    content: AtomicCell<Option<Box<T>>>,
    is_listed: AtomicBool,
}

/// Whether anything is kept.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// What may have to be dropped.
static LISTED: Mutex<Vec<&'static (dyn Droppable + Sync)>> = Mutex::new(Vec::new());

/// From now on, things are kept after a call.
pub(crate) fn keep_between_calls() {
    IS_OPEN.store(true, Ordering::SeqCst);
}

/// Drops what is kept. From now on, nothing is kept.
pub(crate) fn keep_nothing() {
    IS_OPEN.store(false, Ordering::SeqCst);
    let listed = std::mem::take(&mut *LISTED.lock().unwrap_or_else(PoisonError::into_inner));
    listed.iter().for_each(|kept| kept.drop_content());
}

trait Droppable {
    fn drop_content(&self);
}

impl<T: Send> Droppable for Kept<T> {
    fn drop_content(&self) {
        self.is_listed.store(false, Ordering::SeqCst);
        self.content.take();
    }
}

impl<T: Send> Kept<T> {
    pub(crate) const fn new() -> Self {
        Self { content: AtomicCell::new(None), is_listed: AtomicBool::new(false) }
    }

    /// Takes what is kept, or creates it.
    #[inline]
    pub(crate) fn take_or(&'static self, create: impl FnOnce() -> T) -> Taken<T> {
        self.taken(self.content.take().unwrap_or_else(|| boxed(create)))
    }

    /// Takes what is kept, or creates it if nothing was kept before. Returns `None` if another call uses it.
    #[inline]
    pub(crate) fn take_if_free(&'static self, create: impl FnOnce() -> T) -> Option<Taken<T>> {
        match self.content.take() {
            Some(content) => Some(self.taken(content)),
            None if self.is_listed.load(Ordering::Relaxed) => None,
            None => Some(self.taken(boxed(create))),
        }
    }

    #[inline(always)]
    fn taken(&'static self, content: Box<T>) -> Taken<T> {
        Taken { kept: self, content: ManuallyDrop::new(content) }
    }

    #[inline]
    fn give_back(&'static self, content: Box<T>) {
        drop(self.content.swap(Some(content)));
        if !self.is_listed.load(Ordering::Relaxed) {
            self.list();
        }
        if !IS_OPEN.load(Ordering::SeqCst) {
            self.content.take();
        }
    }

    #[cold]
    fn list(&'static self) {
        let mut listed = LISTED.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_listed.swap(true, Ordering::SeqCst) {
            listed.push(self);
        }
    }
}

/// Creates what is kept. Not inlined: what is large would take space in the stack of each caller, in each level of recursion.
#[cold]
#[inline(never)]
fn boxed<T>(create: impl FnOnce() -> T) -> Box<T> {
    Box::new(create())
}

/// What a call has taken. It is returned when this is dropped.
pub(crate) struct Taken<T: Send + 'static> {
    kept: &'static Kept<T>,
    content: ManuallyDrop<Box<T>>,
}

impl<T: Send> Drop for Taken<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it is used for the last time.
        self.kept.give_back(unsafe { ManuallyDrop::take(&mut self.content) });
    }
}

impl<T: Send> Deref for Taken<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.content
    }
}

impl<T: Send> DerefMut for Taken<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.content
    }
}
