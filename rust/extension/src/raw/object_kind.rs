//! What decides which properties an object has, for classes whose objects all list the same ones.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use godot::obj::InstanceId;
use godot::sys;

use super::interface::{ARRAY, MethodBind, class_method};
use super::objects::{class_of, live_address};
use super::scripts::script_of;
use super::view::{members, name_address, type_of};

/// What kind of object it is, if all objects of its class list the same properties.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ObjectKind {
    is_resource: bool,
    /// The id of the script, or 0.
    script: i64,
}

/// Returns the kind of a live object of class `Resource` or `RefCounted` that has no metadata. The classes that extend them can list
/// other properties for each object.
pub(crate) fn object_kind(variant: &Variant) -> Option<ObjectKind> {
    /// The engine's hash of the signature: returns an Array.
    const HASH: i64 = 3_995_934_104;
    /// The addresses of the names, which live as long as the engine, and a method.
    struct Found {
        resource: u64,
        ref_counted: u64,
        get_meta_list: MethodBind,
    }
    static FOUND: OnceLock<Option<Found>> = OnceLock::new();
    let find = || {
        let get_meta_list = class_method("Object", "get_meta_list", HASH)?;
        let [resource, ref_counted] = ["Resource", "RefCounted"].map(|name| name_address(&StringName::from(name)));
        Some(Found { resource, ref_counted, get_meta_list })
    };
    let found = FOUND.get_or_init(find).as_ref()?;
    let class = name_address(&class_of(variant)?);
    if class != found.resource && class != found.ref_counted {
        return None;
    }
    let object = live_address(variant.object_id_unchecked()?)?;
    let mut metadata = Variant::nil();
    // SAFETY: the object lives. The method is one of the class, takes nothing and returns an Array, which the Variant then owns.
    unsafe {
        let mut error = sys::default_call_error();
        let result = metadata.var_sys_mut().cast();
        let call = sys::interface_fn!(object_method_bind_call);
        call(found.get_meta_list.0, object, std::ptr::null(), 0, result, &raw mut error);
    }
    if type_of(&metadata) != ARRAY || !members(&metadata).is_empty() {
        return None;
    }
    let script = script_of(variant).object_id_unchecked().map_or(0, InstanceId::to_i64);
    Some(ObjectKind { is_resource: class == found.resource, script })
}
