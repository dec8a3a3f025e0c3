//! Objects that are used again. The engine and the bindings take longer to create an object than to read a small packet, so a
//! few objects stay when the last script has dropped them. They hold nothing meanwhile: the engine tells the class when only one
//! reference is left, which is the one from here.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, Ordering};

use godot::builtin::{StringName, Variant};
use godot::obj::Gd;
use godot::private::{Storage, as_storage};
use godot::sys;

use super::caught::caught;
use super::create::{from_type, from_type_over};
use super::engine::engine;
use super::instances::{PLACES, forget};
use super::interface::OBJECT;
use super::shared::HasContent;

/// No object.
const EMPTY: u8 = 0;
/// Changing between the other states.
const CHANGING: u8 = 1;
/// Scripts refer to the object.
const USED: u8 = 2;
/// No script refers to the object.
const FREE: u8 = 3;

/// The objects of a class that are used again.
pub(crate) struct Pool<C: HasContent> {
    is_open: AtomicBool,
    places: [Place<C>; PLACES],
}

struct Place<C: HasContent> {
    state: AtomicU8,
    object: AtomicPtr<c_void>,
    pooled: UnsafeCell<MaybeUninit<Pooled<C>>>,
}

// SAFETY: what the cell of a place holds is changed only by the thread that has set the state to `CHANGING`, and read only by
// that thread or when the object is dropped: it is there then. The engine lets every thread use an object, and so its content.
unsafe impl<C: HasContent> Sync for Place<C> {}

/// An object, and what is known about it.
struct Pooled<C: HasContent> {
    /// One reference to the object.
    _kept: Variant,
    id: u64,
    content: *const C::Content,
    /// The members of the object when it was new, from its first byte to the reference count.
    members: Box<[u32]>,
}

impl<C: HasContent> Pooled<C> {
    /// Returns how many references to the object there are, and whether something has changed it: metadata, signals, a script.
    fn inspect(&self, object: *mut c_void) -> (u32, bool) {
        // SAFETY: the object lives, and this many words of it can be read: see `Layout::reference_count`. The reference count is
        // atomic. Nothing else changes while there is only one reference.
        unsafe {
            let references = (*object.cast::<AtomicU32>().add(self.members.len())).load(Ordering::Acquire);
            (references, references == 1 && *members(object, self.members.len()) != *self.members)
        }
    }
}

/// # Safety
/// The object must live for `'a`, have that many words before its reference count, and not be changed meanwhile.
unsafe fn members<'a>(object: *mut c_void, words: usize) -> &'a [u32] {
    // SAFETY: by the caller.
    unsafe { std::slice::from_raw_parts(object.cast::<u32>(), words) }
}

impl<C: HasContent> Pool<C> {
    pub(crate) const fn new() -> Self {
        Self {
            is_open: AtomicBool::new(false),
            places: [const {
                Place {
                    state: AtomicU8::new(EMPTY),
                    object: AtomicPtr::new(ptr::null_mut()),
                    pooled: UnsafeCell::new(MaybeUninit::uninit()),
                }
            }; PLACES],
        }
    }

    /// From now on, objects are kept.
    pub(super) fn open(&self) {
        self.is_open.store(true, Ordering::Release);
    }

    /// Drops all references. From now on, no object is kept.
    pub(crate) fn close(&self) {
        self.is_open.store(false, Ordering::Release);
        for place in &self.places {
            if place.changes(USED) || place.changes(FREE) {
                place.clear();
            }
        }
    }

    /// Takes an object that no script refers to.
    #[inline(always)]
    pub(super) fn take(&self) -> Option<Taken<'_, C>> {
        for place in &self.places {
            if place.state.load(Ordering::Relaxed) != FREE || !place.changes(FREE) {
                continue;
            }
            let object = place.object.load(Ordering::Relaxed);
            // SAFETY: this thread has set the state, and there is an object.
            let pooled = unsafe { (*place.pooled.get()).assume_init_ref() };
            match pooled.inspect(object) {
                (1, false) => return Some(Taken { state: &place.state, object, pooled }),
                (1, true) => place.clear(),
                // A script has found it by its id.
                _ => place.state.store(FREE, Ordering::Release),
            }
        }
        None
    }

    /// Keeps a new object, if there is room.
    ///
    /// # Safety
    /// The content of the object must be at that place.
    pub(super) unsafe fn keep(&self, made: &Gd<C>, content: *const C::Content) {
        let Some(words) = engine().layout.reference_count.filter(|_| self.is_open.load(Ordering::Acquire)) else {
            return;
        };
        let Some(place) = self.places.iter().find(|place| place.changes(EMPTY)) else { return };
        let object: *mut c_void = made.obj_sys().cast();
        // SAFETY: the object is new, and has this many words: see `Layout::reference_count`. The payload of an object is a
        // pointer to it.
        let pooled = unsafe {
            Pooled {
                _kept: from_type(OBJECT, (&raw const object).cast()),
                id: made.instance_id_unchecked().to_i64().cast_unsigned(),
                content,
                members: members(object, words).into(),
            }
        };
        // SAFETY: this thread has set the state, and there is no object.
        unsafe { (*place.pooled.get()).write(pooled) };
        place.object.store(object, Ordering::Release);
        place.state.store(USED, Ordering::Release);
    }

    /// Notes that scripts have dropped an object, which lives, if only the reference from here is left.
    fn dropped(&self, object: *mut c_void, empty: impl FnOnce(&C::Content)) {
        let Some(place) = self.places.iter().find(|place| place.object.load(Ordering::Acquire) == object) else {
            return;
        };
        if place.changes(USED) || place.changes(FREE) {
            // SAFETY: this thread has set the state, and there is an object.
            unsafe { empty(&*(*place.pooled.get()).assume_init_ref().content) };
            place.state.store(FREE, Ordering::Release);
        }
    }
}

