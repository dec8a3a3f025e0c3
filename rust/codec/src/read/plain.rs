//! Reads untyped arrays and dictionaries below the recursive levels, with a small record for each that is open.

use alloc::vec::Vec;

use crate::VariantType;
use crate::build::builder::Builder;
use crate::build::owned::TreeBuilder;
use crate::coerce::member::Member;
use crate::error::DecodeError;
use crate::path::Step;
use crate::read::destination::FastKey;
use crate::read::duplicate_keys::KeySet;
use crate::read::frame::Frame;
use crate::read::input::{FREE_LEVELS, Input, Item};
use crate::types::container::Members;
use crate::types::dictionary::{DictionaryFrame, Entries};
use crate::wire::WORD;
use crate::work;

/// The number of levels that are read by recursion. Each takes less than a thousand bytes of stack.
pub(crate) const RECURSIVE_LEVELS: usize = 8;

const TREE_LEVEL: usize = PlainStack::<TreeBuilder>::LEVEL;

/// The open containers that are untyped, no part of a key, and not read by recursion. What belongs to a container is in
/// several lists, so that opening and closing it moves little.
pub(crate) struct PlainStack<'a, B: Builder<'a>> {
    pub(crate) levels: Vec<Level>,
    arrays: Vec<B::Array>,
    dictionaries: Vec<B::Dictionary>,
    /// The keys whose value is being read.
    keys: Vec<B::Value>,
    /// The keys of the dictionaries in which duplicates are searched for.
    key_sets: Vec<KeySet>,
}

/// An open container.
pub(crate) struct Level {
    kind: Kind,
    members: Members,
    /// The offset of the key whose value is being read.
    key_start: usize,
    /// Whether it is a dictionary in which duplicate keys are searched for.
    has_key_set: bool,
    /// The number of open containers of other kinds around it.
    frames: usize,
}

/// What is read next in an open container.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Element,
    Key,
    Value,
}

/// Where containers are opened.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The number of open containers of other kinds.
    pub(crate) frames: usize,
    /// The number of all open containers, except those of the stack.
    pub(crate) depth: usize,
    pub(crate) depth_limit: usize,
}

impl Level {
    pub(crate) const fn is_within(&self, frames: usize) -> bool {
        self.frames == frames
    }

    /// Counts a member that was added, and returns whether it was the last.
    #[inline(always)]
    fn is_complete_after_one<'a, B: Builder<'a>>(&mut self, input: &mut Input<'a, '_, B>) -> bool {
        self.members.read += 1;
        let is_complete = self.members.is_complete();
        if self.kind == Kind::Value {
            self.kind = Kind::Key;
            if !is_complete {
                input.builder.begin_entry();
            }
        }
        is_complete
    }

    /// Returns the step to the member that is being read. `step_to_value` takes the number of the entry and the offset of
    /// its key.
    #[cold]
    pub(crate) fn step(&self, step_to_value: impl FnOnce(usize, usize) -> Step) -> Step {
        let read = self.members.read;
        match self.kind {
            Kind::Element => Step::Index(read),
            Kind::Key => Step::Key(read),
            Kind::Value => step_to_value(read, self.key_start),
        }
    }
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Charges the memory of the lists of open containers below the recursive levels, because a level takes a few bytes of
    /// input and much more memory. The charge depends only on the depth, so that both paths charge the same.
    #[inline(always)]
    pub(crate) fn charge_level(&mut self, depth: usize) -> Result<(), DecodeError> {
        if depth == RECURSIVE_LEVELS + self.charged_levels {
            // Doubles the number of charged levels.
            self.charge(self.charged_levels.saturating_mul(PlainStack::<B>::CHARGE), 0)?;
            self.charged_levels *= 2;
        }
        Ok(())
    }

    /// The memory that is left, without what was charged for lists of open containers: they stay when a value is dropped.
    #[inline(always)]
    pub(crate) const fn memory_for_values(&self) -> usize {
        self.memory + (self.charged_levels - FREE_LEVELS) * PlainStack::<B>::CHARGE
    }
}

