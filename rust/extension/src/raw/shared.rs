//! The content of an object that is used again, without the lock of the bindings: to borrow an object through them makes a system
//! call, which takes longer than to read a small packet.

use std::cell::Cell;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, GodotClass};
use godot::private::{Storage, as_storage};
use godot::sys;

/// A class whose objects hold their content behind a pointer.
pub(crate) trait HasContent: GodotClass + Bounds<Declarer = DeclUser> + Sized {
    type Content;

    /// Returns the content, which has a place of its own: it stays there as long as the object lives, and is never borrowed
    /// exclusively.
    fn content(&self) -> &Mutex<Self::Content>;
}

thread_local! {
    /// The object whose content was used last in this thread, and the content. No id is used twice, and one class has content. Has no destructor, which the
    /// system would call after this library is unloaded.
    static LAST: Cell<(u64, *const ())> = const { Cell::new((0, ptr::null())) };
}

/// Calls a function with the content of an object. The function must not run scripts or drop values, because scripts can use the
/// object.
///
/// # Safety
/// `instance` must be that of a live object of the class, which the engine keeps for the call.
pub(super) unsafe fn of_instance<C: HasContent, T>(
    instance: sys::GDExtensionClassInstancePtr,
    body: impl FnOnce(&mut C::Content) -> T,
) -> T {
    // SAFETY: by the caller. The bindings' storage is what they gave to the engine as the instance. If the object with this id is
    // the last one, its content is where it was: see `HasContent`.
    let content = unsafe {
        let storage = as_storage::<C>(instance);
        let id = sys::interface_fn!(object_get_instance_id)(storage.base().obj_sys());
        match LAST.get() {
            (last, content) if last == id => &*content.cast::<Mutex<C::Content>>(),
            _ => {
                let content = ptr::from_ref(storage.get().content());
                LAST.set((id, content.cast()));
                &*content
            }
        }
    };
    body(&mut content.lock().unwrap_or_else(PoisonError::into_inner))
}
