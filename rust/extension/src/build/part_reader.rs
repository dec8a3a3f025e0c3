//! Reads containers in one walk, without the decoder's state.

use godot::builtin::{PackedByteArray, Variant};
use varbytes::{Beginning, Decoder, Entry, Limits, ObjectsBeginning, Parts, Single, VariantType};

use super::checked_objects::CheckedObjects;
use super::key_cache::KeyCache;
use super::packed::{HEADER, OBJECT_ID, packed_array, read_around};
use super::single::{key_of, name_of_utf8, value_of};
use super::uncommon::{ARRAY, DICTIONARY, OBJECT, STRING, STRING_NAME, by_decoder, uncommon};
use crate::floods::{Floods, Keys};
use crate::raw::{self, ArrayFill, DictionaryFill, LazyVariant, NewValue, SharedText, TypedBy, WireNumbers, scalar};

/// How many values are read before they are put into their container.
const BATCH: usize = 16;

/// Reads containers in one walk, mostly without the state of a decoder. If a full object follows, for example, what was built is dropped.
pub(super) struct PartReader<'a, 'o> {
    decoder: &'a Decoder,
    /// The array that contains the packet, if it is known.
    array: Option<&'a PackedByteArray>,
    parts: Parts<'a>,
    depth: usize,
    /// The deepest level. Levels up to [`Parts::DEPTH`] are not compared with it.
    deepest: usize,
    keys: KeyCache,
    /// The objects of a packet that was checked.
    objects: Option<&'o mut CheckedObjects>,
    /// Counts keys and names, if that is wanted.
    floods: Option<&'o mut Floods>,
}

impl<'a, 'o> PartReader<'a, 'o> {
    /// The longest Array whose first member contains no others. The decoder reads the members of longer ones faster.
    const MOST: usize = 8;
    /// The longest Array within a container, for each of which the decoder would be set up.
    const MOST_NESTED: usize = 32;

    /// Reads a container or an object, and puts the number of its bytes into `used`.
    #[inline(always)]
    pub(super) fn read(
        decoder: &'a Decoder,
        bytes: &'a [u8],
        array: Option<&'a PackedByteArray>,
        deepest: usize,
        objects: Option<&'o mut CheckedObjects>,
        floods: Option<&'o mut Floods>,
        used: &mut usize,
    ) -> Option<NewValue> {
        let (parts, keys) = (decoder.parts(bytes)?, KeyCache::EMPTY);
        let mut reader = PartReader { decoder, array, parts, depth: 0, deepest, keys, objects, floods };
        let value = reader.next(None);
        *used = reader.parts.used();
        value
    }

    /// Reads any value. `others` is how many values follow it in its container.
    #[inline(always)]
    fn value_before(&mut self, others: usize, declared: Option<VariantType>) -> Option<NewValue> {
        let mut single = [Single::Nil];
        match self.parts.read_singles(&mut single, [declared; 2]) {
            1 => Some(counted(single[0], &mut self.floods, self.array)),
            _ => self.next_before(others, declared),
        }
    }

    /// Reads a container, or another value that takes longer to read.
    fn next(&mut self, declared: Option<VariantType>) -> Option<NewValue> {
        if let Some(objects) = &mut self.objects
            && let Some((value, length)) = objects.kept_at(self.parts.used())
        {
            self.parts.skip(length)?;
            return Some(value);
        }
        match *self.parts.rest().first()? {
            DICTIONARY | ARRAY => self.container(declared),
            id if declared.is_some_and(|declared| declared as u8 != id) => None,
            OBJECT if self.objects.is_some() => self.object(),
            OBJECT if !self.is_null_id() => self.object_id(),
            _ => {
                let (value, length) =
                    uncommon(self.decoder, self.parts.rest(), self.array, self.floods.as_deref_mut())?;
                self.parts.skip(length)?;
                Some(value)
            }
        }
    }

    /// Does the same. `others` is how many values follow it in its container.
    #[inline(always)]
    fn next_before(&mut self, others: usize, declared: Option<VariantType>) -> Option<NewValue> {
        self.parts.reserve(others);
        let value = self.next(declared);
        self.parts.release(others);
        value
    }

    /// Returns whether the next object is null by its id.
    fn is_null_id(&self) -> bool {
        self.parts.rest().get(HEADER..OBJECT_ID) == Some(&[0; OBJECT_ID - HEADER])
    }

    /// Lets the engine read the id of an object.
    fn object_id(&mut self) -> Option<NewValue> {
        let ids = leading_ids(self.parts.rest(), 1)?;
        let value = read_around(self.array, ids, 0, VariantType::Object)?;
        self.parts.skip(ids.len())?;
        Some(value)
    }

