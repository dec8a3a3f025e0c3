//! The members of a container, and its label: what only typed and "shared" containers have.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

use crate::VariantType;

/// The type that a typed container declares for its members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ContainerType {
    /// A built-in type. [`VariantType::Object`] is an object type without a class name.
    Builtin(VariantType),
    /// Objects of a native class.
    Class(String),
    /// Objects with a script, identified by its `res://` path.
    Script(String),
    /// A type id that does not exist. Pandemonium 5 keeps it as the element type of a typed array; no value has this
    /// type.
    Unknown(u32),
}

#[derive(Clone, Default, PartialEq)]
pub(crate) struct ArrayLabel {
    /// The type of the array in a borrowed tree if it is not `Array`.
    pub(crate) variant_type: Option<VariantType>,
    pub(crate) element_type: Option<ContainerType>,
    pub(crate) shared: bool,
}

#[derive(Clone, Default, PartialEq)]
pub(crate) struct DictionaryLabel {
    pub(crate) key_type: Option<ContainerType>,
    pub(crate) value_type: Option<ContainerType>,
    pub(crate) shared: bool,
}

/// Declares the methods of a container, owned or borrowed, that read its label.
macro_rules! label_methods {
    ($this:ident => $label:expr; $($name:ident = $members:literal),*) => {
        $(
            #[doc = concat!("Returns the type of the ", $members, ", `None` if they are untyped.")]
            #[must_use]
            pub fn $name(&$this) -> Option<&ContainerType> {
                $label?.$name.as_ref()
            }
        )*

        /// Returns whether the container is "shared". Only Godot 1 and 2 have this flag.
        #[must_use]
        pub fn is_shared(&$this) -> bool {
            $label.is_some_and(|label| label.shared)
        }
    };
}
pub(super) use label_methods;

/// Members with or without a label, always without one that is empty. A container without one is no larger than its members.
#[derive(Clone, PartialEq)]
pub(super) enum Members<M, L> {
    Plain(Box<[M]>),
    Labelled(Box<(L, Box<[M]>)>),
}

impl<M, L: Clone + Default + PartialEq> Members<M, L> {
    pub(super) fn new(label: L, members: impl Into<Box<[M]>>) -> Self {
        let members = members.into();
        if label == L::default() { Self::Plain(members) } else { Self::Labelled(Box::new((label, members))) }
    }

    /// Returns other members with the same label.
    pub(super) fn with_members<N>(&self, members: Vec<N>) -> Members<N, L> {
        Members::new(self.label().cloned().unwrap_or_default(), members)
    }

    #[inline]
    pub(super) fn label(&self) -> Option<&L> {
        match self {
            Self::Plain(_) => None,
            Self::Labelled(labelled) => Some(&labelled.0),
        }
    }

    pub(super) fn edit_label(&mut self, edit: impl FnOnce(&mut L)) {
        let mut label = self.label().cloned().unwrap_or_default();
        edit(&mut label);
        *self = Self::new(label, self.take());
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
