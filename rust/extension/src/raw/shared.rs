//! The content of an object that is used again, without the lock of the bindings: to borrow an object through them makes a system
//! call, which takes longer than to read a small packet.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use godot::builtin::Variant;
use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, Gd, GodotClass};
use godot::private::{Storage, as_storage};
use godot::sys;

use super::create::from_type;
use super::interface::OBJECT;

/// A class whose objects hold their content behind a pointer.
pub(crate) trait HasContent: GodotClass + Bounds<Declarer = DeclUser> + Sized {
    /// The number of the class, another one for each class, below [`CLASSES`].
    const NUMBER: usize;
    type Content;

    /// Returns the content, which has a place of its own: it stays there as long as the object lives, and is never borrowed
    /// exclusively.
    fn content(&self) -> &Self::Content;
}

/// How many classes have content.
const CLASSES: usize = 3;

thread_local! {
    /// For each class, the id of the object whose content was used last in this thread, and the content. No id is used twice. Has
    /// no destructor, which the system would call after this library is unloaded.
    static LAST: [Cell<(u64, *const ())>; CLASSES] = const { [const { Cell::new((0, ptr::null())) }; CLASSES] };
}

/// The content of objects by the address of their Rust side, which decides on the place: an object whose place is taken is not here.
/// So a place does not change while its object lives.
static KNOWN: [Known; 64] =
    [const { Known { instance: AtomicPtr::new(ptr::null_mut()), content: AtomicPtr::new(ptr::null_mut()) } }; 64];

struct Known {
    instance: AtomicPtr<c_void>,
    content: AtomicPtr<c_void>,
}

impl Known {
    /// Returns the place for an object.
    #[inline(always)]
    fn place(instance: sys::GDExtensionClassInstancePtr) -> &'static Self {
        // The golden ratio distributes addresses that differ by any step.
        &KNOWN[instance.addr().wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> (usize::BITS - 6)]
    }
}

/// Notes the content of a live object, if its place is not taken.
fn note<C>(instance: sys::GDExtensionClassInstancePtr, content: &C) {
    let place = Known::place(instance);
    let (none, changing) = (ptr::null_mut(), ptr::dangling_mut());
    if place.instance.load(Ordering::Relaxed).is_null()
        && place.instance.compare_exchange(none, changing, Ordering::Acquire, Ordering::Relaxed).is_ok()
    {
        place.content.store(ptr::from_ref(content).cast_mut().cast(), Ordering::Relaxed);
        place.instance.store(instance.cast(), Ordering::Release);
    }
}

/// Forgets the content of an object that will be freed.
pub(super) fn forget_content(instance: sys::GDExtensionClassInstancePtr) {
    let place = Known::place(instance);
    if place.instance.load(Ordering::Relaxed) == instance.cast() {
        place.instance.store(ptr::null_mut(), Ordering::Release);
    }
}

/// Returns the content of an object.
///
/// # Safety
/// `instance` must be that of a live object of the class, which lives for `'a`.
#[inline(always)]
pub(super) unsafe fn of_instance<'a, C: HasContent>(instance: sys::GDExtensionClassInstancePtr) -> &'a C::Content {
    let place = Known::place(instance);
    if place.instance.load(Ordering::Acquire) == instance.cast() {
        // SAFETY: an object is forgotten before it is freed, so this is the content of this object, which is of the class.
        return unsafe { &*place.content.load(Ordering::Relaxed).cast_const().cast() };
    }
    // SAFETY: by the caller.
    unsafe { of_other_instance::<C>(instance) }
}

/// # Safety
/// As for [`of_instance`].
#[cold]
unsafe fn of_other_instance<'a, C: HasContent>(instance: sys::GDExtensionClassInstancePtr) -> &'a C::Content {
    // SAFETY: by the caller. The bindings' storage is what they gave to the engine as the instance.
    unsafe {
        let storage = as_storage::<C>(instance);
        let id = sys::interface_fn!(object_get_instance_id)(storage.base().obj_sys());
        let content = last::<C>(id).unwrap_or_else(|| remember::<C>(id, storage.get().content()));
        note(instance, content);
        content
    }
}

/// Returns the content of an object.
///
/// # Safety
/// The object must live for `'a`.
pub(super) unsafe fn of_object<'a, C: HasContent>(object: &Gd<C>) -> &'a C::Content {
    // SAFETY: by the caller.
    unsafe { remember::<C>(object.instance_id_unchecked().to_i64().cast_unsigned(), object.bind().content()) }
}

/// Returns the content of the live object with this id, if its content was the last of its class to be used in this thread.
///
/// # Safety
/// The object must live for `'a`.
pub(super) unsafe fn last<'a, C: HasContent>(id: u64) -> Option<&'a C::Content> {
    let (last, content) = LAST.with(|of_class| of_class[C::NUMBER].get());
    // SAFETY: by the caller. The content is where it was, and of this class: see `HasContent`.
    (last == id && id != 0).then(|| unsafe { &*content.cast::<C::Content>() })
}

/// # Safety
/// The object must live for `'a`.
unsafe fn remember<'a, C: HasContent>(id: u64, content: &C::Content) -> &'a C::Content {
    LAST.with(|of_class| of_class[C::NUMBER].set((id, ptr::from_ref(content).cast())));
    // SAFETY: by the caller. The content has a place of its own: see `HasContent`.
    unsafe { &*ptr::from_ref(content) }
}

/// Returns a reference to an object that is called, for calls that can run scripts: they can drop the one that the caller uses.
///
/// # Safety
/// As for [`of_instance`].
pub(super) unsafe fn reference_to<C: HasContent>(instance: sys::GDExtensionClassInstancePtr) -> Variant {
    // SAFETY: by the caller. The payload of an object is a pointer to it.
    unsafe {
        let object = object_of::<C>(instance);
        from_type(OBJECT, (&raw const object).cast())
    }
}

/// Returns an object.
///
/// # Safety
/// `instance` must be that of a live object of the class.
pub(super) unsafe fn object_of<C: GodotClass + Bounds<Declarer = DeclUser>>(
    instance: sys::GDExtensionClassInstancePtr,
) -> sys::GDExtensionObjectPtr {
    // SAFETY: by the caller.
    unsafe { as_storage::<C>(instance).base().obj_sys() }
}
