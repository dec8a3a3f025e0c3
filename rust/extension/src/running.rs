//! Which engine this library runs in.

use std::sync::OnceLock;

use godot::classes::Engine;
use godot::prelude::*;
use varbytes::{Decoder, Encoder, Precision, Profile};

static PROFILE: OnceLock<Profile> = OnceLock::new();

/// The rules of the running engine; those of the newest one known where it is newer.
#[inline]
pub(crate) fn profile() -> Profile {
    *PROFILE.get_or_init(|| {
        let version = Engine::singleton().get_version_info();
        let part = |name: &str| version.get(name).and_then(|part| part.try_to::<i64>().ok()).unwrap_or_default();
        Profile::from_name(&format!("godot-{}.{}", part("major"), part("minor"))).unwrap_or(Profile::NEWEST)
    })
}

/// Reads as the running engine does.
#[inline]
pub(crate) fn decoder(objects: bool) -> Decoder {
    // The library is built for single-precision engines, and the engine refuses to load it into another.
    Decoder::new().profile(profile()).precision(Precision::Single).objects(objects)
}

/// Writes as the running engine does.
#[inline]
pub(crate) fn encoder(full_objects: bool) -> Encoder {
    Encoder::new().profile(profile()).precision(Precision::Single).full_objects(full_objects)
}
