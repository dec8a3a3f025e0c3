//! Every property holds for every committed vector.

use varbytes::Profile;
use varbytes_conformance::damage::damaged;
use varbytes_fuzz_campaign::seeds;
use varbytes_fuzz_properties as properties;
use varbytes_fuzz_properties::PacketInput;

/// Runs every vector as an input of the target, and checks that there are many.
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
    let inputs = seeds::inputs("builders").unwrap();
    // Every other one enforces types.
    for (index, input) in inputs.iter().enumerate() {
        match PacketInput::read(input) {
            Some(read) if index % 2 == 0 => {
                properties::builders(&PacketInput { enforces_types: true, ..read }.write());
            }
            _ => properties::builders(input),
        }
    }
}

#[test]
fn convert_holds() {
    on_every_vector("convert", properties::convert);
}

/// Damaged packets test the errors of both paths, and accepted bytes that no engine writes.
#[test]
fn fast_and_slow_path_agree_on_every_vector_and_on_damaged_ones() {
    let mut inputs = 0;
    let packets = seeds::packets().unwrap();
    for profile in Profile::ALL.iter().copied() {
        let of_profile = packets.iter().filter(|(of, _)| *of == profile).map(|(_, packet)| packet.clone());
        let mut of_profile: Vec<_> = of_profile.collect();
        of_profile.extend(damaged(&of_profile.clone(), profile, 13, of_profile.len()));
        for packet in of_profile {
            let input = PacketInput {
                profile,
                strict: false,
                objects: packet.objects,
                enforces_types: false,
                packet: &packet.bytes,
            };
            properties::paths(&input.write());
            inputs += 1;
        }
    }
    assert!(inputs > 10_000, "{inputs} inputs");
}

#[test]
fn work_holds() {
    on_every_vector("work", properties::work);
}
