//! Full objects, as the engine's own decoder makes them.

use godot::builtin::{GString, StringName, Variant};
use godot::classes::{ClassDb, ResourceLoader, Script};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use varbytes::DecodeErrorKind;

use crate::raw as engine;
use crate::repeated::Repeated;

/// The property that holds an object's script, as its path.
pub(crate) const SCRIPT: &str = "script";

/// The objects of one packet.
#[derive(Default)]
pub(crate) struct Objects {
    classes: Repeated<Class>,
    names: Repeated<StringName>,
    /// Objects that nothing frees by itself, in case the packet fails after they were made.
    unowned: Vec<Variant>,
}

/// What was found out about a class.
struct Class {
    name: StringName,
    is_counted: bool,
}

/// An object being filled.
pub(crate) struct ObjectFill {
    object: Variant,
}

impl ObjectFill {
    pub(crate) fn finish(self) -> Variant {
        self.object
    }
}

impl Objects {
    /// Makes an object, under the conditions under which the engine does.
    pub(crate) fn begin(&mut self, class: &str) -> Result<ObjectFill, DecodeErrorKind> {
        let known = self.classes.get(class, Class::find)?;
        let object = ClassDb::singleton().instantiate(&known.name);
        if object.is_nil() {
            return Err(refused(format!("class {class} could not be instantiated")));
        }
        if !known.is_counted {
            self.unowned.push(object.clone());
        }
        Ok(ObjectFill { object })
    }

    /// Sets a property, or the script by its path.
    pub(crate) fn set(&mut self, fill: &mut ObjectFill, name: &str, value: Variant) -> Result<(), DecodeErrorKind> {
        let value = if name == SCRIPT && !value.is_nil() {
            let path: GString = value.try_to().unwrap_or_default();
            load_script(&path.to_string())?.to_variant()
        } else {
            value
        };
        let name = self.names.get(name, |name| Ok(StringName::from(name)))?;
        engine::set_property(&mut fill.object, name, &value);
        Ok(())
    }

    /// Frees what nothing else would, after the packet failed.
    pub(crate) fn abandon(&mut self) {
        for object in self.unowned.drain(..) {
            if let Some(object) = engine::live_object(&object) {
                object.free();
            }
        }
    }
}

impl Class {
    fn find(class: &str) -> Result<Self, DecodeErrorKind> {
        let name = StringName::from(class);
        let class_db = ClassDb::singleton();
        if !class_db.can_instantiate(&name) {
            return Err(refused(format!("class {class} does not exist or cannot be instantiated")));
        }
        let is_counted = class == "RefCounted" || class_db.is_parent_class(&name, "RefCounted");
        Ok(Self { name, is_counted })
    }
}

/// The script that a path names.
pub(crate) fn load_script(path: &str) -> Result<Gd<Script>, DecodeErrorKind> {
    let mut loader = ResourceLoader::singleton();
    if !loader.exists_ex(path).type_hint("Script").done() {
        return Err(refused(format!("script {path} does not exist")));
    }
    let script = loader.load_ex(path).type_hint("Script").done();
    script
        .and_then(|script| script.try_cast().ok())
        .ok_or_else(|| refused(format!("script {path} cannot be loaded, or is no script")))
}

fn refused(reason: String) -> DecodeErrorKind {
    DecodeErrorKind::Refused { reason: reason.into() }
}
