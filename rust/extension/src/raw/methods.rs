//! Registers methods without the conversions of the bindings. Properties have a getter.

use godot::builtin::{GString, StringName, Variant};
use godot::meta::ClassId;
use godot::sys;

use super::create::scalar;
use super::engine::REGISTER_METHOD;
use super::guarded::Guarded;
use super::interface::{ARRAY, BOOL, BYTES, INT, OBJECT, STRING, STRINGS};
use super::new_value::NewValue;
use super::view::type_of;

/// The type of an argument, of what is returned, or of a property.
#[derive(Clone, Copy)]
pub(crate) enum Type {
    /// Of a method that returns nothing.
    Nothing,
    Any,
    Bool,
    Int,
    String,
    /// An int, with the name of its enum.
    Enum(&'static str),
    Array,
    Bytes,
    Strings,
    Object(ClassId),
}

/// A method.
pub(super) struct Method<const ARGUMENTS: usize> {
    pub(super) name: &'static str,
    /// Passed to the calls.
    pub(super) data: *mut std::ffi::c_void,
    pub(super) is_static: bool,
    pub(super) arguments: [(&'static str, Type); ARGUMENTS],
    /// The defaults of the last arguments.
    pub(super) defaults: Vec<Variant>,
    pub(super) returns: Type,
    /// Called with Variants.
    pub(super) call: Call,
    /// Called with values of the declared types.
    pub(super) ptrcall: PtrCall,
}

/// A read-only property.
pub(crate) struct Property<C: 'static> {
    pub(crate) name: &'static str,
    pub(crate) getter: &'static str,
    pub(crate) of_type: Type,
    /// Puts the value, which is of the type.
    pub(crate) get: fn(&Guarded<C>, Slot),
}

/// A Variant that is null, for what the engine asks for.
pub(crate) struct Slot(*mut Variant);

impl Slot {
    /// Nothing has to be dropped for the new value, which may be put there while something is locked.
    ///
    /// # Safety
    /// A Variant must be there as long as the slot exists.
    pub(super) unsafe fn new(place: *mut Variant) -> Self {
        // SAFETY: by the caller.
        unsafe {
            if type_of(&*place) != 0 {
                *place = scalar::null();
            }
        }
        Self(place)
    }

    /// Puts a value there.
    pub(crate) fn put(self, value: NewValue) {
        // SAFETY: see `new`. Null owns nothing.
        unsafe { value.write_to(self.0) };
    }

    /// Puts a copy of a value there.
    pub(crate) fn copy(self, value: &Variant) {
        // SAFETY: see `new`. Null owns nothing.
        unsafe { sys::interface_fn!(variant_new_copy)(self.0.cast(), value.var_sys()) };
    }
}

pub(super) type Call = unsafe extern "C" fn(
    *mut std::ffi::c_void,
    sys::GDExtensionClassInstancePtr,
    *const sys::GDExtensionConstVariantPtr,
    sys::GDExtensionInt,
    sys::GDExtensionVariantPtr,
    *mut sys::GDExtensionCallError,
);
pub(super) type PtrCall = unsafe extern "C" fn(
    *mut std::ffi::c_void,
    sys::GDExtensionClassInstancePtr,
    *const sys::GDExtensionConstTypePtr,
    sys::GDExtensionTypePtr,
);

impl Type {
    /// `PROPERTY_USAGE_DEFAULT`, `PROPERTY_USAGE_CLASS_IS_ENUM` and `PROPERTY_USAGE_NIL_IS_VARIANT` of the engine.
    const USAGE_DEFAULT: u32 = 6;
    const USAGE_ENUM: u32 = Self::USAGE_DEFAULT | 1 << 16;
    const USAGE_ANY: u32 = Self::USAGE_DEFAULT | 1 << 17;

    /// Returns the engine's number of the type, its class, and its usage.
    fn parts(self) -> (usize, StringName, u32) {
        match self {
            Self::Nothing => (0, StringName::default(), Self::USAGE_DEFAULT),
            Self::Any => (0, StringName::default(), Self::USAGE_ANY),
            Self::Bool => (BOOL, StringName::default(), Self::USAGE_DEFAULT),
            Self::Int => (INT, StringName::default(), Self::USAGE_DEFAULT),
            Self::Enum(name) => (INT, StringName::from(name), Self::USAGE_ENUM),
            Self::String => (STRING, StringName::default(), Self::USAGE_DEFAULT),
            Self::Array => (ARRAY, StringName::default(), Self::USAGE_DEFAULT),
            Self::Bytes => (BYTES, StringName::default(), Self::USAGE_DEFAULT),
            Self::Strings => (STRINGS, StringName::default(), Self::USAGE_DEFAULT),
            Self::Object(class) => (OBJECT, class.to_string_name(), Self::USAGE_DEFAULT),
        }
    }
}

/// The description of an argument, a result or a property.
pub(super) struct Description {
    number: usize,
    name: StringName,
    class: StringName,
    hint: GString,
    usage: u32,
}

impl Description {
    pub(super) fn new(name: &str, of_type: Type) -> Self {
        let (number, class, usage) = of_type.parts();
        Self { number, name: StringName::from(name), class, hint: GString::new(), usage }
    }

