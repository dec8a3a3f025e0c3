//! Fast path for packets that are read without the decoder's and the builder's state: a value that holds no others, a small Array or
//! Dictionary, and a large one too if nothing has to be counted. In small packets, the state takes longer to set up than the rest to
//! read.

use godot::builtin::{PackedByteArray, Variant};
use varbytes::{Beginning, Decoder, Entry, Limits, ObjectsBeginning, Parts, Single, VariantType};

use super::builder::EngineBuilder;
use super::checked_objects::CheckedObjects;
use super::containers::MistypedMembers;
use super::key_cache::KeyCache;
use super::lazy_drop::LazyDrop;
use super::packed::{LONG, packed_array, read_around};
use super::uncommon::{
    ARRAY, CALLABLE, DICTIONARY, NODE_PATH, OBJECT, SIGNAL, STRING, STRING_NAME, STRINGS, by_decoder, uncommon,
    without_decoder,
};
use crate::engine_profile;
use crate::error::VarBytesError;
use crate::floods::Floods;
use crate::outcome::Packet;
use crate::policy::{Policy, PolicyCheck};
use crate::raw::{
    self, ArrayFill, DictionaryFill, LazyVariant, NewValue, SharedText, TypedBy, WireNumbers, scalar, was_refused,
};

/// The longest packet of a container that is tried although keys that collide are refused, which are not counted here.
const LONGEST: usize = 1 << 10;

/// The longest packet that is tried if it may contain full objects.
const LONGEST_OF_OBJECTS: usize = 1 << 14;

/// Reads a packet as without options, and puts the number of its bytes into `used`. Returns `None` for what is read faster with the
/// state, and for malformed bytes. `array` is the one that contains the packet, if it is known. `hash_collisions` says whether keys
/// that collide are read, even many of them.
// The value is returned alone, in registers: a pair would be written word by word and then copied as one piece, which makes the
// processor wait.
#[inline(always)]
pub(crate) fn decode_small(
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    hash_collisions: bool,
    used: &mut usize,
) -> Option<NewValue> {
    if array.is_none() && bytes.len() >= LONG {
        // The caller may have another way.
        return None;
    }
    if let Some((value, length)) = Single::scalar(bytes) {
        *used = length;
        return Some(value_of(value, None));
    }
    let decoder = engine_profile::decoder(false);
    match bytes.first() {
        Some(&OBJECT) => return None,
        Some(&(DICTIONARY | ARRAY)) => {
            let is_tried = bytes.len() <= LONGEST || is_tried_if_long(decoder, bytes, hash_collisions);
            return if is_tried { decode_parts(decoder, bytes, array, used) } else { None };
        }
        Some(&(NODE_PATH | CALLABLE | SIGNAL | STRINGS)) => {
            if let Some((value, length)) = without_decoder(decoder, bytes) {
                *used = length;
                return unless_refused(value);
            }
        }
        _ => {}
    }
    if let Some(decoded) = decoder.decode_single(bytes) {
        *used = decoded.used;
        return unless_refused(value_of(decoded.value, array));
    }
    decode_plain(decoder, bytes, array, used)
}

/// Returns whether a container of more than [`LONGEST`] bytes is tried: any if keys may collide, unless it would be in vain.
#[inline(never)]
fn is_tried_if_long(decoder: &Decoder, bytes: &[u8], hash_collisions: bool) -> bool {
    let Some(parts) = decoder.parts(bytes) else { return false };
    if hash_collisions { !begins_too_deep(parts) } else { is_of_few_values(parts).unwrap_or(false) }
}

/// Returns whether there are more containers in one another, each at the start of the one around it, than are read here.
fn begins_too_deep(mut parts: Parts<'_>) -> bool {
    (0..=Parts::DEPTH).all(|_| parts.begin(None).is_some())
}

