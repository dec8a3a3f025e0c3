//! Writes engine values as bytes.

mod by_engine;
mod leaf;
mod objects;
mod plain;
mod sinks;
mod stack;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use varbytes::write::{Length, Sink};
use varbytes::{Encoder, NumberBytes, Precision};

use crate::engine_profile;
use crate::error::VarBytesError;
use crate::raw::{self, View, byte_array, number_in, put_by_engine, put_packed, view};
pub(crate) use by_engine::WriteObjects;
pub(crate) use leaf::key_step;

use plain::Objects;
use sinks::{FixedSink, GrowingSink};
pub(crate) use sinks::{STACK, StackSink};
use stack::ContainerStack;

/// The bytes of a packed array that is written in another way.
const LONG: usize = 1 << 16;
/// The bytes of numbers of 32 bits that the engine copies faster: then clearing the array takes longer than what it saves.
const LONG_NUMBERS: usize = 2 << 20;
/// The length of a PackedByteArray that the engine copies faster.
const LONG_BYTES: usize = 4 << 10;

/// Puts a PackedByteArray with the bytes of a value in place of `out`. Returns the number of bytes. `out` is unchanged after an error.
// The array is created where it belongs: to return it from one function to the next would copy what was just written, in parts of
// other sizes, which makes the processor wait.
#[inline(always)]
pub(crate) fn encode(value: &Variant, objects: WriteObjects<'_>, out: &mut Variant) -> Result<usize, VarBytesError> {
    let Some(bytes) = number_bytes(value) else { return encode_other(value, objects, out) };
    put_packed(out, bytes.length(), |target| bytes.copy_to(target));
    Ok(bytes.length())
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
    fn put(self, buffer: &StackSink, out: &mut Variant) -> usize {
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
        buffer.put_number(bytes);
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
        let written = write_plain(value, Objects::AsIds, out, buffer)?;
        return Ok(written.unwrap_or(Written::InArray(0)));
    }
    if let Some(bytes) = objects::encode_by_engine(value, objects) {
        return Ok(put(bytes, out));
    }
    // Scripts run while objects are written in full, so such a value must not be written twice.
    let mut sink = GrowingSink::default();
    objects::write(value, &mut engine_profile::encoder(true).writer(&mut sink), objects)?;
    Ok(put(sink.finish(), out))
}

fn put(bytes: PackedByteArray, out: &mut Variant) -> Written {
    *out = bytes.to_variant();
    Written::InArray(bytes.len())
}

/// Returns the bytes of a value.
pub(crate) fn encode_to_array(value: &Variant, objects: WriteObjects<'_>) -> Result<PackedByteArray, VarBytesError> {
    let mut out = Variant::nil();
    encode(value, objects, &mut out)?;
    Ok(byte_array(&out))
}

/// Writes a value to the start of a space. Returns the number of its bytes, or `None` if they do not fit, if it contains objects to
/// write in full, or if it cannot be written.
pub(crate) fn write_into(value: &Variant, are_full: bool, space: &mut [u8]) -> Option<usize> {
    if let Some(bytes) = number_bytes(value) {
        bytes.copy_to(space.get_mut(..bytes.length())?);
        return Some(bytes.length());
    }
    let mut sink = FixedSink::new(space);
    let objects = if are_full { Objects::Stop } else { Objects::AsIds };
    let written = plain::write(value, &mut engine_profile::encoder(are_full).writer(&mut sink), objects);
    sink.length().filter(|_| written.unwrap_or(false))
}

/// Does the same as [`encode`], or nothing if the value contains objects: then returns `None`.
pub(crate) fn encode_without_objects(value: &Variant, out: &mut Variant) -> Result<Option<usize>, VarBytesError> {
    let mut buffer = StackSink::default();
    let written = write_plain(value, Objects::Stop, out, &mut buffer)?;
    Ok(written.map(|written| written.put(&buffer, out)))
}

/// Does the same as [`encode_small`], or nothing if the value contains objects: then returns `None`.
pub(crate) fn encode_small_without_objects(
    value: &Variant,
    out: &mut Variant,
    buffer: &mut StackSink,
) -> Result<Option<Written>, VarBytesError> {
    write_plain(value, Objects::Stop, out, buffer)
}

/// Fast path: returns the bytes of null, a `bool`, an `int` or a `float`, or `None` for any other value.
#[inline(always)]
fn number_bytes(value: &Variant) -> Option<NumberBytes> {
    engine_profile::encoder(false).encode_number(number_in(value)?)
}

