//! Which properties classes and scripts have, as the engine lists them.

use std::collections::HashSet;

use godot::builtin::{GString, StringName, VarDictionary};
use godot::classes::{ClassDb, Script};
use godot::obj::{EngineBitfield, EngineEnum, Gd, Singleton};
use godot::register::info::{PropertyHint, PropertyUsageFlags};

/// Properties that name no file to the editor, but have the engine open one, make nodes or run a shader.
const OPENING: [(&str, &str); 4] =
    [("PackedScene", "_bundled"), ("VideoStream", "file"), ("Shader", "code"), ("ShaderInclude", "code")];

/// A property as the engine lists it.
struct Listed {
    name: String,
    usage: u64,
    hint: i32,
}

impl Listed {
    fn from_dictionary(property: &VarDictionary) -> Option<Self> {
        Some(Self {
            name: property.get("name")?.try_to::<GString>().ok()?.to_string(),
            usage: property.get("usage")?.try_to::<i64>().ok()?.cast_unsigned(),
            hint: property.get("hint")?.try_to().ok()?,
        })
    }

    fn has(&self, flags: PropertyUsageFlags) -> bool {
        self.usage & flags.ord() != 0
    }

    /// Whether it is a property, and not the title of a group of them.
    fn is_property(&self) -> bool {
        !self.has(PropertyUsageFlags::CATEGORY)
            && !self.has(PropertyUsageFlags::GROUP)
            && !self.has(PropertyUsageFlags::SUBGROUP)
    }

    fn names_file(&self) -> bool {
        [PropertyHint::FILE, PropertyHint::DIR, PropertyHint::GLOBAL_FILE, PropertyHint::GLOBAL_DIR]
            .iter()
            .any(|hint| hint.ord() == self.hint)
    }
}

/// The names of the properties that the engine stores of a class, without those of scripts, and without those through
/// which a value opens files, makes nodes or runs shaders.
pub(crate) fn stored_by_class(class: &str) -> Vec<String> {
    let class_db = ClassDb::singleton();
    let is = |wanted: &str| class == wanted || class_db.is_parent_class(class, wanted);
    let opens = |property: &Listed| {
        property.names_file() || OPENING.iter().any(|(class, name)| *name == property.name && is(class))
    };
    listed_by_class(class)
        .filter(|property| property.has(PropertyUsageFlags::STORAGE) && !opens(property))
        .map(|property| property.name)
        .collect()
}

/// The names of the properties that a script or one of its base scripts declares, and whether each is stored. What its
/// class `base` has is none of them.
pub(crate) fn declared_by_script(script: &Gd<Script>, base: &str) -> Vec<(String, bool)> {
    let native: HashSet<String> = listed_by_class(base).map(|property| property.name).collect();
    let list = script.clone().get_script_property_list();
    list.iter_shared()
        .filter_map(|property| Listed::from_dictionary(&property))
        .filter(|property| property.is_property() && !native.contains(&property.name))
        .map(|property| (property.has(PropertyUsageFlags::STORAGE), property.name))
        .map(|(is_stored, name)| (name, is_stored))
        .collect()
}

fn listed_by_class(class: &str) -> impl Iterator<Item = Listed> {
    let class_db = ClassDb::singleton();
    // The engine prints an error about a class that it does not have.
    let listed = class_db.class_exists(class).then(|| class_db.class_get_property_list(&StringName::from(class)));
    let properties = listed.map(|list| list.iter_shared().collect::<Vec<_>>()).unwrap_or_default();
    properties.into_iter().filter_map(|property| Listed::from_dictionary(&property))
}
