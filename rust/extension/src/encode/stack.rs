//! The stack of open containers while a value is written.

use std::slice::Iter;

use godot::builtin::Variant;
use varbytes::{Path, Stack, Step};

use super::leaf::key_step;
use crate::raw::Entries;

/// Levels stored without an allocation. Most values are nested less deep.
const INLINE: usize = 8;

/// The open containers, innermost last.
pub(super) struct ContainerStack<'v>(Stack<OpenContainer<'v>, [Option<OpenContainer<'v>>; INLINE]>);

/// An open container.
pub(super) enum OpenContainer<'v> {
    Array(ArrayMembers<'v>),
    Dictionary(DictionaryEntries<'v>),
}

/// The members of an Array that have not been written yet.
pub(super) struct ArrayMembers<'v> {
    left: Iter<'v, Variant>,
    count: usize,
}

/// The entries of a Dictionary that have not been written yet.
pub(super) struct DictionaryEntries<'v> {
    left: Entries<'v>,
    count: usize,
    key: Option<&'v Variant>,
    value: Option<&'v Variant>,
}

impl<'v> Iterator for ArrayMembers<'v> {
    type Item = &'v Variant;

    #[inline]
    fn next(&mut self) -> Option<&'v Variant> {
        self.left.next()
    }
}

impl<'v> DictionaryEntries<'v> {
    /// Returns the next key, or the value after it.
    #[inline]
    pub(super) fn next_part(&mut self) -> Option<&'v Variant> {
        if let Some(value) = self.value.take() {
            return Some(value);
        }
        let (key, value) = self.left.next()?;
        self.key = Some(key);
        self.value = Some(value);
        Some(key)
    }
}

impl<'v> ContainerStack<'v> {
    pub(super) fn new() -> Self {
        Self(Stack::new([const { None }; INLINE]))
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(super) fn last_mut(&mut self) -> Option<&mut OpenContainer<'v>> {
        self.0.last_mut()
    }

    pub(super) fn push_array(&mut self, members: &'v [Variant]) {
        self.0.push(OpenContainer::Array(ArrayMembers { left: members.iter(), count: members.len() }));
    }

    pub(super) fn push_dictionary(&mut self, entries: Entries<'v>) {
        let count = entries.len();
        self.0.push(OpenContainer::Dictionary(DictionaryEntries { left: entries, count, key: None, value: None }));
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// Returns the path of the value that is being written.
    #[cold]
    pub(super) fn path(&self) -> Path {
        let step = |container: &OpenContainer<'v>| match container {
            OpenContainer::Array(members) => Step::Index((members.count - members.left.len()).saturating_sub(1)),
            OpenContainer::Dictionary(entries) => {
                let position = (entries.count - entries.left.len()).saturating_sub(1);
                match (entries.key, entries.value) {
                    // The value has not been returned yet, so the key is being written.
                    (_, Some(_)) | (None, None) => Step::Key(position),
                    (Some(key), None) => key_step(position, key),
                }
            }
        };
        self.0.iter().map(step).collect()
    }
}
