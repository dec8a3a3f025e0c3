//! Values that the engine's interface cannot make from their parts, made by the engine's own decoder from
//! the few canonical bytes of just that value.

use godot::builtin::{PackedByteArray, Variant};
use godot::global::{bytes_to_var, bytes_to_var_with_objects};
use varbytes::write::Writer;
use varbytes::{EncodeErrorKind, Encoder};

use crate::running::profile;

/// The value that `write` writes, as the engine reads it; null where it does not.
pub(crate) fn made_by_engine(
    objects: bool,
    write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>,
) -> Variant {
    let mut bytes = Vec::new();
    let mut writer = Encoder::new().profile(profile()).full_objects(objects).writer(&mut bytes);
    if write(&mut writer).is_err() {
        return Variant::nil();
    }
    let bytes = PackedByteArray::from(bytes);
    if objects { bytes_to_var_with_objects(&bytes) } else { bytes_to_var(&bytes) }
}