    /// Says that a property is neither stored nor shown in the inspector.
    pub(super) fn not_stored(self) -> Self {
        Self { usage: self.usage & !Type::USAGE_DEFAULT, ..self }
    }

    pub(super) const fn name(&self) -> &StringName {
        &self.name
    }

    /// Returns the engine's form, which points into this.
    pub(super) fn info(&mut self) -> sys::GDExtensionPropertyInfo {
        sys::GDExtensionPropertyInfo {
            type_: self.number as sys::GDExtensionVariantType,
            name: self.name.string_sys_mut(),
            class_name: self.class.string_sys_mut(),
            hint: 0,
            hint_string: self.hint.string_sys_mut(),
            usage: self.usage,
        }
    }
}

impl<const ARGUMENTS: usize> Method<ARGUMENTS> {
    /// Returns the method as one of the class.
    pub(super) fn into_static(self) -> Self {
        Self { is_static: true, ..self }
    }

    /// Returns the method with other defaults of its last arguments.
    pub(super) fn with_defaults(self, defaults: Vec<Variant>) -> Self {
        Self { defaults, ..self }
    }

    /// Registers the method.
    pub(super) fn register(mut self, class: ClassId) {
        let mut described = self.arguments.map(|(name, of_type)| Description::new(name, of_type));
        let mut arguments = described.each_mut().map(Description::info);
        let mut result = Description::new("", self.returns);
        let mut returned = result.info();
        let mut metadata = [sys::GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE; ARGUMENTS];
        let mut defaults: Vec<_> = self.defaults.iter_mut().map(Variant::var_sys_mut).collect();
        let mut name = StringName::from(self.name);
        let mut flags = sys::GDEXTENSION_METHOD_FLAGS_DEFAULT;
        if self.is_static {
            flags |= sys::GDEXTENSION_METHOD_FLAG_STATIC;
        }
        let method = sys::GDExtensionClassMethodInfo {
            name: name.string_sys_mut(),
            method_userdata: self.data,
            call_func: Some(self.call),
            ptrcall_func: Some(self.ptrcall),
            method_flags: flags as u32,
            has_return_value: u8::from(!matches!(self.returns, Type::Nothing)),
            return_value_info: &raw mut returned,
            return_value_metadata: sys::GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE,
            argument_count: ARGUMENTS as u32,
            arguments_info: arguments.as_mut_ptr(),
            arguments_metadata: metadata.as_mut_ptr(),
            default_argument_count: defaults.len() as u32,
            default_arguments: defaults.as_mut_ptr(),
        };
        // SAFETY: everything pointed to lives until the call returns; the engine copies it. The bindings have registered methods
        // before.
        unsafe {
            if let Some(register) = REGISTER_METHOD.get() {
                register(sys::get_library(), class.string_sys(), &raw const method);
            }
        }
    }
}

/// Checks the number of arguments of a call with Variants. Returns false after it has set the error.
///
/// # Safety
/// `error` must have space for an error.
pub(super) unsafe fn has_arguments(
    count: sys::GDExtensionInt,
    allowed: std::ops::RangeInclusive<i32>,
    error: *mut sys::GDExtensionCallError,
) -> bool {
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    if allowed.contains(&count) {
        return true;
    }
    let (kind, expected) = if count < *allowed.start() {
        (sys::GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS, *allowed.start())
    } else {
        (sys::GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS, *allowed.end())
    };
    // SAFETY: by the caller.
    unsafe { *error = sys::GDExtensionCallError { error: kind, argument: expected, expected } };
    false
}

/// Returns the error of an argument of another type than the expected one.
pub(super) fn wrong_type(argument: i32, expected: usize) -> sys::GDExtensionCallError {
    let expected = expected as i32;
    sys::GDExtensionCallError { error: sys::GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT, argument, expected }
}