/// Returns whether a container has few values that hold no others, or is only long because of packed arrays.
fn is_of_few_values(mut parts: Parts<'_>) -> Option<bool> {
    let Beginning { is_dictionary, count, types } = parts.begin(None)?;
    if count > PartReader::MOST {
        return Some(false);
    }
    let length = parts.rest().len();
    let mut batch = [Single::Nil; 2 * PartReader::MOST];
    let values = &mut batch[..if is_dictionary { 2 * count } else { count }];
    let read = parts.read_singles(values, types);
    let packed =
        values[..read].iter().map(|value| if let Single::Packed(_, elements) = value { elements.len() } else { 0 });
    Some(read == values.len() || length - packed.sum::<usize>() <= LONGEST)
}

/// Reads a packet that is not long and may contain full objects, which the policy allows if there is one. Returns `None` for anything
/// else, malformed bytes, and names that are refused or new. As on the usual path, the whole packet is checked before the first object is
/// created, because that can run code.
#[inline(never)]
pub(crate) fn decode_small_objects(
    packet: Packet<'_>,
    policy: Option<&Policy>,
    mistyped: MistypedMembers,
) -> Option<Result<(NewValue, usize), VarBytesError>> {
    let Packet { bytes, base, array } = packet;
    if bytes.len() > LONGEST_OF_OBJECTS {
        return None;
    }
    let decoder = engine_profile::decoder(true);
    let mut objects = CheckedObjects::new(mistyped);
    // Resets the flag of an earlier packet.
    was_refused();
    match policy {
        None => objects.check(decoder, packet, ())?,
        Some(policy) => objects.check(decoder, packet, PolicyCheck::new(policy))?,
    }
    let mut used = 0;
    let value = PartReader::read(decoder, bytes, array, Some(&mut objects), &mut used);
    Some(match value {
        Some(value) if !was_refused() => Ok((value, used)),
        value => {
            drop(value);
            Err(objects.refuse(decoder, bytes, base))
        }
    })
}

/// Returns the value, or `None` if it is not complete: the engine had no memory, or text is not UTF-8.
#[inline(always)]
fn unless_refused(value: NewValue) -> Option<NewValue> {
    if was_refused() { None } else { Some(value) }
}

#[inline(always)]
fn value_of(single: Single<'_>, array: Option<&PackedByteArray>) -> NewValue {
    match single {
        Single::Nil => scalar::nil(),
        Single::Bool(value) => scalar::bool(value),
        Single::Int(value) => scalar::int(value),
        Single::Float(value) => scalar::float(value),
        Single::Ascii(text) => text_of_ascii(text),
        Single::NotAscii(text) => text_of_utf8(text),
        Single::AsciiName(text) => raw::name_of_ascii(text),
        Single::Numbers(variant_type, bytes) => WireNumbers::new(variant_type, bytes).into_value(),
        Single::Rid(id) => raw::rid(id),
        Single::Packed(variant_type, elements) => packed_array(variant_type, elements, false, array),
    }
}

#[inline(never)]
fn decode_parts(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    used: &mut usize,
) -> Option<NewValue> {
    let value = PartReader::read(decoder, bytes, array, None, used);
    // The flag is reset also if reading has stopped early: the packet is then read again.
    if was_refused() { None } else { value }
}

/// Reads containers in one walk, mostly without the state of a decoder. If a full object or a deep container follows, what was built
/// is dropped.
struct PartReader<'a, 'o> {
    decoder: &'a Decoder,
    /// The array that contains the packet, if it is known.
    array: Option<&'a PackedByteArray>,
    parts: Parts<'a>,
    depth: usize,
    keys: KeyCache,
    /// Those of a packet that was checked.
    objects: Option<&'o mut CheckedObjects>,
}

/// How many values are read before they are put into their container.
const BATCH: usize = 16;

impl<'a, 'o> PartReader<'a, 'o> {
    /// The longest Array. The decoder reads the members of longer ones faster.
    const MOST: usize = 8;
    /// The longest Array within a container, for each of which the decoder would be set up.
    const MOST_NESTED: usize = 32;

