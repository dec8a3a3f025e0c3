//! Drops a value of any depth with little stack.
//!
//! Dropping nested containers is recursive by default. A value nested a million levels deep, which a caller can build
//! or a raised depth limit can admit, would overflow the stack. So containers empty themselves: the first levels by
//! recursion, which is fast, the deeper ones with a work list on the heap.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

use super::{Object, Variant};

/// Levels that are emptied by recursion. Each takes about a hundred bytes of stack.
const RECURSIVE_LEVELS: u32 = 32;

// Most members own no heap memory. If none does, there is nothing to do; checking that first is faster than a match on
// each kind.

#[inline]
pub(super) fn drop_elements(mut elements: Box<[Variant]>) {
    if elements.iter().all(Variant::is_inline) {
        return elements.into_vec().into_iter().for_each(mem::forget);
    }
    elements.iter_mut().filter(|element| element.may_hold_values()).for_each(|element| clear(element, 0));
}

#[inline]
pub(super) fn drop_entries(mut entries: Box<[(Variant, Variant)]>) {
    if entries.iter().all(|(key, value)| key.is_inline() && value.is_inline()) {
        return entries.into_vec().into_iter().for_each(mem::forget);
    }
    let members = entries.iter_mut().flat_map(|(key, value)| [key, value]);
    members.filter(|member| member.may_hold_values()).for_each(|member| clear(member, 0));
}

pub(super) fn clear_properties(properties: &mut Vec<(String, Variant)>) {
    for (_, value) in properties {
        clear(value, 0);
    }
}

/// Empties the container in `value`, if it is one, so that dropping it does not recurse.
fn clear(value: &mut Variant, level: u32) {
    if !value.may_hold_values() {
        return;
    }
    if level == RECURSIVE_LEVELS {
        clear_with_work_list(mem::take(value));
        return;
    }
    match value {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            let mut elements = array.take();
            for element in &mut elements {
                clear(element, level + 1);
            }
        }
        Variant::Dictionary(dictionary) => {
            let mut entries = dictionary.take();
            for (key, value) in &mut entries {
                clear(key, level + 1);
                clear(value, level + 1);
            }
        }
        Variant::Object(Object::Data(data)) => {
            let mut properties = mem::take(&mut data.properties);
            for (_, value) in &mut properties {
                clear(value, level + 1);
            }
        }
        _ => {}
    }
}

fn clear_with_work_list(value: Variant) {
    let mut pending = Vec::from([value]);
    while let Some(mut value) = pending.pop() {
        match &mut value {
            Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                pending.extend(array.take().into_iter().filter(Variant::may_hold_values));
            }
            Variant::Dictionary(dictionary) => {
                let entries = dictionary.take().into_iter();
                pending.extend(entries.flat_map(|(key, value)| [key, value]).filter(Variant::may_hold_values));
            }
            Variant::Object(Object::Data(data)) => {
                let properties = mem::take(&mut data.properties).into_iter();
                pending.extend(properties.map(|(_, value)| value).filter(Variant::may_hold_values));
            }
            _ => {}
        }
    }
}
