//! Lets the engine write objects in full. It reads the properties of an object without building a list of them, which takes
//! most of the time that an extension needs for an object.

use godot::builtin::{AnyArray, PackedByteArray, Variant};
use godot::classes::Script;
use godot::global::var_to_bytes_with_objects;
use godot::meta::ToGodot;
use godot::obj::Gd;
use varbytes::Limits;
use varbytes::build::Validator;

use crate::engine_profile;
use crate::policy::{Policy, PolicyCheck};
use crate::raw::{self, ArrayFill, View, view};

/// How many members of an Array the engine writes at once, and how many bytes they take together if all are as long as those
/// before. The bytes are then copied, so they are few.
const BATCH: usize = 32;
const BATCH_BYTES: usize = 16 << 10;
/// The bytes of an Array before its members.
const ARRAY_HEADER: usize = 8;

/// What to do with objects.
#[derive(Clone, Copy)]
pub(crate) enum WriteObjects<'p> {
    /// Write their ids.
    AsIds,
    /// Write class and all stored properties.
    Full,
    /// Write class and properties if the policy allows them.
    Allowed(&'p Policy),
}

impl WriteObjects<'_> {
    pub(crate) const fn are_full(self) -> bool {
        !matches!(self, Self::AsIds)
    }

    /// Returns what tells apart how objects are written: the policy's number, or 0.
    pub(crate) fn policy_id(self) -> u64 {
        match self {
            Self::Allowed(policy) => policy.id(),
            _ => 0,
        }
    }
}

/// Writes objects as long as the engine and the policy accept them as they are.
pub(super) struct ByEngine<'p> {
    policy: Option<(&'p Policy, PolicyCheck<'p>)>,
    accepts: bool,
    /// How many members to write at once.
    batch: usize,
}

impl<'p> ByEngine<'p> {
    pub(super) fn new(objects: WriteObjects<'p>) -> Self {
        let policy = match objects {
            WriteObjects::Allowed(policy) => Some((policy, PolicyCheck::new(policy))),
            _ => None,
        };
        Self { policy, accepts: objects.are_full(), batch: 1 }
    }

    /// Returns the bytes of a value that the engine writes at once: an object, or an Array of nothing else if there is no policy. Returns
    /// `None` as [`object`](Self::object) does, and for other values. The bytes of a large Array are not copied.
    pub(super) fn whole(&mut self, value: &Variant) -> Option<PackedByteArray> {
        match view(value) {
            View::Object => self.object(value, 0),
            View::Array if self.accepts && self.policy.is_none() => self.array(value),
            _ => None,
        }
    }

    fn array(&mut self, array: &Variant) -> Option<PackedByteArray> {
        let members = raw::members(array);
        if members.is_empty() || !members.iter().all(|member| matches!(view(member), View::Object)) {
            return None;
        }
        // The engine reads from a copy, because getters can change the Array.
        let copy = array.to::<AnyArray>().duplicate_shallow();
        let bytes = var_to_bytes_with_objects(&copy.to_variant());
        self.accepts = !bytes.is_empty();
        self.accepts.then_some(bytes)
    }

    /// Returns the bytes of an object at a depth, or `None` if the engine or the policy refuses it, or if it is nested too deep
    /// for its position. The caller then writes it property by property and finds the reason.
    pub(super) fn object(&mut self, value: &Variant, depth: usize) -> Option<PackedByteArray> {
        if !self.accepts || !self.may_try(value) {
            return None;
        }
        self.checked(value, 1, depth)
    }

    /// Passes the bytes of the first members to a function if they are objects. `depth` is that of their Array. Returns how many
    /// members were written.
    pub(super) fn members(&mut self, members: &[Variant], depth: usize, write: impl FnOnce(&[u8])) -> usize {
        if !self.accepts || self.batch < 2 {
            return 0;
        }
        let first = &members[..self.batch.min(members.len())];
        let count =
            first.iter().take_while(|member| matches!(view(member), View::Object) && self.may_try(member)).count();
        // A single one is written without an Array around it.
        if count < 2 {
            return 0;
        }
        // The engine reads from a copy, because getters can change the Array.
        let mut batch = ArrayFill::new(count, None);
        for member in &members[..count] {
            batch.push(member.clone().into());
        }
        match self.checked(&batch.finish().into_variant(), count, depth) {
            Some(bytes) => {
                write(&bytes.as_slice()[ARRAY_HEADER..]);
                count
            }
            None => 0,
        }
    }

    /// Returns whether the engine may write the object. It prints an error for a script that it cannot write, and calls the
    /// getters of properties that have to be left out.
    fn may_try(&self, value: &Variant) -> bool {
        let Some((policy, _)) = &self.policy else { return true };
        let script = raw::script_of(value);
        script.object_id_unchecked().is_none_or(|id| {
            policy.allows_all_of(id, || script.try_to().map(|script: Gd<Script>| script.get_path()).unwrap_or_default())
        })
    }

    /// Returns the engine's bytes of a number of objects, if there are any, they are not nested too deep and the policy allows
    /// all that they name.
    fn checked(&mut self, value: &Variant, count: usize, depth: usize) -> Option<PackedByteArray> {
        /// The fewest bytes that a level of nesting takes.
        const LEVEL: usize = 8;
        let array = var_to_bytes_with_objects(value);
        let bytes = array.as_slice();
        let left = Limits::MAX_DEPTH - depth;
        let decoder = engine_profile::decoder(true).limits(Limits::NONE.depth(left));
        let is_valid = !bytes.is_empty()
            && match &mut self.policy {
                Some((_, check)) => decoder.decode_with(bytes, &mut Validator::new(check)).is_ok(),
                None => bytes.len() / LEVEL <= left || decoder.check(bytes).is_ok(),
            };
        if !is_valid {
            // The engine may have printed why, once for each level of nesting. So it is not asked again.
            self.accepts = false;
            return None;
        }
        self.batch = (BATCH_BYTES * count / bytes.len()).clamp(1, BATCH);
        Some(array)
    }
}
