//! The packed arrays.

use alloc::borrow::Cow;

use crate::build::builder::Builder;
use crate::error::{DecodeError, DecodeErrorKind, EncodeErrorKind};
use crate::profile::UndefinedPadding;
use crate::read::input::Input;
use crate::types::math::NARROW_IN_DOUBLE;
use crate::types::string::{ReadText, refuse_nul};
use crate::variant::{Color, PackedNumbers, PackedReals, Reals, Text, element_size};
use crate::variant_type::{Number, Shape};
use crate::wire::{FLAG_WIDE, TYPE_MASK, WORD};
use crate::write::sink::Sink;
use crate::write::writer::Writer;
use crate::{Precision, VariantType};

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Fast path: reads a packed array of numbers that has no flags in its header and is complete with its padding. Otherwise, and if it
    /// exceeds a limit, reads nothing and returns `None`. So it does in strict reading, which checks the padding and the precision.
    #[inline(always)]
    pub(crate) fn read_plain_packed(&mut self, variant_type: VariantType, header: u32) -> Option<B::Value> {
        let size = match variant_type {
            VariantType::PackedByteArray => 1,
            VariantType::PackedInt32Array | VariantType::PackedFloat32Array => 4,
            VariantType::PackedInt64Array | VariantType::PackedFloat64Array | VariantType::PackedVector2Array => 8,
            VariantType::PackedVector3Array => 12,
            VariantType::PackedColorArray => 16,
            VariantType::PackedVector4Array if !self.options.profile.has_faulty_vectors() => 16,
            _ => return None,
        };
        if header & !TYPE_MASK != 0 || self.options.strict {
            return None;
        }
        let window = self.cursor.window();
        let count = usize::try_from(window.payload().cast_signed()).ok()?;
        let length = count.checked_mul(size)?;
        let end = length.checked_next_multiple_of(WORD)?.checked_add(2 * WORD)?;
        let bytes = self.cursor.rest(2 * WORD).get(..length).filter(|_| window.has(end))?;
        let costs = const { B::COSTS };
        let memory_left = self.memory.checked_sub(length.saturating_mul(costs.packed_byte) + costs.packed_array)?;
        self.elements = self.elements.checked_sub(count)?;
        self.memory = memory_left;
        self.cursor.advance(end);
        Some(match variant_type {
            VariantType::PackedByteArray => self.builder.packed_bytes(bytes),
            _ => {
                let bytes = Cow::Borrowed(bytes);
                self.builder.packed_numbers(PackedNumbers { variant_type, wide: false, bytes, narrow: false })
            }
        })
    }

    pub(crate) fn read_packed_bytes(&mut self) -> Result<B::Value, DecodeError> {
        let offset = self.cursor.position();
        let count = self.read_element_count(1)?;
        self.charge_packed(count, count)?;
        let bytes = self.cursor.take(count)?;
        self.skip_padding(count, offset, UndefinedPadding::Bytes)?;
        Ok(self.builder.packed_bytes(bytes))
    }

    pub(crate) fn read_packed_numbers(
        &mut self,
        variant_type: VariantType,
        flags: u32,
    ) -> Result<B::Value, DecodeError> {
        let start = self.cursor.position();
        let is_real = element_size(variant_type, true) != element_size(variant_type, false);
        let wide = is_real && flags & FLAG_WIDE != 0 && self.options.profile.has_double_precision();
        let narrow = wide && self.options.precision == Some(Precision::Single);
        self.require(!narrow, start - 2, "8-byte components in a single-precision engine")?;
        let writes_wide =
            self.options.profile.has_double_precision() && self.options.precision == Some(Precision::Double);
        self.require(wide || !is_real || !writes_wide, start - 2, NARROW_IN_DOUBLE)?;
        let size = element_size(variant_type, wide);
        let count = self.read_element_count(size)?;
        self.charge_packed(count, count * size)?;
        let mut bytes = Cow::Borrowed(self.cursor.take(count * size)?);
        let is_array_of_four =
            matches!(variant_type, VariantType::PackedVector4Array | VariantType::PackedVector4iArray);
        if is_array_of_four && self.imitates_vector_bugs() {
            // Pandemonium reads the third component of each element as the fourth too.
            self.charge(bytes.len(), 0)?;
            bytes.to_mut().as_chunks_mut::<16>().0.iter_mut().for_each(|element| element.copy_within(8..12, 12));
        }
        Ok(self.builder.packed_numbers(PackedNumbers { variant_type, wide, bytes, narrow }))
    }

    /// Reads the count of a `PackedStringArray`, and charges for its elements without their text.
    #[inline]
    pub(crate) fn read_string_count(&mut self) -> Result<usize, DecodeError> {
        let offset = self.cursor.position();
        let count = self.cursor.u32()?.cast_signed();
        self.require(count >= 0, offset, "negative count, read as 0")?;
        let count = self.check_count(u32::try_from(count).unwrap_or(0), WORD, offset)?;
        self.charge_packed(count, 0)?;
        self.charge(count.saturating_mul(const { B::COSTS.packed_string }), 0)?;
        Ok(count)
    }

    pub(crate) fn read_packed_strings(&mut self) -> Result<B::Value, DecodeError> {
        let count = self.read_string_count()?;
        let mut strings = self.builder.begin_strings(count);
        for _ in 0..count {
            if self.read_plain_terminated_text_field(&mut strings) {
                continue;
            }
            match self.read_terminated_text_field()? {
                ReadText::Borrowed(text) => self.builder.push_string(&mut strings, text),
                ReadText::Owned(text) => self.builder.push_owned_string(&mut strings, &text),
            }
        }
        Ok(self.builder.end_strings(strings))
    }

    /// Charges for a packed array: its elements, and their bytes in the packet.
    fn charge_packed(&mut self, elements: usize, bytes: usize) -> Result<(), DecodeError> {
        self.charge_elements(elements)?;
        let costs = const { B::COSTS };
        self.charge(bytes.saturating_mul(costs.packed_byte).saturating_add(costs.packed_array), 0)
    }

    /// Reads a signed count of elements of `size` bytes, and checks that the input has all of them.
    fn read_element_count(&mut self, size: usize) -> Result<usize, DecodeError> {
        let offset = self.cursor.position();
        let length = self.cursor.u32()?.cast_signed();
        let Ok(count) = u32::try_from(length) else {
            return Err(DecodeError::new(DecodeErrorKind::NegativeLength { length }, offset));
        };
        let available = self.cursor.remaining();
        if u64::from(count) * size as u64 > available as u64 {
            return Err(DecodeError::new(DecodeErrorKind::CountExceedsInput { count, available }, offset));
        }
        Ok(count as usize)
    }
}

