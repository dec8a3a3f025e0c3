//! Reads engine values in place.

use godot::builtin::{GString, Signal, StringName, Variant};
use godot::sys;
use varbytes::{Profile, Single, VariantType};

use super::engine::engine;
use super::interface::{ARRAY, BYTES, DICTIONARY, NODE_PATH, OBJECT, SIGNAL};
use super::layout::{ELEMENTS, PAYLOAD};

/// The content of a Variant, without a copy.
pub(crate) enum View<'v> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// UTF-32 as the engine stores it. It can contain any 32-bit values.
    String(&'v [u32]),
    StringName(Name<'v>),
    /// The components, in the order of the engine and of the wire.
    Reals(VariantType, &'v [f32]),
    Integers(VariantType, &'v [i32]),
    Color([f32; 4]),
    NodePath,
    Rid(u64),
    /// A live, freed or null object: see [`live_object`].
    Object,
    Callable,
    Signal,
    Dictionary,
    Array,
    Bytes(&'v [u8]),
    Int32(&'v [i32]),
    Int64(&'v [i64]),
    Float32(&'v [f32]),
    Float64(&'v [f64]),
    Strings(&'v [GString]),
    /// A packed array of vectors or colors: the components of all elements.
    PackedReals(VariantType, &'v [f32]),
}

/// The text of a StringName.
pub(crate) enum Name<'v> {
    InPlace(&'v GString),
    Copy(GString),
}

impl Name<'_> {
    pub(crate) const fn text(&self) -> &GString {
        match self {
            Self::InPlace(text) => text,
            Self::Copy(text) => text,
        }
    }
}

/// Returns the text of a StringName, without a copy if the layout is as assumed.
#[inline]
pub(crate) fn name(name: &StringName) -> Name<'_> {
    let place: *const StringName = name;
    // SAFETY: a StringName is one pointer, null if it is empty. Where its data has the String was verified when the library was
    // loaded. The data lives as long as the name.
    unsafe {
        let data = place.cast::<*const u8>().read();
        match engine().layout.name_text {
            Some(offset) if !data.is_null() => Name::InPlace(&*data.byte_add(offset).cast::<GString>()),
            _ => Name::Copy(GString::from(name)),
        }
    }
}

/// Returns the address of the data of a StringName, which all equal names share, or 0 if it is empty.
#[inline(always)]
pub(crate) fn name_address(name: &StringName) -> u64 {
    const { assert!(size_of::<StringName>() == size_of::<usize>()) };
    let place: *const StringName = name;
    // SAFETY: a StringName is one pointer.
    unsafe { place.cast::<usize>().read() as u64 }
}

/// Returns the name of a Signal and the id of its object.
pub(crate) fn signal_parts(signal: &Variant) -> (Name<'_>, u64) {
    if type_of(signal) == SIGNAL && engine().layout.in_place[SIGNAL] {
        // SAFETY: verified when the library was loaded: a Signal is its name, then the id.
        unsafe {
            let place = payload::<StringName>(signal, SIGNAL);
            return (name(&*place), place.add(1).cast::<u64>().read());
        }
    }
    let signal: Signal = signal.to();
    let id = signal.object_id().map_or(0, |id| id.to_i64().cast_unsigned());
    (Name::Copy(GString::from(&signal.name())), id)
}

/// Returns the content of `variant`.
#[inline]
pub(crate) fn view(variant: &Variant) -> View<'_> {
    let variant_type = type_of(variant);
    // SAFETY: each arm reads the payload as the engine documents it for the type, which was just checked, and only as many
    // bytes as the type has. The payload lives as long as the Variant is borrowed.
    unsafe {
        match variant_type {
            0 => View::Nil,
            1 => View::Bool(payload::<u8>(variant, 1).read() != 0),
            2 => View::Int(payload::<i64>(variant, 2).read()),
            3 => View::Float(payload::<f64>(variant, 3).read()),
            4 => View::String(chars(&*payload::<GString>(variant, 4))),
            20 => View::Color(payload::<[f32; 4]>(variant, 20).read()),
            21 => View::StringName(name(&*payload::<StringName>(variant, 21))),
            22 => View::NodePath,
            23 => View::Rid(payload::<u64>(variant, 23).read()),
            24 => View::Object,
            25 => View::Callable,
            SIGNAL => View::Signal,
            DICTIONARY => View::Dictionary,
            ARRAY => View::Array,
            29 => View::Bytes(packed(variant, 29, sys::interface_fn!(packed_byte_array_operator_index_const))),
            30 => View::Int32(packed(variant, 30, sys::interface_fn!(packed_int32_array_operator_index_const))),
            31 => View::Int64(packed(variant, 31, sys::interface_fn!(packed_int64_array_operator_index_const))),
            32 => View::Float32(packed(variant, 32, sys::interface_fn!(packed_float32_array_operator_index_const))),
            33 => View::Float64(packed(variant, 33, sys::interface_fn!(packed_float64_array_operator_index_const))),
            34 => View::Strings(packed(variant, 34, sys::interface_fn!(packed_string_array_operator_index_const))),
            35 => {
                let vectors: &[[f32; 2]] =
                    packed(variant, 35, sys::interface_fn!(packed_vector2_array_operator_index_const));
                View::PackedReals(VariantType::PackedVector2Array, vectors.as_flattened())
            }
            36 => {
                let vectors: &[[f32; 3]] =
                    packed(variant, 36, sys::interface_fn!(packed_vector3_array_operator_index_const));
                View::PackedReals(VariantType::PackedVector3Array, vectors.as_flattened())
            }
            37 => {
                let colors: &[[f32; 4]] =
                    packed(variant, 37, sys::interface_fn!(packed_color_array_operator_index_const));
                View::PackedReals(VariantType::PackedColorArray, colors.as_flattened())
            }
            38 => {
                let vectors: &[[f32; 4]] =
                    packed(variant, 38, sys::interface_fn!(packed_vector4_array_operator_index_const));
                View::PackedReals(VariantType::PackedVector4Array, vectors.as_flattened())
            }
            _ => components(variant, variant_type),
        }
    }
}

/// Returns the content of a type of a fixed number of components. The codec knows how many.
///
/// # Safety
/// `variant` must be of that type.
unsafe fn components(variant: &Variant, variant_type: usize) -> View<'_> {
    let Some(known) = Profile::NEWEST.types().get(variant_type).copied() else { return View::Nil };
    // SAFETY: the engine stores these types as that many contiguous numbers, in wire order.
    unsafe {
        if known.real_components() > 0 {
            let first = payload::<f32>(variant, variant_type);
            View::Reals(known, std::slice::from_raw_parts(first, known.real_components()))
        } else {
            let first = payload::<i32>(variant, variant_type);
            View::Integers(known, std::slice::from_raw_parts(first, known.integer_components()))
        }
    }
}

/// The proof that numbers, and values of up to four of them, can be read in place, so that the layout is not checked for each.
#[derive(Clone, Copy)]
pub(crate) struct DirectNumbers(());

/// A number.
pub(crate) enum Number {
    Int(i64),
    Float(f64),
    None,
}

/// The types that [`DirectNumbers`] can read, besides null.
const NUMBERS: [usize; 15] = [1, 2, 3, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 20, 23];

impl DirectNumbers {
    pub(crate) fn verified() -> Option<Self> {
        let layout = &engine().layout;
        (layout.typed && NUMBERS.iter().all(|number| layout.in_place[*number])).then_some(Self(()))
    }

    /// Returns the words of a Variant. The first one has the number of its type in its lower half.
    #[inline(always)]
    pub(super) fn words(self, variant: &Variant) -> [u64; 3] {
        const { assert!(size_of::<Variant>() == 24) };
        let variant: *const Variant = variant;
        // SAFETY: the sizes are equal. All words are initialized except bits of the first one and of those after the payload, which the
        // engine leaves as they were in memory that it has initialized.
        unsafe { variant.cast::<[u64; 3]>().read_unaligned() }
    }

    /// Returns whether both are of one type.
    #[inline]
    pub(crate) fn are_alike(self, one: &Variant, other: &Variant) -> bool {
        (self.words(one)[0] ^ self.words(other)[0]) as u32 == 0
    }

    #[inline]
    pub(crate) fn number(self, variant: &Variant) -> Number {
        let variant: *const Variant = variant;
        // SAFETY: verified when the library was loaded; `self` is the proof.
        unsafe {
            let payload = variant.byte_add(PAYLOAD);
            match variant.cast::<u32>().read() {
                2 => Number::Int(payload.cast::<i64>().read()),
                3 => Number::Float(payload.cast::<f64>().read()),
                _ => Number::None,
            }
        }
    }
}

/// Returns whether a value is a `NodePath` that is known to have no names.
#[inline]
pub(crate) fn is_empty_path(variant: &Variant) -> bool {
    // SAFETY: a NodePath is one pointer, which is null only if the path has no names.
    type_of(variant) == NODE_PATH && unsafe { payload::<*const u8>(variant, NODE_PATH).read() }.is_null()
}

/// Returns whether a value is an object, which may be freed or null.
#[inline]
pub(crate) fn is_object(variant: &Variant) -> bool {
    type_of(variant) == OBJECT
}

/// Returns the content of a Variant that is null, a `bool`, an `int` or a `float`.
#[inline(always)]
pub(crate) fn number_in(variant: &Variant) -> Option<Single<'static>> {
    // SAFETY: as in `view`.
    unsafe {
        match type_of(variant) {
            0 => Some(Single::Nil),
            1 => Some(Single::Bool(payload::<u8>(variant, 1).read() != 0)),
            2 => Some(Single::Int(payload::<i64>(variant, 2).read())),
            3 => Some(Single::Float(payload::<f64>(variant, 3).read())),
            _ => None,
        }
    }
}

/// Returns whether a value is an object or an `Array` or `Dictionary`, which can contain objects.
#[inline]
pub(crate) fn can_have_objects(variant: &Variant) -> bool {
    matches!(type_of(variant), OBJECT | ARRAY | DICTIONARY)
}

/// Returns whether a value is a packed array.
#[inline]
pub(crate) fn is_packed(variant: &Variant) -> bool {
    type_of(variant) >= BYTES
}

#[inline(always)]
pub(super) fn type_of(variant: &Variant) -> usize {
    if engine().layout.typed {
        let variant: *const Variant = variant;
        // SAFETY: verified when the library was loaded.
        unsafe { variant.cast::<u32>().read() as usize }
    } else {
        // SAFETY: a live Variant. Not through the bindings, which report a null object as null.
        unsafe { sys::interface_fn!(variant_get_type)(variant.var_sys()) as usize }
    }
}

/// A bit for null and for each of [`NUMBERS`]: types whose values own nothing if their payload is in place.
const PLAIN: u64 = {
    let (mut bits, mut index) = (1, 0);
    while index < NUMBERS.len() {
        bits |= 1 << NUMBERS[index];
        index += 1;
    }
    bits
};

/// Returns whether a Variant owns nothing, which does not have to be dropped.
#[inline(always)]
pub(super) fn owns_nothing(value: &Variant) -> bool {
    let initial = type_of(value);
    initial == 0 || PLAIN >> initial & 1 != 0 && engine().layout.in_place[initial]
}

/// Returns the address of the payload.
///
/// # Safety
/// `variant` must be of that type.
#[inline]
pub(super) unsafe fn payload<T>(variant: &Variant, variant_type: usize) -> *const T {
    let engine = engine();
    if engine.layout.in_place[variant_type] {
        let variant: *const Variant = variant;
        // SAFETY: verified when the library was loaded.
        unsafe { variant.byte_add(PAYLOAD).cast() }
    } else {
        // SAFETY: by the caller. The getter only reads.
        unsafe { engine.interface.payload[variant_type](variant.var_sys().cast_mut()).cast_const().cast() }
    }
}

/// Returns the characters of a String.
#[inline]
pub(crate) fn chars(string: &GString) -> &[u32] {
    let place: *const GString = string;
    // SAFETY: verified when the library was loaded, or asked of the engine. A String that is not empty has at least that
    // many characters.
    unsafe {
        if let Some(before) = engine().layout.string_length {
            let first = place.cast::<*const u32>().read();
            if first.is_null() {
                return &[];
            }
            let length = first.byte_sub(before).cast::<u64>().read() as usize;
            return std::slice::from_raw_parts(first, length.saturating_sub(1));
        }
        match string.len() {
            0 => &[],
            length => {
                let first = sys::interface_fn!(string_operator_index_const)(string.string_sys(), 0);
                std::slice::from_raw_parts(first.cast(), length)
            }
        }
    }
}

/// Returns the text of a String, with U+FFFD in place of what is not Unicode, such as half of a surrogate pair.
pub(crate) fn text_of(string: &GString) -> String {
    lossy_text(chars(string))
}

/// Returns characters as text in the same way.
pub(crate) fn lossy_text(chars: &[u32]) -> String {
    chars.iter().map(|char| char::from_u32(*char).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Returns the elements of a packed array.
///
/// # Safety
/// `variant` must be of that type, and `index` its official access to elements of type `T`.
pub(super) unsafe fn packed<T, P: Address>(
    variant: &Variant,
    variant_type: usize,
    index: unsafe extern "C" fn(sys::GDExtensionConstTypePtr, sys::GDExtensionInt) -> P,
) -> &[T] {
    // SAFETY: by the caller. The engine documents that the elements of a packed array are contiguous.
    unsafe {
        let array = payload::<u8>(variant, variant_type);
        if let Some(elements) = elements(array) {
            return elements;
        }
        let size = size(array, variant_type);
        if size == 0 { &[] } else { std::slice::from_raw_parts(index(array.cast(), 0).address().cast(), size) }
    }
}

/// Returns the elements of a packed array, or `None` if the layout is not as assumed.
///
/// # Safety
/// There must be a packed array of elements of type `T`, which lives for `'a`.
#[inline(always)]
pub(super) unsafe fn elements<'a, T>(array: *const u8) -> Option<&'a [T]> {
    let before = engine().layout.packed_length?;
    // SAFETY: by the caller. The layout was verified when the library was loaded.
    unsafe {
        let first = first_element(array);
        if first.is_null() {
            return Some(&[]);
        }
        Some(std::slice::from_raw_parts(first.cast(), first.sub(before).cast::<u64>().read() as usize))
    }
}

/// Returns the pointer to the first element of a packed array.
///
/// # Safety
/// There must be a packed array, and their layout must have been verified.
#[inline]
pub(super) unsafe fn first_element(array: *const u8) -> *const u8 {
    // SAFETY: by the caller.
    unsafe { array.byte_add(ELEMENTS).cast::<*const u8>().read() }
}

/// The two kinds of pointers that the accessors return.
pub(super) trait Address {
    fn address(self) -> *const u8;
}

impl<T> Address for *const T {
    fn address(self) -> *const u8 {
        self.cast()
    }
}

impl<T> Address for *mut T {
    fn address(self) -> *const u8 {
        self.cast_const().cast()
    }
}

/// Returns the number of members of a container at a payload.
///
/// # Safety
/// The payload must be of that type, a container.
pub(super) unsafe fn size(container: *const u8, variant_type: usize) -> usize {
    let mut size = 0_i64;
    if let Some(method) = engine().interface.size[variant_type] {
        // SAFETY: the method takes no arguments and returns an int.
        unsafe { method(container.cast_mut().cast(), std::ptr::null(), (&raw mut size).cast(), 0) };
    }
    usize::try_from(size).unwrap_or(0)
}

/// Returns the members of an Array. Returns no members for other types.
pub(crate) fn members(array: &Variant) -> &[Variant] {
    if type_of(array) != ARRAY {
        return &[];
    }
    // SAFETY: an Array stores its members as contiguous Variants: `array_operator_index_const` returns addresses in a vector
    // of them.
    unsafe {
        let place = payload::<u8>(array, ARRAY);
        if let Some(place_of_members) = engine().layout.array_members {
            return place_of_members.all(place);
        }
        match size(place, ARRAY) {
            0 => &[],
            size => {
                let first = sys::interface_fn!(array_operator_index_const)(place.cast(), 0);
                std::slice::from_raw_parts(first.cast_const().cast(), size)
            }
        }
    }
}
