//! Whether two values are the same to the last bit.

mod leaf;

use godot::builtin::{AnyArray, AnyDictionary, Variant, VariantType};
use godot::classes::Object;
use godot::prelude::*;
use godot::register::info::PropertyUsageFlags;

/// Types, order, types of containers, and objects by class, script and stored properties. Without recursion, since
/// values may be nested deeper than a thread's stack.
pub(crate) fn same(left: &Variant, right: &Variant) -> bool {
    let mut pending = vec![(left.clone(), right.clone())];
    while let Some((left, right)) = pending.pop() {
        let variant_type = left.get_type();
        let equal = variant_type == right.get_type()
            && match variant_type {
                VariantType::ARRAY => same_arrays(&left.to(), &right.to(), &mut pending),
                VariantType::DICTIONARY => same_dictionaries(&left.to(), &right.to(), &mut pending),
                VariantType::OBJECT => same_objects(&left.to(), &right.to(), &mut pending),
                _ => leaf::same(variant_type, &left, &right),
            };
        if !equal {
            return false;
        }
    }
    true
}

type Pending = Vec<(Variant, Variant)>;

fn same_arrays(left: &AnyArray, right: &AnyArray, pending: &mut Pending) -> bool {
    pending.extend(left.iter_shared().zip(right.iter_shared()));
    left.len() == right.len() && same_typed(&left.to_variant(), &right.to_variant())
}

fn same_dictionaries(left: &AnyDictionary, right: &AnyDictionary, pending: &mut Pending) -> bool {
    for ((left_key, left_value), (right_key, right_value)) in left.iter_shared().zip(right.iter_shared()) {
        pending.push((left_key, right_key));
        pending.push((left_value, right_value));
    }
    left.len() == right.len() && same_typed(&left.to_variant(), &right.to_variant())
}

/// Whether containers take the same types of members, as the engine says: the bindings remember the class of members
/// under its name, and panic when a class of that name is used for the first time after that.
fn same_typed(left: &Variant, right: &Variant) -> bool {
    left.call("is_same_typed", std::slice::from_ref(right)).to()
}

/// Whether the values of all typed dictionaries are of the declared type, class and script; keys and members of arrays
/// always are, in the engine, too.
pub(crate) fn well_typed(value: &Variant) -> bool {
    let mut pending = vec![value.clone()];
    while let Some(value) = pending.pop() {
        match value.get_type() {
            VariantType::ARRAY => pending.extend(value.to::<AnyArray>().iter_shared()),
            VariantType::DICTIONARY => {
                let declared = value.call("get_typed_value_builtin", &[]).to::<i32>();
                let class = value.call("get_typed_value_class_name", &[]).to::<StringName>().to_string();
                let script = value.call("get_typed_value_script", &[]);
                let is_declared = |member: &Variant| match (declared, member.get_type()) {
                    (0, _) => true,
                    (24, VariantType::OBJECT) => {
                        member.to::<Option<Gd<Object>>>().is_none_or(|object| is_of(&object, &class, &script))
                    }
                    (24, found) => found == VariantType::NIL,
                    (declared, found) => found.ord == declared,
                };
                for (key, member) in value.to::<AnyDictionary>().iter_shared() {
                    if !is_declared(&member) {
                        return false;
                    }
                    pending.extend([key, member]);
                }
            }
            VariantType::OBJECT => {
                if let Some(object) = value.to::<Option<Gd<Object>>>() {
                    pending.extend(stored(&object).iter().map(|name| object.get(name)));
                }
            }
            _ => {}
        }
    }
    true
}

fn same_objects(left: &Option<Gd<Object>>, right: &Option<Gd<Object>>, pending: &mut Pending) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return left.is_none() && right.is_none() };
    if left.get_class() != right.get_class() || left.get_script() != right.get_script() {
        return false;
    }
    // The one class whose whole content is no stored property.
    if left.is_class("EncodedObjectAsID") {
        pending.push((left.get("object_id"), right.get("object_id")));
    }
    let stored = stored(left);
    let equal = stored == self::stored(right);
    pending.extend(stored.iter().map(|name| (left.get(name), right.get(name))));
    equal
}

/// Whether an object is of a class and, where there is one, of a script or of one that extends it. An empty class is any.
fn is_of(object: &Gd<Object>, class: &str, script: &Variant) -> bool {
    let mut own = object.get_script().to_variant();
    while !script.is_nil() && own != *script {
        if own.is_nil() {
            return false;
        }
        own = own.call("get_base_script", &[]);
    }
    class.is_empty() || object.is_class(class)
}

/// The names of stored properties; the script is compared by itself.
fn stored(object: &Gd<Object>) -> Vec<StringName> {
    let is_stored =
        |property: &VarDictionary| property.at("usage").to::<PropertyUsageFlags>().is_set(PropertyUsageFlags::STORAGE);
    let properties = object.get_property_list();
    let names = properties.iter_shared().filter(is_stored).map(|property| property.at("name").to::<String>());
    names.filter(|name| name != "script").map(|name| StringName::from(&name)).collect()
}
