//! Where the result of a call goes.

use godot::builtin::{PackedByteArray, Variant};
use godot::sys;

use super::create::scalar;
use super::engine::engine;
use super::interface::OBJECT;
use super::new_bytes::byte_array;
use super::new_value::NewValue;
use super::numbers::WireNumbers;
use super::packed_numbers::PackedNumbers;
use super::reused_result::{Called, ReusedResult, put_new};

/// The place for the result of a call. It has a method for each kind of result, which avoids a store-forwarding stall: an enum of the
/// kinds would be written and read in parts of different sizes.
///
/// # Safety
/// Each method needs a place for what the method that is called returns: a Variant, or a value of the declared type.
pub(super) trait Reply {
    unsafe fn bool(self, value: bool);
    unsafe fn int(self, value: i64);
    unsafe fn value(self, value: NewValue);
    unsafe fn numbers(self, value: &WireNumbers<'_>);
    /// Returns false if there is no memory. The place is then as if nothing was returned.
    unsafe fn packed(&self, value: &PackedNumbers<'_>) -> bool;
    /// Takes the PackedByteArray that `put` puts in place of a Variant.
    unsafe fn bytes(self, put: impl FnOnce(&mut Variant));
    /// Creates a result.
    unsafe fn new_result<R: ReusedResult, O: Into<R::State>>(self, called: Called<'_, O>);
}

/// A Variant, which is written over.
pub(super) struct VariantReply(pub(super) *mut Variant);

impl Reply for VariantReply {
    #[inline(always)]
    unsafe fn bool(self, value: bool) {
        // SAFETY: by the caller.
        unsafe { scalar::bool(value).write_over(self.0) };
    }

    #[inline(always)]
    unsafe fn int(self, value: i64) {
        // SAFETY: by the caller.
        unsafe { scalar::int(value).write_over(self.0) };
    }

    #[inline(always)]
    unsafe fn value(self, value: NewValue) {
        // SAFETY: by the caller.
        unsafe { value.write_over(self.0) };
    }

    #[inline(always)]
    unsafe fn numbers(self, value: &WireNumbers<'_>) {
        // SAFETY: by the caller.
        unsafe { value.write_over(self.0) };
    }

    #[inline(always)]
    unsafe fn packed(&self, value: &PackedNumbers<'_>) -> bool {
        // SAFETY: by the caller.
        unsafe { value.write_over(self.0) }
    }

    #[inline(always)]
    unsafe fn bytes(self, put: impl FnOnce(&mut Variant)) {
        // SAFETY: by the caller. Nothing else refers to the place of a result.
        put(unsafe { &mut *self.0 });
    }

    #[inline(always)]
    unsafe fn new_result<R: ReusedResult, O: Into<R::State>>(self, called: Called<'_, O>) {
        // SAFETY: by the caller.
        unsafe { put_new::<R, O>(called, self.0) };
    }
}

/// Space for a value of the declared type.
pub(super) struct TypedReply(pub(super) sys::GDExtensionTypePtr);

impl Reply for TypedReply {
    #[inline(always)]
    unsafe fn bool(self, value: bool) {
        // SAFETY: by the caller. A bool is one byte.
        unsafe { self.0.cast::<bool>().write(value) };
    }

    #[inline(always)]
    unsafe fn int(self, value: i64) {
        // SAFETY: by the caller. An int has 8 bytes.
        unsafe { self.0.cast::<i64>().write(value) };
    }

    #[inline(always)]
    unsafe fn value(self, value: NewValue) {
        // SAFETY: by the caller. The declared type is Variant.
        unsafe { value.write_over(self.0.cast()) };
    }

    #[inline(always)]
    unsafe fn numbers(self, value: &WireNumbers<'_>) {
        // SAFETY: by the caller. The declared type is Variant.
        unsafe { value.write_over(self.0.cast()) };
    }

    #[inline(always)]
    unsafe fn packed(&self, value: &PackedNumbers<'_>) -> bool {
        // SAFETY: by the caller. The declared type is Variant.
        unsafe { value.write_over(self.0.cast()) }
    }

    #[inline(always)]
    unsafe fn bytes(self, put: impl FnOnce(&mut Variant)) {
        let mut made = scalar::null();
        put(&mut made);
        // SAFETY: by the caller. The bindings keep the type in the engine's own form.
        unsafe { *self.0.cast::<PackedByteArray>() = byte_array(&made) };
    }

    #[inline(always)]
    unsafe fn new_result<R: ReusedResult, O: Into<R::State>>(self, called: Called<'_, O>) {
        let mut made = scalar::null();
        // SAFETY: by the caller. The payload of an object is a pointer to it, and the Variant's reference is passed on.
        unsafe {
            put_new::<R, O>(called, &raw mut made);
            let object = (engine().interface.payload[OBJECT])(made.var_sys().cast_mut());
            self.0.cast::<sys::GDExtensionObjectPtr>().write(object.cast::<sys::GDExtensionObjectPtr>().read());
        }
        std::mem::forget(made);
    }
}
