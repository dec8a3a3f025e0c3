//! Reports that a value could not be created.
//!
//! Most values are created in functions that cannot return an error. If the engine has no memory for a value, the value is
//! created empty and a flag is set here. `decode` checks the flag at the end of each packet. Fast paths also use it for text that is
//! not UTF-8; the packet is then read in another way.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a value was refused in any thread so far. It is read faster than the flag of a thread, and is usually false.
static EVER_REFUSED: AtomicBool = AtomicBool::new(false);

/// Records that a value could not be created.
#[cold]
pub(crate) fn note_refusal() {
    REFUSED.set(true);
    // Only this thread relies on it, for its own flag.
    EVER_REFUSED.store(true, Ordering::Relaxed);
}

/// Returns whether a value was refused in this thread since the last call, and resets the flag.
#[inline(always)]
pub(crate) fn was_refused() -> bool {
    EVER_REFUSED.load(Ordering::Relaxed) && REFUSED.replace(false)
}