/// Fast path: writes a value of a fixed size, or text or a packed array of numbers that is not long, into an array of its size.
/// Returns `None` for any other, and if it has fewer than `least` bytes.
#[inline]
fn write_single(value: &Variant, out: &mut Variant, least: usize) -> Option<usize> {
    if raw::is_packed(value) && is_copied_faster_by_engine(value) {
        return Some(put_by_engine(value, false, out));
    }
    let leaf = view(value);
    let has_known_length = match &leaf {
        View::String(text) => text.len() <= STACK,
        View::Reals(..)
        | View::Integers(..)
        | View::Color(_)
        | View::Rid(_)
        | View::Bytes(_)
        | View::Int32(_)
        | View::Int64(_)
        | View::Float32(_)
        | View::Float64(_)
        | View::PackedReals(..) => true,
        _ => false,
    };
    if !has_known_length {
        return None;
    }
    let encoder = engine_profile::encoder(false);
    let mut length = Length::default();
    leaf::write_leaf(&mut encoder.writer(&mut length), value, &leaf).ok()?;
    if length.0 >= LONG || length.0 < least {
        return None;
    }
    put_packed(out, length.0, |target| {
        // It was written before, so it can be written again.
        let _ = leaf::write_leaf(&mut encoder.writer(&mut FixedSink::new(target)), value, &leaf);
    });
    Some(length.0)
}

fn write_plain(
    value: &Variant,
    objects: Objects,
    out: &mut Variant,
    buffer: &mut StackSink,
) -> Result<Option<Written>, VarBytesError> {
    // Even without objects, containers typed by a class or script are written in another way if objects are written in full.
    let are_full = matches!(objects, Objects::Stop);
    let encoder = engine_profile::encoder(are_full);
    if is_long_text(value) {
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
    if let Some(parts) = buffer.parts() {
        let mut sink = GrowingSink::default();
        parts.iter().for_each(|part| sink.put(part));
        return write_rest(sink, &mut stack, encoder, objects, out);
    }
    if let Some(size) = buffer.size_of_long() {
        if engine_profile::is_template() && buffer.is_nearly_all_copied() {
            return Ok(Some(Written::InArray(put_by_engine(value, are_full, out))));
        }
        let mut is_complete = false;
        put_packed(out, size, |target| {
            let mut sink = FixedSink::new(target);
            let written = plain::write(value, &mut encoder.writer(&mut sink), objects);
            is_complete = written.is_ok_and(|written| written) && sink.length() == Some(size);
        });
        if is_complete {
            return Ok(Some(Written::InArray(size)));
        }
    }
    write_growing(value, encoder, objects, out)
}

fn write_growing(
    value: &Variant,
    encoder: &Encoder,
    objects: Objects,
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
    objects: Objects,
    out: &mut Variant,
) -> Result<Option<Written>, VarBytesError> {
    let is_complete = plain::write_open(&mut encoder.writer(&mut sink), objects, stack)?;
    Ok(is_complete.then(|| put(sink.finish(), out)))
}

/// Returns whether a value is text whose bytes do not fit on the stack, or that is so many strings that they are not likely to.
fn is_long_text(value: &Variant) -> bool {
    /// The bytes of a short string in an array.
    const SHORT: usize = 16;
    match view(value) {
        View::String(text) => text.len() > STACK,
        View::Strings(texts) => texts.len() > STACK / SHORT,
        _ => false,
    }
}

/// Writes a value as the newest engine does, with objects as their ids.
pub(crate) fn write_canonical<S: Sink>(value: &Variant, sink: &mut S) -> Result<(), VarBytesError> {
    plain::write(value, &mut Encoder::new().precision(Precision::Single).writer(sink), Objects::AsIds).map(drop)
}

/// Returns the number of bytes of a value.
pub(crate) fn encoded_len(value: &Variant, objects: WriteObjects<'_>) -> Result<usize, VarBytesError> {
    let mut length = Length::default();
    let mut writer = engine_profile::encoder(objects.are_full()).writer(&mut length);
    if objects.are_full() {
        objects::write(value, &mut writer, objects)?;
    } else {
        plain::write(value, &mut writer, Objects::AsIds)?;
    }
    Ok(length.0)
}

/// Returns whether the value is a packed array so long that the engine copies it faster: only the engine can create an array
/// without filling it with zeros first.
fn is_copied_faster_by_engine(value: &Variant) -> bool {
    let long = |bytes: usize, shortest: usize| (shortest..=i32::MAX as usize - 16).contains(&bytes);
    match view(value) {
        View::Bytes(bytes) => long(bytes.len(), LONG_BYTES),
        View::Int32(numbers) => engine_profile::is_template() && long(numbers.len() * 4, LONG_NUMBERS),
        View::Float32(numbers) => engine_profile::is_template() && long(numbers.len() * 4, LONG_NUMBERS),
        View::Int64(numbers) => engine_profile::is_template() && long(numbers.len() * 8, LONG),
        View::Float64(numbers) => engine_profile::is_template() && long(numbers.len() * 8, LONG),
        _ => false,
    }
}
