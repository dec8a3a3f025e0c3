//! `Array`.

use alloc::boxed::Box;

use crate::VariantType;
use crate::build::builder::Builder;
use crate::coerce::member::{Fit, Member};
use crate::error::{DecodeError, EncodeErrorKind};
use crate::read::machine::{Frame, Item, Reader};
use crate::types::container::drop_member;
use crate::variant::{ContainerHash, ContainerType, KeyContext};
use crate::wire::{FIRST_KIND_SHIFT, FLAG_OBJECT_ID, KIND_MASK, KIND_NONE, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// An array whose members are being read.
pub(crate) struct ArrayFrame<'a, B: Builder<'a>> {
    pub(crate) array: B::Array,
    pub(crate) member: Member,
    pub(crate) count: usize,
    pub(crate) read: usize,
    pub(crate) start: usize,
    /// The memory that was left when the member being read began; kept up where members are converted.
    pub(crate) memory_left: usize,
    /// `Array`, or one of Pandemonium's typed arrays.
    variant_type: VariantType,
    /// What the members hash to so far, where the array is part of a key.
    pub(crate) hash: Option<Box<ContainerHash>>,
}

impl<'a, B: Builder<'a>> ArrayFrame<'a, B> {
    /// Where what is read next stands in a key.
    pub(crate) fn place(&self) -> KeyContext {
        self.hash.as_ref().map_or(KeyContext::Key, |hash| KeyContext::in_container(hash.level))
    }

    pub(crate) fn position(&self) -> usize {
        self.read
    }
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// The type of the elements of an `Array`.
    pub(crate) fn read_array_type(&mut self, flags: u32) -> Result<Option<ContainerType>, DecodeError> {
        let kind = if self.options.profile.types_arrays() { flags >> FIRST_KIND_SHIFT & KIND_MASK } else { KIND_NONE };
        self.read_container_type(kind)
    }

    pub(crate) fn open_array(&mut self, flags: u32, start: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        let element_type = self.read_array_type(flags)?;
        let member = self.member(element_type.as_ref());
        self.open_array_of(VariantType::Array, element_type, member, start)
    }

    /// `TypedArray` or `PackedTypedArray` of Pandemonium: the type of the elements, the name of their class
    /// as a value of its own where they are objects, the count.
    pub(crate) fn open_typed_array(
        &mut self,
        variant_type: VariantType,
        flags: u32,
        start: usize,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        let element_type = self.read_element_type(flags & FLAG_OBJECT_ID != 0)?;
        let member = Member::exactly(element_type.as_ref());
        self.open_array_of(variant_type, element_type, member, start)
    }

    fn open_array_of(
        &mut self,
        variant_type: VariantType,
        element_type: Option<ContainerType>,
        member: Member,
        start: usize,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        let announced = self.read_announced_count()?;
        let mut frame = self.begin_array_of(variant_type, element_type, member, announced, start)?;
        frame.hash = self.open_hash(variant_type);
        if frame.count == 0 {
            return self.close_array(frame).map(Some);
        }
        self.push_frame(Frame::Array(frame))?;
        Ok(None)
    }

    /// Begins an array whose count was read last.
    #[inline(always)]
    pub(crate) fn begin_array_of(
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
        self.owed += count * WORD;
        Ok(ArrayFrame { array, member, count, read: 0, start, memory_left: self.memory, variant_type, hash: None })
    }

    /// Puts a finished value into the innermost container, an array; gives the array where that finished it.
    pub(crate) fn add_element(&mut self, mut item: Item<B::Value>) -> Result<Option<Item<B::Value>>, DecodeError> {
        let Some(Frame::Array(frame)) = self.frames.last() else { return Ok(Some(item)) };
        let level = frame.hash.as_ref().map_or(0, |hash| hash.level) + 1;
        let memory_left = frame.memory_left;
        let kept = match frame.member.fit(item.variant_type, item.is_object_id) {
            Fit::Fits => true,
            unfit => {
                self.require(false, item.start, unfit.reason())?;
                if let Fit::Converts(to, rule) = unfit {
                    item =
                        self.convert_member(item, (to, rule), KeyContext::in_container(level - 1), level, memory_left)?;
                    true
                } else {
                    drop_member::<B>(item.start)?;
                    self.memory = memory_left;
                    false
                }
            }
        };
        let Some(Frame::Array(frame)) = self.frames.last_mut() else { return Ok(Some(item)) };
        if kept {
            if let Some(hash) = &mut frame.hash {
                hash.push(item.hash);
            }
            let pushed = self.builder.push_element(&mut frame.array, item.value);
            pushed.map_err(|kind| DecodeError::new(kind, item.start))?;
        }
        frame.read += 1;
        frame.memory_left = self.memory;
        if frame.read < frame.count {
            return Ok(None);
        }
        match self.frames.pop() {
            Some(Frame::Array(frame)) => self.close_array(frame).map(Some),
            _ => Ok(None),
        }
    }

    #[inline]
    pub(crate) fn close_array(&mut self, frame: ArrayFrame<'a, B>) -> Result<Item<B::Value>, DecodeError> {
        let ArrayFrame { array, start, variant_type, hash, .. } = frame;
        let ended = match variant_type {
            VariantType::Array => self.builder.end_array(array),
            _ => self.builder.end_typed_array(variant_type, array),
        };
        let value = ended.map_err(|kind| DecodeError::new(kind, start))?;
        let hash = self.close_hash(hash);
        Ok(Item { value, variant_type, is_object_id: false, start, hash })
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Begins an `Array` of `count` members, which follow.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`]; [`EncodeErrorKind::UnsupportedContainerType`] for a typed array before
    /// 4.3; [`EncodeErrorKind::InvalidScriptPath`].
    #[inline]
    pub fn begin_array(&mut self, count: usize, element_type: Option<&ContainerType>) -> Result<(), EncodeErrorKind> {
        self.begin_any_array(count, element_type, false)
    }

    /// The same for an array that may be "shared".
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

    /// Begins a `TypedArray` or `PackedTypedArray` of Pandemonium of `count` members, which follow.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`]; [`EncodeErrorKind::UnsupportedType`] in any other engine;
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
        let as_ids = class.is_some() && !self.options.full_objects;
        self.header(variant_type, if as_ids { FLAG_OBJECT_ID } else { 0 })?;
        let id = self.options.profile.type_id(builtin);
        self.word(id.ok_or(EncodeErrorKind::UnsupportedType { variant_type: builtin })?.into());
        if let Some(class) = class.filter(|_| !as_ids) {
            self.string_name(class)?;
        }
        self.count(count)
    }
}
