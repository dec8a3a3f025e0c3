//! Reads and writes the bytes of other engines, by conversion from and to those of the running one.

use std::collections::BTreeMap;

use godot::builtin::{GString, PackedByteArray, Variant};
use varbytes::migrate::{Loss, LossKind, Migrated, Migration, MigrationError};
use varbytes::{DecodeError, Decoded, Decoder, Precision, Profile};

use crate::decode::{ReadObjects, ReadOptions, Reader, refuse_trailing};
use crate::encode::{WriteObjects, encode_to_array};
use crate::engine_profile::{self, profile};
use crate::error::{ErrorKind, VarBytesError, short};
use crate::limits::LimitOptions;
use crate::outcome::{Encoded, Outcome, Packet};
use crate::policy::PolicyCheck;

/// Returns the engine with that name, or `None` for the empty name, which means the running engine.
pub(crate) fn named(name: &GString) -> Result<Option<Profile>, VarBytesError> {
    if name.is_empty() {
        return Ok(None);
    }
    Profile::from_name(&name.to_string())
        .map(Some)
        .map_err(|unknown| VarBytesError::new(ErrorKind::Unsupported, "unknown_engine", unknown.to_string()))
}

/// Returns the names that the inspector offers, each after a comma: none, for the running engine, then every minor release,
/// every patch release with a format of its own, and the name without a version.
pub(crate) fn suggestions() -> String {
    let known = || Profile::ALL.iter().map(|profile| profile.name());
    let mut engines: Vec<&str> = known().filter_map(|name| Some(name.split_once('-')?.0)).collect();
    engines.dedup();
    let mut names = String::new();
    for engine in engines {
        let minors = (0..MAJORS).flat_map(|major| (0..MINORS).map(move |minor| format!("{engine}-{major}.{minor}")));
        for minor in minors.filter(|name| Profile::from_name(name).is_ok() && !UNRELEASED.contains(&name.as_str())) {
            let patch = format!("{minor}.");
            names.extend([",", &minor]);
            names.extend(known().filter(|name| name.starts_with(&patch)).flat_map(|name| [",", name]));
        }
    }
    names + ",mole"
}

/// Versions below which all known releases are.
const MAJORS: u16 = 64;
const MINORS: u16 = 10;

/// Versions that one profile covers with those around them, but that were never released.
const UNRELEASED: [&str; 8] =
    ["godot-1.2", "godot-1.3", "godot-1.4", "godot-1.5", "godot-1.6", "godot-1.7", "godot-1.8", "godot-1.9"];

/// Returns a decoder for the bytes of an engine. It reads values as they were meant, even if the engine reads them wrongly.
pub(crate) fn decoder(engine: Profile, objects: bool) -> Decoder {
    Decoder::new().profile(engine).objects(objects).fix_engine_bugs(true)
}

/// Reads the value at the start of a packet that `engine` wrote. `read` reads the converted bytes.
pub(crate) fn read(
    Packet { bytes, base, .. }: Packet<'_>,
    engine: Profile,
    options: ReadOptions,
    read: Reader,
) -> Result<Outcome, VarBytesError> {
    let in_bytes = |error: DecodeError| VarBytesError::from_decode(&error, base);
    let objects = !matches!(options.objects, ReadObjects::Refused);
    let limits = options.limits.of_packet(bytes.len());
    let decoder = decoder(engine, objects).limits(limits).strict(options.strict);
    // A separate check is needed only in two cases. The tree keeps mistyped values, which the running engine converts later.
    // And the policy has to see all names in the original bytes, including those of members that the tree leaves out.
    match &options.objects {
        ReadObjects::Allowed(policy, _) => {
            decoder.enforce_types(true).check_with(bytes, PolicyCheck::new(policy)).map_err(in_bytes)?;
        }
        _ if engine.types_dictionaries() && !options.strict => {
            decoder.enforce_types(true).check(bytes).map_err(in_bytes)?;
        }
        _ => {}
    }
    let Decoded { value: tree, consumed, used, .. } = decoder.decode_prefix(bytes).map_err(in_bytes)?;
    refuse_trailing(options.strict, bytes, consumed, base)?;
    // This library is built for single-precision engines.
    let migration = Migration::new(engine, profile()).precision(Precision::Single).objects(objects);
    let converted = migration.migrate_to_bytes(&tree);
    drop(tree);
    let Migrated { value: bytes, losses, unlisted, .. } =
        converted.map_err(|error| VarBytesError::from_encode(error.kind(), error.path()))?;
    // The original bytes were checked against all other limits and options.
    let usual =
        ReadOptions { limits: LimitOptions { memory: limits.memory, ..LimitOptions::NONE }, strict: false, ..options };
    let (value, _) = read(Packet::part(&bytes, 0), &usual).map_err(|error| error.after_conversion(engine))?;
    let losses = lines(&losses, &unlisted).into_iter().chain(usual.objects.take_losses()).collect();
    Ok(Outcome { value: value.into_variant(), used, losses })
}

/// Returns the bytes of a value as `engine` writes them.
pub(crate) fn write(value: &Variant, engine: Profile, objects: WriteObjects<'_>) -> Result<Encoded, VarBytesError> {
    let full = objects.are_full();
    let usual = encode_to_array(value, objects)?;
    let converted = Migration::new(profile(), engine).objects(full).migrate_bytes(usual.as_slice());
    let Migrated { value: bytes, losses, unlisted, .. } = converted.map_err(|error| migration_error(&error))?;
    let mut losses = lines(&losses, &unlisted);
    // The conversion starts from what the running engine reads from its own bytes. That is not always what it wrote.
    if let Err(error) = engine_profile::decoder(full).strict(true).check(usual.as_slice()) {
        let path = error.path().to_string();
        losses.push(format!(
            "{}: {}: the running engine does not read back what it writes for this value",
            short(&path),
            error.kind()
        ));
    }
    Ok(Encoded { bytes: PackedByteArray::from(bytes), losses })
}

/// Returns a line for each listed loss, and one for each kind of the others.
fn lines(losses: &[Loss], unlisted: &BTreeMap<LossKind, u64>) -> Vec<String> {
    let counted = unlisted.iter().map(|(kind, count)| format!("{count} more of the kind {kind}: {}", kind.reason()));
    losses.iter().map(ToString::to_string).chain(counted).collect()
}

fn migration_error(error: &MigrationError) -> VarBytesError {
    match error {
        // The offset would be one in the running engine's bytes, which the caller does not have.
        MigrationError::Decode(error) => VarBytesError::from_decode(error, 0).without_offset(),
        MigrationError::Encode(error) => VarBytesError::from_encode(error.kind(), error.path()),
    }
}
