//! Objects that are used again. The engine and the bindings take longer to create an object than to read a small packet, so a
//! few objects stay when the last script has dropped them. They hold nothing meanwhile: the engine tells the class when only one
//! reference is left, which is the one from here.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_void};
use std::mem::transmute;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use crossbeam_utils::CachePadded;
use godot::builtin::{StringName, Variant};
use godot::classes::Engine;
use godot::obj::{Gd, Singleton};
use godot::private::{Storage, as_storage};
use godot::sys;
use spin::mutex::SpinMutexGuard;

use super::caught::caught;
use super::create::{from_type, from_type_over};
use super::engine::engine;
use super::guarded::{Guarded, Held, Lock, State};
use super::instances::{PLACES, forget};
use super::interface::OBJECT;
use super::shared::{HasContent, forget_content};
use super::view::can_have_objects;

/// The objects of a class that are used again.
pub(crate) struct Pool<C: HasPool> {
    is_open: AtomicBool,
    places: [CachePadded<Place<C>>; PLACES],
}

/// A place for an object. Its lock is that of the object's content too, so that one locked instruction serves for both.
struct Place<C: HasPool> {
    lock: Lock,
    /// The engine's object. Null if there is none, [`RESERVED`] while it is created.
    object: AtomicPtr<c_void>,
    /// Whether the place need not be tried: scripts refer to its object, or there is none. If it is false, the reference count
    /// decides.
    is_used: AtomicBool,
    /// `None` if there is no object.
    pooled: UnsafeCell<Option<Pooled<C>>>,
}

const RESERVED: *mut c_void = ptr::dangling_mut();

// SAFETY: what the cell of a place holds is used only by the thread that has locked it. The engine lets every thread use an object,
// and so its content.
unsafe impl<C: HasPool> Sync for Place<C> {}

/// An object, and what is known about it.
struct Pooled<C: HasPool> {
    /// One reference to the object.
    kept: Variant,
    object: *mut c_void,
    content: *const C::Content,
    /// The members of the object when it was new, from its first byte to the reference count.
    members: Box<[u32]>,
}

impl<C: HasPool> Pooled<C> {
    /// Returns how many references to the object there are.
    #[inline(always)]
    fn references(&self) -> u32 {
        self.count().load(Ordering::Acquire)
    }

    #[inline(always)]
    fn count(&self) -> &AtomicU32 {
        // SAFETY: the object lives, and this many words of it can be used: see `Layout::reference_count`. The count is atomic.
        unsafe { &*self.object.cast::<AtomicU32>().add(self.members.len()) }
    }

    /// Returns whether something has changed the object: metadata, signals, a script. There must be only one reference to it.
    #[inline(always)]
    fn is_changed(&self) -> bool {
        // SAFETY: as above. Nothing changes the object while there is only one reference.
        unsafe { *members(self.object, self.members.len()) != *self.members }
    }
}

/// # Safety
/// The object must live for `'a`, have that many words before its reference count, and not be changed meanwhile.
unsafe fn members<'a>(object: *mut c_void, words: usize) -> &'a [u32] {
    // SAFETY: by the caller.
    unsafe { std::slice::from_raw_parts(object.cast::<u32>(), words) }
}

impl<C: HasPool> Pool<C> {
    pub(crate) const fn new() -> Self {
        Self {
            is_open: AtomicBool::new(false),
            places: [const {
                CachePadded::new(Place {
                    lock: Lock::new(()),
                    object: AtomicPtr::new(ptr::null_mut()),
                    is_used: AtomicBool::new(true),
                    pooled: UnsafeCell::new(None),
                })
            }; PLACES],
        }
    }

    /// From now on, objects are kept.
    pub(super) fn open(&self) {
        self.is_open.store(true, Ordering::Release);
    }

    /// Drops all references before the library is unloaded. From now on, no object is kept.
    pub(crate) fn close(&'static self) {
        self.is_open.store(false, Ordering::Release);
        for place in &self.places {
            place.clear(place.lock.lock());
        }
    }

    /// Drops all references while the languages of scripts still run: what scripts have put into an object, such as a function, cannot
    /// be freed later. From now on, no object is kept.
    pub(crate) fn close_before_languages(&'static self) {
        self.is_open.store(false, Ordering::Release);
        for place in &self.places {
            let guard = place.lock.lock();
            if !place.is_being_dropped(&guard) {
                place.clear(guard);
            }
        }
    }

