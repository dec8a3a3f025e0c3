//! Conversion between any two engines.

use varbytes::migrate::{LossKind, Migration, MigrationError};
use varbytes::{Category, Decoder, Encoder, Limits, Precision, Profile, Variant};

use crate::ConvertInput;

/// The depth limit of conversions from any engine.
const LIMITS: Limits = Limits::NONE.depth(1024);

/// Every readable packet can be converted to any engine, and the other engine reads a conversion without losses as the
/// same value.
///
/// # Panics
/// If that does not hold.
pub fn convert(input: &[u8]) {
    let Some(ConvertInput { from, to, objects, packet }) = ConvertInput::read(input) else { return };
    let shown = || format!("{from} to {to}, objects {objects}: {}", hex::encode(packet));
    let decoder = Decoder::new().profile(from).objects(objects).limits(LIMITS).fix_engine_bugs(true);
    let source = decoder.decode_prefix(packet);
    let converted = Migration::new(from, to).objects(objects).migrate_bytes(packet);
    let (source, converted) = match (source, converted) {
        (Err(error), Err(MigrationError::Decode(other))) if error == other => return,
        // If the other engine lacks a type, its replacement may be one level deeper.
        (Ok(_), Err(MigrationError::Encode(error))) if error.category() == Category::Limit => return,
        (Ok(source), Ok(converted)) => (source, converted),
        (source, converted) => panic!("{source:?}, {converted:?}: {}", shown()),
    };
    assert_eq!(converted.consumed, source.consumed, "{}", shown());
    let reader = Decoder::new().profile(to).objects(objects);
    if converted.losses.is_empty() {
        let read = reader.decode(&converted.value).unwrap_or_else(|error| panic!("{error}: {}", shown()));
        let same = read.bit_eq(&source.value) || are_same_in_8_bytes(from, objects, &read, &source.value);
        assert!(same, "{read:?} of {:?}: {}", source.value, shown());
    } else {
        let read = reader.fix_engine_bugs(true).decode(&converted.value);
        let known = converted.losses.iter().any(|loss| loss.kind() == LossKind::ReadsBackDifferently);
        assert!(known || read.is_ok(), "{read:?} after {:?}: {}", converted.losses, shown());
    }
}

/// Returns whether two values are the same after widening all components to 64 bits.
fn are_same_in_8_bytes(from: Profile, objects: bool, read: &Variant, source: &Variant) -> bool {
    let encoder = Encoder::new().profile(from).objects(objects).fix_engine_bugs(true).precision(Precision::Double);
    let written = |value| encoder.encode(value).ok();
    from.has_double_precision() && written(source).is_some_and(|source| written(read) == Some(source))
}
