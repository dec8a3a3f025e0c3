//! The arguments of methods that are registered without the conversions of the bindings.

use std::any::TypeId;
use std::cell::Cell;
use std::marker::PhantomData;

use godot::builtin::{PackedByteArray, Variant};
use godot::obj::{Gd, GodotClass, InstanceId};
use godot::sys;

use super::checked_calls::convert;
use super::create::from_type;
use super::interface::{ARRAY, BOOL, BYTES, INT, OBJECT};
use super::methods::wrong_type;
use super::shared::{HasContent, last, of_object};
use super::view::{payload, type_of};

/// An object that is passed to a method, or null.
pub(crate) struct ObjectArgument<T> {
    /// The engine's id of the object; 0 for null.
    id: i64,
    of_class: PhantomData<T>,
}

impl<T: GodotClass> ObjectArgument<T> {
    const fn new(id: i64) -> Self {
        Self { id, of_class: PhantomData }
    }

    /// The engine's id of the object, which no other object ever has; 0 for null.
    pub(crate) const fn id(&self) -> i64 {
        self.id
    }

    /// Returns whether it is null.
    pub(crate) const fn is_null(&self) -> bool {
        self.id == 0
    }

    /// Returns the object, or `None` for null.
    pub(crate) fn get(&self) -> Option<Gd<T>> {
        if self.id == 0 { None } else { Gd::try_from_instance_id(InstanceId::from_i64(self.id)).ok() }
    }
}

/// If the object is freed meanwhile, the argument counts as null.
impl<T: GodotClass> From<&Option<Gd<T>>> for ObjectArgument<T> {
    fn from(object: &Option<Gd<T>>) -> Self {
        Self::new(object.as_ref().map_or(0, |object| object.instance_id_unchecked().to_i64()))
    }
}

impl<T: HasContent> ObjectArgument<T> {
    /// Returns the content of the object, or `None` for null.
    ///
    /// # Safety
    /// The object must live for `'a`.
    pub(super) unsafe fn content<'a>(&self) -> Option<&'a T::Content> {
        // SAFETY: by the caller.
        unsafe { last::<T>(self.id.cast_unsigned()).or_else(|| self.get().map(|object| of_object(&object))) }
    }
}

/// Returns whether the options of a call were passed as the argument before them, which can be anything.
#[inline(always)]
pub(super) fn are_misplaced<T: GodotClass>(options: &ObjectArgument<T>, before: Option<&Variant>) -> bool {
    #[cold]
    #[inline(never)]
    fn is_of<T: GodotClass>(object: &Variant) -> bool {
        VariantArguments::checked_object::<T>(object, 0).is_some_and(|object| !object.is_null())
    }
    options.is_null() && before.is_some_and(|before| type_of(before) == OBJECT && is_of::<T>(before))
}

/// The arguments of a call, of either kind.
pub(super) trait Arguments {
    /// Returns a Variant.
    ///
    /// # Safety
    /// The argument must exist, and must live for `'a`. In a call with values of the declared types, it must be declared as one.
    unsafe fn value<'a>(&self, index: usize) -> &'a Variant;

    /// Returns a Variant, which may be missing.
    ///
    /// # Safety
    /// The arguments must live for `'a`. In a call with values of the declared types, it must be declared as a Variant.
    unsafe fn optional<'a>(&self, index: usize) -> Option<&'a Variant>;

    /// Returns an object. An argument that is missing is null.
    ///
    /// # Safety
    /// The arguments must live for the call. In a call with values of the declared types, it must be an object or null.
    unsafe fn object<T: GodotClass>(&self, index: usize) -> Result<ObjectArgument<T>, sys::GDExtensionCallError>;

