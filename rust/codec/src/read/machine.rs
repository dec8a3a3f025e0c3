//! The slow path: an iterative loop that reads a value of any type and depth, with a stack of open containers.
//!
//! The files of `types/` read each type. This file has the parts that belong to no type: the stack, the hashes of keys,
//! and the path of an error.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::build::builder::Builder;
use crate::build::owned::TreeBuilder;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::limits::Limits;
use crate::options::ReadOptions;
use crate::path::{Step, key_text};
use crate::read::cursor::Cursor;
use crate::read::duplicate_keys::KeySet;
use crate::read::frame::Frame;
use crate::read::input::{Input, Item};
use crate::read::plain::{Place, PlainStack, RECURSIVE_LEVELS};
use crate::types::dictionary::DictionaryFrame;
use crate::variant::KeyContext;
use crate::wire::{TYPE_MASK, WORD};
use crate::{Variant, VariantType, work};

/// Why strict reading refuses a `StringName` as a key, for some engines.
pub(crate) const NAME_KEY: &str = "StringName as a key, which this engine reads as a String";

/// Reads a value and all of its members.
pub(crate) struct Reader<'a, 'b, B: Builder<'a>> {
    pub(crate) input: Input<'a, 'b, B>,
    /// The open containers that are typed, objects or parts of keys, and all in strict reading.
    frames: Vec<Frame<'a, B>>,
    /// The other open containers, except those that are read by recursion.
    plain: Option<Box<PlainStack<'a, B>>>,
    /// The number of open containers that are read by recursion.
    pub(crate) recursive: usize,
    /// Untyped containers at depths below this are read by recursion.
    pub(crate) recursive_levels: usize,
    /// The deepest level that is read.
    depth_limit: usize,
}

