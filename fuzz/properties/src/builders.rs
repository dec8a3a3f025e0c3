//! All builders agree.

use varbytes::build::Validator;
use varbytes::{DecodeError, DecodeErrorKind, Decoded, inspect, tagged_json};

use crate::PacketInput;

/// The columns of a line of [`inspect`] with the bytes of a part.
const BYTES_SHOWN: std::ops::Range<usize> = 10..46;

/// The owned tree, the borrowed tree, the check that builds nothing, tagged JSON and [`inspect`] agree on acceptance,
/// bytes used, kind and offset of an error.
///
/// # Panics
/// If they do not agree.
pub fn builders(input: &[u8]) {
    let Some(input) = PacketInput::read(input) else { return };
    let (decoder, packet) = (input.decoder(), input.packet);
    let shown = || format!("{decoder:?} on {}", hex::encode(packet));
    let tree = decoder.decode_prefix(packet);
    match (&tree, decoder.decode_with(packet, &mut Validator::new(()))) {
        (Ok(tree), Ok(check)) => {
            assert_eq!((tree.used, tree.consumed), (check.used, check.consumed), "{}", shown());
        }
        (Err(tree), Err(check)) => assert_eq!(*tree, check, "{}", shown()),
        (tree, check) => panic!("{}:\n{tree:?}\n{check:?}", shown()),
    }
    // In strict reading nothing may follow.
    let whole = decoder.decode(packet).and(tree.clone());
    match (&whole, tagged_json::decode(&decoder, packet)) {
        (Ok(tree), Ok(json)) => {
            assert_eq!((tree.used, tree.consumed), (json.used, json.consumed), "{}", shown());
            assert_eq!(tagged_json::to_string(&tree.value), json.value, "{}", shown());
            let again = tagged_json::from_str(&json.value).unwrap_or_else(|error| panic!("{error}: {}", shown()));
            assert_eq!(tagged_json::to_string(&again), json.value, "{}", shown());
        }
        (Err(tree), Err(json)) => assert_eq!(*tree, json, "{}", shown()),
        (tree, json) => panic!("{}:\n{tree:?}\n{json:?}", shown()),
    }
    match (&tree, decoder.decode_borrowed_prefix(packet)) {
        (Ok(tree), Ok(borrowed)) => {
            assert_eq!((tree.used, tree.consumed), (borrowed.used, borrowed.consumed), "{}", shown());
            assert!(tree.value.bit_eq(&borrowed.value.to_variant()), "{:?}: {}", borrowed.value, shown());
        }
        (Err(tree), Err(borrowed)) => assert_eq!(*tree, borrowed, "{}", shown()),
        (tree, borrowed) => panic!("{}:\n{tree:?}\n{borrowed:?}", shown()),
    }
    let text = inspect(&decoder, packet);
    let last = text.lines().last().unwrap_or_default();
    match &whole {
        Ok(decoded) => assert!(ends_well(last, decoded, packet.len()), "{last}: {}", shown()),
        Err(error) if concerns_the_value(error) => {}
        Err(error) => {
            // Long paths are cut.
            let expected = format!("{:08x}  {}, path $", error.offset(), error.kind());
            assert!(last.starts_with(&expected), "{expected}, and {last}: {}", shown());
        }
    }
}

/// Returns whether the last line of the output reports the end of the value correctly.
fn ends_well<T>(last: &str, decoded: &Decoded<T>, length: usize) -> bool {
    if decoded.used > length {
        last == format!("{length:08x}  padding is missing, which is accepted here")
    } else if decoded.consumed < length {
        let rest = length - decoded.consumed;
        last == format!("{:08x}  {rest} bytes follow, which are ignored", decoded.consumed)
    } else {
        let shows_bytes =
            |bytes: &str| bytes.chars().all(|part| part.is_ascii_hexdigit() || part == ' ' || part == '…');
        let bytes: String = last.chars().skip(BYTES_SHOWN.start).take(BYTES_SHOWN.len()).collect();
        shows_bytes(&bytes)
    }
}

/// Returns whether an error concerns the value and not the wire form, which is all that `inspect` reads.
fn concerns_the_value(error: &DecodeError) -> bool {
    matches!(
        error.kind(),
        DecodeErrorKind::NotCanonical { .. }
            | DecodeErrorKind::PaddingNotZero
            | DecodeErrorKind::UnsupportedCoercion { .. }
    )
}
