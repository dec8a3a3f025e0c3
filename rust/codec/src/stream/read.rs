//! The pieces that a stream decoder returns, and how they are decoded.

use alloc::vec::Vec;

use super::StreamDecoder;
use crate::build::owned::TreeBuilder;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::options::ReadOptions;
use crate::path::Step;
use crate::read::machine::Reader;
use crate::types::container::ContainerHeader;
use crate::variant::ContainerType;
use crate::wire::WORD;
use crate::{Limits, Variant, VariantType};

/// A part of a value, returned by [`StreamDecoder::next`](super::StreamDecoder::next).
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
    /// What reading `single_member_header` costs of the limits.
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
            true => Step::to_entry(self.read, self.key.as_ref()),
        }
    }
}

/// The memory limit for measuring the cost of a container header. No header costs as much.
const MEASURING_LIMIT: usize = usize::MAX / 4;

impl StreamDecoder {
    /// Reads the header of a container that is entered, or a whole value.
    pub(crate) fn read_more(&mut self) -> Result<(), DecodeError> {
        self.check_depth()?;
        let bytes = self.available();
        let at_key = self.open.last().is_some_and(OpenContainer::is_at_key);
        if self.enters()
            && let Some(header) = ContainerHeader::read(bytes, self.decoder.options())?
        {
            return self.enter(header);
        }
        if self.is_typed() {
            return self.read_typed();
        }
        let (value, consumed, left) = self.decode(bytes, self.open.len(), self.left)?;
        self.read += consumed;
        self.left = left;
        self.finish_member(at_key.then(|| value.clone()));
        self.ready.push_back(if at_key { Piece::Key(value) } else { Piece::Value(value) });
        Ok(())
    }

    fn enter(&mut self, header: ContainerHeader) -> Result<(), DecodeError> {
        let bytes = self.available();
        let each = if header.is_dictionary() { 2 } else { 1 };
        let at_count = header.length - WORD;
        if let Some(most) = self.remaining()
            && header.count.saturating_mul(each * WORD) > most - header.length
        {
            let count = u32::try_from(header.count).unwrap_or(u32::MAX);
            let kind = DecodeErrorKind::CountExceedsInput { count, available: most - header.length };
            return Err(DecodeError::new(kind, at_count));
        }
        let limits = self.decoder.options().limits;
        let members = each * header.count;
        let Some(values) = self.left.values.checked_sub(members) else {
            return Err(DecodeError::new(DecodeErrorKind::ValueLimit { limit: limits.values }, at_count));
        };
        // The memory is charged with each member. A count that exceeds the limit is refused now.
        if members.saturating_mul(size_of::<Variant>()) > self.left.memory {
            return Err(DecodeError::new(DecodeErrorKind::MemoryLimit { limit: limits.memory }, at_count));
        }
        let (mut single_member_header, mut overhead) = (Vec::new(), Limits { memory: 0, values: 0, ..Limits::NONE });
        if header.is_typed() {
            let empty_header = header.for_count(bytes, 0);
            let (_, _, left) =
                self.decode(&empty_header, self.open.len(), Limits { memory: MEASURING_LIMIT, ..Limits::NONE })?;
            overhead.memory = MEASURING_LIMIT - left.memory;
            overhead.values = each;
            single_member_header = header.for_count(bytes, 1);
        }
        self.left.values = values;
        self.read += header.length;
        self.ready.push_back(Piece::Begin {
            variant_type: header.variant_type,
            first_type: header.first_type.clone(),
            second_type: header.second_type.clone(),
            count: header.count,
            shared: header.shared,
        });
        self.open.push(OpenContainer { header, single_member_header, read: 0, key: None, overhead });
        Ok(())
    }

    /// Reads the next element or entry as the only one of a container of the same type, which converts or drops it.
    fn read_typed(&mut self) -> Result<(), DecodeError> {
        let Some(container) = self.open.last() else { return Ok(()) };
        // The header overwrites consumed bytes before the member. There are enough: at least its own header.
        let length = container.single_member_header.len();
        let (start, end) = (self.read - length, self.read + self.available().len());
        let overhead = container.overhead;
        self.bytes[start..self.read].copy_from_slice(&container.single_member_header);
        let with_overhead = Limits {
            memory: self.left.memory.saturating_add(overhead.memory),
            values: self.left.values.saturating_add(overhead.values),
            ..self.left
        };
        let decoded = self.decode(&self.bytes[start..end], self.open.len() - 1, with_overhead);
        let (value, consumed, left) = decoded.map_err(|error| {
            // An error cannot be before the member, because the header is valid.
            let offset = error.offset().saturating_sub(length);
            error.with_offset(offset)
        })?;
        self.read += consumed - length;
        self.left = left;
        match value {
            Variant::Dictionary(entries) => {
                for (key, value) in entries.into_entries() {
                    self.ready.extend([Piece::Key(key), Piece::Value(value)]);
                }
                self.finish_member(None);
                self.finish_member(None);
            }
            Variant::Array(elements) | Variant::TypedArray(elements) | Variant::PackedTypedArray(elements) => {
                self.ready.extend(elements.into_elements().into_iter().map(Piece::Value));
                self.finish_member(None);
            }
            _ => {}
        }
        Ok(())
    }

    /// Decodes the value at the start of `bytes`, inside of `depth` containers. Returns the value, its length, and what
    /// is left of the limits.
    fn decode(&self, bytes: &[u8], depth: usize, limits: Limits) -> Result<(Variant, usize, Limits), DecodeError> {
        let depth = self.decoder.options().greatest_depth().saturating_sub(depth);
        let limits = Limits { depth, ..limits };
        let options = ReadOptions { limits, ..*self.decoder.options() };
        let mut tree = TreeBuilder;
        let mut reader = Reader::new(bytes, &options, &mut tree);
        let (value, used) = reader.read().map_err(|error| {
            // The decoder reports the exact offset of an error.
            let exact = self.decoder.limits(limits).decode_prefix(bytes).err();
            self.with_whole_limits(exact.unwrap_or(error))
        })?;
        // Missing padding may not have arrived yet.
        if used > bytes.len() && !self.ended && self.remaining().is_none_or(|most| most > self.available().len()) {
            let kind = DecodeErrorKind::Truncated { needed: used - bytes.len(), available: 0 };
            return Err(DecodeError::new(kind, bytes.len()));
        }
        Ok((value, used.min(bytes.len()), reader.input.limits_left()))
    }

    /// Returns the error with the limits of the whole value instead of the rest of them.
    pub(crate) fn with_whole_limits(&self, error: DecodeError) -> DecodeError {
        let limits = self.decoder.options().limits;
        let kind = match error.kind() {
            DecodeErrorKind::DepthLimit { .. } => {
                DecodeErrorKind::DepthLimit { limit: self.decoder.options().greatest_depth() }
            }
            DecodeErrorKind::MemoryLimit { .. } => DecodeErrorKind::MemoryLimit { limit: limits.memory },
            DecodeErrorKind::ValueLimit { .. } => DecodeErrorKind::ValueLimit { limit: limits.values },
            DecodeErrorKind::ElementLimit { .. } => DecodeErrorKind::ElementLimit { limit: limits.packed_elements },
            _ => return error,
        };
        DecodeError::new(kind, error.offset()).with_path(error.path().clone())
    }
}
