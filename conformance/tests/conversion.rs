//! Converts every committed packet of every engine to other engines, with only the codec.

use varbytes::migrate::{LossKind, Migration, MigrationError};
use varbytes::{Category, Decoder, Encoder, Limits, Precision, Profile, Variant};
use varbytes_conformance::damage::Packet;
use varbytes_conformance::derived::DerivedSet;
use varbytes_conformance::reference::Reference;
use varbytes_conformance::vectors::{CAPTURED, VectorSet};

/// Each packet is converted to one in this many engines.
const PART: usize = 11;

/// The depth limit of conversions from any engine.
const LIMITS: Limits = Limits::NONE.depth(1024);

/// The bytes of every committed vector.
fn committed() -> Vec<Packet> {
    let live = Reference::ALL.map(|reference| VectorSet::load(&reference.folder()).unwrap().packets());
    let captured = CAPTURED.iter().flat_map(|captured| captured.load().unwrap());
    let captured = captured.map(|vector| Packet { bytes: vector.bytes, objects: vector.full_objects });
    let derived = DerivedSet::load_all().unwrap().into_iter().flat_map(|set| set.packets().unwrap());
    live.into_iter().flatten().chain(captured).chain(derived).collect()
}

#[test]
fn a_lossless_conversion_is_read_by_the_other_engine_as_the_same_value() {
    let packets = committed();
    let (mut exact, mut lossy) = (0, 0);
    for (number, Packet { bytes, objects }) in packets.iter().enumerate() {
        for (row, from) in Profile::ALL.iter().enumerate() {
            let decoder = Decoder::new().profile(*from).objects(*objects).limits(LIMITS).fix_engine_bugs(true);
            let source = decoder.decode_prefix(bytes);
            // Each packet is converted to some of the engines, so that the test covers all pairs in reasonable time.
            for to in Profile::ALL.iter().skip((number + row) % PART).step_by(PART) {
                let shown = || format!("{from} to {to}, objects {objects}: {}", hex::encode(bytes));
                let converted = Migration::new(*from, *to).objects(*objects).migrate_bytes(bytes);
                let (source, converted) = match (&source, converted) {
                    (Err(error), Err(MigrationError::Decode(other))) if *error == other => continue,
                    // If the other engine lacks a type, its replacement may be one level deeper.
                    (Ok(_), Err(MigrationError::Encode(error))) if error.category() == Category::Limit => continue,
                    (Ok(source), Ok(converted)) => (source, converted),
                    (source, converted) => {
                        panic!("{:?}, {:?}: {}", source.as_ref().err(), converted.err(), shown());
                    }
                };
                assert_eq!(converted.consumed, source.consumed, "{}", shown());
                let reader = Decoder::new().profile(*to).objects(*objects);
                if converted.losses.is_empty() {
                    let read = reader.decode(&converted.value).unwrap_or_else(|error| panic!("{error}: {}", shown()));
                    let same = read.bit_eq(&source.value) || are_same_in_8_bytes(*from, *objects, &read, &source.value);
                    assert!(same, "{read:?} of {:?}: {}", source.value, shown());
                    exact += 1;
                } else {
                    let read = reader.fix_engine_bugs(true).decode(&converted.value);
                    let known = converted.losses.iter().any(|loss| loss.kind() == LossKind::ReadsBackDifferently);
                    assert!(known || read.is_ok(), "{read:?} after {:?}: {}", converted.losses, shown());
                    lossy += 1;
                }
            }
        }
    }
    println!("{} packets: {exact} conversions without loss, {lossy} with", packets.len());
    assert!(exact > 10 * packets.len() && lossy > packets.len(), "{exact} without loss, {lossy} with");
}

/// Returns whether two values are the same after widening all components to 64 bits.
fn are_same_in_8_bytes(from: Profile, objects: bool, read: &Variant, source: &Variant) -> bool {
    let encoder = Encoder::new().profile(from).objects(objects).fix_engine_bugs(true).precision(Precision::Double);
    from.has_double_precision() && encoder.encode(read).unwrap() == encoder.encode(source).unwrap()
}
