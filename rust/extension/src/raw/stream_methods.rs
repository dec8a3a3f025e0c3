//! Registers the methods that send and receive values through streams.

use std::ops::RangeInclusive;

use godot::builtin::Variant;
use godot::classes::StreamPeer;
use godot::meta::ToGodot;
use godot::obj::GodotClass;
use godot::sys;

use super::arguments::{Arguments, ObjectArgument};
use super::method_body::{MethodBody, method};
use super::methods::Type;
use super::pool::HasPool;
use super::reply::Reply;
use super::reused_result::{Called, ReusedResult};
use super::stream_peer::StreamPeerRef;

/// A class that sends and receives values through streams. Scripts can run meanwhile.
pub(crate) trait StreamAccess: GodotClass {
    type Result: ReusedResult;
    /// The most bytes of a value that are received by default.
    const MAX_SIZE: i64;

    /// Sends a value as a record.
    fn put(peer: Option<&StreamPeerRef>, value: &Variant, options: &Options<Self>) -> StateOf<Self>;
    /// Receives a record of at most `max_size` bytes. With `wait`, waits for it.
    fn take(peer: Option<&StreamPeerRef>, options: &Options<Self>, max_size: i64, wait: bool) -> StateOf<Self>;
}

type Options<S> = ObjectArgument<<<S as StreamAccess>::Result as ReusedResult>::Options>;
type StateOf<S> = <<S as StreamAccess>::Result as HasPool>::State;

/// Registers the static methods `put` and `take`.
pub(crate) fn register_stream_methods<S: StreamAccess>() {
    let result = Type::Object(S::Result::class_id());
    let peer = || ("peer", Type::Object(StreamPeer::class_id()));
    let options = || ("options", Type::Object(<S::Result as ReusedResult>::Options::class_id()));
    let put = method::<S, Put, _>("put", [peer(), ("value", Type::Any), options()], result);
    put.into_static().register(S::class_id());
    let arguments = [peer(), options(), ("max_size", Type::Int), ("wait", Type::Bool)];
    let defaults = vec![Variant::nil(), S::MAX_SIZE.to_variant(), false.to_variant()];
    method::<S, Take, _>("take", arguments, result).with_defaults(defaults).into_static().register(S::class_id());
}

/// Returns options, and a reference to them: scripts, and other threads while this one waits, can drop the caller's.
///
/// # Safety
/// As for [`Arguments::object`].
unsafe fn options_of<S: StreamAccess>(
    arguments: &impl Arguments,
    index: usize,
) -> Result<(Options<S>, Option<Variant>), sys::GDExtensionCallError> {
    // SAFETY: by the caller. An argument that is missing is null.
    unsafe {
        let options: Options<S> = arguments.object(index)?;
        let kept = (!options.is_null()).then(|| arguments.reference(index));
        Ok((options, kept))
    }
}

/// Returns a reference to the first argument, or `None` if it is null.
///
/// # Safety
/// The argument must exist. In a call with values of the declared types, it must be a `StreamPeer` or null.
unsafe fn peer_of(arguments: &impl Arguments) -> Result<Option<StreamPeerRef>, sys::GDExtensionCallError> {
    // SAFETY: by the caller. The class is checked first.
    unsafe {
        let is_null = arguments.object::<StreamPeer>(0)?.is_null();
        Ok((!is_null).then(|| StreamPeerRef::new(arguments.reference(0))))
    }
}

struct Put;

impl<S: StreamAccess> MethodBody<S> for Put {
    const COUNT: RangeInclusive<i32> = 2..=3;

    #[inline(always)]
    unsafe fn run(
        _: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let (peer, (options, _kept)) = (peer_of(arguments)?, options_of::<S>(arguments, 2)?);
            // Scripts can change the variable that holds the value.
            let value = arguments.value(1).clone();
            reply.new_result::<S::Result, _>(Called::Other(S::put(peer.as_ref(), &value, &options)));
        }
        Ok(())
    }
}

struct Take;

impl<S: StreamAccess> MethodBody<S> for Take {
    const COUNT: RangeInclusive<i32> = 1..=4;

    #[inline(always)]
    unsafe fn run(
        _: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let (peer, (options, _kept)) = (peer_of(arguments)?, options_of::<S>(arguments, 1)?);
            let (max_size, wait) = (arguments.int_or(2, S::MAX_SIZE)?, arguments.bool_or(3, false)?);
            reply.new_result::<S::Result, _>(Called::Other(S::take(peer.as_ref(), &options, max_size, wait)));
        }
        Ok(())
    }
}
