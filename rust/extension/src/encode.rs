//! Writing engine values.

use godot::builtin::{GString, NodePath, PackedByteArray, Signal, Variant};
use varbytes::variant::Reals;
use varbytes::write::{Sink, Writer};
use varbytes::{EncodeErrorKind, Encoder, Profile, Step, VariantType};

use crate::encode_objects;
use crate::failure::Failure;
use crate::frames::{Frame, Frames, Members};
use crate::policy::Policy;
use crate::raw::{self as engine, Direct, Number, View, packed_bytes, view};
use crate::sinks::{Collected, Exact, Growing};
use crate::text;

/// The deepest level that engines write or read; the outermost value is at level 0.
const MAX_DEPTH: usize = 1024;

/// What is to be done with objects.
#[derive(Clone, Copy)]
pub(crate) enum WriteObjects<'p> {
    /// As ids.
    AsIds,
    /// With class and stored properties, whatever they are.
    Full,
    /// With class and properties, as far as the policy allows them.
    Allowed(&'p Policy),
}

/// The bytes of a value.
pub(crate) fn encode(value: &Variant, objects: WriteObjects<'_>) -> Result<PackedByteArray, Failure> {
    if is_long_bytes(value) {
        return Ok(godot::global::var_to_bytes(value));
    }
    let encoder = crate::running::encoder(objects.are_full());
    if objects.are_full() {
        if let Some(bytes) = encode_objects::whole_by_engine(value, objects) {
            return Ok(bytes);
        }
        // Once and for all: getters may answer otherwise when they are asked again.
        let mut growing = Growing::default();
        write(value, encoder, objects, &mut growing)?;
        return Ok(growing.finish());
    }
    // Small values are written once into room on the stack. Of larger ones this is how their size is found.
    let mut collected = Collected::new();
    write(value, encoder, objects, &mut collected)?;
    if let Some(bytes) = collected.bytes() {
        return Ok(packed_bytes(bytes.len(), |room| room.copy_from_slice(bytes)));
    }
    let mut written = Ok(0);
    let bytes = packed_bytes(collected.len(), |room| {
        let mut exact = Exact::new(room);
        written = write(value, encoder, objects, &mut exact).map(|()| exact.missing());
    });
    match written? {
        0 => Ok(bytes),
        missing => Err(Failure::changed(missing)),
    }
}

/// Whether it is a PackedByteArray so long that the engine itself is the faster to copy it: it alone can make an array
/// without writing zeros first.
fn is_long_bytes(value: &Variant) -> bool {
    const LONG: usize = 1 << 16;
    value.get_type() == godot::builtin::VariantType::PACKED_BYTE_ARRAY
        && matches!(view(value), View::Bytes(bytes) if (LONG..=i32::MAX as usize - 16).contains(&bytes.len()))
}

/// The number of bytes of a value.
pub(crate) fn encoded_len(value: &Variant, objects: WriteObjects<'_>) -> Result<usize, Failure> {
    let mut length = varbytes::write::Length::default();
    write(value, crate::running::encoder(objects.are_full()), objects, &mut length)?;
    Ok(length.0)
}

impl WriteObjects<'_> {
    pub(crate) const fn are_full(self) -> bool {
        !matches!(self, Self::AsIds)
    }
}

fn write<S: Sink>(value: &Variant, encoder: Encoder, objects: WriteObjects<'_>, sink: &mut S) -> Result<(), Failure> {
    let mut writer = encoder.writer(sink);
    if objects.are_full() {
        return encode_objects::write(value, &mut writer, objects);
    }
    let direct = Direct::verified();
    let mut frames = Frames::new();
    write_value(&mut writer, value, &mut frames).map_err(|kind| Failure::from_encode(&kind, &frames.path()))?;
    loop {
        // Members that are too deep go the general way, which says so.
        let direct = direct.filter(|_| frames.len() <= MAX_DEPTH);
        let Some(frame) = frames.last_mut() else { return Ok(()) };
        let written = match frame {
            Frame::Array(members) => match write_numbers(&mut writer, members, direct) {
                Ok(Some(member)) => write_value(&mut writer, member, &mut frames),
                Err(kind) => Err(kind),
                Ok(None) => {
                    frames.pop();
                    continue;
                }
            },
            Frame::Dictionary(entries) => match entries.next_part() {
                Some(part) => write_value(&mut writer, part, &mut frames),
                None => {
                    frames.pop();
                    continue;
                }
            },
        };
        written.map_err(|kind| Failure::from_encode(&kind, &frames.path()))?;
    }
}

/// Writes members that are numbers, one after another: what most long arrays are made of. Gives the first that
/// is something else.
#[inline]
fn write_numbers<'v, S: Sink>(
    writer: &mut Writer<'_, S>,
    members: &mut Members<'v>,
    direct: Option<Direct>,
) -> Result<Option<&'v Variant>, EncodeErrorKind> {
    let Some(direct) = direct else { return Ok(members.next()) };
    // As deep as the engine goes, the general way notices that it goes no deeper.
    for member in members {
        match direct.number(member) {
            Number::Int(value) => writer.int(value)?,
            Number::Float(value) => writer.float(value)?,
            Number::Vector2(vector) => writer.reals(VariantType::Vector2, Reals::Single(vector))?,
            Number::Vector3(vector) => writer.reals(VariantType::Vector3, Reals::Single(vector))?,
            Number::None => return Ok(Some(member)),
        }
    }
    Ok(None)
}

