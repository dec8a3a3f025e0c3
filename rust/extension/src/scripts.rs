//! Scripts by their paths.

use godot::classes::{ResourceLoader, Script};
use godot::obj::{Gd, Singleton};
use varbytes::DecodeErrorKind;

/// The property that holds the path of an object's script.
pub(crate) const SCRIPT: &str = "script";

/// Loads the script at a path.
pub(crate) fn load_script(path: &str) -> Result<Gd<Script>, DecodeErrorKind> {
    let refused = |reason: &str| DecodeErrorKind::Refused { reason: format!("script {path} {reason}").into() };
    let mut loader = ResourceLoader::singleton();
    // Faster if it is loaded, as that of most objects is. While another thread loads it, it cannot be instantiated.
    if let Some(Ok(script)) = loader.get_cached_ref(path).map(Gd::try_cast::<Script>)
        && script.can_instantiate()
    {
        return Ok(script);
    }
    if !loader.exists_ex(path).type_hint("Script").done() {
        return Err(refused("does not exist"));
    }
    let script = loader.load_ex(path).type_hint("Script").done();
    script.and_then(|script| script.try_cast().ok()).ok_or_else(|| refused("cannot be loaded, or is not a script"))
}
