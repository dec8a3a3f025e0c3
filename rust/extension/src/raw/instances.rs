//! The Rust side of objects that are used again, without an instance binding in the engine.
//!
//! The bindings store the address of an object's Rust side in the engine's object, as an instance binding. From then on, the engine
//! locks a mutex of the object each time a reference to it is taken or dropped while there are at most two: together, that takes as
//! long as to read a small packet. So the objects of the pool get no instance binding, and their Rust side is found here.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use godot::sys;

/// How many objects are used again. Further ones that scripts keep at the same time are freed as all objects are.
pub(super) const PLACES: usize = 16;

/// The name of the engine's function that stores an instance binding.
pub(super) const SET_BINDING: &CStr = c"object_set_instance_binding";
/// The name of the engine's function that returns an instance binding.
pub(super) const GET_BINDING: &CStr = c"object_get_instance_binding";

pub(super) type SetBinding = unsafe extern "C" fn(
    sys::GDExtensionObjectPtr,
    *mut c_void,
    *mut c_void,
    *const sys::GDExtensionInstanceBindingCallbacks,
);
pub(super) type GetBinding = unsafe extern "C" fn(
    sys::GDExtensionObjectPtr,
    *mut c_void,
    *const sys::GDExtensionInstanceBindingCallbacks,
) -> *mut c_void;

/// The engine's own functions of these types.
pub(super) static ENGINE_SET_BINDING: OnceLock<SetBinding> = OnceLock::new();
pub(super) static ENGINE_GET_BINDING: OnceLock<GetBinding> = OnceLock::new();

/// The objects without an instance binding.
static KNOWN: [Known; PLACES] =
    [const { Known { object: AtomicPtr::new(ptr::null_mut()), instance: AtomicPtr::new(ptr::null_mut()) } }; PLACES];

struct Known {
    /// The engine's object, or null. It is removed from here before the engine frees it, so no other object has this address.
    object: AtomicPtr<c_void>,
    /// Its Rust side.
    instance: AtomicPtr<c_void>,
}

thread_local! {
    /// Whether this thread creates an object without an instance binding.
    static IS_CREATING: Cell<bool> = const { Cell::new(false) };
}

/// Creates an object without an instance binding, if there is room here. Only one thread may call it at a time.
pub(super) fn without_binding<T>(create: impl FnOnce() -> T) -> T {
    struct Creating;
    impl Drop for Creating {
        fn drop(&mut self) {
            IS_CREATING.set(false);
        }
    }
    IS_CREATING.set(true);
    let _creating = Creating;
    create()
}

/// Notes that the Rust side of an object will be freed, and then the object.
pub(super) fn forget(instance: sys::GDExtensionClassInstancePtr) {
    if let Some(known) = KNOWN.iter().find(|known| known.instance.load(Ordering::Acquire) == instance.cast()) {
        known.object.store(ptr::null_mut(), Ordering::Release);
        known.instance.store(ptr::null_mut(), Ordering::Release);
    }
}

/// Stores the Rust side of an object.
pub(super) unsafe extern "C" fn set_binding(
    object: sys::GDExtensionObjectPtr,
    library: *mut c_void,
    instance: *mut c_void,
    callbacks: *const sys::GDExtensionInstanceBindingCallbacks,
) {
    let room = || KNOWN.iter().find(|known| known.instance.load(Ordering::Acquire).is_null());
    if let Some(known) = Some(()).filter(|()| IS_CREATING.get()).and_then(|()| room()) {
        known.instance.store(instance, Ordering::Release);
        known.object.store(object.cast(), Ordering::Release);
    } else if let Some(engine) = ENGINE_SET_BINDING.get() {
        // SAFETY: the call of the bindings.
        unsafe { engine(object, library, instance, callbacks) };
    }
}

/// Returns the Rust side of an object.
pub(super) unsafe extern "C" fn get_binding(
    object: sys::GDExtensionObjectPtr,
    library: *mut c_void,
    callbacks: *const sys::GDExtensionInstanceBindingCallbacks,
) -> *mut c_void {
    if let Some(known) = KNOWN.iter().find(|known| known.object.load(Ordering::Acquire) == object.cast()) {
        return known.instance.load(Ordering::Acquire);
    }
    // SAFETY: the call of the bindings.
    ENGINE_GET_BINDING.get().map_or(ptr::null_mut(), |engine| unsafe { engine(object, library, callbacks) })
}
