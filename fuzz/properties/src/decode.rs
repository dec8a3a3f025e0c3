//! Any bytes: no panic, no stack overflow, memory within the limit given, time linear.

use peak_alloc::PeakAlloc;
use varbytes::{Category, DecodeErrorKind, Decoder, Limits};

use crate::PacketInput;
use crate::steps::Steps;

/// Steps that a byte may take. The most are four for a null in an array, 4 bytes of it, and as many again where the
/// packet is built a second time from a tree.
const STEPS_FOR_A_BYTE: usize = 2;

/// The greatest depth of every engine that has one.
const ENGINE_DEPTH: usize = 1024;

/// Steps besides: an error, an empty packet.
const STEPS_BESIDES: usize = 16;

/// Any bytes are read or refused, at an offset that they have, in steps that follow their number.
///
/// # Panics
/// Where that is not so.
pub fn decode(input: &[u8]) {
    let Some(input) = PacketInput::read(input) else { return };
    let (decoder, packet) = (input.decoder(), input.packet);
    let shown = || format!("{decoder:?} on {}", hex::encode(packet));
    let mut steps = Steps::default();
    let counted = decoder.decode_with(packet, &mut steps);
    let most = STEPS_FOR_A_BYTE * packet.len() + STEPS_BESIDES;
    assert!(steps.0 <= most, "{} steps for {} bytes: {}", steps.0, packet.len(), shown());
    match decoder.decode_prefix(packet) {
        Ok(decoded) => {
            assert!(decoded.consumed <= packet.len(), "{} bytes consumed: {}", decoded.consumed, shown());
            assert!(decoded.used < packet.len() + 4, "{} bytes used: {}", decoded.used, shown());
            assert_eq!(counted.map(|counted| counted.used), Ok(decoded.used), "{}", shown());
            // What is made of the value is no deeper in the stack than the value was.
            assert!(decoded.value.bit_eq(&decoded.value.clone()), "{}", shown());
        }
        Err(error) => {
            assert!(error.offset() <= packet.len(), "{error}: {}", shown());
            let is_of_engine = *error.kind() == DecodeErrorKind::DepthLimit { limit: ENGINE_DEPTH };
            let is_limit = error.category() == Category::Limit;
            assert!(!is_limit || is_of_engine, "{error}, without a limit: {}", shown());
        }
    }
}

/// Memory that reading may take for each byte of a packet. What takes most is a container that is open: 8 bytes of the
/// packet, and about 180 in a stack that doubles when it is full and is copied then, with hashes where it is a key.
const MEMORY_FOR_A_BYTE: usize = 128;

/// The same for each byte of the limit on memory that is set.
const MEMORY_FOR_A_BYTE_ALLOWED: usize = 16;

/// Memory besides: the first open containers, an error.
const MEMORY_BESIDES: usize = 8192;

/// Reading any bytes takes memory in proportion to their number and, with a limit, to that.
///
/// `allocator` is the one of the whole process.
///
/// # Panics
/// Where that is not so.
pub fn memory(input: &[u8], allocator: &PeakAlloc) {
    let Some(input) = PacketInput::read(input) else { return };
    let (decoder, packet) = (input.decoder(), input.packet);
    let shown = || format!("{decoder:?} on {} bytes: {}", packet.len(), hex::encode(packet));
    let peak = |decoder: Decoder| {
        allocator.reset_peak_usage();
        let before = allocator.current_usage();
        drop(decoder.decode_prefix(packet));
        allocator.peak_usage() - before
    };
    let used = peak(decoder);
    assert!(used <= MEMORY_FOR_A_BYTE * packet.len() + MEMORY_BESIDES, "{used} bytes: {}", shown());
    for allowed in [packet.len() / 2, packet.len() * 4] {
        let limits = Limits { memory: allowed, depth: 32, ..Limits::NONE };
        let used = peak(decoder.limits(limits));
        let most = MEMORY_FOR_A_BYTE_ALLOWED * allowed + MEMORY_BESIDES;
        assert!(used <= most, "{used} bytes where {allowed} are allowed: {}", shown());
    }
}
