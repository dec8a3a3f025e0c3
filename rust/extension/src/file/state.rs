//! The state of a file, which has a lock of its own: the methods borrow their object only as shared, so scripts may use it while
//! a value is read or written, and the bindings make one system call less.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::thread;
use std::time::Duration;

use crossbeam_utils::Backoff;
use spin::mutex::{SpinMutex, SpinMutexGuard};

use super::record::SizeLimit;
use super::record_file::RecordFile;
use crate::error::{VarBytesError, report, signed};

/// What an object of the class holds.
pub(super) struct OpenFile {
    pub(super) records: RecordFile,
    pub(super) limit: SizeLimit,
    pub(super) buffered: bool,
}

/// The same, for one thread at a time. Not a mutex of the standard library: it checks for waiting threads when it is unlocked, which
/// takes 4 to 7 % of the time of a small record.
pub struct State {
    open: SpinMutex<OpenFile>,
    is_shared: bool,
}

thread_local! {
    /// The state that this thread has locked.
    static LOCKED: Cell<*const State> = const { Cell::new(ptr::null()) };
}

/// Restores what this thread had locked before.
struct Unlock(*const State);

impl Drop for Unlock {
    fn drop(&mut self) {
        LOCKED.set(self.0);
    }
}

impl State {
    pub(super) fn new(open: OpenFile) -> Self {
        let is_shared = !open.records.is_owned();
        Self { open: SpinMutex::new(open), is_shared }
    }

    /// Returns whether scripts may use the engine's file too.
    #[inline(always)]
    pub(super) const fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Uses the file as [`lock`](Self::lock) does, for a call that cannot fail. If there is an error, it is printed, and `other` is
    /// returned.
    pub(super) fn run_or<T>(&self, other: T, body: impl FnOnce(&mut OpenFile) -> T) -> T {
        match self.lock() {
            Ok(mut open) => body(&mut open),
            Err(error) => {
                report(&format!("VarBytesFile: {}", error.message()));
                other
            }
        }
    }

    /// Returns a number of an open file, or -1.
    pub(super) fn number(&self, get: impl FnOnce(&mut RecordFile) -> u64) -> i64 {
        self.run_or(-1, |OpenFile { records, .. }| if records.is_open() { signed(get(records)) } else { -1 })
    }

    /// Uses the file as [`lock`](Self::lock) does, for a call that can fail.
    #[inline(always)]
    pub(super) fn run<T, E: From<VarBytesError>>(
        &self,
        body: impl FnOnce(&mut OpenFile) -> Result<T, E>,
    ) -> Result<T, E> {
        body(&mut *self.lock()?)
    }

    /// Locks the file. No script may run until it is unlocked; if the engine runs one that logs an error and uses the same file, that call
    /// gets an error.
    #[inline(always)]
    pub(super) fn lock(&self) -> Result<Locked<'_>, VarBytesError> {
        if LOCKED.get() == ptr::from_ref(self) {
            return Err(VarBytesError::argument("this code runs while another call uses the same file, for example in a Logger: use the file after that call".to_owned()));
        }
        let unlock = Unlock(LOCKED.replace(self));
        Ok(Locked { open: self.open.try_lock().unwrap_or_else(|| self.wait()), _unlock: unlock })
    }

    /// Locks the file when another thread has unlocked it. Sleeps after a few attempts: a long record takes long.
    #[cold]
    fn wait(&self) -> SpinMutexGuard<'_, OpenFile> {
        let backoff = Backoff::new();
        loop {
            if let Some(open) = self.open.try_lock() {
                return open;
            }
            if backoff.is_completed() {
                thread::sleep(Duration::from_micros(50));
            } else {
                backoff.snooze();
            }
        }
    }
}

/// A locked file.
pub(super) struct Locked<'f> {
    open: SpinMutexGuard<'f, OpenFile>,
    _unlock: Unlock,
}

impl Deref for Locked<'_> {
    type Target = OpenFile;

    fn deref(&self) -> &OpenFile {
        &self.open
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut OpenFile {
        &mut self.open
    }
}
