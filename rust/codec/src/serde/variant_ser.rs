//! `Serialize` for `Variant`.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;

use serde_core::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::error::EncodeError;
use crate::options::WriteOptions;
use crate::serde::math::{Components, Vectors};
use crate::serde::names;
use crate::variant::{Array, Dictionary, Object, PackedIntegers, View};
use crate::{Encoder, Precision, Profile, Variant, VariantType};

/// Serializes values of any type. [`to_bytes`](crate::to_bytes) writes each with its own type; other formats receive the
/// closest form that serde has, for example a sequence of numbers for a vector.
///
/// # Errors
/// In other formats, an `Image` or `InputEvent` of Godot 2, and a value with more than 128 levels of containers: these formats
/// recurse, and in a debug build need up to 512 KiB of stack for as many.
impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if is_deeper(self, LEVELS) {
            let is_too_deep = is_deeper(self, MOST_LEVELS);
            return Whole { value: self, is_too_deep, calls: Cell::new(0) }.serialize_to(serializer);
        }
        Part(self).serialize(serializer)
    }
}

/// The levels of containers that are written by calls of `Serialize`, which recurse. This crate's serializer writes a deeper
/// value without recursion.
const LEVELS: usize = 64;

/// The levels of containers that other serializers write, by recursion.
const MOST_LEVELS: usize = 128;

/// Returns whether a value has more than this many levels of containers.
fn is_deeper(value: &Variant, levels: usize) -> bool {
    match value.view() {
        View::Array(array) => are_deeper(array.elements(), levels),
        View::Dictionary(dictionary) => {
            are_deeper(dictionary.entries().iter().flat_map(|(key, value)| [key, value]), levels)
        }
        View::Object(Object::Data(data)) => are_deeper(data.properties.iter().map(|(_, value)| value), levels),
        _ => false,
    }
}

/// Returns whether the members of a container make it deeper than that.
fn are_deeper<'v>(members: impl IntoIterator<Item = &'v Variant>, levels: usize) -> bool {
    let mut members = members.into_iter();
    match levels.checked_sub(1) {
        Some(levels) => members.any(|member| is_deeper(member, levels)),
        None => members.next().is_some(),
    }
}

/// A value that is written by recursion.
struct Part<'v>(&'v Variant);

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let variant_type = self.0.variant_type();
        let name = names::of(variant_type);
        match self.0.view() {
            View::Nothing if variant_type == VariantType::Nil => serializer.serialize_unit(),
            View::Bool(value) => serializer.serialize_bool(value),
            View::Int(value) => serializer.serialize_i64(value),
            View::Float(value) => serializer.serialize_f64(value),
            View::Text(text) if text.is_unicode() => match variant_type {
                VariantType::String => serializer.serialize_str(text),
                _ => serializer.serialize_newtype_struct(name, text.as_str()),
            },
            View::Reals(reals) => serializer.serialize_newtype_struct(name, &Components(reals)),
            View::Integers(integers) => serializer.serialize_newtype_struct(name, integers.as_slice()),
            View::Color(color) => serializer.serialize_newtype_struct(name, &color.to_array()),
            View::Dictionary(dictionary) if dictionary.plain_entries().is_some() => entries(dictionary, serializer),
            View::Array(array) if array.plain_elements().is_some() && variant_type == VariantType::Array => {
                elements(array, serializer)
            }
            View::PackedBytes(bytes) => serializer.serialize_bytes(bytes),
            View::PackedInt64s(numbers) => serializer.serialize_newtype_struct(name, numbers),
            View::PackedIntegers(PackedIntegers::One(numbers)) => serializer.serialize_newtype_struct(name, numbers),
            View::PackedIntegers(PackedIntegers::Two(vectors)) => serializer.serialize_newtype_struct(name, vectors),
            View::PackedIntegers(PackedIntegers::Three(vectors)) => serializer.serialize_newtype_struct(name, vectors),
            View::PackedIntegers(PackedIntegers::Four(vectors)) => serializer.serialize_newtype_struct(name, vectors),
            // Only a tree has the precision of an array without elements.
            View::PackedReals(reals, count) if !reals.is_empty() || reals.precision() == Precision::Single => {
                serializer.serialize_newtype_struct(name, &Vectors(reals, count))
            }
            View::PackedColors(colors) => serializer.serialize_newtype_struct(name, colors),
            View::PackedTexts(texts) if texts.iter().all(crate::variant::Text::is_unicode) => {
                let texts: Vec<&str> = texts.iter().map(crate::variant::Text::as_str).collect();
                serializer.serialize_newtype_struct(name, &texts)
            }
            _ => Whole { value: self.0, is_too_deep: false, calls: Cell::new(0) }.serialize_to(serializer),
        }
    }
}

