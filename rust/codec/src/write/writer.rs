//! The parts of the [`Writer`] that all types share. The methods for each type are next to those of the reader, in
//! `types/`.

use crate::error::EncodeErrorKind;
use crate::options::WriteOptions;
use crate::profile::{Numbers, ObjectForms};
use crate::variant_type::{Number, Shape};
use crate::wire::{FIRST_KIND_SHIFT, FLAG_OBJECT_ID, FLAG_WIDE, KIND_MASK, SECOND_KIND_SHIFT, padding};
use crate::write::sink::Sink;
use crate::{Precision, Profile, VariantType};

/// Writes values to a [`Sink`], with one method per wire form.
///
/// A container begins with the number of its members. The members follow, and nothing marks the end. The caller must
/// write exactly that number of members and must respect the engine's limit on depth, as
/// [`Encoder`](crate::Encoder) does for a tree.
///
/// ```
/// use varbytes::{Encoder, Variant};
///
/// // The same bytes, with and without a tree.
/// let mut bytes = Vec::new();
/// let mut writer = Encoder::new().writer(&mut bytes);
/// writer.begin_array(2, None)?;
/// writer.int(7)?;
/// writer.string("seven")?;
///
/// let tree = Variant::from(vec![Variant::from(7), Variant::from("seven")]);
/// assert_eq!(bytes, varbytes::encode(&tree).unwrap());
/// # Ok::<(), varbytes::EncodeErrorKind>(())
/// ```
///
/// # Errors
/// Each method returns [`EncodeErrorKind::UnsupportedType`] if the engine version does not have the type, and
/// [`EncodeErrorKind::TooLong`] for a count or a length above 2^31 - 1. Methods with other errors name those.
pub struct Writer<'s, S: Sink> {
    pub(crate) sink: &'s mut S,
    pub(crate) options: WriteOptions,
}

impl<'s, S: Sink> Writer<'s, S> {
    pub(crate) fn new(sink: &'s mut S, options: WriteOptions) -> Self {
        Self { sink, options }
    }

    /// Returns the type id, or an error if the engine version does not have the type.
    #[inline]
    pub(crate) fn type_id(&self, variant_type: VariantType) -> Result<u8, EncodeErrorKind> {
        self.options.profile.type_id(variant_type).ok_or(EncodeErrorKind::UnsupportedType { variant_type })
    }

    #[inline]
    pub(crate) fn header(&mut self, variant_type: VariantType, flags: u32) -> Result<(), EncodeErrorKind> {
        let id = self.type_id(variant_type)?;
        self.word(u32::from(id) | flags);
        Ok(())
    }

    /// Appends the bytes of a value that is already encoded. They are not checked.
    #[inline]
    pub fn encoded(&mut self, bytes: &[u8]) {
        self.sink.put(bytes);
    }

    /// Appends values that are already encoded in `SIZE` bytes each.
    #[doc(hidden)]
    #[inline]
    pub fn encoded_each<T: Copy, const SIZE: usize>(&mut self, values: &[T], to_bytes: impl Fn(T) -> [u8; SIZE]) {
        self.sink.put_numbers(values, to_bytes);
    }

    /// Returns whether the sink [is full](Sink::is_full).
    #[doc(hidden)]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.sink.is_full()
    }

    /// Writes a header without flags and one word of payload with one call of the sink.
    #[inline]
    pub(crate) fn header_and_word(&mut self, variant_type: VariantType, word: u32) -> Result<(), EncodeErrorKind> {
        let id = self.type_id(variant_type)?;
        self.sink.put(&(u64::from(id) | u64::from(word) << 32).to_le_bytes());
        Ok(())
    }

    #[inline]
    pub(crate) fn word(&mut self, word: u32) {
        self.sink.put(&word.to_le_bytes());
    }

    /// Writes a count or a length. The format limits both to 2^31 - 1.
    #[inline]
    pub(crate) fn count(&mut self, count: usize) -> Result<(), EncodeErrorKind> {
        self.flagged_count(count, 0)
    }

    /// Writes a count with a flag in its highest bit.
    #[inline]
    pub(crate) fn flagged_count(&mut self, count: usize, flags: u32) -> Result<(), EncodeErrorKind> {
        let length = i32::try_from(count).map_err(|_| EncodeErrorKind::TooLong { length: count })?;
        self.word(length.cast_unsigned() | flags);
        Ok(())
    }

    /// Writes the zero bytes that pad `length` bytes to the alignment.
    #[inline]
    pub(crate) fn pad(&mut self, length: usize) {
        self.sink.put_padding(&[0; 3][..padding(length)]);
    }

    /// Returns whether reals of a value with `own` precision are written with 8 bytes.
    #[inline]
    pub(crate) fn writes_wide(&self, own: Precision) -> bool {
        self.options.profile.has_double_precision() && self.options.precision.unwrap_or(own) == Precision::Double
    }

    /// Returns the header flag for reals of 8 bytes, if the engine sets it.
    #[inline]
    pub(crate) fn wide_flag(&self, variant_type: VariantType, wide: bool) -> u32 {
        if wide && self.options.profile.flags_wide(variant_type) { FLAG_WIDE } else { 0 }
    }
}

/// Returns the header bits above the type id that have a meaning for a type.
pub(crate) fn header_flags(profile: Profile, variant_type: VariantType) -> u32 {
    match variant_type {
        VariantType::Int | VariantType::Float if profile.numbers() != Numbers::Narrow => FLAG_WIDE,
        VariantType::Object if profile.objects() != ObjectForms::HeaderAlone => FLAG_OBJECT_ID,
        VariantType::TypedArray | VariantType::PackedTypedArray => FLAG_OBJECT_ID,
        VariantType::Array if profile.types_arrays() => KIND_MASK << FIRST_KIND_SHIFT,
        VariantType::Dictionary if profile.types_dictionaries() => {
            KIND_MASK << FIRST_KIND_SHIFT | KIND_MASK << SECOND_KIND_SHIFT
        }
        _ => match variant_type.shape() {
            Shape::Fixed(Number::Real, _) if profile.flags_wide(variant_type) => FLAG_WIDE,
            Shape::Packed(Number::Real, _) if profile.has_double_precision() => FLAG_WIDE,
            _ => 0,
        },
    }
}
