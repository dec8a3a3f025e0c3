//! The slow path: an iterative loop that reads a value of any type and depth, with a stack of open containers.
//!
//! The files of `types/` read each type. This file has the parts that belong to no type: the stack, the hashes of keys,
//! and the path of an error.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::build::builder::Builder;
use crate::build::owned::TreeBuilder;
use crate::coerce::member::Member;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::limits::Limits;
use crate::options::ReadOptions;
use crate::path::{Step, key_text};
use crate::read::cursor::Cursor;
use crate::read::input::{Input, Item};
use crate::types::array::ArrayFrame;
use crate::types::container::Members;
use crate::types::dictionary::DictionaryFrame;
use crate::types::object::ObjectFrame;
use crate::variant::KeyContext;
use crate::wire::{TYPE_MASK, WORD};
use crate::{Variant, VariantType, work};

/// The number of levels that are read by recursion. Each takes less than a thousand bytes of stack.
const RECURSIVE_LEVELS: usize = 8;

/// Frames beyond the recursive levels whose memory is not charged.
const FREE_FRAMES: usize = 4;

/// Reads a value and all of its members.
pub(crate) struct Reader<'a, 'b, B: Builder<'a>> {
    pub(crate) input: Input<'a, 'b, B>,
    /// The open containers, except those that are read by recursion.
    pub(crate) frames: Vec<Frame<'a, B>>,
    /// The number of open containers that are read by recursion.
    pub(crate) recursive: usize,
    /// Untyped containers at depths below this are read by recursion.
    pub(crate) recursive_levels: usize,
    /// The number of frames beyond the recursive levels whose memory has been charged.
    charged_frames: usize,
    /// The deepest level that is read.
    pub(crate) depth_limit: usize,
}

