//! Registers the method that sends a value.

use std::ops::RangeInclusive;

use godot::builtin::Variant;
use godot::obj::GodotClass;
use godot::sys;

use super::arguments::Arguments;
use super::method_body::{MethodBody, method};
use super::methods::Type;
use super::pool::HasPool;
use super::reply::Reply;
use super::reused_result::{Called, ReusedResult};
use super::shared::{HasContent, of_instance, reference_to};

/// A class that sends values.
pub(crate) trait SendsValues: HasContent {
    type Result: ReusedResult;

    /// Sends a value. Scripts can run meanwhile.
    fn send(content: &Self::Content, value: &Variant) -> <Self::Result as HasPool>::State;
}

/// Registers `send`.
pub(crate) fn register_send_method<S: SendsValues>() {
    let result = Type::Object(S::Result::class_id());
    method::<S, SendValue, _>("send", [("value", Type::Any)], result).register(S::class_id());
}

struct SendValue;

impl<S: SendsValues> MethodBody<S> for SendValue {
    const COUNT: RangeInclusive<i32> = 1..=1;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller. Scripts can drop the caller's reference to the object, and change the variable that holds the value.
        unsafe {
            let (_kept, value) = (reference_to::<S>(instance), arguments.value(0).clone());
            reply.new_result::<S::Result, _>(Called::Other(S::send(of_instance::<S>(instance), &value)));
        }
        Ok(())
    }
}
