//! Methods of the engine's classes, called without the checks of the bindings, which take as long as to read a small packet.

use std::mem::MaybeUninit;
use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use godot::sys;

use super::interface::OBJECT;
use super::view::payload;

/// A method that was found. The engine never frees it.
#[derive(Clone, Copy)]
pub(super) struct MethodBind(pub(super) sys::GDExtensionMethodBindPtr);

// SAFETY: the engine does not change a method, and every thread can call it.
unsafe impl Send for MethodBind {}
// SAFETY: as above.
unsafe impl Sync for MethodBind {}

impl MethodBind {
    /// Finds a method. `hash` is the engine's hash of the signature: if the signature changes, the method is not found instead of
    /// being called with wrong arguments.
    pub(super) fn find(class: &str, name: &str, hash: i64) -> Option<Self> {
        let (class, name) = (StringName::from(class), StringName::from(name));
        // SAFETY: the interface is initialized before this is called, and the names are live.
        let found = unsafe { sys::interface_fn!(classdb_get_method_bind)(class.string_sys(), name.string_sys(), hash) };
        (!found.is_null()).then_some(Self(found))
    }

    /// Calls the method with Variants. Returns null if the engine refuses the arguments.
    ///
    /// # Safety
    /// The object must live, and be of the class.
    pub(super) unsafe fn call(self, object: sys::GDExtensionObjectPtr, arguments: &[&Variant]) -> Variant {
        let mut result = MaybeUninit::<Variant>::uninit();
        let mut error = sys::default_call_error();
        // SAFETY: by the caller. A reference is a pointer to a live Variant. The engine creates the result in any case.
        unsafe {
            let (first, count) = (arguments.as_ptr().cast(), arguments.len() as i64);
            let call = sys::interface_fn!(object_method_bind_call);
            call(self.0, object, first, count, result.as_mut_ptr().cast(), &raw mut error);
            result.assume_init()
        }
    }

    /// Calls the method, and puts what it returns in place of a value.
    ///
    /// # Safety
    /// The object must live, and be of the class. The method must take nothing. The result must hold a value of the returned type in the
    /// engine's own form, over which the engine assigns: numbers and enums have 64 bits there, a bool one byte.
    pub(super) unsafe fn call_into<T>(self, object: sys::GDExtensionObjectPtr, result: &mut T) {
        // SAFETY: by the caller.
        unsafe {
            let call = sys::interface_fn!(object_method_bind_ptrcall);
            call(self.0, object, std::ptr::null(), std::ptr::from_mut(result).cast());
        }
    }
}

/// A method, which is looked up at its first call.
pub(super) struct ClassMethod {
    class: &'static str,
    name: &'static str,
    hash: i64,
    found: OnceLock<Option<MethodBind>>,
}

impl ClassMethod {
    /// See [`MethodBind::find`].
    pub(super) const fn new(class: &'static str, name: &'static str, hash: i64) -> Self {
        Self { class, name, hash, found: OnceLock::new() }
    }

    /// Returns the method, or `None` if the engine lacks it.
    pub(super) fn find(&self) -> Option<MethodBind> {
        *self.found.get_or_init(|| MethodBind::find(self.class, self.name, self.hash))
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Calls the method, by its name if the engine lacks it.
    ///
    /// # Safety
    /// The Variant must hold a live object of the class.
    pub(super) unsafe fn call(&self, object: &Variant, arguments: &[&Variant]) -> Variant {
        match self.find() {
            // SAFETY: by the caller. The payload of an object is a pointer to it.
            Some(method) => unsafe { method.call(*payload(object, OBJECT), arguments) },
            None => object.call(self.name, &arguments.iter().map(|argument| (*argument).clone()).collect::<Vec<_>>()),
        }
    }
}
