//! The `options` argument of a call: reads and writes with the options. Null means the defaults.

use std::ops::Range;

use godot::builtin::Variant;
use varbytes::Profile;

use crate::build::{decode_fast, seems_to_have_objects};
use crate::decode::{ReadObjects, ReadOptions, Reader, decode};
use crate::encode::{
    PlainObjects, StackSink, WriteObjects, Written, encode, encode_small, encode_small_without_objects,
    encode_to_array, encode_without_objects, encoded_len, take_wrote_ids,
};
use crate::error::{ErrorKind, VarBytesError};
use crate::options::VarBytesOptions;
use crate::other_engine;
use crate::other_format::OtherFormat;
use crate::outcome::{Encoded, Outcome, Packet};
use crate::plain_options::{PlainOptions, policy_of};
use crate::raw::{NewValue, NullableArg, ObjectArgument, byte_array, can_have_objects, scalar};
use crate::refused_values::refuse_result;

/// A `VarBytesOptions`, or null.
pub type OptionsArg = NullableArg<VarBytesOptions>;

impl OptionsArg {
    /// Reads the value of a packet that begins at the options' offset, with a function in place of `decode`.
    pub(crate) fn read_by(&self, read: Reader, packet: Packet<'_>) -> Result<Outcome, VarBytesError> {
        let usual = |packet: Packet<'_>, options: &ReadOptions| {
            let outcome = of_read(read(packet, options)?);
            Ok(Outcome { losses: options.objects.take_losses(), ..outcome })
        };
        let Some(options) = &self.0 else { return usual(packet, &ReadOptions::DEFAULT) };
        // The borrow ends before anything is built: a setter may use the options.
        let (part, reading, engine) = {
            let options = options.bind();
            (options.plain().part_of(packet.bytes)?, options.reading(), other_engine::named(&options.engine)?)
        };
        let packet = packet.part_of(part);
        match engine {
            None => usual(packet, &reading),
            Some(engine) => other_engine::read(packet, engine, reading, read),
        }
    }

    /// Writes a value that contains objects, or for another engine.
    fn write_with_policy(&self, value: &Variant) -> Result<Encoded, VarBytesError> {
        self.with_writing(|objects, engine| match engine {
            None => encode_to_array(value, objects).map(Encoded::from),
            Some(engine) => other_engine::write(value, engine, objects),
        })
    }

    /// Returns the number of bytes of a value.
    pub(crate) fn written_len(&self, value: &Variant) -> Result<usize, VarBytesError> {
        refuse_result(value)?;
        self.with_writing(|objects, engine| match engine {
            None => encoded_len(value, objects),
            Some(engine) => other_engine::write(value, engine, objects).map(|encoded| encoded.bytes.len()),
        })
    }

    /// Calls a function with what is written of objects, and the engine to write for; `None` for the running one. The options are not
    /// borrowed then: a getter may use them.
    fn with_writing<T>(
        &self,
        write: impl FnOnce(WriteObjects<'_>, Option<Profile>) -> Result<T, VarBytesError>,
    ) -> Result<T, VarBytesError> {
        let Some(options) = &self.0 else { return write(WriteObjects::AsIds, None) };
        let (engine, policy) = {
            let options = options.bind();
            (other_engine::named(&options.engine)?, options.allow_objects.then(|| options.policy()))
        };
        write(policy.as_deref().map_or(WriteObjects::AsIds, WriteObjects::Allowed), engine)
    }

    /// Returns the engine that wrote the bytes, `None` for the running one, and which of them to read.
    pub(crate) fn inspecting(&self, bytes: &[u8]) -> Result<(Option<Profile>, Range<usize>), VarBytesError> {
        let Some(options) = &self.0 else { return Ok((None, 0..bytes.len())) };
        let options = options.bind();
        Ok((other_engine::named(&options.engine)?, options.plain().part_of(bytes)?))
    }
}

