//! Fills containers in place.

use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use godot::builtin::{GString, PackedByteArray, StringName, Variant};
use godot::sys;
use varbytes::build::FixedRun;
use varbytes::{InPlace, VariantType};

use super::container::Container;
use super::create::{gstring, gstring_of_ascii, gstring_of_utf8, scalar};
use super::engine::engine;
use super::interface::{ARRAY, DICTIONARY};
use super::member_types::without_type;
use super::memory::note_refusal;
use super::new_bytes::{put_packed, resize};
use super::new_value::NewValue;
use super::numbers::{WireNumbers, is_in_place, write_in_place};
use super::reserve::dictionary_with_space;
use super::runs::fill;
use super::view::{owns_nothing, size, type_of};

/// An Array of a known size, filled from the front. It is small because the decoder moves it for each nested container.
pub(crate) struct ArrayFill {
    array: Container<ARRAY>,
    /// The next member and the end. The addresses do not change: there is no other reference to the array yet.
    next: NonNull<Variant>,
    end: NonNull<Variant>,
}

impl ArrayFill {
    /// Creates an Array of any type, or of one built-in type other than `Object`.
    #[inline(always)]
    pub(crate) fn new(size: usize, member_type: Option<VariantType>) -> Self {
        let mut array = Container::new();
        let Some(built_in) = member_type else { return Self::with_space(array, size) };
        let Some(places) = engine().layout.member_types else {
            set_typed(&mut array, &TypedBy::Builtin(built_in));
            return Self::with_space(array, size);
        };
        // The type is set last: with one, the engine would give each new member its initial value.
        let mut fill = Self::with_space(array, size);
        // SAFETY: a new Array, whose members are null until they are written or removed.
        unsafe { places.members.set(fill.array.address(), built_in) };
        fill
    }

    /// Creates an Array of objects.
    #[inline(never)]
    pub(crate) fn of_objects(size: usize, member_type: &TypedBy<'_>) -> Self {
        Self::with_space(empty_of_objects(member_type), size)
    }

    /// Gives an empty Array its members.
    #[inline(always)]
    fn with_space(mut array: Container<ARRAY>, size: usize) -> Self {
        let place = array.address();
        let first = if size == 0 {
            None
        } else {
            // SAFETY: a new Array, to which this is the only reference. It has a first member if it could be resized.
            unsafe {
                if resize(place, ARRAY, size) {
                    NonNull::new(first_member(place))
                } else {
                    note_refusal();
                    None
                }
            }
        };
        match first {
            // SAFETY: the engine stores that many members contiguously.
            Some(first) => Self { array, next: first, end: unsafe { first.add(size) } },
            None => Self { array, next: NonNull::dangling(), end: NonNull::dangling() },
        }
    }

    /// Writes the next member, which must be of the Array's type. Extra members are left out.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: NewValue) {
        if self.next == self.end {
            return;
        }
        // SAFETY: a member of the array, which is a Variant.
        unsafe {
            put(self.next, value);
            self.next = self.next.add(1);
        }
    }

    /// Writes the next member, as [`push`](Self::push) does.
    #[inline(always)]
    pub(crate) fn push_numbers(&mut self, value: &WireNumbers<'_>) {
        if self.next == self.end {
            return;
        }
        // SAFETY: a member of the array, which is a Variant.
        unsafe {
            value.write_over(self.next.as_ptr());
            self.next = self.next.add(1);
        }
    }

    /// Writes the next members, which must be of the Array's type. Extra members are left out.
    pub(crate) fn push_run(&mut self, members: FixedRun<'_>) {
        // SAFETY: both pointers are within or at the end of the members, which are Variants. Those of a typed Array are of its
        // type, and those of any other are null.
        unsafe {
            let room = self.end.offset_from_unsigned(self.next);
            self.next = self.next.add(fill(self.next, room, members));
        }
    }

    /// Returns whether the Array has that many members and none is written yet.
    pub(crate) fn lacks_all(&mut self, count: usize) -> bool {
        // SAFETY: both pointers are within or at the end of the members.
        unsafe { self.end.offset_from_unsigned(self.next) == count && size(self.array.address(), ARRAY) == count }
    }

    /// Replaces the whole Array by one that has all members.
    pub(crate) fn replace(&mut self, array: NewValue) {
        self.array = Container::shared(&array.into_variant());
        self.next = self.end;
    }

    /// Returns the Array, shortened to the members that were written.
    #[inline]
    pub(crate) fn finish(mut self) -> NewValue {
        if self.next != self.end {
            // SAFETY: both pointers are within or at the end of the members. The Array is resized after that.
            unsafe {
                let missing = self.end.offset_from_unsigned(self.next);
                let place = self.array.address();
                resize(place, ARRAY, size(place, ARRAY) - missing);
            }
        }
        self.array.into_value()
    }
}

