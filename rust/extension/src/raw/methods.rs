//! The four built-ins, registered without the bindings' glue.
//!
//! A call of a few nanoseconds would take ten times as long if its arguments were converted and its context
//! recorded for every call. So these look at the Variants of the caller where they are.

use std::panic::{AssertUnwindSafe, catch_unwind};

use godot::builtin::{GString, PackedByteArray, StringName, Variant};
use godot::meta::{ClassId, ToGodot};
use godot::prelude::godot_error;
use godot::sys;

use super::container::{bytes, owns_nothing};
use super::interface::BYTES;
use super::look::{View, type_of, view};
use crate::decode::decode_plain;
use crate::var_bytes::{read_printing, write_printing};

/// `PROPERTY_USAGE_DEFAULT` and `PROPERTY_USAGE_NIL_IS_VARIANT` of the engine.
const USAGE_DEFAULT: u32 = 6;
const USAGE_ANY: u32 = USAGE_DEFAULT | 1 << 17;

/// Registers them as static methods of a class that has been registered.
pub(crate) fn register_built_ins(class: ClassId) {
    register::<true, false>(class, "var_to_bytes");
    register::<true, true>(class, "var_to_bytes_with_objects");
    register::<false, false>(class, "bytes_to_var");
    register::<false, true>(class, "bytes_to_var_with_objects");
}

fn register<const WRITES: bool, const OBJECTS: bool>(class: ClassId, name: &str) {
    let mut name = StringName::from(name);
    let mut argument_name = StringName::from(if WRITES { "value" } else { "bytes" });
    let mut none = StringName::default();
    let mut hint = GString::new();
    let mut info = |is_bytes: bool, name: &mut StringName| sys::GDExtensionPropertyInfo {
        type_: if is_bytes { BYTES as sys::GDExtensionVariantType } else { 0 },
        name: name.string_sys_mut(),
        class_name: none.string_sys_mut(),
        hint: 0,
        hint_string: hint.string_sys_mut(),
        usage: if is_bytes { USAGE_DEFAULT } else { USAGE_ANY },
    };
    let mut unnamed = StringName::default();
    let mut argument = info(!WRITES, &mut argument_name);
    let mut answer = info(WRITES, &mut unnamed);
    let mut metadata = sys::GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE;
    let method = sys::GDExtensionClassMethodInfo {
        name: name.string_sys_mut(),
        method_userdata: std::ptr::null_mut(),
        call_func: Some(call::<WRITES, OBJECTS>),
        ptrcall_func: Some(ptrcall::<WRITES, OBJECTS>),
        method_flags: (sys::GDEXTENSION_METHOD_FLAGS_DEFAULT | sys::GDEXTENSION_METHOD_FLAG_STATIC) as u32,
        has_return_value: 1,
        return_value_info: &raw mut answer,
        return_value_metadata: metadata,
        argument_count: 1,
        arguments_info: &raw mut argument,
        arguments_metadata: &raw mut metadata,
        default_argument_count: 0,
        default_arguments: std::ptr::null_mut(),
    };
    // SAFETY: everything pointed to lives until the call returns; the engine copies it.
    unsafe {
        sys::interface_fn!(classdb_register_extension_class_method)(
            sys::get_library(),
            class.string_sys(),
            &raw const method,
        );
    }
}

/// A call with Variants.
unsafe extern "C" fn call<const WRITES: bool, const OBJECTS: bool>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    answer: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine gives as many Variants as it says, which live for the call, room for an error, and a
    // Variant for the answer, null at first.
    caught(|| unsafe {
        if count != 1 {
            let kind = if count < 1 {
                sys::GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
            } else {
                sys::GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS
            };
            *error = sys::GDExtensionCallError { error: kind, argument: 1, expected: 1 };
            return;
        }
        let argument = &*(*arguments).cast::<Variant>();
        let value = if WRITES {
            written::<OBJECTS>(argument).to_variant()
        } else {
            let View::Bytes(packet) = view(argument) else {
                let kind = sys::GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT;
                *error = sys::GDExtensionCallError { error: kind, argument: 0, expected: BYTES as i32 };
                return;
            };
            match decode_plain(packet) {
                Some(value) => value,
                None => {
                    // Copies of a Variant share the array; this one shares its content alone, and copies it on a change.
                    let held = argument.to::<PackedByteArray>();
                    read_printing(bytes(&held), OBJECTS)
                }
            }
        };
        let answer = answer.cast::<Variant>();
        if type_of(&*answer) == 0 { answer.write(value) } else { *answer = value }
    });
}

/// A call with the types as they are.
unsafe extern "C" fn ptrcall<const WRITES: bool, const OBJECTS: bool>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    answer: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine gives one argument and room for the answer of the types registered above, both of which
    // the bindings keep in the engine's own form.
    caught(|| unsafe {
        if WRITES {
            let argument = &*(*arguments).cast::<Variant>();
            let answer = answer.cast::<PackedByteArray>();
            let written = written::<OBJECTS>(argument);
            // The usual answer owns nothing yet that would have to be freed.
            if owns_nothing(&*answer) { answer.write(written) } else { *answer = written }
        } else {
            let argument = &*(*arguments).cast::<PackedByteArray>();
            let answer = answer.cast::<Variant>();
            let value = match decode_plain(bytes(argument)) {
                Some(value) => value,
                None => {
                    let held = argument.clone();
                    read_printing(bytes(&held), OBJECTS)
                }
            };
            if type_of(&*answer) == 0 { answer.write(value) } else { *answer = value }
        }
    });
}

/// Scripts run while a value with objects is written or read, and may change the caller's variable: then the only
/// reference to what is being read would be gone. So one of our own is held. No script runs while a plain value is read
/// or objects are written as ids.
fn written<const OBJECTS: bool>(value: &Variant) -> PackedByteArray {
    if OBJECTS { write_printing(&value.clone(), true) } else { write_printing(value, false) }
}

/// No panic crosses into the engine, whatever is wrong in this library. The answer is then as the engine has prepared it,
/// which is null or empty.
#[inline(always)]
fn caught(body: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(body)).is_err() {
        let _ = catch_unwind(|| godot_error!("VarBytes: internal error; please report what was read or written"));
    }
}
