//! Lets the engine write objects in full. It reads the properties of an object without building a list of them, which takes
//! most of the time that an extension needs for an object.

use godot::builtin::{AnyArray, PackedByteArray, Variant};
use godot::global::var_to_bytes_with_objects;
use godot::meta::ToGodot;
use varbytes::Limits;
use varbytes::build::Validator;

use crate::engine_profile;
use crate::policy::{Policy, PolicyCheck};
use crate::raw::ArrayFill;

/// How many members of an Array the engine writes at once, and how many bytes they take together if all are as long as those
/// before. The bytes are then copied, so they are few.
const BATCH: usize = 32;
const BATCH_BYTES: usize = 16 << 10;

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

impl<'p> WriteObjects<'p> {
    pub(super) const fn policy(self) -> Option<&'p Policy> {
        match self {
            Self::Allowed(policy) => Some(policy),
            _ => None,
        }
    }

    pub(crate) const fn are_full(self) -> bool {
        !matches!(self, Self::AsIds)
    }

    /// Returns what tells apart how objects are written: the policy's number, or 0.
    pub(crate) fn policy_id(self) -> u64 {
        self.policy().map_or(0, Policy::id)
    }
}

/// Writes objects as long as the engine and the policy accept them as they are.
pub(super) struct ByEngine<'p> {
    policy: Option<PolicyCheck<'p>>,
    accepts: bool,
    /// How many members to write at once.
    batch: usize,
    /// The most bytes that the policy may still refuse, so that these attempts take at most twice as long as the others.
    attempts: usize,
}

impl<'p> ByEngine<'p> {
    pub(super) fn new(objects: WriteObjects<'p>) -> Self {
        let policy = objects.policy().map(PolicyCheck::new);
        Self { policy, accepts: objects.are_full(), batch: 1, attempts: BATCH_BYTES }
    }

    /// Returns the bytes of an Array of objects at depth 0, for which there is no policy, or `None` as [`object`](Self::object) does. The
    /// bytes of a large Array are not copied.
    pub(super) fn array(&mut self, array: &Variant) -> Option<PackedByteArray> {
        // The engine reads from a copy, because getters can change the Array.
        let copy = array.to::<AnyArray>().duplicate_shallow();
        let bytes = var_to_bytes_with_objects(&copy.to_variant());
        self.accepts = !bytes.is_empty();
        self.accepts.then_some(bytes)
    }

    /// Returns the bytes of an object at a depth, or `None` if the engine or the policy refuses it, or if it is nested too deep
    /// for its position. The caller then writes it property by property and finds the reason.
    pub(super) fn object(&mut self, value: &Variant, depth: usize) -> Option<PackedByteArray> {
        if self.accepts { self.checked(value, 1, depth) } else { None }
    }

    /// Returns how many members of an Array to write at once. A single one is written without an Array around it.
    pub(super) const fn batch(&self) -> usize {
        if self.accepts { self.batch } else { 1 }
    }

    /// Notes that an object was not written by the engine: the next ones are likely to be of the same kind.
    pub(super) const fn skipped(&mut self) {
        self.batch = 1;
    }

    /// Passes the bytes of several objects to a function. `depth` is that of the Array whose members they are. Returns whether they were
    /// written.
    pub(super) fn members(&mut self, objects: Vec<Variant>, depth: usize, write: impl FnOnce(&[u8])) -> bool {
        /// The bytes of an Array before its members.
        const HEADER: usize = 8;
        let count = objects.len();
        let mut batch = ArrayFill::new(count, None);
        for object in objects {
            batch.push(object.into());
        }
        let bytes = self.checked(&batch.finish().into_variant(), count, depth);
        bytes.map(|bytes| write(&bytes.as_slice()[HEADER..])).is_some()
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
                Some(check) => decoder.decode_with(bytes, &mut Validator::new(check)).is_ok(),
                None => bytes.len() / LEVEL <= left || decoder.check(bytes).is_ok(),
            };
        if !is_valid {
            self.batch = 1;
            // If there are no bytes, the engine has printed why, once for each level of nesting. So it is not asked again.
            let left = self.attempts.checked_sub(bytes.len()).filter(|_| !bytes.is_empty());
            self.accepts = left.is_some();
            self.attempts = left.unwrap_or_default();
            return None;
        }
        self.attempts += 2 * bytes.len();
        self.batch = (BATCH_BYTES * count / bytes.len()).clamp(1, BATCH.min(2 * count));
        Some(array)
    }
}
