//! Dropping a value of any depth on a small stack.
//!
//! Dropping nested containers recurses by nature: a value nested a million deep, which a caller can
//! build and a raised depth limit can admit, would overflow the stack. Containers therefore empty
//! themselves: the first levels by plain recursion, which is fast, and whatever lies deeper through a
//! work list on the heap.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

use super::{Object, Variant};

/// Levels emptied by recursion. Each costs about a hundred bytes of stack.
const RECURSIVE_LEVELS: u32 = 32;

// Most members are in their node with all they have. Where all are, there is nothing to do, which is seen sooner by
// itself than by asking what there is to do for each kind.

#[inline]
pub(super) fn drop_elements(mut elements: Box<[Variant]>) {
    if elements.iter().all(Variant::is_in_place) {
        return elements.into_vec().into_iter().for_each(mem::forget);
    }
    elements.iter_mut().filter(|element| element.may_hold_values()).for_each(|element| clear(element, 0));
}

#[inline]
pub(super) fn drop_entries(mut entries: Box<[(Variant, Variant)]>) {
    if entries.iter().all(|(key, value)| key.is_in_place() && value.is_in_place()) {
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

/// Empties the container in `value`, if it is one, so that dropping it has nothing left to descend into.
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