/// Writes a value that holds no others, or begins a container.
#[inline]
fn write_value<'v, S: Sink>(
    writer: &mut Writer<'_, S>,
    value: &'v Variant,
    frames: &mut Frames<'v>,
) -> Result<(), EncodeErrorKind> {
    if frames.len() > MAX_DEPTH {
        return Err(EncodeErrorKind::DepthLimit { limit: MAX_DEPTH });
    }
    match view(value) {
        View::Array => {
            let members = engine::members(value);
            begin_array(writer, value, members.len())?;
            frames.push_array(members);
            Ok(())
        }
        View::Dictionary => {
            let entries = engine::Entries::of(value);
            begin_dictionary(writer, value, entries.len())?;
            frames.push_dictionary(entries);
            Ok(())
        }
        View::Object => match engine::live_object_id(value) {
            None => writer.null_object(),
            Some(id) => writer.object_id(id),
        },
        leaf => write_leaf(writer, value, leaf),
    }
}

/// Begins an Array; its members follow.
pub(crate) fn begin_array<S: Sink>(
    writer: &mut Writer<'_, S>,
    array: &Variant,
    count: usize,
) -> Result<(), EncodeErrorKind> {
    let element_type = if engine::is_typed(array) { engine::member_type(array, false) } else { None };
    writer.begin_array(count, element_type.as_ref())
}

/// Begins a Dictionary; its entries follow.
pub(crate) fn begin_dictionary<S: Sink>(
    writer: &mut Writer<'_, S>,
    dictionary: &Variant,
    count: usize,
) -> Result<(), EncodeErrorKind> {
    if !engine::is_typed(dictionary) {
        return writer.begin_dictionary(count, None, None);
    }
    let key_type = engine::member_type(dictionary, true);
    let value_type = engine::member_type(dictionary, false);
    writer.begin_dictionary(count, key_type.as_ref(), value_type.as_ref())
}

/// Writes a value that is neither a container nor an object.
#[inline]
pub(crate) fn write_leaf<S: Sink>(
    writer: &mut Writer<'_, S>,
    value: &Variant,
    leaf: View<'_>,
) -> Result<(), EncodeErrorKind> {
    match leaf {
        View::Nil | View::Object | View::Array | View::Dictionary => writer.nil(),
        View::Bool(value) => writer.bool(value),
        View::Int(value) => writer.int(value),
        View::Float(value) => writer.float(value),
        View::String(chars) => text::string(writer, chars),
        View::StringName(name) => text::string_name(writer, engine::chars(&name)),
        View::Reals(variant_type, components) => writer.reals(variant_type, Reals::Single(components)),
        View::Integers(variant_type, components) => writer.integers(variant_type, components),
        View::Color(components) => writer.color(components),
        View::NodePath => node_path(writer, &value.to::<NodePath>()),
        View::Rid(id) => writer.rid(id),
        View::Callable => writer.callable(),
        View::Signal => signal(writer, &value.to::<Signal>()),
        View::Bytes(elements) => writer.packed_bytes(elements),
        View::Int32(elements) => writer.packed_int32(elements),
        View::Int64(elements) => writer.packed_int64(elements),
        View::Float32(elements) => writer.packed_float32(elements),
        View::Float64(elements) => writer.packed_float64(elements),
        View::Strings(elements) => text::packed_strings(writer, elements),
        View::PackedReals(variant_type, components) => text::packed_reals(writer, variant_type, components),
    }
}

fn node_path<S: Sink>(writer: &mut Writer<'_, S>, path: &NodePath) -> Result<(), EncodeErrorKind> {
    let names: Vec<String> = (0..path.get_name_count()).map(|index| path.get_name(index).to_string()).collect();
    let subnames: Vec<String> =
        (0..path.get_subname_count()).map(|index| path.get_subname(index).to_string()).collect();
    writer.node_path(path.is_absolute(), &names, &subnames)
}

fn signal<S: Sink>(writer: &mut Writer<'_, S>, signal: &Signal) -> Result<(), EncodeErrorKind> {
    let id = signal.object_id().map_or(0, |id| id.to_i64().cast_unsigned());
    writer.signal(&signal.name().to_string(), id)
}

/// A dictionary key as a path shows it.
pub(crate) fn key_step(index: usize, key: &Variant) -> Step {
    const SHOWN: usize = 40;
    let text = match view(key) {
        View::Int(number) => Some(number.to_string()),
        View::String(chars) if chars.len() <= SHOWN => Some(format!("{:?}", key.to::<GString>().to_string())),
        View::String(_) => {
            Some(format!("{:?}…", key.to::<GString>().to_string().chars().take(SHOWN).collect::<String>()))
        }
        View::StringName(name) => Some(format!("&{:?}", name.to_string())),
        _ => None,
    };
    Step::Value(index, text)
}

// As many as there are types in `view`.
const _: () = assert!(Profile::NEWEST.types().len() == 39);
