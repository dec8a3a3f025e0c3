//! Arrays, dictionaries and objects, typed and not.

use std::collections::BTreeSet;

use arbitrary::{Error, Result};
use varbytes::variant::{Array, ContainerType, Dictionary, Object, ObjectData};
use varbytes::{Variant, VariantType};

use super::{LEVELS, Values};

/// The class of an object by id.
const ENCODED_OBJECT_AS_ID: &str = "EncodedObjectAsID";

/// The property that names an object's script.
const SCRIPT: &str = "script";

impl Values<'_, '_> {
    pub(super) fn array(&mut self, level: usize) -> Result<Variant> {
        let element_type = if self.profile.types_arrays() { self.container_type()? } else { None };
        let elements = self.members(level, |values| values.member(element_type.as_ref(), level + 1))?;
        let shared = self.is_godot_2() && self.input.arbitrary()?;
        Ok(Variant::Array(Array::with_type_unchecked(element_type, elements).with_shared(shared)))
    }

    /// Returns a typed array of Pandemonium, which only holds nulls if it has no type.
    pub(super) fn typed_array(&mut self, variant_type: VariantType, level: usize) -> Result<Variant> {
        let element_type = match self.container_type()? {
            // In Pandemonium, a script is not a separate type.
            Some(ContainerType::Script(path)) => Some(ContainerType::Class(path)),
            other => other,
        };
        let elements = self.members(level, |values| match &element_type {
            None => Ok(Variant::Nil),
            typed => values.member(typed.as_ref(), level + 1),
        })?;
        let array = Array::with_type_unchecked(element_type, elements);
        let packed = variant_type == VariantType::PackedTypedArray;
        Ok(if packed { Variant::PackedTypedArray(array) } else { Variant::TypedArray(array) })
    }

    pub(super) fn dictionary(&mut self, level: usize) -> Result<Variant> {
        let typed = self.profile.types_dictionaries();
        let key_type = if typed { self.container_type()? } else { None };
        let value_type = if typed { self.container_type()? } else { None };
        let mut keys = Keys::default();
        let members = self.members(level, |values| {
            let mut key = values.member(key_type.as_ref(), level + 1)?;
            if !keys.is_new(&key) {
                if key_type.is_some() {
                    return Ok(None);
                }
                key = Variant::from(vec![keys.next_number(), key]);
            }
            Ok(Some((key, values.member(value_type.as_ref(), level + 1)?)))
        })?;
        let entries = members.into_iter().flatten().collect();
        let shared = self.is_godot_2() && self.input.arbitrary()?;
        Ok(Variant::Dictionary(Dictionary::with_types_unchecked(key_type, value_type, entries).with_shared(shared)))
    }

    pub(super) fn object(&mut self, level: usize) -> Result<Variant> {
        if self.is_godot_2() || self.has_null_objects() && self.input.ratio(1, 4)? {
            return Ok(Variant::Object(Object::Null));
        }
        if !self.objects || self.input.ratio(1, 4)? {
            // The id 0 means no object.
            return Ok(Variant::Object(Object::Id(self.input.arbitrary::<u64>()?.max(1))));
        }
        let class = self.class()?;
        let properties = self.members(level, |values| values.property(level + 1))?;
        Ok(ObjectData { class, properties }.into())
    }

    /// A value as the only member of a container.
    pub(super) fn wrapped(&mut self, value: Variant) -> Result<Variant> {
        Ok(match self.input.int_in_range(0..=3)? {
            0 => Variant::from(vec![(value, Variant::Nil)]),
            1 => Variant::from(vec![(Variant::Nil, value)]),
            2 if self.objects && !self.is_godot_2() => {
                ObjectData { class: "Node".to_owned(), properties: vec![("inner".to_owned(), value)] }.into()
            }
            _ => Variant::from(vec![value]),
        })
    }

    fn property(&mut self, level: usize) -> Result<(String, Variant)> {
        if !self.input.ratio(1, 8)? {
            let name = self.name()?;
            // The only property whose value is checked.
            return Ok((if name == SCRIPT { String::new() } else { name }, self.value(level)?));
        }
        let script = if self.input.arbitrary()? { Variant::Nil } else { Variant::from(self.script_path()?) };
        Ok((SCRIPT.to_owned(), script))
    }

    fn members<T>(&mut self, level: usize, member: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        if level < LEVELS { self.many(member) } else { Ok(Vec::new()) }
    }

    /// Returns a member type that is written unchanged: if objects are ids, there is only one object type.
    fn container_type(&mut self) -> Result<Option<ContainerType>> {
        let chosen = *self.input.choose(self.profile.types())?;
        Ok(match chosen {
            VariantType::Nil => None,
            VariantType::Object if !self.objects => Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned())),
            VariantType::Object => Some(match self.input.int_in_range(0..=3)? {
                0 => ContainerType::Builtin(VariantType::Object),
                1 => ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()),
                2 => ContainerType::Class(self.class()?),
                _ => ContainerType::Script(self.script_path()?),
            }),
            builtin => Some(ContainerType::Builtin(builtin)),
        })
    }

    /// Returns a value that fits into a container of that type.
    fn member(&mut self, container_type: Option<&ContainerType>, level: usize) -> Result<Variant> {
        match container_type {
            None => self.value(level),
            Some(ContainerType::Builtin(VariantType::Object)) => self.object_or_null(level),
            Some(ContainerType::Builtin(builtin)) => self.of_type(*builtin, level),
            Some(ContainerType::Class(class)) if class == ENCODED_OBJECT_AS_ID => self.object_or_null(level),
            Some(ContainerType::Unknown(_)) => Err(Error::IncorrectFormat),
            // An object by id has no other class.
            Some(ContainerType::Class(_) | ContainerType::Script(_)) => match self.object_or_null(level)? {
                Variant::Object(Object::Id(_)) => Ok(Variant::Nil),
                other => Ok(other),
            },
        }
    }

    fn object_or_null(&mut self, level: usize) -> Result<Variant> {
        if self.input.ratio(1, 4)? { Ok(Variant::Nil) } else { self.object(level) }
    }
}

/// The keys of a dictionary, with enough detail to exclude duplicates in every engine.
#[derive(Default)]
struct Keys {
    types: BTreeSet<VariantType>,
    ints: BTreeSet<i64>,
    texts: BTreeSet<String>,
    numbered: u32,
}

impl Keys {
    /// Returns whether a key certainly differs from all others, by type or content.
    fn is_new(&mut self, key: &Variant) -> bool {
        match key {
            Variant::Int(number) => self.ints.insert(*number),
            // With the same text, the two are duplicate keys.
            Variant::String(text) => self.texts.insert(text.as_str().to_owned()),
            Variant::StringName(name) => self.texts.insert(name.as_str().to_owned()),
            // Reserved for numbered keys.
            Variant::Array(_) => false,
            other => self.types.insert(other.variant_type()),
        }
    }

    fn next_number(&mut self) -> Variant {
        self.numbered += 1;
        Variant::from(self.numbered)
    }
}
