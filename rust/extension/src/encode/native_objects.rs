//! Which objects without a script the engine may write.
//!
//! The engine computes the size of an object before it writes it, and reads every property twice. If there is more to write the second
//! time, it writes past the end of its memory.

use std::collections::HashMap;
use std::sync::Arc;

use godot::builtin::{StringName, Variant};
use godot::classes::ClassDb;
use godot::classes::class_db::ApiType;
use godot::obj::Singleton;

use crate::engine_profile;
use crate::policy::{Policy, holders_of};
use crate::raw::{self, View, can_have_objects, view};
use crate::scripts::inherits;

/// Classes of Godot 4.6 whose objects have no stored properties but those in the list of the class, and the classes that inherit from
/// them. The others list what each object has, which can hold any object, as the surfaces of a mesh do. And a `FontFile` lists more
/// once its first properties were read.
///
/// Reading them prints nothing: a Logger, which is a script, could change other objects then, as with `ImageTexture3D`.
const FIXED: [&str; 33] = [
    "AnimationLibrary",
    "BaseMaterial3D",
    "BitMap",
    "ButtonGroup",
    "CameraAttributes",
    "CanvasItemMaterial",
    "Curve",
    "Curve2D",
    "Curve3D",
    "Environment",
    "FogMaterial",
    "Gradient",
    "Image",
    "InputEvent",
    "LabelSettings",
    "MultiMesh",
    "NavigationMesh",
    "NavigationPolygon",
    "Noise",
    "OccluderPolygon2D",
    "PanoramaSkyMaterial",
    "ParticleProcessMaterial",
    "PhysicalSkyMaterial",
    "PhysicsMaterial",
    "PrimitiveMesh",
    "ProceduralSkyMaterial",
    "Shape2D",
    "Shape3D",
    "Shortcut",
    "Sky",
    "SpriteFrames",
    "StyleBox",
    "Texture2D",
];

/// Its Dictionary has no objects, and takes as long to create as the bytes of a small image.
const WITHOUT_HOLDERS: &str = "Image";

/// The classes of objects that were written before.
#[derive(Default)]
pub(super) struct NativeClasses {
    /// The properties that can hold objects, by class and by the number of the policy, 0 for none. `None` if the engine must not write
    /// objects of the class.
    holders: HashMap<(StringName, u64), Option<Arc<[StringName]>>>,
    /// How many containers and objects of the value may still be looked at.
    left: usize,
    /// Whether a value of the packet was too large or nested too deep to be looked at.
    is_exceeded: bool,
}

impl NativeClasses {
    /// The most classes that are kept.
    const MOST: usize = 1024;
    /// What is larger, or contains itself, is written without the engine.
    const MOST_PARTS: usize = 10_000;
    const DEEPEST: usize = 128;

    /// Begins a packet.
    pub(super) const fn begin_packet(&mut self) {
        self.is_exceeded = false;
    }

    /// Returns whether it is safe that the engine writes an object: it does not contain objects with metadata, and objects with a script,
    /// whose getters can return another value the second time. Returns false for what the policy refuses, if there is one.
    pub(super) fn may_write(&mut self, object: &Variant, policy: Option<&Policy>) -> bool {
        self.left = Self::MOST_PARTS;
        !self.is_exceeded && self.may_write_at(object, policy, 0)
    }

    fn may_write_at(&mut self, value: &Variant, policy: Option<&Policy>, depth: usize) -> bool {
        if !can_have_objects(value) {
            return true;
        }
        if depth > Self::DEEPEST || self.left == 0 {
            // Its parts would be looked at again, one by one.
            self.is_exceeded = true;
            return false;
        }
        self.left -= 1;
        let parts = match view(value) {
            View::Object => return self.may_write_object(value, policy, depth),
            View::Dictionary => {
                let (mut parts, mut entries) = (Vec::new(), raw::Entries::of(value));
                while let Some((key, value)) = entries.next() {
                    parts.extend([key, value].into_iter().filter(|part| can_have_objects(part)).cloned());
                }
                parts
            }
            _ => raw::members(value).iter().filter(|member| can_have_objects(member)).cloned().collect(),
        };
        parts.iter().all(|part| self.may_write_at(part, policy, depth + 1))
    }

    fn may_write_object(&mut self, object: &Variant, policy: Option<&Policy>, depth: usize) -> bool {
        let Some(class) = raw::class_of(object) else { return true };
        raw::script_of(object).is_nil()
            && raw::has_metadata(object) != Some(true)
            && self.holders(class, policy).is_some_and(|holders| {
                holders.iter().all(|name| self.may_write_at(&raw::property(object, name), policy, depth + 1))
            })
    }

    /// Returns the properties of a class that can hold objects, or `None` if the engine must not write its objects.
    fn holders(&mut self, name: StringName, policy: Option<&Policy>) -> Option<Arc<[StringName]>> {
        let key = (name, policy.map_or(0, Policy::id));
        if let Some(known) = self.holders.get(&key) {
            return known.clone();
        }
        let class = key.0.to_string();
        let is_fixed = engine_profile::is_godot_4_6()
            && ClassDb::singleton().class_get_api_type(&key.0) == ApiType::CORE
            && FIXED.iter().any(|base| inherits(&class, base));
        let holders = (is_fixed && policy.is_none_or(|policy| policy.object(&class, None).is_ok()))
            .then(|| if class == WITHOUT_HOLDERS { Arc::default() } else { holders_of(&class).into() });
        if self.holders.len() >= Self::MOST {
            self.holders.clear();
        }
        self.holders.insert(key, holders.clone());
        holders
    }
}
