//! Members whose type differs from the declared type of their container: converting or dropping them, and the memory
//! that takes.

use crate::build::builder::{Builder, DuplicateKeys};
use crate::coerce::member::Fit;
use crate::coerce::{length_of_members, node_path};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::limits::Limits;
use crate::options::ReadOptions;
use crate::read::cursor::Cursor;
use crate::read::input::{Input, Item};
use crate::types::container::{ContainerHeader, Members};
use crate::variant::{KeyContext, element_size};
use crate::wire::{FLAG_WIDE, WORD, padded};
use crate::{Precision, VariantType};

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Converts a member that does not fit its container's type and charges for the result, or drops it. Returns
    /// whether it is kept.
    #[cold]
    pub(crate) fn coerce_or_drop(
        &mut self,
        mut item: Item<B::Value>,
        fit: Fit,
        members: &Members,
        is_key: bool,
    ) -> Result<(Item<B::Value>, bool), DecodeError> {
        self.require(false, item.start, fit.reason())?;
        let level = members.level();
        let of_source = members.memory_left.saturating_sub(self.memory_for_values());
        let Fit::Coerces(to, rule) = fit else {
            if B::DUPLICATE_KEYS == DuplicateKeys::Restarted {
                return Err(DecodeError::new(DecodeErrorKind::NeedsTree, item.start));
            }
            self.memory += of_source;
            return Ok((item, false));
        };
        // A borrowed value is copied first: its slots, and at most its bytes.
        let of_copy = match const { B::COSTS.text_byte < B::COERCED_COSTS.text_byte } {
            true => of_source + (self.cursor.position() - item.start),
            false => 0,
        };
        self.charge(of_copy, 0).map_err(|error| error.with_offset(item.start))?;
        item.value = B::detach(item.value);
        self.charge_coercion(&item, to)?;
        let converted = self.builder.coerce(item.value, to, rule, self.options.build());
        item.value = converted.map_err(DecodeError::at(item.start))?;
        item.variant_type = to;
        // The source value and its copy have been freed.
        self.memory += of_source + of_copy;
        if let Some(tree) = B::as_variant(&item.value) {
            let context = if is_key { KeyContext::Key } else { KeyContext::in_container(level) };
            item.hash = self.hasher.tree((&*tree).into(), context, level + 1);
        }
        Ok((item, true))
    }

    /// Charges for the memory that a converted member takes besides its slot.
    fn charge_coercion(&mut self, item: &Item<B::Value>, to: VariantType) -> Result<(), DecodeError> {
        let source = self.cursor.at(item.start);
        let length = self.cursor.position() - item.start;
        let costs = &B::COERCED_COSTS;
        let cost = match (item.variant_type, to) {
            (packed, VariantType::Array) => {
                let mut source = source.clone();
                let header = source.u32()?;
                // The engine accepts a negative count only for strings, and reads it as 0.
                let count = usize::try_from(source.u32()?.cast_signed()).unwrap_or(0);
                self.charge_at(item.start, costs.array, count)?;
                let wide = header & FLAG_WIDE != 0 && self.options.precision != Some(Precision::Single);
                let text = match packed {
                    VariantType::PackedStringArray => costs.text(length) + count.saturating_mul(costs.string),
                    _ => 0,
                };
                let components = packed.packed_element().map_or(0, VariantType::real_components);
                count.saturating_mul(costs.value + costs.reals(components, wide)).saturating_add(text)
            }
            (_, VariantType::PackedStringArray) => {
                let count = self.charge_members(&source)?;
                let tree = B::as_variant(&item.value);
                let text = tree.map_or(Ok(0), |tree| length_of_members(&tree, self.options.build()));
                let text = text.map_err(DecodeError::at(item.start))?;
                count.saturating_mul(costs.packed_string).saturating_add(costs.text(text)) + costs.packed_array
            }
            (VariantType::Array, packed) => {
                let count = self.charge_members(&source)?;
                // The result has components of 8 bytes if any member has them.
                let wide =
                    self.options.profile.has_double_precision() && self.options.precision != Some(Precision::Single);
                let bytes = count.saturating_mul(element_size(packed, wide));
                bytes.saturating_mul(costs.packed_byte).saturating_add(costs.packed_array)
            }
            (VariantType::NodePath, VariantType::String) => {
                costs.text(self.length_of_path(source.clone())?).saturating_add(costs.string)
            }
            (_, VariantType::String) => costs.text(length).saturating_add(costs.string),
            (_, VariantType::StringName) => costs.text(length).saturating_add(costs.string_name),
            (_, VariantType::NodePath) => {
                let names = node_path::most_names(self.last_text);
                let text = costs.text(length).saturating_add(costs.node_path);
                names.saturating_mul(costs.name).saturating_add(text)
            }
            (from, _) => {
                let keeps_wide = from.real_components() > 0 && source.clone().u32()? & FLAG_WIDE != 0;
                let wide = self.options.precision.map_or(keeps_wide, |precision| precision == Precision::Double);
                costs.reals(to.real_components(), wide)
            }
        };
        self.charge_at(item.start, cost, 0)
    }

    /// Returns the maximum number of bytes of a path as text.
    fn length_of_path(&self, mut source: Cursor<'a>) -> Result<usize, DecodeError> {
        let end = self.cursor.position();
        source.advance(4 * WORD);
        let mut length = 1;
        while source.position() < end {
            let name = source.u32()? as usize;
            source.take(padded(name))?;
            length += name + 1;
        }
        Ok(length)
    }

    fn charge_at(&mut self, start: usize, memory: usize, values: usize) -> Result<(), DecodeError> {
        self.charge(memory, values).map_err(|error| error.with_offset(start))
    }

    /// Charges for the members of an array as elements, and returns their number.
    fn charge_members(&mut self, source: &Cursor<'a>) -> Result<usize, DecodeError> {
        let options = ReadOptions { strict: false, limits: Limits::NONE, ..*self.options };
        let count = ContainerHeader::read(source.rest(0), &options)?.map_or(0, |header| header.count);
        self.charge_elements(count)?;
        Ok(count)
    }
}
