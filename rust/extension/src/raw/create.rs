//! Creates engine values.

use std::mem::{ManuallyDrop, MaybeUninit};

use godot::builtin::{Callable, GString, NodePath, Rid, StringName, Variant};
use godot::meta::ToGodot;
use godot::sys;
use varbytes::VariantType;

use super::engine::engine;
use super::interface::{CALLABLE, NODE_PATH, OBJECT, RID, SIGNAL, STRING, STRING_NAME};
use super::layout::assemble;
use super::memory::note_refusal;
use super::new_value::NewValue;
use super::utf8;
use super::view::type_of;

/// `null`, `bool`, `int` and `float`.
pub(crate) mod scalar {
    use super::{NewValue, engine};
    use godot::builtin::Variant;
    use godot::meta::ToGodot;

    #[inline(always)]
    fn scalar(variant_type: usize, payload: u64, official: impl FnOnce() -> Variant) -> NewValue {
        if engine().layout.assembled {
            // SAFETY: verified when the library was loaded. These types own nothing.
            unsafe { NewValue::of_parts(variant_type, payload) }
        } else {
            official().into()
        }
    }

    #[inline(always)]
    pub(crate) fn nil() -> NewValue {
        scalar(0, 0, Variant::nil)
    }

    /// Returns null as a Variant. Moving it is faster than moving that of `Variant::nil`, which the engine writes in parts: avoids a
    /// store-forwarding stall.
    #[inline(always)]
    pub(crate) fn null() -> Variant {
        nil().into_variant()
    }

    #[inline(always)]
    pub(crate) fn bool(value: bool) -> NewValue {
        scalar(1, u64::from(value), || value.to_variant())
    }

    #[inline(always)]
    pub(crate) fn int(value: i64) -> NewValue {
        scalar(2, value.cast_unsigned(), || value.to_variant())
    }

    #[inline(always)]
    pub(crate) fn float(value: f64) -> NewValue {
        scalar(3, value.to_bits(), || value.to_variant())
    }
}

/// Returns a `String`.
#[inline]
pub(crate) fn string(text: &str) -> NewValue {
    value_of(gstring(text))
}

/// Returns a `String` of ASCII text without NUL.
#[inline]
pub(crate) fn string_of_ascii(text: &[u8]) -> NewValue {
    value_of(gstring_of_ascii(text))
}

/// Returns a `String` of UTF-8 without NUL, or `None` if the bytes are not UTF-8.
#[inline]
pub(crate) fn string_of_utf8(text: &[u8]) -> Option<NewValue> {
    gstring_of_utf8(text).map(value_of)
}

#[inline(always)]
fn value_of(string: GString) -> NewValue {
    of_pointer(STRING, string)
}

/// Returns a value of a type that is one pointer, such as `String`.
#[inline(always)]
fn of_pointer<T: ToGodot>(variant_type: usize, value: T) -> NewValue {
    const { assert!(size_of::<T>() == size_of::<usize>()) };
    if !is_assembled(variant_type) {
        return value.to_variant().into();
    }
    let value = ManuallyDrop::new(value);
    // SAFETY: the layout was verified when the library was loaded. From here on only the result owns the value.
    unsafe { NewValue::of_parts(variant_type, (&raw const value).cast::<u64>().read()) }
}

/// Returns whether a Variant of a type can be assembled from its words.
#[inline(always)]
fn is_assembled(variant_type: usize) -> bool {
    let layout = &engine().layout;
    layout.assembled && layout.in_place[variant_type]
}

/// A `String` or `StringName` that any thread may use.
pub(crate) struct SharedText(Variant);

// SAFETY: the engine counts the references to both atomically, and copies the characters of a String before it changes them. Here they
// are not changed. A StringName never changes.
unsafe impl Send for SharedText {}

impl SharedText {
    /// Creates a `String` of ASCII text without NUL.
    pub(crate) fn string_of_ascii(text: &[u8]) -> Self {
        Self(string_of_ascii(text).into_variant())
    }

