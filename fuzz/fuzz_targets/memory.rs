#![no_main]

use libfuzzer_sys::fuzz_target;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fuzz_target!(|input: &[u8]| varbytes_fuzz_properties::memory(input, &ALLOCATOR));
