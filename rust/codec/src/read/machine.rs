//! The loop that reads a value of any depth, and what all of its parts share.
//!
//! Reading a type is beside writing it, in the file of its family. Here is what no type owns: the stack of
//! open containers, the accounts of what a packet may use, the path of an error.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::build::builder::Builder;
use crate::build::builder::DuplicateKeys;
use crate::build::owned::TreeBuilder;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::options::ReadOptions;
use crate::path::{Step, key_text};
use crate::profile::{ObjectForms, PlainHeaders};
use crate::read::cursor::Cursor;
use crate::read::fast::RECURSIVE_LEVELS;
use crate::types::array::ArrayFrame;
use crate::types::dictionary::DictionaryFrame;
use crate::types::object::ObjectFrame;
use crate::variant::{KeyContext, KeyHasher};
use crate::wire::{FLAG_OBJECT_ID, TYPE_MASK, WORD};
use crate::{Limits, Variant, VariantType, work};

/// Frames beyond the recursive levels whose memory is not charged.
const FREE_FRAMES: usize = 4;

/// No allocation is larger than this, which matters where addresses have 32 bits.
const MOST_MEMORY: usize = isize::MAX.unsigned_abs();

pub(crate) struct Reader<'a, 'b, B: Builder<'a>> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) options: &'b ReadOptions,
    pub(crate) builder: &'b mut B,
    pub(crate) frames: Vec<Frame<'a, B>>,
    /// Containers that are read by recursion and not yet finished.
    pub(crate) recursive: usize,
    /// Frames beyond the recursive levels that the memory charged so far is enough for.
    charged_frames: usize,
    /// Down to which level containers are read so.
    pub(crate) recursive_levels: usize,
    /// Whether the fast path may be used.
    pub(crate) fast_path: bool,
    pub(crate) hasher: KeyHasher,
    /// Bytes that the members not yet read take at least.
    pub(crate) owed: usize,
    /// Bytes of memory, values in containers and elements of packed arrays that may still be used.
    pub(crate) memory: usize,
    values: usize,
    elements: usize,
    pub(crate) plain_headers: &'static PlainHeaders,
    /// The text of the `String` read last.
    pub(crate) last_text: &'a [u8],
}

/// A container whose members are being read.
pub(crate) enum Frame<'a, B: Builder<'a>> {
    Array(ArrayFrame<'a, B>),
    Dictionary(DictionaryFrame<'a, B>),
    Object(ObjectFrame<'a, B>),
}

const fn greater(one: usize, other: usize) -> usize {
    if one > other { one } else { other }
}

/// A value just finished, and what its container wants to know of it.
pub(crate) struct Item<V> {
    pub(crate) value: V,
    pub(crate) variant_type: VariantType,
    /// Whether it is an object known by its id alone.
    pub(crate) is_object_id: bool,
    /// Where its header begins.
    pub(crate) start: usize,
    /// Its hash as a key, where its container asked for one.
    pub(crate) hash: u64,
}

impl<'a, 'b, B: Builder<'a>> Reader<'a, 'b, B> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], options: &'b ReadOptions, builder: &'b mut B) -> Self {
        Self::from_cursor(Cursor::new(bytes), options, builder)
    }

    #[inline(always)]
    fn from_cursor(cursor: Cursor<'a>, options: &'b ReadOptions, builder: &'b mut B) -> Self {
        const { assert!(!(B::FAST_PATH && B::WANTS_SPANS), "a builder that wants spans must set FAST_PATH to false") }
        Self {
            cursor,
            options,
            builder,
            frames: Vec::new(),
            recursive: 0,
            charged_frames: FREE_FRAMES,
            recursive_levels: options.greatest_depth().min(RECURSIVE_LEVELS),
            fast_path: B::FAST_PATH && !options.strict && !options.slow_path_only,
            hasher: KeyHasher::new(options.profile.keys()),
            owed: 0,
            memory: options.limits.memory.min(MOST_MEMORY),
            values: options.limits.values,
            elements: options.limits.packed_elements,
            plain_headers: options.profile.plain_headers(),
            last_text: &[],
        }
    }

    /// Reads one value and says how many bytes it took, padding included that may be missing at the end.
    #[inline(always)]
    pub(crate) fn read(&mut self) -> Result<(B::Value, usize), DecodeError> {
        match self.read_outermost() {
            Ok(value) => Ok((value, self.cursor.position())),
            Err(error) => Err(error.with_steps_turned()),
        }
    }

    #[inline(always)]
    fn read_outermost(&mut self) -> Result<B::Value, DecodeError> {
        self.charge(const { B::COSTS.value }, 0)?;
        if self.reads_plain() { self.read_any() } else { self.read_whole().map(|item| item.value) }
    }

    /// Reads the next value in the general way, with all that it holds.
    #[inline(never)]
    pub(crate) fn read_whole(&mut self) -> Result<Item<B::Value>, DecodeError> {
        self.read_above(self.frames.len())
    }

    /// Reads what is missing of a container.
    #[inline(never)]
    pub(crate) fn read_rest_of(&mut self, frame: Frame<'a, B>) -> Result<Item<B::Value>, DecodeError> {
        let base = self.frames.len();
        self.frames.push(frame);
        self.read_above(base)
    }

    /// Reads on until no more than `base` containers are open.
    fn read_above(&mut self, base: usize) -> Result<Item<B::Value>, DecodeError> {
        self.read_until(base).map_err(|error| {
            let error = self.path(base).into_iter().rev().fold(error, DecodeError::within);
            self.frames.truncate(base);
            error
        })
    }

    fn read_until(&mut self, base: usize) -> Result<Item<B::Value>, DecodeError> {
        loop {
            let finished = if self.frames.len() > base { self.read_plain_members()? } else { None };
            let mut item = match finished {
                Some(container) => container,
                None => match self.read_value(base)? {
                    Some(value) => value,
                    None => continue,
                },
            };
            // A finished value may finish the container it is in, and so on outwards.
            loop {
                if self.frames.len() == base {
                    return Ok(item);
                }
                let finished = match self.frames.last() {
                    None => return Ok(item),
                    Some(Frame::Array(_)) => self.add_element(item)?,
                    Some(Frame::Dictionary(_)) => self.add_key_or_value(item)?,
                    Some(Frame::Object(_)) => self.add_property(item)?,
                };
                match finished {
                    Some(container) => item = container,
                    None => break,
                }
            }
        }
    }

    /// How many containers are open.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.recursive + self.frames.len()
    }

