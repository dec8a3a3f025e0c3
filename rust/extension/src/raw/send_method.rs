//! Registers the method that sends a value, as [`super::result_methods`] does.

use godot::builtin::Variant;
use godot::obj::GodotClass;
use godot::sys;

use super::arguments::{Arguments, TypedArguments};
use super::caught::caught;
use super::methods::{Method, Type};
use super::pool::HasPool;
use super::reply::{Reply, TypedReply, VariantReply};
use super::result_methods::answer;
use super::reused_result::{Called, ReusedResult};
use super::shared::{HasContent, kept, of_instance};

/// A class that sends values.
pub(crate) trait SendsValues: HasContent {
    type Result: ReusedResult;

    /// Sends a value. Scripts can run meanwhile.
    fn send(content: &Self::Content, value: &Variant) -> <Self::Result as HasPool>::State;
}

/// Registers `send`.
pub(crate) fn register_send_method<S: SendsValues>() {
    let method = Method {
        name: "send",
        data: std::ptr::null_mut(),
        is_static: false,
        arguments: [("value", Type::Any)],
        optional: 0,
        returns: Type::Object(S::Result::class_id()),
        call: call::<S>,
        ptrcall: ptrcall::<S>,
    };
    method.register(S::class_id());
}

unsafe extern "C" fn call<S: SendsValues>(
    _: *mut std::ffi::c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call, with a live instance.
    unsafe {
        answer((arguments, count), 1..=1, error, |arguments| {
            send::<S>(instance, arguments.value(0), VariantReply(result.cast()));
            Ok(())
        });
    }
}

unsafe extern "C" fn ptrcall<S: SendsValues>(
    _: *mut std::ffi::c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes the argument that was registered, a live instance, and space for the result.
    caught(|| unsafe { send::<S>(instance, TypedArguments(arguments).value(0), TypedReply(result)) });
}

/// # Safety
/// The instance must be live, and the reply must be for a result.
unsafe fn send<S: SendsValues>(instance: sys::GDExtensionClassInstancePtr, value: &Variant, reply: impl Reply) {
    // SAFETY: by the caller. Scripts can drop the caller's reference to the object, and change the variable that holds the value.
    unsafe {
        let (_kept, value) = (kept::<S>(instance), value.clone());
        reply.new_result::<S::Result, _>(Called::Other(S::send(of_instance::<S>(instance), &value)));
    }
}
