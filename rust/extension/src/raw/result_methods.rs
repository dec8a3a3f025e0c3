//! Registers the methods that read and write with options and without a new object, as [`super::built_ins`] does.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::{ClassId, ToGodot};
use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, Gd, GodotClass, InstanceId};
use godot::private::{Storage, as_storage};
use godot::sys;

use super::built_ins::caught;
use super::container::owns_nothing;
use super::interface::{BYTES, OBJECT};
use super::methods::{Method, Type, has_arguments, wrong_type};
use super::view::type_of;

/// A result that is used again.
pub(crate) trait ReusedResult: GodotClass + Bounds<Declarer = DeclUser> + Sized {
    /// The class of the options.
    type Options: GodotClass;
    /// What replaces the content of a result.
    type Content;

    /// Reads bytes. The result is not borrowed meanwhile: scripts can run.
    fn decode(bytes: &PackedByteArray, options: &ObjectArgument<Self::Options>) -> Self::Content;
    /// Writes a value. The same holds.
    fn encode(value: &Variant, options: &ObjectArgument<Self::Options>) -> Self::Content;
    /// Replaces the content. Returns whether the call succeeded, and the old value, which is dropped when the result is no
    /// longer borrowed.
    fn replace(&mut self, content: Self::Content) -> (bool, Variant);
    /// Returns the value of a call that succeeded.
    fn value(content: Self::Content) -> Option<Variant>;
}

/// An object that is passed to a method, or null.
pub(crate) struct ObjectArgument<T> {
    /// The engine's id of the object; 0 for null.
    id: i64,
    of_class: PhantomData<T>,
}

impl<T: GodotClass> ObjectArgument<T> {
    fn new(id: i64) -> Self {
        Self { id, of_class: PhantomData }
    }

    /// The engine's id of the object, which no other object ever has; 0 for null.
    pub(crate) const fn id(&self) -> i64 {
        self.id
    }

    /// Returns the object, or `None` for null.
    pub(crate) fn get(&self) -> Option<Gd<T>> {
        if self.id == 0 { None } else { Gd::try_from_instance_id(InstanceId::from_i64(self.id)).ok() }
    }
}

/// Registers `decode` and `encode` as methods of the result, and `try_decode` and `try_encode` as static methods of a class.
pub(crate) fn register_result_methods<R: ReusedResult>(class: ClassId) {
    let options = || ("options", Type::Object(R::Options::class_id()));
    let method = |name, argument, call, ptrcall| Method {
        name,
        is_static: false,
        arguments: [argument, options()],
        optional: 1,
        returns: Type::Bool,
        call,
        ptrcall,
    };
    method("decode", ("bytes", Type::Bytes), call::<R, false>, ptrcall::<R, false>).register(R::class_id());
    method("encode", ("value", Type::Any), call::<R, true>, ptrcall::<R, true>).register(R::class_id());
    let try_decode = Method {
        name: "try_decode",
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
        is_static: true,
        arguments: [("value", Type::Any), options()],
        optional: 1,
        returns: Type::Bytes,
        call: call_try_encode::<R>,
        ptrcall: ptrcall_try_encode::<R>,
    };
    try_encode.register(class);
}

/// The arguments of a call with values of the declared types.
struct TypedArguments(*const sys::GDExtensionConstTypePtr);

impl TypedArguments {
    /// # Safety
    /// The argument must exist and be a value of that type. It must live for `'a`.
    unsafe fn get<'a, T>(&self, index: usize) -> &'a T {
        // SAFETY: by the caller. The bindings keep values in the engine's own form.
        unsafe { &*(*self.0.add(index)).cast::<T>() }
    }

    /// # Safety
    /// The argument must exist and be an object or null.
    unsafe fn object<T: GodotClass>(&self, index: usize) -> ObjectArgument<T> {
        // SAFETY: by the caller. An object is passed as the address of a pointer to it.
        unsafe {
            let place = (*self.0.add(index)).cast::<sys::GDExtensionObjectPtr>();
            let object = if place.is_null() { std::ptr::null_mut() } else { *place };
            if object.is_null() {
                return ObjectArgument::new(0);
            }
            ObjectArgument::new(sys::interface_fn!(object_get_instance_id)(object).cast_signed())
        }
    }

    /// Reads or writes the first argument, with the options at an index.
    ///
    /// # Safety
    /// The first argument must be a Variant to write, or a PackedByteArray to read.
    unsafe fn run<R: ReusedResult, const WRITES: bool>(&self, options: usize) -> R::Content {
        // SAFETY: by the caller.
        unsafe {
            let options = self.object(options);
            match (WRITES, options.id() == 0) {
                // Without options no script runs, so the caller's value stays as it is.
                (true, true) => R::encode(self.get(0), &options),
                (true, false) => R::encode(&self.get::<Variant>(0).clone(), &options),
                (false, true) => R::decode(self.get(0), &options),
                (false, false) => R::decode(&self.get::<PackedByteArray>(0).clone(), &options),
            }
        }
    }
}

