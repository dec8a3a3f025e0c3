//! Objects, their classes and their scripts, without the locks of the bindings.

use std::sync::OnceLock;

use godot::builtin::{GString, StringName, Variant};
use godot::classes::{ClassDb, Object};
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId, Singleton};
use godot::sys;

use super::interface::{MethodBind, OBJECT, class_method};
use super::view::{payload, type_of};

/// Returns the object in a Variant, if it has not been freed.
pub(crate) fn live_object(variant: &Variant) -> Option<Gd<Object>> {
    let id = variant.object_id_unchecked()?;
    Gd::try_from_instance_id(InstanceId::from_i64(id.to_i64())).ok()
}

/// Returns the name of an object's class, as `Object.get_class` does.
pub(crate) fn class_name(object: &Gd<Object>) -> StringName {
    let mut name = StringName::default();
    // SAFETY: the object lives. The name is empty, so it owns nothing that would have to be freed.
    unsafe {
        let library = sys::get_library();
        sys::interface_fn!(object_get_class_name)(object.obj_sys(), library, name.string_sys_mut().cast());
    }
    name
}

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
    let Some(id) = variant.object_id_unchecked() else { return script };
    // SAFETY: the engine looks up the id. The method is one of the class and returns a Variant.
    unsafe {
        let object = sys::interface_fn!(object_get_instance_from_id)(id.to_i64().cast_unsigned());
        if !object.is_null() {
            let result = script.var_sys_mut().cast();
            sys::interface_fn!(object_method_bind_ptrcall)(method.0, object, std::ptr::null(), result);
        }
    }
    script
}

/// Returns the id of the object in a Variant, if it has not been freed.
pub(crate) fn live_object_id(variant: &Variant) -> Option<u64> {
    let id = variant.object_id_unchecked()?.to_i64().cast_unsigned();
    // SAFETY: the engine looks up the id. The object is not used.
    let object = unsafe { sys::interface_fn!(object_get_instance_from_id)(id) };
    (!object.is_null()).then_some(id)
}

/// A method of an object that the engine has once, under the name of its class.
struct SingletonMethod {
    method: MethodBind,
    /// The address of the object. The engine does not free it while the library is loaded.
    object: usize,
}

impl SingletonMethod {
    fn find(class: &str, name: &str, hash: i64) -> Option<Self> {
        let singleton = StringName::from(class);
        // SAFETY: the name is live.
        let object = unsafe { sys::interface_fn!(global_get_singleton)(singleton.string_sys()) };
        class_method(class, name, hash).map(|method| Self { method, object: object.expose_provenance() })
    }

    fn object(&self) -> sys::GDExtensionObjectPtr {
        std::ptr::with_exposed_provenance_mut(self.object)
    }
}

/// Returns a new object of a class, or null: `ClassDB.instantiate`, without the locks of the bindings.
pub(crate) fn instance_of(class: &StringName) -> Variant {
    /// The engine's hash of the signature: takes a StringName, returns a Variant.
    const HASH: i64 = 2_760_726_917;
    static METHOD: OnceLock<Option<SingletonMethod>> = OnceLock::new();
    let Some(found) = METHOD.get_or_init(|| SingletonMethod::find("ClassDB", "instantiate", HASH)) else {
        return ClassDb::singleton().instantiate(class);
    };
    let mut instance = Variant::nil();
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [class.string_sys().cast()];
    // SAFETY: the method is one of the class, takes a StringName and returns a Variant.
    unsafe {
        let result = instance.var_sys_mut().cast();
        sys::interface_fn!(object_method_bind_ptrcall)(found.method.0, found.object(), arguments.as_ptr(), result);
    }
    instance
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

/// Sets a property as `Object.set` does. As there, nothing happens if the object does not accept it.
pub(crate) fn set_property(object: &mut Variant, name: &StringName, value: &Variant) {
    let mut valid = 0;
    // SAFETY: a live Variant, a live name, and a Variant that lives for the call.
    unsafe {
        sys::interface_fn!(variant_set_named)(object.var_sys_mut(), name.string_sys(), value.var_sys(), &raw mut valid);
    }
}
