//! What decides which properties an object has.

use godot::builtin::Variant;

use super::class_method::ClassMethod;
use super::interface::ARRAY;
use super::objects::{class_of, live_address};
use super::view::{members, name_address, type_of};

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
