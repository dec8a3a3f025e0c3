//! Registers the methods that read and write with options, as [`super::built_ins`] does.

use std::ops::RangeInclusive;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ClassId;
use godot::obj::GodotClass;
use godot::sys;

use super::arguments::{Arguments, ObjectArgument, TypedArguments, VariantArguments, are_misplaced};
use super::caught::caught;
use super::container::bytes;
use super::methods::{Method, Type, has_arguments};
use super::numbers::WireNumbers;
use super::reply::{Reply, TypedReply, VariantReply};
use super::reused_result::{Called, ReusedResult, fill};
use super::shared::{kept, of_instance};
use super::view::can_have_objects;

/// Registers `decode` and `encode` as methods of the result, and as static methods of a class that return a new one, and
/// `try_decode` and `try_encode` as static methods of that class.
pub(crate) fn register_result_methods<R: ReusedResult>(class: ClassId) {
    let options = || ("options", Type::Object(R::Options::class_id()));
    let decode = |call, ptrcall| Method {
        name: "decode",
        data: std::ptr::null_mut(),
        is_static: false,
        arguments: [("bytes", Type::Bytes), options()],
        optional: 1,
        returns: Type::Bool,
        call,
        ptrcall,
    };
    let encode = |call, ptrcall| Method {
        name: "encode",
        arguments: [("value", Type::Any), options()],
        ..decode(call, ptrcall)
    };
    decode(call::<R, false>, ptrcall::<R, false>).register(R::class_id());
    encode(call::<R, true>, ptrcall::<R, true>).register(R::class_id());
    let create = |method| Method { is_static: true, returns: Type::Object(R::class_id()), ..method };
    create(decode(call_new::<R, false>, ptrcall_new::<R, false>)).register(class);
    create(encode(call_new::<R, true>, ptrcall_new::<R, true>)).register(class);
    let try_decode = Method {
        name: "try_decode",
        data: std::ptr::null_mut(),
        is_static: true,
        arguments: [("bytes", Type::Bytes), ("fallback", Type::Any), options()],
        optional: 2,
        returns: Type::Any,
        call: call_try_decode::<R>,
        ptrcall: ptrcall_try_decode::<R>,
    };
    try_decode.register(class);
    let try_encode = Method {
        name: "try_encode",
        data: std::ptr::null_mut(),
        is_static: true,
        arguments: [("value", Type::Any), options()],
        optional: 1,
        returns: Type::Bytes,
        call: call_try_encode::<R>,
        ptrcall: ptrcall_try_encode::<R>,
    };
    try_encode.register(class);
}

/// The result that is called, or none for a static method.
type Instance = Option<sys::GDExtensionClassInstancePtr>;

/// A reference to the result that is called, until it has its new content: a script that runs meanwhile can drop the caller's.
type Keeper = Option<Variant>;

/// Reads or writes the first argument of a call, with the options in the second.
///
/// # Safety
/// The first argument must be a Variant to write, or a PackedByteArray to read. The result must be live.
#[inline(always)]
unsafe fn run_typed<'b, R: ReusedResult, const WRITES: bool>(
    instance: Instance,
    keeper: &mut Keeper,
    arguments: &TypedArguments,
    buffer: &'b mut R::Buffer,
) -> Called<'b, R::Outcome> {
    // SAFETY: by the caller.
    unsafe {
        let options = arguments.object(1);
        if WRITES {
            encode::<R>(instance, keeper, arguments.get(0), &options, buffer)
        } else {
            decode::<R>(instance, keeper, arguments.get(0), &options)
        }
    }
}

/// Does the same for a call with Variants. Returns the error of an argument of a wrong type.
///
/// # Safety
/// The first argument must exist, and the arguments must live for the call. The result must be live.
#[inline(always)]
unsafe fn run<'b, R: ReusedResult, const WRITES: bool>(
    instance: Instance,
    keeper: &mut Keeper,
    arguments: &VariantArguments,
    buffer: &'b mut R::Buffer,
) -> Result<Called<'b, R::Outcome>, sys::GDExtensionCallError> {
    // SAFETY: by the caller.
    unsafe {
        let options = arguments.object(1)?;
        Ok(if WRITES {
            encode::<R>(instance, keeper, arguments.get(0), &options, buffer)
        } else {
            decode::<R>(instance, keeper, arguments.bytes(0, &mut None)?, &options)
        })
    }
}

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

/// Reads bytes.
///
/// # Safety
/// The result must be live.
#[inline(always)]
unsafe fn decode<R: ReusedResult>(
    instance: Instance,
    keeper: &mut Keeper,
    array: &PackedByteArray,
    options: &ObjectArgument<R::Options>,
) -> Called<'static, R::Outcome> {
    let mut used = 0;
    match R::decode_fast(array, options, &mut used) {
        Some(value) => Called::Succeeded(value, used),
        // SAFETY: by the caller.
        None => unsafe { decode_other::<R>(instance, keeper, array, options) },
    }
}

/// Reads bytes that [`ReusedResult::decode_fast`] does not read.
///
/// # Safety
/// As for [`decode`].
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
    *keeper = instance.filter(|_| R::can_run_scripts(options)).map(|instance| unsafe { kept::<R>(instance) });
}

