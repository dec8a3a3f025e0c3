//! Which objects without a script the engine may write.
//!
//! The engine computes the size of an object before it writes it, and reads every property twice. If there is more to write the second
//! time, it writes past the end of its memory.

use std::sync::Arc;

use godot::builtin::{StringName, Variant};

use super::by_engine::WriteObjects;
use crate::policy::holders_of;
use crate::raw::{self, View, view};
use crate::scripts::inherits;

/// Reading one of them the first time adds properties to it (`cache/0/...`, Godot 4.6.3).
const UNSTABLE: &str = "FontFile";

/// Classes whose objects have properties that the list of the class does not name, and which can hold any object.
const WITH_OTHER_HOLDERS: [&str; 5] = ["Animation", "ShaderMaterial", "Theme", "TileSet", "TileSetSource"];

/// The classes of objects that were written before.
#[derive(Default)]
pub(super) struct NativeClasses {
    known: Vec<NativeClass>,
}

struct NativeClass {
    name: StringName,
    /// See [`WriteObjects::policy_id`].
    policy: u64,
    /// The properties that can hold objects; `None` if the engine must not write objects of the class.
    holders: Option<Arc<[StringName]>>,
}

impl NativeClasses {
    /// The most that are kept.
    const MOST: usize = 64;

    /// Returns whether the engine may write a value. It does not write, with a policy: objects with a script, whose getters can return
    /// another value the second time; objects with metadata; and what the policy refuses.
    pub(super) fn may_write(&mut self, value: &Variant, objects: WriteObjects<'_>) -> bool {
        self.may_write_at(value, objects, 0)
    }

    fn may_write_at(&mut self, value: &Variant, objects: WriteObjects<'_>, depth: usize) -> bool {
        /// Deeper values, and cycles, are written without the engine.
        const DEEPEST: usize = 32;
        if depth > DEEPEST {
            return false;
        }
        let has_policy = matches!(objects, WriteObjects::Allowed(_));
        match view(value) {
            View::Array => (0..raw::members(value).len()).all(|at| {
                // Getters of classes of other extensions can change the Array.
                let member = raw::members(value).get(at).filter(|member| can_hold_objects(member)).cloned();
                member.is_none_or(|member| self.may_write_at(&member, objects, depth + 1))
            }),
            View::Dictionary => {
                let mut parts = Vec::new();
                let mut entries = raw::Entries::of(value);
                while let Some((key, value)) = entries.next() {
                    parts.extend([key, value].into_iter().filter(|part| can_hold_objects(part)).cloned());
                }
                parts.iter().all(|part| self.may_write_at(part, objects, depth + 1))
            }
            View::Object => {
                let Some(class) = raw::class_of(value) else { return true };
                if !raw::script_of(value).is_nil() {
                    return !has_policy;
                }
                if has_policy && raw::has_metadata(value) == Some(true) {
                    return false;
                }
                let holders = self.holders(class, objects);
                holders.is_some_and(|holders| {
                    holders.iter().all(|name| self.may_write_at(&raw::property(value, name), objects, depth + 1))
                })
            }
            _ => true,
        }
    }

    /// Returns the properties of a class that can hold objects, or `None` if the engine must not write its objects.
    fn holders(&mut self, name: StringName, objects: WriteObjects<'_>) -> Option<Arc<[StringName]>> {
        let policy = objects.policy_id();
        let known = self.known.iter().find(|class| class.name == name && class.policy == policy);
        if let Some(known) = known {
            return known.holders.clone();
        }
        let class = name.to_string();
        let is_one_of = |classes: &[&str]| classes.iter().any(|base| inherits(&class, base));
        let may_write = !is_one_of(&[UNSTABLE])
            && match objects {
                WriteObjects::Allowed(policy) => !is_one_of(&WITH_OTHER_HOLDERS) && policy.object(&class, None).is_ok(),
                _ => true,
            };
        let holders = may_write.then(|| holders_of(&class).into());
        if self.known.len() >= Self::MOST {
            self.known.clear();
        }
        self.known.push(NativeClass { name, policy, holders: holders.clone() });
        holders
    }
}

fn can_hold_objects(value: &Variant) -> bool {
    matches!(view(value), View::Array | View::Dictionary | View::Object)
}
