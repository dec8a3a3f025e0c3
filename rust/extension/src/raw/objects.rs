//! Objects and their classes, without the locks of the bindings.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use godot::classes::{ClassDb, Engine, Object};
use godot::obj::{Gd, InstanceId, Singleton};
use godot::sys;

use super::class_method::{ClassMethod, MethodBind};
use super::interface::ARRAY;
use super::view::{members, name_address, type_of};

/// Returns the object in a Variant, if it has not been freed.
pub(crate) fn live_object(variant: &Variant) -> Option<Gd<Object>> {
    Gd::try_from_instance_id(variant.object_id_unchecked()?).ok()
}

/// Returns the address of the object with an id, or `None` if it has been freed. Whoever uses it makes sure that the object lives on.
pub(super) fn live_address(id: InstanceId) -> Option<sys::GDExtensionObjectPtr> {
    // SAFETY: the engine looks up the id.
    let object = unsafe { sys::interface_fn!(object_get_instance_from_id)(id.to_i64().cast_unsigned()) };
    (!object.is_null()).then_some(object)
}

/// Returns the name of the class of the object in a Variant, as `Object.get_class` does, or `None` if it has been freed.
pub(crate) fn class_of(variant: &Variant) -> Option<StringName> {
    let object = live_address(variant.object_id_unchecked()?)?;
    let mut name = StringName::default();
    // SAFETY: the object lives. The name is empty, so it owns nothing that would have to be freed.
    unsafe {
        sys::interface_fn!(object_get_class_name)(object, sys::get_library(), name.string_sys_mut().cast());
    }
    Some(name)
}

/// Returns the address of the name of an object's class, or `None` if it does not live. A name of the engine's classes lives as long as
/// the engine.
pub(crate) fn class_address(variant: &Variant) -> Option<u64> {
    class_of(variant).map(|class| name_address(&class))
}

/// Returns whether an object has metadata, or `None` if it does not live.
pub(crate) fn has_metadata(variant: &Variant) -> Option<bool> {
    metadata_names(variant).map(|names| !members(&names).is_empty())
}

/// Returns an Array with the names of an object's metadata, or `None` if it does not live.
pub(crate) fn metadata_names(variant: &Variant) -> Option<Variant> {
    /// With the engine's hash of the signature: returns an Array.
    static GET_META_LIST: ClassMethod = ClassMethod::new("Object", "get_meta_list", 3_995_934_104);
    let object = live_address(variant.object_id_unchecked()?)?;
    // SAFETY: the object lives, and every class has the method.
    let metadata = unsafe { GET_META_LIST.find()?.call(object, &[]) };
    (type_of(&metadata) == ARRAY).then_some(metadata)
}

/// Returns the id of the object in a Variant, if it has not been freed.
pub(crate) fn live_object_id(variant: &Variant) -> Option<u64> {
    let id = variant.object_id_unchecked()?;
    live_address(id).map(|_| id.to_i64().cast_unsigned())
}

/// Returns a property as `Object.get` does: null if the object does not have it, or has been freed.
pub(crate) fn property(object: &Variant, name: &StringName) -> Variant {
    let mut value = Variant::nil();
    let mut valid = 0;
    // SAFETY: a live Variant and a live name. The engine creates a Variant at the place of null, which owns nothing.
    unsafe {
        let place = value.var_sys_mut().cast();
        sys::interface_fn!(variant_get_named)(object.var_sys(), name.string_sys(), place, &raw mut valid);
    }
    if valid == 0 { Variant::nil() } else { value }
}

/// A method of an object that the engine has once, under the name of its class.
pub(super) struct SingletonMethod {
    pub(super) method: MethodBind,
    /// The address of the object. The engine does not free it while the library is loaded.
    object: usize,
}

impl SingletonMethod {
    pub(super) fn find(class: &str, name: &str, hash: i64) -> Option<Self> {
        let singleton = StringName::from(class);
        // SAFETY: the name is live.
        let object = unsafe { sys::interface_fn!(global_get_singleton)(singleton.string_sys()) };
        MethodBind::find(class, name, hash).map(|method| Self { method, object: object.expose_provenance() })
    }

    pub(super) fn object(&self) -> sys::GDExtensionObjectPtr {
        std::ptr::with_exposed_provenance_mut(self.object)
    }
}

/// Returns the number of frames since the engine started, without the locks of the bindings.
pub(crate) fn frames() -> u64 {
    /// The engine's hash of the signature: returns an int.
    const HASH: i64 = 3_905_245_786;
    static METHOD: OnceLock<Option<SingletonMethod>> = OnceLock::new();
    let Some(found) = METHOD.get_or_init(|| SingletonMethod::find("Engine", "get_process_frames", HASH)) else {
        return Engine::singleton().get_process_frames();
    };
    let mut frames = 0_u64;
    // SAFETY: the object lives, and the method returns an int.
    unsafe { found.method.call_into(found.object(), &mut frames) };
    frames
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

/// Sets a property as `Object.set` does. Returns whether the object accepted it; otherwise nothing happens, as there.
pub(crate) fn set_property(object: &mut Variant, name: &StringName, value: &Variant) -> bool {
    let mut valid = 0;
    // SAFETY: a live Variant, a live name, and a Variant that lives for the call.
    unsafe {
        sys::interface_fn!(variant_set_named)(object.var_sys_mut(), name.string_sys(), value.var_sys(), &raw mut valid);
    }
    valid != 0
}