    /// Reads a container or an object, and puts the number of its bytes into `used`.
    #[inline(always)]
    fn read(
        decoder: &'a Decoder,
        bytes: &'a [u8],
        array: Option<&'a PackedByteArray>,
        objects: Option<&'o mut CheckedObjects>,
        used: &mut usize,
    ) -> Option<NewValue> {
        let mut reader =
            PartReader { decoder, array, parts: decoder.parts(bytes)?, depth: 0, keys: KeyCache::EMPTY, objects };
        let value = reader.next(None);
        *used = reader.parts.used();
        value
    }

    /// Reads any value that this many others follow in its container.
    #[inline(always)]
    fn value_before(&mut self, others: usize, declared: Option<VariantType>) -> Option<NewValue> {
        let mut single = [Single::Nil];
        match self.parts.read_singles(&mut single, [declared; 2]) {
            1 => Some(value_of(single[0], self.array)),
            _ => self.next_before(others, declared),
        }
    }

    /// Reads a container, or another value that takes longer to read.
    fn next(&mut self, declared: Option<VariantType>) -> Option<NewValue> {
        match *self.parts.rest().first()? {
            DICTIONARY | ARRAY => self.container(declared),
            id if declared.is_some_and(|declared| declared as u8 != id) => None,
            OBJECT if self.objects.is_some() => self.object(),
            OBJECT if !self.is_null_id() => self.object_id(),
            _ => {
                let (value, length) = match &mut self.objects {
                    Some(objects) => objects.next_uncommon()?,
                    None => uncommon(self.decoder, self.parts.rest(), self.array)?,
                };
                self.parts.skip(length)?;
                Some(value)
            }
        }
    }

    /// Does the same for a value that this many others follow in its container.
    #[inline(always)]
    fn next_before(&mut self, others: usize, declared: Option<VariantType>) -> Option<NewValue> {
        self.parts.reserve(others);
        let value = self.next(declared);
        self.parts.release(others);
        value
    }

    /// Returns whether the next object is null by its id.
    fn is_null_id(&self) -> bool {
        self.parts.rest().get(4..12) == Some(&[0; 8])
    }

    /// Lets the engine read the id of an object.
    fn object_id(&mut self) -> Option<NewValue> {
        const HEADER: [u8; 4] = [OBJECT, 0, 1, 0];
        const SIZE: usize = 12;
        let bytes = self.parts.rest().get(..SIZE)?;
        if !bytes.starts_with(&HEADER) {
            return None;
        }
        let value = read_around(self.array, bytes, 0, VariantType::Object)?;
        self.parts.skip(SIZE)?;
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
        // The decoder reads members that are containers or packed arrays no faster.
        let of_containers = match types[0] {
            Some(member_type) => member_type as u8 >= DICTIONARY,
            None => matches!(self.parts.rest().first(), Some(&(DICTIONARY | ARRAY))),
        };
        let most = if self.depth == 0 { Self::MOST } else { Self::MOST_NESTED };
        let is_long = !is_dictionary && count > most && !of_containers && self.objects.is_none();
        if self.depth == Parts::DEPTH || is_long && self.depth == 0 {
            return None;
        }
        // A typed one may have members of other types, and what becomes of them depends on the options.
        if is_long && types == [None; 2] {
            let decoder = (*self.decoder).limits(Limits::NONE.depth(Parts::DEPTH - self.depth));
            let (value, length) = by_decoder(&decoder, before, self.array)?;
            self.parts.skip(length - (before.len() - self.parts.rest().len()))?;
            return Some(value);
        }
        self.depth += 1;
        let value = if is_dictionary { self.dictionary(count, types) } else { self.array(count, types[0]) };
        self.depth -= 1;
        value
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
                    single => array.push(value_of(single, self.array)),
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
        let ([key_type, value_type], packet) = (types, self.array);
        let mut dictionary = DictionaryFill::new(count, &typed_by(key_type), &typed_by(value_type));
        let has_names = matches!(self.parts.rest().first(), Some(&(STRING | STRING_NAME)));
        let read = if has_names { 0 } else { self.entries_by_number(&mut dictionary, count, types)? };
        let mut left = 2 * (count - read);
        let mut batch = [Single::Nil; BATCH];
        while left > 0 {
            let read = self.parts.read_singles(&mut batch[..left.min(BATCH)], types);
            let (entries, rest) = batch[..read].as_chunks();
            for [key, value] in entries {
                let made;
                let key = match self.known_key(*key) {
                    Some(known) => known,
                    None => {
                        made = key_of(*key);
                        &made
                    }
                };
                match *value {
                    Single::Numbers(variant_type, bytes) => {
                        dictionary.insert_numbers(key, &WireNumbers::new(variant_type, bytes));
                    }
                    value => dictionary.insert(key, value_of(value, packet)),
                }
            }
            left -= read;
            if let [key] = rest {
                let key = key_of(*key);
                left -= 1;
                dictionary.insert(&key, self.next_before(left, value_type)?);
            } else if read == 0 {
                let key = self.uncommon_key(key_type, left - 1)?;
                left -= 2;
                dictionary.insert(&key, self.value_before(left, value_type)?);
            }
        }
        Some(dictionary.finish())
    }

