//! The properties of classes and scripts, from the engine's lists.

use std::collections::HashSet;

use godot::builtin::{AnyArray, GString, StringName, VarDictionary};
use godot::classes::{ClassDb, Script};
use godot::obj::{EngineBitfield, EngineEnum, Gd, Singleton};
use godot::register::info::{PropertyHint, PropertyUsageFlags};

use crate::scripts::inherits;

/// Classes with the beginnings of names of properties that open a file or an address, create nodes, contain code or allow objects,
/// although the engine does not mark them so.
const UNSAFE: [(&str, &str); 15] = [
    ("PackedScene", "_bundled"),
    ("VideoStream", "file"),
    ("Shader", "code"),
    ("ShaderInclude", "code"),
    ("VisualShaderNodeExpression", "expression"),
    ("RDShaderSource", "source_"),
    ("RDShaderSPIRV", "bytecode_"),
    ("RDShaderFile", "_versions"),
    ("GLTFState", "base_path"),
    ("GLTFState", "filename"),
    ("Translation", "plural_rules_override"),
    ("UPNPDevice", "description_url"),
    ("UPNPDevice", "igd_control_url"),
    // What other packets may contain, for a game that uses an object from a packet.
    ("SceneMultiplayer", "allow_object_decoding"),
    ("VarBytesOptions", "allow"),
];

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

    /// Returns whether this is a property, and not the title of a group of properties.
    fn is_property(&self) -> bool {
        !self.has(PropertyUsageFlags::CATEGORY)
            && !self.has(PropertyUsageFlags::GROUP)
            && !self.has(PropertyUsageFlags::SUBGROUP)
    }

    fn names_file_or_is_code(&self) -> bool {
        [
            PropertyHint::FILE,
            PropertyHint::DIR,
            PropertyHint::GLOBAL_FILE,
            PropertyHint::GLOBAL_DIR,
            PropertyHint::EXPRESSION,
        ]
        .iter()
        .any(|hint| hint.ord() == self.hint)
    }
}

/// Returns the names of the properties that the engine stores of a class. Leaves out those of scripts and those whose value
/// opens files, creates nodes or is code.
pub(crate) fn stored_by_class(class: &str) -> Vec<String> {
    let is_unsafe = |property: &Listed| {
        property.names_file_or_is_code()
            || UNSAFE.iter().any(|(owner, name)| property.name.starts_with(name) && inherits(class, owner))
    };
    listed_by_class(class)
        .filter(|property| property.has(PropertyUsageFlags::STORAGE) && !is_unsafe(property))
        .map(|property| property.name)
        .collect()
}

/// Returns the names of the properties that a script or its base scripts declare, and whether each is stored. Leaves out the
/// properties of the class that it extends.
pub(crate) fn declared_by_script(script: &Gd<Script>, native: &HashSet<String>) -> Vec<(String, bool)> {
    let list = script.clone().get_script_property_list();
    list.iter_shared()
        .filter_map(|property| Listed::from_dictionary(&property))
        .filter(|property| property.is_property() && !native.contains(&property.name))
        .map(|property| (property.name.clone(), property.has(PropertyUsageFlags::STORAGE)))
        .collect()
}

/// Returns the names of all properties of a class.
pub(crate) fn native_properties(class: &str) -> HashSet<String> {
    listed_by_class(class).map(|property| property.name).collect()
}

/// Returns how many arguments the constructor of a script requires.
pub(crate) fn required_arguments(script: &Gd<Script>) -> usize {
    let count = |method: &VarDictionary, list: &str| {
        method.get(list).and_then(|list| list.try_to::<AnyArray>().ok()).map_or(0, |list| list.len())
    };
    let methods = script.clone().get_script_method_list();
    let is_constructor = |method: &VarDictionary| method.get("name").is_some_and(|name| name.stringify() == "_init");
    // That of a script comes before that of its base script.
    let constructor = methods.iter_shared().find(is_constructor);
    constructor.map_or(0, |method| count(&method, "args").saturating_sub(count(&method, "default_args")))
}

fn listed_by_class(class: &str) -> impl Iterator<Item = Listed> {
    let class_db = ClassDb::singleton();
    // The engine prints an error for a class that does not exist.
    let listed = class_db.class_exists(class).then(|| class_db.class_get_property_list(&StringName::from(class)));
    let properties = listed.map(|list| list.iter_shared().collect::<Vec<_>>()).unwrap_or_default();
    properties.into_iter().filter_map(|property| Listed::from_dictionary(&property))
}