impl<S: Sink> Writer<'_, S> {
    /// Writes a `PackedByteArray`: count, bytes, padding. [Example](Self)
    pub fn packed_bytes(&mut self, elements: &[u8]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::PackedByteArray, 0)?;
        self.bytes_field(elements, false)
    }

    /// Writes a `PackedInt32Array`: count, 4 bytes per element. [Example](Self)
    pub fn packed_int32(&mut self, elements: &[i32]) -> Result<(), EncodeErrorKind> {
        self.packed(VariantType::PackedInt32Array, elements, i32::to_le_bytes)
    }

    /// Writes a `PackedInt64Array`: 4-byte count, 8 bytes per element. [Example](Self)
    pub fn packed_int64(&mut self, elements: &[i64]) -> Result<(), EncodeErrorKind> {
        self.packed(VariantType::PackedInt64Array, elements, i64::to_le_bytes)
    }

    /// Writes a `PackedFloat32Array`: count, 4 bytes per element. [Example](Self)
    pub fn packed_float32(&mut self, elements: &[f32]) -> Result<(), EncodeErrorKind> {
        self.packed(VariantType::PackedFloat32Array, elements, f32::to_le_bytes)
    }

    /// Writes a `PackedFloat64Array`: 4-byte count, 8 bytes per element. [Example](Self)
    pub fn packed_float64(&mut self, elements: &[f64]) -> Result<(), EncodeErrorKind> {
        self.packed(VariantType::PackedFloat64Array, elements, f64::to_le_bytes)
    }

    fn packed<T: Copy, const SIZE: usize>(
        &mut self,
        variant_type: VariantType,
        elements: &[T],
        to_bytes: impl Fn(T) -> [u8; SIZE],
    ) -> Result<(), EncodeErrorKind> {
        self.header(variant_type, 0)?;
        self.count(elements.len())?;
        self.sink.put_numbers(elements, to_bytes);
        Ok(())
    }

    /// Writes a `PackedStringArray`: count, then each string with a NUL that its length includes. [Example](Self)
    pub fn packed_strings(&mut self, elements: &[impl AsRef<str>]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::PackedStringArray, 0)?;
        self.count(elements.len())?;
        elements.iter().try_for_each(|text| {
            refuse_nul(text.as_ref())?;
            self.bytes_field(text.as_ref().as_bytes(), true)
        })
    }

    /// Writes a `PackedStringArray` from [`Text`]. [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::NotUnicode`] if the engine accepts only Unicode.
    pub fn packed_texts(&mut self, elements: &[Text]) -> Result<(), EncodeErrorKind> {
        self.header(VariantType::PackedStringArray, 0)?;
        self.count(elements.len())?;
        elements.iter().try_for_each(|text| self.any_terminated_text_field(text))
    }

    /// Writes a packed array of integer vectors with `N` components, a type of Pandemonium. In its `PoolVector4iArray`,
    /// the fourth component is written as a copy of the third, as the engine does. [Example](Self)
    ///
    /// # Panics
    /// If there is no packed array of integer vectors with `N` components.
    pub fn packed_integers<const N: usize>(
        &mut self,
        elements: impl ExactSizeIterator<Item = [i32; N]>,
    ) -> Result<(), EncodeErrorKind> {
        let variant_type = match N {
            2 => VariantType::PackedVector2iArray,
            3 => VariantType::PackedVector3iArray,
            4 => VariantType::PackedVector4iArray,
            _ => panic!("no packed array of integer vectors of {N} components"),
        };
        self.header(variant_type, 0)?;
        self.count(elements.len())?;
        let loses_fourth = N == 4 && self.options.profile.has_faulty_vectors() && !self.options.fixes_engine_bugs;
        for mut element in elements {
            if loses_fourth {
                element[N - 1] = element[N - 2];
            }
            element.iter().for_each(|component| self.word(component.cast_unsigned()));
        }
        Ok(())
    }

    /// Writes a packed array of vectors with `N` components (2, 3 or 4): count, then components in wire order, 4 or 8
    /// bytes each. [Example](Self)
    ///
    /// # Panics
    /// If there is no packed array of vectors with `N` components.
    pub fn packed_vectors<const N: usize>(&mut self, elements: &PackedReals<N>) -> Result<(), EncodeErrorKind> {
        let variant_type = match N {
            2 => VariantType::PackedVector2Array,
            3 => VariantType::PackedVector3Array,
            4 => VariantType::PackedVector4Array,
            _ => panic!("no packed array of vectors of {N} components"),
        };
        self.packed_reals(variant_type, elements.as_reals())
    }

    /// Writes a packed array of vectors or colours, given the components of all elements in wire order. [Example](Self)
    ///
    /// # Errors
    /// [`EncodeErrorKind::UnsupportedType`] for `PackedVector4Array` before 4.3, and for a type that is not a packed
    /// array of vectors or colours.
    pub fn packed_reals(&mut self, variant_type: VariantType, reals: Reals<'_>) -> Result<(), EncodeErrorKind> {
        // Components of colours have 4 bytes in every build.
        let wide = variant_type != VariantType::PackedColorArray && self.writes_wide(reals.precision());
        let components = match variant_type.shape() {
            Shape::Packed(Number::Real, components) => components,
            Shape::Packed(Number::Float32, components) if components > 1 => components,
            _ => return Err(EncodeErrorKind::UnsupportedType { variant_type }),
        };
        self.header(variant_type, self.wide_flag(variant_type, wide))?;
        self.count(reals.len() / components)?;
        self.components(reals, wide);
        Ok(())
    }

    /// Writes a `PackedColorArray`: count, 16 bytes per element in every build. [Example](Self)
    pub fn packed_colors(&mut self, elements: &[Color]) -> Result<(), EncodeErrorKind> {
        self.packed::<_, 16>(VariantType::PackedColorArray, elements, |color| {
            let mut bytes = [0; 16];
            for (bytes, component) in bytes.as_chunks_mut().0.iter_mut().zip(color.to_array()) {
                *bytes = component.to_le_bytes();
            }
            bytes
        })
    }
}
