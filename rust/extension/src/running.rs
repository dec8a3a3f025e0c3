//! Which engine this library runs in.

use std::sync::OnceLock;

use godot::classes::{Engine, Os};
use godot::prelude::*;
use varbytes::{Decoder, Encoder, Precision, Profile};

/// The rules of the running engine, and whether it is a release build.
static RUNNING: OnceLock<(Profile, bool)> = OnceLock::new();

#[inline]
fn running() -> (Profile, bool) {
    *RUNNING.get_or_init(|| {
        let version = Engine::singleton().get_version_info();
        let part = |name: &str| version.get(name).and_then(|part| part.try_to::<i64>().ok()).unwrap_or_default();
        let name = format!("godot-{}.{}.{}", part("major"), part("minor"), part("patch"));
        (Profile::from_name(&name).unwrap_or(Profile::NEWEST), !Os::singleton().is_debug_build())
    })
}

/// The rules of the running engine; those of the newest one known where it is newer.
#[inline]
pub(crate) fn profile() -> Profile {
    running().0
}

/// Reads as the running engine does.
#[inline]
pub(crate) fn decoder(objects: bool) -> Decoder {
    // The library is built for single-precision engines, and the engine refuses to load it into another.
    let (profile, is_release) = running();
    Decoder::new().profile(profile).precision(Precision::Single).release_build(is_release).objects(objects)
}

/// Writes as the running engine does.
#[inline]
pub(crate) fn encoder(full_objects: bool) -> Encoder {
    Encoder::new().profile(profile()).precision(Precision::Single).full_objects(full_objects)
}
