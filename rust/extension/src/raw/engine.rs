//! The engine's functions and the verified layout of its memory, found once when the library loads.

use std::panic::catch_unwind;
use std::sync::{Mutex, OnceLock, PoisonError};

use godot::sys;

use super::interface::Interface;
use super::layout::Layout;
use super::layout_checks::verified;

pub(super) struct Engine {
    pub(super) interface: Interface,
    pub(super) layout: Layout,
}

static ENGINE: OnceLock<Engine> = OnceLock::new();

/// The engine's function that registers a method.
pub(super) type RegisterMethod = unsafe extern "C" fn(
    sys::GDExtensionClassLibraryPtr,
    sys::GDExtensionConstStringNamePtr,
    *const sys::GDExtensionClassMethodInfo,
);

/// The engine's own function of that type. The bindings have another one: see `checked_calls`.
pub(super) static REGISTER_METHOD: OnceLock<RegisterMethod> = OnceLock::new();

/// The functions, from when they were fetched until [`verify_layout`] takes them.
static FETCHED: Mutex<Option<Interface>> = Mutex::new(None);

/// Stores the engine's functions for [`verify_layout`].
pub(super) fn set_interface(interface: Interface) {
    *FETCHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(interface);
}

/// Verifies the layout of the engine's memory. Called once when the library loads; [`engine`] works from then on.
/// If the verification itself fails, nothing is assumed.
pub(super) fn verify_layout() {
    let Some(interface) = FETCHED.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let layout = catch_unwind(|| verified(&interface)).unwrap_or(Layout::UNKNOWN);
    // A second load in the same process keeps the first result: it is the same engine.
    let _ = ENGINE.set(Engine { interface, layout });
}

/// Which assumptions about the engine's memory hold, as text for tests and benchmarks.
pub(crate) fn assumptions() -> String {
    engine().layout.report()
}

#[inline]
pub(super) fn engine() -> &'static Engine {
    ENGINE.get().expect("the library loads before its classes can be called")
}
