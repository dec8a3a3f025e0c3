//! Filling containers in place.

use godot::builtin::{GString, PackedByteArray, PackedStringArray, StringName, Variant};
use godot::meta::ToGodot;
use godot::sys;
use varbytes::VariantType;

use super::engine;
use super::interface::{ARRAY, DICTIONARY};
use super::look::{payload, type_of};
use super::make::{self, gstring};

/// An Array of a known size, filled from the front.
pub(crate) struct ArrayFill {
    array: Variant,
    /// The first member and how many there are. They stay where they are: nothing else knows the array yet.
    first: *mut Variant,
    size: usize,
    filled: usize,
    /// Members that own something before they are written, as a typed Array of containers has.
    owned: bool,
}

impl ArrayFill {
    /// Members of any type, or all of one built-in type that is not `Object`.
    #[inline]
    pub(crate) fn new(size: usize, member_type: Option<VariantType>) -> Self {
        let array = make::empty(VariantType::Array);
        // SAFETY: the payload of the Array just made; a StringName and a Variant that live for the call.
        unsafe {
            let place = payload::<u8>(&array, ARRAY).cast_mut();
            if let Some(member_type) = member_type {
                sys::interface_fn!(array_set_typed)(
                    place.cast(),
                    member_type as sys::GDExtensionVariantType,
                    StringName::default().string_sys(),
                    Variant::nil().var_sys(),
                );
            }
            let first: *mut Variant = if size == 0 {
                std::ptr::null_mut()
            } else {
                resize(place, ARRAY, size);
                sys::interface_fn!(array_operator_index)(place.cast(), 0).cast()
            };
            // Out of memory, the engine gives no address.
            let size = if first.is_null() { 0 } else { size };
            Self { array, first, size, filled: 0, owned: member_type.is_some() }
        }
    }

    /// Writes the next member, which must be of the Array's type. One too many is left out.
    #[inline]
    pub(crate) fn push(&mut self, value: Variant) {
        if self.filled == self.size {
            return;
        }
        // SAFETY: a member of the array, which is a Variant in either case; null owns nothing and needs no drop.
        unsafe {
            let place = self.first.add(self.filled);
            if self.owned { *place = value } else { place.write(value) }
        }
        self.filled += 1;
    }

    /// The Array, as long as it was filled.
    #[inline]
    pub(crate) fn finish(self) -> Variant {
        if self.filled < self.size {
            // SAFETY: the payload of the Array.
            unsafe { resize(payload::<u8>(&self.array, ARRAY).cast_mut(), ARRAY, self.filled) };
        }
        self.array
    }
}

/// A Dictionary being filled.
pub(crate) struct DictionaryFill {
    dictionary: Variant,
}

impl DictionaryFill {
    /// With the types of keys and values, each a built-in type that is not `Object`.
    #[inline]
    pub(crate) fn new(key_type: Option<VariantType>, value_type: Option<VariantType>) -> Self {
        let dictionary = make::empty(VariantType::Dictionary);
        if key_type.is_some() || value_type.is_some() {
            let (name, none) = (StringName::default(), Variant::nil());
            let number = |member: Option<VariantType>| member.map_or(0, |member| member as sys::GDExtensionVariantType);
            // SAFETY: the payload of the Dictionary just made; names and Variants that live for the call.
            unsafe {
                sys::interface_fn!(dictionary_set_typed)(
                    payload::<u8>(&dictionary, DICTIONARY).cast_mut().cast(),
                    number(key_type),
                    name.string_sys(),
                    none.var_sys(),
                    number(value_type),
                    name.string_sys(),
                    none.var_sys(),
                );
            }
        }
        Self { dictionary }
    }

    /// Goes on with a Dictionary that the engine made; `None` where it is something else.
    pub(crate) fn continued(dictionary: Variant) -> Option<Self> {
        (type_of(&dictionary) == DICTIONARY).then_some(Self { dictionary })
    }

    /// Sets a key as `dictionary[key] = value` does.
    #[inline]
    pub(crate) fn insert(&mut self, key: &Variant, value: Variant) {
        // SAFETY: the payload of a Dictionary; the engine gives the address of the value, a live Variant that
        // stays there until the next change.
        unsafe {
            let place = payload::<u8>(&self.dictionary, DICTIONARY).cast_mut();
            let slot: *mut Variant = sys::interface_fn!(dictionary_operator_index)(place.cast(), key.var_sys()).cast();
            if type_of(&*slot) == 0 { slot.write(value) } else { *slot = value }
        }
    }

    pub(crate) fn finish(self) -> Variant {
        self.dictionary
    }
}

/// A PackedStringArray of a known size, filled from the front.
pub(crate) struct StringsFill {
    array: PackedStringArray,
    /// The first string and how many there are; nothing else knows the array yet.
    first: *mut GString,
    size: usize,
    filled: usize,
}

impl StringsFill {
    pub(crate) fn new(size: usize) -> Self {
        let mut array = PackedStringArray::new();
        array.resize(size);
        let strings = array.as_mut_slice();
        let (first, size) = (strings.as_mut_ptr(), strings.len());
        Self { array, first, size, filled: 0 }
    }

    /// Writes the next string. One too many is left out.
    pub(crate) fn push(&mut self, text: &str) {
        if self.filled < self.size {
            // SAFETY: a string of the array. It is empty and so owns nothing that would have to be freed.
            unsafe { self.first.add(self.filled).write(gstring(text)) };
            self.filled += 1;
        }
    }

    pub(crate) fn finish(self) -> Variant {
        self.array.to_variant()
    }
}

/// A PackedByteArray of `size` bytes that `write` fills in full.
pub(crate) fn packed_bytes(size: usize, write: impl FnOnce(&mut [u8])) -> PackedByteArray {
    let mut array = PackedByteArray::new();
    array.resize(size);
    write(array.as_mut_slice());
    array
}

/// Sets a property of an object as `Object.set` does; what the object does not take is lost, as there.
pub(crate) fn set_property(object: &mut Variant, name: &StringName, value: &Variant) {
    let mut valid = 0;
    // SAFETY: a live Variant, a live name, and a Variant that lives for the call.
    unsafe {
        sys::interface_fn!(variant_set_named)(object.var_sys_mut(), name.string_sys(), value.var_sys(), &raw mut valid);
    }
}

/// Resizes a container at a payload.
///
/// # Safety
/// The payload must be of that type.
unsafe fn resize(container: *mut u8, variant_type: usize, size: usize) {
    let size = size as i64;
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    let mut error = 0_i64;
    if let Some(method) = engine().interface.resize[variant_type] {
        // SAFETY: the method takes an int and gives an int.
        unsafe { method(container.cast(), arguments.as_ptr(), (&raw mut error).cast(), 1) };
    }
}
