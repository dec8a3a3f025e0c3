//! Packed arrays of numbers, borrowed from the packet.

use alloc::{borrow::Cow, vec::Vec};

use bytemuck::AnyBitPattern;

use super::math::Reals;
use super::owned::Variant;
use crate::VariantType;
use crate::variant_type::{Number, Shape};

/// A packed array of numbers, vectors or colors that is not copied yet: little-endian components without padding
/// between them.
///
/// ```
/// use varbytes::variant::VariantRef;
/// use varbytes::{Decoder, Variant, VariantType};
///
/// let packet = varbytes::encode(&Variant::from(vec![1i32, 2]))?;
/// let VariantRef::PackedNumbers(numbers) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
/// assert_eq!((numbers.variant_type(), numbers.len()), (VariantType::PackedInt32Array, 2));
/// assert_eq!((numbers.element_size(), numbers.is_empty()), (4, false));
/// assert_eq!((numbers.is_wide(), numbers.is_narrowed()), (false, false));
/// assert_eq!(numbers.int32s().as_deref(), Some(&[1, 2][..]));
/// assert_eq!((numbers.int64s(), numbers.float64s()), (None, None));
/// assert_eq!(numbers.bytes(), [1, 0, 0, 0, 2, 0, 0, 0]);
/// assert_eq!(numbers.to_variant(), Variant::from(vec![1i32, 2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackedNumbers<'a> {
    pub(crate) variant_type: VariantType,
    pub(crate) wide: bool,
    /// Owned if the engine reads something other than the bytes on the wire.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Whether 8-byte components are narrowed to 4 bytes.
    pub(crate) narrow: bool,
}

impl<'a> PackedNumbers<'a> {
    /// Returns the array of a [`Single`](crate::Single).
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn of_elements(variant_type: VariantType, elements: &'a [u8]) -> Self {
        Self { variant_type, wide: false, bytes: Cow::Borrowed(elements), narrow: false }
    }

    /// Returns the type of the array.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub const fn variant_type(&self) -> VariantType {
        self.variant_type
    }

    /// Returns whether the components of a vector array have 8 bytes on the wire.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        self.wide
    }

    /// Returns whether 8-byte components are narrowed to 4 bytes, as a single-precision engine does.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub const fn is_narrowed(&self) -> bool {
        self.narrow
    }

    /// Returns the components in wire order, little-endian.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes of an element on the wire.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub const fn element_size(&self) -> usize {
        element_size(self.variant_type, self.wide)
    }

    /// Returns the number of elements.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.element_size()
    }

    /// Returns whether there are no elements.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the components of 4-byte integers in wire order; `None` if the array has other components.
    ///
    /// Borrows from the packet if the machine is little-endian and the components are aligned to 4 bytes in memory;
    /// copies otherwise. They are always aligned if the packet is.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub fn int32s(&self) -> Option<Cow<'a, [i32]>> {
        let has = matches!(self.variant_type.shape(), Shape::Packed(Number::Int32, _));
        has.then(|| self.view(i32::from_le_bytes))
    }

    /// Like [`int32s`](Self::int32s), for 8-byte integers. Their alignment to 8 bytes depends on what precedes them in
    /// the packet.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub fn int64s(&self) -> Option<Cow<'a, [i64]>> {
        (self.variant_type == VariantType::PackedInt64Array).then(|| self.view(i64::from_le_bytes))
    }

    /// Like [`int32s`](Self::int32s), for 4-byte reals: `PackedFloat32Array`, `PackedColorArray` and arrays of vectors.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use varbytes::variant::VariantRef;
    /// use varbytes::{Decoder, Variant};
    ///
    /// let packet = varbytes::encode(&Variant::PackedFloat32Array(vec![0.5; 1000].into()))?;
    /// let VariantRef::PackedNumbers(numbers) = Decoder::new().decode_borrowed(&packet)? else { unreachable!() };
    /// let samples: Cow<[f32]> = numbers.float32s().expect("a PackedFloat32Array has such");
    /// assert_eq!(samples.len(), 1000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn float32s(&self) -> Option<Cow<'a, [f32]>> {
        if self.variant_type == VariantType::PackedFloat32Array || self.has_reals() && !self.wide {
            return Some(self.view(f32::from_le_bytes));
        }
        let narrowed = self.has_reals() && self.narrow;
        narrowed.then(|| Cow::Owned(self.converted(|bytes| crate::float::narrow(f64::from_le_bytes(bytes)))))
    }

    /// Like [`int32s`](Self::int32s), for 8-byte reals: `PackedFloat64Array` and arrays of vectors in double precision.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub fn float64s(&self) -> Option<Cow<'a, [f64]>> {
        let wide = self.has_reals() && self.wide && !self.narrow;
        (self.variant_type == VariantType::PackedFloat64Array || wide).then(|| self.view(f64::from_le_bytes))
    }

    /// Returns whether the components are reals whose size does not follow from the type.
    fn has_reals(&self) -> bool {
        let shape = self.variant_type.shape();
        matches!(shape, Shape::Packed(Number::Real, _)) || self.variant_type == VariantType::PackedColorArray
    }

    /// Borrows components that are aligned and in native byte order.
    fn view<const SIZE: usize, T: AnyBitPattern>(&self, convert: impl Fn([u8; SIZE]) -> T) -> Cow<'a, [T]> {
        if cfg!(target_endian = "little")
            && let Cow::Borrowed(bytes) = self.bytes
            && let Ok(aligned) = bytemuck::try_cast_slice(bytes)
        {
            return Cow::Borrowed(aligned);
        }
        Cow::Owned(self.converted(convert))
    }

    fn converted<const SIZE: usize, T>(&self, convert: impl Fn([u8; SIZE]) -> T) -> Vec<T> {
        self.bytes.as_chunks().0.iter().map(|bytes| convert(*bytes)).collect()
    }

    /// Returns the array as an owned value.
    ///
    /// [`PackedNumbers`] has an example.
    #[must_use]
    pub fn to_variant(&self) -> Variant {
        match self.variant_type {
            VariantType::PackedInt32Array => self.view(i32::from_le_bytes).into_owned().into(),
            VariantType::PackedInt64Array => self.view(i64::from_le_bytes).into_owned().into(),
            VariantType::PackedFloat32Array => self.view(f32::from_le_bytes).into_owned().into(),
            VariantType::PackedFloat64Array => self.view(f64::from_le_bytes).into_owned().into(),
            variant_type => {
                let reals = |reals: Reals<'_>| Variant::from_packed_reals(variant_type, reals);
                let singles = || self.float32s().and_then(|singles| reals(Reals::Single(&singles)));
                let doubles = || self.float64s().and_then(|doubles| reals(Reals::Double(&doubles)));
                let integers = || Variant::from_packed_integers(variant_type, &self.int32s()?);
                // No other type becomes PackedNumbers.
                singles().or_else(doubles).or_else(integers).unwrap_or_default()
            }
        }
    }
}

/// Returns the bytes of an element of a packed array on the wire; 0 for types without a fixed element size.
pub(crate) const fn element_size(variant_type: VariantType, wide: bool) -> usize {
    let Shape::Packed(number, count) = variant_type.shape() else { return 0 };
    let size = match number {
        Number::Byte => 1,
        Number::Int32 | Number::Float32 => 4,
        Number::Real if !wide => 4,
        Number::Int64 | Number::Float64 | Number::Real => 8,
    };
    count * size
}