    /// Lets the engine read an Array of ids of objects, from its header in `array` on. Returns `None` if it has other members.
    #[inline(never)]
    fn array_of_ids(&mut self, array: &[u8], count: usize) -> Option<NewValue> {
        let ids = leading_ids(self.parts.rest(), count)?;
        let header = array.len() - self.parts.rest().len();
        let value = read_around(self.array, &array[..header + ids.len()], 0, VariantType::Array)?;
        self.parts.skip(ids.len())?;
        Some(value)
    }

    /// Creates a full object of a packet that was checked.
    #[inline(never)]
    fn object(&mut self) -> Option<NewValue> {
        let (_, count) = self.parts.begin_object()?;
        let mut fill = self.objects.as_mut()?.begin()?;
        self.depth += 1;
        for _ in 0..count {
            let property = self.objects.as_mut()?.next_name()?;
            self.parts.name()?;
            // The whole packet was checked, so no count is too large.
            let value = self.value_before(0, None)?;
            self.objects.as_mut()?.set(&mut fill, property, value)?;
        }
        self.depth -= 1;
        Some(fill.finish().into())
    }

    fn container(&mut self, declared: Option<VariantType>) -> Option<NewValue> {
        if self.objects.is_some()
            && let Some(ObjectsBeginning { keys, count, .. }) = self.parts.begin_objects()
        {
            return match keys {
                None => self.array_of_objects(count),
                Some(key_type) => self.dictionary_of_objects(count, key_type),
            };
        }
        let before = self.parts.rest();
        let Beginning { is_dictionary, count, types } = self.parts.begin(declared)?;
        let first = self.parts.rest().first();
        if first == Some(&OBJECT)
            && !is_dictionary
            && types == [None; 2]
            && let Some(array) = self.array_of_ids(before, count)
        {
            return Some(array);
        }
        // The decoder reads members that are containers or packed arrays no faster.
        let of_containers = match types[0] {
            Some(member_type) => member_type as u8 >= DICTIONARY,
            None => matches!(first, Some(&(DICTIONARY | ARRAY))),
        };
        let most = if self.depth == 0 { Self::MOST } else { Self::MOST_NESTED };
        let is_long = !is_dictionary && count > most && !of_containers && self.objects.is_none();
        let is_deep = self.depth == Parts::DEPTH && count > 0;
        if is_deep && self.objects.is_some() || is_long && self.depth == 0 {
            return None;
        }
        // A typed one may have members of other types, and what becomes of them depends on the options.
        if is_deep || is_long && types == [None; 2] {
            let decoder = (*self.decoder).limits(Limits::NONE.depth(self.deepest.min(Limits::MAX_DEPTH) - self.depth));
            let (value, length) = by_decoder(&decoder, before, self.array, self.floods.as_deref_mut())?;
            self.parts.skip(length - (before.len() - self.parts.rest().len()))?;
            return Some(value);
        }
        self.depth += 1;
        let value = if is_dictionary { self.dictionary(count, types) } else { self.array(count, types[0]) };
        self.depth -= 1;
        if are_names_refused(&self.floods) { None } else { value }
    }

    /// Creates an Array of objects of a packet that was checked.
    #[inline(never)]
    fn array_of_objects(&mut self, count: usize) -> Option<NewValue> {
        let member_type = self.objects.as_mut()?.next_type()?;
        let mut array = member_type.array(count);
        for _ in 0..count {
            let member = self.member_object()?;
            self.objects.as_mut()?.push(&mut array, &member_type, member)?;
        }
        Some(array.finish())
    }

    /// Creates a Dictionary of objects of a packet that was checked.
    #[inline(never)]
    fn dictionary_of_objects(&mut self, count: usize, key_type: Option<VariantType>) -> Option<NewValue> {
        let mut dictionary = self.objects.as_mut()?.begin_dictionary(count, key_type)?;
        for _ in 0..count {
            let mut key = [Single::Nil];
            self.parts.read_singles(&mut key, [key_type; 2]);
            let key = key_of(key[0]);
            let value = self.member_object()?;
            self.objects.as_mut()?.insert(&mut dictionary, &key, value)?;
        }
        Some(dictionary.fill.finish())
    }

    /// Creates an object or null in a container of objects.
    fn member_object(&mut self) -> Option<NewValue> {
        match self.parts.read_singles(&mut [Single::Nil], [None; 2]) {
            0 => self.object(),
            _ => Some(scalar::nil()),
        }
    }

