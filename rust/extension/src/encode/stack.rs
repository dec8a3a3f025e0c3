//! The stack of open containers while a value is written.

use std::array;

use godot::builtin::Variant;
use varbytes::{Path, Stack, Step};

use super::leaf::key_step;
use crate::raw::{Entries, MemberRun};

/// Levels stored without an allocation. Most values are nested less deep.
const INLINE: usize = 4;

/// The open containers, innermost last.
#[derive(Clone)]
pub(super) struct ContainerStack<'v> {
    open: Stack<OpenContainer<'v>, [Option<OpenContainer<'v>>; INLINE]>,
    /// A part of the innermost one that is left to the next sink.
    pub(super) left: Option<&'v Variant>,
    /// The next members of the innermost one, if they are left to the next sink.
    pub(super) left_run: Option<MemberRun<'v>>,
}

/// An open container.
#[derive(Clone)]
pub(super) enum OpenContainer<'v> {
    Array(ArrayMembers<'v>),
    Dictionary(DictionaryEntries<'v>),
}

/// The members of an Array, of which the first have been written.
#[derive(Clone)]
pub(super) struct ArrayMembers<'v> {
    members: &'v [Variant],
    next: usize,
}

/// The entries of a Dictionary that have not been written yet.
#[derive(Clone)]
pub(super) struct DictionaryEntries<'v> {
    left: Entries<'v>,
    count: usize,
    key: Option<&'v Variant>,
    value: Option<&'v Variant>,
}

/// What is left of an open container.
pub(super) trait Members<'v> {
    /// Returns the next member of an Array, or the next key of a Dictionary, or the value after it.
    fn next(&mut self) -> Option<&'v Variant>;

    /// Returns the one that was returned last and those after it, if they are next to each other in memory.
    fn last_and_following(&self) -> &'v [Variant];

    /// Moves past some of those.
    fn skip(&mut self, count: usize);

    /// Moves before the one that was returned last, if those after it are next to it.
    fn back(&mut self);
}

impl<'v> Members<'v> for ArrayMembers<'v> {
    #[inline]
    fn next(&mut self) -> Option<&'v Variant> {
        let member = self.members.get(self.next)?;
        self.next += 1;
        Some(member)
    }

    #[inline]
    fn last_and_following(&self) -> &'v [Variant] {
        self.members.get(self.next.saturating_sub(1)..).unwrap_or_default()
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        self.next += count;
    }

    fn back(&mut self) {
        self.next -= 1;
    }
}

impl<'v> Members<'v> for DictionaryEntries<'v> {
    #[inline]
    fn next(&mut self) -> Option<&'v Variant> {
        if let Some(value) = self.value.take() {
            return Some(value);
        }
        let (key, value) = self.left.next()?;
        self.key = Some(key);
        self.value = Some(value);
        Some(key)
    }

    #[inline]
    fn last_and_following(&self) -> &'v [Variant] {
        &[]
    }

    #[inline]
    fn skip(&mut self, _: usize) {}

    fn back(&mut self) {}
}

impl<'v> ContainerStack<'v> {
    pub(super) fn new() -> Self {
        Self { open: Stack::new(array::from_fn(|_| None)), left: None, left_run: None }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    #[inline]
    pub(super) fn last_mut(&mut self) -> Option<&mut OpenContainer<'v>> {
        self.open.last_mut()
    }

    pub(super) fn push_array(&mut self, members: &'v [Variant]) {
        self.open.push(OpenContainer::Array(ArrayMembers { members, next: 0 }));
    }

    pub(super) fn push_dictionary(&mut self, entries: Entries<'v>) {
        let count = entries.len();
        self.open.push(OpenContainer::Dictionary(DictionaryEntries { left: entries, count, key: None, value: None }));
    }

    /// Returns the members that have not been written, if all of them are in one Array.
    pub(super) fn last_members(&self) -> Option<&'v [Variant]> {
        let mut last: &[Variant] = &[];
        for container in self.open.iter() {
            match container {
                OpenContainer::Array(array) if last.is_empty() => last = &array.members[array.next..],
                OpenContainer::Array(array) if array.next == array.members.len() => {}
                OpenContainer::Dictionary(entries) if entries.value.is_none() && entries.left.len() == 0 => {}
                _ => return None,
            }
        }
        Some(last)
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.open.pop();
    }

    /// Returns the path of the value that is being written.
    #[cold]
    pub(super) fn path(&self) -> Path {
        let step = |container: &OpenContainer<'v>| match container {
            OpenContainer::Array(members) => Step::Index(members.next.saturating_sub(1)),
            OpenContainer::Dictionary(entries) => {
                let position = (entries.count - entries.left.len()).saturating_sub(1);
                match (entries.key, entries.value) {
                    // The value has not been returned yet, so the key is being written.
                    (_, Some(_)) | (None, None) => Step::Key(position),
                    (Some(key), None) => key_step(position, key),
                }
            }
        };
        self.open.iter().map(step).collect()
    }
}
