//! The pieces that a stream decoder returns, and the containers that it has entered.

use alloc::vec::Vec;

use crate::path::Step;
use crate::types::container::ContainerHeader;
use crate::variant::ContainerType;
use crate::{Variant, VariantType};

/// A part of a value, returned by [`StreamDecoder::next`](super::StreamDecoder::next).
///
/// ```
/// use varbytes::stream::{Piece, StreamDecoder};
/// use varbytes::{Decoder, variant};
///
/// let mut stream = StreamDecoder::new(Decoder::new(), 1);
/// stream.feed(&varbytes::encode(&variant!({"hp": 7}))?);
/// assert!(matches!(stream.next()?, Some(Piece::Begin { count: 1, .. })));
/// assert_eq!(stream.next()?, Some(Piece::Key("hp".into())));
/// assert_eq!(stream.next()?, Some(Piece::Value(7.into())));
/// assert_eq!(stream.next()?, Some(Piece::End));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Piece {
    /// The start of an array or a dictionary that is entered.
    Begin {
        /// `Array`, `Dictionary`, or one of Pandemonium's typed arrays.
        variant_type: VariantType,
        /// The type of the elements or the keys.
        first_type: Option<ContainerType>,
        /// The type of a dictionary's values.
        second_type: Option<ContainerType>,
        /// The number of elements or entries that the header declares. Do not reserve memory for them: the input may
        /// end earlier.
        count: usize,
        /// Whether the container is "shared". Only Godot 1 and 2 write such containers.
        shared: bool,
    },
    /// The key of an entry. The next piece is its value, or the start of its value.
    Key(Variant),
    /// A member of an array, the value of an entry, or a whole value that is not entered.
    Value(Variant),
    /// The end of the innermost container.
    End,
}

#[derive(Debug)]
pub(crate) struct OpenContainer {
    pub(crate) header: ContainerHeader,
    /// For a typed container, the header of a container of the same type with one element or entry. As long as its own
    /// header. Otherwise empty.
    pub(crate) single_member_header: Vec<u8>,
    /// The number of elements, or of keys and values, that were read.
    pub(crate) read: usize,
    /// The key read last, for the path of an error.
    pub(crate) key: Option<Variant>,
}

impl OpenContainer {
    pub(crate) fn is_complete(&self) -> bool {
        self.read / self.header.values_of_member() == self.header.count
    }

    pub(crate) fn is_at_key(&self) -> bool {
        self.header.is_dictionary() && self.read.is_multiple_of(2)
    }

    pub(crate) fn step(&self) -> Step {
        if self.header.is_dictionary() { Step::to_entry(self.read, self.key.as_ref()) } else { Step::Index(self.read) }
    }
}
