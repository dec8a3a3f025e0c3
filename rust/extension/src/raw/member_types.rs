//! The types of members in the memory of typed containers, and space for the members.
//!
//! The engine gives a new member of a typed container the initial value of its type. An empty Array, Dictionary or packed array takes
//! memory, which is freed again when the member is written. So a Dictionary has no type of values while an entry is added, and an Array
//! gets its type after its members.
//!
//! The type of a new container is also written here: a call of the engine's function takes as long as adding a member.

use godot::builtin::{StringName, VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use godot::sys;
use varbytes::{Profile, VariantType};

use super::interface::{ARRAY, DICTIONARY, Interface, TYPES};

/// Types whose initial value owns something. Without those of numbers: their members are written in place.
const OWNING: u64 = 1 << VariantType::String as u64
    | 1 << VariantType::StringName as u64
    | 1 << VariantType::NodePath as u64
    | 1 << VariantType::Callable as u64
    | 1 << VariantType::Signal as u64
    | (u64::MAX >> (64 - TYPES)) & (u64::MAX << DICTIONARY);

/// The types in the memory of containers.
#[derive(Clone, Copy)]
pub(super) struct MemberTypes {
    /// The type of the members of an Array.
    pub(super) members: Place,
    /// The type of the keys of a Dictionary.
    pub(super) keys: Place,
    /// The type of the values of a Dictionary.
    pub(super) values: Place,
}

/// Where a type is in the memory of a container, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Place {
    of_type: usize,
    /// Where else the engine writes when it sets the type, and what: the name of the kind of container for its messages (`where` in
    /// `core/variant/container_type_validate.h`).
    kind: Option<(usize, usize)>,
}

impl Place {
    /// Sets the type of a container without one, as the engine's function does for a built-in type that is not `Object`. `Nil` stands for
    /// any type.
    ///
    /// # Safety
    /// The container must be of the kind that the place belongs to, and there must be no other reference to it. Members that are not of
    /// the type must be written or removed before there is one.
    #[inline(always)]
    pub(super) unsafe fn set(self, container: *mut u8, variant_type: VariantType) {
        // SAFETY: by the caller; verified when the library was loaded.
        unsafe {
            let memory = memory(container);
            memory.add(self.of_type).cast::<u32>().write(variant_type as u32);
            if let Some((place, kind)) = self.kind {
                memory.add(place).cast::<usize>().write(kind);
            }
        }
    }
}

impl MemberTypes {
    /// Finds the places, or returns `None` if they are not as assumed.
    pub(super) fn verify(interface: &Interface) -> Option<Self> {
        let array = Typed { interface, container: ARRAY, set: set_array };
        let keys = Typed { interface, container: DICTIONARY, set: set_keys };
        let values = Typed { interface, container: DICTIONARY, set: set_values };
        let places = Self { members: array.place()?, keys: keys.place()?, values: values.place()? };
        let is_right = is_null_without_type(&values, places.values)
            // SAFETY: new containers.
            && array.is_set_by(&[places.members], |array, member| unsafe { places.members.set(array, member) })
            && keys.is_set_by(&[places.keys, places.values], |dictionary, key| unsafe {
                places.set_of_dictionary(dictionary, [key, VariantType::Nil]);
            })
            && values.is_set_by(&[places.keys, places.values], |dictionary, value| unsafe {
                places.set_of_dictionary(dictionary, [VariantType::Nil, value]);
            });
        is_right.then_some(places)
    }

    /// Sets the types of keys and values, as [`Place::set`] does.
    ///
    /// # Safety
    /// As for [`Place::set`].
    #[inline(always)]
    pub(super) unsafe fn set_of_dictionary(self, dictionary: *mut u8, [keys, values]: [VariantType; 2]) {
        // SAFETY: by the caller.
        unsafe {
            self.keys.set(dictionary, keys);
            self.values.set(dictionary, values);
        }
    }
}

/// Returns the type of the members of a container, or 0 if they can be of any type.
///
/// # Safety
/// There must be an Array or a Dictionary, and the place must be one of its kind.
#[inline(always)]
pub(super) unsafe fn type_of_members(container: *const u8, place: Place) -> u32 {
    // SAFETY: by the caller. The type is there, as verified when the library was loaded.
    unsafe { memory(container.cast_mut()).add(place.of_type).cast::<u32>().read() }
}

