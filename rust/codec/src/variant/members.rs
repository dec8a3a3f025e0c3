//! The members of a container, and its label: what only typed and "shared" containers have.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

use crate::VariantType;

/// The type that a typed container declares for its members.
///
/// ```
/// use varbytes::VariantType;
/// use varbytes::variant::{Array, ContainerType, Dictionary};
///
/// // Array[Node]
/// let nodes = Array::with_type(Some(ContainerType::Class("Node".into())), vec![])?;
/// assert_eq!(nodes.element_type().unwrap().to_string(), "Node");
/// // Array[int]
/// let ints = Array::with_type(Some(ContainerType::Builtin(VariantType::Int)), vec![7.into()])?;
/// assert_eq!(ints.element_type().unwrap().to_string(), "int");
/// // Dictionary[String, Variant]
/// let string = Some(ContainerType::Builtin(VariantType::String));
/// let scores = Dictionary::with_types(string, None, vec![("Ada".into(), 7.into())])?;
/// assert_eq!((scores.key_type().unwrap().to_string(), scores.value_type()), ("String".to_owned(), None));
/// # Ok::<(), varbytes::variant::TypeMismatch>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

impl From<VariantType> for ContainerType {
    fn from(builtin: VariantType) -> Self {
        Self::Builtin(builtin)
    }
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
            ///
            /// [`ContainerType`] has an example.
            #[must_use]
            pub fn $name(&$this) -> Option<&ContainerType> {
                $label?.$name.as_ref()
            }
        )*

        /// Returns whether the container is "shared". Only Godot 1 and 2 have this flag.
        ///
        /// ```
        /// let array = varbytes::variant::Array::new().with_shared(true);
        /// assert!(array.is_shared());
        /// ```
        #[must_use]
        pub fn is_shared(&$this) -> bool {
            $label.is_some_and(|label| label.shared)
        }
    };
}
pub(super) use label_methods;

/// What only some containers of a kind have.
pub(super) trait Label: Clone + Default + PartialEq {
    /// Finds members without a search of all.
    type Index: Default;

    /// The most members without an index.
    const UNINDEXED: usize;
}

impl Label for ArrayLabel {
    type Index = ();

    const UNINDEXED: usize = usize::MAX;
}

/// Members, and whatever else the container has. One that has nothing else is no larger than its members.
pub(super) enum Members<M, L: Label> {
    Plain(Box<[M]>),
    Extended(Box<Extended<M, L>>),
}

/// A container with a label, with room for more members, or with so many that they are found by an index.
pub(super) struct Extended<M, L: Label> {
    label: L,
    /// Whether members may have been changed since their types were checked.
    is_changed: bool,
    pub(super) members: Vec<M>,
    pub(super) index: L::Index,
}

impl<M, L: Label> Members<M, L> {
    #[inline]
    pub(super) fn plain_or_indexed(members: Vec<M>) -> Self {
        if members.len() <= L::UNINDEXED {
            return Self::Plain(members.into_boxed_slice());
        }
        Self::extended(L::default(), members)
    }

    fn extended(label: L, members: Vec<M>) -> Self {
        Self::Extended(Box::new(Extended { label, is_changed: false, members, index: L::Index::default() }))
    }

    pub(super) fn new(label: L, members: Vec<M>) -> Self {
        if label == L::default() { Self::plain_or_indexed(members) } else { Self::extended(label, members) }
    }

    /// Returns other members with the same label.
    pub(super) fn with_members<N>(&self, members: Vec<N>) -> Members<N, L> {
        let mut members = Members::new(self.label().cloned().unwrap_or_default(), members);
        members.set_changed(self.is_changed());
        members
    }

    fn set_changed(&mut self, is_changed: bool) {
        if let Self::Extended(extended) = self {
            extended.is_changed = is_changed;
        }
    }

    /// Returns the label if it is not empty.
    #[inline]
    pub(super) fn label(&self) -> Option<&L> {
        match self {
            Self::Plain(_) => None,
            Self::Extended(extended) => (extended.label != L::default()).then_some(&extended.label),
        }
    }

    pub(super) fn edit_label(&mut self, edit: impl FnOnce(&mut L)) {
        let mut label = self.label().cloned().unwrap_or_default();
        edit(&mut label);
        let is_changed = self.is_changed();
        *self = Self::new(label, self.take());
        self.set_changed(is_changed);
    }

    /// Returns whether members may have been changed since their types were checked.
    pub(super) fn is_changed(&self) -> bool {
        matches!(self, Self::Extended(extended) if extended.is_changed)
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[M] {
        match self {
            Self::Plain(members) => members,
            Self::Extended(extended) => &extended.members,
        }
    }

    /// Returns the members of a container without a label.
    #[inline]
    pub(super) fn plain(&self) -> Option<&[M]> {
        match self {
            Self::Plain(members) => Some(members),
            Self::Extended(extended) => (extended.label == L::default()).then_some(&extended.members),
        }
    }

    /// Returns the members for any change but of their number. An index is rebuilt when it is needed again.
    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [M] {
        if let Self::Extended(extended) = self {
            extended.is_changed = true;
        }
        self.as_unchecked_mut_slice()
    }

    /// Returns the members for changes after which their types are not checked.
    #[inline]
    pub(super) fn as_unchecked_mut_slice(&mut self) -> &mut [M] {
        match self {
            Self::Plain(members) => members,
            Self::Extended(extended) => {
                extended.index = L::Index::default();
                &mut extended.members
            }
        }
    }

    /// Returns the members for changes that the index does not depend on.
    #[inline]
    pub(super) fn as_indexed_mut_slice(&mut self) -> &mut [M] {
        match self {
            Self::Plain(members) => members,
            Self::Extended(extended) => {
                extended.is_changed = true;
                &mut extended.members
            }
        }
    }

    /// Returns the members with their index, for changes that keep the index up to date.
    pub(super) fn extend(&mut self) -> &mut Extended<M, L> {
        if let Self::Plain(members) = self {
            *self = Self::extended(L::default(), mem::take(members).into_vec());
        }
        match self {
            Self::Extended(extended) => extended,
            Self::Plain(_) => unreachable!("a plain container was just extended"),
        }
    }

    pub(super) fn edit<R>(&mut self, edit: impl FnOnce(&mut Vec<M>) -> R) -> R {
        let extended = self.extend();
        extended.index = L::Index::default();
        extended.is_changed = true;
        edit(&mut extended.members)
    }

    #[inline]
    pub(super) fn take(&mut self) -> Vec<M> {
        match self {
            Self::Plain(members) => mem::take(members).into_vec(),
            Self::Extended(extended) => {
                extended.index = L::Index::default();
                extended.is_changed = false;
                mem::take(&mut extended.members)
            }
        }
    }
}

impl<M: Clone, L: Label> Clone for Members<M, L> {
    fn clone(&self) -> Self {
        self.with_members(self.as_slice().to_vec())
    }
}

impl<M, L: Label> Default for Members<M, L> {
    fn default() -> Self {
        Self::Plain(Box::default())
    }
}
