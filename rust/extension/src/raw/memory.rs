//! Whether the engine has refused memory.
//!
//! Most values are made where no error can be given. So a value that the engine has no memory for is made empty, and
//! noted here; whoever reads a packet asks in the end.

use std::cell::Cell;

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Notes that there is no memory for a value.
#[cold]
pub(super) fn note_refusal() {
    REFUSED.set(true);
}

/// Whether memory was refused in this thread since the last time that this was asked.
pub(crate) fn was_refused() -> bool {
    REFUSED.replace(false)
}
