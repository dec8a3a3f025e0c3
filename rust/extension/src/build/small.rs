//! Fast path for small packets: a value that holds no others, or an Array or Dictionary of a few. Most take longer to set up the
//! decoder's and the builder's state than to read.

use godot::builtin::PackedByteArray;
use varbytes::{Decoder, Single, VariantType};

use super::builder::{EngineBuilder, LazyDrop};
use super::containers::MistypedMembers;
use super::packed::{LONG, packed_array};
use crate::engine_profile;
use crate::floods::Floods;
use crate::raw::{self, ArrayFill, DictionaryFill, LazyVariant, NewValue, TypedBy, scalar, was_refused};

/// The longest packet of a container that is tried. A few values that hold no others are rarely longer.
const LONGEST: usize = 1 << 10;

/// Reads a small packet, or a single packed array, as without options, and puts the number of its bytes into `used`. Returns `None`
/// for anything else, malformed bytes included. `array` is the one that contains the packet, if it is known.
// The value is returned alone, in registers: a pair would be written word by word and then copied as one piece, which makes the
// processor wait.
#[inline(always)]
pub(crate) fn decode_small(bytes: &[u8], array: Option<&PackedByteArray>, used: &mut usize) -> Option<NewValue> {
    const OBJECT: u8 = VariantType::Object as u8;
    const DICTIONARY: u8 = VariantType::Dictionary as u8;
    const ARRAY: u8 = VariantType::Array as u8;
    if array.is_none() && bytes.len() >= LONG {
        // The caller may have another way.
        return None;
    }
    let decoder = engine_profile::decoder(false);
    match bytes.first() {
        Some(&OBJECT) => return None,
        Some(&(DICTIONARY | ARRAY)) => {
            return if bytes.len() <= LONGEST { decode_flat(decoder, bytes, used) } else { None };
        }
        _ => {}
    }
    if let Some(decoded) = decoder.decode_single(bytes) {
        *used = decoded.used;
        return unless_refused(value_of(decoded.value, array));
    }
    decode_plain(decoder, bytes, used)
}

/// Returns the value, or `None` if the engine had no memory for all of it.
#[inline(always)]
fn unless_refused(value: NewValue) -> Option<NewValue> {
    if was_refused() { None } else { Some(value) }
}

#[inline(always)]
fn value_of(single: Single<'_>, array: Option<&PackedByteArray>) -> NewValue {
    match single {
        Single::Nil => scalar::nil(),
        Single::Bool(value) => scalar::bool(value),
        Single::Int(value) => scalar::int(value),
        Single::Float(value) => scalar::float(value),
        Single::Ascii(text) => text_of_ascii(text),
        Single::Text(text) => raw::string(text),
        Single::Empty(variant_type) => empty(variant_type),
        Single::Vector2(components) => raw::from_components(VariantType::Vector2, &components),
        Single::Vector3(components) => raw::from_components(VariantType::Vector3, &components),
        Single::AsciiName(text) => raw::name_of_ascii(text),
        Single::FourReals(variant_type, components) => raw::from_components(variant_type, &components),
        Single::ManyReals(variant_type, bytes) => many_reals(variant_type, bytes),
        Single::Integers(variant_type, components) => {
            raw::from_integers(variant_type, &components[..variant_type.integer_components()])
        }
        Single::Packed(variant_type, elements) => packed_array(variant_type, elements, false, array),
    }
}

#[inline(never)]
fn empty(variant_type: VariantType) -> NewValue {
    match variant_type {
        VariantType::Array => ArrayFill::new(0, None).finish(),
        _ => DictionaryFill::new(0, &TypedBy::Any, &TypedBy::Any).finish(),
    }
}

#[inline(never)]
fn many_reals(variant_type: VariantType, bytes: &[u8]) -> NewValue {
    let mut components = [0.0; 16];
    for (component, bytes) in components.iter_mut().zip(bytes.as_chunks().0) {
        *component = f32::from_le_bytes(*bytes);
    }
    raw::from_components(variant_type, &components[..variant_type.real_components()])
}

#[inline(never)]
fn decode_flat(decoder: &Decoder, bytes: &[u8], used: &mut usize) -> Option<NewValue> {
    let decoded = decoder.decode_flat(bytes)?;
    let (members, [first, second]) = (decoded.value.members(), decoded.value.types());
    let value = if decoded.value.is_dictionary() {
        let (entries, _) = members.as_chunks();
        let mut dictionary = DictionaryFill::new(entries.len(), &typed_by(first), &typed_by(second));
        for [key, value] in entries {
            let key = LazyVariant::new(value_of(*key, None).into_variant());
            dictionary.insert(&key, value_of(*value, None));
        }
        dictionary.finish()
    } else {
        let mut array = ArrayFill::new(members.len(), first);
        members.iter().for_each(|member| array.push(value_of(*member, None)));
        array.finish()
    };
    *used = decoded.used;
    unless_refused(value)
}

fn typed_by(variant_type: Option<VariantType>) -> TypedBy<'static> {
    variant_type.map_or(TypedBy::Any, TypedBy::Builtin)
}

// Not inlined, so that numbers need no space for its state.
#[inline(never)]
fn text_of_ascii(text: &[u8]) -> NewValue {
    raw::string_of_ascii(text)
}

#[inline(never)]
fn decode_plain(decoder: &Decoder, bytes: &[u8], used: &mut usize) -> Option<NewValue> {
    let mut builder = LazyDrop::new(EngineBuilder::new(false, MistypedMembers::AsEngine, Floods::allowed()));
    let decoded = decoder.decode_plain_with(bytes, &mut *builder)?;
    *used = decoded.used;
    unless_refused(decoded.value)
}
