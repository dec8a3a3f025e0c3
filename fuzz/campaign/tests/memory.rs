//! Memory of reading is bounded by the packet and the limits. A single test, because it measures the whole process.

use std::fs;

use peak_alloc::PeakAlloc;
use varbytes_fuzz_campaign::{files, fuzz_folder, seeds};
use varbytes_fuzz_properties as properties;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[test]
fn memory_follows_the_bytes_and_the_limit() {
    let inputs = seeds::inputs("memory").unwrap();
    assert!(inputs.len() > 5000, "{} inputs", inputs.len());
    let committed = files(&fuzz_folder().join("corpus/memory")).unwrap();
    assert!(committed.len() >= 20, "{} committed inputs", committed.len());
    inputs.iter().for_each(|input| properties::memory(input, &ALLOCATOR));
    let inputs: Vec<Vec<u8>> = committed.iter().map(|path| fs::read(path).unwrap()).collect();
    inputs.iter().for_each(|input| properties::memory(input, &ALLOCATOR));
}
