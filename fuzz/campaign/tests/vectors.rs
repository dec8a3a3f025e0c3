//! Every property holds for every committed vector.

use varbytes_fuzz_campaign::seeds;
use varbytes_fuzz_properties as properties;
use varbytes_fuzz_properties::PacketInput;

/// Every vector as an input of the target; a test that saw none would prove nothing.
fn on_every_vector(target: &str, property: fn(&[u8])) {
    let inputs = seeds::inputs(target).unwrap();
    assert!(inputs.len() > 5000, "{} inputs", inputs.len());
    inputs.iter().for_each(|input| property(input));
}

#[test]
fn decode_holds() {
    on_every_vector("decode", properties::decode);
}

#[test]
fn canonical_holds() {
    on_every_vector("canonical", properties::canonical);
}

#[test]
fn roundtrip_holds() {
    on_every_vector("roundtrip", properties::roundtrip);
}

#[test]
fn builders_holds() {
    on_every_vector("builders", properties::builders);
    on_every_vector("builders", |input| {
        if let Some(input) = PacketInput::read(input) {
            properties::builders(&PacketInput { enforces_types: true, ..input }.write());
        }
    });
}

#[test]
fn convert_holds() {
    on_every_vector("convert", properties::convert);
}

#[test]
fn work_holds() {
    on_every_vector("work", properties::work);
}