    /// Takes an object that no script refers to. Its content is locked.
    #[inline(always)]
    pub(super) fn take(&'static self) -> Option<UnusedObject<C>> {
        for place in &self.places {
            if place.is_used.load(Ordering::Relaxed) {
                continue;
            }
            let Some(guard) = place.lock.try_lock() else { continue };
            // SAFETY: this thread has locked the place.
            let Some(pooled) = (unsafe { &*place.pooled.get() }) else { continue };
            if pooled.references() != 1 {
                // A script has found it by its id.
                continue;
            }
            if pooled.is_changed() {
                place.clear(guard);
                continue;
            }
            place.is_used.store(true, Ordering::Relaxed);
            // SAFETY: the content lives as long as the object, and its lock is that of the place.
            let content = unsafe { (*pooled.content).held(guard) };
            return Some(UnusedObject { object: pooled.object, content });
        }
        None
    }

    /// Returns a place for a new object, if there is room, and the lock for its content.
    pub(super) fn reserve(&'static self) -> Option<Reserved<C>> {
        let words = engine().layout.reference_count.filter(|_| self.is_open.load(Ordering::Acquire))?;
        let is_free = |place: &&CachePadded<Place<C>>| {
            place.object.compare_exchange(ptr::null_mut(), RESERVED, Ordering::Acquire, Ordering::Relaxed).is_ok()
        };
        self.places.iter().find(is_free).map(|place| Reserved { place, words })
    }

    /// Notes that scripts have dropped an object, which lives, if only the reference from here is left.
    fn dropped(&'static self, object: *mut c_void) {
        let Some(place) = self.places.iter().find(|place| place.object.load(Ordering::Acquire) == object) else {
            return;
        };
        let mut guard = place.lock.lock();
        while let Some((pooled, mut content)) = place.unused(object, guard) {
            if can_have_objects(content.value()) {
                // Until this call returns, the variable that the engine clears still contains the object. Scripts that run meanwhile could
                // copy or clear it. The engine copies no object without references, and frees none that had none before.
                if pooled.count().compare_exchange(1, 0, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                    break;
                }
                let value = content.change(State::empty);
                drop(content);
                // Frees objects, which can run scripts that use the result.
                drop(value);
                let Some(again) = place.refer(object) else { break };
                guard = again;
                continue;
            }
            let _value = content.change(State::empty);
            let is_changed = pooled.is_changed();
            place.is_used.store(is_changed, Ordering::Relaxed);
            drop(content);
            if is_changed {
                break;
            }
            return;
        }
        if self.is_open.load(Ordering::Acquire) {
            place.release_changed(object);
        }
    }
}

/// A place for a new object.
pub(super) struct Reserved<C: HasPool> {
    place: &'static Place<C>,
    /// The number of words before the reference count.
    words: usize,
}

impl<C: HasPool> Reserved<C> {
    /// The lock for the content of the object.
    pub(super) fn lock(&self) -> &'static Lock {
        &self.place.lock
    }

    /// Keeps the new object.
    ///
    /// # Safety
    /// The content of the object must be at that place, with the lock from here.
    pub(super) unsafe fn keep(self, made: &Gd<C>, content: *const C::Content) {
        let object: *mut c_void = made.obj_sys().cast();
        // SAFETY: the object is new, and has this many words: see `Layout::reference_count`. The payload of an object is a
        // pointer to it.
        let pooled = unsafe {
            Pooled {
                kept: from_type(OBJECT, (&raw const object).cast()),
                object,
                content,
                members: members(object, self.words).into(),
            }
        };
        let _guard = self.place.lock.lock();
        // SAFETY: this thread has locked the place.
        unsafe { *self.place.pooled.get() = Some(pooled) };
        self.place.object.store(object, Ordering::Release);
    }
}

/// An object that was taken from the pool, and that nothing else uses.
pub(super) struct UnusedObject<C: HasPool> {
    object: *mut c_void,
    pub(super) content: Held<'static, C::State>,
}

impl<C: HasPool> UnusedObject<C> {
    /// Writes a reference to the object over a Variant.
    ///
    /// # Safety
    /// A Variant must be there, which is null.
    #[inline(always)]
    pub(super) unsafe fn put(self, result: *mut Variant) {
        // SAFETY: by the caller. The object lives, and the payload of an object is a pointer to it. The content is locked until there
        // is this reference.
        unsafe { from_type_over(OBJECT, (&raw const self.object).cast(), result) };
    }
}

impl<C: HasPool> Place<C> {
    /// Returns what is known about an object, and its content, if only the reference from here is left. The former may be used until the
    /// latter is dropped, with the lock.
    #[inline(always)]
    fn unused(
        &'static self,
        object: *mut c_void,
        guard: SpinMutexGuard<'static, ()>,
    ) -> Option<(&'static Pooled<C>, Held<'static, C::State>)> {
        // SAFETY: this thread has locked the place.
        let pooled = unsafe { &*self.pooled.get() }.as_ref()?;
        // If the pool was closed, the engine still uses the object, so its last reference is not dropped here. If there are more
        // references, another thread has taken it meanwhile. If there are none, its value is being freed.
        if pooled.object != object || pooled.references() != 1 {
            return None;
        }
        // SAFETY: the content lives as long as the object, and its lock is that of the place.
        let content = unsafe { (*pooled.content).held(guard) };
        Some((pooled, content))
    }

