//! The properties of classes and scripts, from the engine's lists.

use std::collections::HashSet;

use godot::builtin::{AnyArray, Array, GString, StringName, VarDictionary, Variant, VariantType};
use godot::classes::{ClassDb, RefCounted, Script};
use godot::meta::ToGodot;
use godot::obj::{EngineBitfield, EngineEnum, Gd, Singleton};
use godot::register::info::{PropertyHint, PropertyUsageFlags};

use crate::raw::{self, Entries, View, view};
use crate::scripts::{SCRIPT, inherits};

/// Classes with the beginnings of names of properties that open a file or an address, switch a camera on, create nodes, contain code,
/// allow objects or can crash the engine, although the engine does not mark them so.
const UNSAFE: [(&str, &str); 20] = [
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
    // SVG can name images that are files, also as a glyph of a font.
    ("DPITexture", "_source"),
    ("FontFile", "data"),
    // An installed font of the system is loaded.
    ("SystemFont", "font_names"),
    ("CameraTexture", "camera_is_active"),
    // The setter of Godot 4.6.3 crashes if a member is not an object.
    ("OpenXRInteractionProfile", "bindings"),
    // What other packets may contain, for a game that uses an object from a packet.
    ("SceneMultiplayer", "allow_object_decoding"),
    ("VarBytesOptions", "allow"),
];

/// A property as the engine lists it.
#[derive(Default)]
pub(crate) struct Listed {
    pub(crate) name: String,
    variant_type: i64,
    usage: u64,
    hint: i64,
}

impl Listed {
    /// Reads the entries of a Dictionary in place: there are six for each property.
    fn of(property: &Variant) -> Self {
        let mut read = Self::default();
        let mut entries = Entries::of(property);
        while let Some((key, value)) = entries.next() {
            let View::String(key) = view(key) else { continue };
            let is = |text: &str| key.iter().copied().eq(text.chars().map(u32::from));
            match view(value) {
                View::Int(number) if is("type") => read.variant_type = number,
                View::Int(number) if is("usage") => read.usage = number.cast_unsigned(),
                View::Int(number) if is("hint") => read.hint = number,
                View::String(_) if is("name") => read.name = value.to::<GString>().to_string(),
                _ => {}
            }
        }
        read
    }

    /// Returns whether objects store it.
    pub(crate) fn is_stored(&self) -> bool {
        self.has(PropertyUsageFlags::STORAGE)
    }

    fn has(&self, flags: PropertyUsageFlags) -> bool {
        self.usage & flags.ord() != 0
    }

    /// Returns whether this is a property, and not the title of a group of properties.
    pub(crate) fn is_property(&self) -> bool {
        !self.has(PropertyUsageFlags::CATEGORY)
            && !self.has(PropertyUsageFlags::GROUP)
            && !self.has(PropertyUsageFlags::SUBGROUP)
    }

    /// Returns whether the value of this property of a class opens files, creates nodes, is code or allows objects.
    fn is_unsafe(&self, class: &str) -> bool {
        const HINTS: [PropertyHint; 5] = [
            PropertyHint::FILE,
            PropertyHint::DIR,
            PropertyHint::GLOBAL_FILE,
            PropertyHint::GLOBAL_DIR,
            PropertyHint::EXPRESSION,
        ];
        HINTS.iter().any(|hint| i64::from(hint.ord()) == self.hint)
            || UNSAFE.iter().any(|(owner, name)| self.name.starts_with(name) && inherits(class, owner))
    }
}

/// Returns the names of the properties that the engine stores of a class. Leaves out those of scripts and those whose value
/// opens files, creates nodes or is code.
pub(crate) fn stored_by_class(class: &str) -> Vec<String> {
    let stored = listed_by_class(class).into_iter().filter(Listed::is_stored);
    stored.filter(|property| !property.is_unsafe(class)).map(|property| property.name).collect()
}

/// Returns the names of the properties of a class that the engine stores and whose values can be or contain objects. Without the script.
pub(crate) fn holders_of(class: &str) -> Vec<StringName> {
    use VariantType as T;
    let can_hold = |property: &Listed| {
        let is_type = |holder: T| i64::from(holder.ord) == property.variant_type;
        property.is_stored()
            && property.name != SCRIPT
            && [T::NIL, T::OBJECT, T::DICTIONARY, T::ARRAY].into_iter().any(is_type)
    };
    let holders = listed_by_class(class).into_iter().filter(can_hold);
    holders.map(|property| StringName::from(property.name.as_str())).collect()
}

/// Returns the names of the variables that a script or its base scripts declare, and whether each is stored.
pub(crate) fn declared_by_script(script: &Gd<Script>) -> Vec<(String, bool)> {
    let of_objects = listed(&script.clone().get_script_property_list());
    let of_objects = of_objects.into_iter().filter(Listed::is_property).map(|property| {
        let is_stored = property.is_stored();
        (property.name, is_stored)
    });
    // Static variables are properties of the script itself, and can be set through its objects.
    let of_script = listed(&script.get_property_list()).into_iter();
    let of_script = of_script.filter(|property| property.has(PropertyUsageFlags::SCRIPT_VARIABLE));
    of_objects.chain(of_script.map(|property| (property.name, false))).collect()
}

/// The names of all properties of a class.
pub(crate) struct NativeProperties {
    /// In the engine's list of the class.
    pub(crate) of_class: HashSet<String>,
    /// Those of them that the engine stores, but which `"*"` does not cover.
    pub(crate) excluded: HashSet<String>,
    /// Those that a new object has besides.
    of_object: HashSet<String>,
}

impl NativeProperties {
    /// Returns those of a class. `can_create` says whether an object of it may be created.
    pub(crate) fn of(class: &str, can_create: bool) -> Self {
        let names =
            |list: Vec<Listed>| list.into_iter().filter(Listed::is_property).map(|property| property.name).collect();
        let class_db = ClassDb::singleton();
        let object = can_create.then(|| class_db.instantiate(class).try_to::<Gd<RefCounted>>().ok()).flatten();
        let of_object = object.map(|object| names(listed(&object.get_property_list()))).unwrap_or_default();
        let of_class = listed_by_class(class);
        let is_excluded = |property: &&Listed| property.is_stored() && property.is_unsafe(class);
        let excluded = of_class.iter().filter(is_excluded).map(|property| property.name.clone()).collect();
        Self { of_class: names(of_class), excluded, of_object }
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.of_class.contains(name) || self.of_object.contains(name)
    }
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

fn listed_by_class(class: &str) -> Vec<Listed> {
    let class_db = ClassDb::singleton();
    // The engine prints an error for a class that does not exist.
    let list = class_db.class_exists(class).then(|| class_db.class_get_property_list(&StringName::from(class)));
    list.map(|list| listed(&list)).unwrap_or_default()
}

/// Returns the properties in a list of the engine.
pub(crate) fn listed(list: &Array<VarDictionary>) -> Vec<Listed> {
    raw::members(&list.to_variant()).iter().map(Listed::of).collect()
}
