//! Checks that every member of a typed container has the declared type, independent of the codec.

use varbytes::variant::{Array, ContainerType, Dictionary, Object, Visit, Walk};
use varbytes::{Variant, VariantType};

/// Returns whether all members, keys and values of all typed containers in `value` have their declared types. An object
/// of any class fits every class; an object by id only fits the base classes of `EncodedObjectAsID`.
#[must_use]
pub(crate) fn is_well_typed(value: &Variant) -> bool {
    Walk::new(value).all(|visit| match visit {
        Visit::Enter(Variant::Array(array)) => members_fit(array),
        Visit::Enter(Variant::Dictionary(dictionary)) => entries_fit(dictionary),
        Visit::Enter(Variant::TypedArray(array) | Variant::PackedTypedArray(array)) => pandemonium_members_fit(array),
        _ => true,
    })
}

fn members_fit(array: &Array) -> bool {
    array.elements().iter().all(|member| fits(member, array.element_type()))
}

fn entries_fit(dictionary: &Dictionary) -> bool {
    let entries = dictionary.entries().iter();
    entries.clone().all(|(key, _)| fits(key, dictionary.key_type()))
        && entries.clone().all(|(_, value)| fits(value, dictionary.value_type()))
}

fn fits(member: &Variant, declared: Option<&ContainerType>) -> bool {
    match (declared, member) {
        (None, _) => true,
        (Some(ContainerType::Builtin(VariantType::Object)), Variant::Nil | Variant::Object(_)) => true,
        (Some(ContainerType::Builtin(declared)), member) => *declared == member.variant_type(),
        (Some(ContainerType::Class(class)), Variant::Object(Object::Id(_))) => {
            ["EncodedObjectAsID", "RefCounted", "Object"].contains(&class.as_str())
        }
        (Some(ContainerType::Unknown(_)), _) => false,
        (Some(ContainerType::Script(_)), Variant::Object(Object::Id(_))) => false,
        (Some(_), member) => matches!(member, Variant::Nil | Variant::Object(_)),
    }
}

/// A typed array without a type only holds null.
fn pandemonium_members_fit(array: &Array) -> bool {
    array.elements().iter().all(|member| match (array.element_type(), member) {
        (None, member) => *member == Variant::Nil,
        (Some(ContainerType::Class(_)), Variant::Object(Object::Id(_))) => true,
        (declared, member) => fits(member, declared),
    })
}
