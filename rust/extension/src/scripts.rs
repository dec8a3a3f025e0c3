//! Scripts by their paths.

use godot::builtin::{GString, Variant};
use godot::classes::{ClassDb, FileAccess, ResourceLoader, Script};
use godot::meta::ToGodot;
use godot::obj::Singleton;
use varbytes::DecodeErrorKind;

use crate::raw;

/// The property that holds the path of an object's script.
pub(crate) const SCRIPT: &str = "script";

/// What paths of scripts begin with.
pub(crate) const PROJECT: &str = "res://";

/// Returns whether there is a script at a path.
pub(crate) fn is_script(path: &GString) -> bool {
    ResourceLoader::singleton().exists_ex(path).type_hint("Script").done()
}

/// Returns whether a class is another one, or inherits it.
pub(crate) fn inherits(class: &str, base: &str) -> bool {
    class == base || ClassDb::singleton().is_parent_class(class, base)
}

/// Returns the error for a packet that names something that cannot be created, or must not be.
pub(crate) fn refused(reason: String) -> DecodeErrorKind {
    DecodeErrorKind::Refused { reason: reason.into() }
}

/// Loads the script at a path.
pub(crate) fn load_script(path: &GString) -> Result<Variant, DecodeErrorKind> {
    // Faster if it is loaded, as that of most objects is.
    if let Some(script) = raw::loaded_script(path) {
        return Ok(script);
    }
    let refused = |reason: &str| refused(format!("script {path} {reason}"));
    if !is_script(path) {
        return Err(refused(if path.contains("::") {
            "is built into a file that is not loaded: load the file first"
        } else if ResourceLoader::singleton().exists(path) || FileAccess::file_exists(path) {
            "is not a script"
        } else {
            "does not exist (if it was moved or removed, leave one there)"
        }));
    }
    let script = ResourceLoader::singleton().load_ex(path).type_hint("Script").done();
    let script = script.and_then(|script| script.try_cast::<Script>().ok());
    script.map(|script| script.to_variant()).ok_or_else(|| refused("cannot be loaded, or is not a script"))
}