/// Returns the address of the first member of an Array.
///
/// # Safety
/// The Array must have a member, and there must be no other reference to it.
#[inline(always)]
pub(super) unsafe fn first_member(array: *mut u8) -> *mut Variant {
    // SAFETY: by the caller.
    unsafe {
        match engine().layout.array_members {
            Some(members) => members.first(array),
            None => sys::interface_fn!(array_operator_index)(array.cast(), 0).cast(),
        }
    }
}

/// The type of the members of a container.
pub(crate) enum TypedBy<'t> {
    /// Any type.
    Any,
    /// A built-in type that is not `Object`.
    Builtin(VariantType),
    /// Objects of a class and a script. An empty class and a null script allow any.
    Objects(&'t StringName, &'t Variant),
}

impl TypedBy<'_> {
    /// Returns the type if it is built-in, and `Nil` for any type.
    #[inline(always)]
    const fn built_in(&self) -> Option<VariantType> {
        match self {
            Self::Any => Some(VariantType::Nil),
            Self::Builtin(built_in) => Some(*built_in),
            Self::Objects(..) => None,
        }
    }

    /// Returns the arguments for the engine's functions. The caller provides the empty name and the null Variant.
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

/// An empty name and null. They own nothing, so they are not dropped.
#[inline(always)]
fn nothing() -> (ManuallyDrop<StringName>, ManuallyDrop<Variant>) {
    (ManuallyDrop::new(StringName::default()), ManuallyDrop::new(scalar::null()))
}

/// Creates an empty Array of objects.
fn empty_of_objects(member_type: &TypedBy<'_>) -> Container<ARRAY> {
    let mut array = Container::<ARRAY>::new();
    set_typed(&mut array, member_type);
    array
}

/// Lets the engine print that a value does not fit in an Array of objects, as when it is appended.
#[cold]
pub(crate) fn print_mistyped(member_type: &TypedBy<'_>, member: &Variant) {
    let mut array = empty_of_objects(member_type);
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [member.var_sys().cast()];
    // SAFETY: the method takes a Variant and returns nothing.
    unsafe {
        (engine().interface.array_push_back)(array.address().cast(), arguments.as_ptr(), std::ptr::null_mut(), 1)
    };
}

/// Sets the member type of an empty Array.
pub(super) fn set_typed(array: &mut Container<ARRAY>, member_type: &TypedBy<'_>) {
    let (no_name, no_script) = nothing();
    let (builtin, class, script) = member_type.parts(&no_name, &no_script);
    // SAFETY: an Array; a StringName and a Variant that live for the call.
    unsafe {
        sys::interface_fn!(array_set_typed)(array.address().cast(), builtin, class.string_sys(), script.var_sys())
    };
}

/// Writes a value over the engine's initial value, which is null except in typed containers.
///
/// # Safety
/// A Variant must be there.
#[inline(always)]
unsafe fn put(place: NonNull<Variant>, value: NewValue) {
    // SAFETY: by the caller.
    unsafe {
        if owns_nothing(place.as_ref()) {
            value.write_to(place.as_ptr());
        } else {
            *place.as_ptr() = value.into_variant();
        }
    }
}

/// A Dictionary that is being filled.
pub(crate) struct DictionaryFill {
    dictionary: Container<DICTIONARY>,
}

impl DictionaryFill {
    /// Creates a Dictionary for `count` entries, with the types of keys and values.
    #[inline(always)]
    pub(crate) fn new(count: usize, key_type: &TypedBy<'_>, value_type: &TypedBy<'_>) -> Self {
        let mut dictionary = dictionary_with_space(count);
        if !matches!((key_type, value_type), (TypedBy::Any, TypedBy::Any)) {
            set_types(&mut dictionary, key_type, value_type);
        }
        Self { dictionary }
    }

    /// Continues with a Dictionary that the engine created. Returns `None` if the value is not a Dictionary.
    pub(crate) fn continued(dictionary: &Variant) -> Option<Self> {
        (type_of(dictionary) == DICTIONARY).then(|| Self { dictionary: Container::shared(dictionary) })
    }

    /// Sets a key as `dictionary[key] = value` does.
    #[inline(always)]
    pub(crate) fn insert(&mut self, key: &Variant, value: NewValue) {
        if let Some(slot) = self.slot(key) {
            // SAFETY: a live Variant.
            unsafe { put(slot, value) };
        }
    }

    /// Sets a key, as [`insert`](Self::insert) does.
    #[inline(always)]
    pub(crate) fn insert_numbers(&mut self, key: &Variant, value: &WireNumbers<'_>) {
        if let Some(slot) = self.slot(key) {
            // SAFETY: a live Variant.
            unsafe { value.write_over(slot.as_ptr()) };
        }
    }

