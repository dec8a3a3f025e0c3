//! Results that are used again: how the result of a call gets its content.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use godot::obj::{Gd, GodotClass};

use super::arguments::ObjectArgument;
use super::create::scalar;
use super::guarded::{Guarded, Held, State};
use super::instances::{PLACES, without_binding};
use super::methods::Property;
use super::new_value::{LazyVariant, NewValue};
use super::numbers::WireNumbers;
use super::packed_numbers::PackedNumbers;
use super::pool::HasPool;
use super::view::type_of;

/// A result, which can be used again.
///
/// If scripts can run during a call, it holds references to what it reads or writes: scripts can change the caller's variables.
pub(crate) trait ReusedResult: HasPool {
    /// The class of the options.
    type Options: GodotClass;
    /// The bytes of a small value.
    type Buffer: Default;
    /// What a call returns.
    type Outcome: Into<Self::State>;
    /// The properties.
    const PROPERTIES: &'static [Property<Self::State>];

    /// Returns whether a packet is read as without options, on the fast path.
    fn reads_fast(options: &ObjectArgument<Self::Options>, packet: &[u8]) -> bool;
    /// Reads a packet without objects, without a copy of the bytes, and puts the number of its bytes into `used`. Returns `None` if that is
    /// not possible or not faster, and for malformed bytes. [`decode`](Self::decode) is then called.
    fn decode_fast(
        bytes: &PackedByteArray,
        options: &ObjectArgument<Self::Options>,
        used: &mut usize,
    ) -> Option<NewValue>;
    /// Reads bytes that [`decode_fast`](Self::decode_fast) has not read.
    fn decode(bytes: &PackedByteArray, options: &ObjectArgument<Self::Options>) -> Called<'static, Self::Outcome>;
    /// Writes a value, into the buffer if its bytes fit.
    fn encode<'b>(
        value: &Variant,
        options: &ObjectArgument<Self::Options>,
        buffer: &'b mut Self::Buffer,
    ) -> Called<'b, Self::Outcome>;
    /// Reads bytes as [`decode`](Self::decode) does. Returns the value, or `None` if they cannot be read.
    fn try_decode(bytes: &PackedByteArray, options: &ObjectArgument<Self::Options>) -> Option<NewValue>;
    /// Puts a PackedByteArray with the bytes of a value in place of `out`. It is empty if the value cannot be written.
    fn try_encode(value: &Variant, options: &ObjectArgument<Self::Options>, out: &mut Variant);
    /// Reports that the options of a call were passed as its fallback.
    fn report_misplaced_options(method: &str);
    /// Returns whether a call with these options can run scripts.
    fn can_run_scripts(options: &ObjectArgument<Self::Options>) -> bool;
    /// Returns a new result, whose content is this one and stays where it is.
    fn with_content(content: Box<Self::Content>) -> Gd<Self>;
    /// Changes the state to that of a call that returned a value with that many bytes. Returns the old value.
    fn succeed(state: &mut Self::State, value: NewValue, length: usize) -> LazyVariant;
    /// Changes the state to that of a call that wrote these bytes. Returns the old value.
    fn succeed_with_bytes(state: &mut Self::State, bytes: &[u8]) -> LazyVariant;
    /// Changes the state to that of a call that read these numbers. Returns the old value.
    fn succeed_with_numbers(state: &mut Self::State, numbers: &WireNumbers<'_>) -> LazyVariant;
    /// Changes the state to that of a call that read this packed array. Returns the old value.
    fn succeed_with_packed(state: &mut Self::State, packed: &PackedNumbers<'_>) -> LazyVariant;
}

/// What a call did.
pub(crate) enum Called<'b, O> {
    /// It returned a value, and the number of its bytes.
    Succeeded(NewValue, usize),
    /// It wrote these bytes.
    Wrote(&'b [u8]),
    /// It read a value that consists of these numbers.
    Numbers(WireNumbers<'b>),
    /// It read this packed array.
    Packed(PackedNumbers<'b>),
    /// It failed, or there is more to tell.
    Other(O),
}

/// Creates the results that are used again, so that the number of objects does not depend on earlier calls.
pub(crate) fn open_pool<R: ReusedResult>() {
    R::pool().open();
    let made: Vec<Variant> = (0..PLACES).map(|_| without_binding(|| new_result::<R>(R::State::default()))).collect();
    drop(made);
}

/// Returns a result that nothing else refers to.
pub(crate) fn new_result<R: ReusedResult>(state: R::State) -> Variant {
    let mut made = scalar::null();
    // SAFETY: a Variant is there.
    unsafe { put_new::<R, _>(Called::Other(state), &raw mut made) };
    made
}

/// Writes a result that nothing else refers to over a Variant, with what a call did.
///
/// # Safety
/// A Variant must be there.
// Inlined, and without a copy of the value: avoids a store-forwarding stall.
#[inline(always)]
pub(super) unsafe fn put_new<R: ReusedResult, O: Into<R::State>>(called: Called<'_, O>, result: *mut Variant) {
    // SAFETY: by the caller.
    unsafe {
        if type_of(&*result) != 0 {
            // Not while the object is locked: freeing a value can run a script.
            *result = scalar::null();
        }
        let Some(mut taken) = R::pool().take() else {
            return create::<R, O>(called, &mut *result);
        };
        let _old = fill_locked::<R, O>(&mut taken.content, called);
        taken.put(result);
    }
}

/// Creates a result.
#[cold]
#[inline(never)]
fn create<R: ReusedResult, O: Into<R::State>>(called: Called<'_, O>, result: &mut Variant) {
    let mut state = R::State::default();
    match called {
        Called::Succeeded(value, length) => drop(R::succeed(&mut state, value, length)),
        Called::Wrote(bytes) => drop(R::succeed_with_bytes(&mut state, bytes)),
        Called::Numbers(numbers) => drop(R::succeed_with_numbers(&mut state, &numbers)),
        Called::Packed(packed) => drop(R::succeed_with_packed(&mut state, &packed)),
        Called::Other(outcome) => state = outcome.into(),
    }
    let reserved = R::pool().reserve();
    let content = Box::new(match &reserved {
        Some(reserved) => Guarded::new(reserved.lock(), state),
        None => Guarded::with_shared_lock(state),
    });
    let place = std::ptr::from_ref(&*content);
    let made = R::with_content(content);
    if let Some(reserved) = reserved {
        // SAFETY: the content of the object is there: see `with_content`.
        unsafe { reserved.keep(&made, place) };
    }
    *result = made.to_variant();
}

/// Puts what a call did into a result. Returns whether it succeeded.
#[inline(always)]
pub(super) fn fill<R: ReusedResult, O: Into<R::State>>(content: &Guarded<R::State>, called: Called<'_, O>) -> bool {
    let mut content = content.lock();
    let _old = fill_locked::<R, O>(&mut content, called);
    let succeeded = content.succeeded();
    drop(content);
    succeeded
}

/// What a result held before a call.
#[expect(dead_code, reason = "it is only dropped")]
enum Old<S> {
    Value(LazyVariant),
    State(S),
}

/// Puts what a call did into a result that is locked. Returns what has to be dropped when it is not: freeing an object can run a
/// script that uses the result.
#[inline(always)]
fn fill_locked<R: ReusedResult, O: Into<R::State>>(
    content: &mut Held<'_, R::State>,
    called: Called<'_, O>,
) -> Old<R::State> {
    match called {
        Called::Succeeded(value, length) => Old::Value(content.change(|state| R::succeed(state, value, length))),
        Called::Wrote(bytes) => Old::Value(content.change(|state| R::succeed_with_bytes(state, bytes))),
        Called::Numbers(numbers) => Old::Value(content.change(|state| R::succeed_with_numbers(state, &numbers))),
        Called::Packed(packed) => Old::Value(content.change(|state| R::succeed_with_packed(state, &packed))),
        Called::Other(outcome) => {
            let new = outcome.into();
            Old::State(content.change(|state| std::mem::replace(state, new)))
        }
    }
}
