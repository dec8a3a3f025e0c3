#![no_main]

use libfuzzer_sys::fuzz_target;
use varbytes_fuzz_engine_core::{core_encode, start};

fuzz_target!(init: start(), |input: &[u8]| core_encode(input));
