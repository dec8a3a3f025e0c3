//! Packets that are one common value, or an Array or Dictionary of a few: to set up the state of a reader or writer takes longer
//! than to read or write them. The fast paths for longer packets treat these values in the same way; the fuzz targets check that
//! both agree.

use crate::float::{narrow_exactly, widen};
use crate::profile::PlainHeaders;
use crate::read::window::Window;
use crate::variant::{ShortText, element_size};
use crate::variant_type::{Number, Shape};
use crate::wire::{FIRST_KIND_SHIFT, FLAG_WIDE, KIND_BUILTIN, KIND_MASK, SECOND_KIND_SHIFT, TYPE_MASK, WORD, padded};
use crate::{Profile, VariantType};

/// Such a value.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Single<'a> {
    /// `null`.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `String` of ASCII without NUL.
    Ascii(&'a [u8]),
    /// Short `String` that is not ASCII.
    Text(&'a str),
    /// `Vector2` with components of 4 bytes.
    Vector2([f32; 2]),
    /// `Vector3` with components of 4 bytes.
    Vector3([f32; 3]),
    /// `StringName` of ASCII without NUL.
    AsciiName(&'a [u8]),
    /// `Rect2`, `Vector4`, `Plane`, `Quaternion` or `Color`, with components of 4 bytes.
    FourReals(VariantType, [f32; 4]),
    /// Six or more components of 4 bytes, little-endian.
    ManyReals(VariantType, &'a [u8]),
    /// `Vector2i`, `Vector3i`, `Rect2i` or `Vector4i`, with zeroes after its components.
    Integers(VariantType, [i32; 4]),
    /// `Array` or `Dictionary` without members and types.
    Empty(VariantType),
    /// A packed array of numbers, vectors or colors: its little-endian components, of 4 bytes if they are reals.
    Packed(VariantType, &'a [u8]),
}

/// The bytes of `null`, a `bool`, an `int` or a `float`. They stay in registers.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct NumberBytes {
    first: u64,
    third: u32,
    length: usize,
}

impl NumberBytes {
    /// The number of bytes: 4, 8 or 12.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Copies the bytes to the start of a space, as far as they fit.
    #[doc(hidden)]
    #[inline(always)]
    pub fn copy_to(&self, space: &mut [u8]) {
        if self.length == WORD {
            if let Some(place) = space.first_chunk_mut() {
                *place = ((self.first & 0xFFFF_FFFF) as u32).to_le_bytes();
            }
        } else if let Some((place, rest)) = space.split_first_chunk_mut() {
            *place = self.first.to_le_bytes();
            if let Some(place) = rest.first_chunk_mut().filter(|_| self.length == 3 * WORD) {
                *place = self.third.to_le_bytes();
            }
        }
    }
}

impl<'a> Single<'a> {
    /// Reads the value and returns the number of its bytes.
    #[inline(always)]
    pub(crate) fn read(bytes: &'a [u8], profile: Profile) -> Option<(Self, usize)> {
        let (window, headers) = (Window::of(bytes, 0), profile.plain_headers());
        let header = window.header();
        if header == headers.int && window.has(2 * WORD) {
            return Some((Self::Int(i64::from(window.payload().cast_signed())), 2 * WORD));
        }
        if header == headers.string {
            return Self::read_text(&window, bytes);
        }
        if header == headers.float && window.has(2 * WORD) {
            return Some((Self::Float(widen(f32::from_bits(window.payload()))), 2 * WORD));
        }
        if header == headers.bool && window.has(2 * WORD) {
            return Some((Self::Bool(window.payload() != 0), 2 * WORD));
        }
        if header == headers.nil && window.has(WORD) {
            return Some((Self::Nil, WORD));
        }
        if header == headers.vector3 && window.has(4 * WORD) {
            return Some((Self::Vector3(window.three().map(f32::from_bits)), 4 * WORD));
        }
        if header == headers.vector2 && window.has(3 * WORD) {
            let [x, y, _] = window.three().map(f32::from_bits);
            return Some((Self::Vector2([x, y]), 3 * WORD));
        }
        if headers.has_wide && window.has(3 * WORD) {
            if header == headers.float | FLAG_WIDE {
                return Some((Self::Float(f64::from_bits(window.wide())), 3 * WORD));
            }
            if header == headers.int | FLAG_WIDE {
                return Some((Self::Int(window.wide().cast_signed()), 3 * WORD));
            }
        }
        Self::read_rare(bytes, profile)
    }

    #[inline(always)]
    fn read_text(window: &Window, bytes: &'a [u8]) -> Option<(Self, usize)> {
        let Some(short) = window.short_text().filter(ShortText::is_ascii_without_nul) else {
            return Self::read_long_text(window, bytes);
        };
        let text = bytes.get(2 * WORD..)?.get(..short.length)?;
        Some((Self::Ascii(text), 2 * WORD + padded(short.length)))
    }

    #[inline(never)]
    fn read_long_text(window: &Window, bytes: &'a [u8]) -> Option<(Self, usize)> {
        /// The longest text that is not ASCII: to check it here, and then again as it is converted, takes longer than the state of a
        /// reader if it is long.
        const LONGEST: usize = 64;
        let (text, is_ascii) = window.long_text(bytes.get(2 * WORD..)?)?;
        let used = 2 * WORD + padded(text.len());
        if is_ascii {
            return Some((Self::Ascii(text), used));
        }
        if text.len() > LONGEST {
            return None;
        }
        Some((Self::Text(str::from_utf8(text).ok()?), used))
    }

    // Loads the window again: that of the caller stays in registers.
    #[inline(never)]
    fn read_rare(bytes: &'a [u8], profile: Profile) -> Option<(Self, usize)> {
        let window = Window::of(bytes, 0);
        let variant_type = profile.type_of_id(u8::try_from(window.header()).ok()?)?;
        if variant_type == VariantType::StringName {
            let Some((Self::Ascii(text), used)) = Self::read_text(&window, bytes) else { return None };
            return Some((Self::AsciiName(text), used));
        }
        if profile.has_faulty_vectors() {
            return None;
        }
        match variant_type.shape() {
            Shape::Fixed(Number::Int32, count) => {
                let used = (1 + count) * WORD;
                let [x, y, z, w] = window.four().map(u32::cast_signed);
                let components = match count {
                    2 => [x, y, 0, 0],
                    3 => [x, y, z, 0],
                    _ => [x, y, z, w],
                };
                window.has(used).then_some((Self::Integers(variant_type, components), used))
            }
            Shape::Fixed(_, 4) => {
                let components = window.four().map(f32::from_bits);
                window.has(5 * WORD).then_some((Self::FourReals(variant_type, components), 5 * WORD))
            }
            Shape::Fixed(_, count) => {
                let used = (1 + count) * WORD;
                Some((Self::ManyReals(variant_type, bytes.get(WORD..used)?), used))
            }
            Shape::Packed(number, _) => {
                let count = usize::try_from(window.payload().cast_signed()).ok()?;
                let size = count.checked_mul(element_size(variant_type, false))?;
                let elements = bytes.get(2 * WORD..)?.get(..size)?;
                let used = 2 * WORD + if number == Number::Byte { padded(size) } else { size };
                window.has(used).then_some((Self::Packed(variant_type, elements), used))
            }
            _ if matches!(variant_type, VariantType::Array | VariantType::Dictionary) => {
                let is_empty = window.has(2 * WORD) && window.payload() == 0;
                is_empty.then_some((Self::Empty(variant_type), 2 * WORD))
            }
            Shape::Container | Shape::Other => None,
        }
    }

    /// The type of the value.
    const fn variant_type(&self) -> VariantType {
        match self {
            Self::Nil => VariantType::Nil,
            Self::Bool(_) => VariantType::Bool,
            Self::Int(_) => VariantType::Int,
            Self::Float(_) => VariantType::Float,
            Self::Ascii(_) | Self::Text(_) => VariantType::String,
            Self::Vector2(_) => VariantType::Vector2,
            Self::Vector3(_) => VariantType::Vector3,
            Self::AsciiName(_) => VariantType::StringName,
            Self::FourReals(variant_type, _)
            | Self::ManyReals(variant_type, _)
            | Self::Integers(variant_type, _)
            | Self::Empty(variant_type)
            | Self::Packed(variant_type, _) => *variant_type,
        }
    }

    /// Returns the bytes of `null`, a `bool` or a number that the engine can store exactly.
    #[inline(always)]
    pub(crate) fn number_bytes(self, headers: &PlainHeaders) -> Option<NumberBytes> {
        let short = |header: u32, word: u32| NumberBytes {
            first: u64::from(header) | u64::from(word) << 32,
            third: 0,
            length: 2 * WORD,
        };
        let wide = |header: u32, bits: u64| NumberBytes {
            first: u64::from(header | FLAG_WIDE) | bits << 32,
            third: (bits >> 32) as u32,
            length: 3 * WORD,
        };
        match self {
            Self::Nil => Some(NumberBytes { first: headers.nil.into(), third: 0, length: WORD }),
            Self::Bool(value) => Some(short(headers.bool, value.into())),
            Self::Int(value) => match i32::try_from(value) {
                Ok(narrow) if headers.has_short_ints => Some(short(headers.int, narrow.cast_unsigned())),
                _ => headers.has_wide.then(|| wide(headers.int, value.cast_unsigned())),
            },
            Self::Float(value) => match narrow_exactly(value) {
                Some(narrow) => Some(short(headers.float, narrow.to_bits())),
                None => headers.has_wide.then(|| wide(headers.float, value.to_bits())),
            },
            Self::Ascii(_)
            | Self::Text(_)
            | Self::Empty(_)
            | Self::Vector2(_)
            | Self::Vector3(_)
            | Self::AsciiName(_)
            | Self::FourReals(..)
            | Self::ManyReals(..)
            | Self::Integers(..)
            | Self::Packed(..) => None,
        }
    }
}

/// The most elements or entries of a [`Flat`] packet.
const MOST: usize = 8;

/// The members of a packet that is an Array or Dictionary of a few such values. It is untyped, or typed by built-in types, which its
/// members have.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Flat<'a> {
    members: [Single<'a>; 2 * MOST],
    count: usize,
    is_dictionary: bool,
    types: [Option<VariantType>; 2],
}

impl<'a> Flat<'a> {
    /// Reads the members, and returns the number of bytes of the packet.
    #[inline(always)]
    pub(crate) fn read(bytes: &'a [u8], profile: Profile) -> Option<(Self, usize)> {
        let headers = profile.plain_headers();
        let (header, rest) = split_word(bytes)?;
        let is_dictionary = header == headers.dictionary;
        if is_dictionary && profile.keeps_name_keys() || header == headers.array {
            return Self::read_members(bytes, rest, is_dictionary, profile, [None; 2], |_, _| true);
        }
        Self::read_typed(bytes, header, rest, profile)
    }

    #[inline(never)]
    fn read_typed(bytes: &'a [u8], header: u32, rest: &'a [u8], profile: Profile) -> Option<(Self, usize)> {
        let headers = profile.plain_headers();
        let is_dictionary = header & TYPE_MASK == headers.dictionary;
        if !is_dictionary && header & TYPE_MASK != headers.array || is_dictionary && !profile.keeps_name_keys() {
            return None;
        }
        let (types, rest) = read_types(header & !TYPE_MASK, is_dictionary, rest, profile)?;
        let fits = |index: usize, member: &Single<'_>| {
            let declared = if is_dictionary { types[index % 2] } else { types[0] };
            declared.is_none_or(|declared| declared == member.variant_type())
        };
        Self::read_members(bytes, rest, is_dictionary, profile, types, fits)
    }

    #[inline(always)]
    fn read_members(
        bytes: &[u8],
        rest: &'a [u8],
        is_dictionary: bool,
        profile: Profile,
        types: [Option<VariantType>; 2],
        fits: impl Fn(usize, &Single<'a>) -> bool,
    ) -> Option<(Self, usize)> {
        let (count, mut rest) = split_word(rest)?;
        let count = count as usize;
        if count > MOST {
            return None;
        }
        let count = if is_dictionary { 2 * count } else { count };
        let mut members = [Single::Nil; 2 * MOST];
        for (index, place) in members[..count].iter_mut().enumerate() {
            let (member, size) = Single::read(rest, profile)?;
            if !fits(index, &member) {
                return None;
            }
            rest = rest.get(size..)?;
            *place = member;
        }
        Some((Self { members, count, is_dictionary, types }, bytes.len() - rest.len()))
    }

    /// The type of the elements or keys, and that of the values.
    #[doc(hidden)]
    #[must_use]
    pub const fn types(&self) -> [Option<VariantType>; 2] {
        self.types
    }

    /// Whether the packet is a Dictionary.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_dictionary(&self) -> bool {
        self.is_dictionary
    }

    /// The elements, or each key and its value.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn members(&self) -> &[Single<'a>] {
        &self.members[..self.count]
    }
}

#[inline(always)]
fn split_word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*word), rest))
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
            let (id, after) = split_word(rest)?;
            let declared = profile.type_of_id(u8::try_from(id).ok()?)?;
            if matches!(declared, VariantType::Nil | VariantType::Object) {
                return None;
            }
            others &= !(KIND_BUILTIN << shift);
            (*place, rest) = (Some(declared), after);
        }
    }
    (are_known && others == 0).then_some((types, rest))
}