impl Serialize for Dictionary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = self.entries().iter().flat_map(|(key, value)| [key, value]);
        if self.plain_entries().is_some() && !are_deeper(members, LEVELS) {
            return entries(self, serializer);
        }
        Variant::Dictionary(self.clone()).serialize(serializer)
    }
}

impl Serialize for Array {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.plain_elements().is_some() && !are_deeper(self.elements(), LEVELS) {
            return elements(self, serializer);
        }
        Variant::Array(self.clone()).serialize(serializer)
    }
}

fn elements<S: Serializer>(array: &Array, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(array.elements().iter().map(Part))
}

fn entries<S: Serializer>(dictionary: &Dictionary, serializer: S) -> Result<S::Ok, S::Error> {
    let entries = dictionary.entries();
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    entries.iter().try_for_each(|(key, value)| map.serialize_entry(&Part(key), &Part(value)))?;
    map.end()
}

/// A value that passes to this crate's serializer as an encoded value. The serializer calls twice: the first call fails,
/// and the second one receives the encoding. Other serializers call once.
struct Whole<'v> {
    value: &'v Variant,
    /// Whether it has more levels than [`MOST_LEVELS`].
    is_too_deep: bool,
    calls: Cell<u8>,
}

impl Whole<'_> {
    fn serialize_to<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(names::VARIANT, self)
    }
}

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let calls = self.calls.replace(1);
        if calls > 0 {
            return serializer.serialize_bytes(&encode(self.value).map_err(S::Error::custom)?);
        }
        if self.is_too_deep {
            return Err(S::Error::custom(format_args!(
                "the value is nested deeper than {MOST_LEVELS} levels, which only the binary format of Godot can hold"
            )));
        }
        match self.value.view() {
            View::Text(text) => serializer.serialize_str(text),
            View::NodePath(path) => serializer.serialize_str(&path.to_string()),
            View::Rid(id) => serializer.serialize_u64(id),
            View::Object(Object::Id(id)) => serializer.serialize_u64(*id),
            View::Object(Object::Data(data)) => {
                serializer.collect_map(data.properties.iter().map(|(name, value)| (name, Part(value))))
            }
            View::Signal(signal) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("name", &signal.name)?;
                map.serialize_entry("object_id", &signal.object_id)?;
                map.end()
            }
            View::Array(array) => elements(array, serializer),
            View::Dictionary(dictionary) => entries(dictionary, serializer),
            View::PackedTexts(texts) => {
                let mut seq = serializer.serialize_seq(Some(texts.len()))?;
                texts.iter().try_for_each(|text| seq.serialize_element(text.as_str()))?;
                seq.end()
            }
            View::PackedReals(reals, count) => Vectors(reals, count).serialize(serializer),
            View::Image(_) | View::InputEvent(_) => {
                Err(S::Error::custom("this format has no form for an Image or an InputEvent of Godot 2"))
            }
            _ => serializer.serialize_unit(),
        }
    }
}

/// Encodes a value for the newest engine that has it: the index of its profile, then the packet.
pub(super) fn encode(value: &Variant) -> Result<Vec<u8>, EncodeError> {
    let newest = Profile::ALL.iter().position(|profile| *profile == Profile::default()).unwrap_or_default();
    let others = (0..Profile::ALL.len()).rev().filter(|index| *index != newest);
    let mut first_error = None;
    for index in core::iter::once(newest).chain(others) {
        let mut bytes = Vec::new();
        bytes.push(u8::try_from(index).unwrap_or_default());
        let encoder = Encoder { options: WriteOptions::exact(Profile::ALL[index]) };
        match encoder.encode_into(value, &mut bytes) {
            Ok(()) => return Ok(bytes),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| EncodeError::custom("no engine has this value")))
}
