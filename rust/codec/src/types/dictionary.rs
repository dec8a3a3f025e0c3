//! `Dictionary`.

use crate::VariantType;
use crate::build::builder::{Builder, DuplicateKeys};
use crate::coerce::member::{Fit, Member};
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::read::duplicate_keys::KeySet;
use crate::read::input::{Input, Item};
use crate::types::container::{Members, TypedContainer};
use crate::variant::{ContainerType, KeyContext, KeyHasher};
use crate::wire::{FIRST_KIND_SHIFT, SECOND_KIND_SHIFT, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;

/// A dictionary whose entries are being read.
pub(crate) struct DictionaryFrame<'a, B: Builder<'a>> {
    pub(crate) dictionary: B::Dictionary,
    pub(crate) key_member: Member,
    pub(crate) value_member: Member,
    pub(crate) members: Members,
    pub(crate) seen: KeySet,
    /// The key whose value is being read.
    pub(crate) pending: Option<Pending<B::Value>>,
}

pub(crate) struct Pending<V> {
    pub(crate) key: V,
    pub(crate) key_start: usize,
    /// Whether the entry is dropped, because its key or its value does not fit the dictionary's type.
    pub(crate) dropped: bool,
    pub(crate) hash: u64,
    /// The position of an earlier entry with the same key.
    pub(crate) earlier: Option<usize>,
}

/// The part of an open dictionary that reading entries changes.
pub(crate) struct Entries<'f, D> {
    pub(crate) dictionary: &'f mut D,
    pub(crate) seen: &'f mut KeySet,
    pub(crate) members: &'f mut Members,
}

impl<D> Entries<'_, D> {
    /// Switches to finding keys by their hashes. Keys that were in ascending order until now are hashed.
    #[inline(always)]
    pub(crate) fn search<'a, B: Builder<'a, Dictionary = D>>(&mut self, hasher: &mut KeyHasher) {
        if matches!(self.seen, KeySet::Ascending(_)) {
            if self.members.hash.is_none() {
                self.hash_earlier::<B>(hasher);
            } else {
                *self.seen = KeySet::new(self.members.count, false);
            }
        }
    }

    #[cold]
    fn hash_earlier<'a, B: Builder<'a, Dictionary = D>>(&mut self, hasher: &mut KeyHasher) {
        let keys = (0..self.members.read).map_while(|position| B::key_at(self.dictionary, position));
        *self.seen = KeySet::hashed(self.members.count, 0, keys.map(|key| hasher.tree(key, KeyContext::Key, 1)));
    }
}

