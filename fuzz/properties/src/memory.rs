//! Any bytes: memory in proportion to them, and to the limit given.

use peak_alloc::PeakAlloc;
use varbytes::{Decoder, Limits};

use crate::PacketInput;

/// Memory that reading may take for each byte of a packet. What takes most is a container that is open: 8 bytes of the
/// packet, and about 220 in a stack that doubles when it is full and is copied then, with hashes where it is a key.
const MEMORY_FOR_A_BYTE: usize = 160;

/// The same for each byte of the limit on memory that is set.
const MEMORY_FOR_A_BYTE_ALLOWED: usize = 16;

/// Memory besides: the first open containers, an error.
const MEMORY_BESIDES: usize = 8192;

/// Reading any bytes takes memory in proportion to their number and, with a limit, to that.
///
/// `allocator` is the one of the whole process, in which nothing else happens meanwhile.
///
/// # Panics
/// Where that is not so.
pub fn memory(input: &[u8], allocator: &PeakAlloc) {
    let Some(input) = PacketInput::read(input) else { return };
    let (decoder, packet) = (input.decoder(), input.packet);
    let shown = || format!("{decoder:?} on {} bytes: {}", packet.len(), hex::encode(packet));
    assert!(allocator.current_usage() > 0, "not the allocator of this process, which holds something");
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
