//! Packets of a few common values in containers and objects, which are read without the state of a reader. The fuzz targets check
//! that the other paths agree.

use alloc::borrow::ToOwned;

use crate::profile::ObjectForms;
use crate::single::{InPlace, Single};
use crate::types::string::{complete_field, terminated_text};
use crate::variant::ContainerType;
use crate::wire::{
    BYTE_ORDER_MARK, FIRST_KIND_SHIFT, KIND_BUILTIN, KIND_CLASS, KIND_MASK, KIND_NONE, KIND_SCRIPT, SCRIPT_PATH_PREFIX,
    SECOND_KIND_SHIFT, TYPE_MASK, WORD, padded,
};
use crate::{Profile, VariantType};

/// The beginning of a container, which is untyped or typed by built-in types. Its members follow.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// Whether it is a Dictionary.
    pub is_dictionary: bool,
    /// The number of its elements or entries.
    pub count: usize,
    /// The type of the elements or keys, and that of the values.
    pub types: [Option<VariantType>; 2],
}

/// The beginning of a container of objects, untyped or typed by a built-in type in its keys. Its members follow.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectsBeginning<'a> {
    /// The type of the elements or values.
    pub members: ObjectMembers<'a>,
    /// The type of the keys, if it is a Dictionary. `Some(None)` if they have no type.
    pub keys: Option<Option<VariantType>>,
    /// The number of its elements or entries.
    pub count: usize,
}

/// The type of the elements or values of a container of objects.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectMembers<'a> {
    /// Objects of any class.
    Any,
    /// Objects of a class.
    Class(&'a str),
    /// Objects with the script at a path.
    Script(&'a str),
}

impl ObjectMembers<'_> {
    #[doc(hidden)]
    #[must_use]
    pub fn to_type(&self) -> ContainerType {
        match *self {
            Self::Any => ContainerType::Builtin(VariantType::Object),
            Self::Class(class) => ContainerType::Class(class.to_owned()),
            Self::Script(path) => ContainerType::Script(path.to_owned()),
        }
    }
}

/// An entry of a Dictionary whose key is stored in place, and whose value is not.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// The value follows.
    Key(InPlace),
    /// The value is a packed array, with its elements as in [`Single::Packed`].
    Packed(InPlace, VariantType, &'a [u8]),
}

/// Reads the parts of a packet one after the other.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    rest: &'a [u8],
    length: usize,
    /// The bytes at least of the members after the next one, in all open containers.
    reserved: usize,
    profile: Profile,
}

impl<'a> Parts<'a> {
    /// How deep the containers may be nested that are read in this way.
    #[doc(hidden)]
    pub const DEPTH: usize = 15;

    pub(crate) const fn of(bytes: &'a [u8], profile: Profile) -> Self {
        Self { rest: bytes, length: bytes.len(), reserved: 0, profile }
    }

    /// The number of bytes that were read.
    #[doc(hidden)]
    #[must_use]
    pub const fn used(&self) -> usize {
        self.length - self.rest.len()
    }

    /// The bytes that are left.
    #[doc(hidden)]
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Skips bytes. Returns `None` if there are fewer.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn skip(&mut self, count: usize) -> Option<()> {
        self.rest = self.rest.get(count..)?;
        Some(())
    }