/// An object that was taken from the pool, and that nothing else uses.
pub(super) struct Taken<'p, C: HasContent> {
    state: &'p AtomicU8,
    object: *mut c_void,
    pooled: &'p Pooled<C>,
}

impl<C: HasContent> Taken<'_, C> {
    /// The object's id, and its content.
    pub(super) const fn content(&self) -> (u64, &C::Content) {
        // SAFETY: the object lives, and its content with it.
        (self.pooled.id, unsafe { &*self.pooled.content })
    }

    /// Writes a reference to the object over a Variant.
    ///
    /// # Safety
    /// A Variant must be there.
    #[inline(always)]
    pub(super) unsafe fn put(self, result: *mut Variant) {
        // SAFETY: by the caller. The object lives, and the payload of an object is a pointer to it.
        unsafe { from_type_over(OBJECT, (&raw const self.object).cast(), result) };
        self.state.store(USED, Ordering::Release);
    }
}

impl<C: HasContent> Place<C> {
    /// If the place is in this state, it is changing from now on.
    fn changes(&self, from: u8) -> bool {
        self.state.compare_exchange(from, CHANGING, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Drops the reference to the object. Must only be called by the thread that changes the state.
    fn clear(&self) {
        self.object.store(ptr::null_mut(), Ordering::Release);
        // SAFETY: by the caller. There was an object.
        let pooled = unsafe { (*self.pooled.get()).assume_init_read() };
        self.state.store(EMPTY, Ordering::Release);
        drop(pooled);
    }
}

/// A class with a pool.
pub(crate) trait HasPool: HasContent {
    fn pool() -> &'static Pool<Self>;
    /// Drops what the content holds.
    fn empty(content: &Self::Content);
}

/// The name of the engine's function that registers a class.
pub(super) const REGISTER_CLASS: &CStr = c"classdb_register_extension_class4";

pub(super) type RegisterClass = unsafe extern "C" fn(
    sys::GDExtensionClassLibraryPtr,
    sys::GDExtensionConstStringNamePtr,
    sys::GDExtensionConstStringNamePtr,
    *const sys::GDExtensionClassCreationInfo4,
);

/// The same, as the engine has it.
pub(super) static ENGINE_REGISTER_CLASS: OnceLock<RegisterClass> = OnceLock::new();

/// The class with a pool.
static WITH_POOL: OnceLock<WithPool> = OnceLock::new();

struct WithPool {
    name: String,
    /// Called by the engine when only one reference is left. The bindings' function only logs that.
    unreferenced: unsafe extern "C" fn(sys::GDExtensionClassInstancePtr),
    get: Get,
}

/// The function of a class that returns a property.
pub(super) type Get = unsafe extern "C" fn(
    sys::GDExtensionClassInstancePtr,
    sys::GDExtensionConstStringNamePtr,
    sys::GDExtensionVariantPtr,
) -> sys::GDExtensionBool;

/// Declares the class that has a pool, before it is registered.
pub(super) fn declare<C: HasPool>(get: Get) {
    let name = C::class_id().to_cow_str().into_owned();
    // The same after a reload in the same process.
    let _ = WITH_POOL.set(WithPool { name, unreferenced: unreferenced::<C>, get });
}

/// Registers a class.
pub(super) unsafe extern "C" fn register_class(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    parent: sys::GDExtensionConstStringNamePtr,
    info: *const sys::GDExtensionClassCreationInfo4,
) {
    let Some(engine_register) = ENGINE_REGISTER_CLASS.get() else { return };
    // SAFETY: the bindings' description of a class, which lives for the call.
    unsafe {
        let mut with_pool = *info;
        if let Some(declared) = WITH_POOL.get()
            && (*class.cast::<StringName>()).to_string() == declared.name
        {
            with_pool.reference_func = None;
            with_pool.unreference_func = Some(declared.unreferenced);
            with_pool.get_func = Some(declared.get);
            if let Some(free) = with_pool.free_instance_func {
                // The same function after a reload in the same process.
                let _ = BINDINGS_FREE.set(free);
                with_pool.free_instance_func = Some(free_instance);
            }
        }
        engine_register(library, class, parent, &raw const with_pool);
    }
}

type FreeInstance = unsafe extern "C" fn(*mut c_void, sys::GDExtensionClassInstancePtr);

/// The function of the bindings that frees the Rust side of an object.
static BINDINGS_FREE: OnceLock<FreeInstance> = OnceLock::new();

/// Frees the Rust side of an object.
unsafe extern "C" fn free_instance(data: *mut c_void, instance: sys::GDExtensionClassInstancePtr) {
    forget(instance);
    if let Some(free) = BINDINGS_FREE.get() {
        // SAFETY: the engine's call.
        unsafe { free(data, instance) };
    }
}

/// Called by the engine when at most one reference to an object is left.
unsafe extern "C" fn unreferenced<C: HasPool>(instance: sys::GDExtensionClassInstancePtr) {
    if !instance.is_null() {
        // SAFETY: the engine passes what the bindings gave to it as the instance.
        caught(|| unsafe { C::pool().dropped(as_storage::<C>(instance).base().obj_sys().cast(), C::empty) });
    }
}