    /// Whether values are read as the engine reads them where it is known to read them wrongly.
    pub(crate) fn imitates_faults(&self) -> bool {
        !self.options.corrects_faults && !self.options.strict
    }

    /// Reads a value that holds no others, or opens a container, or reads an empty one. It belongs into the innermost open
    /// container where more than `base` are open.
    pub(crate) fn read_value(&mut self, base: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        work::add(1);
        let start = self.cursor.position();
        self.check_depth(start)?;
        if self.reads_plain()
            && !self.hashes_next()
            && let Some(container) = self.read_shallow()
        {
            return container.map(Some);
        }
        let header = self.cursor.u32()?;
        if self.depth() > 0 {
            self.owed = self.owed.saturating_sub(WORD);
        }
        let Some(mut variant_type) = self.options.profile.type_of_header(header) else {
            return Err(self.unknown_type(header, start));
        };
        if self.options.strict {
            self.check_header(variant_type, header, start)?;
        }
        if variant_type == VariantType::StringName {
            variant_type = self.type_of_name(base, start)?;
        }
        let flags = header & !TYPE_MASK;
        let value = match variant_type {
            VariantType::Nil => self.builder.nil(),
            VariantType::Bool => self.read_bool()?,
            VariantType::Int => self.read_int(flags)?,
            VariantType::Float => self.read_float(flags)?,
            VariantType::String | VariantType::StringName => self.read_string(variant_type)?,
            VariantType::Color => self.read_color()?,
            VariantType::NodePath => self.read_node_path()?,
            VariantType::RID => self.read_rid()?,
            VariantType::Callable => {
                self.charge(const { B::COSTS.callable }, 0)?;
                self.builder.callable()
            }
            VariantType::Signal => self.read_signal()?,
            VariantType::Array => return self.open_array(flags, start),
            VariantType::Dictionary => return self.open_dictionary(flags, start),
            VariantType::TypedArray | VariantType::PackedTypedArray => {
                return self.open_typed_array(variant_type, flags, start);
            }
            VariantType::Image => self.read_image()?,
            VariantType::InputEvent => self.read_input_event()?,
            VariantType::Object if self.options.profile.objects() == ObjectForms::HeaderAlone => {
                self.builder.null_object()
            }
            VariantType::Object if flags & FLAG_OBJECT_ID == 0 => return self.open_object(start),
            VariantType::Object => {
                let (value, is_object_id) = self.read_object_id(start)?;
                self.tell_span(start);
                let hash = self.hash_finished_leaf(variant_type, start)?;
                return Ok(Some(Item { value, variant_type, is_object_id, start, hash }));
            }
            VariantType::PackedByteArray => self.read_packed_bytes()?,
            VariantType::PackedStringArray => self.read_packed_strings()?,
            _ if variant_type.real_components() > 0 => self.read_reals(variant_type, flags)?,
            _ if variant_type.integer_components() > 0 => self.read_integers(variant_type)?,
            _ => self.read_packed_numbers(variant_type, flags)?,
        };
        self.tell_span(start);
        let hash = self.hash_finished_leaf(variant_type, start)?;
        Ok(Some(Item { value, variant_type, is_object_id: false, start, hash }))
    }

