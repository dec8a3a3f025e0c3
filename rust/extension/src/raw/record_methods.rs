//! Registers the methods that read and write records.

use std::ops::RangeInclusive;

use godot::builtin::Variant;
use godot::obj::GodotClass;
use godot::sys;

use super::arguments::{Arguments, ObjectArgument, are_misplaced};
use super::create::scalar;
use super::guarded::State;
use super::method_body::{MethodBody, method};
use super::methods::Type;
use super::new_value::NewValue;
use super::pool::HasPool;
use super::reply::Reply;
use super::reused_result::{Called, ReusedResult, fill};
use super::shared::{HasContent, of_instance, reference_to};

/// A file with records.
pub(crate) trait RecordAccess: HasContent {
    type Result: ReusedResult;

    /// Returns whether the engine may log errors while the file is used: a script can be a logger.
    fn can_log(file: &Self::Content) -> bool;
    /// Returns whether there is something to read.
    fn has_next(file: &Self::Content) -> bool;
    /// Reads a record. Returns the value and puts the number of its bytes into `used`, or puts any other result into `other`.
    fn next(
        file: &Self::Content,
        options: &Options<Self>,
        used: &mut usize,
        other: &mut Option<StateOf<Self>>,
    ) -> Option<NewValue>;
    /// Reads a record. Returns the value, or `None` if it cannot be read.
    fn try_next(file: &Self::Content, options: &Options<Self>) -> Option<NewValue>;
    /// Writes a record. Returns the number of bytes of the value, or puts any other result into `other`.
    fn store(
        file: &Self::Content,
        value: &Variant,
        options: &Options<Self>,
        other: &mut Option<StateOf<Self>>,
    ) -> Option<usize>;
    /// Reads at most that many records.
    fn next_many(file: &Self::Content, count: i64, options: &Options<Self>) -> StateOf<Self>;
    /// Writes each member of an Array as a record.
    fn store_many(file: &Self::Content, values: Variant, options: &Options<Self>) -> StateOf<Self>;
    /// Moves the cursor to a position.
    fn seek(file: &Self::Content, position: i64) -> StateOf<Self>;
    /// Moves the cursor after the next record.
    fn skip(file: &Self::Content) -> StateOf<Self>;
    /// Returns the position of the cursor, or -1 if the file is closed.
    fn position(file: &Self::Content) -> i64;
    /// Reports to the caller that the result to read into is null.
    fn report_no_result();
}

type Options<F> = ObjectArgument<<<F as RecordAccess>::Result as ReusedResult>::Options>;
type StateOf<F> = <<F as RecordAccess>::Result as HasPool>::State;

/// Registers `has_next`, `next`, `next_into`, `try_next`, `next_many`, `store`, `try_store`, `store_many`, `seek`, `skip` and
/// `get_position`.
pub(crate) fn register_record_methods<F: RecordAccess>() {
    let options = || ("options", Type::Object(<F::Result as ReusedResult>::Options::class_id()));
    let result = Type::Object(F::Result::class_id());
    method::<F, HasNext, _>("has_next", [], Type::Bool).register(F::class_id());
    method::<F, Next, _>("next", [options()], result).register(F::class_id());
    method::<F, NextInto, _>("next_into", [("result", result), options()], Type::Bool).register(F::class_id());
    method::<F, TryNext, _>("try_next", [("fallback", Type::Any), options()], Type::Any).register(F::class_id());
    method::<F, Store<true>, _>("store", [("value", Type::Any), options()], result).register(F::class_id());
    method::<F, Store<false>, _>("try_store", [("value", Type::Any), options()], Type::Bool).register(F::class_id());
    method::<F, Many<false>, _>("next_many", [("count", Type::Int), options()], result).register(F::class_id());
    method::<F, Many<true>, _>("store_many", [("values", Type::Array), options()], result).register(F::class_id());
    method::<F, Move<true>, _>("seek", [("position", Type::Int)], result).register(F::class_id());
    method::<F, Move<false>, _>("skip", [], result).register(F::class_id());
    method::<F, Position, _>("get_position", [], Type::Int).register(F::class_id());
}

/// Calls a function with the file. If it can run scripts, the file and the options live until it returns, whatever they do.
///
/// # Safety
/// `instance` must be that of a live file.
unsafe fn with_file<F: RecordAccess, T>(
    instance: sys::GDExtensionClassInstancePtr,
    options: &Options<F>,
    body: impl FnOnce(&F::Content) -> T,
) -> T {
    // SAFETY: by the caller.
    unsafe {
        let file = of_instance::<F>(instance);
        let can_run = F::Result::can_run_scripts(options) || F::can_log(file);
        let _kept = can_run.then(|| (reference_to::<F>(instance), options.get()));
        body(file)
    }
}

struct HasNext;

impl<F: RecordAccess> MethodBody<F> for HasNext {
    const COUNT: RangeInclusive<i32> = 0..=0;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        _: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let file = of_instance::<F>(instance);
            let _kept = F::can_log(file).then(|| reference_to::<F>(instance));
            reply.bool(F::has_next(file));
        }
        Ok(())
    }
}

