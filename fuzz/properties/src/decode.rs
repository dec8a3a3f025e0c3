//! Any bytes: no panic, no stack overflow, linear time.

use varbytes::build::TreeBuilder;
use varbytes::{Category, DecodeErrorKind, Variant};

use crate::PacketInput;
use crate::paths::{one_decoder, paths_agree, same};
use crate::steps::Steps;

/// Maximum builder calls per byte. The maximum is two for a byte of a packed array that becomes a member of an array,
/// if the packet is built a second time from a tree, which takes up to one call the first time.
const STEPS_FOR_A_BYTE: usize = 3;

/// Additional steps, for an error or an empty packet.
const STEPS_BESIDES: usize = 16;

/// The depth limit of every engine that has one.
const ENGINE_DEPTH: usize = 1024;

/// Values below this depth cannot overflow a stack.
const DEEP: usize = 64;

/// Any bytes are read or refused with an offset inside the input, in steps proportional to their length. The fast path
/// and the slow path of the reader agree, with the options of the input and with others that its bytes choose.
///
/// [`builders`](crate::builders) checks that all builders agree.
///
/// # Panics
/// If that does not hold.
pub fn decode(input: &[u8]) {
    let Some(input) = PacketInput::read(input) else { return };
    let (decoder, packet) = (input.decoder(), input.packet);
    let shown = || format!("{decoder:?} on {}", hex::encode(packet));
    let (mut fast, mut slow) = (Steps::<TreeBuilder>::default(), Steps::<TreeBuilder>::default());
    let read = decoder.decode_with(packet, &mut fast);
    let slowly_read = decoder.slow_path_only(true).decode_with(packet, &mut slow);
    let most = STEPS_FOR_A_BYTE * packet.len() + STEPS_BESIDES;
    assert!(fast.count <= most, "{} steps for {} bytes: {}", fast.count, packet.len(), shown());
    same(&decoder, packet, &read, &slowly_read, Variant::bit_eq);
    // A packet that this builder cannot read in one pass is built from a tree.
    same(&decoder, packet, &read, &decoder.decode_prefix(packet), Variant::bit_eq);
    assert_eq!((fast.count, fast.depth), (slow.count, slow.depth), "steps on the two paths: {}", shown());
    paths_agree(one_decoder(&input), packet);
    match read {
        Ok(decoded) => {
            assert!(decoded.consumed <= packet.len(), "{} bytes consumed: {}", decoded.consumed, shown());
            assert!(decoded.used < packet.len() + 4, "{} bytes used: {}", decoded.used, shown());
            // Cloning and comparing need no more stack than decoding.
            let is_deep = fast.depth > DEEP;
            assert!(!is_deep || decoded.value.bit_eq(&decoded.value.clone()), "{}", shown());
        }
        Err(error) => {
            assert!(error.offset() <= packet.len(), "{error}: {}", shown());
            let is_of_engine = *error.kind() == DecodeErrorKind::DepthLimit { limit: ENGINE_DEPTH };
            let is_limit = error.category() == Category::Limit;
            assert!(!is_limit || is_of_engine, "{error}, without a limit: {}", shown());
        }
    }
}
