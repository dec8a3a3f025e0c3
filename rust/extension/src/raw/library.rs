//! The library as the engine loads it.

use godot::obj::GodotClass;
use godot::prelude::*;

use crate::result::VarBytesResult;
use crate::var_bytes::VarBytes;

struct VarBytesLibrary;

// SAFETY: the one promise that an extension makes is that its initialization is the bindings' own; the macro writes it.
#[gdextension]
unsafe impl ExtensionLibrary for VarBytesLibrary {
    fn on_stage_init(stage: InitStage) {
        if stage == InitStage::Scene {
            VarBytesResult::register_error_kinds();
            super::register_built_ins(VarBytes::class_id());
            if let Err(lack) = super::load() {
                godot_error!("VarBytes cannot work in this engine: {lack}");
            }
        }
    }
}