    /// Creates a `StringName` of ASCII text without NUL.
    pub(crate) fn name_of_ascii(text: &[u8]) -> Self {
        Self(name_of_ascii(text).into_variant())
    }

    /// Creates a `String`.
    pub(crate) fn string(text: &str) -> Self {
        Self(string(text).into_variant())
    }

    /// Creates a `StringName`.
    pub(crate) fn name(text: &str) -> Self {
        Self(string_name(text).into_variant())
    }

    #[inline(always)]
    pub(crate) const fn variant(&self) -> &Variant {
        &self.0
    }

    #[inline]
    pub(crate) fn value(&self) -> NewValue {
        self.0.clone().into()
    }
}

/// A `NodePath` that any thread may use.
pub(crate) struct SharedPath(NodePath);

// SAFETY: the engine counts the references atomically. A path is not changed after it was created, except that the engine stores its
// hash and its text with it when they are first needed (4.6, `core/string/node_path.cpp`); `of` has both stored.
unsafe impl Send for SharedPath {}

impl SharedPath {
    /// Returns `None` for an empty path and for a value of another type.
    pub(crate) fn of(value: &Variant) -> Option<Self> {
        let path = value.try_to::<NodePath>().ok().filter(|path| !path.is_empty())?;
        // Threads that have the same path could otherwise store them at the same time.
        let _stored = (path.get_concatenated_names(), path.get_concatenated_subnames(), value.hash_u32());
        Some(Self(path))
    }

    #[inline]
    pub(crate) fn value(&self) -> NewValue {
        of_pointer(NODE_PATH, self.0.clone())
    }
}

/// Returns a `NodePath` without names.
#[inline]
pub(crate) fn empty_path() -> NewValue {
    of_pointer(NODE_PATH, NodePath::default())
}

/// Returns a `StringName`.
pub(crate) fn string_name(text: &str) -> NewValue {
    gname(text).to_variant().into()
}

/// The engine drops one at the start of each text that it reads.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Returns a `StringName` outside of a Variant.
fn gname(text: &str) -> StringName {
    if text.is_ascii() {
        return gname_of_ascii(text.as_bytes());
    }
    // The engine's function drops a byte order mark, and stops at a NUL.
    if text.starts_with(BYTE_ORDER_MARK) || text.contains('\0') {
        return StringName::from(&gstring(text));
    }
    let mut name = MaybeUninit::<StringName>::uninit();
    // SAFETY: the engine writes a StringName there, of text of that many bytes.
    unsafe {
        let (place, chars, count) = (name.as_mut_ptr().cast(), text.as_ptr().cast(), text.len() as sys::GDExtensionInt);
        sys::interface_fn!(string_name_new_with_utf8_chars_and_len)(place, chars, count);
        name.assume_init()
    }
}

/// Returns a `StringName` of ASCII text without NUL.
#[inline]
pub(crate) fn name_of_ascii(text: &[u8]) -> NewValue {
    of_pointer(STRING_NAME, gname_of_ascii(text))
}

/// Returns a `StringName` of ASCII text without NUL, outside of a Variant.
#[inline]
fn gname_of_ascii(text: &[u8]) -> StringName {
    const LONGEST: usize = 255;
    if text.len() > LONGEST {
        return StringName::from(&gstring_of_ascii(text));
    }
    let mut chars = [const { MaybeUninit::<u8>::uninit() }; LONGEST + 1];
    chars[..text.len()].write_copy_of_slice(text);
    chars[text.len()].write(0);
    let mut name = MaybeUninit::<StringName>::uninit();
    // SAFETY: the engine writes a StringName there. The text ends with NUL, which is written, and ASCII is Latin-1. A name that exists
    // already is found without creating a String.
    unsafe {
        sys::interface_fn!(string_name_new_with_latin1_chars)(name.as_mut_ptr().cast(), chars.as_ptr().cast(), 0);
        name.assume_init()
    }
}

/// Returns a `String` outside of a Variant.
pub(super) fn gstring(text: &str) -> GString {
    if text.is_ascii() {
        return gstring_of_ascii(text.as_bytes());
    }
    gstring_of_utf8(text.as_bytes()).unwrap_or_default()
}

