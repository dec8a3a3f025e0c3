//! Registers the methods that send and receive values.

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

/// A class that sends and receives values.
pub(crate) trait ExchangesValues: HasContent {
    type Result: ReusedResult;

    /// Receives values, and sends those that are waiting. `object` is that of the content. Scripts can run meanwhile.
    fn poll(object: &Variant, content: &Self::Content);

    /// Sends a value. Scripts can run meanwhile.
    fn send(content: &Self::Content, value: &Variant) -> <Self::Result as HasPool>::State;
}

/// Registers `poll` and `send`.
pub(crate) fn register_exchange_methods<S: ExchangesValues>() {
    let result = Type::Object(S::Result::class_id());
    method::<S, Poll, _>("poll", [], Type::Nothing).register(S::class_id());
    method::<S, Send, _>("send", [("value", Type::Any)], result).register(S::class_id());
}

struct Poll;

impl<S: ExchangesValues> MethodBody<S> for Poll {
    const COUNT: RangeInclusive<i32> = 0..=0;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        _: &impl Arguments,
        _: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller. Scripts can drop the caller's reference to the object.
        unsafe {
            let kept = reference_to::<S>(instance);
            S::poll(&kept, of_instance::<S>(instance));
        }
        Ok(())
    }
}

struct Send;

impl<S: ExchangesValues> MethodBody<S> for Send {
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
