//! Any bytes: no panic, no stack overflow, time linear.

use varbytes::build::TreeBuilder;
use varbytes::{Category, DecodeErrorKind, Variant};

use crate::PacketInput;
use crate::paths::{one_decoder, paths_agree, same};
use crate::steps::Steps;

/// Steps that a byte may take. The most are two for a byte of a packed array that becomes a member of an array, in a
/// packet that is built a second time from a tree: the first time it takes up to one.
const STEPS_FOR_A_BYTE: usize = 3;

/// Steps besides: an error, an empty packet.
const STEPS_BESIDES: usize = 16;

/// The greatest depth of every engine that has one.
const ENGINE_DEPTH: usize = 1024;

/// Values that are less deep than this would not overflow a stack, whatever is made of them.
const DEEP: usize = 64;

/// Any bytes are read or refused, at an offset that they have, in steps that follow their number. The fast path and the
/// slow path of the reader agree, with the options of the input and with others that its bytes choose.
///
/// That every builder comes to the same is asked by [`builders`](crate::builders).
///
/// # Panics
/// Where that is not so.
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
    assert_eq!((fast.count, fast.depth), (slow.count, slow.depth), "steps on the two paths: {}", shown());
    paths_agree(one_decoder(&input), packet);
    match read {
        Ok(decoded) => {
            assert!(decoded.consumed <= packet.len(), "{} bytes consumed: {}", decoded.consumed, shown());
            assert!(decoded.used < packet.len() + 4, "{} bytes used: {}", decoded.used, shown());
            // What is made of the value is no deeper in the stack than the value was.
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