/// Returns a `String` outside of a Variant, or `None` if the bytes are not UTF-8.
pub(super) fn gstring_of_utf8(text: &[u8]) -> Option<GString> {
    // Not through the engine's UTF-8 functions: they drop a byte order mark, and the decoder has already dropped one.
    let count = utf8::count(text)?;
    // SAFETY: `convert` has written all places if it returns true.
    unsafe { gstring_of(count, |places| utf8::convert(text, places)) }
}

/// Returns a `String` of `count` characters that a function writes, or `None` if it returns false.
///
/// # Safety
/// If the function returns true, it must have written all places.
unsafe fn gstring_of(count: usize, write: impl FnOnce(&mut [MaybeUninit<u32>]) -> bool) -> Option<GString> {
    // That of a String without characters is null.
    let is_pointer = engine().layout.string_length.is_some();
    // SAFETY: verified when the library was loaded: a String is the pointer to its characters, which nothing else has here.
    // `string_resize` allocates space for the characters and the NUL, which are then all written (by the caller), or the String is
    // dropped. If it fails, it returns an error other than the engine's `OK`, 0.
    unsafe {
        let mut string = if is_pointer { MaybeUninit::zeroed().assume_init() } else { GString::new() };
        let place = (&raw mut string).cast();
        if sys::interface_fn!(string_resize)(place, count as sys::GDExtensionInt + 1) != 0 {
            note_refusal();
            return Some(GString::new());
        }
        let first: *mut u32 = if is_pointer {
            (&raw const string).cast::<*mut u32>().read()
        } else {
            sys::interface_fn!(string_operator_index)(place, 0).cast()
        };
        let target = std::slice::from_raw_parts_mut(first.cast::<MaybeUninit<u32>>(), count + 1);
        target[count].write(0);
        write(&mut target[..count]).then_some(string)
    }
}

/// Returns a `String` of ASCII text without NUL, outside of a Variant.
// Not through the engine's Latin-1 function, which converts one character at a time.
#[inline]
pub(super) fn gstring_of_ascii(text: &[u8]) -> GString {
    if text.is_empty() {
        return GString::new();
    }
    let widened = |places: &mut [MaybeUninit<u32>]| {
        for (place, byte) in places.iter_mut().zip(text) {
            place.write(u32::from(*byte));
        }
        true
    };
    // SAFETY: there is a place for each byte, and it was written.
    unsafe { gstring_of(text.len(), widened) }.unwrap_or_default()
}

/// Returns a value of floating-point components, given in wire order.
#[inline(always)]
pub(crate) fn from_components(variant_type: VariantType, components: &[f32]) -> NewValue {
    let place = variant_type as usize;
    assert_eq!(components.len(), if place == 20 { 4 } else { variant_type.real_components() });
    match *components {
        [x, y] => from_words(place, [x.to_bits(), y.to_bits(), 0]),
        [x, y, z] => from_words(place, [x, y, z].map(f32::to_bits)),
        [x, y, z, w] => from_four_words(place, [x, y, z, w].map(f32::to_bits)),
        // SAFETY: the engine stores these types as that many contiguous numbers, in wire order.
        _ => unsafe { from_type(place, components.as_ptr().cast()) }.into(),
    }
}

/// Returns a value of integer components, given in wire order.
#[inline(always)]
pub(crate) fn from_integers(variant_type: VariantType, components: &[i32]) -> NewValue {
    assert_eq!(components.len(), variant_type.integer_components());
    let place = variant_type as usize;
    match *components {
        [x, y] => from_words(place, [x.cast_unsigned(), y.cast_unsigned(), 0]),
        [x, y, z] => from_words(place, [x, y, z].map(i32::cast_unsigned)),
        [x, y, z, w] => from_four_words(place, [x, y, z, w].map(i32::cast_unsigned)),
        _ => unreachable!("{variant_type} has two to four integers"),
    }
}

