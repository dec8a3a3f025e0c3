//! Packed arrays of numbers as they stand in the packet.

use alloc::{borrow::Cow, vec::Vec};

use bytemuck::AnyBitPattern;

use super::{Color, PackedReals, Vector2i, Vector3i, Vector4i};
use crate::{Variant, VariantType};

/// A packed array of numbers, vectors or colours, not copied yet: little-endian components, one after
/// another without padding.
#[derive(Clone, Debug)]
pub struct PackedNumbers<'a> {
    pub(crate) variant_type: VariantType,
    pub(crate) wide: bool,
    /// Owned where an engine reads something else than what stands there.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Whether 8-byte components are to become 4-byte ones.
    pub(crate) narrow: bool,
}

impl<'a> PackedNumbers<'a> {
    /// The array's type.
    #[must_use]
    pub const fn variant_type(&self) -> VariantType {
        self.variant_type
    }

    /// Whether the components of a vector array have 8 bytes on the wire.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        self.wide
    }

    /// Whether the caller wants 8-byte components as 4-byte ones, as a single-precision engine makes them.
    #[must_use]
    pub const fn is_narrowed(&self) -> bool {
        self.narrow
    }

    /// The components in wire order, little-endian.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Bytes that one element has on the wire.
    #[must_use]
    pub const fn element_size(&self) -> usize {
        element_size(self.variant_type, self.wide)
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.element_size()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The components of 4-byte integers in wire order, `None` where the array has other ones.
    ///
    /// Borrowed from the packet where they stand at a multiple of 4 in memory and the machine is little-endian;
    /// copied otherwise. In a packet that begins at such a place they always do.
    #[must_use]
    pub fn int32s(&self) -> Option<Cow<'a, [i32]>> {
        let has = matches!(
            self.variant_type,
            VariantType::PackedInt32Array
                | VariantType::PackedVector2iArray
                | VariantType::PackedVector3iArray
                | VariantType::PackedVector4iArray
        );
        has.then(|| self.view(i32::from_le_bytes))
    }

    /// The same of 8-byte integers. Whether they stand at a multiple of 8 depends on what is before them.
    #[must_use]
    pub fn int64s(&self) -> Option<Cow<'a, [i64]>> {
        (self.variant_type == VariantType::PackedInt64Array).then(|| self.view(i64::from_le_bytes))
    }

    /// The same of reals of 4 bytes: of `PackedFloat32Array`, `PackedColorArray` and arrays of vectors.
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
        narrowed.then(|| Cow::Owned(self.copied(|bytes| crate::float::narrow(f64::from_le_bytes(bytes)))))
    }

    /// The same of reals of 8 bytes: of `PackedFloat64Array` and wide arrays of vectors.
    #[must_use]
    pub fn float64s(&self) -> Option<Cow<'a, [f64]>> {
        let wide = self.has_reals() && self.wide && !self.narrow;
        (self.variant_type == VariantType::PackedFloat64Array || wide).then(|| self.view(f64::from_le_bytes))
    }

    /// Whether the components are reals whose size is told apart from the type.
    const fn has_reals(&self) -> bool {
        matches!(
            self.variant_type,
            VariantType::PackedVector2Array
                | VariantType::PackedVector3Array
                | VariantType::PackedVector4Array
                | VariantType::PackedColorArray
        )
    }

    fn view<const SIZE: usize, T: AnyBitPattern>(&self, convert: impl Fn([u8; SIZE]) -> T) -> Cow<'a, [T]> {
        match &self.bytes {
            Cow::Borrowed(bytes) if cfg!(target_endian = "little") => match bytemuck::try_cast_slice(bytes) {
                Ok(in_place) => Cow::Borrowed(in_place),
                Err(_) => Cow::Owned(self.copied(convert)),
            },
            _ => Cow::Owned(self.copied(convert)),
        }
    }

    /// The array as an owned value.
    #[must_use]
    pub fn to_variant(&self) -> Variant {
        match self.variant_type {
            VariantType::PackedInt32Array => self.copied(i32::from_le_bytes).into(),
            VariantType::PackedInt64Array => self.copied(i64::from_le_bytes).into(),
            VariantType::PackedFloat32Array => self.copied(f32::from_le_bytes).into(),
            VariantType::PackedFloat64Array => self.copied(f64::from_le_bytes).into(),
            VariantType::PackedVector2Array => Variant::PackedVector2Array(self.vectors()),
            VariantType::PackedVector3Array => Variant::PackedVector3Array(self.vectors()),
            VariantType::PackedVector4Array => Variant::PackedVector4Array(self.vectors()),
            VariantType::PackedColorArray => Variant::PackedColorArray(
                self.vectors_of::<4, _, 4>(f32::from_le_bytes).into_iter().map(Color::from).collect(),
            ),
            VariantType::PackedVector2iArray => self.integers::<2, Vector2i>().into(),
            VariantType::PackedVector3iArray => self.integers::<3, Vector3i>().into(),
            VariantType::PackedVector4iArray => self.integers::<4, Vector4i>().into(),
            // No other type is ever made into PackedNumbers.
            _ => Variant::Nil,
        }
    }

    fn copied<const SIZE: usize, T: AnyBitPattern>(&self, convert: impl Fn([u8; SIZE]) -> T) -> Vec<T> {
        match self.in_place::<SIZE, T>() {
            Some(elements) => elements.to_vec(),
            None => self.bytes.as_chunks::<SIZE>().0.iter().map(|bytes| convert(*bytes)).collect(),
        }
    }

    /// Components of `SIZE` bytes as they stand in memory, where they could stand in a `Vec` so.
    fn in_place<const SIZE: usize, T: AnyBitPattern>(&self) -> Option<&[T]> {
        let is_alike = cfg!(target_endian = "little") && SIZE == size_of::<T>();
        if is_alike { bytemuck::try_cast_slice(&self.bytes).ok() } else { None }
    }

    fn integers<const N: usize, T: From<[i32; N]>>(&self) -> Vec<T> {
        let vectors = self.bytes.as_chunks::<4>().0.as_chunks::<N>().0.iter();
        vectors.map(|vector| vector.map(i32::from_le_bytes).into()).collect()
    }

    fn vectors<const N: usize>(&self) -> PackedReals<N> {
        if !self.wide {
            return self.vectors_of(f32::from_le_bytes).into();
        }
        if self.narrow {
            let vectors = self.vectors_of::<8, _, N>(f64::from_le_bytes).into_iter();
            vectors.map(|vector| vector.map(crate::float::narrow)).collect::<Vec<_>>().into()
        } else {
            self.vectors_of(f64::from_le_bytes).into()
        }
    }

    fn vectors_of<const SIZE: usize, T: AnyBitPattern, const N: usize>(
        &self,
        convert: impl Fn([u8; SIZE]) -> T,
    ) -> Vec<[T; N]> {
        match self.in_place::<SIZE, T>() {
            Some(components) => components.as_chunks().0.to_vec(),
            None => {
                let vectors = self.bytes.as_chunks::<SIZE>().0.as_chunks::<N>().0.iter();
                vectors.map(|vector| vector.map(&convert)).collect()
            }
        }
    }
}

/// Bytes that one element of a packed array has on the wire; 0 for types of no fixed element size.
pub(crate) const fn element_size(variant_type: VariantType, wide: bool) -> usize {
    let real = if wide { 8 } else { 4 };
    match variant_type {
        VariantType::PackedByteArray => 1,
        VariantType::PackedInt32Array | VariantType::PackedFloat32Array => 4,
        VariantType::PackedInt64Array | VariantType::PackedFloat64Array => 8,
        VariantType::PackedVector2iArray => 8,
        VariantType::PackedVector3iArray => 12,
        VariantType::PackedVector4iArray => 16,
        VariantType::PackedVector2Array => 2 * real,
        VariantType::PackedVector3Array => 3 * real,
        VariantType::PackedVector4Array => 4 * real,
        VariantType::PackedColorArray => 16,
        _ => 0,
    }
}
