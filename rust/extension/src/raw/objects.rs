//! Objects, their classes and their scripts, without the locks of the bindings.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use godot::classes::{ClassDb, Object};
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId, Singleton};
use godot::sys;

use super::interface::{MethodBind, class_method};

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

/// Returns a new object of a class, or null: `ClassDB.instantiate`, without the locks of the bindings.
pub(crate) fn instance_of(class: &StringName) -> Variant {
    /// The engine's hash of the signature: takes a StringName, returns a Variant.
    const HASH: i64 = 2_760_726_917;
    /// The method, and the engine's object that has it.
    static METHOD: OnceLock<Option<(MethodBind, usize)>> = OnceLock::new();
    let found = METHOD.get_or_init(|| {
        let name = StringName::from("ClassDB");
        // SAFETY: the name is live.
        let object = unsafe { sys::interface_fn!(global_get_singleton)(name.string_sys()) };
        class_method("ClassDB", "instantiate", HASH).map(|method| (method, object.expose_provenance()))
    });
    let Some((method, object)) = *found else { return ClassDb::singleton().instantiate(class) };
    let mut instance = Variant::nil();
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [class.string_sys().cast()];
    // SAFETY: the method is one of the class, takes a StringName and returns a Variant. The engine never frees its methods, nor this
    // object while the library is loaded.
    unsafe {
        let result = instance.var_sys_mut().cast();
        let object = std::ptr::with_exposed_provenance_mut(object);
        sys::interface_fn!(object_method_bind_ptrcall)(method.0, object, arguments.as_ptr(), result);
    }
    instance
}

/// Sets a property as `Object.set` does. As there, nothing happens if the object does not accept it.
pub(crate) fn set_property(object: &mut Variant, name: &StringName, value: &Variant) {
    let mut valid = 0;
    // SAFETY: a live Variant, a live name, and a Variant that lives for the call.
    unsafe {
        sys::interface_fn!(variant_set_named)(object.var_sys_mut(), name.string_sys(), value.var_sys(), &raw mut valid);
    }
}
