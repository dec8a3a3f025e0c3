//! `Array`, and the typed arrays of Pandemonium.

use crate::VariantType;
use crate::build::builder::Builder;
use crate::coerce::member::{Fit, Member};
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::read::input::{Input, Item};
use crate::types::container::{Members, TypedContainer};
use crate::variant::ContainerType;
use crate::wire::{FIRST_KIND_SHIFT, FLAG_OBJECT_ID, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// An array whose members are being read.
pub(crate) struct ArrayFrame<'a, B: Builder<'a>> {
    pub(crate) array: B::Array,
    pub(crate) member: Member,
    pub(crate) members: Members,
    /// `Array`, or one of Pandemonium's typed arrays.
    variant_type: VariantType,
}

impl<'a, B: Builder<'a>> ArrayFrame<'a, B> {
    pub(crate) fn add(&mut self, input: &mut Input<'a, '_, B>, mut item: Item<B::Value>) -> Result<(), DecodeError> {
        let fit = self.member.fit(item.variant_type, item.is_object_id);
        let mut kept = true;
        if fit != Fit::Fits {
            (item, kept) = input.coerce_or_drop(item, fit, &self.members, false)?;
        }
        if kept {
            if let Some(hash) = &mut self.members.hash {
                hash.push(item.hash);
            }
            return self.add_fitting(input, item.value, item.start);
        }
        self.end_member(input);
        Ok(())
    }

    /// Adds a member of the declared type that begins at `start`.
    #[inline(always)]
    pub(crate) fn add_fitting(
        &mut self,
        input: &mut Input<'a, '_, B>,
        value: B::Value,
        start: usize,
    ) -> Result<(), DecodeError> {
        input.builder.push_element(&mut self.array, value).map_err(DecodeError::at(start))?;
        self.end_member(input);
        Ok(())
    }

    #[inline(always)]
    fn end_member(&mut self, input: &Input<'a, '_, B>) {
        self.members.read += 1;
        self.members.memory_left = input.memory_for_values();
    }

    #[inline(always)]
    pub(crate) fn close(self, input: &mut Input<'a, '_, B>) -> Result<Item<B::Value>, DecodeError> {
        let Self { array, members, variant_type, .. } = self;
        let value = match variant_type {
            VariantType::Array => input.builder.end_array(array),
            _ => input.builder.end_typed_array(variant_type, array),
        };
        members.end(input, variant_type, value)
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
        let (count, shared) = self.read_announced_count()?;
        let members = self.begin_elements(count, start)?;
        let array = match variant_type {
            VariantType::Array => self.builder.begin_array(members.count, element_type),
            _ => self.builder.begin_typed_array(variant_type, members.count, element_type),
        };
        let mut frame = self.array_begun((variant_type, member), array, members, shared)?;
        frame.members.hash_at(variant_type, hash_level);
        Ok(frame)
    }

    /// Begins an `Array` of a built-in type, whose header has been read.
    #[inline(always)]
    pub(crate) fn begin_typed_array(
        &mut self,
        TypedContainer { types, count, .. }: TypedContainer,
        start: usize,
    ) -> Result<ArrayFrame<'a, B>, DecodeError> {
        self.skip_type()?;
        self.cursor.advance(WORD);
        let member = self.member_of(types[0]);
        let members = self.begin_elements(count, start)?;
        // Created here, not before: to copy what was just written would make the processor wait.
        let array = self.builder.begin_array(members.count, types[0].map(ContainerType::Builtin));
        self.array_begun((VariantType::Array, member), array, members, false)
    }

    /// Begins an `Array` without a type after its count has been read.
    #[inline(always)]
    pub(crate) fn begin_plain_array(&mut self, count: u32, start: usize) -> Result<ArrayFrame<'a, B>, DecodeError> {
        let members = self.begin_elements(count, start)?;
        // The type is a constant here, not an argument that would be copied.
        let array = self.builder.begin_array(members.count, None);
        self.array_begun((VariantType::Array, Member::Any), array, members, false)
    }

    #[inline(always)]
    fn begin_elements(&mut self, count: u32, start: usize) -> Result<Members, DecodeError> {
        self.begin_members((count, 1), const { (B::COSTS.value, B::COSTS.array) }, 1, start)
    }

    /// Returns the frame of an array that the builder has begun.
    #[inline(always)]
    fn array_begun(
        &mut self,
        (variant_type, member): (VariantType, Member),
        array: Result<B::Array, DecodeErrorKind>,
        members: Members,
        shared: bool,
    ) -> Result<ArrayFrame<'a, B>, DecodeError> {
        let mut array = self.begun(array, members.start)?;
        if shared {
            self.builder.share_array(&mut array);
        }
        Ok(ArrayFrame { array, member, members, variant_type })
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Begins an `Array`. The next `count` values are its members. [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::UnsupportedContainerType`] for a typed array before Godot 4.3;
    /// [`EncodeErrorKind::InvalidScriptPath`].
    #[inline]
    pub fn begin_array(&mut self, count: usize, element_type: Option<&ContainerType>) -> Result<(), EncodeErrorKind> {
        if element_type.is_none() {
            return self.begin_untyped(VariantType::Array, count);
        }
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
    /// [Example](Self)
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