/// Returns whether reading or writing with these options can run scripts.
pub(crate) fn can_run_scripts(options: &ObjectArgument<VarBytesOptions>) -> bool {
    PlainOptions::of(options).is_some_and(|plain| plain.allow_objects)
}

/// Returns the most bytes that a value within these options can have.
pub(crate) fn most_bytes(options: &ObjectArgument<VarBytesOptions>) -> u64 {
    PlainOptions::of(options).map_or(u64::MAX, |plain| plain.most_bytes())
}

/// Reads a packet without objects on the fast path, and puts the number of its bytes into `used`. Returns `None` if that is not possible
/// or not faster, and for malformed bytes.
#[inline(always)]
pub(crate) fn read_fast(
    options: &ObjectArgument<VarBytesOptions>,
    packet: Packet<'_>,
    used: &mut usize,
) -> Option<NewValue> {
    let (deepest, hash_collisions) = fast_reading(options, packet.bytes)?;
    decode_fast(packet.bytes, packet.array, deepest, hash_collisions, used)
}

/// Returns the packet after [`read_fast`] has returned `None`.
pub(crate) fn after_fast<'p>(options: &ObjectArgument<VarBytesOptions>, packet: Packet<'p>) -> Packet<'p> {
    Packet { is_tried: reads_fast(options, packet.bytes), ..packet }
}

/// Returns whether a packet is read as without options, on the fast path.
#[inline(always)]
pub(crate) fn reads_fast(options: &ObjectArgument<VarBytesOptions>, packet: &[u8]) -> bool {
    fast_reading(options, packet).is_some()
}

/// Returns the deepest level and whether keys that collide are read, if a packet is otherwise read as without options, on the fast path.
#[inline(always)]
fn fast_reading(options: &ObjectArgument<VarBytesOptions>, packet: &[u8]) -> Option<(usize, bool)> {
    match PlainOptions::of(options) {
        None => Some((usize::MAX, false)),
        Some(plain)
            if packet.len() <= plain.longest_fast && !(plain.allow_objects && seems_to_have_objects(packet)) =>
        {
            Some((plain.limits.depth, plain.hash_collisions))
        }
        Some(_) => None,
    }
}

/// Reads the value of a packet that begins at the options' offset. The options are not borrowed if they need not be. Returns the value
/// and the number of its bytes, or any other outcome.
#[inline(always)]
pub(crate) fn read_value(
    options: &ObjectArgument<VarBytesOptions>,
    packet: Packet<'_>,
) -> Result<(NewValue, usize), Result<Outcome, VarBytesError>> {
    match PlainOptions::of(options) {
        None => decode(packet, &ReadOptions::DEFAULT).map_err(Err),
        Some(plain) => match read_without_policy(&plain, packet) {
            Some(read) => read.map_err(Err),
            None => {
                // Setters of scripts can change the caller's array.
                let kept = packet.array.cloned();
                let packet = Packet { array: kept.as_ref(), ..packet };
                if plain.names_engine {
                    return Err(NullableArg(options.get()).read_by(decode, packet));
                }
                let part = plain.part_of(packet.bytes).map_err(Err)?;
                let objects = ReadObjects::allowed(policy_of(options));
                let reading = ReadOptions { objects, ..plain.reading() };
                let (value, used) = decode(packet.part_of(part), &reading).map_err(Err)?;
                match reading.objects.take_losses() {
                    losses if losses.is_empty() => Ok((value, used)),
                    losses => Err(Ok(Outcome { losses, ..Outcome::new(value.into_variant(), used) })),
                }
            }
        },
    }
}

