//! Writes engine values as bytes.

mod leaf;
mod objects;
mod plain;
mod sinks;
mod stack;

use godot::builtin::{PackedByteArray, Variant};
use varbytes::write::{Length, Sink, SmallBufferSink};
use varbytes::{Encoder, Precision};

use crate::engine_profile;
use crate::error::VarBytesError;
use crate::raw::{View, packed_bytes, view};
pub(crate) use leaf::key_step;
pub(crate) use objects::WriteObjects;
use sinks::{GrowingSink, SliceSink};

/// Returns the bytes of a value.
pub(crate) fn encode(value: &Variant, objects: WriteObjects<'_>) -> Result<PackedByteArray, VarBytesError> {
    if is_long_byte_array(value) {
        return Ok(godot::global::var_to_bytes(value));
    }
    let encoder = engine_profile::encoder(objects.are_full());
    if objects.are_full() {
        if let Some(bytes) = objects::encode_by_engine(value, objects) {
            return Ok(bytes);
        }
        // Written in one pass: getters may return something else the second time.
        let mut sink = GrowingSink::default();
        write(value, encoder, objects, &mut sink)?;
        return Ok(sink.finish());
    }
    // Small values are written once, into a buffer on the stack. For larger ones the first pass counts the bytes.
    let mut buffer = SmallBufferSink::default();
    write(value, encoder, objects, &mut buffer)?;
    if let Some(bytes) = buffer.bytes() {
        return Ok(packed_bytes(bytes.len(), |target| target.copy_from_slice(bytes)));
    }
    let mut difference = Ok(0);
    let bytes = packed_bytes(buffer.length(), |target| {
        let mut sink = SliceSink::new(target);
        difference = write(value, encoder, objects, &mut sink).map(|()| sink.difference());
    });
    match difference? {
        0 => Ok(bytes),
        difference => Err(VarBytesError::changed(difference)),
    }
}

/// Writes a value as the newest engine does, with objects as their ids.
pub(crate) fn write_canonical<S: Sink>(value: &Variant, sink: &mut S) -> Result<(), VarBytesError> {
    plain::write(value, &mut Encoder::new().precision(Precision::Single).writer(sink))
}

/// Returns the number of bytes of a value.
pub(crate) fn encoded_len(value: &Variant, objects: WriteObjects<'_>) -> Result<usize, VarBytesError> {
    let mut length = Length::default();
    write(value, engine_profile::encoder(objects.are_full()), objects, &mut length)?;
    Ok(length.0)
}

fn write<S: Sink>(
    value: &Variant,
    encoder: Encoder,
    objects: WriteObjects<'_>,
    sink: &mut S,
) -> Result<(), VarBytesError> {
    let mut writer = encoder.writer(sink);
    if objects.are_full() { objects::write(value, &mut writer, objects) } else { plain::write(value, &mut writer) }
}

/// Returns whether the value is a PackedByteArray so long that the engine copies it faster: only the engine can create an
/// array without filling it with zeros first.
fn is_long_byte_array(value: &Variant) -> bool {
    const LONG: usize = 1 << 16;
    value.get_type() == godot::builtin::VariantType::PACKED_BYTE_ARRAY
        && matches!(view(value), View::Bytes(bytes) if (LONG..=i32::MAX as usize - 16).contains(&bytes.len()))
}