/// A container whose members are being read.
pub(crate) enum Frame<'a, B: Builder<'a>> {
    Array(ArrayFrame<'a, B>),
    Dictionary(DictionaryFrame<'a, B>),
    Object(ObjectFrame<'a, B>),
}

impl<'a, B: Builder<'a>> Frame<'a, B> {
    #[inline(always)]
    pub(crate) fn members(&self) -> &Members {
        match self {
            Self::Array(frame) => &frame.members,
            Self::Dictionary(frame) => &frame.members,
            Self::Object(frame) => &frame.members,
        }
    }

    #[inline(always)]
    fn add(&mut self, input: &mut Input<'a, '_, B>, item: Item<B::Value>) -> Result<(), DecodeError> {
        match self {
            Self::Array(frame) => frame.add(input, item),
            Self::Dictionary(frame) => frame.add(input, item),
            Self::Object(frame) => frame.add(input, item),
        }
    }

    #[inline(always)]
    pub(crate) fn close(self, input: &mut Input<'a, '_, B>) -> Result<Item<B::Value>, DecodeError> {
        match self {
            Self::Array(frame) => frame.close(input),
            Self::Dictionary(frame) => frame.close(input),
            Self::Object(frame) => frame.close(input),
        }
    }

    /// Returns whether the next value needs a hash, because it is a key or part of a key.
    #[inline(always)]
    fn hashes_next(&self) -> bool {
        match self {
            Self::Dictionary(frame) => frame.hashes_next(),
            Self::Array(_) | Self::Object(_) => self.members().hash.is_some(),
        }
    }

    /// Returns the position of the next value within a key.
    fn key_context(&self) -> KeyContext {
        match (self, &self.members().hash) {
            (Self::Array(_) | Self::Dictionary(DictionaryFrame { pending: Some(_), .. }), Some(hash)) => {
                KeyContext::in_container(hash.level)
            }
            _ => KeyContext::Key,
        }
    }
}

impl<'a, 'b, B: Builder<'a>> Reader<'a, 'b, B> {
    #[inline(always)]
    pub(crate) fn new(cursor: Cursor<'a>, options: &'b ReadOptions, builder: &'b mut B) -> Self {
        let depth_limit = options.greatest_depth();
        Self {
            input: Input::new(cursor, options, builder),
            frames: Vec::new(),
            recursive: 0,
            recursive_levels: depth_limit.min(RECURSIVE_LEVELS),
            charged_frames: FREE_FRAMES,
            depth_limit,
        }
    }

    /// Reads the next value with the slow path, or the remaining members of a container.
    #[inline(never)]
    pub(crate) fn read_iterative(&mut self, rest_of: Option<Frame<'a, B>>) -> Result<Item<B::Value>, DecodeError> {
        let base = self.frames.len();
        if let Some(frame) = rest_of {
            self.frames.push(frame);
        }
        self.run_stack(base).map_err(|error| {
            let error = self.path(base).into_iter().rev().fold(error, DecodeError::within);
            self.frames.truncate(base);
            error
        })
    }

    /// Reads until no more than `base` containers are open.
    fn run_stack(&mut self, base: usize) -> Result<Item<B::Value>, DecodeError> {
        loop {
            let finished = if self.frames.len() > base { self.read_fast_members()? } else { None };
            let mut item = match finished {
                Some(container) => container,
                None => match self.read_slow_value(base)? {
                    Some(value) => value,
                    None => continue,
                },
            };
            // A finished value may complete its container, which may complete the next one.
            loop {
                let Some(frame) = self.frames.get_mut(base..).and_then(<[_]>::last_mut) else { return Ok(item) };
                frame.add(&mut self.input, item)?;
                let is_complete = frame.members().is_complete();
                let Some(frame) = self.frames.pop_if(|_| is_complete) else { break };
                item = frame.close(&mut self.input)?;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.recursive + self.frames.len()
    }

    /// Reads a value that holds no others or an empty container, or opens a container and returns `None`. If more than
    /// `base` containers are open, the value belongs to the innermost one.
    pub(crate) fn read_slow_value(&mut self, base: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        work::add(1);
        let start = self.input.cursor.position();
        self.check_depth(start)?;
        if self.input.has_fast_path() && !self.hashes_next() {
            if let Some(container) = self.read_recursive() {
                return container.map(Some);
            }
            if let Some((is_array, count)) = self.next_plain_container() {
                return self.open_plain_container(is_array, count, start);
            }
        }
        let is_member = self.depth() > 0;
        let input = &mut self.input;
        let header = input.cursor.u32()?;
        if is_member {
            input.reserved_bytes = input.reserved_bytes.saturating_sub(WORD);
        }
        let Some(mut variant_type) = input.options.profile.type_of_header(header) else {
            let id = if input.options.profile.masks_header() { header & TYPE_MASK } else { header };
            return Err(DecodeError::new(DecodeErrorKind::UnknownType { id }, start));
        };
        if input.options.strict {
            input.check_header(variant_type, header, start)?;
        }
        if variant_type == VariantType::StringName {
            variant_type = self.type_of_name(base, start)?;
        }
        let input = &mut self.input;
        let flags = header & !TYPE_MASK;
        match input.read_leaf(variant_type, flags, start)? {
            Some((value, is_object_id)) => self.finish_leaf(value, variant_type, is_object_id, start),
            None => self.open_container(variant_type, flags, start),
        }
    }

    #[inline(always)]
    fn finish_leaf(
        &mut self,
        value: B::Value,
        variant_type: VariantType,
        is_object_id: bool,
        start: usize,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        self.input.report_span(start);
        let hash = if self.hashes_next() { self.hash_leaf_at(variant_type, start)? } else { 0 };
        Ok(Some(Item { value, variant_type, is_object_id, start, hash }))
    }

    /// Reads the header of a container. Returns the value if it is an empty container or a null object.
    #[inline(never)]
    fn open_container(
        &mut self,
        variant_type: VariantType,
        flags: u32,
        start: usize,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        let hash_level = self.frames.last().filter(|_| self.hashes_next()).map(|frame| frame.members().level() + 1);
        let input = &mut self.input;
        let frame = match variant_type {
            VariantType::Dictionary => Frame::Dictionary(input.open_dictionary(flags, start, hash_level)?),
            VariantType::Object => match input.open_object(start, hash_level)? {
                Some(frame) => Frame::Object(frame),
                None => {
                    let null = input.builder.null_object();
                    return self.finish_leaf(null, variant_type, false, start);
                }
            },
            _ => Frame::Array(input.open_array(variant_type, flags, start, hash_level)?),
        };
        self.enter(frame)
    }

    /// Opens an untyped container whose header and count come next.
    #[inline(always)]
    fn open_plain_container(
        &mut self,
        is_array: bool,
        count: u32,
        start: usize,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        let input = &mut self.input;
        input.reserved_bytes = input.reserved_bytes.saturating_sub(WORD);
        input.cursor.advance(2 * WORD);
        if is_array {
            let frame = input.begin_array(VariantType::Array, None, Member::Any, (count, false), start)?;
            if count == 0 {
                return frame.close(input).map(Some);
            }
            self.charge_frame()?;
            self.frames.push(Frame::Array(frame));
        } else {
            let any = (Member::Any, Member::Any);
            let frame = input.begin_dictionary((None, None), any, (count, false), start)?;
            if count == 0 {
                return frame.close(input).map(Some);
            }
            self.charge_frame()?;
            self.frames.push(Frame::Dictionary(frame));
        }
        Ok(None)
    }

    /// Pushes a container on the stack, or closes it if it is empty.
    fn enter(&mut self, frame: Frame<'a, B>) -> Result<Option<Item<B::Value>>, DecodeError> {
        if frame.members().is_complete() {
            return frame.close(&mut self.input).map(Some);
        }
        self.charge_frame()?;
        self.frames.push(frame);
        match self.frames.last_mut() {
            Some(Frame::Object(frame)) => frame.read_name(&mut self.input).map(|()| None),
            _ => Ok(None),
        }
    }

    /// Charges the memory of the stack below the recursive levels, because a level takes a few bytes of input and much
    /// more memory. The charge depends only on the depth, so that both paths charge the same.
    #[inline(always)]
    fn charge_frame(&mut self) -> Result<(), DecodeError> {
        if self.depth() == RECURSIVE_LEVELS + self.charged_frames {
            // Doubles the number of charged frames. Validation is charged like the tree, although it uses less.
            let frame = size_of::<Frame<'a, B>>().max(size_of::<Frame<'a, TreeBuilder>>());
            self.input.charge(self.charged_frames.saturating_mul(frame), 0)?;
            self.charged_frames *= 2;
        }
        Ok(())
    }

    /// Returns the type that a `StringName` is read as. Some engines turn it into a `String` if it is a key.
    #[inline(never)]
    fn type_of_name(&self, base: usize, start: usize) -> Result<VariantType, DecodeError> {
        let container = self.frames.get(base..).and_then(<[_]>::last);
        let is_key = matches!(container, Some(Frame::Dictionary(frame)) if frame.pending.is_none());
        if !is_key || self.input.options.profile.keeps_name_keys() {
            return Ok(VariantType::StringName);
        }
        self.input.require(false, start, "StringName as a key, which this engine reads as a String")?;
        Ok(VariantType::String)
    }

    #[inline]
    pub(crate) fn check_depth(&self, offset: usize) -> Result<(), DecodeError> {
        if self.depth() > self.depth_limit { Err(self.too_deep(offset)) } else { Ok(()) }
    }

    #[cold]
    fn too_deep(&self, offset: usize) -> DecodeError {
        DecodeError::new(DecodeErrorKind::DepthLimit { limit: self.depth_limit }, offset)
    }

    /// Returns whether the current value needs a hash, because it is a key or part of a key.
    #[inline(always)]
    fn hashes_next(&self) -> bool {
        self.input.finds_duplicate_keys() && self.frames.last().is_some_and(Frame::hashes_next)
    }

    /// Returns the hash of the leaf that was just read from `start`.
    #[inline(never)]
    fn hash_leaf_at(&mut self, variant_type: VariantType, start: usize) -> Result<u64, DecodeError> {
        let context = self.frames.last().map_or(KeyContext::Key, Frame::key_context);
        let is_text = matches!(variant_type, VariantType::String | VariantType::StringName);
        if is_text && self.input.options.profile.text_is_unicode() {
            return Ok(self.input.hasher.text(variant_type, self.input.last_text, context));
        }
        let leaf = self.leaf_at(start)?;
        Ok(self.input.hasher.leaf(&leaf, context))
    }

    /// Reads the leaf at `start` again, as a tree.
    pub(crate) fn leaf_at(&self, start: usize) -> Result<Variant, DecodeError> {
        let mut tree = TreeBuilder;
        let options = ReadOptions { strict: false, limits: Limits::NONE, ..*self.input.options };
        let leaf = Reader::new(self.input.cursor.at(start), &options, &mut tree).read_slow_value(0)?;
        Ok(leaf.map(|item| item.value).unwrap_or_default())
    }

    /// Returns the path to the current value, starting at the open container with index `base`.
    #[cold]
    fn path(&self, base: usize) -> Vec<Step> {
        work::add(self.frames.len() - base);
        let step = |frame: &Frame<'a, B>| match frame {
            Frame::Array(frame) => Step::Index(frame.members.read),
            Frame::Dictionary(DictionaryFrame { pending: None, members, .. }) => Step::Key(members.read),
            Frame::Dictionary(DictionaryFrame { pending: Some(pending), members, .. }) => {
                self.step_to_value(members.read, pending.key_start)
            }
            Frame::Object(frame) => match frame.name {
                None => Step::Part("property name"),
                Some(name) => Step::Property(name.to_owned()),
            },
        };
        self.frames[base..].iter().map(step).collect()
    }

    /// Returns the step to the value of an entry whose key starts at `key_start`.
    #[cold]
    pub(crate) fn step_to_value(&self, entry: usize, key_start: usize) -> Step {
        Step::Value(entry, self.leaf_at(key_start).ok().as_ref().and_then(key_text))
    }
}