impl<'a, B: Builder<'a>> Default for PlainStack<'a, B> {
    fn default() -> Self {
        Self {
            levels: Vec::new(),
            arrays: Vec::new(),
            dictionaries: Vec::new(),
            keys: Vec::new(),
            key_sets: Vec::new(),
        }
    }
}

impl<'a, B: Builder<'a>> PlainStack<'a, B> {
    /// The memory of a level.
    const LEVEL: usize = size_of::<Level>() + size_of::<B::Dictionary>() + size_of::<B::Value>() + size_of::<KeySet>();

    /// What is charged for a level. Validation is charged like the tree, although it uses less.
    const CHARGE: usize = if Self::LEVEL > TREE_LEVEL { Self::LEVEL } else { TREE_LEVEL };

    /// Returns whether the innermost open container is one of the stack, if `frames` containers of other kinds are open.
    #[inline(always)]
    pub(crate) fn is_innermost(&self, frames: usize) -> bool {
        self.levels.last().is_some_and(|level| level.is_within(frames))
    }

    /// Opens the container whose header and count come next. Returns the value if it is empty.
    #[inline(always)]
    pub(crate) fn open(
        &mut self,
        input: &mut Input<'a, '_, B>,
        (is_array, count): (bool, u32),
        place: Place,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        let start = input.cursor.position();
        input.reserved_bytes = input.reserved_bytes.saturating_sub(WORD);
        input.cursor.advance(2 * WORD);
        if count == 0 {
            return input.read_empty(is_array, start).map(Some);
        }
        let (kind, members, has_key_set) = if is_array {
            let frame = input.begin_plain_array(count, start)?;
            self.arrays.push(frame.array);
            (Kind::Element, frame.members, false)
        } else {
            let frame = input.begin_plain_dictionary(count, start)?;
            self.dictionaries.push(frame.dictionary);
            let has_key_set = !matches!(frame.seen, KeySet::Untracked);
            if has_key_set {
                self.key_sets.push(frame.seen);
            }
            (Kind::Key, frame.members, has_key_set)
        };
        input.charge_level(place.depth + self.levels.len())?;
        self.levels.push(Level { kind, members, key_start: 0, has_key_set, frames: place.frames });
        if place.depth + self.levels.len() > place.depth_limit {
            return Err(input.too_deep(place.depth_limit));
        }
        Ok(None)
    }

    /// Reads members of the innermost containers, and containers within them, until a value needs the slow path or the
    /// outermost of them is complete, which is returned.
    #[inline(never)]
    pub(crate) fn read(
        &mut self,
        input: &mut Input<'a, '_, B>,
        place: Place,
        frames: &mut Vec<Frame<'a, B>>,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        loop {
            let Some(level) = self.levels.last_mut() else { return Ok(None) };
            let mut container = input.next_plain_container();
            match level.kind {
                Kind::Value => {}
                Kind::Element => {
                    if container.is_none() {
                        let array = last(&mut self.arrays);
                        input.read_fast_elements(array, &mut level.members, Member::Any)?;
                        container = input.next_plain_container();
                    }
                }
                Kind::Key => {
                    let mut none = KeySet::Untracked;
                    let seen = if level.has_key_set { last(&mut self.key_sets) } else { &mut none };
                    let dictionary = last(&mut self.dictionaries);
                    let entries = Entries { dictionary, seen, members: &mut level.members };
                    let (keys, mut key_start) = (&mut self.keys, None);
                    let any = (Member::Any, Member::Any);
                    input.read_fast_entries::<false, true>(entries, any, |builder, key, start| {
                        // One call for each kind of key, so that it is built where it is stored.
                        match key {
                            FastKey::Text(text) => keys.push(builder.ascii_string(text)),
                            FastKey::Int(number) => keys.push(builder.int(number)),
                            FastKey::Built(key) => keys.push(key),
                        }
                        key_start = Some(start);
                    })?;
                    if let Some(start) = key_start {
                        level.key_start = start;
                        level.kind = Kind::Value;
                        container = input.next_plain_container();
                    } else if !level.members.is_complete() {
                        // A key that the fast path cannot read, or that may be a duplicate.
                        frames.push(Frame::Dictionary(self.take_dictionary()));
                        return Ok(None);
                    }
                }
            }
            let finished = if level.members.is_complete() {
                self.close(input, place.frames)?
            } else {
                let Some(container) = container else { return Ok(None) };
                work::add(1);
                match self.open(input, container, place)? {
                    Some(empty) => self.add(input, place.frames, empty)?,
                    None => None,
                }
            };
            if finished.is_some() {
                return Ok(finished);
            }
        }
    }

    /// Adds a finished value to the innermost container. If that completes it, returns what [`close`](Self::close) returns.
    #[inline(never)]
    pub(crate) fn add(
        &mut self,
        input: &mut Input<'a, '_, B>,
        frames: usize,
        item: Item<B::Value>,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        let Some(level) = self.levels.last_mut().filter(|level| level.is_within(frames)) else { return Ok(Some(item)) };
        let added = if level.kind == Kind::Element {
            input.builder.push_element(last(&mut self.arrays), item.value)
        } else {
            input.builder.push_entry(last(&mut self.dictionaries), pop(&mut self.keys), item.value, None)
        };
        added.map_err(DecodeError::at(item.start))?;
        if level.is_complete_after_one(input) { self.close(input, frames) } else { Ok(None) }
    }

    /// Completes the innermost container and adds it to the one around it. If that completes it, it is added to the one
    /// around it, and so on. Returns the last of them if it belongs to a container of another kind or to none.
    #[inline(always)]
    fn close(&mut self, input: &mut Input<'a, '_, B>, frames: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        loop {
            let Level { kind, members: Members { start, .. }, has_key_set, .. } = pop(&mut self.levels);
            let (value, variant_type) = if kind == Kind::Element {
                (input.builder.end_plain_array(pop(&mut self.arrays)), VariantType::Array)
            } else {
                if has_key_set {
                    self.key_sets.pop();
                }
                (input.builder.end_plain_dictionary(pop(&mut self.dictionaries)), VariantType::Dictionary)
            };
            let value = value.map_err(DecodeError::at(start))?;
            let Some(level) = self.levels.last_mut().filter(|level| level.is_within(frames)) else {
                return Ok(Some(Item { value, variant_type, is_object_id: false, start, hash: 0 }));
            };
            let added = if level.kind == Kind::Element {
                input.builder.push_element(last(&mut self.arrays), value)
            } else {
                input.builder.push_entry(last(&mut self.dictionaries), pop(&mut self.keys), value, None)
            };
            added.map_err(DecodeError::at(start))?;
            if !level.is_complete_after_one(input) {
                return Ok(None);
            }
        }
    }

    /// Takes the innermost container, which is a dictionary, off the stack.
    #[cold]
    fn take_dictionary(&mut self) -> DictionaryFrame<'a, B> {
        let Level { members, has_key_set, .. } = pop(&mut self.levels);
        let seen = if has_key_set { pop(&mut self.key_sets) } else { KeySet::Untracked };
        let (key_member, value_member) = (Member::Any, Member::Any);
        let dictionary = pop(&mut self.dictionaries);
        DictionaryFrame { dictionary, key_member, value_member, members, seen, pending: None }
    }
}

/// Returns the last item. Each level has the items that its kind needs.
#[inline(always)]
fn last<T>(items: &mut [T]) -> &mut T {
    items.last_mut().unwrap_or_else(|| missing())
}

#[inline(always)]
fn pop<T>(items: &mut Vec<T>) -> T {
    items.pop().unwrap_or_else(|| missing())
}

#[cold]
fn missing() -> ! {
    unreachable!("a level without its container")
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    #[inline(never)]
    fn read_empty(&mut self, is_array: bool, start: usize) -> Result<Item<B::Value>, DecodeError> {
        if is_array {
            return self.begin_plain_array(0, start)?.close(self);
        }
        self.begin_plain_dictionary(0, start)?.close(self)
    }
}
