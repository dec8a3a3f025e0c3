//! Registers the methods that read and write with options.

use std::ops::RangeInclusive;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ClassId;
use godot::obj::GodotClass;
use godot::sys;

use super::arguments::{Arguments, ObjectArgument, are_misplaced};
use super::container::bytes;
use super::method_body::{MethodBody, method};
use super::methods::Type;
use super::numbers::WireNumbers;
use super::packed_numbers::PackedNumbers;
use super::reply::Reply;
use super::reused_result::{Called, ReusedResult, fill};
use super::shared::{of_instance, reference_to};
use super::view::can_have_objects;

/// Registers `decode` and `encode` as methods of the result, and as static methods of a class that return a new one, and
/// `try_decode` and `try_encode` as static methods of that class.
pub(crate) fn register_result_methods<R: ReusedResult>(class: ClassId) {
    let result = Type::Object(R::class_id());
    let options = || ("options", Type::Object(R::Options::class_id()));
    let bytes = || ("bytes", Type::Bytes);
    let value = || ("value", Type::Any);
    method::<R, Fill<false>, _>("decode", [bytes(), options()], Type::Bool).register(R::class_id());
    method::<R, Fill<true>, _>("encode", [value(), options()], Type::Bool).register(R::class_id());
    method::<R, New<false>, _>("decode", [bytes(), options()], result).into_static().register(class);
    method::<R, New<true>, _>("encode", [value(), options()], result).into_static().register(class);
    let with_fallback = [bytes(), ("fallback", Type::Any), options()];
    method::<R, TryDecode, _>("try_decode", with_fallback, Type::Any).into_static().register(class);
    method::<R, TryEncode, _>("try_encode", [value(), options()], Type::Bytes).into_static().register(class);
}

/// The result that is called, or none for a static method.
type Instance = Option<sys::GDExtensionClassInstancePtr>;

/// A reference to the result that is called, until it has its new content: a script that runs meanwhile can drop the caller's.
type Keeper = Option<Variant>;

/// Writes a value.
///
/// # Safety
/// The result must be live.
#[inline(always)]
unsafe fn encode<'b, R: ReusedResult>(
    instance: Instance,
    keeper: &mut Keeper,
    value: &Variant,
    options: &ObjectArgument<R::Options>,
    buffer: &'b mut R::Buffer,
) -> Called<'b, R::Outcome> {
    if can_have_objects(value) {
        // SAFETY: by the caller.
        unsafe { keep::<R>(instance, keeper, options) };
    }
    R::encode(value, options, buffer)
}

/// Returns the numbers of a packet that is read on the fast path.
#[inline(always)]
fn numbers_fast<'b, R: ReusedResult>(
    array: &'b PackedByteArray,
    options: &ObjectArgument<R::Options>,
) -> Option<WireNumbers<'b>> {
    let packet = bytes(array);
    WireNumbers::of_packet(packet).filter(|_| R::reads_fast(options, packet))
}

/// Returns the packed array of a packet that is read on the fast path.
#[inline(always)]
fn packed_fast<'b, R: ReusedResult>(
    array: &'b PackedByteArray,
    options: &ObjectArgument<R::Options>,
) -> Option<PackedNumbers<'b>> {
    let packet = bytes(array);
    PackedNumbers::of_packet(packet).filter(|_| R::reads_fast(options, packet))
}

/// Reads bytes that [`ReusedResult::decode_fast`] does not read.
///
/// # Safety
/// The result must be live.
#[inline(always)]
unsafe fn decode_other<R: ReusedResult>(
    instance: Instance,
    keeper: &mut Keeper,
    array: &PackedByteArray,
    options: &ObjectArgument<R::Options>,
) -> Called<'static, R::Outcome> {
    // SAFETY: by the caller.
    unsafe { keep::<R>(instance, keeper, options) };
    R::decode(array, options)
}

/// Keeps a reference to the result that is called if scripts can run.
///
/// # Safety
/// The result must be live.
unsafe fn keep<R: ReusedResult>(instance: Instance, keeper: &mut Keeper, options: &ObjectArgument<R::Options>) {
    // SAFETY: by the caller.
    *keeper = instance.filter(|_| R::can_run_scripts(options)).map(|instance| unsafe { reference_to::<R>(instance) });
}

/// Reads into the result that is called, or `WRITES` into it.
struct Fill<const WRITES: bool>;

impl<R: ReusedResult, const WRITES: bool> MethodBody<R> for Fill<WRITES> {
    const COUNT: RangeInclusive<i32> = 1..=2;

