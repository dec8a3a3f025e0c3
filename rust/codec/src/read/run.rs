//! Reads consecutive elements of one type of fixed size together.

use crate::build::builder::Builder;
use crate::build::run::{Fixed, FixedRun};
use crate::coerce::member::Member;
use crate::error::DecodeError;
use crate::profile::ObjectForms;
use crate::read::input::Input;
use crate::types::container::Members;
use crate::wire::{FLAG_OBJECT_ID, WORD};
use crate::{VariantType, work};

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Reads consecutive nulls, ids of objects, or elements of one type whose values are 4-byte reals or integers, for a builder
    /// that takes them together. Returns whether there was one. The fast path leaves all that is unusual to the slow path.
    #[inline(never)]
    pub(crate) fn read_run(
        &mut self,
        array: &mut B::Array,
        members: &mut Members,
        member: Member,
    ) -> Result<bool, DecodeError> {
        let header = self.cursor.window().header();
        let Some(Fixed { variant_type, size, cost, .. }) = self.fixed(header) else { return Ok(false) };
        let size = WORD + size;
        let are_ids = variant_type == VariantType::Object;
        if are_ids && member != Member::Any {
            return Ok(false);
        }
        let affordable = self.memory.checked_div(cost).unwrap_or(usize::MAX);
        let most = (members.count - members.read).min(affordable);
        let rest = self.cursor.rest(0);
        let is_usual = |member: &&[u8]| {
            // The id 0 is null.
            let is_null = are_ids && member[WORD..] == [0; 2 * WORD];
            member.first_chunk().is_some_and(|found| u32::from_le_bytes(*found) == header) && !is_null
        };
        let count = rest.chunks_exact(size).take(most).take_while(is_usual).count();
        if count == 0 {
            return Ok(false);
        }
        let start = self.cursor.position();
        work::add(count);
        self.memory -= count * cost;
        self.cursor.advance(count * size);
        let run = FixedRun::new(variant_type, &rest[..count * size], size);
        self.builder.push_run(array, run).map_err(DecodeError::at(start))?;
        members.read += count;
        Ok(true)
    }

    /// Reads a value that consists of several numbers of 4 bytes, if it is one, is complete and does not exceed a limit. Returns its
    /// type and the bytes after its header.
    #[inline(never)]
    pub(crate) fn take_numbers(&mut self) -> Option<(VariantType, &'a [u8])> {
        let fixed = self.fixed(self.cursor.window().header())?;
        if matches!(fixed.variant_type, VariantType::Nil | VariantType::RID | VariantType::Object) {
            return None;
        }
        self.last_fixed = fixed;
        self.take_numbers_of_last_type()
    }

    /// Reads such a value, if it has the type of the last one.
    #[inline(always)]
    pub(crate) fn take_numbers_of_last_type(&mut self) -> Option<(VariantType, &'a [u8])> {
        let Fixed { header, variant_type, size, cost } = self.last_fixed;
        if header != self.cursor.window().header() {
            return None;
        }
        let numbers = self.cursor.rest(WORD).get(..size)?;
        self.memory = self.memory.checked_sub(cost)?;
        self.cursor.advance(WORD + size);
        Some((variant_type, numbers))
    }

    /// Returns what is known of a value with this header, if that is the usual header of a type whose values have one size.
    #[inline(always)]
    fn fixed(&self, header: u32) -> Option<Fixed> {
        match self.options.profile.numbers_of_header(header) {
            Some((variant_type, count)) => {
                let reals = variant_type.real_components();
                let cost = if reals > 0 { const { B::COSTS }.reals(reals, false) } else { 0 };
                Some(Fixed { header, variant_type, size: count * WORD, cost })
            }
            None => self.other_fixed(header),
        }
    }

    /// Returns the same for values that consist of other than several numbers.
    #[inline(never)]
    fn other_fixed(&self, header: u32) -> Option<Fixed> {
        let profile = self.options.profile;
        let variant_type = profile.type_of_header(header)?;
        let (size, cost, flags) = match variant_type {
            VariantType::Nil => (0, 0, 0),
            VariantType::RID if profile.has_rid_payload() => (2 * WORD, 0, 0),
            VariantType::Object if profile.objects() != ObjectForms::HeaderAlone => {
                (2 * WORD, const { B::COSTS.object_id }, FLAG_OBJECT_ID)
            }
            _ => return None,
        };
        let usual = profile.type_id(variant_type).map(|id| u32::from(id) | flags);
        (usual == Some(header)).then_some(Fixed { header, variant_type, size, cost })
    }
}
