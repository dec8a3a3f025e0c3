//! Memory measured, of the whole process: a test that measures is the only one of its file.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The most memory in use at once while `work` runs, beyond what was in use before, in bytes.
pub fn peak<T>(work: impl FnOnce() -> T) -> usize {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    drop(work());
    ALLOCATOR.peak_usage() - before
}
