//! Checks the arguments of methods that the bindings register, before the bindings convert them. If an argument has a wrong type,
//! the bindings print a message that names a file of their own, and GDScript calls the result a bug. With this, GDScript prints
//! its own message, which names the line of the script.
//!
//! An object lives until its method returns: the bindings abort the process if a script that logs an error drops the last reference
//! meanwhile.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use godot::builtin::{StringName, Variant};
use godot::classes::{Object, RefCounted};
use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, Gd, Inherits, InstanceId};
use godot::sys;

use super::caught::caught;
use super::class_method::{ClassMethod, MethodBind};
use super::engine::REGISTER_METHOD;
use super::interface::OBJECT;
use super::methods::{Call, PtrCall, has_arguments, wrong_type};
use super::shared::object_of;
use super::view::type_of;

/// The name of the engine's function that registers a method.
pub(super) const REGISTER_METHOD_NAME: &CStr = c"classdb_register_extension_class_method";

/// The methods that are registered. Each has a place of its own.
#[expect(clippy::vec_box, reason = "calls point to them")]
static METHODS: Mutex<Vec<Box<CheckedMethod>>> = Mutex::new(Vec::new());

/// A method of the bindings.
struct CheckedMethod {
    class: StringName,
    /// Returns the object that is called. `None` for classes whose objects are not kept.
    object: Option<unsafe fn(sys::GDExtensionClassInstancePtr) -> sys::GDExtensionObjectPtr>,
    call: Call,
    ptrcall: PtrCall,
    arguments: Vec<Argument>,
    optional: usize,
}

/// An argument of a method.
struct Argument {
    variant_type: usize,
    class: StringName,
    /// The id of the object that was last found to be of the class, which no other object ever has. To ask for the class by its name takes
    /// longer than to read a small packet.
    last: AtomicI64,
}

/// From now on, objects of a class live until their methods return. Called when all methods are registered.
pub(crate) fn keep_called<C: Inherits<RefCounted> + Bounds<Declarer = DeclUser>>() {
    let class = C::class_id().to_string_name();
    let mut methods = METHODS.lock().unwrap_or_else(PoisonError::into_inner);
    methods.iter_mut().filter(|method| method.class == class).for_each(|method| method.object = Some(object_of::<C>));
}

impl CheckedMethod {
    /// Keeps the object that is called. Returns `None` for a static method.
    ///
    /// # Safety
    /// The instance must be live or null.
    unsafe fn keep(&self, instance: sys::GDExtensionClassInstancePtr) -> Option<KeptObject> {
        // SAFETY: by the caller.
        unsafe {
            let object = self.object.filter(|_| !instance.is_null())?(instance);
            KeptObject::of(object)
        }
    }
}

/// A reference to an object.
struct KeptObject {
    object: sys::GDExtensionObjectPtr,
    unreference: MethodBind,
}

impl KeptObject {
    /// Counts a reference to an object. Not as a Variant does: that would take over the first reference of a new object, which nothing
    /// else has, and free the object. The engine calls getters of such objects, for the initial values of properties.
    ///
    /// # Safety
    /// The object must be a live `RefCounted`.
    unsafe fn of(object: sys::GDExtensionObjectPtr) -> Option<Self> {
        /// The engine's hash of the signatures: returns a bool.
        const HASH: i64 = 2_240_911_060;
        static REFERENCE: ClassMethod = ClassMethod::new("RefCounted", "reference", HASH);
        static UNREFERENCE: ClassMethod = ClassMethod::new("RefCounted", "unreference", HASH);
        let (reference, unreference) = (REFERENCE.find()?, UNREFERENCE.find()?);
        let mut is_counted = 0_u8;
        // SAFETY: by the caller; see `HASH`.
        unsafe { reference.call_into(object, &mut is_counted) };
        (is_counted != 0).then_some(Self { object, unreference })
    }
}

impl Drop for KeptObject {
    fn drop(&mut self) {
        let mut was_last = 0_u8;
        // SAFETY: the object has this reference. If it was the last one, nothing else frees the object.
        unsafe {
            self.unreference.call_into(self.object, &mut was_last);
            if was_last != 0 {
                sys::interface_fn!(object_destroy)(self.object);
            }
        }
    }
}

