//! Loading and unloading the library.
//!
//! The library loads completely or not at all. If the engine lacks a function that the library calls, the entry function
//! names it and refuses to load. So no class is registered whose methods could not work.

use std::ffi::c_void;
use std::mem::transmute;
use std::panic::catch_unwind;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use godot::init::InitStage;
use godot::prelude::godot_error;
use godot::sys;

use super::checked_calls;
use super::engine::{set_interface, verify_layout};
use super::hooks::instead_of;
use super::interface::Interface;
use super::output::without_output;
use super::pool::declare;
use super::result_properties::get;
use super::reused_result::ReusedResult;

/// The initialization levels that have succeeded; one bit for each.
static SUCCEEDED: AtomicU32 = AtomicU32::new(0);
/// Whether a level has failed. Everything that was registered has then been unregistered.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// The functions of the bindings that initialize and deinitialize a level.
static BINDINGS: OnceLock<(LevelFunction, LevelFunction)> = OnceLock::new();

type LevelFunction = unsafe extern "C" fn(*mut c_void, sys::GDExtensionInitializationLevel);

/// The entry function that the bindings generate.
pub(crate) type BindingsEntry = unsafe extern "C" fn(
    sys::GDExtensionInterfaceGetProcAddress,
    sys::GDExtensionClassLibraryPtr,
    *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool;

/// What the engine calls when its main loop starts, before it ends, and in each frame. The bindings for 4.4 lack it.
#[repr(C)]
struct MainLoopCallbacks {
    startup: Option<unsafe extern "C" fn()>,
    shutdown: Option<unsafe extern "C" fn()>,
    frame: Option<unsafe extern "C" fn()>,
}

/// The engine's function that sets them, and the first version that has it.
type SetCallbacks = unsafe extern "C" fn(sys::GDExtensionClassLibraryPtr, *const MainLoopCallbacks);
const WITH_CALLBACKS: (u8, u8, u8) = (4, 5, 0);

/// Declares the library to the engine. `$register` is called after the bindings have registered all classes, `$quit` before the engine
/// quits (from Godot 4.5 on), and `$end` before the bindings unregister the classes. `$with_pool` is the class whose objects are used
/// again.
macro_rules! declare_library {
    ($register:path, $quit:path, $end:path, $with_pool:path) => {
        #[allow(unsafe_code, reason = "an extension cannot be declared without it")]
        mod entry {
            use godot::init::{ExtensionLibrary, InitStage, gdextension};
            use godot::sys;

            struct VarBytesLibrary;

            // SAFETY: an extension promises only that its initialization is the one of the bindings. `varbytes_init` passes
            // everything on to that.
            #[gdextension(entry_symbol = varbytes_bindings_init)]
            unsafe impl ExtensionLibrary for VarBytesLibrary {
                fn on_stage_init(stage: InitStage) {
                    $crate::raw::library::stage_initialized(stage, $register);
                }

                fn on_stage_deinit(stage: InitStage) {
                    $crate::raw::library::stage_deinitialized(stage, $end);
                }
            }

            unsafe extern "C" fn quit() {
                let _ = std::panic::catch_unwind($quit);
            }

            /// The function that the engine calls first.
            ///
            /// # Safety
            /// Only an engine may call it, with its own arguments.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn varbytes_init(
                get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
                library: sys::GDExtensionClassLibraryPtr,
                initialization: *mut sys::GDExtensionInitialization,
            ) -> sys::GDExtensionBool {
                // SAFETY: the caller is the engine.
                unsafe {
                    $crate::raw::library::load::<$with_pool>(
                        varbytes_bindings_init,
                        quit,
                        get_proc_address,
                        library,
                        initialization,
                    )
                }
            }
        }
    };
}
pub(crate) use declare_library;

/// Records that the bindings have initialized a stage, and does what this library adds to it.
pub(crate) fn stage_initialized(stage: InitStage, register: fn()) {
    match stage {
        InitStage::Core => verify_layout(),
        InitStage::Scene => register(),
        _ => {}
    }
    SUCCEEDED.fetch_or(1 << stage as u32, Ordering::Relaxed);
}

