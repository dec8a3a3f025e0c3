//! Registers the four replacements of the engine's built-ins without the conversions of the bindings.
//!
//! A call takes a few nanoseconds. It would take ten times as long if the bindings converted its arguments and recorded
//! its context. So these functions read the caller's Variants directly.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ClassId;
use godot::sys;

use super::arguments::converted_bytes;
use super::caught::caught;
use super::container::bytes;
use super::create::scalar;
use super::interface::BYTES;
use super::methods::{Method, Type, has_arguments, wrong_type};
use super::new_value::NewValue;
use super::numbers::WireNumbers;
use super::packed_numbers::PackedNumbers;
use super::reply::{Reply, TypedReply, VariantReply};
use super::view::{payload, type_of};

/// What the registered methods do.
pub(crate) trait BuiltIns {
    /// Reads a packet on the fast path, and puts the number of bytes that the value takes into `used`. `objects` says whether full objects
    /// are allowed. Returns `None` if the packet seems to have any, if it is malformed, or if [`read`](Self::read) is faster.
    fn read_fast(bytes: &PackedByteArray, objects: bool, used: &mut usize) -> Option<NewValue>;
    /// Reads any value. Reports an error to the engine's log and returns `None`.
    fn read(bytes: &PackedByteArray, objects: bool) -> Option<NewValue>;
    /// Puts a PackedByteArray with the bytes of a value in place of `out`. Reports an error to the engine's log, and the array is empty
    /// then.
    fn write(value: &Variant, objects: bool, out: &mut Variant);
}

/// Registers them as static methods of a registered class.
pub(crate) fn register_built_ins<B: BuiltIns>(class: ClassId) {
    register::<B, true, false>(class, "var_to_bytes");
    register::<B, true, true>(class, "var_to_bytes_with_objects");
    register::<B, false, false>(class, "bytes_to_var");
    register::<B, false, true>(class, "bytes_to_var_with_objects");
}

fn register<B: BuiltIns, const WRITES: bool, const OBJECTS: bool>(class: ClassId, name: &'static str) {
    let method = Method {
        name,
        data: std::ptr::null_mut(),
        is_static: true,
        arguments: [if WRITES { ("value", Type::Any) } else { ("bytes", Type::Bytes) }],
        defaults: Vec::new(),
        returns: if WRITES { Type::Bytes } else { Type::Any },
        call: call::<B, WRITES, OBJECTS>,
        ptrcall: ptrcall::<B, WRITES, OBJECTS>,
    };
    method.register(class);
}

/// The call of a script that passes Variants.
unsafe extern "C" fn call<B: BuiltIns, const WRITES: bool, const OBJECTS: bool>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine passes as many Variants as it says. They live for the call. It also passes space for an error,
    // and a Variant for the result, which is null at first.
    caught(|| unsafe {
        if !has_arguments(count, 1..=1, error) {
            return;
        }
        let (argument, reply) = (&*(*arguments).cast::<Variant>(), VariantReply(result.cast()));
        if WRITES {
            return reply.bytes(|out| write::<B, OBJECTS>(argument, out));
        }
        let mut converted = None;
        // The bindings keep the type in the engine's own form.
        let array = match type_of(argument) {
            BYTES => &*payload::<PackedByteArray>(argument, BYTES),
            _ => match converted_bytes(argument, &mut converted) {
                Some(array) => array,
                None => {
                    *error = wrong_type(0, BYTES);
                    return;
                }
            },
        };
        if let Some(numbers) = WireNumbers::of_packet(bytes(array)) {
            return reply.numbers(&numbers);
        }
        if PackedNumbers::of_packet(bytes(array)).is_some_and(|packed| reply.packed(&packed)) {
            return;
        }
        let mut used = 0;
        let value = B::read_fast(array, OBJECTS, &mut used).or_else(|| {
            // Shares only the content, which is copied on write.
            B::read(&array.clone(), OBJECTS)
        });
        reply.value(value.unwrap_or_else(scalar::nil));
    });
}

/// A call with arguments of the declared types.
unsafe extern "C" fn ptrcall<B: BuiltIns, const WRITES: bool, const OBJECTS: bool>(
    _: *mut std::ffi::c_void,
    _: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes one argument and space for the result, of the types registered above. The bindings keep
    // both types in the engine's own form.
    caught(|| unsafe {
        if WRITES {
            let argument = &*(*arguments).cast::<Variant>();
            TypedReply(result).bytes(|out| write::<B, OBJECTS>(argument, out));
        } else {
            let argument = &*(*arguments).cast::<PackedByteArray>();
            if let Some(numbers) = WireNumbers::of_packet(bytes(argument)) {
                return TypedReply(result).numbers(&numbers);
            }
            if PackedNumbers::of_packet(bytes(argument)).is_some_and(|packed| TypedReply(result).packed(&packed)) {
                return;
            }
            let mut used = 0;
            let value = B::read_fast(argument, OBJECTS, &mut used).or_else(|| {
                // As above. Without objects, the engine can still print errors, for example about keys that are nested deep, and a
                // Logger is a script.
                B::read(&argument.clone(), OBJECTS)
            });
            TypedReply(result).value(value.unwrap_or_else(scalar::nil));
        }
    });
}

/// Writes a value and holds a reference to it while scripts can run.
///
/// Scripts run while objects are written in full. They can change the caller's variable, which may hold the only reference
/// to the value. No script runs while objects are written as ids.
#[inline(always)]
fn write<B: BuiltIns, const OBJECTS: bool>(value: &Variant, out: &mut Variant) {
    if OBJECTS {
        B::write(&value.clone(), true, out);
    } else {
        B::write(value, false, out);
    }
}
