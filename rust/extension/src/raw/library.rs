//! The library as the engine loads it.
//!
//! It loads whole or not at all: where the engine lacks a function that this library calls, the entry function says
//! which one and refuses, so that no class is registered whose methods could not work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use godot::obj::GodotClass;
use godot::prelude::*;
use godot::sys;

use super::interface::Interface;
use crate::result::VarBytesResult;
use crate::var_bytes::VarBytes;

struct VarBytesLibrary;

/// The levels of initialization that have begun, and those that have succeeded; a bit each.
static BEGUN: AtomicU32 = AtomicU32::new(0);
static SUCCEEDED: AtomicU32 = AtomicU32::new(0);

/// What the bindings initialize a level with.
static INITIALIZE: std::sync::OnceLock<Initialize> = std::sync::OnceLock::new();

type Initialize = unsafe extern "C" fn(*mut std::ffi::c_void, sys::GDExtensionInitializationLevel);

// SAFETY: the one promise that an extension makes is that its initialization is the bindings' own; `varbytes_init` hands
// everything on to that.
#[gdextension(entry_symbol = varbytes_bindings_init)]
unsafe impl ExtensionLibrary for VarBytesLibrary {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Core {
            super::verify_layout();
        }
        if stage == InitStage::Scene {
            VarBytesResult::register_error_kinds();
            super::register_built_ins(VarBytes::class_id());
        }
        SUCCEEDED.fetch_or(1 << stage as u32, Ordering::Relaxed);
    }
}

/// What the engine calls first.
///
/// # Safety
/// Only an engine may call it, with its own arguments.
#[unsafe(no_mangle)]
unsafe extern "C" fn varbytes_init(
    get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    initialization: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    // SAFETY: by the caller. The bindings catch their own panics and answer 0 after one.
    if unsafe { varbytes_bindings_init(get_proc_address, library, initialization) } == 0 {
        return 0;
    }
    let loaded = catch_unwind(|| {
        let fetched = Interface::fetch().map(super::set_interface);
        if let Err(lack) = &fetched {
            godot_error!("VarBytes cannot work in this engine, which lacks {lack}");
        }
        fetched.is_ok()
    });
    if !matches!(loaded, Ok(true)) {
        return 0;
    }
    BEGUN.store(0, Ordering::Relaxed);
    SUCCEEDED.store(0, Ordering::Relaxed);
    // SAFETY: the bindings have just written it.
    let initialization = unsafe { &mut *initialization };
    if let Some(initialize) = initialization.initialize.replace(initialize_level) {
        let _ = INITIALIZE.set(initialize);
    }
    1
}

/// Initializes a level as the bindings do, where all levels before it could be: classes are registered in the last one,
/// and must not be without the functions that the others have fetched.
unsafe extern "C" fn initialize_level(data: *mut std::ffi::c_void, level: sys::GDExtensionInitializationLevel) {
    let bit = 1_u32.checked_shl(level as u32).unwrap_or(0);
    let failed = BEGUN.fetch_or(bit, Ordering::Relaxed) & !SUCCEEDED.load(Ordering::Relaxed);
    if failed != 0 {
        let _ = catch_unwind(AssertUnwindSafe(|| godot_error!("VarBytes cannot work in this engine: see above")));
        return;
    }
    if let Some(initialize) = INITIALIZE.get() {
        // SAFETY: the arguments are the engine's own, and the bindings catch their own panics.
        unsafe { initialize(data, level) };
    }
}