/// The arguments of a call with Variants.
struct VariantArguments {
    first: *const sys::GDExtensionConstVariantPtr,
    count: usize,
}

impl VariantArguments {
    /// # Safety
    /// The arguments must live for `'a`.
    unsafe fn get<'a>(&self, index: usize) -> Option<&'a Variant> {
        // SAFETY: by the caller.
        (index < self.count).then(|| unsafe { &*(*self.first.add(index)).cast::<Variant>() })
    }

    /// Reads or writes the first argument, with the options at an index. Returns the error of an argument of a wrong type.
    ///
    /// # Safety
    /// The arguments must live for the call.
    unsafe fn run<R: ReusedResult, const WRITES: bool>(
        &self,
        options: usize,
    ) -> Result<R::Content, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        let (first, object) = unsafe { (self.get(0), self.get(options)) };
        let object: Option<Gd<R::Options>> = match object {
            Some(object) => object.try_to().map_err(|_| wrong_type(options as i32, OBJECT))?,
            None => None,
        };
        let options = ObjectArgument::new(object.map_or(0, |object| object.instance_id().to_i64()));
        let first = first.cloned().unwrap_or_default();
        if WRITES {
            return Ok(R::encode(&first, &options));
        }
        let bytes = first.try_to_relaxed().map_err(|_| wrong_type(0, BYTES))?;
        Ok(R::decode(&bytes, &options))
    }
}

/// Answers a call with Variants.
///
/// # Safety
/// The pointers must be those of the engine's call: as many live Variants as it says, a Variant for the result, and space for an
/// error.
unsafe fn answer(
    (first, count): (*const sys::GDExtensionConstVariantPtr, sys::GDExtensionInt),
    allowed: RangeInclusive<i32>,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
    body: impl FnOnce(&VariantArguments) -> Result<Variant, sys::GDExtensionCallError>,
) {
    // SAFETY: by the caller.
    caught(|| unsafe {
        if !has_arguments(count, allowed, error) {
            return;
        }
        match body(&VariantArguments { first, count: count as usize }) {
            Ok(value) => *result.cast::<Variant>() = value,
            Err(wrong) => *error = wrong,
        }
    });
}

unsafe extern "C" fn ptrcall<R: ReusedResult, const WRITES: bool>(
    _: *mut std::ffi::c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine passes the arguments that were registered, a live instance, and space for a bool, which is one byte.
    caught(|| unsafe {
        let content = TypedArguments(arguments).run::<R, WRITES>(1);
        result.cast::<u8>().write(u8::from(assign::<R>(instance, content)));
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
        answer((arguments, count), 1..=2, result, error, |arguments| {
            Ok(assign::<R>(instance, arguments.run::<R, WRITES>(1)?).to_variant())
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
        let value = R::value(arguments.run::<R, false>(2));
        let value = value.unwrap_or_else(|| arguments.get::<Variant>(1).clone());
        let result = result.cast::<Variant>();
        if type_of(&*result) == 0 { result.write(value) } else { *result = value }
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
        answer((arguments, count), 1..=3, result, error, |arguments| {
            let value = R::value(arguments.run::<R, false>(2)?);
            Ok(value.or_else(|| arguments.get(1).cloned()).unwrap_or_default())
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
        let value = R::value(TypedArguments(arguments).run::<R, true>(1));
        let bytes = value.map(|value| value.to::<PackedByteArray>()).unwrap_or_default();
        let result = result.cast::<PackedByteArray>();
        if owns_nothing(&*result) { result.write(bytes) } else { *result = bytes }
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
        answer((arguments, count), 1..=2, result, error, |arguments| {
            let bytes = R::value(arguments.run::<R, true>(1)?);
            Ok(bytes.unwrap_or_else(|| PackedByteArray::new().to_variant()))
        });
    }
}

/// Replaces the content of a result.
///
/// # Safety
/// `instance` must be that of a live result, which the engine keeps for the call.
unsafe fn assign<R: ReusedResult>(instance: sys::GDExtensionClassInstancePtr, content: R::Content) -> bool {
    // SAFETY: by the caller. The bindings' storage is what they gave to the engine as the instance.
    let storage = unsafe { as_storage::<R>(instance) };
    // The old value is dropped last: freeing an object can run a script that uses the result.
    let (ok, _old) = storage.get_mut().replace(content);
    ok
}