    /// Sets a key, as [`insert`](Self::insert) does.
    ///
    /// # Panics
    /// Panics if the engine does not store the value as expected.
    #[inline(always)]
    pub(crate) fn insert_in_place(&mut self, key: &Variant, value: InPlace) {
        assert!(is_in_place(value));
        if let Some(slot) = self.slot(key) {
            // SAFETY: a live Variant, and a value that the engine stores as expected.
            unsafe { write_in_place(slot, value) };
        }
    }

    /// Returns the place for the value of a key, a live Variant that stays there until the next change.
    #[inline(always)]
    fn slot(&mut self, key: &Variant) -> Option<NonNull<Variant>> {
        let place = self.dictionary.address();
        // SAFETY: a Dictionary, to which this is the only reference.
        unsafe {
            let add = || sys::interface_fn!(dictionary_operator_index)(place.cast(), key.var_sys());
            NonNull::new(without_type(place, engine().layout.member_types.map(|types| types.values), add).cast())
        }
    }

    /// The number of entries. Duplicate keys share one entry.
    pub(crate) fn len(&mut self) -> usize {
        // SAFETY: a Dictionary.
        unsafe { size(self.dictionary.address(), DICTIONARY) }
    }

    #[inline]
    pub(crate) fn finish(self) -> NewValue {
        self.dictionary.into_value()
    }
}

/// Sets the types of keys and values of a new Dictionary.
#[inline(always)]
fn set_types(dictionary: &mut Container<DICTIONARY>, key_type: &TypedBy<'_>, value_type: &TypedBy<'_>) {
    match (engine().layout.member_types, key_type.built_in(), value_type.built_in()) {
        // SAFETY: a new Dictionary.
        (Some(places), Some(key), Some(value)) => unsafe {
            places.set_of_dictionary(dictionary.address(), [key, value])
        },
        _ => set_types_by_engine(dictionary, key_type, value_type),
    }
}

#[inline(never)]
fn set_types_by_engine(dictionary: &mut Container<DICTIONARY>, key_type: &TypedBy<'_>, value_type: &TypedBy<'_>) {
    let (no_name, no_script) = nothing();
    let (key, key_class, key_script) = key_type.parts(&no_name, &no_script);
    let (value, value_class, value_script) = value_type.parts(&no_name, &no_script);
    // SAFETY: a Dictionary; names and Variants that live for the call.
    unsafe {
        sys::interface_fn!(dictionary_set_typed)(
            dictionary.address().cast(),
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
    array: Variant,
    /// The first string and the number of strings. There is no other reference to the array yet.
    first: *mut GString,
    size: usize,
    filled: usize,
}

impl StringsFill {
    pub(crate) fn new(size: usize) -> Self {
        let (mut array, mut strings) = (scalar::null(), (NonNull::dangling().as_ptr(), 0));
        put_packed(&mut array, size, |elements: &mut [GString]| strings = (elements.as_mut_ptr(), elements.len()));
        let (first, size) = strings;
        Self { array, first, size, filled: 0 }
    }

    /// Writes the next string. Extra strings are left out.
    pub(crate) fn push(&mut self, text: &str) {
        self.write(|| gstring(text));
    }

    /// Writes the next string, which is ASCII without NUL.
    pub(crate) fn push_ascii(&mut self, text: &[u8]) {
        self.write(|| gstring_of_ascii(text));
    }

    /// Writes the next string, which has no NUL, if the bytes are UTF-8. Returns whether they are.
    pub(crate) fn push_utf8(&mut self, text: &[u8]) -> bool {
        gstring_of_utf8(text).is_some_and(|string| {
            self.write(|| string);
            true
        })
    }

    #[inline(always)]
    fn write(&mut self, string: impl FnOnce() -> GString) {
        if self.filled < self.size {
            // SAFETY: a string of the array. It is empty, so it owns nothing that would have to be freed.
            unsafe { self.first.add(self.filled).write(string()) };
            self.filled += 1;
        }
    }

    pub(crate) fn finish(self) -> Variant {
        self.array
    }
}

/// Lets the engine read a value without objects from a position in an array. Returns `None` if the engine lacks the method, or
/// if the value is of another type.
pub(crate) fn decode_var(array: &PackedByteArray, position: usize, variant_type: VariantType) -> Option<NewValue> {
    let method = engine().interface.decode_var?;
    let (position, objects) = (position as i64, 0_u8);
    let arguments: [sys::GDExtensionConstTypePtr; 2] = [(&raw const position).cast(), (&raw const objects).cast()];
    let mut value = scalar::null();
    let array: *const PackedByteArray = array;
    // SAFETY: the method takes an int and a bool, and returns a Variant. It does not change the array.
    unsafe { method(array.cast_mut().cast(), arguments.as_ptr(), value.var_sys_mut().cast(), 2) };
    let variant_type = variant_type as usize;
    (type_of(&value) == variant_type).then(|| value.into())
}
