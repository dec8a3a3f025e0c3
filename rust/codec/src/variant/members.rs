//! The members of a container, with an optional label.

use alloc::{boxed::Box, vec::Vec};
use core::mem;

use super::ContainerType;
use crate::VariantType;

/// The label of an array: what only typed and "shared" arrays have.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct ArrayLabel {
    /// The type of the array in a borrowed tree if it is not `Array`.
    pub(crate) variant_type: Option<VariantType>,
    pub(crate) element_type: Option<ContainerType>,
    pub(crate) shared: bool,
}

impl ArrayLabel {
    pub(super) const NONE: &Self = &Self { variant_type: None, element_type: None, shared: false };
}

/// The label of a dictionary: what only typed and "shared" dictionaries have.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct DictionaryLabel {
    pub(crate) key_type: Option<ContainerType>,
    pub(crate) value_type: Option<ContainerType>,
    pub(crate) shared: bool,
}

impl DictionaryLabel {
    pub(super) const NONE: &Self = &Self { key_type: None, value_type: None, shared: false };
}

/// Members with or without a label. A container without one is no larger than its members.
pub(super) enum Members<M, L> {
    Plain(Box<[M]>),
    Labelled(Box<(L, Box<[M]>)>),
}

impl<M, L: Default + PartialEq> Members<M, L> {
    pub(super) fn new(label: L, members: Box<[M]>) -> Self {
        if label == L::default() { Self::Plain(members) } else { Self::Labelled(Box::new((label, members))) }
    }

    #[inline]
    pub(super) fn label(&self) -> Option<&L> {
        match self {
            Self::Plain(_) => None,
            Self::Labelled(labelled) => Some(&labelled.0),
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[M] {
        match self {
            Self::Plain(members) => members,
            Self::Labelled(labelled) => &labelled.1,
        }
    }

    /// Returns the members of a container without a label.
    #[inline]
    pub(super) fn plain(&self) -> Option<&[M]> {
        match self {
            Self::Plain(members) => Some(members),
            Self::Labelled(_) => None,
        }
    }

    #[inline]
    pub(super) fn boxed_mut(&mut self) -> &mut Box<[M]> {
        match self {
            Self::Plain(members) => members,
            Self::Labelled(labelled) => &mut labelled.1,
        }
    }

    /// Takes out the members.
    #[inline]
    pub(super) fn take(&mut self) -> Box<[M]> {
        mem::take(self.boxed_mut())
    }

    pub(super) fn edit<R>(&mut self, edit: impl FnOnce(&mut Vec<M>) -> R) -> R {
        let mut members = self.take().into_vec();
        let result = edit(&mut members);
        *self.boxed_mut() = members.into_boxed_slice();
        result
    }
}

impl<M, L> Default for Members<M, L> {
    fn default() -> Self {
        Self::Plain(Box::default())
    }
}
