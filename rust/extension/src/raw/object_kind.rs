//! What decides which properties an object has, for classes whose objects all list the same ones.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use godot::obj::InstanceId;

use super::class_method::ClassMethod;
use super::interface::ARRAY;
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

/// Returns the kind of a live object of class `Resource` or `RefCounted`, and an Array with the names of its metadata, which the engine
/// lists last. The classes that extend them can list other properties for each object.
pub(crate) fn object_kind(variant: &Variant) -> Option<(ObjectKind, Variant)> {
    /// The addresses of the names, which live as long as the engine.
    static CLASSES: OnceLock<[u64; 2]> = OnceLock::new();
    let address = |name| name_address(&StringName::from(name));
    let [resource, ref_counted] = *CLASSES.get_or_init(|| ["Resource", "RefCounted"].map(address));
    let class = name_address(&class_of(variant)?);
    if class != resource && class != ref_counted {
        return None;
    }
    let metadata = metadata_of(variant)?;
    let script = script_of(variant).object_id_unchecked().map_or(0, InstanceId::to_i64);
    Some((ObjectKind { is_resource: class == resource, script }, metadata))
}

/// Returns whether an object has metadata, or `None` if it does not live.
pub(crate) fn has_metadata(variant: &Variant) -> Option<bool> {
    metadata_of(variant).map(|names| !members(&names).is_empty())
}

/// Returns an Array with the names of an object's metadata, or `None` if it does not live.
fn metadata_of(variant: &Variant) -> Option<Variant> {
    /// With the engine's hash of the signature: returns an Array.
    static GET_META_LIST: ClassMethod = ClassMethod::new("Object", "get_meta_list", 3_995_934_104);
    let object = live_address(variant.object_id_unchecked()?)?;
    // SAFETY: the object lives, and every class has the method.
    let metadata = unsafe { GET_META_LIST.find()?.call(object, &[]) };
    (type_of(&metadata) == ARRAY).then_some(metadata)
}