    #[inline(always)]
    fn array(&mut self, count: usize, member_type: Option<VariantType>) -> Option<NewValue> {
        let mut array = ArrayFill::new(count, member_type);
        let (mut batch, mut left) = ([Single::Nil; Self::MOST], count);
        while left > 0 {
            let room = left.min(Self::MOST);
            let read = self.parts.read_singles(&mut batch[..room], [member_type; 2]);
            for single in &batch[..read] {
                match *single {
                    Single::Numbers(variant_type, bytes) => array.push_numbers(&WireNumbers::new(variant_type, bytes)),
                    single => array.push(counted(single, &mut self.floods, self.array)),
                }
            }
            left -= read;
            if read < room {
                left -= 1;
                array.push(self.next_before(left, member_type)?);
            }
        }
        Some(array.finish())
    }

    #[inline(always)]
    fn dictionary(&mut self, count: usize, types: [Option<VariantType>; 2]) -> Option<NewValue> {
        let [key_type, value_type] = types;
        let mut dictionary = CountedFill {
            fill: DictionaryFill::new(count, &typed_by(key_type), &typed_by(value_type)),
            keys: self.floods.as_mut().and_then(|floods| floods.begin_dictionary(count)),
        };
        let has_names = matches!(self.parts.rest().first(), Some(&(STRING | STRING_NAME)));
        let read = if has_names { 0 } else { self.entries_by_number(&mut dictionary, count, types)? };
        let mut left = 2 * (count - read);
        let mut batch = [Single::Nil; BATCH];
        while left > 0 {
            let read = self.parts.read_singles(&mut batch[..left.min(BATCH)], types);
            let (entries, rest) = batch[..read].as_chunks();
            for [key, value] in entries {
                let made;
                let single = *key;
                let key = match known_key(&mut self.keys, single) {
                    Some(known) => known.variant(),
                    None => {
                        made = self.key(single)?;
                        &made
                    }
                };
                dictionary.count_single(&mut self.floods, single, key)?;
                match *value {
                    Single::Numbers(variant_type, bytes) => {
                        dictionary.fill.insert_numbers(key, &WireNumbers::new(variant_type, bytes));
                    }
                    value => dictionary.fill.insert(key, counted(value, &mut self.floods, self.array)),
                }
            }
            left -= read;
            if let [single] = rest {
                let key = match known_key(&mut self.keys, *single) {
                    Some(known) => LazyVariant::new(known.value().into_variant()),
                    None => self.key(*single)?,
                };
                left -= 1;
                dictionary.count_single(&mut self.floods, *single, &key)?;
                dictionary.fill.insert(&key, self.next_before(left, value_type)?);
            } else if read == 0 {
                let key = self.uncommon_key(key_type, left - 1)?;
                left -= 2;
                dictionary.count_any(&mut self.floods, &key)?;
                dictionary.fill.insert(&key, self.value_before(left, value_type)?);
            }
        }
        Some(dictionary.finish(&mut self.floods))
    }

    /// Reads entries whose keys are stored in place, first those of numbers and then those with longer values. Stops at text, for example.
    /// Returns how many there were, or `None` if a value cannot be read.
    #[inline(always)]
    fn entries_by_number(
        &mut self,
        dictionary: &mut CountedFill,
        most: usize,
        types: [Option<VariantType>; 2],
    ) -> Option<usize> {
        for read in 0..most {
            if let Some(([key, value], size)) = self.parts.entry_of_numbers(types)
                && let Some(key) = raw::in_place(key)
                && raw::is_in_place(value)
            {
                dictionary.count(&mut self.floods, &key)?;
                dictionary.fill.insert_in_place(&key, value);
                self.parts.skip(size)?;
            } else {
                return Some(read + self.entries_of_longer(dictionary, most - read, types)?);
            }
        }
        Some(most)
    }

    /// Reads entries whose values are packed arrays or contain others, in the same way.
    // Not inlined, so that entries of numbers are read in a short loop.
    #[inline(never)]
    fn entries_of_longer(
        &mut self,
        dictionary: &mut CountedFill,
        most: usize,
        types: [Option<VariantType>; 2],
    ) -> Option<usize> {
        for read in 0..most {
            let Some((entry, size)) = self.parts.entry(types) else { return Some(read) };
            let (Entry::Key(key) | Entry::Packed(key, ..)) = entry;
            let Some(key) = raw::in_place(key) else { return Some(read) };
            self.parts.skip(size)?;
            let value = match entry {
                Entry::Packed(_, variant_type, elements) => packed_array(variant_type, elements, false, self.array),
                Entry::Key(_) => self.next_before(2 * (most - read - 1), types[1])?,
            };
            dictionary.count(&mut self.floods, &key)?;
            dictionary.fill.insert(&key, value);
        }
        Some(most)
    }

