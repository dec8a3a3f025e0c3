//! Creates values that the extension interface cannot create from their parts. The engine's own decoder creates them from
//! the canonical bytes of that one value.

use godot::builtin::{PackedByteArray, Variant};
use godot::global::{bytes_to_var, bytes_to_var_with_objects};
use varbytes::write::Writer;
use varbytes::{EncodeErrorKind, Encoder};

use crate::engine_profile::profile;

/// Returns the value that the engine reads from what `write` writes, or null if the engine refuses it.
pub(crate) fn made_by_engine(
    objects: bool,
    write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>,
) -> Variant {
    let mut bytes = Vec::new();
    let mut writer = Encoder::new().profile(profile()).objects(objects).writer(&mut bytes);
    if write(&mut writer).is_err() {
        return Variant::nil();
    }
    let bytes = PackedByteArray::from(bytes);
    if objects { bytes_to_var_with_objects(&bytes) } else { bytes_to_var(&bytes) }
}
