//! Drops a value of any depth with little stack.
//!
//! Dropping nested containers is recursive by default. A value nested a million levels deep, which a caller can build
//! or a raised depth limit can admit, would overflow the stack. So containers empty themselves: the first levels by
//! recursion, which is fast, the deeper ones with a work list on the heap.

use alloc::vec::Vec;
use core::mem;

use super::borrowed::{ArrayRef, DictionaryRef, ObjectRef, VariantRef};
use super::math::Components;
use super::owned::{Array, Dictionary, Object, ObjectData, Variant};

/// Levels that are emptied by recursion. Each takes about a hundred bytes of stack.
const RECURSIVE_LEVELS: u32 = 32;

/// A value that may contain others.
trait Nested: Default {
    /// Returns whether the value is of a common type that owns no heap memory. May return false for a value that owns
    /// none.
    fn is_inline(&self) -> bool;

    fn may_hold_values(&self) -> bool;

    /// Takes the members out of a container and drops them after showing each to `visit`.
    fn drop_members(&mut self, visit: impl FnMut(&mut Self));
}

impl Nested for Variant {
    #[inline(always)]
    fn is_inline(&self) -> bool {
        match self {
            Self::Nil | Self::Bool(_) | Self::Int(_) | Self::Float(_) => true,
            Self::String(text) => text.inline().is_some(),
            Self::Vector2(vector) => matches!(vector.0, Components::Single(_)),
            Self::Vector3(vector) => matches!(vector.0, Components::Single(_)),
            _ => false,
        }
    }

    #[inline]
    fn may_hold_values(&self) -> bool {
        self.may_hold_values()
    }

    fn drop_members(&mut self, mut visit: impl FnMut(&mut Self)) {
        match self {
            Self::Array(array) | Self::TypedArray(array) | Self::PackedTypedArray(array) => {
                array.0.take().iter_mut().for_each(visit);
            }
            Self::Dictionary(dictionary) => {
                dictionary.0.take().iter_mut().flat_map(|(key, value)| [key, value]).for_each(visit);
            }
            Self::Object(Object::Data(data)) => {
                mem::take(&mut data.properties).iter_mut().for_each(|(_, value)| visit(value));
            }
            _ => {}
        }
    }
}

impl Nested for VariantRef<'_> {
    #[inline(always)]
    fn is_inline(&self) -> bool {
        match self {
            Self::Owned(value) => value.is_inline(),
            Self::String(_) | Self::StringName(_) | Self::Signal { .. } | Self::PackedByteArray(_) => true,
            _ => false,
        }
    }

    fn may_hold_values(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Dictionary(_) | Self::Object(_))
    }

    fn drop_members(&mut self, mut visit: impl FnMut(&mut Self)) {
        match self {
            Self::Array(array) => mem::take(&mut array.elements).iter_mut().for_each(visit),
            Self::Dictionary(dictionary) => {
                mem::take(&mut dictionary.entries).iter_mut().flat_map(|(key, value)| [key, value]).for_each(visit);
            }
            Self::Object(object) => mem::take(&mut object.properties).iter_mut().for_each(|(_, value)| visit(value)),
            _ => {}
        }
    }
}

/// Empties the container in `value`, if it is one, so that dropping it does not recurse.
fn clear<V: Nested>(value: &mut V, level: u32) {
    if !value.may_hold_values() {
        return;
    }
    if level < RECURSIVE_LEVELS {
        return value.drop_members(|member| clear(member, level + 1));
    }
    let mut pending = Vec::from([mem::take(value)]);
    while let Some(mut value) = pending.pop() {
        value.drop_members(|member| {
            if member.may_hold_values() {
                pending.push(mem::take(member));
            }
        });
    }
}

/// Drops the members of a container. Most own no heap memory. If none does, there is nothing to do; checking that first
/// is faster than a match on each kind.
#[inline]
fn drop_all<M>(mut members: Vec<M>, is_inline: impl Fn(&M) -> bool, clear: impl FnMut(&mut M)) {
    if members.iter().all(is_inline) {
        return members.into_iter().for_each(mem::forget);
    }
    members.iter_mut().for_each(clear);
}

#[inline]
fn drop_elements<V: Nested>(elements: Vec<V>) {
    drop_all(elements, V::is_inline, |element| clear(element, 0));
}

#[inline]
fn drop_entries<V: Nested>(entries: Vec<(V, V)>) {
    let are_inline = |(key, value): &(V, V)| key.is_inline() && value.is_inline();
    drop_all(entries, are_inline, |(key, value)| {
        clear(key, 0);
        clear(value, 0);
    });
}

macro_rules! drops {
    ($($(#[$inline:ident])? $container:ty: $this:ident => $drop:expr;)*) => {$(
        impl Drop for $container {
            $(#[$inline])?
            fn drop(&mut $this) {
                $drop;
            }
        }
    )*};
}

drops! {
    Array: self => drop_elements(self.0.take());
    #[inline] ArrayRef<'_>: self => drop_elements(mem::take(&mut self.elements).into_vec());
    Dictionary: self => drop_entries(self.0.take());
    #[inline] DictionaryRef<'_>: self => drop_entries(mem::take(&mut self.entries).into_vec());
    ObjectData: self => self.properties.iter_mut().for_each(|(_, value)| clear(value, 0));
    ObjectRef<'_>: self => self.properties.iter_mut().for_each(|(_, value)| clear(value, 0));
}
