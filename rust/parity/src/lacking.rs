//! Runs the addon in an engine that lacks a function. This entry function loads the addon's library and passes it the
//! engine's functions, except one.
//!
//! `VARBYTES_LIBRARY` is the path of the library. `VARBYTES_LACKS` names what is missing: a function of the extension
//! interface, or `method` and a method of the built-in types, or `class` and a class whose methods are missing. The names of
//! all functions that the library requests are appended to the file `VARBYTES_NAMES`.
#![expect(unsafe_code, reason = "it replaces functions of the engine for an extension")]

use std::env;
use std::ffi::{CStr, CString, c_char, c_void};
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::OnceLock;

use godot::sys;

/// The engine's functions, and what is hidden.
struct Hidden {
    engine: GetProcAddress,
    /// The name of a function.
    function: Option<CString>,
    /// The name of a method or of a class. The engine stores each name once, so equal names have equal pointers.
    method: Option<usize>,
    class: Option<usize>,
}

type GetProcAddress = unsafe extern "C" fn(*const c_char) -> sys::GDExtensionInterfaceFunctionPtr;
type NewName = unsafe extern "C" fn(*mut c_void, *const c_char, u8);
type Entry = unsafe extern "C" fn(
    sys::GDExtensionInterfaceGetProcAddress,
    sys::GDExtensionClassLibraryPtr,
    *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool;
type FindMethod = unsafe extern "C" fn(
    sys::GDExtensionVariantType,
    sys::GDExtensionConstStringNamePtr,
    i64,
) -> sys::GDExtensionPtrBuiltInMethod;
type FindClassMethod = unsafe extern "C" fn(
    sys::GDExtensionConstStringNamePtr,
    sys::GDExtensionConstStringNamePtr,
    i64,
) -> sys::GDExtensionMethodBindPtr;

static HIDDEN: OnceLock<Hidden> = OnceLock::new();

/// The entry function, instead of the addon's own.
///
/// # Safety
/// Only an engine may call it, with its own arguments.
#[unsafe(no_mangle)]
unsafe extern "C" fn varbytes_lacking_init(
    get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    initialization: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    let (Some(engine), Some(path)) = (get_proc_address, env::var_os("VARBYTES_LIBRARY")) else { return 0 };
    let lacks = env::var("VARBYTES_LACKS").unwrap_or_default();
    let (kind, name) = lacks.split_once(' ').unwrap_or(("function", &lacks));
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the engine's own function creates a name from text that lives for the call.
    let interned = unsafe { interned(engine, &name) };
    let hidden = Hidden {
        engine,
        function: (kind == "function").then_some(name),
        method: (kind == "method").then_some(interned),
        class: (kind == "class").then_some(interned),
    };
    let _ = HIDDEN.set(hidden);
    // SAFETY: this is the entry function of the addon's library, which stays loaded as long as the engine runs.
    unsafe {
        let Ok(addon) = libloading::Library::new(path) else { return 0 };
        let Ok(entry) = addon.get::<Entry>(b"varbytes_init\0").map(|entry| *entry) else { return 0 };
        std::mem::forget(addon);
        entry(Some(find_function), library, initialization)
    }
}

/// # Safety
/// The function must be that of an engine.
unsafe fn interned(engine: GetProcAddress, text: &CStr) -> usize {
    let mut name = 0_usize;
    // SAFETY: by the caller. The function of this name has this signature, and a name is one pointer.
    unsafe {
        if let Some(make) = engine(c"string_name_new_with_latin1_chars".as_ptr()) {
            let make = std::mem::transmute::<unsafe extern "C" fn(), NewName>(make);
            make((&raw mut name).cast(), text.as_ptr(), 0);
        }
    }
    name
}

unsafe extern "C" fn find_function(name: *const c_char) -> sys::GDExtensionInterfaceFunctionPtr {
    let hidden = HIDDEN.get()?;
    // SAFETY: the caller passes text that lives for the call. Functions are replaced by ones with the same signature.
    unsafe {
        let text = CStr::from_ptr(name);
        note(text);
        if hidden.function.as_deref() == Some(text) {
            return None;
        }
        let replaced = match text.to_bytes() {
            b"variant_get_ptr_builtin_method" if hidden.method.is_some() => {
                std::mem::transmute::<FindMethod, unsafe extern "C" fn()>(find_method)
            }
            b"classdb_get_method_bind" if hidden.class.is_some() => {
                std::mem::transmute::<FindClassMethod, unsafe extern "C" fn()>(find_class_method)
            }
            _ => return (hidden.engine)(name),
        };
        Some(replaced)
    }
}

unsafe extern "C" fn find_method(
    variant_type: sys::GDExtensionVariantType,
    name: sys::GDExtensionConstStringNamePtr,
    hash: i64,
) -> sys::GDExtensionPtrBuiltInMethod {
    let hidden = HIDDEN.get()?;
    // SAFETY: a name is one pointer, and the engine's function has this signature.
    unsafe {
        if hidden.method == Some(name.cast::<usize>().read()) {
            return None;
        }
        let engine = (hidden.engine)(c"variant_get_ptr_builtin_method".as_ptr())?;
        std::mem::transmute::<unsafe extern "C" fn(), FindMethod>(engine)(variant_type, name, hash)
    }
}

unsafe extern "C" fn find_class_method(
    class: sys::GDExtensionConstStringNamePtr,
    name: sys::GDExtensionConstStringNamePtr,
    hash: i64,
) -> sys::GDExtensionMethodBindPtr {
    let Some(hidden) = HIDDEN.get() else { return std::ptr::null_mut() };
    // SAFETY: as above.
    unsafe {
        let is_hidden = hidden.class == Some(class.cast::<usize>().read());
        match (hidden.engine)(c"classdb_get_method_bind".as_ptr()) {
            Some(engine) if !is_hidden => {
                std::mem::transmute::<unsafe extern "C" fn(), FindClassMethod>(engine)(class, name, hash)
            }
            _ => std::ptr::null_mut(),
        }
    }
}

fn note(name: &CStr) {
    if let Some(path) = env::var_os("VARBYTES_NAMES")
        && let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path)
    {
        let _ = writeln!(file, "{}", name.to_string_lossy());
    }
}
