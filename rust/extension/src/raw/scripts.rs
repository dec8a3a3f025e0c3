//! Scripts of objects, without the locks of the bindings.

use std::sync::OnceLock;

use godot::builtin::{GString, StringName, Variant};
use godot::classes::Object;
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId};
use godot::sys;

use super::class_method::{ClassMethod, MethodBind};
use super::interface::OBJECT;
use super::objects::{SingletonMethod, live_address, live_object};
use super::view::{payload, type_of};

/// Returns the script of the object in a Variant: null if it has none, or if the object has been freed.
pub(crate) fn script_of(variant: &Variant) -> Variant {
    /// With the engine's hash of the signature: returns a Variant.
    static GET_SCRIPT: ClassMethod = ClassMethod::new("Object", "get_script", 1_214_101_251);
    let Some(method) = GET_SCRIPT.find() else {
        return live_object(variant)
            .and_then(|object| object.get_script())
            .map(|script| script.to_variant())
            .unwrap_or_default();
    };
    let mut script = Variant::nil();
    let Some(object) = variant.object_id_unchecked().and_then(live_address) else { return script };
    // SAFETY: the object lives. The method returns a Variant, in place of null.
    unsafe { method.call_into(object, &mut script) };
    script
}

/// The engine's hash of the signature of a method that takes nothing and returns a String.
const RETURNS_TEXT: i64 = 201_670_096;

/// Returns the source code of a script, or `None` if it has been freed.
pub(super) fn source_of(script: InstanceId) -> Option<GString> {
    static GET_SOURCE_CODE: ClassMethod = ClassMethod::new("Script", "get_source_code", RETURNS_TEXT);
    text(&GET_SOURCE_CODE, script)
}

/// Returns the path of a script, or `None` if it has been freed.
pub(super) fn path_of(script: InstanceId) -> Option<GString> {
    static GET_PATH: ClassMethod = ClassMethod::new("Resource", "get_path", RETURNS_TEXT);
    text(&GET_PATH, script)
}

/// Calls a method with the hash [`RETURNS_TEXT`] of the object with an id, which must be of the class. Returns `None` if it has been freed.
fn text(method: &ClassMethod, object: InstanceId) -> Option<GString> {
    let Some(found) = method.find() else {
        let object = Gd::<Object>::try_from_instance_id(object).ok();
        return object.map(|mut object| object.call(method.name(), &[]).try_to().unwrap_or_default());
    };
    let object = live_address(object)?;
    let mut text = GString::new();
    // SAFETY: the object lives and is of the class. The method returns a String, in place of an empty one.
    unsafe { found.call_into(object, &mut text) };
    Some(text)
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
            can_instantiate: MethodBind::find("Script", "can_instantiate", CAN_INSTANTIATE)?,
            script_tag: (!tag.is_null()).then_some(tag)?.expose_provenance(),
        })
    };
    let methods = METHODS.get_or_init(find).as_ref()?;
    let mut can_instantiate = 0_u8;
    // SAFETY: the first method takes a String and returns a Resource. The payload of an object is a pointer to it. The second is a method
    // of Script, and returns a bool.
    let script = unsafe {
        let cached = &methods.get_cached_ref;
        let script = cached.method.call(cached.object(), &[&path.to_variant()]);
        if type_of(&script) != OBJECT {
            return None;
        }
        let resource = *payload::<sys::GDExtensionObjectPtr>(&script, OBJECT);
        if resource.is_null() {
            return None;
        }
        let tag = std::ptr::with_exposed_provenance_mut(methods.script_tag);
        let object = sys::interface_fn!(object_cast_to)(resource, tag);
        if !object.is_null() {
            methods.can_instantiate.call_into(object, &mut can_instantiate);
        }
        script
    };
    (can_instantiate != 0).then_some(script)
}
