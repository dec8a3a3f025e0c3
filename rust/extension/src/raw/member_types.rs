//! The types of members in the memory of typed containers, and space for the members.
//!
//! The engine gives a new member of a typed container the initial value of its type. An empty Array, Dictionary or packed array takes
//! memory, which is freed again when the member is written. So a container has no type while it gets space, and the new members are
//! null.

use godot::builtin::{StringName, VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use godot::sys;
use varbytes::VariantType;

use super::interface::{ARRAY, DICTIONARY, Interface, TYPES};

/// Types whose initial value owns something. Without those of numbers: their members are written in place.
const OWNING: u64 = 1 << VariantType::String as u64
    | 1 << VariantType::StringName as u64
    | 1 << VariantType::NodePath as u64
    | 1 << VariantType::Callable as u64
    | 1 << VariantType::Signal as u64
    | (u64::MAX >> (64 - TYPES)) & (u64::MAX << DICTIONARY);

/// Where the types are in the memory of containers, in bytes.
#[derive(Clone, Copy)]
pub(super) struct MemberTypes {
    /// The type of the members of an Array.
    pub(super) members: usize,
    /// The type of the keys of a Dictionary.
    pub(super) keys: usize,
    /// The type of the values of a Dictionary.
    pub(super) values: usize,
}

impl MemberTypes {
    /// Finds the places, or returns `None` if they are not as assumed.
    pub(super) fn verify(interface: &Interface) -> Option<Self> {
        let array = Typed { interface, container: ARRAY, set: set_array };
        let keys = Typed { interface, container: DICTIONARY, set: set_keys };
        let values = Typed { interface, container: DICTIONARY, set: set_values };
        let places =
            Self { members: place_of_type(&array)?, keys: place_of_type(&keys)?, values: place_of_type(&values)? };
        let is_right = is_null_without_type(&array, places.members, add_member)
            && is_null_without_type(&values, places.values, add_value);
        is_right.then_some(places)
    }
}

/// Returns the type of the members of a container, or 0 if they can be of any type.
///
/// # Safety
/// There must be an Array or a Dictionary, and the place must be one of its kind.
#[inline(always)]
pub(super) unsafe fn type_of_members(container: *const u8, place: usize) -> u32 {
    // SAFETY: by the caller. The type is there, as verified when the library was loaded.
    unsafe { memory(container.cast_mut()).add(place).cast::<u32>().read() }
}

/// Calls a function that adds members to a container. If they would get an initial value that owns something, they are null instead,
/// provided that the place of the type is known.
///
/// # Safety
/// The container must be an Array or a Dictionary to which there is no other reference, and the place that of its kind.
#[inline(always)]
pub(super) unsafe fn without_type<T>(container: *mut u8, place: Option<usize>, add: impl FnOnce() -> T) -> T {
    let Some(place) = place else { return add() };
    // SAFETY: by the caller. A container is a pointer to its memory, where the type is, as verified when the library was loaded. For a
    // built-in type, nothing else in the memory says that the container has a type.
    unsafe {
        let place = memory(container).add(place).cast::<u32>();
        let variant_type = place.read();
        let is_owning = OWNING >> (variant_type & 63) & 1 != 0;
        if is_owning {
            place.write(0);
        }
        let added = add();
        if is_owning {
            place.write(variant_type);
        }
        added
    }
}

/// # Safety
/// There must be an Array or a Dictionary.
#[inline(always)]
unsafe fn memory(container: *mut u8) -> *mut u8 {
    // SAFETY: both are one pointer.
    unsafe { container.cast::<*mut u8>().read() }
}

/// A kind of container, and how to use it by the official interface.
struct Typed<'i> {
    interface: &'i Interface,
    container: usize,
    set: unsafe fn(*mut u8, sys::GDExtensionVariantType),
}

