//! Bytes of other engines: read by their own rules and made into such of the running one, and the way back.

use std::collections::BTreeMap;

use godot::builtin::{GString, PackedByteArray, Variant};
use varbytes::migrate::{Conversion, ConversionError, Converted, Loss, LossKind};
use varbytes::{Decoder, Precision, Profile};

use crate::decode::{ReadObjects, ReadOptions, decode};
use crate::encode::{WriteObjects, encode};
use crate::failure::{ErrorKind, Failure, short};
use crate::limits::Asked;
use crate::policy::PolicyCheck;
use crate::result::Outcome;
use crate::running::{self, profile};

/// Bytes that were written, and what is not in them as it was in the value.
pub(crate) struct Written {
    pub(crate) bytes: PackedByteArray,
    pub(crate) losses: Vec<String>,
}

impl From<PackedByteArray> for Written {
    fn from(bytes: PackedByteArray) -> Self {
        Self { bytes, losses: Vec::new() }
    }
}

/// The engine that a script names; none is the running one.
pub(crate) fn named(name: &GString) -> Result<Option<Profile>, Failure> {
    if name.is_empty() {
        return Ok(None);
    }
    Profile::from_name(&name.to_string()).map(Some).map_err(|unknown| Failure {
        kind: ErrorKind::Unsupported,
        name: "unknown_engine",
        message: unknown.to_string(),
        offset: -1,
        path: "$".into(),
    })
}

/// The names that the inspector offers.
pub(crate) fn suggestions() -> String {
    Profile::ALL.iter().map(|profile| profile.name()).collect::<Vec<_>>().join(",")
}

/// Reads as that engine meant it.
pub(crate) fn decoder(engine: Profile, objects: bool) -> Decoder {
    Decoder::new().profile(engine).objects(objects).correct_faults(true)
}

/// The value that an engine's `bytes` begin with. Offsets of errors are counted from `base` bytes before.
pub(crate) fn read(bytes: &[u8], engine: Profile, options: ReadOptions, base: usize) -> Result<Outcome, Failure> {
    let objects = !matches!(options.objects, ReadObjects::Refused);
    let limits = options.limits.of_packet(bytes.len());
    let decoder = decoder(engine, objects).enforce_types(true).limits(limits).strict(options.strict);
    // The policy sees the names as the packet has them, before anything is made of it.
    let checked = match &options.objects {
        ReadObjects::Allowed(policy) => decoder.check_with(bytes, PolicyCheck::new(policy)),
        _ => decoder.check(bytes),
    };
    let used = checked.map_err(|error| Failure::from_decode(&error, base))?.used;
    // The library is built for single-precision engines.
    let conversion = Conversion::new(engine, profile()).precision(Precision::Single);
    let converted = conversion.objects(objects).limits(limits).convert_bytes(bytes);
    let Converted { value: bytes, losses, unlisted, .. } = converted.map_err(|error| failure(&error, base))?;
    // What else a packet may use was asked of its own bytes.
    let usual = ReadOptions { limits: Asked { memory: limits.memory, ..Asked::NONE }, strict: false, ..options };
    let (value, _) = decode(&bytes, &usual, 0).map_err(|failure| failure.after_conversion(engine))?;
    Ok(Outcome { value, used, losses: lines(&losses, &unlisted) })
}

/// The bytes of a value as an engine writes them.
pub(crate) fn write(value: &Variant, engine: Profile, objects: WriteObjects<'_>) -> Result<Written, Failure> {
    let full = objects.are_full();
    let usual = encode(value, objects)?;
    let converted = Conversion::new(profile(), engine).objects(full).convert_bytes(usual.as_slice());
    let Converted { value: bytes, losses, unlisted, .. } = converted.map_err(|error| failure(&error, 0))?;
    let mut losses = lines(&losses, &unlisted);
    // The conversion sees what the running engine reads from its own bytes, which is not always what it wrote.
    if let Err(error) = running::decoder(full).strict(true).check(usual.as_slice()) {
        let path = error.path().to_string();
        losses.push(format!("{}: {}: the running engine writes something else for it", short(&path), error.kind()));
    }
    Ok(Written { bytes: PackedByteArray::from(bytes), losses })
}

/// A line for each loss that is listed, and one for each kind of the others.
fn lines(losses: &[Loss], unlisted: &BTreeMap<LossKind, u64>) -> Vec<String> {
    let counted = unlisted.iter().map(|(kind, count)| format!("{count} more of the kind {kind}: {}", kind.reason()));
    losses.iter().map(ToString::to_string).chain(counted).collect()
}

fn failure(error: &ConversionError, base: usize) -> Failure {
    match error {
        ConversionError::Decode(error) => Failure::from_decode(error, base),
        ConversionError::Encode(error) => Failure::from_encode(error.kind(), error.path()),
    }
}
