//! The types that typed containers require of their members.

use godot::builtin::{StringName, Variant};
use varbytes::Profile;
use varbytes::variant::ContainerType;

use super::engine::engine;
use super::interface::{ARRAY, Call, DICTIONARY, OBJECT};
use super::member_types::type_of_members;
use super::scripts::path_of;
use super::view::{payload, type_of};

/// Returns whether an Array or Dictionary is typed.
#[inline]
pub(crate) fn is_typed(container: &Variant) -> bool {
    let Some(places) = engine().layout.member_types else { return is_typed_by_interface(container) };
    // SAFETY: payloads of the type.
    unsafe {
        match type_of(container) {
            ARRAY => type_of_members(payload::<u8>(container, ARRAY), places.members) != 0,
            DICTIONARY => {
                let place = payload::<u8>(container, DICTIONARY);
                type_of_members(place, places.keys) | type_of_members(place, places.values) != 0
            }
            _ => false,
        }
    }
}

#[inline(never)]
fn is_typed_by_interface(container: &Variant) -> bool {
    let interface = &engine().interface;
    let (variant_type, method) = match type_of(container) {
        ARRAY => (ARRAY, interface.array_is_typed),
        DICTIONARY => (DICTIONARY, interface.dictionary_is_typed),
        _ => return false,
    };
    let mut typed = 0_u8;
    // SAFETY: the method belongs to the type and returns a bool, which takes one byte.
    unsafe {
        let place = payload::<u8>(container, variant_type);
        method(place.cast_mut().cast(), std::ptr::null(), (&raw mut typed).cast(), 0);
    }
    typed != 0
}

/// Returns the type of the members of an Array, or of the values of a Dictionary, or of its keys if `keys` is true.
pub(crate) fn member_type(container: &Variant, keys: bool) -> Option<ContainerType> {
    let variant_type = type_of(container);
    let place = engine().layout.member_types.and_then(|places| match variant_type {
        ARRAY => Some(places.members),
        DICTIONARY if keys => Some(places.keys),
        DICTIONARY => Some(places.values),
        _ => None,
    });
    // SAFETY: a payload of the type.
    match place.map(|place| unsafe { type_of_members(payload::<u8>(container, variant_type), place) } as usize) {
        Some(0) => None,
        Some(found) if found != OBJECT => built_in(found),
        _ => asked_type(container, keys),
    }
}

fn built_in(variant_type: usize) -> Option<ContainerType> {
    Profile::NEWEST.types().get(variant_type).copied().map(ContainerType::Builtin)
}

/// Returns the type as [`member_type`] does, through the official interface.
#[inline(never)]
fn asked_type(container: &Variant, keys: bool) -> Option<ContainerType> {
    let interface = &engine().interface;
    let (variant_type, [builtin, class, script]) = match type_of(container) {
        ARRAY => (ARRAY, interface.array_type),
        DICTIONARY if keys => (DICTIONARY, interface.dictionary_key_type),
        DICTIONARY => (DICTIONARY, interface.dictionary_value_type),
        _ => return None,
    };
    let mut found = 0_i64;
    let mut name = StringName::default();
    let mut held = Variant::nil();
    // SAFETY: the methods belong to the type and return an int, a StringName and a Variant.
    unsafe {
        let place = payload::<u8>(container, variant_type).cast_mut();
        let ask = |method: Call, answer| method(place.cast(), std::ptr::null(), answer, 0);
        ask(builtin, (&raw mut found).cast());
        ask(class, (&raw mut name).cast());
        ask(script, (&raw mut held).cast());
    }
    match usize::try_from(found).unwrap_or(0) {
        0 => None,
        OBJECT => {
            // Not through the property `resource_path`, whose getter could be a script's code.
            if let Some(path) = held.object_id_unchecked().and_then(path_of) {
                return Some(ContainerType::Script(path.to_string()));
            }
            if name.is_empty() {
                return built_in(OBJECT);
            }
            Some(ContainerType::Class(name.to_string()))
        }
        found => built_in(found),
    }
}
