//! Methods that are written once, for calls with Variants and for calls with values of the declared types.

use std::ops::RangeInclusive;

use godot::builtin::Variant;
use godot::sys;

use super::arguments::{Arguments, TypedArguments, VariantArguments};
use super::caught::caught;
use super::methods::{Method, Type, has_arguments};
use super::reply::{Reply, TypedReply, VariantReply};

/// Returns a method of an object. Arguments that need not be passed are null by default.
pub(super) fn method<F, M: MethodBody<F>, const ARGUMENTS: usize>(
    name: &'static str,
    arguments: [(&'static str, Type); ARGUMENTS],
    returns: Type,
) -> Method<ARGUMENTS> {
    let optional = M::COUNT.end() - M::COUNT.start();
    Method {
        name,
        data: std::ptr::null_mut(),
        is_static: false,
        arguments,
        defaults: vec![Variant::nil(); optional as usize],
        returns,
        call: call::<F, M>,
        ptrcall: ptrcall::<F, M>,
    }
}

/// What a method of a class does, in calls of either kind.
pub(super) trait MethodBody<F> {
    /// How many arguments it takes.
    const COUNT: RangeInclusive<i32>;

    /// Answers a call.
    ///
    /// # Safety
    /// The instance must be live, unless the method is static. There must be as many arguments as allowed, which live for the call.
    /// The reply must be for the type that the method returns.
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError>;
}

unsafe extern "C" fn call<F, M: MethodBody<F>>(
    _: *mut std::ffi::c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call, with a live instance unless the method is static.
    unsafe {
        answer((arguments, count), M::COUNT, error, |arguments| {
            M::run(instance, arguments, VariantReply(result.cast()))
        });
    }
}

unsafe extern "C" fn ptrcall<F, M: MethodBody<F>>(
    _: *mut std::ffi::c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes the arguments that were registered, a live instance unless the method is static, and space
    // for the result. Arguments of declared types are never of a wrong type.
    caught(|| unsafe {
        let _ = M::run(instance, &TypedArguments(arguments), TypedReply(result));
    });
}

/// Answers a call with Variants. `body` writes the result.
///
/// # Safety
/// The pointers must be those of the engine's call: as many live Variants as it says, and space for an error.
#[inline(always)]
unsafe fn answer(
    (first, count): (*const sys::GDExtensionConstVariantPtr, sys::GDExtensionInt),
    allowed: RangeInclusive<i32>,
    error: *mut sys::GDExtensionCallError,
    body: impl FnOnce(&VariantArguments) -> Result<(), sys::GDExtensionCallError>,
) {
    // SAFETY: by the caller.
    caught(|| unsafe {
        if has_arguments(count, allowed, error)
            && let Err(wrong) = body(&VariantArguments { first, count: count as usize })
        {
            *error = wrong;
        }
    });
}