    /// Counts the reference from here again, whatever scripts did meanwhile. Returns the lock if the object is still here.
    fn refer(&'static self, object: *mut c_void) -> Option<SpinMutexGuard<'static, ()>> {
        let guard = self.lock.lock();
        // SAFETY: this thread has locked the place.
        let pooled = unsafe { &*self.pooled.get() }.as_ref().filter(|pooled| pooled.object == object);
        pooled?.count().store(1, Ordering::Release);
        Some(guard)
    }

    /// Returns whether a thread has just dropped the last reference of the scripts, so that the engine still uses the object.
    fn is_being_dropped(&self, _: &SpinMutexGuard<'static, ()>) -> bool {
        // SAFETY: the guard shows that this thread has locked the place.
        let pooled = unsafe { &*self.pooled.get() };
        self.is_used.load(Ordering::Relaxed) && pooled.as_ref().is_some_and(|pooled| pooled.references() <= 1)
    }

    /// Lets the engine free an object, with what scripts have put into it, if something has changed it and only the reference from here
    /// is left. The engine still uses it, so that happens when it handles its queue of messages.
    fn release_changed(&'static self, object: *mut c_void) {
        let guard = self.lock.lock();
        // SAFETY: this thread has locked the place.
        let pooled = unsafe { &*self.pooled.get() };
        let is_changed =
            |pooled: &Pooled<C>| pooled.object == object && pooled.references() == 1 && pooled.is_changed();
        if !pooled.as_ref().is_some_and(is_changed) {
            return;
        }
        let pooled = self.take_out(&guard);
        drop(guard);
        if let Some(pooled) = pooled {
            // The message holds a reference. The class has no such property, so nothing else happens.
            Engine::singleton().set_deferred("_", &pooled.kept);
        }
    }

    /// Drops the reference to the object.
    fn clear(&'static self, guard: SpinMutexGuard<'static, ()>) {
        let pooled = self.take_out(&guard);
        // To drop the object locks its content.
        drop(guard);
        drop(pooled);
    }

    /// Makes room for another object.
    fn take_out(&self, _: &SpinMutexGuard<'static, ()>) -> Option<Pooled<C>> {
        // SAFETY: the guard shows that this thread has locked the place.
        let pooled = unsafe { (*self.pooled.get()).take() };
        if pooled.is_some() {
            self.is_used.store(true, Ordering::Relaxed);
            self.object.store(ptr::null_mut(), Ordering::Release);
        }
        pooled
    }
}

/// A class with a pool.
pub(crate) trait HasPool: HasContent<Content = Guarded<Self::State>> {
    /// What an object holds.
    type State: State;

    fn pool() -> &'static Pool<Self>;
}

/// The name of the engine's function that registers a class.
pub(super) const REGISTER_CLASS: &CStr = c"classdb_register_extension_class4";

pub(super) type RegisterClass = unsafe extern "C" fn(
    sys::GDExtensionClassLibraryPtr,
    sys::GDExtensionConstStringNamePtr,
    sys::GDExtensionConstStringNamePtr,
    *const sys::GDExtensionClassCreationInfo4,
);

/// The engine's own function of that type.
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
        let mut changed = *info;
        if let Some(declared) = WITH_POOL.get()
            && (*class.cast::<StringName>()).to_string() == declared.name
        {
            changed.reference_func = None;
            changed.unreference_func = Some(declared.unreferenced);
            changed.get_func = Some(declared.get);
        }
        if let Some(free) = changed.free_instance_func.filter(|_| changed.class_userdata.is_null()) {
            // The bindings do not use this pointer, which the engine passes to all functions of the class.
            changed.class_userdata = free as *mut c_void;
            changed.free_instance_func = Some(free_instance);
        }
        engine_register(library, class, parent, &raw const changed);
    }
}

type FreeInstance = unsafe extern "C" fn(*mut c_void, sys::GDExtensionClassInstancePtr);

/// Frees the Rust side of an object with the function of the bindings, which `free` is.
unsafe extern "C" fn free_instance(free: *mut c_void, instance: sys::GDExtensionClassInstancePtr) {
    forget(instance);
    forget_content(instance);
    // SAFETY: the engine's call, with the pointer that was registered.
    unsafe { transmute::<*mut c_void, FreeInstance>(free)(ptr::null_mut(), instance) };
}

/// Called by the engine when at most one reference to an object is left.
unsafe extern "C" fn unreferenced<C: HasPool>(instance: sys::GDExtensionClassInstancePtr) {
    if !instance.is_null() {
        // SAFETY: the engine passes what the bindings gave to it as the instance.
        caught(|| unsafe { C::pool().dropped(as_storage::<C>(instance).base().obj_sys().cast()) });
    }
}