    #[inline(always)]
    unsafe fn run(
        instance: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let (mut buffer, mut keeper) = (R::Buffer::default(), None);
            let options = arguments.object(1)?;
            if WRITES {
                let called = encode::<R>(Some(instance), &mut keeper, arguments.value(0), &options, &mut buffer);
                reply.bool(fill::<R, _>(of_instance::<R>(instance), called));
                return Ok(());
            }
            let mut converted = None;
            let array = arguments.bytes(0, &mut converted)?;
            // A call for each: one value for all of them would be in memory, with a store-forwarding stall.
            if let Some(numbers) = numbers_fast::<R>(array, &options) {
                reply.bool(fill::<R, R::Outcome>(of_instance::<R>(instance), Called::Numbers(numbers)));
                return Ok(());
            }
            if let Some(packed) = packed_fast::<R>(array, &options) {
                reply.bool(fill::<R, R::Outcome>(of_instance::<R>(instance), Called::Packed(packed)));
                return Ok(());
            }
            let mut used = 0;
            if let Some(value) = R::decode_fast(array, &options, &mut used) {
                reply.bool(fill::<R, R::Outcome>(of_instance::<R>(instance), Called::Succeeded(value, used)));
                return Ok(());
            }
            let called = decode_other::<R>(Some(instance), &mut keeper, array, &options);
            reply.bool(fill::<R, _>(of_instance::<R>(instance), called));
        }
        Ok(())
    }
}

/// Reads, or `WRITES`, and returns a new result.
struct New<const WRITES: bool>;

impl<R: ReusedResult, const WRITES: bool> MethodBody<R> for New<WRITES> {
    const COUNT: RangeInclusive<i32> = 1..=2;

    #[inline(always)]
    unsafe fn run(
        _: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let options = arguments.object(1)?;
            if WRITES {
                let mut buffer = R::Buffer::default();
                reply.new_result::<R, _>(encode::<R>(None, &mut None, arguments.value(0), &options, &mut buffer));
                return Ok(());
            }
            let mut converted = None;
            let array = arguments.bytes(0, &mut converted)?;
            if let Some(numbers) = numbers_fast::<R>(array, &options) {
                reply.new_result::<R, R::Outcome>(Called::Numbers(numbers));
                return Ok(());
            }
            if let Some(packed) = packed_fast::<R>(array, &options) {
                reply.new_result::<R, R::Outcome>(Called::Packed(packed));
                return Ok(());
            }
            let mut used = 0;
            match R::decode_fast(array, &options, &mut used) {
                Some(value) => reply.new_result::<R, R::Outcome>(Called::Succeeded(value, used)),
                None => reply.new_result::<R, _>(decode_other::<R>(None, &mut None, array, &options)),
            }
        }
        Ok(())
    }
}

/// Reads and returns the value, or the second argument if the bytes cannot be read.
struct TryDecode;

impl<R: ReusedResult> MethodBody<R> for TryDecode {
    const COUNT: RangeInclusive<i32> = 1..=3;

    #[inline(always)]
    unsafe fn run(
        _: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let options = arguments.object(2)?;
            let (mut converted, fallback) = (None, arguments.optional(1));
            let array = arguments.bytes(0, &mut converted)?;
            if are_misplaced(&options, fallback) {
                R::report_misplaced_options("VarBytes.try_decode");
                reply.value(fallback.cloned().unwrap_or_default().into());
            } else if let Some(numbers) = numbers_fast::<R>(array, &options) {
                reply.numbers(&numbers);
            } else if !packed_fast::<R>(array, &options).is_some_and(|packed| reply.packed(&packed)) {
                let mut used = 0;
                let value = R::decode_fast(array, &options, &mut used).or_else(|| R::try_decode(array, &options));
                reply.value(value.unwrap_or_else(|| fallback.cloned().unwrap_or_default().into()));
            }
        }
        Ok(())
    }
}

/// Writes and returns the bytes.
struct TryEncode;

impl<R: ReusedResult> MethodBody<R> for TryEncode {
    const COUNT: RangeInclusive<i32> = 1..=2;

    #[inline(always)]
    unsafe fn run(
        _: sys::GDExtensionClassInstancePtr,
        arguments: &impl Arguments,
        reply: impl Reply,
    ) -> Result<(), sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe {
            let options = arguments.object(1)?;
            let value = arguments.value(0);
            reply.bytes(|out| R::try_encode(value, &options, out));
        }
        Ok(())
    }
}
