//! Checks the arguments of methods that the bindings register, before the bindings convert them. If an argument has a wrong type,
//! the bindings print a message that names a file of their own, and GDScript calls the result a bug. With this, GDScript prints
//! its own message, which names the line of the script.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};

use godot::builtin::{StringName, Variant};
use godot::classes::Object;
use godot::obj::Gd;
use godot::sys;

use super::caught::caught;
use super::engine::REGISTER_METHOD;
use super::interface::OBJECT;
use super::methods::{Call, has_arguments, wrong_type};
use super::view::type_of;

/// The name of the engine's function that registers a method.
pub(super) const REGISTER_METHOD_NAME: &CStr = c"classdb_register_extension_class_method";

/// The methods that are registered. Each has a place of its own.
#[expect(clippy::vec_box, reason = "calls point to them")]
static METHODS: Mutex<Vec<Box<CheckedMethod>>> = Mutex::new(Vec::new());

/// A method of the bindings.
struct CheckedMethod {
    call: Call,
    arguments: Vec<(usize, StringName)>,
    optional: usize,
}

/// Forgets all methods, before the bindings forget the engine's functions. None may be called afterwards.
pub(super) fn forget() {
    METHODS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// Registers a method with [`call`] in place of its own.
pub(super) unsafe extern "C" fn register_method(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    info: *const sys::GDExtensionClassMethodInfo,
) {
    let Some(engine_register) = REGISTER_METHOD.get() else { return };
    // SAFETY: the bindings' description of a method, which lives for the call. They pass no data and use none.
    unsafe {
        let mut checked = *info;
        if let Some(its_call) = checked.call_func.filter(|_| checked.method_userdata.is_null()) {
            let arguments = (0..checked.argument_count as usize).map(|index| {
                let argument = &*checked.arguments_info.add(index);
                (argument.type_ as usize, (*argument.class_name.cast::<StringName>()).clone())
            });
            let mut method = Box::new(CheckedMethod {
                call: its_call,
                arguments: arguments.collect(),
                optional: checked.default_argument_count as usize,
            });
            checked.method_userdata = (&raw mut *method).cast();
            checked.call_func = Some(call);
            METHODS.lock().unwrap_or_else(PoisonError::into_inner).push(method);
        }
        engine_register(library, class, &raw const checked);
    }
}

/// Answers a call with Variants: converts them as the engine does for its own methods, or sets the error.
unsafe extern "C" fn call(
    data: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call of a method that was registered above, with as many live Variants as it says.
    caught(|| unsafe {
        let method = &*data.cast_const().cast::<CheckedMethod>();
        let most = method.arguments.len();
        let least = i32::try_from(most - method.optional).unwrap_or(0);
        if !has_arguments(count, least..=i32::try_from(most).unwrap_or(i32::MAX), error) {
            return;
        }
        let mut converted = Vec::new();
        let mut passed: Vec<sys::GDExtensionConstVariantPtr> = Vec::with_capacity(most);
        for (index, (expected, class)) in method.arguments.iter().enumerate().take(count as usize) {
            let argument = *arguments.add(index);
            let value = &*argument.cast::<Variant>();
            if is_of(value, *expected, class) {
                passed.push(argument);
                continue;
            }
            let Some(other) = convert(value, *expected) else {
                *error = wrong_type(i32::try_from(index).unwrap_or(0), *expected);
                return;
            };
            converted.push(Box::new(other));
            passed.extend(converted.last().map(|other| other.var_sys()));
        }
        (method.call)(std::ptr::null_mut(), instance, passed.as_ptr(), count, result, error);
    });
}

fn is_of(value: &Variant, expected: usize, class: &StringName) -> bool {
    match type_of(value) {
        _ if expected == 0 => true,
        // Null is a null object.
        0 => expected == OBJECT,
        OBJECT if expected == OBJECT => {
            class.is_empty() || value.try_to::<Gd<Object>>().is_ok_and(|object| object.is_class(&class.to_string()))
        }
        found => found == expected,
    }
}

/// Converts a value as the engine converts an argument, or returns `None` if it does not.
pub(super) fn convert(value: &Variant, expected: usize) -> Option<Variant> {
    let found = type_of(value);
    // SAFETY: both are types of Variants. The engine writes a Variant, or sets the error.
    unsafe {
        let (from, to) = (found as sys::GDExtensionVariantType, expected as sys::GDExtensionVariantType);
        if found == expected || sys::interface_fn!(variant_can_convert_strict)(from, to) == 0 {
            return None;
        }
        let mut converted = MaybeUninit::<Variant>::uninit();
        let mut error = sys::default_call_error();
        sys::interface_fn!(variant_construct)(
            to,
            converted.as_mut_ptr().cast(),
            [value.var_sys()].as_ptr(),
            1,
            &raw mut error,
        );
        (error.error == sys::GDEXTENSION_CALL_OK).then(|| converted.assume_init())
    }
}
