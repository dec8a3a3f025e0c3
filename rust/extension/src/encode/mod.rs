//! Writes engine values as bytes.

mod by_engine;
mod leaf;
mod native_objects;
mod object_kind;
mod objects;
mod plain;
mod properties;
mod sinks;
mod stack;

use std::cell::Cell;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use varbytes::write::{Length, Sink};
use varbytes::{Encoder, NumberBytes, Precision};

use crate::engine_profile;
use crate::error::VarBytesError;
use crate::raw::{self, PackedNumbers, View, WireNumbers, byte_array, number_in, put_packed, scalar, view};
pub(crate) use by_engine::WriteObjects;
pub(crate) use leaf::key_step;
pub(crate) use plain::{PlainObjects, take_wrote_ids};

use objects::ObjectWriting;
use sinks::{ComparingSink, FixedSink, GrowingSink, LongPieces};
pub(crate) use sinks::{STACK, StackSink};
use stack::ContainerStack;

/// Puts a PackedByteArray with the bytes of a value in place of `out`. Returns the number of bytes. `out` is unchanged after an error.
// The array is created where it belongs: to return it from one function to the next would copy it, with a store-forwarding stall.
#[inline(always)]
pub(crate) fn encode(value: &Variant, objects: WriteObjects<'_>, out: &mut Variant) -> Result<usize, VarBytesError> {
    if let Some(bytes) = number_bytes(value) {
        put_packed(out, bytes.length(), |target| bytes.copy_to(target));
        return Ok(bytes.length());
    }
    if let Some(numbers) = WireNumbers::of_value(value) {
        put_packed(out, numbers.length(), |target| numbers.copy_to(target));
        return Ok(numbers.length());
    }
    if let Some(packed) = PackedNumbers::of_value(value) {
        put_packed(out, packed.length, |target| packed.copy_to(target));
        return Ok(packed.length);
    }
    encode_other(value, objects, out)
}

#[inline(never)]
fn encode_other(value: &Variant, objects: WriteObjects<'_>, out: &mut Variant) -> Result<usize, VarBytesError> {
    if let Some(length) = write_single(value, out, 0) {
        return Ok(length);
    }
    let mut buffer = StackSink::default();
    let written = encode_with_buffer(value, objects, out, &mut buffer)?;
    Ok(written.put(&buffer, out))
}

/// Where the bytes of a value are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Written {
    InBuffer,
    /// In place of `out`, as a PackedByteArray of this many bytes.
    InArray(usize),
}

impl Written {
    /// Puts the bytes in place of `out` if they are in the buffer. Returns their number.
    pub(crate) fn put(self, buffer: &StackSink, out: &mut Variant) -> usize {
        match self {
            Self::InBuffer => {
                let bytes = buffer.bytes().unwrap_or_default();
                put_packed(out, bytes.len(), |target| target.copy_from_slice(bytes));
                bytes.len()
            }
            Self::InArray(length) => length,
        }
    }
}

/// Writes a value into a buffer that is empty, or as [`encode`] does if its bytes do not fit.
#[inline(always)]
pub(crate) fn encode_small(
    value: &Variant,
    objects: WriteObjects<'_>,
    out: &mut Variant,
    buffer: &mut StackSink,
) -> Result<Written, VarBytesError> {
    if let Some(bytes) = number_bytes(value) {
        bytes.copy_to(buffer.space(bytes.length()));
        return Ok(Written::InBuffer);
    }
    if let Some(numbers) = WireNumbers::of_value(value) {
        numbers.copy_to(buffer.space(numbers.length()));
        return Ok(Written::InBuffer);
    }
    if let Some(packed) = PackedNumbers::of_value(value).filter(|packed| packed.length <= STACK) {
        packed.copy_to(buffer.space(packed.length));
        return Ok(Written::InBuffer);
    }
    if raw::is_packed(value)
        && let Some(length) = write_single(value, out, STACK + 1)
    {
        return Ok(Written::InArray(length));
    }
    encode_with_buffer(value, objects, out, buffer)
}