    /// What a `StringName` is read as: some engines make a `String` of one that is a dictionary's key.
    #[inline(never)]
    fn type_of_name(&self, base: usize, start: usize) -> Result<VariantType, DecodeError> {
        let container = self.frames.get(base..).and_then(<[_]>::last);
        let is_key = matches!(container, Some(Frame::Dictionary(frame)) if frame.pending.is_none());
        if !is_key || self.options.profile.keeps_name_keys() {
            return Ok(VariantType::StringName);
        }
        self.require(false, start, "StringName as a key, which is read as a String")?;
        Ok(VariantType::String)
    }

    #[cold]
    fn unknown_type(&self, header: u32, start: usize) -> DecodeError {
        let id = if self.options.profile.masks_header() { header & TYPE_MASK } else { header };
        DecodeError::new(DecodeErrorKind::UnknownType { id }, start)
    }

    #[inline]
    pub(crate) fn check_depth(&self, offset: usize) -> Result<(), DecodeError> {
        let limit = self.options.greatest_depth();
        if self.depth() > limit {
            return Err(DecodeError::new(DecodeErrorKind::DepthLimit { limit }, offset));
        }
        Ok(())
    }

    /// Opens a container. Deeper than the fast path recurses, the memory of the stack is charged too: a level is a few
    /// bytes of input and many times as much of memory. The charge depends on the depth alone, so that both paths
    /// charge the same.
    #[inline(always)]
    pub(crate) fn push_frame(&mut self, frame: Frame<'a, B>) -> Result<(), DecodeError> {
        if self.depth() == RECURSIVE_LEVELS + self.charged_frames {
            // As many again. A check counts as the tree does, though it keeps less.
            let frame = const { greater(size_of::<Frame<'a, B>>(), size_of::<Frame<'a, TreeBuilder>>()) };
            self.charge(self.charged_frames.saturating_mul(frame), 0)?;
            self.charged_frames *= 2;
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Tells the builder, if it wants to know, where what it was last told of stands.
    #[inline]
    pub(crate) fn tell_span(&mut self, start: usize) {
        if B::WANTS_SPANS {
            self.builder.span(start, self.cursor.position());
        }
    }

    /// Charges memory, and values that stand in containers, to the accounts of the packet before either is used.
    #[inline]
    pub(crate) fn charge(&mut self, memory: usize, values: usize) -> Result<(), DecodeError> {
        match (self.memory.checked_sub(memory), self.values.checked_sub(values)) {
            (Some(memory_left), Some(values_left)) => {
                self.memory = memory_left;
                self.values = values_left;
                Ok(())
            }
            (None, _) => {
                let limit = self.options.limits.memory.min(MOST_MEMORY);
                Err(DecodeError::new(DecodeErrorKind::MemoryLimit { limit }, self.cursor.position()))
            }
            (_, None) => {
                let kind = DecodeErrorKind::ValueLimit { limit: self.options.limits.values };
                Err(DecodeError::new(kind, self.cursor.position()))
            }
        }
    }

    /// The same for elements of packed arrays.
    #[inline]
    pub(crate) fn charge_elements(&mut self, elements: usize) -> Result<(), DecodeError> {
        match self.elements.checked_sub(elements) {
            Some(left) => {
                self.elements = left;
                Ok(())
            }
            None => {
                let kind = DecodeErrorKind::ElementLimit { limit: self.options.limits.packed_elements };
                Err(DecodeError::new(kind, self.cursor.position()))
            }
        }
    }

    /// The limits with what is left of them.
    pub(crate) fn limits_left(&self) -> Limits {
        Limits { memory: self.memory, values: self.values, packed_elements: self.elements, ..self.options.limits }
    }

    /// Checks that the rest of the input can hold `count` members of at least `size` bytes each, besides
    /// what outer containers are still owed. So nothing is ever reserved that cannot come.
    #[inline]
    pub(crate) fn check_count(&self, count: u32, size: usize, offset: usize) -> Result<usize, DecodeError> {
        let available = self.cursor.remaining();
        let needed = u64::from(count) * size as u64 + self.owed as u64;
        match usize::try_from(count) {
            Ok(count) if needed <= available as u64 => Ok(count),
            _ => Err(DecodeError::new(DecodeErrorKind::CountExceedsInput { count, available }, offset)),
        }
    }

    /// In strict reading, refuses what the engine reads but would write otherwise.
    #[inline]
    pub(crate) fn require(&self, canonical: bool, offset: usize, reason: &'static str) -> Result<(), DecodeError> {
        if canonical || !self.options.strict {
            return Ok(());
        }
        Err(DecodeError::new(DecodeErrorKind::NotCanonical { reason }, offset))
    }

    pub(crate) fn check_header(&self, variant_type: VariantType, header: u32, start: usize) -> Result<(), DecodeError> {
        let stray = header & !TYPE_MASK & !crate::write::writer::header_flags(self.options.profile, variant_type);
        let offset = start + (stray.trailing_zeros() / 8) as usize;
        self.require(stray == 0, offset, "header bits that mean nothing for this type")
    }

    /// Whether the value being read needs a hash, because it is a dictionary's key or part of one.
    #[inline]
    pub(crate) fn hashes_next(&self) -> bool {
        let ignored = B::DUPLICATE_KEYS == DuplicateKeys::Ignored && !self.options.strict;
        if ignored || self.options.keys_are_unique {
            return false;
        }
        match self.frames.last() {
            Some(Frame::Array(frame)) => frame.hash.is_some(),
            Some(Frame::Dictionary(frame)) => frame.hashes_next(),
            Some(Frame::Object(frame)) => frame.hash.is_some(),
            None => false,
        }
    }

    /// The hash of the leaf that was just read from `start`, 0 where none is asked for.
    #[inline]
    fn hash_finished_leaf(&mut self, variant_type: VariantType, start: usize) -> Result<u64, DecodeError> {
        if self.hashes_next() { self.hash_leaf_at(variant_type, start) } else { Ok(0) }
    }

    #[inline(never)]
    fn hash_leaf_at(&mut self, variant_type: VariantType, start: usize) -> Result<u64, DecodeError> {
        let place = match self.frames.last() {
            Some(Frame::Array(frame)) => frame.place(),
            Some(Frame::Dictionary(frame)) => frame.place(),
            _ => KeyContext::Key,
        };
        let is_text = matches!(variant_type, VariantType::String | VariantType::StringName);
        if is_text && self.options.profile.text_is_unicode() {
            return Ok(self.hasher.text(variant_type, self.last_text, place));
        }
        let leaf = self.leaf_at(start)?;
        Ok(self.hasher.leaf(&leaf, place))
    }

    /// The leaf at `start`, which has been read before, as a tree.
    pub(crate) fn leaf_at(&self, start: usize) -> Result<Variant, DecodeError> {
        let mut tree = TreeBuilder;
        let options = ReadOptions { strict: false, limits: Limits::NONE, ..*self.options };
        let leaf = Reader::from_cursor(self.cursor.at(start), &options, &mut tree).read_value(0)?;
        Ok(leaf.map(|item| item.value).unwrap_or_default())
    }

    /// The steps to the value being read, from the container on that was opened as number `base`.
    #[cold]
    fn path(&self, base: usize) -> Vec<Step> {
        work::add(self.frames.len() - base);
        let step = |frame: &Frame<'a, B>| match frame {
            Frame::Array(frame) => Step::Index(frame.position()),
            Frame::Dictionary(frame) => match frame.key_start() {
                None => Step::Key(frame.position()),
                Some(start) => Step::Value(frame.position(), self.leaf_at(start).ok().as_ref().and_then(key_text)),
            },
            Frame::Object(frame) => match frame.name() {
                None => Step::Part("property name"),
                Some(name) => Step::Property(name.to_owned()),
            },
        };
        self.frames[base..].iter().map(step).collect()
    }
}
