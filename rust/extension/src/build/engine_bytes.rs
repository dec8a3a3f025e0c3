//! Creates values that the extension interface cannot create from their parts. The engine's own decoder creates them from
//! the canonical bytes of that one value.

use std::borrow::Cow;

use godot::builtin::{PackedByteArray, Variant};
use godot::global::{bytes_to_var, bytes_to_var_with_objects};
use varbytes::write::Writer;
use varbytes::{EncodeErrorKind, Encoder};

use crate::engine_profile::profile;
use crate::raw::BYTE_ORDER_MARK;

/// Returns what the engine must read to have this text.
pub(super) fn to_be_read(text: &str) -> Cow<'_, str> {
    if text.starts_with(BYTE_ORDER_MARK) { format!("{BYTE_ORDER_MARK}{text}").into() } else { text.into() }
}

/// Lets the engine create values. The bytes of one value make space for those of the next.
#[derive(Default)]
pub(crate) struct EngineBytes {
    bytes: Vec<u8>,
    array: PackedByteArray,
}

impl EngineBytes {
    /// Returns the value that the engine reads from what `write` writes, or null if the engine refuses it.
    pub(crate) fn value(
        &mut self,
        objects: bool,
        write: impl FnOnce(&mut Writer<'_, Vec<u8>>) -> Result<(), EncodeErrorKind>,
    ) -> Variant {
        self.bytes.clear();
        let mut writer = Encoder::new().profile(profile()).objects(objects).writer(&mut self.bytes);
        if write(&mut writer).is_err() {
            return Variant::nil();
        }
        if self.array.len() != self.bytes.len() {
            self.array.resize(self.bytes.len());
        }
        self.array.as_mut_slice().copy_from_slice(&self.bytes);
        if objects { bytes_to_var_with_objects(&self.array) } else { bytes_to_var(&self.array) }
    }
}