/// Reads bytes and replies with the value, or with `fallback` if they cannot be read.
///
/// # Safety
/// The reply must be for a Variant.
#[inline(always)]
unsafe fn put_value<R: ReusedResult>(
    array: &PackedByteArray,
    options: &ObjectArgument<R::Options>,
    reply: impl Reply,
    fallback: Option<&Variant>,
) {
    // SAFETY: by the caller.
    unsafe {
        if are_misplaced(options, fallback) {
            R::report_misplaced_options("VarBytes.try_decode");
            return reply.value(fallback.cloned().unwrap_or_default().into());
        }
        if let Some(numbers) = WireNumbers::of_packet(bytes(array)).filter(|_| R::reads_fast(options)) {
            return reply.numbers(&numbers);
        }
        let mut used = 0;
        let value = R::decode_fast(array, options, &mut used).or_else(|| R::try_decode(array, options));
        reply.value(value.unwrap_or_else(|| fallback.cloned().unwrap_or_default().into()));
    }
}

/// Answers a call with Variants. `body` writes the result.
///
/// # Safety
/// The pointers must be those of the engine's call: as many live Variants as it says, and space for an error.
#[inline(always)]
pub(super) unsafe fn answer(
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

unsafe extern "C" fn ptrcall<R: ReusedResult, const WRITES: bool>(
    _: *mut std::ffi::c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes the arguments that were registered, a live instance, and space for a bool.
    caught(|| unsafe {
        let (mut buffer, mut keeper) = (R::Buffer::default(), None);
        let called = run_typed::<R, WRITES>(Some(instance), &mut keeper, &TypedArguments(arguments), &mut buffer);
        TypedReply(result).bool(fill::<R, _>(of_instance::<R>(instance), called));
    });
}

unsafe extern "C" fn call<R: ReusedResult, const WRITES: bool>(
    _: *mut std::ffi::c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call, with a live instance.
    unsafe {
        answer((arguments, count), 1..=2, error, |arguments| {
            let (mut buffer, mut keeper) = (R::Buffer::default(), None);
            let called = run::<R, WRITES>(Some(instance), &mut keeper, arguments, &mut buffer)?;
            VariantReply(result.cast()).bool(fill::<R, _>(of_instance::<R>(instance), called));
            Ok(())
        });
    }
}

unsafe extern "C" fn ptrcall_try_decode<R: ReusedResult>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes the arguments that were registered, and space for a Variant.
    caught(|| unsafe {
        let arguments = TypedArguments(arguments);
        let (array, options) = (arguments.get(0), arguments.object(2));
        put_value::<R>(array, &options, TypedReply(result), arguments.optional(1));
    });
}

unsafe extern "C" fn call_try_decode<R: ReusedResult>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call.
    unsafe {
        answer((arguments, count), 1..=3, error, |arguments| {
            let options = arguments.object(2)?;
            let (mut converted, reply) = (None, VariantReply(result.cast()));
            put_value::<R>(arguments.bytes(0, &mut converted)?, &options, reply, arguments.optional(1));
            Ok(())
        });
    }
}

unsafe extern "C" fn ptrcall_try_encode<R: ReusedResult>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes the arguments that were registered, and space for a PackedByteArray.
    caught(|| unsafe {
        let arguments = TypedArguments(arguments);
        let (value, options) = (arguments.get(0), arguments.object(1));
        TypedReply(result).bytes(|out| R::try_encode(value, &options, out));
    });
}

unsafe extern "C" fn call_try_encode<R: ReusedResult>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call.
    unsafe {
        answer((arguments, count), 1..=2, error, |arguments| {
            let options = arguments.object(1)?;
            let value = arguments.get(0);
            VariantReply(result.cast()).bytes(|out| R::try_encode(value, &options, out));
            Ok(())
        });
    }
}

/// Returns a new result from a call with values of the declared types.
unsafe extern "C" fn ptrcall_new<R: ReusedResult, const WRITES: bool>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes the arguments that were registered, and space for a pointer to an object, with a reference to it.
    caught(|| unsafe {
        let mut buffer = R::Buffer::default();
        TypedReply(result).new_result::<R, _>(run_typed::<R, WRITES>(
            None,
            &mut None,
            &TypedArguments(arguments),
            &mut buffer,
        ));
    });
}

/// Returns a new result from a call with Variants.
unsafe extern "C" fn call_new<R: ReusedResult, const WRITES: bool>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call.
    unsafe {
        answer((arguments, count), 1..=2, error, |arguments| {
            let (options, reply) = (arguments.object(1)?, VariantReply(result.cast()));
            if WRITES {
                let mut buffer = R::Buffer::default();
                reply.new_result::<R, _>(encode::<R>(None, &mut None, arguments.get(0), &options, &mut buffer));
                return Ok(());
            }
            let mut converted = None;
            let array = arguments.bytes(0, &mut converted)?;
            let mut used = 0;
            match R::decode_fast(array, &options, &mut used) {
                Some(value) => reply.new_result::<R, R::Outcome>(Called::Succeeded(value, used)),
                None => reply.new_result::<R, _>(decode_other::<R>(None, &mut None, array, &options)),
            }
            Ok(())
        });
    }
}
