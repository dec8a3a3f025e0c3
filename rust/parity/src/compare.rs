//! Compares two values bit for bit.

mod leaf;

use godot::builtin::{AnyArray, AnyDictionary, Variant, VariantType};
use godot::classes::Object;
use godot::prelude::*;
use godot::register::info::PropertyUsageFlags;
use varbytes::{Category, Decoder};

/// Compares types, order, the types of containers, and objects by class, script and stored properties. Not recursive: values
/// can be nested too deep for a thread's stack.
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

/// Returns whether containers have the same type. Asks the engine, not the bindings: those cache the class by its name, and
/// panic if a class of that name is first used later.
fn same_typed(left: &Variant, right: &Variant) -> bool {
    left.call("is_same_typed", std::slice::from_ref(right)).to()
}

/// Returns whether `value`, which was read with types enforced, agrees with what the engine reads from the packet.
///
/// The engine does not check the values of typed dictionaries. It keeps mistyped ones, and the position of a mistyped one that a
/// later entry replaces.
pub(crate) fn agrees(value: &Variant, expected: &Variant, packet: &[u8], objects: bool) -> bool {
    let drops_members = || {
        let exact = Decoder::new().objects(objects);
        let [exact, enforced] = [exact, exact.enforce_types(true)].map(|decoder| decoder.decode_prefix(packet));
        match (exact, enforced) {
            (Ok(exact), Ok(enforced)) => !exact.value.bit_eq(&enforced.value),
            // Only the engine can convert a member that is left out.
            (Err(exact), Ok(_)) => exact.category() == Category::Unsupported,
            _ => false,
        }
    };
    if well_typed(expected) { same(value, expected) || drops_members() && well_typed(value) } else { well_typed(value) }
}

/// Returns whether the values of all typed dictionaries have the declared type, class and script. Keys and members of arrays
/// always have it, in the engine too.
fn well_typed(value: &Variant) -> bool {
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
    // The content of this class is not a stored property.
    if left.is_class("EncodedObjectAsID") {
        pending.push((left.get("object_id"), right.get("object_id")));
    }
    let stored = stored(left);
    let equal = stored == self::stored(right);
    pending.extend(stored.iter().map(|name| (left.get(name), right.get(name))));
    equal
}

/// Returns whether an object has the class and the script, or ones that inherit from them. An empty class and a null script
/// stand for any.
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

/// Returns the names of stored properties without the script, which is compared separately.
fn stored(object: &Gd<Object>) -> Vec<StringName> {
    let is_stored =
        |property: &VarDictionary| property.at("usage").to::<PropertyUsageFlags>().is_set(PropertyUsageFlags::STORAGE);
    let properties = object.get_property_list();
    let names = properties.iter_shared().filter(is_stored).map(|property| property.at("name").to::<String>());
    names.filter(|name| name != "script").map(|name| StringName::from(&name)).collect()
}
