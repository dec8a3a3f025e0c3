//! Reading takes no more memory than bytes and limits say. One test, because the measure is the whole process.

use peak_alloc::PeakAlloc;
use varbytes_fuzz_campaign::seeds;
use varbytes_fuzz_properties as properties;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[test]
fn memory_follows_the_bytes_and_the_limit() {
    let inputs = seeds::inputs("decode").unwrap();
    assert!(inputs.len() > 5000, "{} inputs", inputs.len());
    inputs.iter().for_each(|input| properties::memory(input, &ALLOCATOR));
}