impl<'a, B: Builder<'a>> DictionaryFrame<'a, B> {
    /// Returns whether the next key or value is hashed: a key if it can have a duplicate, a value if the dictionary is
    /// part of a key.
    #[inline(always)]
    pub(crate) fn hashes_next(&self) -> bool {
        self.members.hash.is_some() || (self.pending.is_none() && self.members.count > 1)
    }

    /// Returns what reading entries changes.
    #[inline(always)]
    pub(crate) fn entries(&mut self) -> Entries<'_, B::Dictionary> {
        Entries { dictionary: &mut self.dictionary, seen: &mut self.seen, members: &mut self.members }
    }

    pub(crate) fn add(&mut self, input: &mut Input<'a, '_, B>, mut item: Item<B::Value>) -> Result<(), DecodeError> {
        let Some(pending) = &self.pending else {
            self.pending = Some(self.accept_key(input, item)?);
            self.members.memory_left = input.memory_for_values();
            return Ok(());
        };
        if self.value_member != Member::Any && !pending.dropped {
            item = self.accept_value(input, item)?;
        }
        self.add_value(input, item.value, item.start, item.hash)
    }

    /// Adds the value of the pending key, which begins at `start`.
    #[inline(always)]
    pub(crate) fn add_value(
        &mut self,
        input: &mut Input<'a, '_, B>,
        value: B::Value,
        start: usize,
        value_hash: u64,
    ) -> Result<(), DecodeError> {
        if let Some(pending) = self.pending.take().filter(|pending| !pending.dropped) {
            let Pending { key, earlier, hash, .. } = pending;
            if let Some(container) = &mut self.members.hash {
                container.push_entry(hash, value_hash, earlier);
            }
            let pushed = input.builder.push_entry(&mut self.dictionary, key, value, earlier);
            pushed.map_err(DecodeError::at(start))?;
        }
        self.members.read += 1;
        self.members.memory_left = input.memory_for_values();
        if !self.members.is_complete() {
            input.builder.begin_entry();
        }
        Ok(())
    }

    /// Converts a key to its dictionary's type and looks for an earlier duplicate.
    fn accept_key(
        &mut self,
        input: &mut Input<'a, '_, B>,
        mut item: Item<B::Value>,
    ) -> Result<Pending<B::Value>, DecodeError> {
        let key_start = item.start;
        let hashed = input.finds_duplicate_keys() && self.hashes_next();
        let mut kept = true;
        let fit = self.key_member.fit(item.variant_type, item.is_object_id);
        if fit != Fit::Fits {
            (item, kept) = input.coerce_or_drop(item, fit, &self.members, true)?;
        }
        let Item { value: key, hash, .. } = item;
        if !hashed || !kept {
            return Ok(Pending { key, key_start, dropped: !kept, hash, earlier: None });
        }
        self.entries().search::<B>(&mut input.hasher);
        let key_at = |position| B::key_at(&self.dictionary, position);
        let dictionary = (self.members.count, self.members.hash.is_some());
        let earlier = self.seen.find_or_add_key(&mut input.hasher, dictionary, hash, B::as_key(&key), key_at);
        let is_read_on = |earlier: &Option<usize>| earlier.is_none() || B::DUPLICATE_KEYS != DuplicateKeys::Restarted;
        let Some(earlier) = earlier.ok().filter(is_read_on) else {
            return Err(DecodeError::new(DecodeErrorKind::NeedsTree, key_start));
        };
        input.require(earlier.is_none(), key_start, "duplicate key")?;
        Ok(Pending { key, key_start, dropped: false, hash, earlier })
    }

    /// Converts a value to its dictionary's type, or marks the entry as dropped.
    fn accept_value(
        &mut self,
        input: &mut Input<'a, '_, B>,
        item: Item<B::Value>,
    ) -> Result<Item<B::Value>, DecodeError> {
        let fit = self.value_member.fit(item.variant_type, item.is_object_id);
        if fit == Fit::Fits {
            return Ok(item);
        }
        if input.options.strict {
            let declared = self.value_member.variant_type();
            let kind = DecodeErrorKind::MistypedValue { declared, found: item.variant_type };
            return Err(DecodeError::new(kind, item.start));
        }
        let (item, kept) = input.coerce_or_drop(item, fit, &self.members, false)?;
        if let Some(pending) = self.pending.as_mut().filter(|_| !kept) {
            pending.dropped = true;
            if pending.earlier.is_none() {
                // The key is not added to the dictionary, so a later key is not a duplicate of it.
                self.seen.remove_last();
            }
        }
        Ok(item)
    }

    #[inline(always)]
    pub(crate) fn close(self, input: &mut Input<'a, '_, B>) -> Result<Item<B::Value>, DecodeError> {
        let Self { dictionary, members, .. } = self;
        let value = input.builder.end_dictionary(dictionary);
        members.end(input, VariantType::Dictionary, value)
    }
}

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    pub(crate) fn open_dictionary(
        &mut self,
        flags: u32,
        start: usize,
        hash_level: Option<usize>,
    ) -> Result<DictionaryFrame<'a, B>, DecodeError> {
        let (key_type, value_type) = self.read_types(VariantType::Dictionary, flags)?;
        let (count, shared) = self.read_announced_count()?;
        let checks_values = self.checks_values();
        let has_builtin_keys = matches!(key_type, Some(ContainerType::Builtin(key)) if key != VariantType::Object);
        let checks_keys = checks_values || !B::CHECKS_OBJECT_KEYS || has_builtin_keys;
        let types = (
            if checks_keys { self.member(key_type.as_ref()) } else { Member::Any },
            if checks_values { self.member(value_type.as_ref()) } else { Member::Any },
        );
        let members = self.begin_entries(count, start)?;
        let dictionary = self.builder.begin_dictionary(members.count, key_type, value_type);
        let mut frame = self.dictionary_begun(types, dictionary, members, shared)?;
        frame.members.hash_at(VariantType::Dictionary, hash_level);
        Ok(frame)
    }

    /// Begins a dictionary of built-in types, whose header has been read.
    #[inline(always)]
    pub(crate) fn begin_typed_dictionary(
        &mut self,
        TypedContainer { types, count, .. }: TypedContainer,
        start: usize,
    ) -> Result<DictionaryFrame<'a, B>, DecodeError> {
        types.iter().flatten().try_for_each(|_| self.skip_type())?;
        self.cursor.advance(WORD);
        let value_member = if self.checks_values() { self.member_of(types[1]) } else { Member::Any };
        let members = self.begin_entries(count, start)?;
        // Created here, not before: to copy what was just written would make the processor wait.
        let [key_type, value_type] = types.map(|declared| declared.map(ContainerType::Builtin));
        let dictionary = self.builder.begin_dictionary(members.count, key_type, value_type);
        self.dictionary_begun((self.member_of(types[0]), value_member), dictionary, members, false)
    }

    /// Returns whether the types of values are checked. Engines do not do that.
    #[inline(always)]
    const fn checks_values(&self) -> bool {
        self.options.enforces_types || self.options.strict
    }

    /// Begins a dictionary without types, and its first entry, after its count has been read.
    #[inline(always)]
    pub(crate) fn begin_plain_dictionary(
        &mut self,
        count: u32,
        start: usize,
    ) -> Result<DictionaryFrame<'a, B>, DecodeError> {
        let members = self.begin_entries(count, start)?;
        // The types are constants here, not arguments that would be copied.
        let dictionary = self.builder.begin_dictionary(members.count, None, None);
        self.dictionary_begun((Member::Any, Member::Any), dictionary, members, false)
    }

    #[inline(always)]
    fn begin_entries(&mut self, count: u32, start: usize) -> Result<Members, DecodeError> {
        self.begin_members((count, 2), const { (B::COSTS.entry, B::COSTS.dictionary) }, 2, start)
    }

    /// Begins the first entry of a dictionary that the builder has begun.
    #[inline(always)]
    fn dictionary_begun(
        &mut self,
        (key_member, value_member): (Member, Member),
        dictionary: Result<B::Dictionary, DecodeErrorKind>,
        members: Members,
        shared: bool,
    ) -> Result<DictionaryFrame<'a, B>, DecodeError> {
        let Members { count, start, .. } = members;
        let mut dictionary = self.begun(dictionary, start)?;
        if shared {
            self.builder.share_dictionary(&mut dictionary);
        }
        if count > 0 {
            self.builder.begin_entry();
        }
        let seen = if self.finds_duplicate_keys() {
            KeySet::new(count, B::DUPLICATE_KEYS == DuplicateKeys::Merged)
        } else {
            KeySet::Untracked
        };
        Ok(DictionaryFrame { dictionary, key_member, value_member, members, seen, pending: None })
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Begins a `Dictionary` of `count` entries. Write each key and then its value. [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::UnsupportedContainerType`] for a typed dictionary before Godot 4.4;
    /// [`EncodeErrorKind::InvalidScriptPath`].
    #[inline]
    pub fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<&ContainerType>,
        value_type: Option<&ContainerType>,
    ) -> Result<(), EncodeErrorKind> {
        if key_type.is_none() && value_type.is_none() {
            return self.begin_untyped(VariantType::Dictionary, count);
        }
        self.begin_any_dictionary(count, (key_type, value_type), false)
    }

    /// Like `begin_dictionary`, for a dictionary that may be "shared".
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