struct Next;

impl<F: RecordAccess> MethodBody<F> for Next {
    const COUNT: RangeInclusive<i32> = 0..=1;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let options = arguments.object(0)?;
            let (mut used, mut other) = (0, None);
            match with_file::<F, _>(instance, &options, |file| F::next(file, &options, &mut used, &mut other)) {
                Some(value) => reply.new_result::<F::Result, StateOf<F>>(Called::Succeeded(value, used)),
                None => reply.new_result::<F::Result, _>(Called::Other(other.unwrap_or_default())),
            }
        }
        Ok(())
    }
}

struct NextInto;

impl<F: RecordAccess> MethodBody<F> for NextInto {
    const COUNT: RangeInclusive<i32> = 1..=2;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let (result, options) = (arguments.object::<F::Result>(0)?, arguments.object(1)?);
            if result.is_null() {
                F::report_no_result();
                reply.bool(false);
                return Ok(());
            }
            // Scripts can drop the caller's reference.
            let can_run = F::Result::can_run_scripts(&options) || F::can_log(of_instance::<F>(instance));
            let _kept = can_run.then(|| arguments.reference(0));
            let (mut used, mut other) = (0, None);
            let read = with_file::<F, _>(instance, &options, |file| F::next(file, &options, &mut used, &mut other));
            // Not in a closure, which would copy what was read. The result lives: if scripts can run, `_kept` refers to it.
            let Some(content) = result.content() else {
                reply.bool(false);
                return Ok(());
            };
            reply.bool(match read {
                Some(value) => fill::<F::Result, StateOf<F>>(content, Called::Succeeded(value, used)),
                None => fill::<F::Result, _>(content, Called::Other(other.unwrap_or_default())),
            });
        }
        Ok(())
    }
}

struct TryNext;

impl<F: RecordAccess> MethodBody<F> for TryNext {
    const COUNT: RangeInclusive<i32> = 0..=2;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let (fallback, options) = (arguments.optional(0), arguments.object(1)?);
            let value = if are_misplaced(&options, fallback) {
                F::Result::report_misplaced_options("VarBytesFile.try_next");
                None
            } else {
                with_file::<F, _>(instance, &options, |file| F::try_next(file, &options))
            };
            reply.value(value.unwrap_or_else(|| fallback.cloned().unwrap_or_default().into()));
        }
        Ok(())
    }
}

/// `NEW`: returns a new result, and otherwise whether it succeeded.
struct Store<const NEW: bool>;

impl<F: RecordAccess, const NEW: bool> MethodBody<F> for Store<NEW> {
    const COUNT: RangeInclusive<i32> = 1..=2;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let (value, options) = (arguments.value(0), arguments.object(1)?);
            let mut other = None;
            let size = with_file::<F, _>(instance, &options, |file| F::store(file, value, &options, &mut other));
            match size {
                Some(size) if NEW => {
                    reply.new_result::<F::Result, StateOf<F>>(Called::Succeeded(scalar::nil(), size));
                }
                Some(_) => reply.bool(true),
                None if NEW => reply.new_result::<F::Result, _>(Called::Other(other.unwrap_or_default())),
                None => reply.bool(other.is_some_and(|state| State::succeeded(&state))),
            }
        }
        Ok(())
    }
}

/// `STORES`: writes values, and otherwise reads them.
struct Many<const STORES: bool>;

impl<F: RecordAccess, const STORES: bool> MethodBody<F> for Many<STORES> {
    const COUNT: RangeInclusive<i32> = 1..=2;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let options = arguments.object(1)?;
            let state = if STORES {
                let values = arguments.array(0)?;
                with_file::<F, _>(instance, &options, |file| F::store_many(file, values, &options))
            } else {
                let count = arguments.int(0)?;
                with_file::<F, _>(instance, &options, |file| F::next_many(file, count, &options))
            };
            reply.new_result::<F::Result, _>(Called::Other(state));
        }
        Ok(())
    }
}

/// `SEEKS`: moves the cursor to a position, and otherwise after the next record.
struct Move<const SEEKS: bool>;

impl<F: RecordAccess, const SEEKS: bool> MethodBody<F> for Move<SEEKS> {
    const COUNT: RangeInclusive<i32> = SEEKS as i32..=SEEKS as i32;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller. Scripts can drop the caller's reference to the file.
        unsafe {
            let (_kept, file) = (reference_to::<F>(instance), of_instance::<F>(instance));
            let state = if SEEKS { F::seek(file, arguments.int(0)?) } else { F::skip(file) };
            reply.new_result::<F::Result, _>(Called::Other(state));
        }
        Ok(())
    }
}

struct Position;

impl<F: RecordAccess> MethodBody<F> for Position {
    const COUNT: RangeInclusive<i32> = 0..=0;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        _: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: as in `Move`.
        unsafe {
            let _kept = reference_to::<F>(instance);
            reply.int(F::position(of_instance::<F>(instance)));
        }
        Ok(())
    }
}
