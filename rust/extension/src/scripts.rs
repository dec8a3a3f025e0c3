//! Scripts by their paths.

use godot::builtin::{GString, Variant};
use godot::classes::{ResourceLoader, Script};
use godot::meta::ToGodot;
use godot::obj::Singleton;
use varbytes::DecodeErrorKind;

use crate::raw;

/// The property that holds the path of an object's script.
pub(crate) const SCRIPT: &str = "script";

/// What paths of scripts begin with.
pub(crate) const PROJECT: &str = "res://";

/// Loads the script at a path.
pub(crate) fn load_script(path: &GString) -> Result<Variant, DecodeErrorKind> {
    // Faster if it is loaded, as that of most objects is.
    if let Some(script) = raw::loaded_script(path) {
        return Ok(script);
    }
    let refused = |reason: &str| DecodeErrorKind::Refused { reason: format!("script {path} {reason}").into() };
    let mut loader = ResourceLoader::singleton();
    if !loader.exists_ex(path).type_hint("Script").done() {
        return Err(refused("does not exist"));
    }
    let script = loader.load_ex(path).type_hint("Script").done();
    let script = script.and_then(|script| script.try_cast::<Script>().ok());
    script.map(|script| script.to_variant()).ok_or_else(|| refused("cannot be loaded, or is not a script"))
}
