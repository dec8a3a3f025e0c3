//! Functions that the bindings get in place of the engine's.

use std::ffi::{CStr, c_char};
use std::mem::transmute;
use std::sync::OnceLock;

use godot::sys;

use super::checked_calls::{REGISTER_METHOD_NAME, register_method};
use super::engine::{REGISTER_METHOD, RegisterMethod};
use super::instances::{
    ENGINE_GET_BINDING, ENGINE_SET_BINDING, GET_BINDING, GetBinding, SET_BINDING, SetBinding, get_binding, set_binding,
};
use super::pool::{ENGINE_REGISTER_CLASS, REGISTER_CLASS, RegisterClass, register_class};

/// The engine's functions by name.
static ENGINE: OnceLock<unsafe extern "C" fn(*const c_char) -> sys::GDExtensionInterfaceFunctionPtr> = OnceLock::new();

/// Returns what the bindings get in place of the engine's function that finds all others.
pub(super) fn instead_of(engine: sys::GDExtensionInterfaceGetProcAddress) -> sys::GDExtensionInterfaceGetProcAddress {
    let engine = engine?;
    // The same function after a reload in the same process.
    let _ = ENGINE.set(engine);
    Some(get_proc_address)
}

unsafe extern "C" fn get_proc_address(name: *const c_char) -> sys::GDExtensionInterfaceFunctionPtr {
    // SAFETY: the bindings pass the name of a function of the interface, and the types of these functions are known.
    unsafe {
        let function = ENGINE.get()?(name)?;
        let name = CStr::from_ptr(name);
        Some(if name == REGISTER_METHOD_NAME {
            let _ = REGISTER_METHOD.set(transmute::<unsafe extern "C" fn(), RegisterMethod>(function));
            transmute::<RegisterMethod, unsafe extern "C" fn()>(register_method)
        } else if name == REGISTER_CLASS {
            let _ = ENGINE_REGISTER_CLASS.set(transmute::<unsafe extern "C" fn(), RegisterClass>(function));
            transmute::<RegisterClass, unsafe extern "C" fn()>(register_class)
        } else if name == SET_BINDING {
            let _ = ENGINE_SET_BINDING.set(transmute::<unsafe extern "C" fn(), SetBinding>(function));
            transmute::<SetBinding, unsafe extern "C" fn()>(set_binding)
        } else if name == GET_BINDING {
            let _ = ENGINE_GET_BINDING.set(transmute::<unsafe extern "C" fn(), GetBinding>(function));
            transmute::<GetBinding, unsafe extern "C" fn()>(get_binding)
        } else {
            function
        })
    }
}