    /// Notes that this many values follow the next one in its container, so that a container refuses a count for which the rest of the
    /// packet would have to serve twice. Space for the members of nested containers could otherwise be many times the packet.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn reserve(&mut self, values: usize) {
        self.reserved += values * WORD;
    }

    /// Undoes [`reserve`](Self::reserve) after the next value.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn release(&mut self, values: usize) {
        self.reserved -= values * WORD;
    }

    /// Reads values that contain no others, as many as there are places. The declared types alternate. Returns how many there are
    /// before anything else, such as a value of another type.
    // They are stored together, not passed on one by one: then all that is needed to read stays in registers.
    #[doc(hidden)]
    #[inline(always)]
    pub fn read_singles(&mut self, places: &mut [Single<'a>], types: [Option<VariantType>; 2]) -> usize {
        match types {
            [None, None] => self.read_untyped(places),
            _ => self.read_typed(places, types),
        }
    }

    /// Returns a key and a value that are both stored in place, and of the declared types if there are any, and the number of their bytes,
    /// which are not read yet. Returns `None` for anything else.
    // The caller skips them: to change a copy, and to put it here, would make the processor wait.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn entry_of_numbers(&self, [key_type, value_type]: [Option<VariantType>; 2]) -> Option<([InPlace; 2], usize)> {
        let (key, rest) = InPlace::split(self.rest, self.profile, key_type)?;
        let (value, rest) = InPlace::split(rest, self.profile, value_type)?;
        Some(([key, value], self.rest.len() - rest.len()))
    }

    /// Returns a key that is stored in place, and a value that is a packed array of numbers, vectors or colors. Returns only the key if the
    /// value is of a type that [`Single`] does not have, so that it is read faster alone. Otherwise the same as
    /// [`entry_of_numbers`](Self::entry_of_numbers).
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn entry(&self, [key_type, value_type]: [Option<VariantType>; 2]) -> Option<(Entry<'a>, usize)> {
        use VariantType::{Array, Callable, Dictionary, NodePath, Object, PackedStringArray, Signal};
        let (key, rest) = InPlace::split(self.rest, self.profile, key_type)?;
        let key_size = self.rest.len() - rest.len();
        let variant_type = self.profile.type_of_id(*rest.first()?)?;
        if matches!(variant_type, NodePath | Object | Callable | Signal | Dictionary | Array | PackedStringArray) {
            return Some((Entry::Key(key), key_size));
        }
        let (elements, size) = Single::elements(variant_type, rest, self.profile)?;
        let is_right = value_type.is_none_or(|declared| declared == variant_type);
        is_right.then_some((Entry::Packed(key, variant_type, elements), key_size + size))
    }

    // Once for all callers, so that the values are read in its loop and not each by a call.
    #[inline(never)]
    fn read_untyped(&mut self, places: &mut [Single<'a>]) -> usize {
        let profile = self.profile;
        self.read_while(places, |_, place, bytes| Single::read_to(place, bytes, profile))
    }

    #[inline(never)]
    fn read_typed(&mut self, places: &mut [Single<'a>], types: [Option<VariantType>; 2]) -> usize {
        let profile = self.profile;
        let types = types.map(|declared| {
            let id = profile.type_id(declared?).unwrap_or(u8::MAX);
            Some((id, profile.numbers_of_header(id.into())))
        });
        self.read_while(places, |index, place, bytes| {
            if let Some((id, numbers)) = types[index % 2] {
                // The first byte of a header, which may have flags.
                bytes.first().filter(|found| **found == id)?;
                if let Some(numbers) = numbers {
                    let (header, _) = split_word(bytes)?;
                    return if header == u32::from(id) { Single::read_numbers(place, bytes, numbers) } else { None };
                }
            }
            Single::read_to(place, bytes, profile)
        })
    }

    /// Reads values as long as they can be read.
    #[inline(always)]
    fn read_while(
        &mut self,
        places: &mut [Single<'a>],
        read: impl Fn(usize, &mut Single<'a>, &'a [u8]) -> Option<usize>,
    ) -> usize {
        let (mut rest, mut count) = (self.rest, 0);
        for place in places {
            let Some(size) = read(count, place, rest) else { break };
            let Some(after) = rest.get(size..) else { break };
            (rest, count) = (after, count + 1);
        }
        self.rest = rest;
        count
    }

    /// Reads the beginning of a container, which must be of the declared type if there is one. Returns `None` for anything else.
    #[doc(hidden)]
    #[inline(always)]
    pub fn begin(&mut self, declared: Option<VariantType>) -> Option<Beginning> {
        let (header, rest) = split_word(self.rest)?;
        let headers = self.profile.plain_headers();
        let is_dictionary = header & TYPE_MASK == headers.dictionary;
        if !is_dictionary && header & TYPE_MASK != headers.array || is_dictionary && !self.profile.keeps_name_keys() {
            return None;
        }
        let variant_type = if is_dictionary { VariantType::Dictionary } else { VariantType::Array };
        if declared.is_some_and(|declared| declared != variant_type) {
            return None;
        }
        let flags = header & !TYPE_MASK;
        let (types, rest) =
            if flags == 0 { ([None; 2], rest) } else { read_types(flags, is_dictionary, rest, self.profile)? };
        let (count, rest) = split_word(rest)?;
        let count = count as usize;
        self.rest = rest;
        // Each value takes a word or more, so a count that is not possible is refused before there is space for it.
        let least = if is_dictionary { 2 * WORD } else { WORD };
        let available = rest.len().checked_sub(self.reserved)?;
        (count <= available / least).then_some(Beginning { is_dictionary, count, types })
    }

    /// Reads the beginning of an Array of objects, or of a Dictionary whose values are objects. Returns `None` for anything else, and
    /// reads nothing then.
    #[doc(hidden)]
    #[inline]
    pub fn begin_objects(&mut self) -> Option<ObjectsBeginning<'a>> {
        let (header, rest) = split_word(self.rest)?;
        let first = header >> FIRST_KIND_SHIFT & KIND_MASK;
        let second = header >> SECOND_KIND_SHIFT & KIND_MASK;
        let headers = self.profile.plain_headers();
        let of_kinds = |container: u32| container | first << FIRST_KIND_SHIFT | second << SECOND_KIND_SHIFT;
        let is_array = second == KIND_NONE && header == of_kinds(headers.array);
        let (kind, are_known) = match is_array {
            true => (first, self.profile.types_arrays()),
            false => (second, self.profile.types_dictionaries() && self.profile.keeps_name_keys()),
        };
        if kind == KIND_NONE || !are_known || !is_array && header != of_kinds(headers.dictionary) {
            return None;
        }
        let mut parts = Self { rest, ..*self };
        let keys = match first {
            _ if is_array => None,
            KIND_NONE => Some(None),
            KIND_BUILTIN => {
                let (declared, rest) = split_plain_type(parts.rest, self.profile)?;
                parts.rest = rest;
                Some(Some(declared))
            }
            _ => return None,
        };
        let members = if kind == KIND_BUILTIN {
            let (declared, rest) = split_type(parts.rest, self.profile)?;
            parts.rest = rest;
            (declared == VariantType::Object).then_some(ObjectMembers::Any)?
        } else {
            let name = str::from_utf8(parts.name()?).ok().filter(|name| !name.is_empty() && !name.contains('\0'))?;
            match kind {
                KIND_CLASS => ObjectMembers::Class(name),
                KIND_SCRIPT if name.starts_with(SCRIPT_PATH_PREFIX) => ObjectMembers::Script(name),
                _ => return None,
            }
        };
        let (count, rest) = split_word(parts.rest)?;
        let count = count as usize;
        if count > rest.len() / (if is_array { WORD } else { 2 * WORD }) {
            return None;
        }
        self.rest = rest;
        Some(ObjectsBeginning { members, keys, count })
    }

    /// Reads the beginning of a full object: its class, and the number of its properties, each of which is a [`name`](Self::name) and a
    /// value. Returns `None` for anything else.
    #[doc(hidden)]
    #[inline]
    pub fn begin_object(&mut self) -> Option<(&'a [u8], usize)> {
        let (header, rest) = split_word(self.rest)?;
        if Some(header) != self.profile.plain_headers().object || self.profile.objects() != ObjectForms::NullAsNil {
            return None;
        }
        self.rest = rest;
        let class = self.name().filter(|class| !class.is_empty())?;
        let (count, rest) = split_word(self.rest)?;
        let count = count as usize;
        self.rest = rest;
        (count <= rest.len() / (2 * WORD)).then_some((class, count))
    }

    /// Reads the beginning of a `PackedStringArray` and returns the number of its strings, each of which is a
    /// [`terminated_text`](Self::terminated_text). Returns `None` for anything else.
    #[doc(hidden)]
    #[inline]
    pub fn begin_strings(&mut self) -> Option<usize> {
        let (header, rest) = split_word(self.rest)?;
        if header != u32::from(self.profile.type_id(VariantType::PackedStringArray)?) {
            return None;
        }
        let (count, rest) = split_word(rest)?;
        let count = count as usize;
        self.rest = rest;
        // A length, and a NUL with its padding.
        (count <= rest.len() / (2 * WORD)).then_some(count)
    }

    /// Reads a string that ends with its only NUL: [`Single::Ascii`] or [`Single::NotAscii`]. Returns `None` for anything else.
    #[doc(hidden)]
    #[inline]
    pub fn terminated_text(&mut self) -> Option<Single<'a>> {
        let (length, rest) = split_word(self.rest)?;
        let length = length as usize;
        let text = terminated_text(rest, length)?;
        self.rest = rest.get(padded(length)..)?;
        Some(text)
    }

    /// Reads the name of a class or property. Whether it has a NUL or is not UTF-8 is for the caller to check.
    #[doc(hidden)]
    #[inline]
    pub fn name(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = split_word(self.rest)?;
        let name = complete_field(rest, length as usize).filter(|name| !name.starts_with(BYTE_ORDER_MARK))?;
        self.rest = rest.get(padded(name.len())..)?;
        Some(name)
    }
}