/// Returns a value of two or three numbers.
#[inline(always)]
pub(super) fn from_words(place: usize, words: [u32; 3]) -> NewValue {
    if is_assembled(place) {
        // SAFETY: verified when the library was loaded; these types own nothing.
        unsafe { NewValue::of_words(place, words) }
    } else {
        by_engine(place, [words[0], words[1], words[2], 0])
    }
}

#[inline(always)]
fn from_four_words(place: usize, words: [u32; 4]) -> NewValue {
    if is_assembled(place) {
        // SAFETY: as above.
        unsafe { assemble(place, words).into() }
    } else {
        by_engine(place, words)
    }
}

/// Creates a value of a type of up to four numbers. Takes them by value: with their address taken, the fast path would keep them
/// in memory too, with a store-forwarding stall.
#[cold]
#[inline(never)]
fn by_engine(place: usize, words: [u32; 4]) -> NewValue {
    // SAFETY: the engine stores these types as that many contiguous numbers, in wire order.
    unsafe { from_type(place, words.as_ptr().cast()) }.into()
}

/// Returns a `RID`.
#[inline]
pub(crate) fn rid(id: u64) -> NewValue {
    if is_assembled(RID) {
        // SAFETY: verified when the library was loaded. A RID is a number.
        unsafe { NewValue::of_parts(RID, id) }
    } else {
        Rid::new(id).to_variant().into()
    }
}

/// Returns a `Callable` of nothing.
#[inline]
pub(crate) fn callable() -> NewValue {
    if is_assembled(CALLABLE) {
        // SAFETY: verified when the library was loaded. It owns nothing.
        unsafe { NewValue::of_parts(CALLABLE, 0) }
    } else {
        Callable::invalid().to_variant().into()
    }
}

/// Returns a `Signal`. Returns `None` if the layout is not as assumed: the bindings cannot create the signal of an object that does
/// not exist.
pub(crate) fn signal(name: &str, object_id: u64) -> Option<NewValue> {
    if !is_assembled(SIGNAL) {
        return None;
    }
    let name = ManuallyDrop::new(gname(name));
    // SAFETY: a StringName is one pointer. The layout was verified when the library was loaded. From here on only the result owns the
    // name.
    unsafe {
        let pointer = (&raw const name).cast::<u64>().read();
        let [first, second] = [pointer as u32, (pointer >> 32) as u32];
        Some(match u32::try_from(object_id) {
            Ok(id) => NewValue::of_words(SIGNAL, [first, second, id]),
            Err(_) => assemble(SIGNAL, [first, second, object_id as u32, (object_id >> 32) as u32]).into(),
        })
    }
}

/// Returns a null object. It differs from `null`: its type is `Object`.
pub(crate) fn null_object() -> Variant {
    let none: *const std::ffi::c_void = std::ptr::null();
    // SAFETY: the payload of an object is a pointer to it, which may be null.
    unsafe { from_type(OBJECT, (&raw const none).cast()) }
}

/// Creates a Variant as [`from_type`] does, over the result of a call, as [`NewValue::write_over`] does.
///
/// # Safety
/// The payload must be of that type, and a Variant must be there.
#[inline(always)]
pub(super) unsafe fn from_type_over(variant_type: usize, payload: *const u8, place: *mut Variant) {
    // SAFETY: by the caller.
    unsafe {
        if type_of(&*place) == 0 {
            engine().interface.from_type[variant_type](place.cast(), payload.cast_mut().cast());
        } else {
            *place = from_type(variant_type, payload);
        }
    }
}

/// Creates a Variant from a payload through the official interface.
///
/// # Safety
/// The payload must be of that type.
pub(super) unsafe fn from_type(variant_type: usize, payload: *const u8) -> Variant {
    let mut variant = MaybeUninit::<Variant>::uninit();
    // SAFETY: by the caller. The engine writes a Variant there.
    unsafe {
        engine().interface.from_type[variant_type](variant.as_mut_ptr().cast(), payload.cast_mut().cast());
        variant.assume_init()
    }
}