/// Adds to an error what to do if the bytes are not one value but records, each with its length before it, or a file of another format.
#[cold]
pub(crate) fn explained(
    options: &ObjectArgument<VarBytesOptions>,
    bytes: &[u8],
    mut error: VarBytesError,
) -> VarBytesError {
    /// Where records that are read as a value are refused, at the latest.
    const FIRST: i64 = 64;
    let is_malformed = matches!(error.kind, ErrorKind::Malformed | ErrorKind::Truncated) && error.offset <= FIRST;
    let reads_all =
        PlainOptions::of(options).is_none_or(|plain| plain.part_of(bytes).is_ok_and(|part| part.len() == bytes.len()));
    if is_malformed && reads_all {
        if are_records(bytes) {
            error.message +=
                " (if these are records of store_var, which begin with their length, read them with VarBytesFile)";
        } else if let Some(format) = bytes.first_chunk().copied().and_then(OtherFormat::of) {
            error.message += &format!(" ({format})");
        }
    }
    error
}

fn are_records(mut bytes: &[u8]) -> bool {
    /// The lengths of all values are multiples of it.
    const UNIT: u32 = 4;
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = u32::from_le_bytes(*length);
        match rest.get(length as usize..) {
            Some(after) if length > 0 && length.is_multiple_of(UNIT) => bytes = after,
            _ => return false,
        }
        if bytes.is_empty() {
            return true;
        }
    }
    false
}

/// Reads as [`read_value`] does.
pub(crate) fn read(options: &ObjectArgument<VarBytesOptions>, packet: Packet<'_>) -> Result<Outcome, VarBytesError> {
    read_value(options, packet).map_or_else(|other| other, |read| Ok(of_read(read)))
}

/// Writes a value. The options are not borrowed if they need not be. Puts a PackedByteArray in place of `out` and returns the number of
/// its bytes, or returns any other outcome.
#[inline(always)]
pub(crate) fn put_value(
    options: &ObjectArgument<VarBytesOptions>,
    value: &Variant,
    out: &mut Variant,
) -> Result<usize, Result<Outcome, VarBytesError>> {
    let plain = PlainOptions::of(options);
    match put_without_policy(plain.as_ref(), value, out).map_err(Err)? {
        Some(length) if lost_objects(plain.as_ref()) => Err(Ok(without_objects(out, length))),
        Some(length) => Ok(length),
        None => Err(write_with_policy_of(options, plain.as_ref(), value).map(Outcome::from)),
    }
}

/// Writes as [`put_value`] does, but into a buffer if the bytes fit.
#[inline(always)]
pub(crate) fn put_small(
    options: &ObjectArgument<VarBytesOptions>,
    value: &Variant,
    out: &mut Variant,
    buffer: &mut StackSink,
) -> Result<Written, Result<Outcome, VarBytesError>> {
    let plain = PlainOptions::of(options);
    let written = write_without_policy(plain.as_ref(), value, |how| match how {
        PlainObjects::AsIds => encode_small(value, WriteObjects::AsIds, out, buffer).map(Some),
        _ => encode_small_without_objects(value, out, buffer),
    });
    match written.map_err(Err)? {
        Some(written) if lost_objects(plain.as_ref()) => {
            let length = written.put(buffer, out);
            Err(Ok(without_objects(out, length)))
        }
        Some(written) => Ok(written),
        None => Err(write_with_policy_of(options, plain.as_ref(), value).map(Outcome::from)),
    }
}

/// Returns the bytes of a value, written in the same way.
pub(crate) fn write(options: &ObjectArgument<VarBytesOptions>, value: &Variant) -> Result<Encoded, VarBytesError> {
    let plain = PlainOptions::of(options);
    let mut out = scalar::null();
    match put_without_policy(plain.as_ref(), value, &mut out)? {
        Some(_) => Ok(Encoded { bytes: byte_array(&out), losses: lost_lines(plain.as_ref()) }),
        None => write_with_policy_of(options, plain.as_ref(), value),
    }
}

