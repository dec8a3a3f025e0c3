//! Reports that the engine has refused memory.
//!
//! Most values are created in functions that cannot return an error. If the engine has no memory for a value, the value is
//! created empty and a flag is set here. `decode` checks the flag at the end of each packet.

use std::cell::Cell;

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Records that there is no memory for a value.
#[cold]
pub(super) fn note_refusal() {
    REFUSED.set(true);
}

/// Returns whether memory was refused in this thread since the last call, and resets the flag.
pub(crate) fn was_refused() -> bool {
    REFUSED.replace(false)
}
