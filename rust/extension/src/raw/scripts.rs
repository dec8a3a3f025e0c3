//! Scripts of objects, without the locks of the bindings.

use std::sync::OnceLock;

use godot::builtin::{GString, StringName, Variant};
use godot::classes::Object;
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId};
use godot::sys;

use super::interface::{MethodBind, OBJECT, class_method};
use super::objects::{SingletonMethod, live_address, live_object};
use super::view::{payload, type_of};

/// Returns the script of the object in a Variant: null if it has none, or if the object has been freed.
pub(crate) fn script_of(variant: &Variant) -> Variant {
    /// The engine's hash of the signature: returns a Variant.
    const HASH: i64 = 1_214_101_251;
    static METHOD: OnceLock<Option<MethodBind>> = OnceLock::new();
    let Some(method) = *METHOD.get_or_init(|| class_method("Object", "get_script", HASH)) else {
        return live_object(variant)
            .and_then(|object| object.get_script())
            .map(|script| script.to_variant())
            .unwrap_or_default();
    };
    let mut script = Variant::nil();
    let Some(object) = variant.object_id_unchecked().and_then(live_address) else { return script };
    // SAFETY: the object lives. The method is one of the class and returns a Variant.
    unsafe {
        let result = script.var_sys_mut().cast();
        sys::interface_fn!(object_method_bind_ptrcall)(method.0, object, std::ptr::null(), result);
    }
    script
}

/// A method that takes nothing and returns a String.
struct TextMethod {
    class: &'static str,
    name: &'static str,
    found: OnceLock<Option<MethodBind>>,
}

impl TextMethod {
    const fn new(class: &'static str, name: &'static str) -> Self {
        Self { class, name, found: OnceLock::new() }
    }

    /// Calls the method of the object with an id, which must be of the class. Returns `None` if it has been freed.
    fn of(&self, object: InstanceId) -> Option<GString> {
        /// The engine's hash of the signature.
        const HASH: i64 = 201_670_096;
        let Some(method) = *self.found.get_or_init(|| class_method(self.class, self.name, HASH)) else {
            let object = Gd::<Object>::try_from_instance_id(object).ok();
            return object.map(|mut object| object.call(self.name, &[]).try_to().unwrap_or_default());
        };
        let object = live_address(object)?;
        let mut text = GString::new();
        // SAFETY: the object lives and is of the class. The method returns a String.
        unsafe {
            let result = (&raw mut text).cast();
            sys::interface_fn!(object_method_bind_ptrcall)(method.0, object, std::ptr::null(), result);
        }
        Some(text)
    }
}

/// Returns the source code of a script, or `None` if it has been freed.
pub(super) fn source_of(script: InstanceId) -> Option<GString> {
    static SOURCE: TextMethod = TextMethod::new("Script", "get_source_code");
    SOURCE.of(script)
}

/// Returns the path of a script, or `None` if it has been freed.
pub(super) fn path_of(script: InstanceId) -> Option<GString> {
    static PATH: TextMethod = TextMethod::new("Resource", "get_path");
    PATH.of(script)
}

/// Returns the path of the script of an object, or `None` if it has none or has been freed.
pub(crate) fn path_of_script(object: &Variant) -> Option<GString> {
    path_of(script_of(object).object_id_unchecked()?)
}

/// Returns the script that was loaded from a path, if it still is and can be instantiated, without the locks of the bindings.
/// While another thread loads a script, it cannot be instantiated.
pub(crate) fn loaded_script(path: &GString) -> Option<Variant> {
    /// The engine's hash of the signature: takes a String, returns a Resource.
    const GET_CACHED_REF: i64 = 1_748_875_256;
    /// Returns a bool.
    const CAN_INSTANTIATE: i64 = 36_873_697;
    struct Methods {
        get_cached_ref: SingletonMethod,
        can_instantiate: MethodBind,
        /// The address of what identifies the class Script.
        script_tag: usize,
    }
    static METHODS: OnceLock<Option<Methods>> = OnceLock::new();
    let find = || {
        let script = StringName::from("Script");
        // SAFETY: the name is live.
        let tag = unsafe { sys::interface_fn!(classdb_get_class_tag)(script.string_sys()) };
        Some(Methods {
            get_cached_ref: SingletonMethod::find("ResourceLoader", "get_cached_ref", GET_CACHED_REF)?,
            can_instantiate: class_method("Script", "can_instantiate", CAN_INSTANTIATE)?,
            script_tag: (!tag.is_null()).then_some(tag)?.expose_provenance(),
        })
    };
    let methods = METHODS.get_or_init(find).as_ref()?;
    let path = path.to_variant();
    let mut script = Variant::nil();
    let mut can_instantiate = 0_u8;
    // SAFETY: the first method takes a String and returns a Resource, which the Variant then owns. The payload of an object is a
    // pointer to it. The second is a method of Script, takes nothing and returns a bool.
    unsafe {
        let cached = &methods.get_cached_ref;
        let mut error = sys::default_call_error();
        let (arguments, result) = ([path.var_sys()], script.var_sys_mut().cast());
        let call = sys::interface_fn!(object_method_bind_call);
        call(cached.method.0, cached.object(), arguments.as_ptr(), 1, result, &raw mut error);
        if error.error != sys::GDEXTENSION_CALL_OK || type_of(&script) != OBJECT {
            return None;
        }
        let resource = *payload::<sys::GDExtensionObjectPtr>(&script, OBJECT);
        if resource.is_null() {
            return None;
        }
        let tag = std::ptr::with_exposed_provenance_mut(methods.script_tag);
        let object = sys::interface_fn!(object_cast_to)(resource, tag);
        if !object.is_null() {
            let result = (&raw mut can_instantiate).cast();
            let call = sys::interface_fn!(object_method_bind_ptrcall);
            call(methods.can_instantiate.0, object, std::ptr::null(), result);
        }
    }
    (can_instantiate != 0).then_some(script)
}
