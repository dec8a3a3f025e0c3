#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| varbytes_fuzz_properties::work(input));