/// Writes a value that contains objects, or for another engine.
#[inline(never)]
fn write_with_policy_of(
    options: &ObjectArgument<VarBytesOptions>,
    plain: Option<&PlainOptions>,
    value: &Variant,
) -> Result<Encoded, VarBytesError> {
    // Getters of scripts can change the caller's variable, which may hold the only reference to the value.
    let value = value.clone();
    if plain.is_some_and(|plain| plain.names_engine) {
        let mut encoded = NullableArg(options.get()).write_with_policy(&value)?;
        encoded.losses.extend(lost_lines(plain));
        return Ok(encoded);
    }
    encode_to_array(&value, WriteObjects::Allowed(&policy_of(options))).map(Encoded::from)
}

/// Returns whether ids were written of objects that the options list but do not allow.
#[inline(always)]
fn lost_objects(options: Option<&PlainOptions>) -> bool {
    options.is_some_and(|options| options.has_unused_lists) && take_wrote_ids()
}

/// The line of such objects in `losses`.
const LOST_OBJECTS: &str = "objects became ids: allowed_classes or allowed_scripts are set, but allow_objects is not";

/// Returns the lines of such objects in `losses`.
fn lost_lines(options: Option<&PlainOptions>) -> Vec<String> {
    if lost_objects(options) { vec![LOST_OBJECTS.to_owned()] } else { Vec::new() }
}

/// Returns the outcome of writing such objects, with the bytes in `out`.
#[cold]
fn without_objects(out: &mut Variant, length: usize) -> Outcome {
    let bytes = std::mem::replace(out, scalar::null());
    Outcome { losses: vec![LOST_OBJECTS.to_owned()], ..Outcome::new(bytes, length) }
}

/// Returns whether objects are written in full, or `None` if more is needed than to write a value in place, as for another engine.
pub(crate) fn writes_full_objects(options: &ObjectArgument<VarBytesOptions>) -> Option<bool> {
    match PlainOptions::of(options) {
        None => Some(false),
        Some(plain) => (!plain.names_engine && !plain.has_unused_lists).then_some(plain.allow_objects),
    }
}

/// Writes a value as a function does. Returns `None` if that needs the policy or the name of the engine; nothing has run then.
#[inline(always)]
fn write_without_policy<T>(
    options: Option<&PlainOptions>,
    value: &Variant,
    write: impl FnOnce(PlainObjects) -> Result<Option<T>, VarBytesError>,
) -> Result<Option<T>, VarBytesError> {
    refuse_result(value)?;
    if options.is_some_and(|options| options.has_unused_lists) {
        take_wrote_ids();
    }
    match options {
        Some(options) if options.names_engine => Ok(None),
        Some(options) if options.allow_objects && can_have_objects(value) => write(PlainObjects::Stop),
        _ => write(PlainObjects::AsIds),
    }
}

/// Puts a PackedByteArray in place of `out`, as [`encode`] does. Returns `None` as [`write_without_policy`] does.
#[inline(always)]
fn put_without_policy(
    options: Option<&PlainOptions>,
    value: &Variant,
    out: &mut Variant,
) -> Result<Option<usize>, VarBytesError> {
    write_without_policy(options, value, |how| match how {
        PlainObjects::AsIds => encode(value, WriteObjects::AsIds, out).map(Some),
        _ => encode_without_objects(value, out),
    })
}

fn of_read((value, used): (NewValue, usize)) -> Outcome {
    Outcome::new(value.into_variant(), used)
}

/// Reads a packet. Returns `None` if that needs the policy or the name of the engine; nothing has run then.
#[inline(always)]
fn read_without_policy(options: &PlainOptions, packet: Packet<'_>) -> Option<Result<(NewValue, usize), VarBytesError>> {
    if options.names_engine {
        return None;
    }
    let packet = match options.part_of(packet.bytes) {
        Ok(part) => packet.part_of(part),
        Err(error) => return Some(Err(error)),
    };
    // The fast path has looked for them, if it was tried.
    if options.allow_objects && !packet.is_tried && seems_to_have_objects(packet.bytes) {
        return None;
    }
    match decode(packet, &options.reading()) {
        Err(error) if options.allow_objects && error.kind == ErrorKind::NotAllowed => None,
        read => Some(read),
    }
}
