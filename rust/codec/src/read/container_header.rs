//! The beginning of a container, up to its count.

use alloc::vec::Vec;

use crate::VariantType;
use crate::build::builder::Builder;
use crate::build::owned::TreeBuilder;
use crate::error::DecodeError;
use crate::options::ReadOptions;
use crate::read::machine::Reader;
use crate::variant::ContainerType;
use crate::wire::{FLAG_OBJECT_ID, TYPE_MASK, WORD};

/// What the beginning of an array or a dictionary says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    pub(crate) variant_type: VariantType,
    /// Of the elements or the keys.
    pub(crate) first_type: Option<ContainerType>,
    /// Of the values.
    pub(crate) second_type: Option<ContainerType>,
    /// Elements or entries, as many as are announced.
    pub(crate) count: usize,
    pub(crate) shared: bool,
    /// Bytes it takes.
    pub(crate) length: usize,
}

impl Opening {
    /// The beginning of the array or dictionary that `bytes` begin with; `None` where another value is there.
    pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Option<Self>, DecodeError> {
        Reader::new(bytes, options, &mut TreeBuilder).read_opening()
    }

    /// The same beginning for a container of so many elements or entries.
    pub(crate) fn for_count(&self, bytes: &[u8], count: u32) -> Vec<u8> {
        [&bytes[..self.length - WORD], &count.to_le_bytes()].concat()
    }

    pub(crate) fn is_dictionary(&self) -> bool {
        self.variant_type == VariantType::Dictionary
    }

    pub(crate) fn is_typed(&self) -> bool {
        self.first_type.is_some() || self.second_type.is_some()
    }
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    fn read_opening(&mut self) -> Result<Option<Opening>, DecodeError> {
        let header = self.cursor.u32()?;
        let Some(variant_type) = self.options.profile.type_of_header(header) else { return Ok(None) };
        let flags = header & !TYPE_MASK;
        let (first_type, second_type) = match variant_type {
            VariantType::Array => (self.read_array_type(flags)?, None),
            VariantType::Dictionary => self.read_dictionary_types(flags)?,
            VariantType::TypedArray | VariantType::PackedTypedArray => {
                (self.read_element_type(flags & FLAG_OBJECT_ID != 0)?, None)
            }
            _ => return Ok(None),
        };
        if self.options.strict {
            self.check_header(variant_type, header, 0)?;
        }
        let (count, shared) = self.read_announced_count()?;
        let count = count as usize;
        Ok(Some(Opening { variant_type, first_type, second_type, count, shared, length: self.cursor.position() }))
    }
}