    /// Creates a key. Returns `None` if the packet has too many names.
    #[inline(always)]
    fn key(&mut self, key: Single<'_>) -> Option<LazyVariant> {
        if !matches!(key, Single::AsciiName(_) | Single::NotAsciiName(_)) {
            return Some(key_of(key));
        }
        let key = LazyVariant::new(counted(key, &mut self.floods, None).into_variant());
        if are_names_refused(&self.floods) { None } else { Some(key) }
    }

    /// Reads a key that is a container or takes longer to read than others. Objects as keys, and packets that were checked, are left to the
    /// decoder.
    #[inline(never)]
    fn uncommon_key(&mut self, key_type: Option<VariantType>, others: usize) -> Option<LazyVariant> {
        if self.objects.is_some() || self.parts.rest().first() == Some(&OBJECT) {
            return None;
        }
        let key = LazyVariant::new(self.next_before(others, key_type)?.into_variant());
        if raw::is_too_deep_for_a_key(&key) { None } else { Some(key) }
    }
}

/// A Dictionary that is being filled, and the counts of its keys if they are counted.
struct CountedFill {
    fill: DictionaryFill,
    keys: Option<Box<Keys>>,
}

impl CountedFill {
    /// Counts a key. Packed arrays are counted in every Dictionary. Returns `None` if too many collide.
    #[inline(always)]
    fn count_single(&mut self, floods: &mut Option<&mut Floods>, single: Single<'_>, key: &Variant) -> Option<()> {
        if matches!(single, Single::Packed(..)) { self.count_any(floods, key) } else { self.count(floods, key) }
    }

    /// Counts a key that is not a path, a packed array or a container. Returns `None` if too many collide.
    #[inline(always)]
    fn count(&mut self, floods: &mut Option<&mut Floods>, key: &Variant) -> Option<()> {
        if self.keys.is_some() { self.count_any(floods, key) } else { Some(()) }
    }

    /// Counts any key, if keys are counted.
    #[inline(never)]
    fn count_any(&mut self, floods: &mut Option<&mut Floods>, key: &Variant) -> Option<()> {
        let Some(floods) = floods else { return Some(()) };
        floods.key(&mut self.keys, key, || self.fill.len()).ok()
    }

    #[inline(always)]
    fn finish(self, floods: &mut Option<&mut Floods>) -> NewValue {
        if let (Some(mut keys), Some(floods)) = (self.keys, floods) {
            floods.end_dictionary(&mut keys);
        }
        self.fill.finish()
    }
}

/// Returns a key that was in packets before. The engine has it already, so it is not counted as a new name.
#[inline(always)]
fn known_key<'k>(keys: &'k mut KeyCache, key: Single<'_>) -> Option<&'k SharedText> {
    match key {
        Single::Ascii(text) => keys.string(text),
        Single::AsciiName(text) => keys.name(text),
        Single::NotAscii(text) => keys.not_ascii(text, false),
        Single::NotAsciiName(text) => keys.not_ascii(text, true),
        _ => None,
    }
}

/// Returns the value. Names are counted; null stands for one if the packet has too many of them and will be refused.
#[inline(always)]
fn counted(single: Single<'_>, floods: &mut Option<&mut Floods>, array: Option<&PackedByteArray>) -> NewValue {
    match (single, floods) {
        (Single::AsciiName(text), Some(floods)) => floods.create_name(|| raw::name_of_ascii(text)),
        (Single::NotAsciiName(text), Some(floods)) => floods.create_name(|| name_of_utf8(text)),
        (single, _) => value_of(single, array),
    }
}

#[inline(always)]
fn are_names_refused(floods: &Option<&mut Floods>) -> bool {
    floods.as_ref().is_some_and(|floods| floods.are_names_refused())
}

/// Returns the bytes of that many ids of objects, or `None` if they do not begin with as many. The id 0 stands for null.
fn leading_ids(bytes: &[u8], count: usize) -> Option<&[u8]> {
    const ID: [u8; HEADER] = [OBJECT, 0, 1, 0];
    let ids = bytes.get(..count.checked_mul(OBJECT_ID)?)?;
    let is_id = |id: &[u8; OBJECT_ID]| id.starts_with(&ID) && id[HEADER..] != [0; OBJECT_ID - HEADER];
    if ids.as_chunks().0.iter().all(is_id) { Some(ids) } else { None }
}

fn typed_by(variant_type: Option<VariantType>) -> TypedBy<'static> {
    variant_type.map_or(TypedBy::Any, TypedBy::Builtin)
}
