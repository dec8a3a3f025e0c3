//! Which objects without a script the engine may write.
//!
//! The engine computes the size of an object before it writes it, and reads every property twice. If there is more to write the second
//! time, it writes past the end of its memory.

use std::sync::Arc;

use godot::builtin::{StringName, Variant};

use crate::policy::{Policy, holders_of};
use crate::raw::{self, View, view};
use crate::scripts::inherits;

/// Reading one of them the first time adds properties to it (`cache/0/...`, Godot 4.6.3).
const UNSTABLE: &str = "FontFile";

/// Classes whose objects have properties that the list of the class does not name, and which can hold any object.
const WITH_OTHER_HOLDERS: [&str; 5] = ["Animation", "ShaderMaterial", "Theme", "TileSet", "TileSetSource"];

/// Its Dictionary has no objects, and takes as long to create as the bytes of a small image.
const WITHOUT_HOLDERS: &str = "Image";

/// The classes of objects that were written before.
#[derive(Default)]
pub(super) struct NativeClasses {
    known: Vec<NativeClass>,
    /// How many containers and objects of the value may still be looked at.
    left: usize,
}

struct NativeClass {
    name: StringName,
    /// The number of the policy.
    policy: u64,
    /// The properties that can hold objects; `None` if the engine must not write objects of the class.
    holders: Option<Arc<[StringName]>>,
}

impl NativeClasses {
    /// The most that are kept.
    const MOST: usize = 64;
    /// What is larger, or contains itself, is written without the engine.
    const MOST_PARTS: usize = 10_000;
    const DEEPEST: usize = 32;

    /// Returns whether the engine may write an object with a policy. It does not write what the policy refuses, objects with metadata, and
    /// objects with a script, whose getters can return another value the second time.
    pub(super) fn may_write(&mut self, object: &Variant, policy: &Policy) -> bool {
        self.left = Self::MOST_PARTS;
        self.may_write_at(object, policy, 0)
    }

    fn may_write_at(&mut self, value: &Variant, policy: &Policy, depth: usize) -> bool {
        if !can_hold_objects(value) {
            return true;
        }
        if depth > Self::DEEPEST || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let parts = match view(value) {
            View::Object => return self.may_write_object(value, policy, depth),
            View::Dictionary => {
                let (mut parts, mut entries) = (Vec::new(), raw::Entries::of(value));
                while let Some((key, value)) = entries.next() {
                    parts.extend([key, value].into_iter().filter(|part| can_hold_objects(part)).cloned());
                }
                parts
            }
            _ => raw::members(value).iter().filter(|member| can_hold_objects(member)).cloned().collect(),
        };
        parts.iter().all(|part| self.may_write_at(part, policy, depth + 1))
    }

    fn may_write_object(&mut self, object: &Variant, policy: &Policy, depth: usize) -> bool {
        let Some(class) = raw::class_of(object) else { return true };
        raw::script_of(object).is_nil()
            && raw::has_metadata(object) != Some(true)
            && self.holders(class, policy).is_some_and(|holders| {
                holders.iter().all(|name| self.may_write_at(&raw::property(object, name), policy, depth + 1))
            })
    }

    /// Returns the properties of a class that can hold objects, or `None` if the engine must not write its objects.
    fn holders(&mut self, name: StringName, policy: &Policy) -> Option<Arc<[StringName]>> {
        let known = self.known.iter().find(|class| class.name == name && class.policy == policy.id());
        if let Some(known) = known {
            return known.holders.clone();
        }
        let class = name.to_string();
        let is_one_of = |classes: &[&str]| classes.iter().any(|base| inherits(&class, base));
        let is_stable = !is_one_of(&[UNSTABLE]) && !is_one_of(&WITH_OTHER_HOLDERS);
        let holders = (is_stable && policy.object(&class, None).is_ok())
            .then(|| if class == WITHOUT_HOLDERS { Arc::default() } else { holders_of(&class).into() });
        if self.known.len() >= Self::MOST {
            self.known.clear();
        }
        self.known.push(NativeClass { name, policy: policy.id(), holders: holders.clone() });
        holders
    }
}

fn can_hold_objects(value: &Variant) -> bool {
    matches!(view(value), View::Array | View::Dictionary | View::Object)
}