/// Writes a value that is not a number, as [`encode_small`] does.
#[inline(never)]
fn encode_with_buffer(
    value: &Variant,
    objects: WriteObjects<'_>,
    out: &mut Variant,
    buffer: &mut StackSink,
) -> Result<Written, VarBytesError> {
    if !objects.are_full() {
        let written = write_plain(value, PlainObjects::AsIds, out, buffer)?;
        return Ok(written.unwrap_or(Written::InArray(0)));
    }
    if matches!(objects, WriteObjects::Full)
        && !HAD_OBJECTS.get()
        && let Some(written) = write_plain(value, PlainObjects::StopAtObjects, out, buffer)?
    {
        return Ok(written);
    }
    HAD_OBJECTS.set(true);
    let mut objects = ObjectWriting::new(objects);
    if let Some(bytes) = objects.whole(value) {
        *out = bytes.to_variant();
        return Ok(Written::InArray(bytes.len()));
    }
    // Scripts run while objects are written in full, so such a value must not be written twice.
    let mut sink = GrowingSink::default();
    HAD_OBJECTS.set(objects::write(value, &mut engine_profile::encoder(true).writer(&mut sink), objects)?);
    Ok(Written::InArray(sink.finish(out)))
}

thread_local! {
    /// Whether the last value that this thread has written with full objects had some. Values of one kind mostly have them, or have
    /// none: then they are written as fast as without.
    static HAD_OBJECTS: Cell<bool> = const { Cell::new(false) };
}

/// Returns the bytes of a value.
pub(crate) fn encode_to_array(value: &Variant, objects: WriteObjects<'_>) -> Result<PackedByteArray, VarBytesError> {
    let mut out = scalar::null();
    encode(value, objects, &mut out)?;
    Ok(byte_array(&out))
}

/// Writes a value to the start of a space. Returns the number of its bytes, or `None` if they do not fit, if it is an object or
/// contains some to write in full, or if it cannot be written.
pub(crate) fn write_into(value: &Variant, are_full: bool, space: &mut [u8]) -> Option<usize> {
    if let Some(bytes) = number_bytes(value) {
        bytes.copy_to(space.get_mut(..bytes.length())?);
        return Some(bytes.length());
    }
    if let Some(numbers) = WireNumbers::of_value(value) {
        numbers.copy_to(space.get_mut(..numbers.length())?);
        return Some(numbers.length());
    }
    if let Some(packed) = PackedNumbers::of_value(value) {
        packed.copy_to(space.get_mut(..packed.length)?);
        return Some(packed.length);
    }
    if raw::is_object(value) {
        return None;
    }
    let mut sink = FixedSink::new(space);
    let objects = if are_full { PlainObjects::Stop } else { PlainObjects::AsIds };
    let written = plain::write(value, &mut engine_profile::encoder(are_full).writer(&mut sink), objects);
    sink.length().filter(|_| written.unwrap_or(false))
}

/// Does the same as [`encode`], or nothing if the value contains objects: then returns `None`.
pub(crate) fn encode_without_objects(value: &Variant, out: &mut Variant) -> Result<Option<usize>, VarBytesError> {
    let mut buffer = StackSink::default();
    let written = write_plain(value, PlainObjects::Stop, out, &mut buffer)?;
    Ok(written.map(|written| written.put(&buffer, out)))
}

/// Does the same as [`encode_small`], or nothing if the value contains objects: then returns `None`.
pub(crate) fn encode_small_without_objects(
    value: &Variant,
    out: &mut Variant,
    buffer: &mut StackSink,
) -> Result<Option<Written>, VarBytesError> {
    write_plain(value, PlainObjects::Stop, out, buffer)
}

/// Returns whether a value is written as exactly these bytes. Returns false if it stops at an object.
#[inline]
pub(crate) fn is_written_as(value: &Variant, objects: PlainObjects, bytes: &[u8]) -> bool {
    let mut sink = ComparingSink::new(bytes);
    let encoder = engine_profile::encoder(objects.are_full());
    let written = plain::write(value, &mut encoder.writer(&mut sink), objects);
    written.unwrap_or(false) && sink.is_equal()
}

/// Fast path: returns the bytes of null, a `bool`, an `int` or a `float`, or `None` for any other value.
#[inline(always)]
fn number_bytes(value: &Variant) -> Option<NumberBytes> {
    engine_profile::encoder(false).encode_number(number_in(value)?)
}

/// Fast path: writes a value of a fixed size, text that is not long, or a packed array of numbers into an array of its size.
/// Returns `None` for any other, and if it has fewer than `least` bytes.
#[inline]
fn write_single(value: &Variant, out: &mut Variant, least: usize) -> Option<usize> {
    /// The bytes of a header.
    const WORD: usize = 4;
    /// The greatest size for which no count can be too large.
    const MOST: usize = i32::MAX as usize;
    let leaf = view(value);
    let encoder = engine_profile::encoder(false);
    let size = match &leaf {
        View::Rid(id) => WORD + size_of_val(id),
        View::String(text) if text.len() <= STACK => {
            let mut length = Length::default();
            leaf::write_leaf(&mut encoder.writer(&mut length), value, &leaf).ok()?;
            length.0
        }
        _ => plain::packed_size(&leaf)?,
    };
    if !(least..=MOST).contains(&size) {
        return None;
    }
    put_packed(out, size, |target| {
        let mut sink = FixedSink::new(target);
        // The size is right, so this does not fail.
        let _ = leaf::write_leaf(&mut encoder.writer(&mut sink), value, &leaf);
        sink.clear_rest();
    });
    Some(size)
}