/// Does what has to be done before the bindings deinitialize a stage.
pub(crate) fn stage_deinitialized(stage: InitStage, end: fn()) {
    if stage == InitStage::Scene {
        end();
    }
}

/// Loads the library.
///
/// # Safety
/// The arguments after `quit` must come from the engine.
pub(crate) unsafe fn load<P: ReusedResult>(
    bindings: BindingsEntry,
    quit: unsafe extern "C" fn(),
    get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    initialization: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    declare::<P>(get::<P>);
    // SAFETY: by the caller. The bindings catch their own panics and return 0 after one.
    let load = || unsafe { bindings(instead_of(get_proc_address), library, initialization) };
    // An exported game prints only what its own scripts print.
    let loaded = if cfg!(feature = "editor-help") { load() } else { without_output(load) };
    if loaded == 0 {
        // Logging through the engine may be what does not work.
        eprintln!("VarBytes cannot work in this engine: see the messages above");
        return 0;
    }
    let loaded = catch_unwind(|| {
        let fetched = Interface::fetch().map(set_interface);
        if let Err(missing) = &fetched {
            godot_error!("VarBytes cannot work in this engine, which lacks {missing}");
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
    // Older engines print an error if they are asked for a function that they lack.
    if sys::GdextBuild::godot_runtime_version_triple() >= WITH_CALLBACKS
        && let Some(get_proc_address) = get_proc_address
    {
        let callbacks = MainLoopCallbacks { startup: None, shutdown: Some(quit), frame: None };
        // SAFETY: the arguments come from the engine, and its function of this name has this type.
        unsafe {
            if let Some(set_callbacks) = get_proc_address(c"register_main_loop_callbacks".as_ptr()) {
                transmute::<unsafe extern "C" fn(), SetCallbacks>(set_callbacks)(library, &raw const callbacks);
            }
        }
    }
    1
}

/// Initializes a level through the bindings.
///
/// The bindings fetch the methods of classes at each level, and register classes at the first. If a method is missing,
/// everything is unregistered again.
unsafe extern "C" fn initialize_level(data: *mut c_void, level: sys::GDExtensionInitializationLevel) {
    let Some((initialize, deinitialize)) = BINDINGS.get() else { return };
    if GIVEN_UP.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the arguments come from the engine, and the bindings catch their own panics.
    unsafe { initialize(data, level) };
    let is_needed = level <= sys::GDEXTENSION_INITIALIZATION_SCENE;
    let succeeded = SUCCEEDED.load(Ordering::Relaxed) & 1_u32.checked_shl(level as u32).unwrap_or(0) != 0;
    if succeeded || !is_needed {
        return;
    }
    let _ = catch_unwind(|| godot_error!("VarBytes cannot work in this engine: see the messages above"));
    GIVEN_UP.store(true, Ordering::Relaxed);
    for level in (0..=level).rev() {
        // SAFETY: as above. The engine's own call for the level reaches `deinitialize_level`, which does nothing then.
        unsafe { deinitialize_bindings(*deinitialize, data, level) };
    }
}

unsafe extern "C" fn deinitialize_level(data: *mut c_void, level: sys::GDExtensionInitializationLevel) {
    if let Some((_, deinitialize)) = BINDINGS.get()
        && !GIVEN_UP.load(Ordering::Relaxed)
    {
        // SAFETY: the arguments come from the engine.
        unsafe { deinitialize_bindings(*deinitialize, data, level) };
    }
}

/// # Safety
/// The arguments must be the function of the bindings, and those of the engine.
unsafe fn deinitialize_bindings(
    deinitialize: LevelFunction,
    data: *mut c_void,
    level: sys::GDExtensionInitializationLevel,
) {
    if level == sys::GDEXTENSION_INITIALIZATION_CORE {
        // All classes have been unregistered, and the engine's functions can still be called.
        checked_calls::forget();
    }
    // SAFETY: by the caller. The bindings catch their own panics.
    unsafe { deinitialize(data, level) };
}
