//! What containers of objects ask of their members: the class, and the script.
//!
//! The engine's containers ask the same, but print two lines about every member that does not fit, and take the values of
//! a Dictionary unasked where an extension fills it.

use std::collections::HashMap;
use std::rc::Rc;

use godot::builtin::{StringName, Variant, VariantType};
use godot::classes::{ClassDb, Object, Script};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use varbytes::DecodeErrorKind;
use varbytes::variant::ContainerType;

use crate::objects::load_script;
use crate::raw::{self as engine, TypedBy};

/// The type of the members of a container of objects.
pub(crate) struct ObjectType {
    /// Empty where any class will do.
    class: StringName,
    script: Option<Gd<Script>>,
    /// The script as the engine's functions take it: null for none.
    script_value: Variant,
}

impl ObjectType {
    fn find(of: &ContainerType) -> Result<Self, DecodeErrorKind> {
        let (class, script) = match of {
            ContainerType::Builtin(_) | ContainerType::Unknown(_) => (StringName::default(), None),
            ContainerType::Class(class) => (StringName::from(class), None),
            ContainerType::Script(path) => {
                let script = load_script(path)?;
                (script.get_instance_base_type(), Some(script))
            }
        };
        let script_value = script.as_ref().map(ToGodot::to_variant).unwrap_or_default();
        Ok(Self { class, script, script_value })
    }

    /// As the engine's functions take it.
    pub(crate) fn typed_by(&self) -> TypedBy<'_> {
        TypedBy::Objects(&self.class, &self.script_value)
    }

    /// An empty Array of this type.
    pub(crate) fn array(&self) -> Variant {
        engine::array_of_objects(&self.class, &self.script_value)
    }

    /// Whether a value may be a member, as `ContainerTypeValidate` decides it.
    pub(crate) fn takes(&self, value: &Variant) -> bool {
        match value.get_type() {
            // A null object is one, too.
            VariantType::NIL => true,
            VariantType::OBJECT => {
                engine::live_object(value).is_some_and(|object| self.is_class_of(&object) && self.is_script_of(&object))
            }
            _ => false,
        }
    }

    fn is_class_of(&self, object: &Gd<Object>) -> bool {
        self.class.is_empty() || {
            let class = StringName::from(&object.get_class());
            class == self.class || ClassDb::singleton().is_parent_class(&class, &self.class)
        }
    }

    fn is_script_of(&self, object: &Gd<Object>) -> bool {
        self.script.as_ref().is_none_or(|wanted| {
            let mut script = object.get_script();
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

/// The types of the containers of one packet.
#[derive(Default)]
pub(crate) struct ObjectTypes(HashMap<ContainerType, Rc<ObjectType>>);

impl ObjectTypes {
    /// The type, found out once. `None` where members are no objects.
    pub(crate) fn get(&mut self, of: Option<&ContainerType>) -> Result<Option<Rc<ObjectType>>, DecodeErrorKind> {
        let Some(of) = of.filter(|of| is_of_objects(of)) else { return Ok(None) };
        if let Some(known) = self.0.get(of) {
            return Ok(Some(known.clone()));
        }
        let found = Rc::new(ObjectType::find(of)?);
        self.0.insert(of.clone(), found.clone());
        Ok(Some(found))
    }
}

/// Whether the members of a container are objects.
pub(crate) fn is_of_objects(of: &ContainerType) -> bool {
    match of {
        ContainerType::Builtin(builtin) => *builtin == varbytes::VariantType::Object,
        ContainerType::Class(_) | ContainerType::Script(_) => true,
        ContainerType::Unknown(_) => false,
    }
}
