//! The version and build of the engine that runs this library.

use std::sync::OnceLock;

use godot::classes::{Engine, Os};
use godot::prelude::*;
use varbytes::{Decoder, Encoder, Precision, Profile};

/// The profile of the running engine, and whether it is a release build.
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

/// Returns the profile of the running engine. For an unknown, newer engine it is the newest known profile.
#[inline]
pub(crate) fn profile() -> Profile {
    running().0
}

/// Returns a decoder that reads as the running engine does.
#[inline]
pub(crate) fn decoder(objects: bool) -> Decoder {
    // The library is built for single-precision engines. The engine does not load it into a double-precision build.
    let (profile, is_release) = running();
    Decoder::new().profile(profile).precision(Precision::Single).release_build(is_release).objects(objects)
}

/// Returns an encoder that writes as the running engine does.
#[inline]
pub(crate) fn encoder(full_objects: bool) -> Encoder {
    Encoder::new().profile(profile()).precision(Precision::Single).full_objects(full_objects)
}
