//! `Array`, and the typed arrays of Pandemonium.

use alloc::boxed::Box;

use crate::VariantType;
use crate::build::builder::Builder;
use crate::coerce::member::{Fit, Member};
use crate::error::{DecodeError, EncodeErrorKind};
use crate::read::input::{Input, Item};
use crate::types::container::member_hashes;
use crate::types::member::drop_member;
use crate::variant::{ContainerHash, ContainerType, KeyContext};
use crate::wire::{FIRST_KIND_SHIFT, FLAG_OBJECT_ID, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// An array whose members are being read.
pub(crate) struct ArrayFrame<'a, B: Builder<'a>> {
    pub(crate) array: B::Array,
    pub(crate) member: Member,
    pub(crate) count: usize,
    pub(crate) read: usize,
    start: usize,
    /// The memory that was left before the current member. Maintained only if members are converted.
    pub(crate) memory_left: usize,
    /// `Array`, or one of Pandemonium's typed arrays.
    variant_type: VariantType,
    /// The hashes of the members so far, if the array is part of a key.
    pub(crate) hash: Option<Box<ContainerHash>>,
}

impl<'a, B: Builder<'a>> ArrayFrame<'a, B> {
    pub(crate) const fn is_complete(&self) -> bool {
        self.read == self.count
    }

    /// Returns the position of the next member within a key.
    pub(crate) fn key_context(&self) -> KeyContext {
        self.hash.as_ref().map_or(KeyContext::Key, |hash| KeyContext::in_container(hash.level))
    }

    /// Adds a finished member.
    pub(crate) fn add(&mut self, input: &mut Input<'a, '_, B>, mut item: Item<B::Value>) -> Result<(), DecodeError> {
        let kept = match self.member.fit(item.variant_type, item.is_object_id) {
            Fit::Fits => true,
            unfit => {
                input.require(false, item.start, unfit.reason())?;
                if let Fit::Coerces(to, rule) = unfit {
                    let level = self.hash.as_ref().map_or(0, |hash| hash.level);
                    let context = KeyContext::in_container(level);
                    item = input.coerce_member(item, (to, rule), context, level + 1, self.memory_left)?;
                    true
                } else {
                    drop_member::<B>(item.start)?;
                    input.memory = self.memory_left;
                    false
                }
            }
        };
        if kept {
            if let Some(hash) = &mut self.hash {
                hash.push(item.hash);
            }
            input.builder.push_element(&mut self.array, item.value).map_err(DecodeError::at(item.start))?;
        }
        self.read += 1;
        self.memory_left = input.memory;
        Ok(())
    }

    #[inline]
    pub(crate) fn close(self, input: &mut Input<'a, '_, B>) -> Result<Item<B::Value>, DecodeError> {
        let Self { array, start, variant_type, hash, .. } = self;
        let ended = match variant_type {
            VariantType::Array => input.builder.end_array(array),
            _ => input.builder.end_typed_array(variant_type, array),
        };
        let value = ended.map_err(DecodeError::at(start))?;
        let hash = input.hash_container(hash);
        Ok(Item { value, variant_type, is_object_id: false, start, hash })
    }
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Reads the header of an `Array`, or of a `TypedArray` or `PackedTypedArray` of Pandemonium.
    pub(crate) fn open_array(
        &mut self,
        variant_type: VariantType,
        flags: u32,
        start: usize,
        hash_level: Option<usize>,
    ) -> Result<ArrayFrame<'a, B>, DecodeError> {
        let (element_type, _) = self.read_types(variant_type, flags)?;
        let member = match variant_type {
            VariantType::Array => self.member(element_type.as_ref()),
            _ => Member::exactly(element_type.as_ref()),
        };
        let announced = self.read_announced_count()?;
        let frame = self.begin_array(variant_type, element_type, member, announced, start)?;
        Ok(ArrayFrame { hash: member_hashes(variant_type, hash_level), ..frame })
    }

    /// Begins an array after its count has been read.
    #[inline(always)]
    pub(crate) fn begin_array(
        &mut self,
        variant_type: VariantType,
        element_type: Option<ContainerType>,
        member: Member,
        (count, shared): (u32, bool),
        start: usize,
    ) -> Result<ArrayFrame<'a, B>, DecodeError> {
        let count = self.check_count(count, WORD, self.cursor.position() - WORD)?;
        self.charge(count.saturating_mul(const { B::COSTS.value }).saturating_add(const { B::COSTS.array }), count)?;
        let mut array = self.begin(start, |builder| match variant_type {
            VariantType::Array => builder.begin_array(count, element_type),
            _ => builder.begin_typed_array(variant_type, count, element_type),
        })?;
        if shared {
            self.builder.share_array(&mut array);
        }
        self.reserved_bytes += count * WORD;
        Ok(ArrayFrame { array, member, count, read: 0, start, memory_left: self.memory, variant_type, hash: None })
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Begins an `Array`. The next `count` values are its members.
    ///
    /// # Errors
    /// [`EncodeErrorKind::UnsupportedContainerType`] for a typed array before Godot 4.3;
    /// [`EncodeErrorKind::InvalidScriptPath`].
    #[inline]
    pub fn begin_array(&mut self, count: usize, element_type: Option<&ContainerType>) -> Result<(), EncodeErrorKind> {
        self.begin_any_array(count, element_type, false)
    }

    /// Like `begin_array`, for an array that may be "shared".
    pub(crate) fn begin_any_array(
        &mut self,
        count: usize,
        element_type: Option<&ContainerType>,
        shared: bool,
    ) -> Result<(), EncodeErrorKind> {
        if element_type.is_some() && !self.options.profile.types_arrays() {
            return Err(EncodeErrorKind::UnsupportedContainerType);
        }
        self.header(VariantType::Array, self.kind(element_type) << FIRST_KIND_SHIFT)?;
        self.container_type(element_type)?;
        self.member_count(count, shared)
    }

    /// Begins a `TypedArray` or `PackedTypedArray` of Pandemonium. The next `count` values are its members.
    ///
    /// # Errors
    /// [`EncodeErrorKind::UnsupportedContainerType`] for elements with a script.
    pub fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        count: usize,
        element_type: Option<&ContainerType>,
    ) -> Result<(), EncodeErrorKind> {
        let (builtin, class) = match element_type {
            None => (VariantType::Nil, None),
            Some(ContainerType::Builtin(VariantType::Object)) => (VariantType::Object, Some("")),
            Some(ContainerType::Builtin(builtin)) => (*builtin, None),
            Some(ContainerType::Class(class)) => (VariantType::Object, Some(class.as_str())),
            Some(ContainerType::Unknown(number)) => {
                self.header(variant_type, 0)?;
                self.word(*number);
                return self.count(count);
            }
            Some(ContainerType::Script(_)) => return Err(EncodeErrorKind::UnsupportedContainerType),
        };
        let as_ids = class.is_some() && !self.options.objects;
        self.header(variant_type, if as_ids { FLAG_OBJECT_ID } else { 0 })?;
        // The word of an element type is the same as a header.
        self.header(builtin, 0)?;
        if let Some(class) = class.filter(|_| !as_ids) {
            self.string_name(class)?;
        }
        self.count(count)
    }
}
