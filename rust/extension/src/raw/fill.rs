//! Filling containers in place.

use std::ptr::NonNull;

use godot::builtin::{GString, PackedByteArray, PackedStringArray, StringName, Variant};
use godot::meta::ToGodot;
use godot::sys;
use varbytes::VariantType;

use super::container::Container;
use super::create::gstring;
use super::engine::engine;
use super::interface::{ARRAY, BYTES, DICTIONARY};
use super::memory::note_refusal;
use super::new_value::NewValue;
use super::view::{size, type_of};

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
            set_typed(place, &TypedBy::Builtin(member_type));
        }
        let first = if size == 0 {
            None
        } else {
            // SAFETY: the Array just made, which has a first member where it could be resized.
            unsafe {
                if resize(place, ARRAY, size) {
                    NonNull::new(sys::interface_fn!(array_operator_index)(place.cast(), 0).cast())
                } else {
                    note_refusal();
                    None
                }
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
    pub(crate) fn push(&mut self, value: NewValue) {
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
    pub(crate) fn finish(mut self) -> NewValue {
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

/// The type of the members of a container.
pub(crate) enum TypedBy<'t> {
    /// None.
    Any,
    /// A built-in type that is not `Object`.
    Builtin(VariantType),
    /// Objects of a class, of any where it is empty, and of a script, of any or none where it is null.
    Objects(&'t StringName, &'t Variant),
}

impl TypedBy<'_> {
    /// As the engine's functions take it; the name and the Variant that stand for nothing are given.
    fn parts<'p>(
        &'p self,
        no_name: &'p StringName,
        no_script: &'p Variant,
    ) -> (sys::GDExtensionVariantType, &'p StringName, &'p Variant) {
        match self {
            Self::Any => (0, no_name, no_script),
            Self::Builtin(builtin) => (*builtin as sys::GDExtensionVariantType, no_name, no_script),
            Self::Objects(class, script) => (VariantType::Object as sys::GDExtensionVariantType, class, script),
        }
    }
}

/// An empty Array of objects.
pub(crate) fn array_of_objects(class: &StringName, script: &Variant) -> Variant {
    let mut array = Container::<ARRAY>::new();
    set_typed(array.place(), &TypedBy::Objects(class, script));
    array.into_value().into_variant()
}

/// Gives an empty Array the type of its members.
fn set_typed(array: *mut u8, member_type: &TypedBy<'_>) {
    let (no_name, no_script) = (StringName::default(), Variant::nil());
    let (builtin, class, script) = member_type.parts(&no_name, &no_script);
    // SAFETY: an Array; a StringName and a Variant that live for the call.
    unsafe { sys::interface_fn!(array_set_typed)(array.cast(), builtin, class.string_sys(), script.var_sys()) };
}

/// Writes a value over what the engine has put into a place, which is null in all but typed Arrays.
///
/// # Safety
/// A Variant must be there.
#[inline(always)]
unsafe fn put(place: NonNull<Variant>, value: NewValue) {
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
    /// With the types of keys and values.
    #[inline(always)]
    pub(crate) fn new(key_type: &TypedBy<'_>, value_type: &TypedBy<'_>) -> Self {
        let mut dictionary = Container::<DICTIONARY>::new();
        if !matches!((key_type, value_type), (TypedBy::Any, TypedBy::Any)) {
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
    pub(crate) fn insert(&mut self, key: &Variant, value: NewValue) {
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

    /// How many entries there are; entries of equal keys are one.
    pub(crate) fn len(&mut self) -> usize {
        // SAFETY: a Dictionary.
        unsafe { size(self.dictionary.place(), DICTIONARY) }
    }

    #[inline]
    pub(crate) fn finish(self) -> NewValue {
        self.dictionary.into_value()
    }
}

/// Gives an empty Dictionary the types of its keys and values.
fn set_types(dictionary: *mut u8, key_type: &TypedBy<'_>, value_type: &TypedBy<'_>) {
    let (no_name, no_script) = (StringName::default(), Variant::nil());
    let (key, key_class, key_script) = key_type.parts(&no_name, &no_script);
    let (value, value_class, value_script) = value_type.parts(&no_name, &no_script);
    // SAFETY: a Dictionary; names and Variants that live for the call.
    unsafe {
        sys::interface_fn!(dictionary_set_typed)(
            dictionary.cast(),
            key,
            key_class.string_sys(),
            key_script.var_sys(),
            value,
            value_class.string_sys(),
            value_script.var_sys(),
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
        if array.len() != size {
            note_refusal();
        }
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

/// A PackedByteArray of `size` bytes that `write` fills in full. Out of memory it is empty, and `write` is not called.
pub(crate) fn packed_bytes(size: usize, write: impl FnOnce(&mut [u8])) -> PackedByteArray {
    let mut array = PackedByteArray::new();
    if size == 0 {
        write(&mut []);
        return array;
    }
    // SAFETY: an array that nothing else refers to; where it could be resized, the engine gives the address of the first
    // of as many elements as were asked for.
    unsafe {
        if resize((&raw mut array).cast(), BYTES, size) {
            let first = sys::interface_fn!(packed_byte_array_operator_index)((&raw mut array).cast(), 0);
            write(std::slice::from_raw_parts_mut(first, size));
        } else {
            note_refusal();
        }
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

/// Resizes a container at a payload. Says whether there was memory for it.
///
/// # Safety
/// The payload must be of that type.
unsafe fn resize(container: *mut u8, variant_type: usize, size: usize) -> bool {
    let size = size as i64;
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    // The engine's `OK` is 0.
    let mut error = 1_i64;
    if let Some(method) = engine().interface.resize[variant_type] {
        // SAFETY: the method takes an int and gives an int.
        unsafe { method(container.cast(), arguments.as_ptr(), (&raw mut error).cast(), 1) };
    }
    error == 0
}
