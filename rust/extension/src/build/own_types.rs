//! Containers of other types than those that a property has.
//!
//! A script can give a property another type after a save was written, such as `Array[Item]` in place of `Array`. The engine then
//! refuses the whole container, even if all its members are items.

use godot::builtin::{StringName, Variant, VariantType};
use godot::global::type_convert;
use varbytes::Profile;

use super::object_types::ObjectType;
use crate::error::signed;
use crate::raw::{self, ArrayFill, DictionaryFill, TypedBy};

/// The type of the keys or values of a container.
pub(crate) struct MemberType {
    /// `None` for any.
    variant_type: Option<VariantType>,
    objects: Option<ObjectType>,
}

impl MemberType {
    pub(crate) const ANY: Self = Self { variant_type: None, objects: None };

    /// Returns the type of the members of a container, or of its keys if `kind` is `key_`, or of its values if it is `value_`.
    pub(crate) fn of(container: &Variant, kind: &str) -> Self {
        if !raw::is_typed(container) {
            return Self::ANY;
        }
        let ask = |what: &str| container.call(format!("get_typed_{kind}{what}").as_str(), &[]);
        let number: i64 = ask("builtin").to();
        let objects = (number == signed(VariantType::OBJECT.ord))
            .then(|| ObjectType::new(ask("class_name").to::<StringName>(), ask("script")));
        let variant_type = i32::try_from(number).ok().filter(|ord| *ord != 0).map(|ord| VariantType { ord });
        Self { variant_type, objects }
    }

    pub(crate) fn accepts(&self, value: &Variant) -> bool {
        match &self.objects {
            Some(objects) => objects.allows(value),
            None => self.variant_type.is_none_or(|variant_type| variant_type == value.get_type()),
        }
    }

    /// Returns the type as an argument of the engine's functions.
    fn typed_by(&self) -> TypedBy<'_> {
        match (&self.objects, self.variant_type) {
            (Some(objects), _) => objects.typed_by(),
            (None, Some(of)) => known(of).map_or(TypedBy::Any, TypedBy::Builtin),
            (None, None) => TypedBy::Any,
        }
    }

    /// Returns whether the engine can convert a value to the type, and back to the same value.
    fn can_hold(&self, value: &Variant) -> bool {
        /// The greatest number up to which every whole number is a `float`.
        const WHOLE: u64 = 1 << f64::MANTISSA_DIGITS;
        self.accepts(value)
            || match (value.get_type(), self.variant_type) {
                (VariantType::INT, Some(VariantType::FLOAT)) => value.to::<i64>().unsigned_abs() <= WHOLE,
                (VariantType::STRING, Some(VariantType::STRING_NAME))
                | (VariantType::STRING_NAME, Some(VariantType::STRING)) => true,
                _ => false,
            }
    }
}

/// Returns the type in the format.
fn known(of: VariantType) -> Option<varbytes::VariantType> {
    Profile::NEWEST.types().get(usize::try_from(of.ord).ok()?).copied()
}

/// Returns an Array or a Dictionary with the same members and the types of another one, or `None` if there is nothing to convert or if a
/// member would be changed.
pub(super) fn with_types_of(own: &Variant, value: &Variant) -> Option<Variant> {
    /// The most entries whose keys are hashed in another way after they were converted: a packet could choose them to collide. Text that
    /// becomes a name keeps its hash, and was counted.
    const MOST: usize = 256;
    if !raw::is_typed(own) {
        return None;
    }
    let members;
    let converted = match own.get_type() {
        VariantType::ARRAY => {
            let member_type = MemberType::of(own, "");
            members = match value.get_type() {
                VariantType::ARRAY => value.clone(),
                // Others can take many times as much memory as an Array.
                VariantType::PACKED_STRING_ARRAY => type_convert(value, i64::from(VariantType::ARRAY.ord)),
                _ => return None,
            };
            if !raw::members(&members).iter().all(|member| member_type.can_hold(member)) {
                return None;
            }
            ArrayFill::of_objects(0, &member_type.typed_by()).finish()
        }
        _ if value.get_type() == VariantType::DICTIONARY => {
            let [keys, values] = ["key_", "value_"].map(|kind| MemberType::of(own, kind));
            members = value.clone();
            if keys.variant_type == Some(VariantType::FLOAT) && length(value) > MOST {
                return None;
            }
            let mut entries = raw::Entries::of(&members);
            while let Some((key, value)) = entries.next() {
                if !keys.can_hold(key) || !values.can_hold(value) {
                    return None;
                }
            }
            DictionaryFill::new(0, &keys.typed_by(), &values.typed_by()).finish()
        }
        _ => return None,
    };
    let converted = converted.into_variant();
    converted.call("assign", std::slice::from_ref(&members));
    // Two keys can be one after they were converted.
    (length(&converted) == length(&members)).then_some(converted)
}

/// Returns the number of members of an Array, or of entries of a Dictionary.
fn length(container: &Variant) -> usize {
    match container.get_type() {
        VariantType::ARRAY => raw::members(container).len(),
        _ => raw::Entries::of(container).len(),
    }
}
