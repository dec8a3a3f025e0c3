//! `Array`, `Dictionary`, and the types of their members.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use super::Builder;
use super::builder::DuplicateKeys;
use super::convert::{Fit, Member};
use super::keys::KeySet;
use super::plain::Plain;
use super::reader::{Frame, Item, Reader};
use super::sink::Sink;
use super::writer::Writer;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::variant::{ContainerHash, ContainerType, Place, same_key};
use crate::wire::{
    COUNT_SHARED, ENCODED_OBJECT_AS_ID, FIRST_KIND_SHIFT, KIND_BUILTIN, KIND_CLASS, KIND_MASK, KIND_NONE, KIND_SCRIPT,
    SCRIPT_PATH_PREFIX, SECOND_KIND_SHIFT, WORD,
};
use crate::{MemberConversion, Variant, VariantType};

/// An array whose members are being read.
pub(super) struct ArrayFrame<'a, B: Builder<'a>> {
    array: B::Array,
    member: Member,
    count: usize,
    read: usize,
    start: usize,
    /// What the members hash to so far, where the array is part of a key.
    pub(super) hash: Option<ContainerHash>,
}

/// A dictionary whose entries are being read.
pub(super) struct DictionaryFrame<'a, B: Builder<'a>> {
    dictionary: B::Dictionary,
    key_member: Member,
    count: usize,
    read: usize,
    start: usize,
    seen: KeySet,
    /// The key whose value is being read.
    pending: Option<Pending<B::Value>>,
    /// What the entries hash to so far, where the dictionary is part of a key.
    pub(super) hash: Option<ContainerHash>,
}

struct Pending<V> {
    key: V,
    key_start: usize,
    /// Whether the engine drops the entry, because its key does not fit the dictionary's type.
    dropped: bool,
    hash: u64,
    earlier: Option<usize>,
}

impl<'a, B: Builder<'a>> ArrayFrame<'a, B> {
    /// Where what is read next stands in a key.
    pub(super) fn place(&self) -> Place {
        self.hash.as_ref().map_or(Place::Key, |hash| Place::in_container(hash.level))
    }

    pub(super) fn position(&self) -> usize {
        self.read
    }
}

