//! Accepted bytes are stable after writing them once, and strict reading accepts exactly canonical bytes.

use varbytes::variant::{Array, ContainerType, Object, Reals, Visit, Walk};
use varbytes::{Category, DecodeErrorKind, EncodeErrorKind, Profile, Variant, VariantType, tagged_json};

use crate::PacketInput;
use crate::types::is_well_typed;

/// UTF-8 of U+FEFF.
const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];

/// Profiles that read their own output as another value, unless engine bugs are fixed.
const FAULTY: [Profile; 2] = [Profile::PANDEMONIUM_3_8, Profile::PANDEMONIUM_5];

/// Accepted bytes, written and read again, return the same value and the same bytes. Strict reading with zero padding
/// accepts exactly the bytes that come back unchanged and whose values match their declared types, and none that
/// engine-exact reading refuses. Without zero padding, it also accepts bytes that differ from those only in padding.
///
/// # Panics
/// If that does not hold.
pub fn canonical(input: &[u8]) {
    let Some(input) = PacketInput::read(input) else { return };
    let packet = input.packet;
    // Strict reading reads what is meant, not the result of an engine bug.
    let (decoder, encoder) = (input.exact().fix_engine_bugs(true), input.encoder().fix_engine_bugs(true));
    let shown = || format!("{decoder:?} on {}", hex::encode(packet));
    let strict = decoder.strict(true).zero_padding(true).decode(packet);
    if strict.is_ok() && !FAULTY.contains(&input.profile) {
        assert!(input.exact().decode(packet).is_ok(), "only strict reading accepts it: {}", shown());
    }
    let value = match decoder.decode(packet) {
        Ok(value) => value,
        Err(error) => {
            assert!(strict.is_err(), "strict reading accepts it: {error}: {}", shown());
            return;
        }
    };
    let written = match encoder.encode(&value) {
        Ok(written) => written,
        // Godot 3.4 has a lower depth limit for writing than for reading.
        Err(error) if matches!(error.kind(), EncodeErrorKind::DepthLimit { .. }) => {
            assert!(strict.is_err(), "{}", shown());
            return;
        }
        Err(error) => panic!("{error}: {}", shown()),
    };
    assert_eq!(encoder.encoded_len(&value).ok(), Some(written.len()), "{}", shown());
    let enforced = decoder.enforce_types(true).decode(packet);
    if let Ok(enforced) = &enforced {
        assert!(is_well_typed(enforced), "{enforced:?}: {}", shown());
    }
    let is_well_typed = is_well_typed(&value);
    let is_kept = enforced.as_ref().is_ok_and(|enforced| enforced.bit_eq(&value));
    assert!(is_well_typed || !is_kept, "{}", shown());
    // A value of another type is left out even if a duplicate key replaces it, and its key moves.
    assert!(is_kept || !is_well_typed || first_difference(packet, &written).is_some(), "{}", shown());
    match (first_difference(packet, &written), &strict) {
        (difference, Err(error)) if matches!(error.kind(), DecodeErrorKind::MistypedValue { .. }) => {
            assert!(!is_well_typed || difference.is_some(), "{error}: {}", shown());
        }
        (None, Ok(_)) if !is_well_typed => {
            panic!("strict reading accepts it, but enforcing types returns {enforced:?} for {value:?}: {}", shown())
        }
        (None, Ok(strict)) => {
            assert!(strict.bit_eq(&value), "strict: {strict:?}, engine-exact: {value:?}: {}", shown());
        }
        (Some(offset), Err(error)) if error.category() == Category::Malformed => {
            assert_eq!(error.offset(), offset, "{error}: {}", shown());
        }
        (difference, strict) => panic!("{difference:?}, {strict:?}: {}", shown()),
    }
    match (&strict, decoder.strict(true).decode(packet)) {
        (_, Ok(accepted)) => {
            // Only padding differs, which is written as zeros.
            let differs_in_padding = |(read, written): (&u8, &u8)| read == written || *written == 0;
            let same = packet.len() == written.len() && packet.iter().zip(&written).all(differs_in_padding);
            assert!(same && accepted.bit_eq(&value), "{accepted:?} accepted for {value:?}: {}", shown());
        }
        (strict, Err(error)) => {
            assert!(strict.is_err(), "only reading with zero padding accepts it: {error}: {}", shown());
        }
    }
    if forgets_precision(input.profile, &value) {
        return;
    }
    let again = decoder.decode(&written).unwrap_or_else(|error| panic!("{error}, written again: {}", shown()));
    if !changes_once_more(&input, &value, &written) {
        assert!(again.bit_eq(&value), "{again:?} after {value:?}: {}", shown());
        assert_eq!(encoder.encode(&again).as_ref(), Ok(&written), "{}", shown());
    }
}

/// Returns whether the engine too reads a different value from its own output: a string that starts with a byte order
/// mark loses one each time; a null object becomes null and surrogates become characters, which may be duplicate keys;
/// the path "/", which Godot 3 can read from a string, becomes the empty path; the class of a typed array of
/// Pandemonium is not written if objects are ids.
fn changes_once_more(input: &PacketInput<'_>, value: &Variant, written: &[u8]) -> bool {
    let changes = |visit| match visit {
        Visit::Leaf(Variant::Object(Object::Null)) => true,
        Visit::Leaf(Variant::NodePath(path)) => path.absolute && path.names.is_empty() && path.subnames.is_empty(),
        Visit::Enter(Variant::TypedArray(array) | Variant::PackedTypedArray(array)) => {
            !input.objects && names_class(array)
        }
        _ => false,
    };
    written.windows(BYTE_ORDER_MARK.len()).any(|window| window == BYTE_ORDER_MARK)
        || Walk::new(value).any(changes)
        || tagged_json::to_string(value).contains("code_units")
}

fn names_class(array: &Array) -> bool {
    match array.element_type() {
        Some(ContainerType::Class(class)) => class != "EncodedObjectAsID",
        Some(ContainerType::Builtin(builtin)) => *builtin == VariantType::Object,
        _ => false,
    }
}

/// Returns whether the engine writes wide components without marking them: double-precision builds of Godot 4.0 do, and
/// no engine reads that correctly.
fn forgets_precision(profile: Profile, value: &Variant) -> bool {
    Walk::new(value).any(|visit| {
        let Visit::Leaf(leaf) = visit else { return false };
        matches!(leaf.as_reals(), Some(Reals::Double(_))) && !profile.flags_wide(leaf.variant_type())
    })
}

fn first_difference(left: &[u8], right: &[u8]) -> Option<usize> {
    let difference = left.iter().zip(right).position(|(left, right)| left != right);
    difference.or_else(|| (left.len() != right.len()).then(|| left.len().min(right.len())))
}
