//! The class and script that a container of objects requires of its members.
//!
//! The engine's containers check the same, but they print two lines for every member that does not match, and they do not
//! check the values of a Dictionary that an extension fills.

use std::collections::HashMap;
use std::rc::Rc;

use godot::builtin::{GString, StringName, Variant, VariantType};
use godot::classes::{ClassDb, Script};
use godot::obj::{Gd, Singleton};
use varbytes::DecodeErrorKind;
use varbytes::variant::ContainerType;

use crate::raw::{self, ArrayFill, TypedBy};
use crate::scripts::load_script;

/// The type of the members of a container of objects.
pub(crate) struct ObjectType {
    /// Empty if any class is allowed.
    class: StringName,
    script: Option<Gd<Script>>,
    /// The script as an argument of the engine's functions; null if none is required.
    script_value: Variant,
}

impl ObjectType {
    /// The type of a container, as its methods return it.
    pub(crate) fn new(class: StringName, script: Variant) -> Self {
        Self { class, script: script.try_to().ok(), script_value: script }
    }

    /// Looks up the type of the members of a container of objects.
    pub(super) fn find(member_type: &ContainerType) -> Result<Self, DecodeErrorKind> {
        let mut found = Self { class: StringName::default(), script: None, script_value: Variant::nil() };
        match member_type {
            ContainerType::Builtin(_) | ContainerType::Unknown(_) => {}
            ContainerType::Class(class) => found.class = StringName::from(class),
            ContainerType::Script(path) => {
                found.script_value = load_script(&GString::from(path))?;
                let script: Gd<Script> = found.script_value.to();
                found.class = script.get_instance_base_type();
                found.script = Some(script);
            }
        }
        Ok(found)
    }

    /// The type as an argument of the engine's functions.
    pub(crate) fn typed_by(&self) -> TypedBy<'_> {
        TypedBy::Objects(&self.class, &self.script_value)
    }

    /// Begins an Array of this type.
    pub(crate) fn array(&self, count: usize) -> ArrayFill {
        ArrayFill::of_objects(count, &self.typed_by())
    }

    /// Returns whether a value may be a member, by the rules of the engine's `ContainerTypeValidate`.
    pub(crate) fn allows(&self, value: &Variant) -> bool {
        match value.get_type() {
            // The bindings report a null object as nil.
            VariantType::NIL => true,
            VariantType::OBJECT => self.has_class(value) && self.has_script(value),
            _ => false,
        }
    }

    fn has_class(&self, object: &Variant) -> bool {
        raw::class_of(object).is_some_and(|class| {
            self.class.is_empty() || class == self.class || ClassDb::singleton().is_parent_class(&class, &self.class)
        })
    }

    fn has_script(&self, object: &Variant) -> bool {
        self.script.as_ref().is_none_or(|wanted| {
            let script = raw::script_of(object);
            if script.object_id_unchecked() == Some(wanted.instance_id()) {
                return true;
            }
            let mut script: Option<Gd<Script>> = script.try_to().ok();
            while let Some(found) = script {
                if found == *wanted {
                    return true;
                }
                script = found.get_base_script();
            }
            false
        })
    }
}

/// The types of the containers of one packet, each looked up once.
#[derive(Default)]
pub(crate) struct ObjectTypes(HashMap<ContainerType, Rc<ObjectType>>);

impl ObjectTypes {
    /// Returns the type, or `None` if the members are not objects.
    pub(crate) fn get(
        &mut self,
        member_type: Option<&ContainerType>,
    ) -> Result<Option<Rc<ObjectType>>, DecodeErrorKind> {
        let Some(member_type) = member_type.filter(|member_type| is_of_objects(member_type)) else { return Ok(None) };
        if let Some(known) = self.0.get(member_type) {
            return Ok(Some(known.clone()));
        }
        let found = Rc::new(ObjectType::find(member_type)?);
        self.0.insert(member_type.clone(), found.clone());
        Ok(Some(found))
    }
}

/// Returns whether members of this type are objects.
pub(crate) fn is_of_objects(member_type: &ContainerType) -> bool {
    match member_type {
        ContainerType::Builtin(builtin) => *builtin == varbytes::VariantType::Object,
        ContainerType::Class(_) | ContainerType::Script(_) => true,
        ContainerType::Unknown(_) => false,
    }
}
