//! Packets that are one common value: to set up the state of a reader or writer takes longer than to read or write it. The fast
//! paths for longer packets treat these values in the same way; the fuzz targets check that both agree.

use crate::float::{narrow_exactly, widen};
use crate::profile::PlainHeaders;
use crate::read::window::Window;
use crate::variant::{ShortText, element_size};
use crate::variant_type::{Number, Shape};
use crate::wire::{FLAG_WIDE, WORD, padded};
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
    /// `String` without NUL that is not ASCII. Whether the bytes are UTF-8 is for the caller to check, who converts them.
    NotAscii(&'a [u8]),
    /// `StringName` of ASCII without NUL.
    AsciiName(&'a [u8]),
    /// `StringName` without NUL that is not ASCII, as [`NotAscii`](Self::NotAscii).
    NotAsciiName(&'a [u8]),
    /// A vector, or a value that consists of several: its little-endian numbers of 4 bytes, in wire order.
    Numbers(VariantType, &'a [u8]),
    /// `RID`.
    Rid(u64),
    /// A packed array of numbers, vectors or colors: its little-endian components, of 4 bytes if they are reals.
    Packed(VariantType, &'a [u8]),
}

/// `null`, a `bool`, an `int`, a `float`, a `RID` or a value of up to four numbers of 4 bytes, as the engine stores it on a
/// little-endian machine. It stays in registers.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// The type.
    pub variant_type: VariantType,
    /// The payload. What the value does not need is zero.
    pub payload: [u64; 2],
}

impl InPlace {
    /// Reads the value, which must be of the declared type if there is one, and returns the bytes after it.
    #[inline(always)]
    pub(crate) fn split(bytes: &[u8], profile: Profile, declared: Option<VariantType>) -> Option<(Self, &[u8])> {
        let (value, size) = Self::read(bytes, profile)?;
        let is_right = declared.is_none_or(|declared| declared == value.variant_type);
        Some((value, bytes.get(size..).filter(|_| is_right)?))
    }

    /// Reads the value and returns the number of its bytes.
    #[inline(always)]
    fn read(bytes: &[u8], profile: Profile) -> Option<(Self, usize)> {
        let (window, headers) = (Window::of(bytes, 0), profile.plain_headers());
        let header = window.header();
        let (variant_type, payload, size) = if header == headers.int {
            (VariantType::Int, [i64::from(window.payload().cast_signed()).cast_unsigned(), 0], 2 * WORD)
        } else if let Some((variant_type, count)) = profile.numbers_of_header(header) {
            // The sizes are constants, so that the processor reads the next value before it has loaded the count.
            match count {
                2 => (variant_type, [window.wide(), 0], 3 * WORD),
                3 => (variant_type, [window.wide(), window.last() & 0xFFFF_FFFF], 4 * WORD),
                4 => (variant_type, [window.wide(), window.last()], 5 * WORD),
                _ => return None,
            }
        } else if header == headers.float {
            (VariantType::Float, [widen(f32::from_bits(window.payload())).to_bits(), 0], 2 * WORD)
        } else if header == headers.bool {
            (VariantType::Bool, [u64::from(window.payload() != 0), 0], 2 * WORD)
        } else if header == headers.nil {
            (VariantType::Nil, [0; 2], WORD)
        } else if headers.has_wide && header == headers.float | FLAG_WIDE {
            (VariantType::Float, [window.wide(), 0], 3 * WORD)
        } else if headers.has_wide && header == headers.int | FLAG_WIDE {
            (VariantType::Int, [window.wide(), 0], 3 * WORD)
        } else if Some(header) == profile.type_id(VariantType::RID).map(u32::from) && profile.has_rid_payload() {
            (VariantType::RID, [window.wide(), 0], 3 * WORD)
        } else {
            return None;
        };
        window.has(size).then_some((Self { variant_type, payload }, size))
    }
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

/// Where a value is put.
pub(crate) trait Place<'a> {
    fn put(self, value: Single<'a>);
    /// Reads and puts a value of one of the rare types, and returns the number of its bytes.
    fn put_rare(self, bytes: &'a [u8], profile: Profile) -> Option<usize>;
}

impl<'a> Place<'a> for &mut Single<'a> {
    #[inline(always)]
    fn put(self, value: Single<'a>) {
        *self = value;
    }

    #[inline(always)]
    fn put_rare(self, bytes: &'a [u8], profile: Profile) -> Option<usize> {
        Single::read_rare(self, bytes, profile)
    }
}

/// A place for a single value, which stays in registers unless its type is a rare one.
struct Alone<'p, 'a>(&'p mut Single<'a>);

impl<'a> Place<'a> for Alone<'_, 'a> {
    #[inline(always)]
    fn put(self, value: Single<'a>) {
        *self.0 = value;
    }

    #[inline(always)]
    fn put_rare(self, bytes: &'a [u8], profile: Profile) -> Option<usize> {
        let mut value = Single::Nil;
        let size = Single::read_rare(&mut value, bytes, profile);
        *self.0 = value;
        size
    }
}

/// The headers of null, `bool` and numbers in every engine from Godot 4 on.
const NIL: u32 = VariantType::Nil as u32;
const BOOL: u32 = VariantType::Bool as u32;
const INT: u32 = VariantType::Int as u32;
const FLOAT: u32 = VariantType::Float as u32;
const WIDE_INT: u32 = INT | FLAG_WIDE;
const WIDE_FLOAT: u32 = FLOAT | FLAG_WIDE;

impl<'a> Single<'a> {
    /// Reads null, a `bool`, an `int` or a `float` as every engine from Godot 4 on, and returns the number of its bytes. Returns `None`
    /// for anything else, malformed input included.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn scalar(bytes: &'a [u8]) -> Option<(Self, usize)> {
        let (header, rest) = bytes.split_first_chunk()?;
        match u32::from_le_bytes(*header) {
            NIL => Some((Self::Nil, WORD)),
            BOOL => Some((Self::Bool(u32::from_le_bytes(*rest.first_chunk()?) != 0), 2 * WORD)),
            INT => Some((Self::Int(i32::from_le_bytes(*rest.first_chunk()?).into()), 2 * WORD)),
            WIDE_INT => Some((Self::Int(i64::from_le_bytes(*rest.first_chunk()?)), 3 * WORD)),
            FLOAT => Some((Self::Float(widen(f32::from_le_bytes(*rest.first_chunk()?))), 2 * WORD)),
            WIDE_FLOAT => Some((Self::Float(f64::from_le_bytes(*rest.first_chunk()?)), 3 * WORD)),
            _ => None,
        }
    }

    /// Reads the value and returns the number of its bytes.
    #[inline(always)]
    pub(crate) fn read(bytes: &'a [u8], profile: Profile) -> Option<(Self, usize)> {
        let mut value = Self::Nil;
        let size = Self::read_to(Alone(&mut value), bytes, profile)?;
        Some((value, size))
    }

    /// Puts the value into a place and returns the number of its bytes.
    // Each kind of value is put there by itself: values of several kinds that are returned are copied from one place to another in
    // parts, which makes the processor wait.
    #[inline(always)]
    pub(crate) fn read_to(place: impl Place<'a>, bytes: &'a [u8], profile: Profile) -> Option<usize> {
        let (window, headers) = (Window::of(bytes, 0), profile.plain_headers());
        let header = window.header();
        if header == headers.int && window.has(2 * WORD) {
            place.put(Self::Int(i64::from(window.payload().cast_signed())));
            return Some(2 * WORD);
        }
        if header == headers.string {
            if let Some(short) = window.short_text().filter(ShortText::is_ascii_without_nul) {
                place.put(Self::Ascii(bytes.get(2 * WORD..)?.get(..short.length)?));
                return Some(2 * WORD + padded(short.length));
            }
            let (value, size) = Self::read_long_text(&window, bytes)?;
            place.put(value);
            return Some(size);
        }
        if let Some(numbers) = profile.numbers_of_header(header) {
            return Self::read_numbers(place, bytes, numbers);
        }
        if header == headers.float && window.has(2 * WORD) {
            place.put(Self::Float(widen(f32::from_bits(window.payload()))));
            return Some(2 * WORD);
        }
        if header == headers.bool && window.has(2 * WORD) {
            place.put(Self::Bool(window.payload() != 0));
            return Some(2 * WORD);
        }
        if header == headers.nil && window.has(WORD) {
            place.put(Self::Nil);
            return Some(WORD);
        }
        if headers.has_wide && window.has(3 * WORD) {
            if header == headers.float | FLAG_WIDE {
                place.put(Self::Float(f64::from_bits(window.wide())));
                return Some(3 * WORD);
            }
            if header == headers.int | FLAG_WIDE {
                place.put(Self::Int(window.wide().cast_signed()));
                return Some(3 * WORD);
            }
        }
        place.put_rare(bytes, profile)
    }

    /// Puts a value of this type and count of numbers into a place and returns the number of its bytes.
    #[inline(always)]
    pub(crate) fn read_numbers(
        place: impl Place<'a>,
        bytes: &'a [u8],
        (variant_type, count): (VariantType, usize),
    ) -> Option<usize> {
        let used = (1 + count) * WORD;
        place.put(Self::Numbers(variant_type, bytes.get(WORD..used)?));
        Some(used)
    }

    #[inline(never)]
    fn read_long_text(window: &Window, bytes: &'a [u8]) -> Option<(Self, usize)> {
        let (text, is_ascii) = window.long_text(bytes.get(2 * WORD..)?)?;
        let used = 2 * WORD + padded(text.len());
        Some((if is_ascii { Self::Ascii(text) } else { Self::NotAscii(text) }, used))
    }

    /// Puts a value of one of the other types into a place and returns the number of its bytes.
    // Loads the window again: that of the caller stays in registers.
    #[inline(never)]
    fn read_rare(place: &mut Self, bytes: &'a [u8], profile: Profile) -> Option<usize> {
        let window = Window::of(bytes, 0);
        let variant_type = profile.type_of_id(u8::try_from(window.header()).ok()?)?;
        if variant_type == VariantType::StringName {
            let (text, used) = Self::read_long_text(&window, bytes)?;
            *place = match text {
                Self::Ascii(text) => Self::AsciiName(text),
                Self::NotAscii(text) => Self::NotAsciiName(text),
                _ => return None,
            };
            return Some(used);
        }
        if variant_type == VariantType::RID && profile.has_rid_payload() {
            *place = Self::Rid(window.wide());
            return window.has(3 * WORD).then_some(3 * WORD);
        }
        let (elements, used) = Self::elements(variant_type, bytes, profile)?;
        *place = Self::Packed(variant_type, elements);
        Some(used)
    }

    /// Returns the elements of a packed array of this type and the number of all its bytes, or `None` for other types, with flags or not.
    #[inline(always)]
    pub(crate) fn elements(variant_type: VariantType, bytes: &'a [u8], profile: Profile) -> Option<(&'a [u8], usize)> {
        let window = Window::of(bytes, 0);
        let is_plain = Some(window.header()) == profile.type_id(variant_type).map(u32::from);
        let Shape::Packed(number, _) = variant_type.shape() else { return None };
        if !is_plain || profile.has_faulty_vectors() {
            return None;
        }
        let count = usize::try_from(window.payload().cast_signed()).ok()?;
        let size = count.checked_mul(element_size(variant_type, false))?;
        let elements = bytes.get(2 * WORD..)?.get(..size)?;
        let used = 2 * WORD + if number == Number::Byte { padded(size) } else { size };
        window.has(used).then_some((elements, used))
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
            | Self::NotAscii(_)
            | Self::AsciiName(_)
            | Self::NotAsciiName(_)
            | Self::Numbers(..)
            | Self::Rid(_)
            | Self::Packed(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{boxed::Box, format, vec, vec::Vec};

    use super::Single;
    use crate::{Decoder, Profile, Variant, encode};

    #[test]
    fn scalars_are_read_as_by_every_engine_from_godot_4_on() {
        let is_older = |name: &str| ["godot-2", "godot-3", "pandemonium"].iter().any(|older| name.starts_with(older));
        let headers =
            (0..=40).flat_map(|id| [0, 1 << 8, 1 << 16, 1 << 17, 3 << 16, 1 << 31].map(|flags: u32| flags | id));
        let headers: Vec<u32> = headers.collect();
        let newer = Profile::ALL.iter().filter(|profile| !is_older(profile.name()));
        for (profile, header) in newer.flat_map(|profile| headers.iter().map(move |header| (*profile, *header))) {
            let packet = [&header.to_le_bytes()[..], &0xFEDC_BA98_7654_3210_u64.to_le_bytes(), &[0; 24]].concat();
            for bytes in [&packet[..], &packet[..12], &packet[..11], &packet[..8], &packet[..7], &packet[..3]] {
                let decoded = Decoder::new().profile(profile).decode_single(bytes);
                let decoded = decoded.map(|decoded| (decoded.value, decoded.used));
                let is_scalar =
                    |value: &Single| matches!(value, Single::Nil | Single::Bool(_) | Single::Int(_) | Single::Float(_));
                let expected = decoded.filter(|(value, _)| is_scalar(value));
                assert_eq!(
                    format!("{:?}", Single::scalar(bytes)),
                    format!("{expected:?}"),
                    "{header:x}, {}",
                    profile.name()
                );
            }
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
}
