//! One thread at a time for what the engine has not made for several.

use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

thread_local! {
    /// Its address is different in each thread.
    static THIS_THREAD: u8 = const { 0 };
}

/// A lock that a thread can take again while it has it, because a peer that is a script can call back.
#[derive(Default)]
pub(super) struct Turns {
    lock: Mutex<()>,
    /// The thread that has the lock, or 0.
    thread: AtomicUsize,
}

/// The turn of a thread. `None` if it has begun already.
pub(super) struct Turn<'t>(Option<(&'t AtomicUsize, MutexGuard<'t, ()>)>);

impl Turns {
    pub(super) fn wait(&self) -> Turn<'_> {
        let this_thread = THIS_THREAD.with(|byte| ptr::from_ref(byte).addr());
        // Only this thread stores its own number, so it is found only if this thread has the lock.
        if self.thread.load(Ordering::Relaxed) == this_thread {
            return Turn(None);
        }
        let locked = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.thread.store(this_thread, Ordering::Relaxed);
        Turn(Some((&self.thread, locked)))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some((thread, _)) = &self.0 {
            thread.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::Turns;

    #[test]
    fn a_thread_may_begin_its_turn_twice() {
        let turns = Turns::default();
        let first = turns.wait();
        drop(turns.wait());
        assert!(turns.lock.try_lock().is_err(), "the first turn has not ended");
        drop(first);
        assert!(turns.lock.try_lock().is_ok());
    }

    #[test]
    fn the_turns_of_threads_do_not_overlap() {
        let turns = Turns::default();
        let inside = std::sync::atomic::AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let _turn = turns.wait();
                        assert_eq!(inside.fetch_add(1, super::Ordering::SeqCst), 0);
                        thread::sleep(Duration::from_micros(20));
                        inside.fetch_sub(1, super::Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
