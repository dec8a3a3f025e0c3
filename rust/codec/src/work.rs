//! Counts work in steps: a value visited, a key compared, eight bytes hashed or copied.
//!
//! Tests and fuzz targets compare the count with the length of the input. Without the feature `count-work`, these
//! functions are empty.

#[cfg(feature = "count-work")]
use core::cell::Cell;

#[cfg(feature = "count-work")]
std::thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static FAST_VALUES: Cell<u64> = const { Cell::new(0) };
}

/// Bytes that are hashed, compared or copied in one step.
const STEP: usize = 8;

/// Adds steps.
#[inline(always)]
pub fn add(steps: usize) {
    #[cfg(feature = "count-work")]
    STEPS.set(STEPS.get() + steps as u64);
    #[cfg(not(feature = "count-work"))]
    let _ = steps;
}

/// Adds the steps for hashing, comparing or copying `bytes` bytes.
#[inline(always)]
pub fn add_bytes(bytes: usize) {
    add(1 + bytes / STEP);
}

/// Returns the steps that `work` takes in this thread, and its result.
#[cfg(feature = "count-work")]
pub fn of<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = STEPS.get();
    let result = work();
    (STEPS.get() - before, result)
}

/// Counts a value that the fast path has read.
#[inline(always)]
pub(crate) fn count_fast_value() {
    #[cfg(feature = "count-work")]
    FAST_VALUES.set(FAST_VALUES.get() + 1);
}

/// Returns the number of values that the fast path reads during `work` in this thread, and the result of `work`.
#[cfg(feature = "count-work")]
pub fn fast_values_of<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = FAST_VALUES.get();
    let result = work();
    (FAST_VALUES.get() - before, result)
}

/// Like [`add_bytes`], but computes the number only if steps are counted.
#[inline(always)]
pub fn add_bytes_of(bytes: impl FnOnce() -> usize) {
    if cfg!(feature = "count-work") {
        add_bytes(bytes());
    }
}
