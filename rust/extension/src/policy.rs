//! Which objects may be built, and which of their properties set.

use std::collections::{HashMap, HashSet};

use godot::builtin::StringName;
use godot::classes::{ClassDb, Engine};
use godot::obj::Singleton;
use varbytes::DecodeErrorKind;
use varbytes::codec::ObjectPolicy;
use varbytes::variant::ContainerType;

use crate::objects::SCRIPT;

/// Stands in a list of properties for all that the engine's own class stores.
const ALL: &str = "*";

/// What may be built.
#[derive(Default)]
pub(crate) struct Policy {
    classes: HashMap<String, HashSet<String>>,
    scripts: HashMap<String, HashSet<String>>,
}

/// What may be set on one object.
pub(crate) struct AllowedObject<'p> {
    of_class: &'p HashSet<String>,
    of_script: Option<&'p HashSet<String>>,
}

impl Policy {
    /// From pairs of a class name and its properties, and of a script's path and its properties.
    pub(crate) fn new(
        classes: impl Iterator<Item = (String, Vec<String>)>,
        scripts: impl Iterator<Item = (String, Vec<String>)>,
    ) -> Self {
        let with_all = |(class, mut properties): (String, Vec<String>)| {
            if properties.iter().any(|property| property == ALL) {
                properties.extend(stored_properties(&class));
            }
            (class, properties.into_iter().collect())
        };
        let as_set = |(path, properties): (String, Vec<String>)| (path, properties.into_iter().collect());
        Self { classes: classes.map(with_all).collect(), scripts: scripts.map(as_set).collect() }
    }

    /// What may be set on an object of that class and script, or why it may not be built.
    pub(crate) fn object(&self, class: &str, script: Option<&str>) -> Result<AllowedObject<'_>, String> {
        let allowed = self.listed(class, script)?;
        refuse_dangerous(class)?;
        Ok(allowed)
    }

    fn listed(&self, class: &str, script: Option<&str>) -> Result<AllowedObject<'_>, String> {
        let of_class = self.classes.get(class).ok_or_else(|| format!("class {class} is not allowed"))?;
        let of_script = script.map(|path| self.listed_script(path)).transpose()?;
        Ok(AllowedObject { of_class, of_script })
    }

    fn listed_script(&self, path: &str) -> Result<&HashSet<String>, String> {
        self.scripts.get(path).ok_or_else(|| format!("script {path:?} is not allowed"))
    }
}

/// Asked while a packet is checked, before anything of it is built.
impl ObjectPolicy for &Policy {
    fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
        self.object(class, None).map(drop).map_err(refused)
    }

    fn property(&mut self, class: &str, script: Option<&str>, property: &str) -> Result<(), DecodeErrorKind> {
        if self.listed(class, script).map_err(refused)?.property(property) {
            return Ok(());
        }
        Err(refused(format!("property {property} is not allowed")))
    }

    fn script(&mut self, _: &str, path: &str) -> Result<(), DecodeErrorKind> {
        self.listed_script(path).map(drop).map_err(refused)
    }

    fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
        match container_type {
            // The engine would load it.
            ContainerType::Script(path) => self.listed_script(path).map(drop).map_err(refused),
            // The name of a class makes nothing.
            _ => Ok(()),
        }
    }
}

fn refused(reason: String) -> DecodeErrorKind {
    DecodeErrorKind::Refused { reason: reason.into() }
}

impl AllowedObject<'_> {
    /// Whether this property may be set.
    pub(crate) fn property(&self, name: &str) -> bool {
        name == SCRIPT
            || self.of_class.contains(name)
            || self.of_script.is_some_and(|properties| properties.contains(name))
    }
}

/// Refuses what is never built under a policy, even where a list names it.
fn refuse_dangerous(class: &str) -> Result<(), String> {
    let class_db = ClassDb::singleton();
    let name = StringName::from(class);
    // Asked first: the engine loads a script when it is asked whether a script's class can be instantiated.
    if !class_db.class_exists(&name) {
        return Err(format!("class {class} does not exist in this engine"));
    }
    if class == "Script" || class_db.is_parent_class(&name, "Script") {
        return Err(format!("class {class} holds code, and is refused whatever is allowed"));
    }
    if Engine::singleton().has_singleton(&name) {
        return Err(format!("class {class} is a singleton of the engine, and is refused whatever is allowed"));
    }
    if !class_db.is_parent_class(&name, "RefCounted") {
        return Err(format!(
            "class {class} is not RefCounted: nothing would free the object, so it is refused whatever is allowed"
        ));
    }
    if !class_db.can_instantiate(&name) {
        return Err(format!("class {class} cannot be instantiated"));
    }
    Ok(())
}

/// The names of the properties that the engine stores of a class, without those of scripts.
fn stored_properties(class: &str) -> Vec<String> {
    use godot::builtin::{GString, VarDictionary};
    use godot::obj::EngineBitfield;
    use godot::register::info::PropertyUsageFlags;
    let stored = PropertyUsageFlags::STORAGE.ord();
    let list = ClassDb::singleton().class_get_property_list(&StringName::from(class));
    let name_of = |property: VarDictionary| {
        let usage = property.get("usage")?.try_to::<i64>().ok()?.cast_unsigned();
        let name = property.get("name")?.try_to::<GString>().ok()?;
        (usage & stored != 0).then(|| name.to_string())
    };
    list.iter_shared().filter_map(name_of).collect()
}
