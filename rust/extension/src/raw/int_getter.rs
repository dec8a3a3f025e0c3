//! Methods that return an int or a bool, called without looking them up each time.

use godot::builtin::Variant;
use godot::classes::RefCounted;
use godot::meta::ToGodot;
use godot::obj::Gd;

use super::class_method::MethodBind;
use super::interface::OBJECT;
use super::view::payload;

/// A method of an object that takes nothing and returns an int, an enum or a bool.
pub(crate) struct IntGetter {
    /// A reference to the object.
    object: Variant,
    method: MethodBind,
}

impl IntGetter {
    /// Finds a method of the object. `hash` is the engine's hash of its signature. Returns `None` if the object is not of the class, or
    /// the class has no such method.
    pub(crate) fn find(object: &Gd<RefCounted>, class: &str, name: &str, hash: i64) -> Option<Self> {
        let is_of_class = object.is_class(class);
        let method = is_of_class.then(|| MethodBind::find(class, name, hash)).flatten()?;
        Some(Self { object: object.to_variant(), method })
    }

    /// Calls the method. A bool is 0 if it is false.
    pub(crate) fn get(&self) -> i64 {
        let mut found = 0_i64;
        // SAFETY: the reference keeps the object, which is of the class. The payload of an object is a pointer to it. The method takes
        // nothing and returns an int, an enum, or a bool, which is the first byte.
        unsafe { self.method.call_into(*payload(&self.object, OBJECT), &mut found) };
        found
    }
}
