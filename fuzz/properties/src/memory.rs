//! Any bytes: memory in proportion to their length, and to the limit.

use peak_alloc::PeakAlloc;
use varbytes::{Decoder, Limits};

use crate::PacketInput;

/// Maximum memory per byte of a packet. The maximum is an open container: 8 bytes of the packet, and about 220 bytes in
/// a stack that is copied when it doubles, with hashes if the container is a key.
const MEMORY_FOR_A_BYTE: usize = 160;

/// The same per byte of the memory limit.
const MEMORY_FOR_A_BYTE_ALLOWED: usize = 16;

/// Additional memory, for the first open containers and an error.
const MEMORY_BESIDES: usize = 8192;

/// Reading any bytes takes memory in proportion to their length and, with a limit, to the limit.
///
/// `allocator` is the allocator of the whole process. Nothing else may run at the same time.
///
/// # Panics
/// If that does not hold.
pub fn memory(input: &[u8], allocator: &PeakAlloc) {
    let Some(input) = PacketInput::read(input) else { return };
    let (decoder, packet) = (input.decoder(), input.packet);
    let shown = || format!("{decoder:?} on {} bytes: {}", packet.len(), hex::encode(packet));
    assert!(allocator.current_usage() > 0, "this is not the allocator of the process");
    let peak = |decoder: Decoder| {
        allocator.reset_peak_usage();
        let before = allocator.current_usage();
        drop(decoder.decode_prefix(packet));
        allocator.peak_usage() - before
    };
    let used = peak(decoder);
    assert!(used <= MEMORY_FOR_A_BYTE * packet.len() + MEMORY_BESIDES, "{used} bytes: {}", shown());
    for allowed in [packet.len() / 2, packet.len() * 4] {
        let limits = Limits::NONE.memory(allowed).depth(32);
        let used = peak(decoder.limits(limits));
        let most = MEMORY_FOR_A_BYTE_ALLOWED * allowed + MEMORY_BESIDES;
        assert!(used <= most, "{used} bytes, but {allowed} are allowed: {}", shown());
    }
}
