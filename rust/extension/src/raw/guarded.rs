//! Content of objects that any thread may use.

use std::cell::UnsafeCell;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_utils::CachePadded;
use godot::builtin::Variant;
use spin::mutex::{SpinMutex, SpinMutexGuard};
use spin::relax::Yield;

use super::new_value::LazyVariant;

/// A lock that is held for a few nanoseconds at a time. A mutex of the system takes twice as long, because it asks at the end whether
/// another thread waits.
pub(super) type Lock = SpinMutex<(), Yield>;

/// The state of an object: what a call that succeeds or fails leaves there.
pub(crate) trait State: Default {
    /// Removes everything. Returns the old value.
    fn empty(&mut self) -> LazyVariant;
    fn value(&self) -> &Variant;
    /// Returns whether the call succeeded.
    fn succeeded(&self) -> bool;
}

/// State that one thread at a time uses. Its lock lives as long as the library, and several objects can have the same one.
pub(crate) struct Guarded<S> {
    lock: &'static Lock,
    state: UnsafeCell<S>,
    /// Whether the last call succeeded, which scripts read after nearly every call. Read without the lock.
    succeeded: AtomicBool,
}

impl<S: State> Guarded<S> {
    pub(super) fn new(lock: &'static Lock, state: S) -> Self {
        let succeeded = AtomicBool::new(state.succeeded());
        Self { lock, state: UnsafeCell::new(state), succeeded }
    }

    /// The state of an object that is not used again.
    pub(super) fn with_shared_lock(state: S) -> Self {
        /// Objects with the same lock wait for each other for a few nanoseconds.
        static LOCKS: [CachePadded<Lock>; 16] = [const { CachePadded::new(Lock::new(())) }; 16];
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Self::new(&LOCKS[NEXT.fetch_add(1, Ordering::Relaxed) % LOCKS.len()], state)
    }

    pub(crate) fn lock(&self) -> Held<'_, S> {
        // SAFETY: it is the lock of this state.
        unsafe { self.held(self.lock.lock()) }
    }

    /// Returns whether the last call succeeded.
    #[inline(always)]
    pub(crate) fn succeeded(&self) -> bool {
        self.succeeded.load(Ordering::Acquire)
    }

    /// Returns the state, which is locked.
    ///
    /// # Safety
    /// The guard must be that of the lock of this state.
    #[inline(always)]
    pub(super) unsafe fn held(&self, guard: SpinMutexGuard<'static, ()>) -> Held<'_, S> {
        // SAFETY: by the caller, no other thread uses the state. In this thread, nothing locks the same lock twice: it would wait for
        // ever.
        Held { succeeded: &self.succeeded, state: unsafe { &mut *self.state.get() }, _guard: guard }
    }
}

impl<S: State> Default for Guarded<S> {
    fn default() -> Self {
        Self::with_shared_lock(S::default())
    }
}

/// State that this thread has locked.
pub(crate) struct Held<'s, S> {
    succeeded: &'s AtomicBool,
    state: &'s mut S,
    _guard: SpinMutexGuard<'static, ()>,
}

impl<S: State> Held<'_, S> {
    /// Changes the state.
    #[inline(always)]
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut S) -> T) -> T {
        let changed = change(self.state);
        self.succeeded.store(self.state.succeeded(), Ordering::Release);
        changed
    }
}

impl<S> Deref for Held<'_, S> {
    type Target = S;

    fn deref(&self) -> &S {
        self.state
    }
}
