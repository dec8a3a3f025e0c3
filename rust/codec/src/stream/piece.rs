//! What a stream gives, and the containers that it has entered.

use alloc::vec::Vec;

use crate::path::{Step, key_text};
use crate::types::container::ContainerHeader;
use crate::variant::ContainerType;
use crate::{Limits, Variant, VariantType};

/// A part of a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Piece {
    /// An array or a dictionary is entered.
    Begin {
        /// `Array`, `Dictionary`, or one of Pandemonium's typed arrays.
        variant_type: VariantType,
        /// The type of the elements or the keys.
        first_type: Option<ContainerType>,
        /// The type of a dictionary's values.
        second_type: Option<ContainerType>,
        /// Elements or entries announced. Nothing has to be reserved for them: they may never come.
        count: usize,
        /// Whether it is "shared", which only Godot 1 and 2 write.
        shared: bool,
    },
    /// The key of an entry; its value comes next, or is entered.
    Key(Variant),
    /// A member of an array, the value of an entry, or the whole value where it is not entered.
    Value(Variant),
    /// The container entered last is complete.
    End,
}

#[derive(Debug)]
pub(crate) struct OpenContainer {
    pub(crate) header: ContainerHeader,
    /// What a container of its type with one element or entry begins with, where it is typed. As long as its own
    /// beginning.
    pub(crate) for_one: Vec<u8>,
    /// Elements, or keys and values, that were read.
    pub(crate) read: usize,
    /// The key read last, for the path of an error.
    pub(crate) key: Option<Variant>,
    /// What reading `for_one` takes of the limits besides its member.
    pub(crate) overhead: Limits,
}

impl OpenContainer {
    pub(crate) fn is_complete(&self) -> bool {
        let entry = if self.header.is_dictionary() { 2 } else { 1 };
        self.read / entry == self.header.count
    }

    pub(crate) fn is_at_key(&self) -> bool {
        self.header.is_dictionary() && self.read.is_multiple_of(2)
    }

    pub(crate) fn step(&self) -> Step {
        match self.header.is_dictionary() {
            false => Step::Index(self.read),
            true if self.is_at_key() => Step::Key(self.read / 2),
            true => Step::Value(self.read / 2, self.key.as_ref().and_then(key_text)),
        }
    }
}