impl<'a, B: Builder<'a>> DictionaryFrame<'a, B> {
    pub(super) fn position(&self) -> usize {
        self.read
    }

    /// Where the key begins whose value is being read.
    pub(super) fn key_start(&self) -> Option<usize> {
        self.pending.as_ref().map(|pending| pending.key_start)
    }

    /// Where what is read next stands in a key.
    pub(super) fn place(&self) -> Place {
        match &self.hash {
            Some(hash) if self.pending.is_some() => Place::in_container(hash.level),
            _ => Place::Key,
        }
    }

    /// A key is hashed where another can equal it; a value, where the whole dictionary is part of a key.
    pub(super) fn hashes_next(&self) -> bool {
        self.hash.is_some() || (self.pending.is_none() && self.count > 1)
    }
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    pub(super) fn open_array(&mut self, flags: u32, start: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        let kind = if self.options.profile.types_arrays() { flags >> FIRST_KIND_SHIFT & KIND_MASK } else { KIND_NONE };
        let element_type = self.read_container_type(kind)?;
        let count = self.read_member_count(WORD)?;
        self.charge(count * size_of::<Variant>(), count)?;
        let member = self.member(element_type.as_ref());
        let hash = self.open_hash(VariantType::Array);
        let array = self.begin(start, |builder| builder.begin_array(count, element_type))?;
        self.owed += count * WORD;
        let frame = ArrayFrame { array, member, count, read: 0, start, hash };
        if count == 0 {
            return self.close_array(frame).map(Some);
        }
        self.frames.push(Frame::Array(frame));
        Ok(None)
    }

    pub(super) fn open_dictionary(&mut self, flags: u32, start: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        let typed = self.options.profile.types_dictionaries();
        let kind = |shift: u32| if typed { flags >> shift & KIND_MASK } else { KIND_NONE };
        let key_type = self.read_container_type(kind(FIRST_KIND_SHIFT))?;
        let value_type = self.read_container_type(kind(SECOND_KIND_SHIFT))?;
        let count = self.read_member_count(2 * WORD)?;
        self.charge(count * size_of::<(Variant, Variant)>(), count)?;
        let key_member = self.member(key_type.as_ref());
        let hash = self.open_hash(VariantType::Dictionary);
        let dictionary = self.begin(start, |builder| builder.begin_dictionary(count, key_type, value_type))?;
        self.owed += count * 2 * WORD;
        let seen = self.keys.open();
        let frame = DictionaryFrame { dictionary, key_member, count, read: 0, start, seen, pending: None, hash };
        if count == 0 {
            return self.close_dictionary(frame).map(Some);
        }
        self.frames.push(Frame::Dictionary(frame));
        self.builder.begin_entry();
        Ok(None)
    }

    /// The count of an array or dictionary. Its highest bit, 2.x's "shared", is ignored by every later engine.
    fn read_member_count(&mut self, size: usize) -> Result<usize, DecodeError> {
        let offset = self.cursor.position();
        let count = self.cursor.u32()?;
        self.require(count & COUNT_SHARED == 0, offset + 3, "highest bit of a count")?;
        self.check_count(count & !COUNT_SHARED, size, offset)
    }

    /// The type of a container's members, as the kind in the header says it is given.
    fn read_container_type(&mut self, kind: u32) -> Result<Option<ContainerType>, DecodeError> {
        let objects = self.options.objects;
        let start = self.cursor.position();
        let container_type = match kind {
            KIND_BUILTIN => {
                let id = self.cursor.u32()?;
                let known = u8::try_from(id).ok().and_then(|id| self.options.profile.type_of_id(id));
                match known {
                    None => return Err(DecodeError::new(DecodeErrorKind::UnknownContainerType { id }, start)),
                    Some(VariantType::Nil) => {
                        self.require(false, start - 2, "container typed with Nil, read as untyped")?;
                        None
                    }
                    Some(VariantType::Object) if !objects => {
                        self.require(false, start - 2, "container of objects where objects are ids")?;
                        Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()))
                    }
                    Some(builtin) => Some(ContainerType::Builtin(builtin)),
                }
            }
            KIND_CLASS => {
                let class = self.read_text_field()?;
                if !objects {
                    self.require(class == ENCODED_OBJECT_AS_ID, start, "class name where objects are ids")?;
                    Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()))
                } else if class.is_empty() {
                    self.require(false, start - 2, "container typed with an empty class name")?;
                    Some(ContainerType::Builtin(VariantType::Object))
                } else {
                    Some(ContainerType::Class(class.to_owned()))
                }
            }
            KIND_SCRIPT => {
                let path = self.read_text_field()?;
                if !objects {
                    self.require(false, start - 2, "script where objects are ids")?;
                    Some(ContainerType::Class(ENCODED_OBJECT_AS_ID.to_owned()))
                } else if path.starts_with(SCRIPT_PATH_PREFIX) {
                    Some(ContainerType::Script(path.to_owned()))
                } else {
                    let kind = DecodeErrorKind::InvalidScriptPath { path: path.to_string() };
                    return Err(DecodeError::new(kind, start));
                }
            }
            _ => None,
        };
        if container_type.is_some() {
            self.charge(2 * size_of::<Variant>(), 0)?;
        }
        Ok(container_type)
    }

    fn member(&self, container_type: Option<&ContainerType>) -> Member {
        let of_objects =
            !matches!(container_type, Some(ContainerType::Builtin(builtin)) if *builtin != VariantType::Object);
        if B::CHECKS_OBJECTS && of_objects && !self.options.strict {
            return Member::Any;
        }
        self.options.profile.member_conversion().map_or(Member::Any, |rule| Member::new(container_type, rule))
    }

    /// Reads members of the innermost container as long as they are plain: numbers and ordinary text, of
    /// which most members and nearly all keys are. Whatever else comes, the last member, and everything that
    /// is not in order is left to the general way, which says what is wrong with it.
    #[inline]
    pub(super) fn read_plain_members(&mut self) -> Result<(), DecodeError> {
        if B::WANTS_SPANS || self.options.strict || self.check_depth(0).is_err() {
            return Ok(());
        }
        let mut plain = Plain {
            cursor: &mut self.cursor,
            builder: self.builder,
            memory: &mut self.memory,
            last_text: &mut self.last_text,
            longest: self.options.limits.string_length,
            headers: self.plain_headers,
        };
        let mut headers_read = 0;
        match self.frames.last_mut() {
            Some(Frame::Array(frame)) if frame.hash.is_none() => {
                while frame.read + 1 < frame.count {
                    let start = plain.cursor.position();
                    let Some(value) = plain.read(frame.member) else { break };
                    let pushed = plain.builder.push_element(&mut frame.array, value);
                    pushed.map_err(|kind| DecodeError::new(kind, start))?;
                    frame.read += 1;
                    headers_read += 1;
                }
            }
            Some(Frame::Dictionary(frame)) if B::DUPLICATE_KEYS == DuplicateKeys::Ignored && frame.hash.is_none() => {
                while frame.read + 1 < frame.count {
                    let key_start = plain.cursor.position();
                    if frame.pending.is_none() {
                        let Some(key) = plain.read(frame.key_member) else { break };
                        frame.pending = Some(Pending { key, key_start, dropped: false, hash: 0, earlier: None });
                        headers_read += 1;
                    }
                    let start = plain.cursor.position();
                    let Some(value) = plain.read(Member::Any) else { break };
                    headers_read += 1;
                    let Some(Pending { key, dropped, earlier, .. }) = frame.pending.take() else { break };
                    if !dropped {
                        let pushed = plain.builder.push_entry(&mut frame.dictionary, key, value, earlier);
                        pushed.map_err(|kind| DecodeError::new(kind, start))?;
                    }
                    frame.read += 1;
                    plain.builder.begin_entry();
                }
            }
            _ => {}
        }
        self.owed = self.owed.saturating_sub(headers_read * WORD);
        Ok(())
    }

    pub(super) fn begin<T>(
        &mut self,
        start: usize,
        begin: impl FnOnce(&mut B) -> Result<T, DecodeErrorKind>,
    ) -> Result<T, DecodeError> {
        let begun = begin(self.builder).map_err(|kind| DecodeError::new(kind, start))?;
        self.tell_span(start);
        Ok(begun)
    }

    /// Puts a finished value into the innermost container, an array; gives the array where that finished it.
    pub(super) fn add_element(&mut self, mut item: Item<B::Value>) -> Result<Option<Item<B::Value>>, DecodeError> {
        let Some(Frame::Array(frame)) = self.frames.last() else { return Ok(Some(item)) };
        let level = frame.hash.as_ref().map_or(0, |hash| hash.level) + 1;
        let kept = match frame.member.fit(item.variant_type, item.is_object_id) {
            Fit::Fits => true,
            unfit => {
                self.require(false, item.start, unfit.reason())?;
                if let Fit::Converts(to, rule) = unfit {
                    item = self.convert_member(item, to, rule, Place::in_container(level - 1), level)?;
                    true
                } else {
                    drop_member::<B>(item.start)?;
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
        if frame.read < frame.count {
            return Ok(None);
        }
        match self.frames.pop() {
            Some(Frame::Array(frame)) => self.close_array(frame).map(Some),
            _ => Ok(None),
        }
    }

    /// A member as its container's type wants it, charged for what it takes then.
    #[cold]
    fn convert_member(
        &mut self,
        mut item: Item<B::Value>,
        to: VariantType,
        rule: MemberConversion,
        place: Place,
        level: usize,
    ) -> Result<Item<B::Value>, DecodeError> {
        let converted = self.builder.convert(item.value, to, rule);
        item.value = converted.map_err(|kind| DecodeError::new(kind, item.start))?;
        item.variant_type = to;
        if let Some(tree) = B::as_variant(&item.value) {
            item.hash = self.keys.hasher.tree(tree, place, level);
            self.charge(converted_size(tree), 0)?;
        }
        Ok(item)
    }

    fn close_array(&mut self, frame: ArrayFrame<'a, B>) -> Result<Item<B::Value>, DecodeError> {
        let ArrayFrame { array, start, hash, .. } = frame;
        let value = self.builder.end_array(array).map_err(|kind| DecodeError::new(kind, start))?;
        let hash = self.close_hash(hash);
        Ok(Item { value, variant_type: VariantType::Array, is_object_id: false, start, hash })
    }

    /// The same for a dictionary, whose keys and values come in turn.
    pub(super) fn add_key_or_value(&mut self, item: Item<B::Value>) -> Result<Option<Item<B::Value>>, DecodeError> {
        let Some(Frame::Dictionary(frame)) = self.frames.last_mut() else { return Ok(Some(item)) };
        let Some(pending) = frame.pending.take() else {
            let pending = self.accept_key(item)?;
            if let Some(Frame::Dictionary(frame)) = self.frames.last_mut() {
                frame.pending = Some(pending);
            }
            return Ok(None);
        };
        if !pending.dropped {
            let Pending { key, earlier, hash, .. } = pending;
            if let Some(container) = &mut frame.hash {
                container.push_entry(hash, item.hash, earlier);
            }
            let pushed = self.builder.push_entry(&mut frame.dictionary, key, item.value, earlier);
            pushed.map_err(|kind| DecodeError::new(kind, item.start))?;
        }
        frame.read += 1;
        if frame.read < frame.count {
            self.builder.begin_entry();
            return Ok(None);
        }
        match self.frames.pop() {
            Some(Frame::Dictionary(frame)) => self.close_dictionary(frame).map(Some),
            _ => Ok(None),
        }
    }

    /// Converts a key to its dictionary's type and looks for an earlier one that equals it.
    fn accept_key(&mut self, mut item: Item<B::Value>) -> Result<Pending<B::Value>, DecodeError> {
        let hashed = self.hashes_next();
        let key_start = item.start;
        let fit = match self.frames.last() {
            Some(Frame::Dictionary(frame)) => frame.key_member.fit(item.variant_type, item.is_object_id),
            _ => Fit::Fits,
        };
        let mut dropped = false;
        if fit != Fit::Fits {
            self.require(false, key_start, fit.reason())?;
            if let Fit::Converts(to, rule) = fit {
                let level = self.open_hash(to).map_or(1, |hash| hash.level);
                item = self.convert_member(item, to, rule, Place::Key, level)?;
            } else {
                drop_member::<B>(key_start)?;
                dropped = true;
            }
        }
        let Item { value: key, hash, .. } = item;
        let Some(Frame::Dictionary(frame)) = self.frames.last_mut().filter(|_| hashed && !dropped) else {
            return Ok(Pending { key, key_start, dropped, hash, earlier: None });
        };
        let earlier = self.keys.find_or_add(&mut frame.seen, hash, |position| {
            match (B::as_variant(&key), B::key_at(&frame.dictionary, position)) {
                (Some(key), Some(earlier)) => Ok(same_key(key, earlier)),
                // Equal hashes all but prove equal keys. What no tree shows, a tree must decide.
                _ => Err(DecodeError::new(DecodeErrorKind::NeedsTree, key_start)),
            }
        })?;
        if earlier.is_some() {
            if B::DUPLICATE_KEYS == DuplicateKeys::Restarted {
                return Err(DecodeError::new(DecodeErrorKind::NeedsTree, key_start));
            }
            self.require(false, key_start, "key that came before")?;
        }
        Ok(Pending { key, key_start, dropped: false, hash, earlier })
    }

    fn close_dictionary(&mut self, frame: DictionaryFrame<'a, B>) -> Result<Item<B::Value>, DecodeError> {
        let DictionaryFrame { dictionary, start, seen, hash, .. } = frame;
        self.keys.close(&seen);
        let value = self.builder.end_dictionary(dictionary).map_err(|kind| DecodeError::new(kind, start))?;
        let hash = self.close_hash(hash);
        Ok(Item { value, variant_type: VariantType::Dictionary, is_object_id: false, start, hash })
    }

    /// An account of the hashes of a container's members, where it is a dictionary's key or part of one.
    pub(super) fn open_hash(&self, variant_type: VariantType) -> Option<ContainerHash> {
        let level = match self.frames.last() {
            Some(Frame::Array(frame)) => frame.hash.as_ref(),
            Some(Frame::Dictionary(frame)) => frame.hash.as_ref(),
            Some(Frame::Object(frame)) => frame.hash.as_ref(),
            None => None,
        };
        self.hashes_next().then(|| ContainerHash::new(variant_type, level.map_or(0, |hash| hash.level) + 1))
    }

    /// The hash of a container from those of its members.
    pub(super) fn close_hash(&mut self, hash: Option<ContainerHash>) -> u64 {
        hash.map_or(0, |hash| self.keys.hasher.container(&hash))
    }
}

/// Lets the builder drop a member, if it can.
fn drop_member<'a, B: Builder<'a>>(start: usize) -> Result<(), DecodeError> {
    match B::DUPLICATE_KEYS {
        DuplicateKeys::Restarted => Err(DecodeError::new(DecodeErrorKind::NeedsTree, start)),
        DuplicateKeys::Ignored | DuplicateKeys::Merged => Ok(()),
    }
}

/// What a converted member takes beside its node, in bytes.
fn converted_size(member: &Variant) -> usize {
    match member {
        Variant::Array(array) => size_of_val(array.elements()),
        Variant::PackedStringArray(strings) => {
            size_of_val(strings.as_slice()) + strings.iter().map(String::len).sum::<usize>()
        }
        Variant::String(text) | Variant::StringName(text) => text.len(),
        Variant::NodePath(path) => {
            path.names.iter().chain(&path.subnames).map(|name| size_of::<String>() + name.len()).sum()
        }
        // Packed numbers from an array of values that took more, and types of a fixed size.
        _ => size_of::<[f64; 16]>(),
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
        if element_type.is_some() && !self.options.profile.types_arrays() {
            return Err(EncodeErrorKind::UnsupportedContainerType);
        }
        self.header(VariantType::Array, self.kind(element_type) << FIRST_KIND_SHIFT)?;
        self.container_type(element_type)?;
        self.count(count)
    }

    /// Begins a `Dictionary` of `count` entries; each key and its value follow.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooLong`]; [`EncodeErrorKind::UnsupportedContainerType`] for a typed dictionary
    /// before 4.4; [`EncodeErrorKind::InvalidScriptPath`].
    #[inline]
    pub fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<&ContainerType>,
        value_type: Option<&ContainerType>,
    ) -> Result<(), EncodeErrorKind> {
        if (key_type.is_some() || value_type.is_some()) && !self.options.profile.types_dictionaries() {
            return Err(EncodeErrorKind::UnsupportedContainerType);
        }
        let kinds = self.kind(key_type) << FIRST_KIND_SHIFT | self.kind(value_type) << SECOND_KIND_SHIFT;
        self.header(VariantType::Dictionary, kinds)?;
        self.container_type(key_type)?;
        self.container_type(value_type)?;
        self.count(count)
    }

    fn kind(&self, container_type: Option<&ContainerType>) -> u32 {
        match container_type {
            None => KIND_NONE,
            Some(ContainerType::Builtin(_)) => KIND_BUILTIN,
            Some(ContainerType::Class(_)) => KIND_CLASS,
            // Where objects are ids, so is a script: any class of objects is written alike.
            Some(ContainerType::Script(_)) if self.options.full_objects => KIND_SCRIPT,
            Some(ContainerType::Script(_)) => KIND_CLASS,
        }
    }

    fn container_type(&mut self, container_type: Option<&ContainerType>) -> Result<(), EncodeErrorKind> {
        match container_type {
            None => Ok(()),
            Some(ContainerType::Builtin(builtin)) => match self.options.profile.type_id(*builtin) {
                Some(id) => {
                    self.word(u32::from(id));
                    Ok(())
                }
                None => Err(EncodeErrorKind::UnsupportedType { variant_type: *builtin }),
            },
            Some(_) if !self.options.full_objects => self.text_field(ENCODED_OBJECT_AS_ID),
            Some(ContainerType::Class(class)) => self.text_field(class),
            Some(ContainerType::Script(path)) if path.starts_with(SCRIPT_PATH_PREFIX) => self.text_field(path),
            Some(ContainerType::Script(path)) => Err(EncodeErrorKind::InvalidScriptPath { path: path.to_string() }),
        }
    }
}
