//! Registers the read-only properties of results without the conversions and locks of the bindings.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::builtin::{GString, PackedStringArray, StringName, Variant};
use godot::sys;

use super::caught::caught;
use super::methods::{Description, Method, Property, Slot, Type, has_arguments};
use super::reused_result::ReusedResult;
use super::shared::of_instance;
use super::view::name_address;

/// The most properties of a class.
const MOST: usize = 16;

/// The addresses of the properties' names, which are unique in the engine and live as long as the properties.
static NAMES: [AtomicU64; MOST] = [const { AtomicU64::new(0) }; MOST];

/// Registers the properties and their getters.
pub(crate) fn register_properties<R: ReusedResult>() {
    const { assert!(R::PROPERTIES.len() <= MOST) };
    for (property, known_name) in R::PROPERTIES.iter().zip(&NAMES) {
        let getter = Method {
            name: property.getter,
            data: std::ptr::from_ref(property).cast_mut().cast(),
            is_static: false,
            arguments: [],
            defaults: Vec::new(),
            returns: property.of_type,
            call: call::<R>,
            ptrcall: ptrcall::<R>,
        };
        getter.register(R::class_id());
        let mut description = Description::new(property.name, property.of_type).not_stored();
        let info = description.info();
        let (class, getter) = (R::class_id().to_string_name(), StringName::from(property.getter));
        let no_setter = StringName::default();
        // SAFETY: everything pointed to lives until the call returns; the engine copies it.
        unsafe {
            sys::interface_fn!(classdb_register_extension_class_property)(
                sys::get_library(),
                class.string_sys(),
                &raw const info,
                no_setter.string_sys(),
                getter.string_sys(),
            );
            known_name.store(name_address(description.name()), Ordering::Relaxed);
        }
    }
}

/// Returns a property to the engine, which asks here before it looks the name up in its tables: that takes as long as to read a
/// small packet.
pub(super) unsafe extern "C" fn get<R: ReusedResult>(
    instance: sys::GDExtensionClassInstancePtr,
    name: sys::GDExtensionConstStringNamePtr,
    result: sys::GDExtensionVariantPtr,
) -> sys::GDExtensionBool {
    let mut is_found = false;
    // SAFETY: the engine passes a live instance, a name, and a Variant for the result.
    caught(|| unsafe {
        let name = name_address(&*name.cast::<StringName>());
        let wanted = |(_, known): &(_, &AtomicU64)| known.load(Ordering::Relaxed) == name;
        if let Some((property, _)) = R::PROPERTIES.iter().zip(&NAMES).find(wanted) {
            put_value::<R>(property, instance, result.cast());
            is_found = true;
        }
    });
    is_found.into()
}

/// Returns the value of the property.
///
/// # Safety
/// The arguments must be those of the engine's call of a getter that was registered here for the class.
unsafe fn value<R: ReusedResult>(data: *mut c_void, instance: sys::GDExtensionClassInstancePtr) -> (Type, Variant) {
    // SAFETY: by the caller.
    unsafe {
        let property = &*data.cast_const().cast::<Property<R::State>>();
        let mut value = Variant::nil();
        put_value::<R>(property, instance, &raw mut value);
        (property.of_type, value)
    }
}

/// # Safety
/// The instance must be live and of the class. A Variant must be at the place.
unsafe fn put_value<R: ReusedResult>(
    property: &Property<R::State>,
    instance: sys::GDExtensionClassInstancePtr,
    place: *mut Variant,
) {
    // SAFETY: by the caller.
    let (content, slot) = unsafe { (of_instance::<R>(instance), Slot::new(place)) };
    (property.get)(content, slot);
}

unsafe extern "C" fn call<R: ReusedResult>(
    data: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    _: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine passes what was registered, a live instance, space for an error, and a Variant for the result.
    caught(|| unsafe {
        if has_arguments(count, 0..=0, error) {
            *result.cast::<Variant>() = value::<R>(data, instance).1;
        }
    });
}

unsafe extern "C" fn ptrcall<R: ReusedResult>(
    data: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    _: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes what was registered, a live instance, and a value of the registered type for the result. The
    // bindings keep these types in the engine's own form.
    caught(|| unsafe {
        match value::<R>(data, instance) {
            (Type::Bool, value) => result.cast::<bool>().write(value.to()),
            (Type::Int | Type::Enum(_), value) => result.cast::<i64>().write(value.to()),
            (Type::String, value) => *result.cast::<GString>() = value.to(),
            (Type::Strings, value) => *result.cast::<PackedStringArray>() = value.to(),
            (_, value) => *result.cast::<Variant>() = value,
        }
    });
}
