#![no_main]

use libfuzzer_sys::fuzz_target;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn peak(work: &dyn Fn()) -> usize {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    work();
    ALLOCATOR.peak_usage() - before
}

fuzz_target!(|input: &[u8]| {
    varbytes_fuzz_properties::decode(input);
    varbytes_fuzz_properties::memory(input, peak);
});