    /// Returns bytes. In a call with Variants, other arrays are converted as the engine does for arguments, and put into `converted`.
    ///
    /// # Safety
    /// The argument must exist and live for `'a`. In a call with values of the declared types, it must be a PackedByteArray.
    unsafe fn bytes<'a>(
        &self,
        index: usize,
        converted: &'a mut Option<PackedByteArray>,
    ) -> Result<&'a PackedByteArray, sys::GDExtensionCallError>;

    /// Returns an int.
    ///
    /// # Safety
    /// The argument must exist and live for the call. In a call with values of the declared types, it must be an int.
    unsafe fn int(&self, index: usize) -> Result<i64, sys::GDExtensionCallError>;

    /// Returns an int, or its default if it is missing.
    ///
    /// # Safety
    /// As for [`int`](Self::int), but the argument need not exist in a call with Variants.
    unsafe fn int_or(&self, index: usize, default: i64) -> Result<i64, sys::GDExtensionCallError>;

    /// Returns a bool, or its default if it is missing.
    ///
    /// # Safety
    /// As for [`int_or`](Self::int_or), but of a bool.
    unsafe fn bool_or(&self, index: usize, default: bool) -> Result<bool, sys::GDExtensionCallError>;

    /// Returns an Array.
    ///
    /// # Safety
    /// The argument must exist and live for the call. In a call with values of the declared types, it must be an Array.
    unsafe fn array(&self, index: usize) -> Result<Variant, sys::GDExtensionCallError>;

    /// Returns a reference to an object.
    ///
    /// # Safety
    /// As for [`object`](Self::object), but the argument must exist.
    unsafe fn reference(&self, index: usize) -> Variant;
}

impl Arguments for TypedArguments {
    unsafe fn value<'a>(&self, index: usize) -> &'a Variant {
        // SAFETY: by the caller.
        unsafe { self.get(index) }
    }

    unsafe fn optional<'a>(&self, index: usize) -> Option<&'a Variant> {
        // SAFETY: by the caller. Such a call has all arguments.
        Some(unsafe { self.get(index) })
    }

    unsafe fn object<T: GodotClass>(&self, index: usize) -> Result<ObjectArgument<T>, sys::GDExtensionCallError> {
        // SAFETY: by the caller. An object is passed as the address of a pointer to it.
        unsafe {
            let place = (*self.0.add(index)).cast::<sys::GDExtensionObjectPtr>();
            let object = if place.is_null() { std::ptr::null_mut() } else { *place };
            if object.is_null() {
                return Ok(ObjectArgument::new(0));
            }
            Ok(ObjectArgument::new(sys::interface_fn!(object_get_instance_id)(object).cast_signed()))
        }
    }

    #[inline(always)]
    unsafe fn bytes<'a>(
        &self,
        index: usize,
        _: &'a mut Option<PackedByteArray>,
    ) -> Result<&'a PackedByteArray, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        Ok(unsafe { self.get(index) })
    }

    unsafe fn int(&self, index: usize) -> Result<i64, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        Ok(unsafe { *self.get(index) })
    }

    unsafe fn int_or(&self, index: usize, _: i64) -> Result<i64, sys::GDExtensionCallError> {
        // SAFETY: by the caller. Such a call has all arguments.
        unsafe { self.int(index) }
    }

    unsafe fn bool_or(&self, index: usize, _: bool) -> Result<bool, sys::GDExtensionCallError> {
        // SAFETY: by the caller. Such a call has all arguments, and a bool is one byte.
        Ok(unsafe { *self.get::<u8>(index) } != 0)
    }

    unsafe fn array(&self, index: usize) -> Result<Variant, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        Ok(unsafe { from_type(ARRAY, (*self.0.add(index)).cast()) })
    }

    unsafe fn reference(&self, index: usize) -> Variant {
        // SAFETY: by the caller. An object is passed as the address of a pointer to it.
        unsafe { from_type(OBJECT, (*self.0.add(index)).cast()) }
    }
}

impl Arguments for VariantArguments {
    unsafe fn value<'a>(&self, index: usize) -> &'a Variant {
        // SAFETY: by the caller.
        unsafe { self.get(index) }
    }

    unsafe fn optional<'a>(&self, index: usize) -> Option<&'a Variant> {
        // SAFETY: by the caller.
        (index < self.count).then(|| unsafe { self.get(index) })
    }

