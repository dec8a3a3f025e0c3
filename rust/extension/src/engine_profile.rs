//! The version and build of the engine that runs this library.

use std::sync::OnceLock;

use godot::classes::{Engine, Os};
use godot::prelude::*;
use varbytes::{Architecture, Decoder, Encoder, Precision, Profile};

/// An environment variable for tests. If it is set, packets are read without the fast path.
const SLOW_PATH: &str = "VARBYTES_SLOW_PATH";

/// The architecture that this library and the engine are built for.
const ARCHITECTURE: Architecture = if cfg!(target_arch = "aarch64") {
    Architecture::Arm64
} else if cfg!(target_arch = "wasm32") {
    Architecture::Wasm32
} else {
    Architecture::X86_64
};

/// What is known about the running engine.
struct Running {
    profile: Profile,
    is_godot_4_6: bool,
    /// Without and with full objects. They are made once: to copy what was just made causes a store-forwarding stall.
    encoders: [Encoder; 2],
    decoders: [Decoder; 2],
    is_template: bool,
    is_editor: bool,
    slow_path_only: bool,
}

static RUNNING: OnceLock<Running> = OnceLock::new();

#[inline]
fn running() -> &'static Running {
    RUNNING.get_or_init(|| {
        let version = Engine::singleton().get_version_info();
        let part = |name: &str| version.get(name).and_then(|part| part.try_to::<i64>().ok()).unwrap_or_default();
        let name = format!("godot-{}.{}.{}", part("major"), part("minor"), part("patch"));
        let profile = Profile::from_name(&name).unwrap_or(Profile::NEWEST);
        let slow_path_only = std::env::var_os(SLOW_PATH).is_some();
        // The library is built for single-precision engines. The engine does not load it into a double-precision build.
        let encoder = Encoder::new().profile(profile).precision(Precision::Single);
        let decoder = Decoder::new()
            .profile(profile)
            .precision(Precision::Single)
            .release_build(!Os::singleton().is_debug_build())
            .architecture(ARCHITECTURE)
            .slow_path_only(slow_path_only);
        Running {
            profile,
            is_godot_4_6: (part("major"), part("minor")) == (4, 6),
            encoders: [encoder.objects(false), encoder.objects(true)],
            decoders: [decoder.objects(false), decoder.objects(true)],
            is_template: Os::singleton().has_feature("template"),
            is_editor: Engine::singleton().is_editor_hint(),
            slow_path_only,
        }
    })
}

/// Returns the profile of the running engine. For an unknown, newer engine it is the newest known profile.
#[inline]
pub(crate) fn profile() -> Profile {
    running().profile
}

/// Returns whether the engine is Godot 4.6, whose classes are known.
pub(crate) fn is_godot_4_6() -> bool {
    running().is_godot_4_6
}

/// Returns whether packets are read without the fast path.
#[inline]
pub(crate) fn slow_path_only() -> bool {
    running().slow_path_only
}

/// Returns a decoder that reads as the running engine does.
#[inline]
pub(crate) fn decoder(objects: bool) -> &'static Decoder {
    &running().decoders[usize::from(objects)]
}

/// Returns an encoder that writes as the running engine does.
#[inline]
pub(crate) fn encoder(full_objects: bool) -> &'static Encoder {
    &running().encoders[usize::from(full_objects)]
}

/// Returns whether the engine is the editor, and does not run a game.
pub(crate) fn is_editor() -> bool {
    running().is_editor
}

/// Returns whether the engine is an export template, which is an optimized build.
pub(crate) fn is_template() -> bool {
    running().is_template
}
