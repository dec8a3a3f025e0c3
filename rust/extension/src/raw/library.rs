//! The library as the engine loads it.
//!
//! It loads whole or not at all: where the engine lacks a function that this library calls, the entry function says
//! which one and refuses, so that no class is registered whose methods could not work.

use std::ffi::c_void;
use std::panic::catch_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use godot::obj::GodotClass;
use godot::prelude::*;
use godot::sys;

use super::interface::Interface;
use crate::result::VarBytesResult;
use crate::var_bytes::VarBytes;

struct VarBytesLibrary;

/// The levels of initialization that have succeeded; a bit each.
static SUCCEEDED: AtomicU32 = AtomicU32::new(0);
/// Whether one has failed, and all that was registered is gone again.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// What the bindings initialize and deinitialize a level with.
static BINDINGS: OnceLock<(OfLevel, OfLevel)> = OnceLock::new();

type OfLevel = unsafe extern "C" fn(*mut c_void, sys::GDExtensionInitializationLevel);

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
        // The engine's own log may be what is missing.
        eprintln!("VarBytes cannot work in this engine: see above");
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
    SUCCEEDED.store(0, Ordering::Relaxed);
    GIVEN_UP.store(false, Ordering::Relaxed);
    // SAFETY: the bindings have just written it.
    let initialization = unsafe { &mut *initialization };
    let (Some(initialize), Some(deinitialize)) =
        (initialization.initialize.replace(initialize_level), initialization.deinitialize.replace(deinitialize_level))
    else {
        return 0;
    };
    // A second load in the same process finds the same functions.
    let _ = BINDINGS.set((initialize, deinitialize));
    1
}

/// Initializes a level as the bindings do. They fetch the methods of classes for each level, and register classes in the
/// first: where a method is missing, all of it is taken back.
unsafe extern "C" fn initialize_level(data: *mut c_void, level: sys::GDExtensionInitializationLevel) {
    let Some((initialize, deinitialize)) = BINDINGS.get() else { return };
    if GIVEN_UP.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the arguments are the engine's own, and the bindings catch their own panics.
    unsafe { initialize(data, level) };
    let is_needed = level <= sys::GDEXTENSION_INITIALIZATION_SCENE;
    let succeeded = SUCCEEDED.load(Ordering::Relaxed) & 1_u32.checked_shl(level as u32).unwrap_or(0) != 0;
    if succeeded || !is_needed {
        return;
    }
    let _ = catch_unwind(|| godot_error!("VarBytes cannot work in this engine: see above"));
    GIVEN_UP.store(true, Ordering::Relaxed);
    for level in (0..=level).rev() {
        // SAFETY: as above; the engine's own call for the level ends in `deinitialize_level` and goes no further.
        unsafe { deinitialize(data, level) };
    }
}

unsafe extern "C" fn deinitialize_level(data: *mut c_void, level: sys::GDExtensionInitializationLevel) {
    if let Some((_, deinitialize)) = BINDINGS.get()
        && !GIVEN_UP.load(Ordering::Relaxed)
    {
        // SAFETY: the arguments are the engine's own, and the bindings catch their own panics.
        unsafe { deinitialize(data, level) };
    }
}