impl Typed<'_> {
    /// Returns an empty container of a type, or of none for 0.
    fn empty(&self, variant_type: u32) -> Variant {
        let container =
            if self.container == ARRAY { VarArray::new().to_variant() } else { VarDictionary::new().to_variant() };
        if variant_type != 0 {
            // SAFETY: a live container without members. No other reference is left.
            unsafe { (self.set)(self.address(&container), variant_type as sys::GDExtensionVariantType) };
        }
        container
    }

    fn address(&self, container: &Variant) -> *mut u8 {
        // SAFETY: the getter belongs to the type.
        unsafe { self.interface.payload[self.container](container.var_sys().cast_mut()).cast() }
    }
}

/// Finds the word in the memory of an empty container that is its type, whatever that is.
fn place_of_type(typed: &Typed<'_>) -> Option<usize> {
    /// More than the words before the type. The search does not get there, because a container has its type.
    const WORDS: usize = 32;
    let containers: Vec<(u32, Variant)> =
        (0..TYPES as u32).map(|variant_type| (variant_type, typed.empty(variant_type))).collect();
    (0..WORDS).map(|word| word * size_of::<u32>()).find(|place| {
        // SAFETY: the words up to the type belong to the memory of a container. They are only compared.
        containers.iter().all(|(variant_type, container)| unsafe {
            memory(typed.address(container)).add(*place).cast::<u32>().read_volatile() == *variant_type
        })
    })
}

/// Returns whether a new member is null, and the container has its type again, for all types whose initial value owns something.
/// `add` adds a member to an empty container, and returns whether it is null.
fn is_null_without_type(typed: &Typed<'_>, place: usize, add: fn(&Variant, *mut u8) -> bool) -> bool {
    (0..TYPES as u32).filter(|variant_type| OWNING >> variant_type & 1 != 0).all(|variant_type| {
        let container = typed.empty(variant_type);
        let address = typed.address(&container);
        // SAFETY: the only reference to a container, and the word that is its type for all types.
        let is_null = unsafe { without_type(address, Some(place), || add(&container, address)) };
        is_null && container.call("is_same_typed", &[typed.empty(variant_type)]).booleanize()
    })
}

/// # Safety
/// There must be an empty Array.
unsafe fn set_array(array: *mut u8, variant_type: sys::GDExtensionVariantType) {
    let (no_name, no_script) = (StringName::default(), Variant::nil());
    // SAFETY: by the caller; a name and a Variant that live for the call.
    unsafe {
        sys::interface_fn!(array_set_typed)(array.cast(), variant_type, no_name.string_sys(), no_script.var_sys())
    };
}

/// # Safety
/// There must be an empty Dictionary.
unsafe fn set_keys(dictionary: *mut u8, key_type: sys::GDExtensionVariantType) {
    // SAFETY: by the caller.
    unsafe { set_dictionary(dictionary, key_type, 0) };
}

/// # Safety
/// There must be an empty Dictionary.
unsafe fn set_values(dictionary: *mut u8, value_type: sys::GDExtensionVariantType) {
    // SAFETY: by the caller.
    unsafe { set_dictionary(dictionary, 0, value_type) };
}

/// # Safety
/// There must be an empty Dictionary.
unsafe fn set_dictionary(
    dictionary: *mut u8,
    key_type: sys::GDExtensionVariantType,
    value_type: sys::GDExtensionVariantType,
) {
    let (name, script) = (StringName::default(), Variant::nil());
    let (name, script) = (name.string_sys(), script.var_sys());
    // SAFETY: by the caller; a name and a Variant that live for the call.
    unsafe {
        sys::interface_fn!(dictionary_set_typed)(dictionary.cast(), key_type, name, script, value_type, name, script);
    }
}

fn add_member(array: &Variant, _: *mut u8) -> bool {
    array.call("resize", &[1.to_variant()]);
    array.call("get", &[0.to_variant()]).is_nil()
}

fn add_value(_: &Variant, dictionary: *mut u8) -> bool {
    let key = 1.to_variant();
    // SAFETY: a Dictionary, and a live Variant. The function returns the address of another one.
    unsafe {
        let value = sys::interface_fn!(dictionary_operator_index)(dictionary.cast(), key.var_sys());
        sys::interface_fn!(variant_get_type)(value) == 0
    }
}
