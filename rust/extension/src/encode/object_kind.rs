//! What decides which properties an object has, for classes whose objects all list the same ones.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use godot::classes::ClassDb;
use godot::obj::{InstanceId, Singleton};

use crate::engine_profile;
use crate::raw;

/// Classes whose objects all list the same properties, apart from metadata and what their script adds. This is so in every engine.
const ALIKE: [&str; 2] = ["Resource", "RefCounted"];

/// The same for Godot 4.6. Of other classes, such as `StandardMaterial3D`, the values of an object decide what it lists.
const ALIKE_IN_GODOT_4_6: [&str; 62] = [
    "AtlasTexture",
    "BitMap",
    "BoxMesh",
    "BoxShape3D",
    "CameraAttributesPhysical",
    "CameraAttributesPractical",
    "CanvasTexture",
    "CapsuleMesh",
    "CapsuleShape2D",
    "CapsuleShape3D",
    "CircleShape2D",
    "ConcavePolygonShape2D",
    "ConcavePolygonShape3D",
    "ConvexPolygonShape2D",
    "ConvexPolygonShape3D",
    "Curve",
    "Curve2D",
    "Curve3D",
    "CurveTexture",
    "CurveXYZTexture",
    "CylinderMesh",
    "CylinderShape3D",
    "Environment",
    "FastNoiseLite",
    "FogMaterial",
    "Gradient",
    "GradientTexture1D",
    "GradientTexture2D",
    "HeightMapShape3D",
    "Image",
    "ImageTexture",
    "InputEventAction",
    "InputEventJoypadButton",
    "InputEventJoypadMotion",
    "InputEventScreenDrag",
    "InputEventScreenTouch",
    "NoiseTexture2D",
    "OccluderPolygon2D",
    "PanoramaSkyMaterial",
    "PhysicalSkyMaterial",
    "PhysicsMaterial",
    "PlaneMesh",
    "PrismMesh",
    "ProceduralSkyMaterial",
    "QuadMesh",
    "RectangleShape2D",
    "SegmentShape2D",
    "SeparationRayShape2D",
    "SeparationRayShape3D",
    "Shortcut",
    "Sky",
    "SphereMesh",
    "SphereShape3D",
    "SpriteFrames",
    "StyleBoxEmpty",
    "StyleBoxFlat",
    "StyleBoxLine",
    "StyleBoxTexture",
    "TextMesh",
    "TorusMesh",
    "WorldBoundaryShape2D",
    "WorldBoundaryShape3D",
];

/// Classes of Godot 4.6 whose objects list other properties if this property is set.
const REMAPS: &str = "command_or_control_autoremap";
const ALIKE_BUT_FOR_REMAPS: [&str; 5] = [
    "InputEventKey",
    "InputEventMagnifyGesture",
    "InputEventMouseButton",
    "InputEventMouseMotion",
    "InputEventPanGesture",
];

/// What kind of object it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ObjectKind {
    /// The address of the name of the class.
    class: u64,
    /// The value of [`REMAPS`], if the class has it.
    remaps: bool,
    /// The id of the script, or 0.
    script: i64,
}

impl ObjectKind {
    /// Returns the kind of a live object if all objects of this kind list the same properties, apart from metadata, which the engine lists
    /// last.
    pub(super) fn of(object: &Variant) -> Option<Self> {
        let class = raw::class_address(object)?;
        let alike = alike();
        let (_, can_remap) = alike[alike.binary_search_by_key(&class, |(known, _)| *known).ok()?];
        let script = raw::script_of(object).object_id_unchecked().map_or(0, InstanceId::to_i64);
        if can_remap && script != 0 {
            // The script can have a variable of this name.
            return None;
        }
        let remaps = can_remap && raw::property(object, &StringName::from(REMAPS)).try_to().unwrap_or_default();
        Some(Self { class, remaps, script })
    }
}

/// Returns the addresses of the names of the classes in order, and whether their objects have [`REMAPS`].
fn alike() -> &'static [(u64, bool)] {
    static ALIKE_HERE: OnceLock<Vec<(u64, bool)>> = OnceLock::new();
    ALIKE_HERE.get_or_init(|| {
        let in_godot_4_6 = ALIKE_IN_GODOT_4_6.map(|class| (class, false));
        let but_for_remaps = ALIKE_BUT_FOR_REMAPS.map(|class| (class, true));
        let listed = in_godot_4_6.into_iter().chain(but_for_remaps).filter(|_| engine_profile::is_godot_4_6());
        let mut alike = ALIKE
            .map(|class| (class, false))
            .into_iter()
            .chain(listed)
            .map(|(class, can_remap)| (StringName::from(class), can_remap))
            // The name of a class that a build of the engine lacks would be freed.
            .filter(|(class, _)| ClassDb::singleton().class_exists(class))
            .map(|(class, can_remap)| (raw::name_address(&class), can_remap))
            .collect::<Vec<_>>();
        alike.sort_unstable();
        alike
    })
}