/// Calls a function that adds an entry to a Dictionary. If its value would get an initial value that owns something, it is null instead,
/// provided that the place of the type of values is known.
///
/// # Safety
/// There must be a Dictionary to which there is no other reference, and the place must be that of its values.
#[inline(always)]
pub(super) unsafe fn without_type<T>(dictionary: *mut u8, place: Option<Place>, add: impl FnOnce() -> T) -> T {
    let Some(place) = place else { return add() };
    // SAFETY: by the caller. A container is a pointer to its memory, where the type is, as verified when the library was loaded. For a
    // built-in type, nothing else in the memory says that the container has a type.
    unsafe {
        let place = memory(dictionary).add(place.of_type).cast::<u32>();
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

    /// Finds the word in the memory of an empty container that is its type, whatever that is, and the one that is set with it.
    fn place(&self) -> Option<Place> {
        /// More than the words before the type. The search does not get there, because a container has its type.
        const WORDS: usize = 32;
        let containers: Vec<(u32, Variant)> =
            (0..TYPES as u32).map(|variant_type| (variant_type, self.empty(variant_type))).collect();
        // SAFETY: the words up to the type belong to the memory of a container. They are only compared.
        let word =
            |container, place| unsafe { memory(self.address(container)).add(place).cast::<u32>().read_volatile() };
        let of_type = (0..WORDS).map(|word| word * size_of::<u32>()).find(|place| {
            containers.iter().all(|(variant_type, container)| word(container, *place) == *variant_type)
        })?;
        // The class, the script and the kind of container follow.
        let after: Vec<[usize; 3]> =
            containers.iter().map(|(_, container)| self.pointers_after(container, of_type)).collect();
        let (of_none, typed) = after.split_first()?;
        let of_one = *typed.first()?;
        if typed.iter().any(|pointers| *pointers != of_one) {
            return None;
        }
        let mut others = (0..of_one.len()).filter(|index| of_one[*index] != of_none[*index]);
        let kind = others.next().map(|index| (Self::pointer_after(of_type, index), of_one[index]));
        others.next().is_none().then_some(Place { of_type, kind })
    }

    /// Returns the pointers that follow the type in the memory of a container.
    fn pointers_after(&self, container: &Variant, of_type: usize) -> [usize; 3] {
        std::array::from_fn(|index| {
            let place = Self::pointer_after(of_type, index);
            // SAFETY: they belong to the memory of a container.
            unsafe { memory(self.address(container)).add(place).cast::<usize>().read_volatile() }
        })
    }

    /// Returns the place of a pointer after the type.
    const fn pointer_after(of_type: usize, index: usize) -> usize {
        (of_type / size_of::<usize>() + 1 + index) * size_of::<usize>()
    }

    /// Returns whether a container to which `set` gives a type is as one to which the engine gives it, for all types but `Object`.
    fn is_set_by(&self, places: &[Place], set: impl Fn(*mut u8, VariantType)) -> bool {
        let mut built_in = Profile::NEWEST.types().iter().skip(1).filter(|built_in| **built_in != VariantType::Object);
        built_in.all(|built_in| {
            let (container, by_engine) = (self.empty(0), self.empty(*built_in as u32));
            set(self.address(&container), *built_in);
            let words = |container, place: &Place| {
                // SAFETY: a container.
                let found = unsafe { type_of_members(self.address(container), *place) };
                (found, self.pointers_after(container, place.of_type))
            };
            places.iter().all(|place| words(&container, place) == words(&by_engine, place))
                && container.call("is_same_typed", &[by_engine]).booleanize()
        })
    }
}

/// Returns whether a new value is null, and the Dictionary has its type again, for all types whose initial value owns something.
fn is_null_without_type(values: &Typed<'_>, place: Place) -> bool {
    let key = 1.to_variant();
    (0..TYPES as u32).filter(|variant_type| OWNING >> variant_type & 1 != 0).all(|variant_type| {
        let dictionary = values.empty(variant_type);
        let address = values.address(&dictionary);
        // SAFETY: the only reference to a Dictionary, the word that is its type for all types, and a live Variant. The function returns
        // the address of another one.
        let is_null = unsafe {
            let value = without_type(address, Some(place), || {
                sys::interface_fn!(dictionary_operator_index)(address.cast(), key.var_sys())
            });
            sys::interface_fn!(variant_get_type)(value) == 0
        };
        is_null && dictionary.call("is_same_typed", &[values.empty(variant_type)]).booleanize()
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