    /// Reads entries whose keys are stored in place, first those of numbers and then those with longer values. Stops at text, for example.
    /// Returns how many there were, or `None` if a value cannot be read.
    #[inline(always)]
    fn entries_by_number(
        &mut self,
        dictionary: &mut DictionaryFill,
        most: usize,
        types: [Option<VariantType>; 2],
    ) -> Option<usize> {
        for read in 0..most {
            if let Some(([key, value], size)) = self.parts.entry_of_numbers(types)
                && dictionary.insert_in_place(key, value)
            {
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
        dictionary: &mut DictionaryFill,
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
            dictionary.insert(&key, value);
        }
        Some(most)
    }

    /// Returns a key that was in packets before.
    #[inline(always)]
    fn known_key(&mut self, key: Single<'_>) -> Option<&Variant> {
        let known = match key {
            Single::Ascii(text) => self.keys.string(text),
            Single::AsciiName(text) => self.keys.name(text),
            _ => None,
        };
        known.map(SharedText::variant)
    }

    /// Reads a key that is a container or takes longer to read than others. Objects as keys, and packets that were checked, are left to the
    /// decoder.
    #[inline(never)]
    fn uncommon_key(&mut self, key_type: Option<VariantType>, others: usize) -> Option<LazyVariant> {
        if self.objects.is_some() || self.parts.rest().first() == Some(&OBJECT) {
            return None;
        }
        Some(LazyVariant::new(self.next_before(others, key_type)?.into_variant()))
    }
}

#[inline(always)]
fn key_of(key: Single<'_>) -> LazyVariant {
    LazyVariant::new(match key {
        // Those of four numbers are no values of two words.
        Single::Numbers(variant_type, bytes) => WireNumbers::new(variant_type, bytes).into_variant(),
        key => value_of(key, None).into_variant(),
    })
}

fn typed_by(variant_type: Option<VariantType>) -> TypedBy<'static> {
    variant_type.map_or(TypedBy::Any, TypedBy::Builtin)
}

/// Returns the text. If the bytes are not UTF-8, notes that the value is not complete.
#[inline(never)]
fn text_of_utf8(text: &[u8]) -> NewValue {
    raw::string_of_utf8(text).unwrap_or_else(|| {
        raw::note_refusal();
        // Still text: the engine would print an error about another type in a typed container.
        raw::string_of_ascii(b"")
    })
}

// Not inlined, so that numbers need no space for its state.
#[inline(never)]
fn text_of_ascii(text: &[u8]) -> NewValue {
    raw::string_of_ascii(text)
}

#[inline(never)]
fn decode_plain(
    decoder: &Decoder,
    bytes: &[u8],
    array: Option<&PackedByteArray>,
    used: &mut usize,
) -> Option<NewValue> {
    let mut builder = LazyDrop::new(EngineBuilder::new(false, MistypedMembers::AsEngine, Floods::allowed()));
    builder.array = array;
    let decoded = decoder.decode_plain_with(bytes, &mut *builder)?;
    *used = decoded.used;
    unless_refused(decoded.value)
}
