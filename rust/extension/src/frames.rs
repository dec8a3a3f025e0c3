//! The containers that are open while a value is written.

use std::slice::Iter;

use godot::builtin::Variant;
use varbytes::{Path, Step};

use crate::encode::key_step;
use crate::raw::Entries;

/// Levels kept without an allocation. Most real values nest less deep.
const INLINE: usize = 8;

/// The open containers, innermost last.
pub(crate) struct Frames<'v> {
    inline: [Option<Frame<'v>>; INLINE],
    len: usize,
    spilled: Vec<Frame<'v>>,
}

/// An open container.
pub(crate) enum Frame<'v> {
    Array(Members<'v>),
    Dictionary(Pairs<'v>),
}

/// The members of an Array that are still to be written.
pub(crate) struct Members<'v> {
    left: Iter<'v, Variant>,
    count: usize,
}

/// The entries of a Dictionary that are still to be written.
pub(crate) struct Pairs<'v> {
    entries: Entries<'v>,
    count: usize,
    key: Option<&'v Variant>,
    value: Option<&'v Variant>,
}

impl<'v> Iterator for Members<'v> {
    type Item = &'v Variant;

    #[inline]
    fn next(&mut self) -> Option<&'v Variant> {
        self.left.next()
    }
}

impl<'v> Pairs<'v> {
    /// The next key, or the value after it.
    #[inline]
    pub(crate) fn next_part(&mut self) -> Option<&'v Variant> {
        if let Some(value) = self.value.take() {
            return Some(value);
        }
        let (key, value) = self.entries.next()?;
        self.key = Some(key);
        self.value = Some(value);
        Some(key)
    }
}

impl<'v> Frames<'v> {
    pub(crate) fn new() -> Self {
        Self { inline: [const { None }; INLINE], len: 0, spilled: Vec::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut Frame<'v>> {
        match self.len.checked_sub(1)? {
            last if last < INLINE => self.inline[last].as_mut(),
            _ => self.spilled.last_mut(),
        }
    }

    pub(crate) fn push_array(&mut self, members: &'v [Variant]) {
        self.push(Frame::Array(Members { left: members.iter(), count: members.len() }));
    }

    pub(crate) fn push_dictionary(&mut self, entries: Entries<'v>) {
        let count = entries.len();
        self.push(Frame::Dictionary(Pairs { entries, count, key: None, value: None }));
    }

    #[inline]
    fn push(&mut self, frame: Frame<'v>) {
        if self.len < INLINE {
            self.inline[self.len] = Some(frame)
        } else {
            self.spilled.push(frame)
        }
        self.len += 1;
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.len -= 1;
        if self.len >= INLINE {
            self.spilled.pop();
        }
    }

    /// The steps to the value being written.
    #[cold]
    pub(crate) fn path(&self) -> Path {
        let step = |frame: &Frame<'v>| match frame {
            Frame::Array(members) => Step::Index((members.count - members.left.len()).saturating_sub(1)),
            Frame::Dictionary(pairs) => {
                let position = (pairs.count - pairs.entries.len()).saturating_sub(1);
                match (pairs.key, pairs.value) {
                    // The value is yet to come, so it is the key that is being written.
                    (_, Some(_)) | (None, None) => Step::Key(position),
                    (Some(key), None) => key_step(position, key),
                }
            }
        };
        self.inline.iter().take(self.len).flatten().chain(&self.spilled).map(step).collect()
    }
}
