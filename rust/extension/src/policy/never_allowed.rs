//! Classes that no list can allow.

use godot::builtin::StringName;
use godot::classes::{ClassDb, Engine};
use godot::obj::Singleton;

use crate::scripts::inherits;

/// Refuses classes of which no packet may create an object.
pub(super) fn refuse_dangerous(class: &str) -> Result<(), String> {
    let class_db = ClassDb::singleton();
    let name = StringName::from(class);
    // Checked first: for the class of a script, `can_instantiate` loads the script.
    if !class_db.class_exists(&name) {
        return Err(format!("class {class} does not exist in this engine"));
    }
    refuse_never_allowed(class)?;
    if !class_db.can_instantiate(&name) {
        return Err(format!("class {class} cannot be instantiated"));
    }
    Ok(())
}

/// Refuses classes of this engine that no list can allow.
pub(crate) fn refuse_never_allowed(class: &str) -> Result<(), String> {
    // The engine prints an error for a class that does not exist.
    if !ClassDb::singleton().class_exists(class) {
        return Ok(());
    }
    if inherits(class, "Script") {
        return Err(format!("class {class} can carry code and is never allowed"));
    }
    if Engine::singleton().has_singleton(&StringName::from(class)) {
        return Err(format!("class {class} is a singleton of the engine and is never allowed"));
    }
    if !inherits(class, "RefCounted") {
        return Err(format!("class {class} is not RefCounted and is never allowed: nothing would free the object"));
    }
    Ok(())
}
