//! Values that are not common in small packets. Most are left to a decoder.

use std::mem::swap;

use godot::builtin::PackedByteArray;
use varbytes::{Decoder, Single, VariantType};

use super::builder::EngineBuilder;
use super::containers::MistypedMembers;
use super::lazy_drop::LazyDrop;
use super::packed::read_around;
use super::path_cache::{known_path, names_of};
use crate::floods::Floods;
use crate::raw::{self, BYTE_ORDER_MARK, NewValue, StringsFill};

pub(super) const STRING: u8 = VariantType::String as u8;
pub(super) const STRING_NAME: u8 = VariantType::StringName as u8;
pub(super) const OBJECT: u8 = VariantType::Object as u8;
pub(super) const DICTIONARY: u8 = VariantType::Dictionary as u8;
pub(super) const ARRAY: u8 = VariantType::Array as u8;
pub(super) const NODE_PATH: u8 = VariantType::NodePath as u8;
pub(super) const CALLABLE: u8 = VariantType::Callable as u8;
pub(super) const SIGNAL: u8 = VariantType::Signal as u8;
pub(super) const STRINGS: u8 = VariantType::PackedStringArray as u8;

/// Reads a value that contains no others and is not common, such as a `NodePath`. Returns it and the number of its bytes.
pub(super) fn uncommon(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    mut floods: Option<&mut Floods>,
) -> Option<(NewValue, usize)> {
    without_decoder(decoder, bytes, array, floods.as_deref_mut()).or_else(|| by_decoder(decoder, bytes, array, floods))
}

/// Reads a `NodePath`, a `Callable`, a `Signal`, or a `PackedStringArray`, without the state of a decoder. Returns `None` for anything
/// else, and for text that is not read as it is.
#[inline(always)]
pub(super) fn without_decoder(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    floods: Option<&mut Floods>,
) -> Option<(NewValue, usize)> {
    match *bytes.first()? {
        NODE_PATH => node_path(bytes, array, floods),
        CALLABLE => callable(bytes),
        SIGNAL => signal(decoder, bytes, floods),
        STRINGS => strings(decoder, bytes),
        _ => None,
    }
}

/// Lets the engine read a path that has not repeated, if it reads all names as they are.
#[inline(never)]
fn node_path(
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    mut floods: Option<&mut Floods>,
) -> Option<(NewValue, usize)> {
    let mut is_usual = |name: &[u8]| {
        str::from_utf8(name).is_ok_and(|name| {
            !name.contains('\0')
                && !name.starts_with(BYTE_ORDER_MARK)
                && floods.as_mut().is_none_or(|floods| floods.new_name(name))
        })
    };
    known_path(bytes, |path| {
        let are_usual = names_of(path).all(&mut is_usual);
        are_usual.then(|| read_around(array, path, 0, VariantType::NodePath)).flatten()
    })
}

/// A Callable is written as its type alone.
#[inline(always)]
fn callable(bytes: &[u8]) -> Option<(NewValue, usize)> {
    const HEADER: [u8; 4] = [CALLABLE, 0, 0, 0];
    bytes.starts_with(&HEADER).then(|| (raw::callable(), HEADER.len()))
}

#[inline(never)]
fn signal(decoder: &Decoder, bytes: &[u8], floods: Option<&mut Floods>) -> Option<(NewValue, usize)> {
    const HEADER: [u8; 4] = [SIGNAL, 0, 0, 0];
    let mut parts = decoder.parts(bytes)?;
    parts.skip(HEADER.len()).filter(|()| bytes.starts_with(&HEADER))?;
    let name = str::from_utf8(parts.name()?).ok().filter(|name| !name.contains('\0'))?;
    let object_id = u64::from_le_bytes(*parts.rest().first_chunk()?);
    parts.skip(size_of::<u64>())?;
    if floods.is_some_and(|floods| !floods.new_name(name)) {
        return None;
    }
    Some((raw::signal(name, object_id)?, parts.used()))
}

#[inline(never)]
fn strings(decoder: &Decoder, bytes: &[u8]) -> Option<(NewValue, usize)> {
    let mut parts = decoder.parts(bytes)?;
    let count = parts.begin_strings()?;
    let mut strings = StringsFill::new(count);
    for _ in 0..count {
        match parts.terminated_text()? {
            Single::Ascii(text) => strings.push_ascii(text),
            Single::NotAscii(text) if strings.push_utf8(text) => {}
            _ => return None,
        }
    }
    Some((strings.finish().into(), parts.used()))
}

/// Lets a decoder read a value without objects and typed containers. Returns it and the number of its bytes. The last array of bytes may
/// lack its padding, which the engine counts.
#[inline(never)]
pub(super) fn by_decoder(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    floods: Option<&mut Floods>,
) -> Option<(NewValue, usize)> {
    let mut builder = LazyDrop::new(EngineBuilder::new(false, MistypedMembers::LeaveOut, Floods::allowed()));
    builder.array = array;
    builder.refuses_typed = true;
    let decoded = match floods {
        None => decoder.decode_with(bytes, &mut *builder),
        Some(floods) => {
            swap(floods, builder.floods());
            let decoded = decoder.decode_with(bytes, &mut *builder);
            swap(floods, builder.floods());
            decoded
        }
    };
    decoded.ok().map(|decoded| (decoded.value, decoded.used))
}
