//! Any bytes: work in proportion to their length, for every operation.

use varbytes::migrate::Migration;
use varbytes::{inspect, tagged_json, work};

use crate::{ConvertInput, PacketInput};

/// Maximum steps per byte read or written: a value visited, a key compared, eight bytes hashed or copied. The maximum
/// is text that is converted from other text and escaped repeatedly, and bytes of a typed array that become values.
const STEPS_FOR_A_BYTE: u64 = 32;

/// Additional steps, for an error or an empty packet.
const STEPS_BESIDES: u64 = 512;

/// The same for a conversion, which reads three times and records the path of each loss.
const STEPS_FOR_A_CONVERTED_BYTE: u64 = 128;
const STEPS_OF_A_CONVERSION: u64 = 16_384;

/// Reading, checking, inspecting, converting and writing any bytes take steps in proportion to their length.
///
/// # Panics
/// If that does not hold.
pub fn work(input: &[u8]) {
    let Some(ConvertInput { from, to, objects, packet }) = ConvertInput::read(input) else { return };
    for strict in [false, true] {
        let decoder = PacketInput { profile: from, strict, objects, enforces_types: false, packet }.decoder();
        let hold = |name: &str, steps: u64, written: usize| {
            let most = STEPS_FOR_A_BYTE * (packet.len() + written) as u64 + STEPS_BESIDES;
            assert!(
                steps <= most,
                "{name}: {steps} steps, {most} allowed: {decoder:?}, {} bytes: {}",
                packet.len(),
                hex::encode(packet)
            );
        };
        let (steps, decoded) = work::of(|| decoder.decode_prefix(packet));
        hold("decode", steps, 0);
        let (steps, borrowed) = work::of(|| decoder.decode_borrowed_prefix(packet));
        hold("decode_borrowed", steps, 0);
        let (steps, _) = work::of(|| decoder.check(packet));
        hold("check", steps, 0);
        let (steps, text) = work::of(|| inspect(&decoder, packet));
        hold("inspect", steps, text.len());
        let (steps, json) = work::of(|| tagged_json::decode(&decoder, packet));
        let text = json.map(|json| json.value).unwrap_or_default();
        hold("tagged_json::decode", steps, text.len());
        let (steps, _) = work::of(|| tagged_json::from_str(&text));
        hold("tagged_json::from_str", steps, text.len());
        if let (Ok(decoded), Ok(borrowed)) = (decoded, borrowed) {
            let (steps, _) = work::of(|| borrowed.value.to_variant());
            hold("to_variant", steps, 0);
            let encoder = PacketInput { profile: from, strict, objects, enforces_types: false, packet }.encoder();
            let (steps, written) = work::of(|| encoder.encode(&decoded.value));
            hold("encode", steps, written.map_or(0, |written| written.len()));
        }
    }
    let migration = Migration::new(from, to).objects(objects);
    let (steps, converted) = work::of(|| migration.migrate_bytes(packet));
    let written = converted.map_or(0, |converted| converted.value.len());
    let most = STEPS_FOR_A_CONVERTED_BYTE * (packet.len() + written) as u64 + STEPS_OF_A_CONVERSION;
    assert!(
        steps <= most,
        "{from} to {to}, objects {objects}: {steps} steps, {most} allowed, {} bytes: {}",
        packet.len(),
        hex::encode(packet)
    );
}
