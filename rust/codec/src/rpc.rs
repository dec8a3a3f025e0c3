//! Arguments of remote procedure calls, as Godot's high-level multiplayer writes them.
//!
//! Godot 3 writes each as a value; Godot 4 writes `bool` and `int` in fewer bytes. The profile of the encoder or decoder
//! decides. FORMAT.md describes both.
//!
//! If a packet says that its arguments are raw, it has none, or the bytes of a single `PackedByteArray`: then there is
//! nothing to decode.
//!
//! ```
//! use varbytes::{Decoder, Encoder, rpc, variant};
//!
//! let arguments = [variant!(true), variant!(300), variant!("hi")];
//! let bytes = rpc::encode_arguments(&Encoder::new(), &arguments)?;
//! assert_eq!(bytes, [3, 0x81, 0x42, 0x2C, 1, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0]);
//! assert_eq!(rpc::decode_arguments(&Decoder::untrusted(&bytes), &bytes)?.value, arguments);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::vec::Vec;

use crate::build::owned::TreeBuilder;
use crate::decoder::{Decoded, Decoder};
use crate::encoder::Encoder;
use crate::error::{DecodeError, DecodeErrorKind, EncodeError, EncodeErrorKind};
use crate::path::{Path, Step};
use crate::{Variant, VariantType};

/// The bits of the first byte that are the number of the type.
const TYPE_BITS: u8 = 0x3F;

/// The bit of the first byte that is the value of a `bool`.
const TRUE: u8 = 0x80;

/// Writes arguments, after their number in one byte.
///
/// A null object is written as the engine writes it, which no engine reads.
///
/// ```
/// use varbytes::{Encoder, Profile, rpc};
///
/// assert_eq!(rpc::encode_arguments(&Encoder::new(), &[7.into()])?, [1, 2, 7]);
/// let godot_3 = Encoder::new().profile(Profile::GODOT_3_5);
/// assert_eq!(rpc::encode_arguments(&godot_3, &[7.into()])?, [1, 2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), varbytes::EncodeError>(())
/// ```
///
/// # Errors
/// [`EncodeErrorKind::TooManyArguments`] for more than 255, and those of [`Encoder::encode`], with the index of the
/// argument as the first step of the path.
pub fn encode_arguments(encoder: &Encoder, arguments: &[Variant]) -> Result<Vec<u8>, EncodeError> {
    let count = u8::try_from(arguments.len())
        .map_err(|_| EncodeError::new(EncodeErrorKind::TooManyArguments { count: arguments.len() }))?;
    let mut bytes = Vec::from([count]);
    for (index, argument) in arguments.iter().enumerate() {
        encode_argument(encoder, argument, &mut bytes).map_err(|error| {
            let path = within(index, error.path());
            error.with_path(path)
        })?;
    }
    Ok(bytes)
}

fn encode_argument(encoder: &Encoder, argument: &Variant, bytes: &mut Vec<u8>) -> Result<(), EncodeError> {
    let profile = encoder.options.profile;
    let id = profile.type_id(argument.variant_type()).filter(|_| profile.shortens_arguments());
    match (argument, id) {
        (Variant::Bool(value), Some(id)) => bytes.push(id | if *value { TRUE } else { 0 }),
        (Variant::Int(value), Some(id)) => {
            let mode = shortest(*value);
            bytes.push(id | mode << 6);
            bytes.extend_from_slice(&value.to_le_bytes()[..1 << mode]);
        }
        (_, id) => {
            let start = bytes.len();
            encoder.encode_into(argument, bytes)?;
            if let (Some(id), Some(first)) = (id, bytes.get_mut(start)) {
                *first = id;
            }
        }
    }
    Ok(())
}

/// Returns the mode of an `int`: it takes two to this power bytes.
fn shortest(value: i64) -> u8 {
    match value {
        _ if i8::try_from(value).is_ok() => 0,
        _ if i16::try_from(value).is_ok() => 1,
        _ if i32::try_from(value).is_ok() => 2,
        _ => 3,
    }
}

/// Reads arguments and the number of bytes that they take. The limits apply to all arguments together.
///
/// ```
/// use varbytes::{Decoder, rpc, variant};
///
/// let packet = [2, 2, 7, 0x81];
/// let arguments = rpc::decode_arguments(&Decoder::untrusted(&packet), &packet)?;
/// assert_eq!(arguments.value, [variant!(7), variant!(true)]);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
///
/// # Errors
/// Any [`DecodeErrorKind`], with the offset in `bytes`, and the index of the argument as the first step of the path.
pub fn decode_arguments(decoder: &Decoder, bytes: &[u8]) -> Result<Decoded<Vec<Variant>>, DecodeError> {
    let truncated = || DecodeError::new(DecodeErrorKind::Truncated { needed: 1, available: 0 }, 0);
    let count = *bytes.first().ok_or_else(truncated)?;
    let mut decoder = *decoder;
    let mut arguments = Vec::new();
    let mut at = 1;
    for index in 0..usize::from(count) {
        let (argument, consumed) = decode_argument(&mut decoder, &bytes[at..]).map_err(|error| {
            let (offset, path) = (error.offset(), within(index, error.path()));
            error.with_offset(at + offset).with_path(path)
        })?;
        arguments.push(argument);
        at += consumed;
    }
    let decoded = Decoded { value: arguments, consumed: at, used: at };
    decoder.refuse_trailing(bytes, decoded)
}

/// Reads an argument, and lowers the limits of the decoder by what it takes.
fn decode_argument(decoder: &mut Decoder, bytes: &[u8]) -> Result<(Variant, usize), DecodeError> {
    let profile = decoder.options.profile;
    if let Some(first) = bytes.first().filter(|_| profile.shortens_arguments()) {
        match profile.type_of_id(first & TYPE_BITS) {
            Some(VariantType::Bool) => {
                if decoder.options.strict && first & !TYPE_BITS & !TRUE != 0 {
                    return Err(not_canonical("an unused bit of a bool"));
                }
                return Ok((Variant::Bool(first & TRUE != 0), 1));
            }
            Some(VariantType::Int) => return decode_int(decoder, first >> 6, &bytes[1..]),
            _ => {}
        }
    }
    let (decoded, limits) = decoder.run_within_limits(bytes, &mut TreeBuilder)?;
    decoder.options.limits = limits;
    Ok((decoded.value, decoded.consumed))
}

fn decode_int(decoder: &Decoder, mode: u8, bytes: &[u8]) -> Result<(Variant, usize), DecodeError> {
    let length = 1 << mode;
    let Some(read) = bytes.get(..length) else {
        let kind = DecodeErrorKind::Truncated { needed: length, available: bytes.len() };
        return Err(DecodeError::new(kind, 1));
    };
    let mut wide = [0; 8];
    wide[..length].copy_from_slice(read);
    // The sign is in the highest bit of those that were read.
    let unused = 64 - 8 * length;
    let value = i64::from_le_bytes(wide) << unused >> unused;
    if decoder.options.strict && shortest(value) != mode {
        return Err(not_canonical("an int that fits in fewer bytes"));
    }
    Ok((Variant::Int(value), 1 + length))
}

fn not_canonical(reason: &'static str) -> DecodeError {
    DecodeError::new(DecodeErrorKind::NotCanonical { reason }, 0)
}

fn within(index: usize, path: &Path) -> Path {
    core::iter::once(Step::Index(index)).chain(path.steps().iter().cloned()).collect()
}
