//! Filling containers in place.

use std::ptr::NonNull;

use godot::builtin::{GString, PackedByteArray, PackedStringArray, StringName, Variant};
use godot::meta::ToGodot;
use godot::sys;
use varbytes::VariantType;

use super::container::Container;
use super::engine;
use super::interface::{ARRAY, BYTES, DICTIONARY};
use super::look::{size, type_of};
use super::made::Made;
use super::make::gstring;

/// An Array of a known size, filled from the front. It is as small as can be, because whatever reads containers in
/// containers moves it about.
pub(crate) struct ArrayFill {
    array: Container<ARRAY>,
    /// The next member and the end of all. They stay where they are: nothing else knows the array yet.
    next: NonNull<Variant>,
    end: NonNull<Variant>,
}

impl ArrayFill {
    /// Members of any type, or all of one built-in type that is not `Object`.
    #[inline(always)]
    pub(crate) fn new(size: usize, member_type: Option<VariantType>) -> Self {
        let mut array = Container::<ARRAY>::new();
        let place = array.place();
        if let Some(member_type) = member_type {
            set_typed(place, member_type);
        }
        let first = if size == 0 {
            None
        } else {
            // SAFETY: the Array just made; out of memory, the engine gives no address.
            unsafe {
                resize(place, ARRAY, size);
                NonNull::new(sys::interface_fn!(array_operator_index)(place.cast(), 0).cast())
            }
        };
        match first {
            // SAFETY: the engine keeps that many members one after another.
            Some(first) => Self { array, next: first, end: unsafe { first.add(size) } },
            None => Self { array, next: NonNull::dangling(), end: NonNull::dangling() },
        }
    }

    /// Writes the next member, which must be of the Array's type. One too many is left out.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: Made) {
        if self.next == self.end {
            return;
        }
        // SAFETY: a member of the array, which is a Variant in either case.
        unsafe {
            put(self.next, value);
            self.next = self.next.add(1);
        }
    }

    /// The Array, as long as it was filled.
    #[inline]
    pub(crate) fn finish(mut self) -> Made {
        if self.next != self.end {
            // SAFETY: both are in or at the end of the members of the Array, which are resized after that.
            unsafe {
                let missing = self.end.offset_from_unsigned(self.next);
                let place = self.array.place();
                resize(place, ARRAY, size(place, ARRAY) - missing);
            }
        }
        self.array.into_value()
    }
}

/// Gives an empty Array the type of its members, a built-in type that is not `Object`.
fn set_typed(array: *mut u8, member_type: VariantType) {
    // SAFETY: an Array; a StringName and a Variant that live for the call.
    unsafe {
        sys::interface_fn!(array_set_typed)(
            array.cast(),
            member_type as sys::GDExtensionVariantType,
            StringName::default().string_sys(),
            Variant::nil().var_sys(),
        );
    }
}

/// Writes a value over what the engine has put into a place, which is null in all but typed Arrays.
///
/// # Safety
/// A Variant must be there.
#[inline(always)]
unsafe fn put(place: NonNull<Variant>, value: Made) {
    // SAFETY: by the caller. Null owns nothing and needs no drop.
    unsafe {
        if type_of(place.as_ref()) == 0 {
            value.write_to(place.as_ptr());
        } else {
            *place.as_ptr() = value.into_variant();
        }
    }
}

/// A Dictionary being filled.
pub(crate) struct DictionaryFill {
    dictionary: Container<DICTIONARY>,
}

impl DictionaryFill {
    /// With the types of keys and values, each a built-in type that is not `Object`.
    #[inline(always)]
    pub(crate) fn new(key_type: Option<VariantType>, value_type: Option<VariantType>) -> Self {
        let mut dictionary = Container::<DICTIONARY>::new();
        if key_type.is_some() || value_type.is_some() {
            set_types(dictionary.place(), key_type, value_type);
        }
        Self { dictionary }
    }

    /// Goes on with a Dictionary that the engine made; `None` where it is something else.
    pub(crate) fn continued(dictionary: &Variant) -> Option<Self> {
        (type_of(dictionary) == DICTIONARY).then(|| Self { dictionary: Container::shared(dictionary) })
    }

    /// Sets a key as `dictionary[key] = value` does.
    #[inline(always)]
    pub(crate) fn insert(&mut self, key: Made, value: Made) {
        let key = key.into_variant();
        // SAFETY: a Dictionary; the engine gives the address of the value, a live Variant that stays there until the
        // next change.
        unsafe {
            let place = self.dictionary.place();
            let slot = sys::interface_fn!(dictionary_operator_index)(place.cast(), key.var_sys());
            if let Some(slot) = NonNull::new(slot.cast()) {
                put(slot, value);
            }
        }
    }

    #[inline]
    pub(crate) fn finish(self) -> Made {
        self.dictionary.into_value()
    }
}

/// Gives an empty Dictionary the types of its keys and values, each a built-in type that is not `Object`.
fn set_types(dictionary: *mut u8, key_type: Option<VariantType>, value_type: Option<VariantType>) {
    let (name, none) = (StringName::default(), Variant::nil());
    let number = |member: Option<VariantType>| member.map_or(0, |member| member as sys::GDExtensionVariantType);
    // SAFETY: a Dictionary; names and Variants that live for the call.
    unsafe {
        sys::interface_fn!(dictionary_set_typed)(
            dictionary.cast(),
            number(key_type),
            name.string_sys(),
            none.var_sys(),
            number(value_type),
            name.string_sys(),
            none.var_sys(),
        );
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
    if size > 0 {
        // SAFETY: an array that nothing else refers to; the engine gives the address of the first of its elements, of
        // which there are as many as asked for or, out of memory, none.
        unsafe {
            resize((&raw mut array).cast(), BYTES, size);
            let first = sys::interface_fn!(packed_byte_array_operator_index)((&raw mut array).cast(), 0);
            if first.is_null() {
                write(&mut []);
            } else {
                write(std::slice::from_raw_parts_mut(first, size));
            }
        }
    } else {
        write(&mut []);
    }
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