    // Inlined, so that the usual result is not passed through memory.
    #[inline(always)]
    unsafe fn object<T: GodotClass>(&self, index: usize) -> Result<ObjectArgument<T>, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        match (unsafe { self.optional(index) }).filter(|argument| type_of(argument) != 0) {
            None => Ok(ObjectArgument::new(0)),
            Some(argument) => Self::checked_object(argument, index).ok_or_else(|| wrong_type(index as i32, OBJECT)),
        }
    }

    // Inlined, so that the usual result is not passed through memory.
    #[inline(always)]
    unsafe fn bytes<'a>(
        &self,
        index: usize,
        converted: &'a mut Option<PackedByteArray>,
    ) -> Result<&'a PackedByteArray, sys::GDExtensionCallError> {
        // SAFETY: by the caller. The bindings keep the type in the engine's own form.
        let array = unsafe {
            let argument = self.get(index);
            if type_of(argument) == BYTES {
                Some(&*payload(argument, BYTES))
            } else {
                converted_bytes(argument, converted)
            }
        };
        array.ok_or_else(|| wrong_type(index as i32, BYTES))
    }

    unsafe fn int(&self, index: usize) -> Result<i64, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe { self.converted(index, INT) }.map(|number| number.to())
    }

    unsafe fn int_or(&self, index: usize, default: i64) -> Result<i64, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        if index < self.count { unsafe { self.int(index) } } else { Ok(default) }
    }

    unsafe fn bool_or(&self, index: usize, default: bool) -> Result<bool, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        if index < self.count { unsafe { self.converted(index, BOOL) }.map(|value| value.to()) } else { Ok(default) }
    }

    unsafe fn array(&self, index: usize) -> Result<Variant, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        unsafe { self.converted(index, ARRAY) }
    }

    unsafe fn reference(&self, index: usize) -> Variant {
        // SAFETY: by the caller.
        unsafe { self.get(index).clone() }
    }
}

/// The arguments of a call with values of the declared types.
pub(super) struct TypedArguments(pub(super) *const sys::GDExtensionConstTypePtr);

impl TypedArguments {
    /// # Safety
    /// The argument must exist and be a value of that type. It must live for `'a`.
    pub(super) unsafe fn get<'a, T>(&self, index: usize) -> &'a T {
        // SAFETY: by the caller. The bindings keep values in the engine's own form.
        unsafe { &*(*self.0.add(index)).cast::<T>() }
    }
}

/// The arguments of a call with Variants.
pub(super) struct VariantArguments {
    pub(super) first: *const sys::GDExtensionConstVariantPtr,
    pub(super) count: usize,
}

thread_local! {
    /// For each of the first two arguments, and for all others together, the id of the object that was last found to be of the
    /// class that was expected, and this class. To check the class takes longer than to read a small packet. No id is used twice.
    static CHECKED: [Cell<Option<(i64, TypeId)>>; 3] = const { [const { Cell::new(None) }; 3] };
}

impl VariantArguments {
    /// # Safety
    /// The argument must exist, and must live for `'a`.
    pub(super) unsafe fn get<'a>(&self, index: usize) -> &'a Variant {
        // SAFETY: by the caller.
        unsafe { &*(*self.first.add(index)).cast::<Variant>() }
    }

    #[inline(never)]
    fn checked_object<T: GodotClass>(argument: &Variant, index: usize) -> Option<ObjectArgument<T>> {
        let id = argument.object_id_unchecked().map_or(0, InstanceId::to_i64);
        CHECKED.with(|checked| {
            let checked = &checked[index.min(checked.len() - 1)];
            if id != 0 && checked.get() == Some((id, TypeId::of::<T>())) {
                return Some(ObjectArgument::new(id));
            }
            let object: Option<Gd<T>> = argument.try_to().ok()?;
            let id = object.map_or(0, |object| object.instance_id_unchecked().to_i64());
            checked.set(Some((id, TypeId::of::<T>())));
            Some(ObjectArgument::new(id))
        })
    }

    /// Returns a value of that type. Others are converted as the engine does for arguments.
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    unsafe fn converted(&self, index: usize, expected: usize) -> Result<Variant, sys::GDExtensionCallError> {
        // SAFETY: by the caller.
        let argument = unsafe { self.get(index) };
        if type_of(argument) == expected {
            return Ok(argument.clone());
        }
        convert(argument, expected).ok_or_else(|| wrong_type(index as i32, expected))
    }
}

/// Converts an argument to bytes as the engine does for its own functions: an Array of numbers, for example.
#[cold]
#[inline(never)]
pub(super) fn converted_bytes<'a>(
    argument: &Variant,
    converted: &'a mut Option<PackedByteArray>,
) -> Option<&'a PackedByteArray> {
    *converted = argument.try_to_relaxed().ok();
    converted.as_ref()
}