#[cfg(test)]
mod tests {
    use alloc::{boxed::Box, vec, vec::Vec};

    use crate::variant::{Array, ContainerType, Dictionary};
    use crate::{Decoder, Profile, Variant, VariantType, encode, variant};

    fn is_flat(value: &Variant) -> bool {
        Decoder::new().decode_flat(&encode(value).unwrap()).is_some()
    }

    #[test]
    fn packets_of_a_few_values_are_flat() {
        for value in [
            variant!({"id": 17, "name": "Ann", "alive": true, "nothing": null}),
            variant!([1.5, 0.1, -3, 1_i64 << 40]),
            variant!({"größe": [], "日本": {}}),
            variant!([]),
            variant!({}),
        ] {
            assert!(is_flat(&value), "{value:?}");
        }
    }

    #[test]
    fn packets_with_other_values_are_not_flat() {
        let many: Vec<i64> = (0..9).collect();
        for value in
            [variant!([[1]]), variant!({"a": {"b": 1}}), variant!(["ö".repeat(40)]), Variant::from(many), variant!(1)]
        {
            assert!(!is_flat(&value), "{value:?}");
        }
    }

    #[test]
    fn typed_containers_are_flat_if_their_members_are_of_the_type() {
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
            assert!(is_flat(&value), "{value:?}");
        }
        for value in [
            array(int(), 1.5.into()),
            array(ContainerType::Builtin(VariantType::Object), Variant::Nil),
            array(ContainerType::Class("Node".into()), Variant::Nil),
            dictionary(Some(int()), None),
            dictionary(None, Some(text())),
        ] {
            assert!(!is_flat(&value), "{value:?}");
        }
    }

    #[test]
    fn values_of_a_fixed_size_and_packed_arrays_are_single_if_they_are_complete() {
        for value in [
            Variant::from(vec![1u8, 2, 3]),
            Variant::from(vec![1i32, 2]),
            Variant::from(vec![0.5f64]),
            Variant::from(Vec::<i64>::new()),
            Variant::Transform2D(Box::default()),
            Variant::Projection(Box::default()),
            Variant::Vector4(Box::default()),
            Variant::Vector4i(Default::default()),
        ] {
            let packet = encode(&value).unwrap();
            let used = |bytes: &[u8]| Decoder::new().decode_single(bytes).map(|decoded| decoded.used);
            assert_eq!(used(&packet), Some(packet.len()), "{value:?}");
            for end in 0..packet.len() {
                assert_eq!(used(&packet[..end]), None, "{value:?}, {end}");
            }
        }
    }

    #[test]
    fn engines_that_convert_names_to_text_have_no_flat_dictionaries() {
        let packet = encode(&variant!({"a": 1})).unwrap();
        let is_flat = |profile| Decoder::new().profile(profile).decode_flat(&packet).is_some();
        assert!(is_flat(Profile::GODOT_4_6) && !is_flat(Profile::GODOT_4_0));
    }

    #[test]
    fn a_flat_packet_is_complete() {
        let packet = encode(&variant!({"key": "text"})).unwrap();
        for end in 0..packet.len() {
            assert!(Decoder::new().decode_flat(&packet[..end]).is_none(), "{end}");
        }
    }
}