#[inline(always)]
fn split_word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*word), rest))
}

/// Reads the id of a built-in type. Returns the type and the bytes after it.
fn split_type(bytes: &[u8], profile: Profile) -> Option<(VariantType, &[u8])> {
    let (id, rest) = split_word(bytes)?;
    Some((profile.type_of_id(u8::try_from(id).ok()?)?, rest))
}

/// Does the same as [`split_type`] for a type other than `Object`.
fn split_plain_type(bytes: &[u8], profile: Profile) -> Option<(VariantType, &[u8])> {
    split_type(bytes, profile).filter(|(declared, _)| !matches!(declared, VariantType::Nil | VariantType::Object))
}

/// Reads the types of a container, if they are built-in types other than `Object`. Returns them and the bytes after them.
#[inline(never)]
fn read_types(
    flags: u32,
    is_dictionary: bool,
    mut rest: &[u8],
    profile: Profile,
) -> Option<([Option<VariantType>; 2], &[u8])> {
    let are_known = if is_dictionary { profile.types_dictionaries() } else { profile.types_arrays() };
    let shifts: &[u32] = if is_dictionary { &[FIRST_KIND_SHIFT, SECOND_KIND_SHIFT] } else { &[FIRST_KIND_SHIFT] };
    let mut types = [None; 2];
    let mut others = flags;
    for (place, shift) in types.iter_mut().zip(shifts) {
        if flags >> shift & KIND_MASK == KIND_BUILTIN {
            let (declared, after) = split_plain_type(rest, profile)?;
            others &= !(KIND_BUILTIN << shift);
            (*place, rest) = (Some(declared), after);
        }
    }
    (are_known && others == 0).then_some((types, rest))
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, vec, vec::Vec};

    use super::{Beginning, Entry, InPlace, Parts, Single, WORD};
    use crate::variant::{Array, Color, ContainerType, Dictionary, Object, ObjectData, Vector2, Vector3i};
    use crate::{Decoder, Encoder, Profile, Variant, VariantType, encode, variant};

    /// Reads a whole value. Returns whether it consists of parts.
    fn read(parts: &mut Parts<'_>, declared: Option<VariantType>) -> bool {
        if parts.read_singles(&mut [Single::Nil], [declared, None]) == 1 {
            return true;
        }
        let Some(Beginning { is_dictionary, count, types: [first, second] }) = parts.begin(declared) else {
            return false;
        };
        (0..count).all(|_| read(parts, first) && (!is_dictionary || read(parts, second)))
    }

    fn has_parts(value: &Variant) -> bool {
        read(&mut Decoder::new().parts(&encode(value).unwrap()).unwrap(), None)
    }

    #[test]
    fn common_values_and_containers_are_parts() {
        for value in [
            variant!({"id": 17, "name": "Ann", "alive": true, "nothing": null}),
            variant!([1.5, 0.1, -3, 1_i64 << 40]),
            variant!({"größe": ["ö".repeat(40)], "日本": {}}),
            variant!([]),
            variant!({}),
            variant!([[1], {"a": {"b": [1, {}]}}]),
            variant!(1),
        ] {
            assert!(has_parts(&value), "{value:?}");
        }
    }

    #[test]
    fn a_nested_container_leaves_the_bytes_of_the_members_after_it() {
        for value in [variant!([[1, 2], 3]), variant!({"a": {"b": 1}, "c": 2})] {
            let packet = encode(&value).unwrap();
            let mut parts = Decoder::new().parts(&packet).unwrap();
            let Beginning { is_dictionary, .. } = parts.begin(None).unwrap();
            if is_dictionary {
                assert_eq!(parts.read_singles(&mut [Single::Nil], [None; 2]), 1);
            }
            let begins = |values| {
                let mut parts = parts.clone();
                parts.reserve(values);
                let begun = parts.begin(None).is_some();
                parts.release(values);
                assert_eq!(parts.reserved, 0);
                begun
            };
            // After the header and the count of the inner one, whose members take two words at least.
            let words = parts.rest().len() / WORD - 2;
            assert!(begins(words - 2) && !begins(words - 1) && !begins(words + 1), "{value:?}");
        }
    }

    #[test]
    fn an_entry_has_numbers_as_the_engine_stores_them_and_packed_arrays() {
        let entry = |key: Variant, value: Variant, types| {
            let packet = encode(&Variant::Dictionary([(key, value)].into_iter().collect())).unwrap();
            let begin = |end| {
                let mut parts = Decoder::new().parts(&packet[..end]).unwrap();
                parts.skip(2 * WORD).unwrap();
                parts
            };
            let parts_of = |InPlace { variant_type, payload }| (variant_type, payload);
            let read = |parts: Parts<'_>| match parts.entry_of_numbers(types) {
                Some((entry, size)) => Some((entry.map(parts_of), size)),
                None => match parts.entry(types)? {
                    (Entry::Packed(key, variant_type, elements), size) => {
                        Some(([parts_of(key), (variant_type, [elements.len() as u64, 0])], size))
                    }
                    (Entry::Key(_), _) => None,
                },
            };
            assert!((2 * WORD..packet.len()).all(|end| read(begin(end)).is_none()));
            let (entry, size) = read(begin(packet.len()))?;
            assert_eq!(size, packet.len() - 2 * WORD);
            Some(entry)
        };
        let of_any = |key: Variant, value: Variant| entry(key, value, [None; 2]);
        let (half, one) = (0x3F00_0000, 0x3F80_0000_u64);
        for (value, variant_type, payload) in [
            (Variant::Nil, VariantType::Nil, [0, 0]),
            (true.into(), VariantType::Bool, [1, 0]),
            ((-7).into(), VariantType::Int, [u64::MAX - 6, 0]),
            ((1_i64 << 40).into(), VariantType::Int, [1 << 40, 0]),
            (0.5.into(), VariantType::Float, [0x3FE0_0000_0000_0000, 0]),
            (0.1.into(), VariantType::Float, [0x3FB9_9999_9999_999A, 0]),
            (Vector2::new(0.5, 1.0).into(), VariantType::Vector2, [half | one << 32, 0]),
            (Vector3i::new(1, -1, 3).into(), VariantType::Vector3i, [1 | 0xFFFF_FFFF << 32, 3]),
            (Variant::RID(7), VariantType::RID, [7, 0]),
            (Color { r: 1.0, g: 0.5, b: 0.5, a: 1.0 }.into(), VariantType::Color, [one | half << 32, half | one << 32]),
        ] {
            let (one, found) = ((VariantType::Int, [1, 0]), (variant_type, payload));
            assert_eq!(of_any(value.clone(), 1.into()), Some([found, one]));
            assert_eq!(of_any(1.into(), value.clone()), Some([one, found]));
            assert_eq!(entry(value.clone(), 1.into(), [Some(VariantType::String), None]), None);
            assert_eq!(entry(1.into(), value.clone(), [None, Some(VariantType::String)]), None);
            if variant_type != VariantType::Nil {
                assert_eq!(entry(value, 1.into(), [Some(variant_type), None]), Some([found, one]));
            }
        }
        let bytes = || Variant::from(vec![1_u8, 2, 3]);
        let found = Some([(VariantType::Int, [1, 0]), (VariantType::PackedByteArray, [3, 0])]);
        assert_eq!(of_any(1.into(), bytes()), found);
        assert_eq!(entry(1.into(), bytes(), [None, Some(VariantType::PackedByteArray)]), found);
        assert_eq!(entry(1.into(), bytes(), [None, Some(VariantType::PackedInt32Array)]), None);
        assert_eq!(of_any(bytes(), 1.into()), None);
        for other in ["".into(), Variant::Transform2D(Default::default()), vec!["a"].into(), variant!([])] {
            assert_eq!(of_any(1.into(), other.clone()), None);
            assert_eq!(of_any(other, 1.into()), None);
        }
    }

    #[test]
    fn other_values_are_not_parts() {
        for value in [variant!(["\u{FEFF}a"]), variant!({"a": [["\u{FEFF}a"]]}), Variant::from(vec!["a"])] {
            assert!(!has_parts(&value), "{value:?}");
        }
    }

    #[test]
    fn containers_of_objects_begin_with_the_type_of_their_members() {
        let begin = |value: Variant| {
            let bytes = Encoder::new().objects(true).encode(&value).unwrap();
            let decoder = Decoder::new().objects(true);
            let mut parts = decoder.parts(&bytes).unwrap();
            let begun = parts.begin_objects();
            assert_eq!(parts.used() > 0, begun.is_some());
            begun.map(|begun| (begun.members.to_type(), begun.keys, begun.count))
        };
        let array =
            |declared: Option<ContainerType>| Array::with_type_unchecked(declared, vec![Variant::Nil; 2]).into();
        let dictionary = |keys: Option<ContainerType>, values: Option<ContainerType>| {
            Dictionary::with_types_unchecked(keys, values, vec![(1.into(), Variant::Nil)]).into()
        };
        let int = || Some(ContainerType::Builtin(VariantType::Int));
        for declared in [
            ContainerType::Builtin(VariantType::Object),
            ContainerType::Class("Node".into()),
            ContainerType::Script("res://a.gd".into()),
        ] {
            let members = || Some(declared.clone());
            assert_eq!(begin(array(members())), Some((declared.clone(), None, 2)));
            assert_eq!(begin(dictionary(None, members())), Some((declared.clone(), Some(None), 1)));
            assert_eq!(begin(dictionary(int(), members())), Some((declared.clone(), Some(Some(VariantType::Int)), 1)));
            assert_eq!(begin(dictionary(members(), members())), None);
            assert_eq!(begin(dictionary(members(), None)), None);
        }
        for other in [array(None), array(int()), dictionary(None, None), dictionary(int(), int())] {
            assert_eq!(begin(other), None);
        }
    }

    #[test]
    fn typed_containers_are_parts_if_their_members_are_of_the_type() {
        let array = |declared, member: Variant| Array::with_type_unchecked(Some(declared), vec![member]).into();
        let (int, text) = (|| ContainerType::Builtin(VariantType::Int), || ContainerType::Builtin(VariantType::String));
        let entries = vec![("a".into(), 1.into())];
        let dictionary = |key, value| Dictionary::with_types_unchecked(key, value, entries.clone()).into();
        for value in [
            array(int(), 1.into()),
            dictionary(Some(text()), Some(int())),
            dictionary(Some(text()), None),
            dictionary(None, Some(int())),
        ] {
            assert!(has_parts(&value), "{value:?}");
        }
        for value in [
            array(int(), 1.5.into()),
            array(ContainerType::Builtin(VariantType::Object), Variant::Nil),
            array(ContainerType::Class("Node".into()), Variant::Nil),
            dictionary(Some(int()), None),
            dictionary(None, Some(text())),
        ] {
            assert!(!has_parts(&value), "{value:?}");
        }
    }

    /// Reads a full object whose properties are single. Returns its names, or `None` if it is not complete.
    fn names_of_object(bytes: &[u8], profile: Profile) -> Option<Vec<&[u8]>> {
        let mut parts = Decoder::new().profile(profile).parts(bytes).unwrap();
        let (class, count) = parts.begin_object()?;
        let mut names = vec![class];
        for _ in 0..count {
            names.push(parts.name()?);
            (parts.read_singles(&mut [Single::Nil], [None; 2]) == 1).then_some(())?;
        }
        Some(names)
    }

    fn object(class: &str, property: &str) -> Vec<u8> {
        let properties = vec![(property.to_owned(), 7.into()), ("größe".to_owned(), "x".into())];
        let object = Object::Data(ObjectData { class: class.to_owned(), properties }.into());
        Encoder::new().objects(true).encode(&Variant::Object(object)).unwrap()
    }

    #[test]
    fn a_full_object_has_names_if_it_is_complete() {
        let packet = object("Resource", "");
        let names = [&b"Resource"[..], b"", "größe".as_bytes()];
        assert_eq!(names_of_object(&packet, Profile::NEWEST), Some(names.to_vec()));
        for end in 0..packet.len() {
            assert_eq!(names_of_object(&packet[..end], Profile::NEWEST), None, "{end}");
        }
    }

    #[test]
    fn names_that_readers_change_and_null_objects_are_not_parts() {
        assert_eq!(names_of_object(&object("Resource", "\u{FEFF}a"), Profile::NEWEST), None);
        assert_eq!(names_of_object(&object("\u{FEFF}Resource", "a"), Profile::NEWEST), None);
        // Null in an older form.
        assert_eq!(names_of_object(&object("", "a"), Profile::NEWEST), None);
    }

    /// Reads the strings of a `PackedStringArray`. Returns `None` if one of them is no terminated text.
    fn strings(bytes: &[u8]) -> Option<Vec<&[u8]>> {
        let mut parts = Decoder::new().parts(bytes).unwrap();
        let count = parts.begin_strings()?;
        let strings = (0..count).map(|_| match parts.terminated_text()? {
            Single::Ascii(text) if text.is_ascii() => Some(text),
            Single::NotAscii(text) if !text.is_ascii() => Some(text),
            _ => None,
        });
        let strings = strings.collect::<Option<_>>()?;
        assert_eq!(parts.used(), bytes.len());
        Some(strings)
    }

    #[test]
    fn a_packed_string_array_has_terminated_texts_if_it_is_complete() {
        for texts in [vec![], vec![""], vec!["a", "größe", "four", "five!"]] {
            let packet = encode(&Variant::from(texts.clone())).unwrap();
            let expected = texts.iter().map(|text| text.as_bytes()).collect();
            assert_eq!(strings(&packet), Some(expected));
            for end in 0..packet.len() {
                assert_eq!(strings(&packet[..end]), None, "{texts:?}, {end}");
            }
        }
    }

    #[test]
    fn texts_that_readers_change_or_without_a_nul_are_not_terminated_text() {
        let packet = encode(&Variant::from(vec!["abc"])).unwrap();
        let changed = |place, byte| {
            let mut packet = packet.clone();
            packet[place] = byte;
            packet
        };
        for (place, byte) in [(15, b'd'), (12, 0), (8, 0), (0, 4), (7, 0xFF), (11, 0xFF)] {
            assert_eq!(strings(&changed(place, byte)), None, "{place}");
        }
        assert_eq!(strings(&encode(&Variant::from(vec!["\u{FEFF}a"])).unwrap()), None);
    }

    #[test]
    fn objects_of_engines_with_other_forms_are_not_parts() {
        let of_godot_3 = [&[17, 0, 0, 0][..], &object("Resource", "a")[4..]].concat();
        assert_eq!(names_of_object(&of_godot_3, Profile::GODOT_3_0), None);
    }

    #[test]
    fn dictionaries_of_engines_that_convert_names_to_text_are_not_parts() {
        let packet = encode(&variant!({"a": 1})).unwrap();
        let has_parts = |profile| Decoder::new().profile(profile).parts(&packet).unwrap().begin(None).is_some();
        assert!(has_parts(Profile::GODOT_4_6) && !has_parts(Profile::GODOT_4_0));
    }

    #[test]
    fn a_packet_that_ends_early_does_not_consist_of_parts() {
        let packet = encode(&variant!({"key": ["text", {}]})).unwrap();
        for end in 0..packet.len() {
            assert!(!read(&mut Decoder::new().parts(&packet[..end]).unwrap(), None), "{end}");
        }
    }
}