fn write_plain(
    value: &Variant,
    objects: PlainObjects,
    out: &mut Variant,
    buffer: &mut StackSink,
) -> Result<Option<Written>, VarBytesError> {
    let encoder = engine_profile::encoder(objects.are_full());
    if plain::is_long_text(value) {
        return write_growing(value, encoder, objects, out);
    }
    let mut stack = ContainerStack::new();
    let mut writer = encoder.writer(buffer);
    if !(plain::begin(value, &mut writer, objects, &mut stack)? && plain::write_open(&mut writer, objects, &mut stack)?)
    {
        return Ok(None);
    }
    if buffer.bytes().is_some() {
        return Ok(Some(Written::InBuffer));
    }
    if let Some(sink) = buffer.take_rest() {
        return write_rest(sink, &mut stack, encoder, objects, out);
    }
    write_left(value, buffer.before_left(), &mut stack, encoder, objects, out)
}

/// Writes a value of which a part was left. `before` are the bytes before it.
#[inline(never)]
fn write_left<'v>(
    value: &'v Variant,
    before: &[u8],
    stack: &mut ContainerStack<'v>,
    encoder: &Encoder,
    objects: PlainObjects,
    out: &mut Variant,
) -> Result<Option<Written>, VarBytesError> {
    let length = match plain::size_of_left(stack) {
        Some(length) => Some(length),
        // To count their bytes takes as long as to write them.
        None if plain::has_left_strings(stack) => None,
        None => {
            let mut pieces = LongPieces::default();
            if !plain::write_open(&mut encoder.writer(&mut pieces), objects, &mut stack.clone())? {
                return Ok(None);
            }
            pieces.length()
        }
    };
    let Some(length) = length else {
        let mut sink = GrowingSink::default();
        sink.put(before);
        return write_rest(sink, stack, encoder, objects, out);
    };
    let size = before.len() + length;
    let mut is_complete = false;
    put_packed(out, size, |target| {
        let mut sink = FixedSink::new(target);
        sink.put(before);
        let written = plain::write_open(&mut encoder.writer(&mut sink), objects, stack);
        is_complete = written.is_ok_and(|written| written) && sink.length() == Some(size);
        sink.clear_rest();
    });
    if is_complete {
        return Ok(Some(Written::InArray(size)));
    }
    // The value has changed meanwhile, or there is no memory for the array.
    write_growing(value, encoder, objects, out)
}

fn write_growing(
    value: &Variant,
    encoder: &Encoder,
    objects: PlainObjects,
    out: &mut Variant,
) -> Result<Option<Written>, VarBytesError> {
    let mut sink = GrowingSink::default();
    let mut stack = ContainerStack::new();
    if !plain::begin(value, &mut encoder.writer(&mut sink), objects, &mut stack)? {
        return Ok(None);
    }
    write_rest(sink, &mut stack, encoder, objects, out)
}

/// Writes what is left of the open containers.
#[inline(never)]
fn write_rest(
    mut sink: GrowingSink,
    stack: &mut ContainerStack<'_>,
    encoder: &Encoder,
    objects: PlainObjects,
    out: &mut Variant,
) -> Result<Option<Written>, VarBytesError> {
    let is_complete = plain::write_open(&mut encoder.writer(&mut sink), objects, stack)?;
    Ok(is_complete.then(|| Written::InArray(sink.finish(out))))
}

/// Writes a value as the newest engine does, with objects as their ids.
pub(crate) fn write_canonical<S: Sink>(value: &Variant, sink: &mut S) -> Result<(), VarBytesError> {
    plain::write(value, &mut Encoder::new().precision(Precision::Single).writer(sink), PlainObjects::AsIds).map(drop)
}

/// Returns the number of bytes of a value.
pub(crate) fn encoded_len(value: &Variant, objects: WriteObjects<'_>) -> Result<usize, VarBytesError> {
    let mut length = Length::default();
    let mut writer = engine_profile::encoder(objects.are_full()).writer(&mut length);
    if objects.are_full() {
        objects::write(value, &mut writer, ObjectWriting::new(objects))?;
    } else {
        plain::write(value, &mut writer, PlainObjects::AsIds)?;
    }
    Ok(length.0)
}
