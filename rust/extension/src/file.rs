//! The class `VarBytesFile`.

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::{FileAccess, StreamPeer};
use godot::global::Error;
use godot::prelude::*;

use crate::chosen_options::ChosenOptions;
use crate::encode::encode;
use crate::failure::Failure;
use crate::result::VarBytesResult;
use crate::var_bytes::{decode_record, write_objects};

/// Bytes of the length that stands before each value.
const PREFIX: i64 = 4;
/// Bytes that are asked of a stream at once: what it only announces is not allocated.
const CHUNK: usize = 1 << 16;

/// Values in files and streams, one after another, each with its length before it.
///
/// The records are those of [method FileAccess.store_var] and [method StreamPeer.put_var], in the byte order of the
/// file or stream, so either side can be the engine's own. Only one record is in memory at a time.
/// [codeblock]
/// var file := FileAccess.open("user://scores.dat", FileAccess.READ)
/// while file.get_position() < file.get_length():
///     var result := VarBytesFile.get_var(file)
///     if not result.ok:
///         push_warning(result.message)
///         break
///     print(result.value)
/// [/codeblock]
#[derive(GodotClass)]
#[class(no_init, base = Object, tool)]
pub struct VarBytesFile {
    base: Base<Object>,
}

#[godot_api]
impl VarBytesFile {
    /// Writes a value at the position of a file. [member VarBytesResult.bytes_used] counts the length before it, too.
    #[func]
    pub fn store_var(
        file: Gd<FileAccess>,
        value: Variant,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        let mut file = file;
        VarBytesResult::of(record(&value, &options).and_then(|bytes| {
            let position = file.get_position().cast_signed();
            let stored = file.store_32(bytes.len() as u32) && file.store_buffer(&bytes);
            let written = PREFIX as usize + bytes.len();
            let failed = || Failure::stream(format!("the file could not be written, at offset {position}"), position);
            stored.then(|| (bytes.to_variant(), written)).ok_or_else(failed)
        }))
    }

    /// Reads the value at the position of a file and moves to the next one, even where the value is refused. A length
    /// that reaches beyond the end of the file is an error before anything is allocated.
    #[func]
    pub fn get_var(
        file: Gd<FileAccess>,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        let mut file = file;
        let bytes = next_record(&mut file).map(|length| file.get_buffer(length));
        VarBytesResult::of(bytes.and_then(|bytes| read_record(&bytes, &options)))
    }

    /// Moves over the value at the position of a file without reading it; the result has no value.
    #[func]
    pub fn skip_var(file: Gd<FileAccess>) -> Gd<VarBytesResult> {
        let mut file = file;
        VarBytesResult::of(next_record(&mut file).map(|length| {
            let position = file.get_position();
            file.seek(position + length.cast_unsigned());
            (Variant::nil(), (PREFIX + length) as usize)
        }))
    }

    /// Writes a value to a stream.
    #[func]
    pub fn put_var(
        stream: Gd<StreamPeer>,
        value: Variant,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        let mut stream = stream;
        VarBytesResult::of(record(&value, &options).and_then(|bytes| {
            stream.put_u32(bytes.len() as u32);
            match stream.put_data(&bytes) {
                Error::OK => {
                    let written = PREFIX as usize + bytes.len();
                    Ok((bytes.to_variant(), written))
                }
                error => Err(Failure::stream(format!("the stream could not be written: {error:?}"), -1)),
            }
        }))
    }

    /// Reads a value from a stream, and waits for it as [method StreamPeer.get_data] does. A length above
    /// [member VarBytesOptions.max_memory] is an error before any of the value is read; the stream cannot be used
    /// further then.
    #[func]
    pub fn take_var(
        stream: Gd<StreamPeer>,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        let mut stream = stream;
        VarBytesResult::of(
            taken(&mut stream, &options).and_then(|bytes| read_record(&PackedByteArray::from(bytes), &options)),
        )
    }
}

/// The bytes of a value, which a record can hold.
fn record(value: &Variant, options: &ChosenOptions) -> Result<PackedByteArray, Failure> {
    let policy = options.writing_policy();
    let bytes = encode(value, write_objects(policy.as_ref()))?;
    match i32::try_from(bytes.len()) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Failure::argument(format!("a value of {} bytes is too long for a record", bytes.len()))),
    }
}

/// Reads the length at the position of a file, and checks that the file goes on so far.
fn next_record(file: &mut Gd<FileAccess>) -> Result<i64, Failure> {
    let position = file.get_position().cast_signed();
    let left = file.get_length().cast_signed() - position;
    let cut = |needed: i64, left: i64, offset: i64| Failure::cut(needed, left, offset);
    if left < PREFIX {
        return Err(cut(PREFIX, left, position));
    }
    let length = i64::from(file.get_32());
    if length > left - PREFIX {
        // As the engine does, so that the file does not stand in the middle of a record.
        let end = file.get_length();
        file.seek(end);
        return Err(cut(length, left - PREFIX, position));
    }
    Ok(length)
}

/// The bytes of the next record of a stream.
fn taken(stream: &mut Gd<StreamPeer>, options: &ChosenOptions) -> Result<Vec<u8>, Failure> {
    let prefix = some_data(stream, PREFIX as usize)?;
    let mut word = [0; PREFIX as usize];
    word.copy_from_slice(&prefix);
    let length = if stream.is_big_endian_enabled() { i32::from_be_bytes(word) } else { i32::from_le_bytes(word) };
    let Ok(length) = usize::try_from(length) else {
        return Err(Failure::argument(format!("a record of negative length {length}")));
    };
    let limit = options.0.as_ref().map_or(0, |options| options.bind().max_memory);
    if limit > 0 && i64::try_from(length).is_ok_and(|length| length > limit) {
        return Err(Failure::limit(format!(
            "a record of {length} bytes, more than the limit of {limit} bytes of memory"
        )));
    }
    let mut bytes = Vec::new();
    while bytes.len() < length {
        bytes.extend(some_data(stream, CHUNK.min(length - bytes.len()))?);
    }
    Ok(bytes)
}

/// Exactly so many bytes of a stream.
fn some_data(stream: &mut Gd<StreamPeer>, count: usize) -> Result<Vec<u8>, Failure> {
    let answer = stream.get_data(i32::try_from(count).unwrap_or(i32::MAX));
    let error = answer.get(0).and_then(|error| error.try_to::<i64>().ok()).unwrap_or(1);
    let data = answer.get(1).and_then(|data| data.try_to::<PackedByteArray>().ok()).unwrap_or_default();
    if error != 0 || data.len() != count {
        return Err(Failure::cut(count as i64, data.len() as i64, -1));
    }
    Ok(data.to_vec())
}

/// The value of a record, with the record counted in full.
fn read_record(bytes: &PackedByteArray, options: &ChosenOptions) -> Result<(Variant, usize), Failure> {
    let (value, _) = decode_record(bytes.as_slice(), options.0.as_ref())?;
    Ok((value, PREFIX as usize + bytes.len()))
}
