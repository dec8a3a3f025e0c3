//! `Dictionary`.

use alloc::boxed::Box;

use crate::VariantType;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::coerce::member::{Fit, Member};
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::read::duplicate_keys::{KeySearch, KeySet, NoTree};
use crate::read::machine::{Frame, Item, Reader};
use crate::types::container::drop_member;
use crate::variant::{ContainerHash, ContainerType, KeyContext, KeyHasher};
use crate::wire::{FIRST_KIND_SHIFT, KIND_MASK, KIND_NONE, SECOND_KIND_SHIFT, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// A dictionary whose entries are being read.
pub(crate) struct DictionaryFrame<'a, B: Builder<'a>> {
    pub(crate) dictionary: B::Dictionary,
    pub(crate) key_member: Member,
    pub(crate) value_member: Member,
    pub(crate) count: usize,
    pub(crate) read: usize,
    pub(crate) start: usize,
    /// The memory that was left when the key or value being read began; kept up where they are converted.
    pub(crate) memory_left: usize,
    pub(crate) seen: KeySet,
    /// The key whose value is being read.
    pub(crate) pending: Option<Pending<B::Value>>,
    /// What the entries hash to so far, where the dictionary is part of a key.
    pub(crate) hash: Option<Box<ContainerHash>>,
}

pub(crate) struct Pending<V> {
    pub(crate) key: V,
    pub(crate) key_start: usize,
    /// Whether the entry is left out, because its key or its value does not fit the dictionary's type.
    pub(crate) dropped: bool,
    pub(crate) hash: u64,
    pub(crate) earlier: Option<usize>,
}

impl<'a, B: Builder<'a>> DictionaryFrame<'a, B> {
    pub(crate) fn position(&self) -> usize {
        self.read
    }

    /// Where the key begins whose value is being read.
    pub(crate) fn key_start(&self) -> Option<usize> {
        self.pending.as_ref().map(|pending| pending.key_start)
    }

    /// Where what is read next stands in a key.
    pub(crate) fn place(&self) -> KeyContext {
        match &self.hash {
            Some(hash) if self.pending.is_some() => KeyContext::in_container(hash.level),
            _ => KeyContext::Key,
        }
    }

    /// From now on, keys are searched for by their hashes. Those that rose until now get one; in a key none do.
    #[inline(always)]
    pub(crate) fn search(&mut self, hasher: &mut KeyHasher) {
        if matches!(self.seen, KeySet::Rising(_)) {
            if self.hash.is_none() { self.hash_earlier(hasher) } else { self.seen = KeySet::new(self.count, false) }
        }
    }

    #[cold]
    fn hash_earlier(&mut self, hasher: &mut KeyHasher) {
        let keys = (0..self.read).map_while(|position| B::key_at(&self.dictionary, position));
        self.seen = KeySet::hashed(self.count, 0, keys.map(|key| hasher.tree(key, KeyContext::Key, 1)));
    }

    /// A key is hashed where another can equal it; a value, where the whole dictionary is part of a key.
    pub(crate) fn hashes_next(&self) -> bool {
        self.hash.is_some() || (self.pending.is_none() && self.count > 1)
    }
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// The types of the keys and of the values.
    pub(crate) fn read_dictionary_types(
        &mut self,
        flags: u32,
    ) -> Result<(Option<ContainerType>, Option<ContainerType>), DecodeError> {
        let typed = self.options.profile.types_dictionaries();
        let kind = |shift: u32| if typed { flags >> shift & KIND_MASK } else { KIND_NONE };
        let key_type = self.read_container_type(kind(FIRST_KIND_SHIFT))?;
        Ok((key_type, self.read_container_type(kind(SECOND_KIND_SHIFT))?))
    }

    pub(crate) fn open_dictionary(&mut self, flags: u32, start: usize) -> Result<Option<Item<B::Value>>, DecodeError> {
        let types = self.read_dictionary_types(flags)?;
        let announced = self.read_announced_count()?;
        let members = self.dictionary_members(types.0.as_ref(), types.1.as_ref());
        let mut frame = self.begin_dictionary_of(types, members, announced, start)?;
        frame.hash = self.open_hash(VariantType::Dictionary);
        if frame.count == 0 {
            return self.close_dictionary(frame).map(Some);
        }
        self.push_frame(Frame::Dictionary(frame))?;
        Ok(None)
    }

    /// What the types of a dictionary ask of its keys and of its values.
    fn dictionary_members(
        &self,
        key_type: Option<&ContainerType>,
        value_type: Option<&ContainerType>,
    ) -> (Member, Member) {
        let checks_values = self.checks_values();
        let of_builtin = |container_type: &ContainerType| matches!(container_type, ContainerType::Builtin(builtin) if *builtin != VariantType::Object);
        let checks_keys = checks_values || !B::CHECKS_OBJECT_KEYS || key_type.is_some_and(of_builtin);
        (
            if checks_keys { self.member(key_type) } else { Member::Any },
            if checks_values { self.member(value_type) } else { Member::Any },
        )
    }

    /// Begins a dictionary whose count was read last, and its first entry.
    #[inline(always)]
    pub(crate) fn begin_dictionary_of(
        &mut self,
        (key_type, value_type): (Option<ContainerType>, Option<ContainerType>),
        (key_member, value_member): (Member, Member),
        (count, shared): (u32, bool),
        start: usize,
    ) -> Result<DictionaryFrame<'a, B>, DecodeError> {
        let count = self.check_count(count, 2 * WORD, self.cursor.position() - WORD)?;
        self.charge(
            count.saturating_mul(const { B::COSTS.entry }).saturating_add(const { B::COSTS.dictionary }),
            2 * count,
        )?;
        let mut dictionary = self.begin(start, |builder| builder.begin_dictionary(count, key_type, value_type))?;
        if shared {
            self.builder.share_dictionary(&mut dictionary);
        }
        self.owed += count * 2 * WORD;
        if count > 0 {
            self.builder.begin_entry();
        }
        let ignored = B::DUPLICATE_KEYS == DuplicateKeys::Ignored && !self.options.strict;
        let seen = if ignored || self.options.keys_are_unique {
            KeySet::Unasked
        } else {
            KeySet::new(count, B::DUPLICATE_KEYS == DuplicateKeys::Merged)
        };
        Ok(DictionaryFrame {
            dictionary,
            key_member,
            value_member,
            count,
            read: 0,
            start,
            memory_left: self.memory,
            seen,
            pending: None,
            hash: None,
        })
    }

    /// Puts a finished key or value into the innermost container, a dictionary; gives the dictionary where that
    /// finished it.
    pub(crate) fn add_key_or_value(&mut self, mut item: Item<B::Value>) -> Result<Option<Item<B::Value>>, DecodeError> {
        let Some(Frame::Dictionary(frame)) = self.frames.last_mut() else { return Ok(Some(item)) };
        let Some(pending) = &frame.pending else {
            let pending = self.accept_key(item)?;
            if let Some(Frame::Dictionary(frame)) = self.frames.last_mut() {
                frame.pending = Some(pending);
                frame.memory_left = self.memory;
            }
            return Ok(None);
        };
        if frame.value_member != Member::Any && !pending.dropped {
            item = self.accept_value(item)?;
        }
        let Some(Frame::Dictionary(frame)) = self.frames.last_mut() else { return Ok(Some(item)) };
        if let Some(pending) = frame.pending.take().filter(|pending| !pending.dropped) {
            let Pending { key, earlier, hash, .. } = pending;
            if let Some(container) = &mut frame.hash {
                container.push_entry(hash, item.hash, earlier);
            }
            let pushed = self.builder.push_entry(&mut frame.dictionary, key, item.value, earlier);
            pushed.map_err(|kind| DecodeError::new(kind, item.start))?;
        }
        frame.read += 1;
        frame.memory_left = self.memory;
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
        let (fit, memory_left) = match self.frames.last() {
            Some(Frame::Dictionary(frame)) => {
                (frame.key_member.fit(item.variant_type, item.is_object_id), frame.memory_left)
            }
            _ => (Fit::Fits, self.memory),
        };
        let mut dropped = false;
        if fit != Fit::Fits {
            self.require(false, key_start, fit.reason())?;
            if let Fit::Converts(to, rule) = fit {
                let level = self.open_hash(to).map_or(1, |hash| hash.level);
                item = self.convert_member(item, (to, rule), KeyContext::Key, level, memory_left)?;
            } else {
                drop_member::<B>(key_start)?;
                self.memory = memory_left;
                dropped = true;
            }
        }
        let Item { value: key, hash, .. } = item;
        let Some(Frame::Dictionary(frame)) = self.frames.last_mut().filter(|_| hashed && !dropped) else {
            return Ok(Pending { key, key_start, dropped, hash, earlier: None });
        };
        frame.search(&mut self.hasher);
        let search = KeySearch {
            hasher: &mut self.hasher,
            count: frame.count,
            in_key: frame.hash.is_some(),
            key: B::as_key(&key),
            key_at: |position| B::key_at(&frame.dictionary, position),
        };
        let earlier = frame.seen.find_or_add_key(hash, search);
        let earlier = earlier.map_err(|NoTree| DecodeError::new(DecodeErrorKind::NeedsTree, key_start))?;
        if earlier.is_some() {
            if B::DUPLICATE_KEYS == DuplicateKeys::Restarted {
                return Err(DecodeError::new(DecodeErrorKind::NeedsTree, key_start));
            }
            self.require(false, key_start, "key that came before")?;
        }
        Ok(Pending { key, key_start, dropped: false, hash, earlier })
    }

    /// Converts a value to its dictionary's type, or marks the entry as left out.
    fn accept_value(&mut self, item: Item<B::Value>) -> Result<Item<B::Value>, DecodeError> {
        let Some(Frame::Dictionary(frame)) = self.frames.last_mut() else { return Ok(item) };
        let fit = frame.value_member.fit(item.variant_type, item.is_object_id);
        if fit == Fit::Fits {
            return Ok(item);
        }
        if self.options.strict {
            let declared = frame.value_member.variant_type();
            let kind = DecodeErrorKind::MistypedValue { declared, found: item.variant_type };
            return Err(DecodeError::new(kind, item.start));
        }
        if let Fit::Converts(to, rule) = fit {
            let level = frame.hash.as_ref().map_or(0, |hash| hash.level);
            let memory_left = frame.memory_left;
            return self.convert_member(item, (to, rule), KeyContext::in_container(level), level + 1, memory_left);
        }
        drop_member::<B>(item.start)?;
        self.memory = frame.memory_left;
        if let Some(pending) = &mut frame.pending {
            pending.dropped = true;
            if pending.earlier.is_none() {
                // The key is not in the dictionary, and may come again.
                frame.seen.forget_last();
            }
        }
        Ok(item)
    }

    #[inline(always)]
    pub(crate) fn close_dictionary(&mut self, frame: DictionaryFrame<'a, B>) -> Result<Item<B::Value>, DecodeError> {
        let DictionaryFrame { dictionary, start, hash, .. } = frame;
        let value = self.builder.end_dictionary(dictionary).map_err(|kind| DecodeError::new(kind, start))?;
        let hash = self.close_hash(hash);
        Ok(Item { value, variant_type: VariantType::Dictionary, is_object_id: false, start, hash })
    }
}

impl<S: Sink> Writer<'_, S> {
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
        self.begin_any_dictionary(count, (key_type, value_type), false)
    }

    /// The same for a dictionary that may be "shared".
    pub(crate) fn begin_any_dictionary(
        &mut self,
        count: usize,
        (key_type, value_type): (Option<&ContainerType>, Option<&ContainerType>),
        shared: bool,
    ) -> Result<(), EncodeErrorKind> {
        if (key_type.is_some() || value_type.is_some()) && !self.options.profile.types_dictionaries() {
            return Err(EncodeErrorKind::UnsupportedContainerType);
        }
        let kinds = self.kind(key_type) << FIRST_KIND_SHIFT | self.kind(value_type) << SECOND_KIND_SHIFT;
        self.header(VariantType::Dictionary, kinds)?;
        self.container_type(key_type)?;
        self.container_type(value_type)?;
        self.member_count(count, shared)
    }
}
