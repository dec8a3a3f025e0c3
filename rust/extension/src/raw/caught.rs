//! Calls of the engine, which panics must not reach.

use std::panic::{AssertUnwindSafe, catch_unwind};

use godot::prelude::godot_error;

/// Catches panics, which must not reach the engine. The result then stays as the engine prepared it: null or empty.
#[inline(always)]
pub(super) fn caught(body: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(body)).is_err() {
        let _ = catch_unwind(|| godot_error!("VarBytes: internal error. Please report it with the value or the bytes"));
    }
}