/// Forgets all methods, before the bindings forget the engine's functions. None may be called afterwards.
pub(super) fn forget() {
    METHODS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// Registers a method with [`call`] in place of its own.
pub(super) unsafe extern "C" fn register_method(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    info: *const sys::GDExtensionClassMethodInfo,
) {
    let Some(engine_register) = REGISTER_METHOD.get() else { return };
    // SAFETY: the bindings' description of a method, which lives for the call. They pass no data and use none.
    unsafe {
        let mut checked = *info;
        if let (Some(its_call), Some(its_ptrcall), true) =
            (checked.call_func, checked.ptrcall_func, checked.method_userdata.is_null())
        {
            let arguments = (0..checked.argument_count as usize).map(|index| {
                let argument = &*checked.arguments_info.add(index);
                Argument {
                    variant_type: argument.type_ as usize,
                    class: (*argument.class_name.cast::<StringName>()).clone(),
                    last: AtomicI64::new(0),
                }
            });
            let mut method = Box::new(CheckedMethod {
                class: (*class.cast::<StringName>()).clone(),
                object: None,
                call: its_call,
                ptrcall: its_ptrcall,
                arguments: arguments.collect(),
                optional: checked.default_argument_count as usize,
            });
            checked.method_userdata = (&raw mut *method).cast();
            checked.call_func = Some(call);
            checked.ptrcall_func = Some(ptrcall);
            METHODS.lock().unwrap_or_else(PoisonError::into_inner).push(method);
        }
        engine_register(library, class, &raw const checked);
    }
}

/// Answers a call with Variants: converts them as the engine does for its own methods, or sets the error.
unsafe extern "C" fn call(
    data: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    result: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: the engine's call of a method that was registered above, with as many live Variants as it says.
    caught(|| unsafe {
        let method = &*data.cast_const().cast::<CheckedMethod>();
        let _kept = method.keep(instance);
        let most = method.arguments.len();
        let least = i32::try_from(most - method.optional).unwrap_or(0);
        if !has_arguments(count, least..=i32::try_from(most).unwrap_or(i32::MAX), error) {
            return;
        }
        let mut converted = Vec::new();
        let mut passed: Vec<sys::GDExtensionConstVariantPtr> = Vec::with_capacity(most);
        for (index, expected) in method.arguments.iter().enumerate().take(count as usize) {
            let argument = *arguments.add(index);
            let value = &*argument.cast::<Variant>();
            if expected.is_met_by(value) {
                passed.push(argument);
                continue;
            }
            let other = match expected.variant_type {
                // For the bindings, a Variant with a null object is one with an object that was freed.
                OBJECT if is_null_object(value) => Some(Variant::nil()),
                variant_type => convert(value, variant_type),
            };
            let Some(other) = other else {
                *error = wrong_type(i32::try_from(index).unwrap_or(0), expected.variant_type);
                return;
            };
            converted.push(Box::new(other));
            passed.extend(converted.last().map(|other| other.var_sys()));
        }
        (method.call)(std::ptr::null_mut(), instance, passed.as_ptr(), count, result, error);
    });
}

/// Answers a call with values of the declared types.
unsafe extern "C" fn ptrcall(
    data: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    // SAFETY: the engine's call of a method that was registered above.
    caught(|| unsafe {
        let method = &*data.cast_const().cast::<CheckedMethod>();
        let _kept = method.keep(instance);
        (method.ptrcall)(std::ptr::null_mut(), instance, arguments, result);
    });
}

impl Argument {
    /// Returns whether a value is of the type and class.
    fn is_met_by(&self, value: &Variant) -> bool {
        match type_of(value) {
            _ if self.variant_type == 0 => true,
            // Null is a null object.
            0 => self.variant_type == OBJECT,
            OBJECT if self.variant_type == OBJECT => self.class.is_empty() || self.is_of_class(value),
            found => found == self.variant_type,
        }
    }

    /// Returns whether an object is of the class.
    fn is_of_class(&self, object: &Variant) -> bool {
        let id = object.object_id_unchecked().map_or(0, InstanceId::to_i64);
        if id != 0 && self.last.load(Ordering::Relaxed) == id {
            return true;
        }
        let is_of_class = object.try_to::<Gd<Object>>().is_ok_and(|object| object.is_class(&self.class.to_string()));
        if is_of_class {
            self.last.store(id, Ordering::Relaxed);
        }
        is_of_class
    }
}

/// Returns whether a value is what a script gets from a function that returns a null object.
fn is_null_object(value: &Variant) -> bool {
    type_of(value) == OBJECT && value.object_id_unchecked().is_none()
}

/// Converts a value as the engine converts an argument, or returns `None` if it does not.
pub(super) fn convert(value: &Variant, expected: usize) -> Option<Variant> {
    let found = type_of(value);
    // SAFETY: both are types of Variants. The engine writes a Variant, or sets the error.
    unsafe {
        let (from, to) = (found as sys::GDExtensionVariantType, expected as sys::GDExtensionVariantType);
        if found == expected || sys::interface_fn!(variant_can_convert_strict)(from, to) == 0 {
            return None;
        }
        let mut converted = MaybeUninit::<Variant>::uninit();
        let mut error = sys::default_call_error();
        sys::interface_fn!(variant_construct)(
            to,
            converted.as_mut_ptr().cast(),
            [value.var_sys()].as_ptr(),
            1,
            &raw mut error,
        );
        (error.error == sys::GDEXTENSION_CALL_OK).then(|| converted.assume_init())
    }
}