impl<'a, 'b, B: Builder<'a>> Reader<'a, 'b, B> {
    #[inline(always)]
    pub(crate) fn new(cursor: Cursor<'a>, options: &'b ReadOptions, builder: &'b mut B) -> Self {
        let depth_limit = options.greatest_depth();
        Self {
            input: Input::new(cursor, options, builder),
            frames: Vec::new(),
            plain: None,
            recursive: 0,
            recursive_levels: depth_limit.min(RECURSIVE_LEVELS),
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
            let error = self.path(base).into_iter().fold(error, DecodeError::within);
            self.frames.truncate(base);
            if let Some(plain) = &mut self.plain {
                plain.levels.clear();
            }
            error
        })
    }

    /// Reads until no more than `base` containers are open, besides those that are read by recursion.
    fn run_stack(&mut self, base: usize) -> Result<Item<B::Value>, DecodeError> {
        loop {
            let mut item = match self.read_fast_members(base)? {
                Some(container) => container,
                None => match self.read_slow_value(base)? {
                    Some(value) => value,
                    None => continue,
                },
            };
            // A finished value may complete its container, which may complete the next one.
            loop {
                let frames = self.frames.len();
                if let Some(plain) = self.plain.as_mut().filter(|plain| plain.is_innermost(frames)) {
                    match plain.add(&mut self.input, frames, item)? {
                        Some(container) => item = container,
                        None => break,
                    }
                }
                let Some(frame) = self.frames.get_mut(base..).and_then(<[_]>::last_mut) else { return Ok(item) };
                frame.add(&mut self.input, item)?;
                let is_complete = frame.members().is_complete();
                let Some(frame) = self.frames.pop_if(|_| is_complete) else { break };
                item = frame.close(&mut self.input)?;
            }
        }
    }

    /// Reads members of the innermost container until one needs the slow path. Returns it if it is complete.
    #[inline]
    fn read_fast_members(&mut self, base: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        if !self.input.has_fast_path() {
            return Ok(None);
        }
        let place = self.place();
        if let Some(plain) = self.plain.as_mut().filter(|plain| plain.is_innermost(place.frames)) {
            return plain.read(&mut self.input, place, &mut self.frames);
        }
        let is_too_deep = self.depth() > self.depth_limit;
        let input = &mut self.input;
        let Some(frame) = self.frames.get_mut(base..).and_then(<[_]>::last_mut) else { return Ok(None) };
        // Runs and keys of other types are read fast too.
        let may_be_other = match frame {
            Frame::Array(_) => B::WANTS_RUNS,
            Frame::Dictionary(frame) => frame.pending.is_none() && matches!(frame.seen, KeySet::Untracked),
            Frame::Object(_) => false,
        };
        if frame.members().hash.is_some()
            || !may_be_other && !input.plain_headers.may_be_plain(input.cursor.window().header())
            || is_too_deep
        {
            return Ok(None);
        }
        input.read_fast_members_of(frame)?;
        let complete = self.frames.pop_if(|frame| frame.members().is_complete());
        complete.map(|frame| frame.close(input)).transpose()
    }

    /// Returns the number of open containers of the other kind. All of them are of the loop that runs, because there is no
    /// recursion as deep as they are.
    #[inline(always)]
    fn levels(&self) -> usize {
        self.plain.as_ref().map_or(0, |plain| plain.levels.len())
    }

    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.recursive + self.frames.len() + self.levels()
    }

    /// Returns where an untyped container is opened.
    #[inline(always)]
    fn place(&self) -> Place {
        let frames = self.frames.len();
        Place { frames, depth: self.recursive + frames, depth_limit: self.depth_limit }
    }

    /// Returns the innermost open container, if it is not on the stack of untyped ones.
    #[inline(always)]
    fn innermost_frame(&self) -> Option<&Frame<'a, B>> {
        let frames = self.frames.len();
        self.frames.last().filter(|_| !self.plain.as_ref().is_some_and(|plain| plain.is_innermost(frames)))
    }

    /// Reads a value that holds no others or an empty container, or opens a container and returns `None`. If more than
    /// `base` containers are open, the value belongs to the innermost one.
    pub(crate) fn read_slow_value(&mut self, base: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        work::add(1);
        let start = self.input.cursor.position();
        let (depth, hashes) = (self.depth(), self.hashes_next());
        if depth > self.depth_limit {
            return Err(self.input.too_deep(self.depth_limit));
        }
        if self.input.has_fast_path() && !hashes {
            if let Some(item) = self.read_recursive_item()? {
                return Ok(Some(item));
            }
            if let Some(container) = self.input.next_plain_container() {
                let place = self.place();
                return self.plain.get_or_insert_default().open(&mut self.input, container, place);
            }
        }
        let input = &mut self.input;
        let header = input.cursor.u32()?;
        if depth > 0 {
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
            Some((value, is_object_id)) => self.finish_leaf(value, variant_type, is_object_id, start, hashes),
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
        hashes: bool,
    ) -> Result<Option<Item<B::Value>>, DecodeError> {
        self.input.report_span(start);
        let hash = if hashes { self.hash_leaf_at(variant_type, start)? } else { 0 };
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
        let hash_level = self.innermost_frame().filter(|_| self.hashes_next()).map(|frame| frame.members().level() + 1);
        let input = &mut self.input;
        let frame = match variant_type {
            VariantType::Dictionary => Frame::Dictionary(input.open_dictionary(flags, start, hash_level)?),
            VariantType::Object => match input.open_object(start, hash_level)? {
                Some(frame) => Frame::Object(frame),
                None => {
                    let null = input.builder.null_object();
                    return self.finish_leaf(null, variant_type, false, start, hash_level.is_some());
                }
            },
            _ => Frame::Array(input.open_array(variant_type, flags, start, hash_level)?),
        };
        self.enter(frame)
    }

    /// Pushes a container on the stack, or closes it if it is empty or all its members can be read at once.
    fn enter(&mut self, mut frame: Frame<'a, B>) -> Result<Option<Item<B::Value>>, DecodeError> {
        if frame.members().is_complete() {
            return frame.close(&mut self.input).map(Some);
        }
        self.input.charge_level(self.depth())?;
        let mut read = Ok(());
        let may_be_fast = !matches!(frame, Frame::Object(_)) && frame.members().hash.is_none();
        if may_be_fast && self.input.has_fast_path() && self.depth() < self.depth_limit {
            read = self.read_typed_members(&mut frame);
            if read.is_ok() && frame.members().is_complete() {
                return frame.close(&mut self.input).map(Some);
            }
        }
        // An error belongs to a member.
        self.frames.push(frame);
        read?;
        match self.frames.last_mut() {
            Some(Frame::Object(frame)) => frame.read_name(&mut self.input).map(|()| None),
            _ => Ok(None),
        }
    }

    /// Returns the type that a `StringName` is read as. Some engines turn it into a `String` if it is a key.
    #[inline(never)]
    fn type_of_name(&self, base: usize, start: usize) -> Result<VariantType, DecodeError> {
        let container = self.innermost_frame().filter(|_| self.frames.len() > base);
        let is_key = matches!(container, Some(Frame::Dictionary(frame)) if frame.pending.is_none());
        if !is_key || self.input.options.profile.keeps_name_keys() {
            return Ok(VariantType::StringName);
        }
        self.input.require(false, start, NAME_KEY)?;
        Ok(VariantType::String)
    }

    /// Returns whether the current value needs a hash, because it is a key or part of a key.
    #[inline(always)]
    fn hashes_next(&self) -> bool {
        self.input.finds_duplicate_keys() && self.innermost_frame().is_some_and(Frame::hashes_next)
    }

    /// Returns the hash of the leaf that was just read from `start`.
    #[inline(never)]
    fn hash_leaf_at(&mut self, variant_type: VariantType, start: usize) -> Result<u64, DecodeError> {
        let context = self.innermost_frame().map_or(KeyContext::Key, Frame::key_context);
        let is_text = matches!(variant_type, VariantType::String | VariantType::StringName);
        if is_text && self.input.text_is_unicode() {
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

    /// Returns the path to the current value, the innermost step first, without the containers before index `base`.
    #[cold]
    fn path(&self, base: usize) -> Vec<Step> {
        let levels = self.plain.as_ref().map_or(&[][..], |plain| plain.levels.as_slice());
        let mut levels = levels.iter().rev().peekable();
        let step_to_value = |entry, key_start| self.step_to_value(entry, key_start);
        let mut steps = Vec::new();
        for (index, frame) in self.frames.iter().enumerate().skip(base).rev() {
            while let Some(level) = levels.next_if(|level| level.is_within(index + 1)) {
                steps.push(level.step(step_to_value));
            }
            steps.push(self.step(frame));
        }
        steps.extend(levels.map(|level| level.step(step_to_value)));
        work::add(steps.len());
        steps
    }

    #[cold]
    fn step(&self, frame: &Frame<'a, B>) -> Step {
        match frame {
            Frame::Array(frame) => Step::Index(frame.members.read),
            Frame::Dictionary(DictionaryFrame { pending: None, members, .. }) => Step::Key(members.read),
            Frame::Dictionary(DictionaryFrame { pending: Some(pending), members, .. }) => {
                self.step_to_value(members.read, pending.key_start)
            }
            Frame::Object(frame) => frame.step(),
        }
    }

    /// Returns the step to the value of an entry whose key starts at `key_start`.
    #[cold]
    pub(crate) fn step_to_value(&self, entry: usize, key_start: usize) -> Step {
        Step::Value(entry, self.leaf_at(key_start).ok().as_ref().and_then(key_text))
    }
}
