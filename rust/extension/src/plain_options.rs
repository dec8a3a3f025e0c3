//! What calls use of their options without borrowing the object: the options without the lists, and the policy.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::build::MistypedMembers;
use crate::decode::{ReadObjects, ReadOptions};
use crate::error::VarBytesError;
use crate::limits::LimitOptions;
use crate::options::{CHANGES, CompiledPolicy, VarBytesOptions, WHOLE};
use crate::policy::Policy;
use crate::raw::{Kept, ObjectArgument};

impl VarBytesOptions {
    /// Returns the options without the lists.
    pub(crate) fn plain(&self) -> PlainOptions {
        let limit = |limit: i64| usize::try_from(limit).unwrap_or(usize::MAX);
        let limits = LimitOptions {
            depth: limit(self.max_depth),
            memory: limit(self.max_memory),
            values: limit(self.max_values),
            packed_elements: limit(self.max_packed_elements),
            string_length: limit(self.max_string_length),
        };
        let has_lists = [&self.allowed_classes, &self.allowed_scripts].iter().any(|list| !list.is_empty());
        PlainOptions {
            allow_objects: self.allow_objects,
            has_unused_lists: !self.allow_objects && has_lists,
            names_engine: !self.engine.is_empty(),
            longest_fast: match self.engine.is_empty() && !self.strict && (self.offset, self.size) == (0, WHOLE) {
                true => limits.longest_within(),
                false => 0,
            },
            strict: self.strict,
            hash_collisions: self.allow_hash_collisions,
            offset: self.offset,
            size: self.size,
            limits,
        }
    }
}

/// The options without the lists of classes and scripts.
#[derive(Clone, Copy)]
pub(crate) struct PlainOptions {
    pub(crate) allow_objects: bool,
    /// Whether they list classes or scripts but do not allow objects.
    pub(crate) has_unused_lists: bool,
    /// Whether they name an engine.
    pub(crate) names_engine: bool,
    /// The length of the longest packet that is read as without options, on the fast path.
    pub(crate) longest_fast: usize,
    strict: bool,
    pub(crate) hash_collisions: bool,
    offset: i64,
    size: i64,
    pub(crate) limits: LimitOptions,
}

thread_local! {
    /// The options that were used last in this thread: their id, the number of changes before they were read, and what was read.
    /// To borrow an object takes longer than to read a small packet. No id is used twice. Has no destructor, which the system
    /// would call after this library is unloaded.
    static LAST_PLAIN: Cell<Option<(i64, u64, PlainOptions)>> = const { Cell::new(None) };
}

/// The policy of the options that were used last. Borrowing an object makes a system call.
struct LastPolicy {
    /// The id of the options, and the number of changes before the lists were read.
    of: (i64, u64),
    compiled: CompiledPolicy,
}

/// Returns which objects the options of a call allow.
pub(crate) fn policy_of(options: &ObjectArgument<VarBytesOptions>) -> Arc<Policy> {
    static LAST_POLICY: Kept<Option<LastPolicy>> = Kept::new();
    let of = (options.id(), CHANGES.load(Ordering::SeqCst));
    let mut last = LAST_POLICY.take_or(|| None);
    if let Some(policy) = last.as_ref().filter(|last| last.of == of).and_then(|last| last.compiled.current()) {
        return policy;
    }
    let Some(options) = options.get() else { return Arc::new(Policy::new(HashMap::new(), HashMap::new())) };
    let compiled = options.bind().compiled_policy();
    let policy = compiled.policy();
    *last = Some(LastPolicy { of, compiled });
    policy
}

impl PlainOptions {
    /// Returns those of an object, or `None` if there is no such object.
    // Inlined, so that only what is needed of them is copied.
    #[inline(always)]
    pub(crate) fn of(object: &ObjectArgument<VarBytesOptions>) -> Option<Self> {
        if object.is_null() {
            return None;
        }
        let changes = CHANGES.load(Ordering::SeqCst);
        match LAST_PLAIN.get() {
            Some((id, read_after, plain)) if id == object.id() && read_after == changes => Some(plain),
            _ => Self::read(object, changes),
        }
    }

    #[cold]
    fn read(object: &ObjectArgument<VarBytesOptions>, changes: u64) -> Option<Self> {
        let plain = object.get()?.bind().plain();
        LAST_PLAIN.set(Some((object.id(), changes, plain)));
        Some(plain)
    }

    /// Returns how to read a packet before the policy is compiled, because most packets have no objects.
    pub(crate) fn reading(&self) -> ReadOptions {
        ReadOptions {
            objects: if self.allow_objects { ReadObjects::Deferred } else { ReadObjects::Refused },
            limits: self.limits,
            strict: self.strict,
            mistyped: if self.strict { MistypedMembers::Refuse } else { MistypedMembers::LeaveOut },
            hash_collisions: self.hash_collisions,
            byte_order_marks: false,
        }
    }

    /// Returns the most bytes that a value within these options can have. This is an estimate: the bytes of a value are fewer
    /// than this multiple of the memory that it is charged.
    pub(crate) fn most_bytes(&self) -> u64 {
        const BYTES_FOR_MEMORY: u64 = 8;
        match self.limits.memory {
            0 | usize::MAX => u64::MAX,
            memory => {
                let offset = u64::try_from(self.offset).unwrap_or(0);
                (memory as u64).saturating_mul(BYTES_FOR_MEMORY).saturating_add(offset)
            }
        }
    }

    /// Returns which of the bytes to read.
    pub(crate) fn part_of(&self, bytes: &[u8]) -> Result<Range<usize>, VarBytesError> {
        let Self { offset, size, .. } = *self;
        let outside = |what: String| {
            VarBytesError::argument(format!("the options' {what} is outside of the {} bytes", bytes.len()))
        };
        let start = usize::try_from(offset).ok().filter(|start| *start <= bytes.len());
        let start = start.ok_or_else(|| outside(format!("offset {offset}")))?;
        // A negative size stands for all bytes.
        let Ok(length) = u64::try_from(size) else { return Ok(start..bytes.len()) };
        let length = usize::try_from(length).ok().filter(|length| *length <= bytes.len() - start);
        length.map(|length| start..start + length).ok_or_else(|| outside(format!("size {size} at offset {offset}")))
    }
}
