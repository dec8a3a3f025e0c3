//! Decoding the pieces of a stream.

use alloc::vec::Vec;

use super::{OpenContainer, Piece, StreamDecoder};
use crate::build::owned::TreeBuilder;
use crate::decoder::Decoded;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::read::machine::NAME_KEY;
use crate::types::container::ContainerHeader;
use crate::wire::WORD;
use crate::{Limits, Variant};

impl StreamDecoder {
    /// Reads the header of a container that is entered, or a whole value.
    pub(crate) fn read_more(&mut self) -> Result<(), DecodeError> {
        let bytes = self.available();
        let at_key = self.open.last().is_some_and(OpenContainer::is_at_key);
        if self.enters()
            && let Some(header) = ContainerHeader::read(bytes, &self.decoder.options)?
        {
            return self.enter(header);
        }
        if self.is_typed() {
            return self.read_typed();
        }
        let (mut value, consumed, left) = self.decode(bytes, self.open.len(), self.left)?;
        if at_key
            && let Variant::StringName(name) = &value
            && !self.decoder.options.profile.keeps_name_keys()
        {
            if self.decoder.options.strict {
                return Err(DecodeError::new(DecodeErrorKind::NotCanonical { reason: NAME_KEY }, 0));
            }
            value = Variant::String((**name).clone());
        }
        self.read += consumed;
        self.left = left;
        self.finish_member(at_key.then(|| value.clone()));
        self.ready.push_back(if at_key { Piece::Key(value) } else { Piece::Value(value) });
        Ok(())
    }

    fn enter(&mut self, header: ContainerHeader) -> Result<(), DecodeError> {
        let bytes = self.available();
        let members = header.count.saturating_mul(header.values_of_member());
        let at_count = header.length - WORD;
        if let Some(most) = self.most()
            && members.saturating_mul(WORD) > most - header.length
        {
            let count = u32::try_from(header.count).unwrap_or(u32::MAX);
            let kind = DecodeErrorKind::CountExceedsInput { count, available: most - header.length };
            return Err(DecodeError::new(kind, at_count));
        }
        let limits = self.decoder.options.limits;
        let Some(values) = self.left.values.checked_sub(members) else {
            return Err(DecodeError::new(DecodeErrorKind::ValueLimit { limit: limits.values }, at_count));
        };
        // The memory is charged with each member. A count that exceeds the limit is refused now.
        if members.saturating_mul(size_of::<Variant>()) > self.left.memory {
            return Err(DecodeError::new(DecodeErrorKind::MemoryLimit { limit: limits.memory }, at_count));
        }
        let single_member_header = if header.is_typed() { header.for_one(bytes) } else { Vec::new() };
        self.left.values = values;
        self.read += header.length;
        self.ready.push_back(Piece::Begin {
            variant_type: header.variant_type,
            first_type: header.first_type.clone(),
            second_type: header.second_type.clone(),
            count: header.count,
            shared: header.shared,
        });
        self.open.push(OpenContainer { header, single_member_header, read: 0, key: None });
        Ok(())
    }

    /// Reads the next element or entry as the only one of a container of the same type, which converts or drops it.
    fn read_typed(&mut self) -> Result<(), DecodeError> {
        let Some(container) = self.open.last() else { return Ok(()) };
        // The header overwrites consumed bytes before the member. There are enough: at least its own header.
        let length = container.single_member_header.len();
        let (start, end) = (self.read - length, self.read + self.available().len());
        let with_overhead = Limits {
            memory: self.left.memory.saturating_add(container.header.memory),
            values: self.left.values.saturating_add(container.header.values_of_member()),
            ..self.left
        };
        self.bytes[start..self.read].copy_from_slice(&container.single_member_header);
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
        let depth = self.decoder.options.greatest_depth().saturating_sub(depth);
        let decoder = self.decoder.limits(Limits { depth, ..limits });
        let decoded = decoder.run_within_limits(bytes, &mut TreeBuilder);
        let (Decoded { value, consumed, used }, left) =
            decoded.map_err(|error| self.decoder.options.with_whole_limits(error))?;
        // Missing padding may not have arrived yet.
        if used > bytes.len() && !self.ended && self.most().is_none_or(|most| most > self.available().len()) {
            let kind = DecodeErrorKind::Truncated { needed: used - bytes.len(), available: 0 };
            return Err(DecodeError::new(kind, bytes.len()));
        }
        Ok((value, consumed, left))
    }
}
